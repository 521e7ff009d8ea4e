internal import Glibc
internal import MapSystem

/// Mathematical functions.
///
/// - Source: https://developers.arcgis.com/arcade/function-reference/math_functions/
extension ArcadeFunction {
  static let numeric: [ArcadeFunction] = [
    simple("Abs") { abs($0) }, simple("Acos") { acos($0) }, simple("Asin") { asin($0) },
    simple("Atan") { atan($0) }, simple("Cos") { cos($0) }, simple("Exp") { exp($0) },
    simple("Log") { log($0) }, simple("Sin") { sin($0) }, simple("Sqrt") { $0.squareRoot() },
    simple("Tan") { tan($0) }, simple("Sign") { $0 > 0 ? 1 : $0 < 0 ? -1 : $0 },
    ArcadeFunction("Atan2", 2...2) { _, values in .number(atan2(values.number(0), values.number(1))) },
    ArcadeFunction("Pow", 2...2) { _, values in .number(pow(values.number(0), values.number(1))) },
    ArcadeFunction("Round", 1...2) { _, values in
      rounded(values) { ($0 + 0.5).rounded(.down) }
    },
    ArcadeFunction("Floor", 1...2) { _, values in rounded(values) { $0.rounded(.down) } },
    ArcadeFunction("Ceil", 1...2) { _, values in rounded(values) { $0.rounded(.up) } },
    ArcadeFunction("Constrain", 3...3) { _, values in
      .number(min(max(values.number(0), values.number(1)), values.number(2)))
    },
    statistic("Max") { $0.isEmpty ? nil : $0.contains { $0.isNaN } ? .nan : $0.max() },
    statistic("Min") { $0.isEmpty ? nil : $0.contains { $0.isNaN } ? .nan : $0.min() },
    statistic("Sum") { $0.reduce(0, +) },
    statistic("Average") { mean($0) }, statistic("Mean") { mean($0) },
    statistic("Variance") { variance($0) }, statistic("Stdev") { variance($0).map { $0.squareRoot() } },
    ArcadeFunction("Number", 1...2) { machine, values throws(ArcadeError) in
      guard values.count == 2, case .text(let text) = values[0] else { return .number(values[0].asNumber) }
      let format = machine.numberFormat(try machine.inputs.text(values[1], machine: machine))
      return .number(format.number(of: text))
    },
  ]

  private static func simple(
    _ name: String, _ operation: @escaping @Sendable (Double) -> Double
  ) -> ArcadeFunction {
    ArcadeFunction(name, 1...1) { _, values in .number(operation(values.number(0))) }
  }

  /// Rounds at a decimal place.
  private static func rounded(_ values: [ArcadeValue], _ round: (Double) -> Double) -> ArcadeValue {
    let (value, places) = (values.number(0), values.number(1, 0))
    guard value.isFinite, places.isFinite else { return .number(value.isFinite ? .nan : value) }
    let shift = Int(clamping: min(max(places.rounded(.towardZero), -300), 300))
    if shift == 0 { return .number(round(value)) }
    if shift > 0, shift <= 15 {
      // Where the product's last digits do not matter, the quotient of two whole numbers is the nearest number.
      let power = (0..<shift).reduce(1.0) { power, _ in power * 10 }
      let product = value * power
      let error = abs(product) * 1e-15
      let result = round(product - error)
      if abs(product) < 0x1p49, result == round(product + error) { return .number(result / power) }
    }
    // Moving the decimal point in the text is exact, so 1.005 becomes 100.5.
    guard let moved = Double(shifted(value, by: shift)),
      let result = Double(shifted(round(moved), by: -shift))
    else { return .number(value) }
    return .number(result)
  }

  private static func shifted(_ value: Double, by places: Int) -> String {
    let parts = "\(value)".split(separator: "e")
    return "\(parts[0])e\((parts.count > 1 ? Int(parts[1]) ?? 0 : 0) + places)"
  }

  private static func statistic(
    _ name: String, _ operation: @escaping @Sendable ([Double]) -> Double?
  ) -> ArcadeFunction {
    ArcadeFunction(name, from(0)) { machine, values throws(ArcadeError) in
      var items = values
      if values.count == 1, case .array(let array) = values[0] { items = array.items }
      try machine.charge(8 * items.count)
      // Empty values are left out.
      let numbers = items.filter { !isEmpty($0) }.map(\.asNumber)
      return operation(numbers).map { .number($0) } ?? .null
    }
  }

  private static func mean(_ numbers: [Double]) -> Double? {
    numbers.isEmpty ? nil : numbers.reduce(0, +) / Double(numbers.count)
  }

