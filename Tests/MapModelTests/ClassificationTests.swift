import Foundation
import MapModel
import MapTestSupport
import Testing

/// Classes of numbers and colours of ramps, against mapclassify, ColorBrewer and matplotlib.
@Suite struct ClassificationTests {
  private static func lines(_ name: String) throws -> [[Substring]] {
    let url = try #require(
      Bundle.module.url(forResource: name, withExtension: "tsv", subdirectory: "Cases/Classification"))
    return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false)
    }
  }

  private static func numbers(_ text: Substring) -> [Double] {
    text.split(separator: " ").compactMap { UInt64($0, radix: 16).map { Double(bitPattern: $0) } }
  }

  private func areClose(_ a: [Double], _ b: [Double]) -> Bool {
    a.count == b.count && zip(a, b).allSatisfy { abs($0 - $1) <= 1e-9 * max(abs($0), abs($1), 1e-9) }
  }

  /// Returns the sum of squared deviations of values in classes with these upper bounds.
  private func loss(_ values: [Double], _ bounds: [Double]) -> Double {
    var groups = [[Double]](repeating: [], count: bounds.count)
    for value in values { groups[bounds.firstIndex { value <= $0 } ?? 0].append(value) }
    return groups.reduce(0) { sum, group in
      let mean = group.reduce(0, +) / Double(group.count)
      return sum + group.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    }
  }

  /// Source: `Cases/Classification/make_classification.py`, made for MapState with mapclassify 2.10.
  @Test("Bounds of 200 columns equal those of mapclassify") func bounds() throws {
    let lines = try Self.lines("classification")
    #expect(lines.count == 200)
    var equal = 0
    for (index, line) in lines.enumerated() {
      let (values, count) = (Self.numbers(line[0]), try #require(Int(line[1])))
      func bounds(_ method: ClassificationMethod) -> [Double] {
        method.upperBounds(of: values.shuffled(), count: count)
      }
      // mapclassify keeps a first class of only the least value, bounds that equal, and classes without values.
      let quantiles = Self.numbers(line[2])
      let filled = quantiles.indices.filter { place in
        place == 0 || values.contains { quantiles[place - 1] < $0 && $0 <= quantiles[place] }
      }
      #expect(areClose(bounds(.quantile), filled.map { quantiles[$0] }), "column \(index)")
      #expect(areClose(bounds(.equalInterval), Self.numbers(line[3])), "column \(index)")
      #expect(areClose(bounds(.standardDeviation), Self.numbers(line[4])), "column \(index)")
      let natural = bounds(.naturalBreaks)
      #expect(natural.count == count, "column \(index)")
      let (own, others) = (loss(values, natural), Self.numbers(line[5]))
      #expect(areClose([own], [others[1]]), "column \(index)")
      if areClose([own], [others[0]]) { equal += 1 }
    }
    // mapclassify adds squares in 32 bits, so some of its divisions are worse than the best.
    #expect(equal == 179)
  }

  @Test(
    "Few, equal and infinite numbers have the classes that they allow",
    arguments: ClassificationMethod.allCases)
  func unusualNumbers(_ method: ClassificationMethod) {
    #expect(method.upperBounds(of: [], count: 5) == [])
    #expect(method.upperBounds(of: [.nan, .infinity], count: 5) == [])
    #expect(method.upperBounds(of: [3, 3, 3], count: 5) == [3])
    #expect(method.upperBounds(of: [1, 2], count: 0) == [])
    #expect(method.upperBounds(of: [1, 2, .nan], count: 1) == [2])
    for count in 2...9 {
      let columns: [[Double]] = [[-1e308, 1e308, 0], [1, 2, 3, 4, 1e-300], [1e16, 1e16 + 2, 1e16 + 4]]
      for values in columns {
        let bounds = method.upperBounds(of: values, count: count)
        #expect(bounds.last == values.max(), "\(values)")
        #expect(zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 }, "\(values) \(bounds)")
        #expect(bounds.count <= count, "\(values) \(bounds)")
      }
    }
  }

  /// Source: palettable 3.3.3 and matplotlib 3.11.
  @Test("Ramps have the published colours") func ramps() throws {
    let lines = try Self.lines("ramps")
    #expect(lines.count == 212)
    for line in lines {
      let ramp = try #require(ColorRamp.named(String(line[0])), "\(line[0])")
      let colors = ramp.colors(count: try #require(Int(line[1]))).map { color in
        [color.red, color.green, color.blue].map { String(65536 + Int($0), radix: 16).suffix(2) }.joined()
      }
      #expect(colors.joined(separator: " ") == line[2], "\(line[0]) \(line[1])")
    }
    let ordered = ColorRamp.all.filter { $0.kind != .qualitative }
    #expect(ordered.count == 32 && ColorRamp.all.count == 44)
    #expect(ordered.filter { !$0.isColorBlindSafe }.map(\.name) == ["RdGy", "RdYlGn", "Spectral"])
    for ramp in ordered {
      for count in [1, 2, 13, 300] {
        let colors = ramp.colors(count: count)
        #expect(colors.count == count, "\(ramp.name)")
        #expect(Set(colors).count > min(count, 13) - 1, "\(ramp.name) \(count)")
      }
    }
  }

  /// Source: colorbrewer2.org, and matplotlib's list of qualitative colour maps.
  @Test("A qualitative ramp has its published number of colours, and its first ones for fewer classes")
  func qualitativeRamps() throws {
    let counts = [
      "Accent": 8, "Dark2": 8, "Paired": 12, "Pastel1": 9, "Pastel2": 8, "Set1": 9, "Set2": 8, "Set3": 12,
      "tab10": 10, "tab20": 20, "tab20b": 20, "tab20c": 20,
    ]
    let ramps = ColorRamp.all.filter { $0.kind == .qualitative }
    #expect(Dictionary(uniqueKeysWithValues: ramps.map { ($0.name, $0.largestCount ?? 0) }) == counts)
    for ramp in ramps {
      let all = ramp.colors(count: try #require(ramp.largestCount))
      #expect(Set(all).count == all.count, "\(ramp.name)")
      #expect(ramp.colors(count: 3) == Array(all.prefix(3)))
      #expect(ramp.colors(count: all.count + 2) == all + all.prefix(2))
    }
    #expect(ColorRamp.named("TAB10")?.colors(count: 1) == [Color(red: 0x1F, green: 0x77, blue: 0xB4)])
    #expect(ColorRamp.named("Set1")?.colors(count: 2).last == Color(red: 0x37, green: 0x7E, blue: 0xB8))
    #expect(ColorRamp.standard.largestCount == nil)
  }

  @Test("Without values, labels of classes share bounds that belong to the lower class") func labels() {
    func labels(_ least: Double?, _ bounds: [Double]) -> [String] {
      ClassBreaksRenderer.classified(
        fieldName: "a", least: least, upperBounds: bounds, symbol: SimpleFillSymbol()
      ).classBreaks.map(\.label)
    }
    #expect(labels(0.8433125316242199, [1.5003750937734435, 1.62]) == ["0.84 to 1.50", "over 1.50 to 1.62"])
    #expect(labels(1, [10, 250]) == ["1 to 10", "over 10 to 250"])
    #expect(labels(nil, [10, 250]) == ["up to 10", "over 10 to 250"])
    #expect(labels(-0.04, [0.01, 0.4]) == ["-0.04 to 0.01", "over 0.01 to 0.40"])
    #expect(labels(5, [5, 7]) == ["5", "over 5 to 7"])
    #expect(labels(1e300, [2e300]) == ["1e+300 to 2e+300"])
  }

  @Test("Labels of classes that begin at their bound state the class of each number")
  func labelsOfLowerBounds() {
    func classes(_ bounds: [Double], _ values: [Double], openCount: Int? = nil, isExact: Bool = false)
      -> [ClassBreaksRenderer.ClassBreak]
    {
      ClassBreaksRenderer.classified(
        fieldName: "a", normalization: nil, least: values.min(), upperBounds: bounds,
        colors: [Color](repeating: .red, count: bounds.count), symbol: SimpleFillSymbol(),
        openCount: openCount ?? bounds.count - 1, hasExactLabels: isExact, values: values
      ).classBreaks
    }
    func labels(_ bounds: [Double], _ values: [Double], isExact: Bool = false) -> [String] {
      classes(bounds, values, isExact: isExact).map(\.label)
    }
    #expect(labels([5, 10], [0, 4, 5, 10]) == ["0–4", "5–10"])
    #expect(labels([5, 10], [0, 4.9, 5, 10]) == ["0.0–4.9", "5.0–10.0"])
    #expect(labels([5, 10], [0, 4.9, 5, 10], isExact: true) == ["0.0–4.9", "5.0–10.0"])
    #expect(labels([5.9, 8], [5, 5.8, 5.9, 8]) == ["5.0–5.8", "5.9–8.0"])
    // Numbers with many decimals share bounds.
    #expect(
      labels([0.25, 0.5], [0.1234567, 0.2499999, 0.25, 0.5])
        == ["0.12 to under 0.25", "0.25 to 0.50"])
    #expect(labels([1, 2, 3], [], isExact: true) == ["under 1", "1 to under 2", "2 to 3"])
    let bounds = classes([5, 10, 20], [0, 4, 5, 10, 20])
    #expect(bounds.map(\.maximum) == [Double(5).nextDown, Double(10).nextDown, 20])
    #expect(bounds.map(\.minimum) == [0, Double(5).nextDown, Double(10).nextDown])
    #expect(classes([5, 10], [1, 7], openCount: 2).map(\.label) == ["1–4", "5–9"])
  }

  @Test("Ramps of given colours have these at their ends, and equal steps between them")
  func ownRamps() {
    let ramp = ColorRamp(through: [.black, .white])
    #expect(ramp.colors(count: 1) == [.white] && ramp.colors(count: 2) == [.black, .white])
    #expect(ramp.colors(count: 3).map(\.red) == [0, 128, 255])
    let three = ColorRamp(through: [.black, Color(red: 200, green: 100, blue: 0, alpha: 55), .white])
    #expect(three.colors(count: 2) == [.black, .white])
    #expect(three.colors(count: 5)[1] == Color(red: 100, green: 50, blue: 0, alpha: 155))
    #expect(three.colors(count: 5)[2].red == 200 && three.colors(count: 50).count == 50)
    #expect(ColorRamp(through: [.red]).colors(count: 3) == [.red, .red, .red])
    #expect(ColorRamp(through: []).colors(count: 3).isEmpty)
  }

  @Test("A ramp with _r after its name has the opposite order")
  func reversedRamps() throws {
    for ramp in ColorRamp.all {
      let reversed = try #require(ColorRamp.named(ramp.name + "_r"))
      for count in [3, 5, 9, 20] {
        #expect(
          reversed.colors(count: count) == ramp.colors(count: count).reversed(), "\(ramp.name) \(count)")
      }
    }
    #expect(ColorRamp.named("OrRd_r_r") == nil && ColorRamp.named("_r") == nil)
  }

  @Test("Labels of derived classes state the class of each number") func labelsOfValues() {
    func labels(_ bounds: [Double], _ values: [Double]) -> [String] {
      ClassBreaksRenderer.classified(
        fieldName: "a", normalization: nil, least: values.min(), upperBounds: bounds, colors: [.black, .red],
        symbol: SimpleFillSymbol(), values: values
      ).classBreaks.map(\.label)
    }
    #expect(labels([5.9, 8], [5, 5.9, 6, 8]) == ["5.0–5.9", "6.0–8.0"])
    // A bound of few decimals is not rounded, and no value lies between two classes.
    #expect(labels([5.9, 8], [5, 5.9, 7, 8]) == ["5.0–5.9", "6.0–8.0"])
    #expect(labels([12.5, 20], [9, 12.5, 13.7, 20]) == ["9.0–12.5", "12.6–20.0"])
    #expect(labels([12, 20], [9, 12, 12.7, 20]) == ["9.0–12.0", "12.1–20.0"])
    #expect(labels([12.5, 20], [9.123456, 12.5, 13.71234, 20]) == ["9.1–12.5", "12.6–20.0"])
    #expect(labels([8.333333, 10], [1.5, 8.3, 9, 10]) == ["1.5–8.3", "8.4–10.0"])
    #expect(labels([2, 4], [1.3, 2, 3, 4]) == ["1–2", "3–4"])
    // The least value is not below its text.
    #expect(labels([3, 4], [1.7, 2, 3, 4]) == ["1–3", "4"])
    #expect(labels([], []) == [])
    // Whole numbers have no decimals, whatever the bounds, and thousands have a separator, unless they are years.
    #expect(labels([30.5, 60], (1...60).map(Double.init)) == ["1–30", "31–60"])
    #expect(labels([1200.5, 24_500], [0, 1200, 1300, 24_500]) == ["0–1,200", "1,201–24,500"])
    #expect(labels([2005, 2020], [1990, 2005, 2006, 2020]) == ["1990–2005", "2006–2020"])
    // Rates with one decimal.
    #expect(labels([5, 30.1], [1.2, 5, 6, 30.1]) == ["1.2–5.0", "5.1–30.1"])
    #expect(labels([5, 30], [1.2, 5, 6, 30]) == ["1–5", "6–30"])
    #expect(labels([5, 30.1], [1.2, 4.9, 5.1, 5.4, 30.1]) == ["1.2–5.0", "5.1–30.1"])
    // The ranges do not overlap, and each number, rounded as they are, lies in that of its class.
    var generator = SeededGenerator(seed: 7)
    var ranges = 0
    for round in 0..<200 {
      let unit = [1.0, 10, 100][round % 3]
      let values = (0..<50).map { _ in (Double.random(in: 0...40, using: &generator) * unit).rounded() / unit
      }
      let method = ClassificationMethod.allCases[round % 4]
      let renderer = ClassBreaksRenderer.classified(
        fieldName: "a", values: values, count: 5, method: method, symbol: SimpleFillSymbol())
      var last = -1.0
      for own in renderer.classBreaks {
        let texts = own.label.split(separator: "–")
        let ends = texts.compactMap { Double($0) }
        guard ends.count == texts.count, let low = ends.first, let high = ends.last else {
          Issue.record("\(own.label)")
          continue
        }
        ranges += 1
        #expect(low > last && high >= low, "\(own.label) after \(last)")
        last = high
        let decimals = texts[0].split(separator: ".").dropFirst().first?.count ?? 0
        let power = [1.0, 10, 100, 1000, 10_000][decimals]
        let isFirst = own.minimum == values.min()
        for value in values
        where (isFirst ? value >= own.minimum : value > own.minimum) && value <= own.maximum {
          let shown = (value * power).rounded() / power
          #expect(shown >= low && shown <= high, "\(value) in \(own.label)")
        }
      }
    }
    #expect(ranges > 700)
  }

  @Test("Labels of large numbers have round bounds in millions or billions between the values of two classes")
  func labelsOfLargeNumbers() {
    func labels(_ bounds: [Double], _ values: [Double], openCount: Int = 0, isExact: Bool = false) -> [String]
    {
      ClassBreaksRenderer.classified(
        fieldName: "a", normalization: nil, least: values.min(), upperBounds: bounds,
        colors: [Color](repeating: .red, count: bounds.count), symbol: SimpleFillSymbol(),
        openCount: openCount,
        hasExactLabels: isExact, values: values
      ).classBreaks.map(\.label)
    }
    let people: [Double] = [140, 2_494_530, 2_657_637, 6_855_713, 6_944_975, 1_397_715_000]
    #expect(
      labels([2_527_151.4, 6_891_417.8, 1_397_715_000], people)
        == ["up to 2.5 million", "over 2.5 to 6.9 million", "over 6.9 to 1,397.8 million"])
    #expect(
      labels([2.5e9, 7e9], [1.5e9, 2.5e9, 4e9, 7e9]) == ["1.5 to 2.5 billion", "over 2.5 to 7.0 billion"])
    // The bound between close values has more digits, and between closer ones all.
    #expect(labels([2_510_000, 9e6], [1e6, 2_510_000, 2_520_000, 9e6])[0] == "1.00 to 2.51 million")
    #expect(labels([2_510_001, 9e6], [1e6, 2_510_001, 2_510_002, 9e6])[0] == "1,000,000–2,510,001")
    // Requested bounds and those of renderers without values are not rounded.
    #expect(
      labels([1e6, 5e6, 9e6], [10, 3e6, 6e6, 8_765_432], openCount: 2, isExact: true).last == "5 to 9 million"
    )
    #expect(labels([1_234_567, 5e6], [10, 2e6, 5e6], isExact: true)[0] == "10–1,234,567")
    #expect(labels([1e6, 5e6], []) == ["up to 1 million", "over 1 to 5 million"])
    #expect(labels([1_234_567, 5e6], []).allSatisfy { !$0.contains("million") })
    // A first class of small numbers has no such unit.
    #expect(labels([9_120, 2e6], [10, 9_120, 9_130, 2e6]) == ["10–9,120", "9,121–2,000,000"])
    // Each value is between the bounds that its class states.
    var generator = SeededGenerator(seed: 11)
    var count = 0
    for round in 0..<200 {
      let values = (0..<60).map { _ in (exp2(Double.random(in: 18...32, using: &generator))).rounded() }
      let method = ClassificationMethod.allCases[round % 4]
      let classes = ClassBreaksRenderer.classified(
        fieldName: "a", values: values, count: 5, method: method, symbol: SimpleFillSymbol()
      ).classBreaks
      for own in classes where own.label.hasSuffix("illion") {
        let unit = own.label.hasSuffix("million") ? 1e6 : 1e9
        let ends = own.label.replacing(",", with: "").split(separator: " ").compactMap { Double($0) }
        let least = own.label.hasPrefix("up to") ? 0 : (ends.first ?? 0) * unit
        let greatest = (ends.last ?? 0) * unit
        count += 1
        for value in values where value > own.minimum && value <= own.maximum {
          #expect(value > least - 1 && value < greatest + 1, "\(value) in \(own.label)")
        }
      }
    }
    #expect(count > 400)
  }

  @Test("Values of more than five digits are rounded in the labels of derived classes")
  func labelsOfLongNumbers() {
    let classes = ClassBreaksRenderer.classified(
      fieldName: "a", normalization: nil, least: 0.14, upperBounds: [23_568.378, 69_625.582],
      colors: [.red, .black], symbol: SimpleFillSymbol(), values: [0.14, 23_568.378, 24_100.5, 69_625.582]
    ).classBreaks
    #expect(classes.map(\.label) == ["0–23,568", "23,569–69,626"])
  }
}