  private static func variance(_ numbers: [Double]) -> Double? {
    mean(numbers).map { mean in
      numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(numbers.count)
    }
  }
}

/// A format of numbers such as `#,##0.00`.
///
/// - Source: https://developers.arcgis.com/arcade/function-reference/text_functions/#text
struct ArcadeNumberFormat {
  private var (prefix, suffix) = ("", "")
  private var (leastWhole, leastDecimals, mostDecimals) = (0, 0, 0)
  private var hasGroups = false
  private var negative: (prefix: String, suffix: String)?
  private var factor = 1.0

  private static let signs: Set<Character> = ["#", "0", ",", "."]

  init(_ text: String) {
    let patterns = text.prefix(200).split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
    let (before, digits, after) = Self.parts(String(patterns.first ?? ""))
    (prefix, suffix) = (before, after)
    if before.contains("%") || after.contains("%") { factor = 100 }
    let halves = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let whole = halves.first ?? ""
    leastWhole = whole.filter { $0 == "0" }.count
    hasGroups = whole.contains(",")
    if halves.count > 1 {
      leastDecimals = halves[1].filter { $0 == "0" }.count
      mostDecimals = halves[1].filter { $0 == "0" || $0 == "#" }.count
    }
    if patterns.count > 1 {
      let (before, _, after) = Self.parts(String(patterns[1]))
      negative = (before, after)
    }
  }

  private static func parts(_ pattern: String) -> (before: String, digits: String, after: String) {
    let before = pattern.prefix { !signs.contains($0) }
    let digits = pattern.dropFirst(before.count).prefix { signs.contains($0) }
    return (String(before), String(digits), String(pattern.dropFirst(before.count + digits.count)))
  }

  func text(of number: Double) -> String {
    guard number.isFinite else { return ArcadeValue.text(of: number) }
    if let count = Self.units(in: abs(number) * factor, places: mostDecimals) {
      return text(ofUnits: count, isNegative: number < 0)
    }
    let zero = UInt8(ascii: "0")
    // Rounds half away from zero, by the shortest decimal text.
    var (whole, fraction) = Self.decimals(abs(number) * factor, places: mostDecimals)
    while fraction.count > leastDecimals, fraction.last == zero { fraction.removeLast() }
    whole = whole.drop { $0 == zero }
    if whole.count < leastWhole {
      whole.insert(contentsOf: repeatElement(zero, count: leastWhole - whole.count), at: whole.startIndex)
    }
    if whole.isEmpty, fraction.isEmpty { whole = [zero] }
    func isNonzero(_ byte: UInt8) -> Bool { byte > zero && byte <= UInt8(ascii: "9") }
    let isNegative = number < 0 && (whole.contains(where: isNonzero) || fraction.contains(where: isNonzero))
    var text: [UInt8] = []
    text.reserveCapacity(prefix.utf8.count + 2 * whole.count + fraction.count + suffix.utf8.count)
    if isNegative, negative == nil { text.append(UInt8(ascii: "-")) }
    text += (isNegative ? negative?.prefix ?? prefix : prefix).utf8
    for (index, digit) in whole.enumerated() {
      if hasGroups, index > 0, (whole.count - index) % 3 == 0 { text.append(UInt8(ascii: ",")) }
      text.append(digit)
    }
    if !fraction.isEmpty { text.append(UInt8(ascii: ".")) }
    text += fraction
    text += (isNegative ? negative?.suffix ?? suffix : suffix).utf8
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the number of units of the last decimal place, rounded half up by the decimal text of a number that is not
  /// negative; nil where binary digits do not decide this, and for large numbers.
  ///
  /// The product and the decimal text each differ from the number by less than 1e-15 of it.
  private static func units(in number: Double, places: Int) -> Int? {
    guard places < powers.count else { return nil }
    let product = number * Double(powers[places])
    guard product < 0x1p49 else { return nil }
    let error = product * 1e-15
    let rounded = (product - error + 0.5).rounded(.down)
    return rounded == (product + error + 0.5).rounded(.down) ? Int(exactly: rounded) : nil
  }

  /// The powers of ten up to the largest that is an exact double beside 49 binary digits.
  private static let powers: [Int] = (0...14).map { places in
    (0..<places).reduce(1) { power, _ in power * 10 }
  }

  /// Returns the text of a number of units of the last decimal place.
  private func text(ofUnits units: Int, isNegative: Bool) -> String {
    let zero = UInt8(ascii: "0")
    let isNegative = isNegative && units > 0
    var (whole, fraction) = units.quotientAndRemainder(dividingBy: Self.powers[mostDecimals])
    var decimals = mostDecimals
    while decimals > leastDecimals, fraction % 10 == 0 {
      (fraction, decimals) = (fraction / 10, decimals - 1)
    }
    var (digits, rest) = (0, whole)
    while rest > 0 { (rest, digits) = (rest / 10, digits + 1) }
    digits = max(digits, leastWhole, decimals == 0 ? 1 : 0)
    let groups = hasGroups && digits > 0 ? (digits - 1) / 3 : 0
    let length = digits + groups + (decimals > 0 ? decimals + 1 : 0)
    var text: [UInt8] = []
    text.reserveCapacity(prefix.utf8.count + length + suffix.utf8.count + 1)
    if isNegative, negative == nil { text.append(UInt8(ascii: "-")) }
    text += (isNegative ? negative?.prefix ?? prefix : prefix).utf8
    // The digits are written from the last one on.
    var place = text.count + length
    text += repeatElement(zero, count: length)
    func write(_ byte: UInt8) {
      place -= 1
      text[place] = byte
    }
    for _ in 0..<decimals {
      write(zero + UInt8(fraction % 10))
      fraction /= 10
    }
    if decimals > 0 { write(UInt8(ascii: ".")) }
    for index in 0..<digits {
      if hasGroups, index > 0, index % 3 == 0 { write(UInt8(ascii: ",")) }
      write(zero + UInt8(whole % 10))
      whole /= 10
    }
    text += (isNegative ? negative?.suffix ?? suffix : suffix).utf8
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the digits before and after the decimal point of a number that is not negative, rounded half up by its
  /// decimal text.
  private static func decimals(
    _ number: Double, places: Int
  ) -> (whole: ArraySlice<UInt8>, fraction: ArraySlice<UInt8>) {
    // Larger numbers have no decimals.
    let text = Array((number < 1e21 ? plainText(number) : ArcadeValue.text(of: number)).utf8)
    let point = text.firstIndex(of: UInt8(ascii: ".")) ?? text.endIndex
    let fraction = text[point...].dropFirst()
    guard number < 1e21 else { return (text[..<point], fraction) }
    if places == 0, fraction.first.map({ $0 < UInt8(ascii: "5") }) ?? true { return (text[..<point], []) }
    var all = text[..<point] + fraction.prefix(places)
    all += Array(repeating: UInt8(ascii: "0"), count: max(0, places - fraction.count))
    if fraction.count > places, fraction[fraction.startIndex + places] >= UInt8(ascii: "5") {
      var index = all.endIndex - 1
      while index >= all.startIndex, all[index] == UInt8(ascii: "9") {
        all[index] = UInt8(ascii: "0")
        index -= 1
      }
      if index >= all.startIndex {
        all[index] += 1
      } else {
        all.insert(UInt8(ascii: "1"), at: all.startIndex)
      }
    }
    return (all.dropLast(places), all.suffix(places))
  }

  /// Returns a number below 1e21 without an exponent.
  private static func plainText(_ number: Double) -> String {
    let written = number.description
    // Few numbers have an exponent, and comparing characters takes longer than all else.
    guard written.utf8.contains(UInt8(ascii: "e")), let mark = written.firstIndex(of: "e"),
      let exponent = Int(written[written.index(after: mark)...])
    else { return written }
    let digits = String(written[..<mark].filter { $0 != "." })
    if exponent < 0 { return "0." + String(repeating: "0", count: -exponent - 1) + digits }
    return digits.prefix(exponent + 1)
      + String(repeating: "0", count: max(0, exponent + 1 - digits.count)) + "."
      + (digits.count > exponent + 1 ? digits.dropFirst(exponent + 1) : "0")
  }

  /// Reads a number that is written in the format; NaN for another text.
  func number(of text: String) -> Double {
    var (rest, sign) = (text[...], 1.0)
    if let negative, rest.hasPrefix(negative.prefix), negative.prefix != prefix {
      (rest, sign) = (rest.dropFirst(negative.prefix.count), -1)
      guard rest.hasSuffix(negative.suffix) else { return .nan }
      rest = rest.dropLast(negative.suffix.count)
    } else {
      if rest.hasPrefix("-") { (rest, sign) = (rest.dropFirst(), -1) }
      guard rest.hasPrefix(prefix), rest.dropFirst(prefix.count).hasSuffix(suffix) else { return .nan }
      rest = rest.dropFirst(prefix.count).dropLast(suffix.count)
    }
    if !hasGroups, rest.contains(",") { return .nan }
    let digits = rest.filter { $0 != "," }
    let decimals =
      digits.split(separator: ".", omittingEmptySubsequences: false).dropFirst().first?.count ?? 0
    guard decimals >= leastDecimals, decimals <= mostDecimals, !digits.isEmpty else { return .nan }
    return sign * ArcadeValue.number(of: digits) / factor
  }
}
