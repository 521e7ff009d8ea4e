import MapSystem

/// Labels of classes of numbers, as ranges that do not overlap where the values allow it.
///
/// Classes of whole numbers are `1–4`, `5` and `6–9`; those of numbers with a decimal `0.1–2.0` and `2.1–3.5`. All
/// numbers of a legend have the same decimals, the fewest that put each value into its class and that state each bound
/// of few decimals exactly: a class up to 12.5 ends at 12.5 and not at 13. Where no few decimals do, labels are
/// `1.0 to 2.5` and `over 2.5 to 4.0`. Classes of large numbers are `up to 2.5 million` and `over 2.5 to 6.9 million`.
package struct ClassLabels {
  /// The most decimals of values whose classes have gaps of one unit, and the most units of such labels otherwise.
  ///
  /// - Source: design decision; a reader compares numbers of up to four digits at a glance.
  static let (ownDecimals, mostUnits) = (3, 1e4)
  /// The numbers that are years if all bounds are among them, and have no thousands separators.
  private static let years = 1000.0..<3000

  /// The lower bound of the first class, which includes it; nil for none.
  let least: Double?
  /// The upper bounds of the classes, ascending, each part of its class.
  let upper: [Double]
  /// The classified numbers, ascending.
  let values: [Double]
  /// Whether labels have all digits of the bounds.
  let isExact: Bool
  /// The number of classes, from the lowest, whose bound is the one in ``upper`` less the smallest step of a number.
  ///
  /// The number after that bound is the bound that a reader is shown.
  var openCount = 0

  /// Returns whole numbers with commas between thousands, unless all look like years.
  package static func texts(ofWholeNumbers numbers: [Double]) -> [String] {
    let areYears = numbers.allSatisfy { years.contains($0) }
    return numbers.map { areYears ? "\(Int64(clamping: $0))" : grouped("\(Int64(clamping: $0))") }
  }

  /// The label of each class.
  var texts: [String] {
    if let large = textsOfLargeNumbers { return large }
    let own = decimalsOfValues
    if let ranges = decimalsToTry(own).lazy.compactMap({ ranges($0, own ?? .max) }).first { return ranges }
    let stated = upper.indices.map(statedBound)
    let bounds = (least.map { [$0] } ?? []) + stated
    let texts =
      isExact
      ? bounds.map { BoundLabels.exact($0) } : BoundLabels.texts(least: least, of: stated, separating: values)
    let shown = texts.map { grouped($0) }
    return upper.indices.map { index in
      let isOpen = index < openCount
      guard least != nil else {
        guard index > 0 else { return "\(isOpen ? "under" : "up to") \(shown[0])" }
        return range(from: shown[index - 1], afterOpen: index <= openCount, to: shown[index], isOpen: isOpen)
      }
      if shown[index] == shown[index + 1] { return shown[index] }
      return range(
        from: shown[index], afterOpen: index == 0 || index <= openCount, to: shown[index + 1], isOpen: isOpen)
    }
  }

  /// Returns a range of two bounds, such as `over 5 to 10` and `5 to under 10`.
  private func range(from low: String, afterOpen: Bool, to high: String, isOpen: Bool) -> String {
    "\(afterOpen ? "" : "over ")\(low) to \(isOpen ? "under " : "")\(high)"
  }

  /// Returns the bound of a class that a reader is shown.
  private func statedBound(_ index: Int) -> Double { index < openCount ? upper[index].nextUp : upper[index] }

  /// The most decimals of a value; nil for more than ``ownDecimals``, and if the greatest has more than five digits with
  /// them.
  private var decimalsOfValues: Int? {
    let most = values.reduce(0) { decimals, value in
      decimals > Self.ownDecimals ? decimals : max(decimals, Self.decimals(of: value))
    }
    let greatest = max((values.first ?? 0).magnitude, (values.last ?? 0).magnitude)
    return most > Self.ownDecimals || most > 0 && greatest * pow10(most) >= 10 * Self.mostUnits ? nil : most
  }

  /// Whether a bound has few decimals and digits, which labels state.
  private func isShort(_ bound: Double) -> Bool {
    let decimals = Self.decimals(of: bound)
    return decimals <= Self.ownDecimals && bound.magnitude * pow10(decimals) < Self.mostUnits
  }

  /// Returns the numbers of decimals with which classes may have gaps between them, the fewest first.
  private func decimalsToTry(_ own: Int?) -> Range<Int> {
    guard let first = values.first, let last = values.last else { return 0..<0 }
    if let own { return 0..<own + 3 }
    let range = last - first
    var (decimals, power) = (0, 10.0)
    while decimals < 12, range * power <= Self.mostUnits { (decimals, power) = (decimals + 1, power * 10) }
    return 0..<decimals + 1
  }

  /// Returns the number of decimals of a number, at most one more than ``ownDecimals``.
  static func decimals(of value: Double) -> Int {
    var power = 1.0
    for decimals in 0...ownDecimals {
      if (value * power).rounded() / power == value { return decimals }
      power *= 10
    }
    return ownDecimals + 1
  }

  /// Returns the labels with some decimals; nil if they would put a value into another class, or change a bound of few
  /// decimals.
  ///
  /// If they have all decimals of the values, no number in a label is above the bound of its class: of whole numbers,
  /// those up to 1200.5 end at 1200. Of values with more decimals than ``ownDecimals``, readers round each to the
  /// decimals of the labels. With fewer decimals than other values, the ends of the classes are exact.
  private func ranges(_ decimals: Int, _ own: Int) -> [String]? {
    var power = 1.0
    for _ in 0..<decimals { power *= 10 }
    func isWhole(_ number: Double) -> Bool { (number * power).rounded() / power == number }
    func down(_ number: Double) -> Double {
      isWhole(number) ? (number * power).rounded() : (number * power).rounded(.down)
    }
    let ends = [least, upper.first, upper.last, values.first, values.last].compactMap { $0 }
    guard ends.allSatisfy({ ($0 * power).magnitude < 0x1p52 }) else { return nil }
    let isRounded = own == .max
    // A value of few decimals lies in no gap between two classes.
    func units(_ value: Double) -> Double {
      isRounded || decimals >= own ? (value * power).rounded() : value * power
    }
    var (labels, place) = ([String](), 0)
    var low = least.map(down)
    for (index, bound) in upper.enumerated() {
      let end = firstIndex(above: bound, from: place)
      let (stated, isOpen) = (statedBound(index), index < openCount)
      let nearest = (stated * power).rounded()
      guard !isExact || isWhole(stated) else { return nil }
      if decimals < own, isShort(stated), !isWhole(stated) { return nil }
      // The number below a bound that is part of the next class.
      let below = isOpen && isWhole(stated) ? nearest - 1 : down(stated)
      let high = (isRounded && !isOpen ? [nearest, below] : [below]).first { high in
        (end == place || units(values[end - 1]) <= high)
          && (end == values.count || units(values[end]) >= high + 1) && low.map { $0 <= high } ?? true
      }
      guard let high else { return nil }
      labels.append(range(low, high, decimals))
      (low, place) = (high + 1, end)
    }
    return labels
  }

  // MARK: Large numbers

  /// The greatest bound that is written with all digits, and the greatest difference of a bound and its round number, as
  /// a share of the bound.
  ///
  /// - Source: design decision; of longer numbers, a reader counts the digits.
  private static let (longest, mostRounding) = (1e6, 0.02)
  /// The units of large numbers with the least first bound for which they are used, and their most decimals.
  private static let (units, unitDecimals) = ([(1e9, 1e9, "billion"), (1e6, 1e5, "million")], 2)

  /// The labels in millions or billions, with the fewest decimals; nil for smaller numbers, and if no two decimals do.
  ///
  /// The number after a class is a round one between its values and those of the next class, so that it is true for each
  /// value. Without values, and for exact labels, it is the bound itself. Only the end of the last class may be above the
  /// greatest value.
  private var textsOfLargeNumbers: [String]? {
    guard let first = upper.indices.first.map(statedBound), let last = upper.last,
      (Self.longest..<1e15).contains(last)
    else { return nil }
    guard let (unit, _, name) = Self.units.first(where: { first >= $0.1 }) else { return nil }
    let tries = (0...Self.unitDecimals).lazy.compactMap { decimals in
      roundNumbers(unit, decimals).map { (decimals, $0) }
    }
    guard let (decimals, numbers) = tries.first else { return nil }
    let step = unit / pow10(decimals)
    let start = least.map { ($0 / step).rounded(.down) }
    let shown = numbers.map { text($0, decimals) }
    return upper.indices.map { index in
      let isOpen = index < openCount
      let own: String
      if index > 0 {
        own = range(from: shown[index - 1], afterOpen: index <= openCount, to: shown[index], isOpen: isOpen)
      } else if let start, start != 0 {
        own =
          start == numbers[0]
          ? shown[0] : range(from: text(start, decimals), afterOpen: true, to: shown[0], isOpen: isOpen)
      } else {
        own = "\(isOpen ? "under" : "up to") \(shown[0])"
      }
      return "\(own) \(name)"
    }
  }

  /// Returns the bounds as multiples of the last decimal of a unit, each in the gap between the values of two classes;
  /// nil if there are none.
  private func roundNumbers(_ unit: Double, _ decimals: Int) -> [Double]? {
    let step = unit / pow10(decimals)
    var (numbers, place) = ([Double](), 0)
    for (index, bound) in upper.enumerated() {
      let end = firstIndex(above: bound, from: place)
      let (stated, isOpen) = (statedBound(index), index < openCount)
      let isEnd =
        !values.isEmpty && end == values.count && bound == values[end - 1] && index == upper.count - 1
      let isStated = !isEnd && (isExact || values.isEmpty)
      let rules: [FloatingPointRoundingRule] = isEnd ? [.up] : [.toNearestOrAwayFromZero, .down, .up]
      let number = rules.map { (stated / step).rounded($0) }.first { number in
        let rounded = number * step
        return number > numbers.last ?? 0 && (!isStated || rounded == stated)
          && (rounded - stated).magnitude <= Self.mostRounding * stated
          && (end == 0 || (isOpen ? values[end - 1] < rounded : values[end - 1] <= rounded))
          && (end == values.count || (isOpen ? values[end] >= rounded : values[end] > rounded))
      }
      guard let number else { return nil }
      numbers.append(number)
      place = end
    }
    return numbers
  }

  private func pow10(_ exponent: Int) -> Double { (0..<exponent).reduce(1) { power, _ in power * 10 } }

  /// Returns the index of the first value above a bound.
  private func firstIndex(above bound: Double, from start: Int) -> Int {
    var (low, high) = (start, values.count)
    while low < high {
      let middle = (low + high) / 2
      if values[middle] <= bound { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns the text of a range whose ends are multiples of the last decimal.
  private func range(_ low: Double?, _ high: Double, _ decimals: Int) -> String {
    let end = text(high, decimals)
    guard let low else { return "up to \(end)" }
    if low == high { return end }
    // A dash before or after a minus is hard to read.
    return "\(text(low, decimals))\(hasNegative ? " to " : "–")\(end)"
  }

  private var hasNegative: Bool { least ?? upper.first ?? 0 < 0 }

  private func text(_ scaled: Double, _ decimals: Int) -> String {
    let digits = "\(Int64(clamping: scaled.magnitude))"
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    let whole = String(padded.dropLast(decimals))
    let text = decimals == 0 ? whole : "\(whole).\(padded.suffix(decimals))"
    return grouped(scaled < 0 ? "-\(text)" : text)
  }

  /// Whether all bounds are whole numbers that look like years.
  private var areYears: Bool {
    ([least].compactMap { $0 } + upper).allSatisfy { Self.years.contains($0) && $0 == $0.rounded() }
  }

  /// Returns a number with commas between thousands, unless the bounds are years.
  private func grouped(_ text: String) -> String {
    areYears ? text : Self.grouped(text)
  }

  private static func grouped(_ text: String) -> String {
    guard !text.contains("e") else { return text }
    let sign = text.hasPrefix("-") ? "-" : ""
    let parts = text.dropFirst(sign.count).split(separator: ".", omittingEmptySubsequences: false)
    let digits = Array(parts.first ?? "")
    let whole = digits.indices.map { index in
      (digits.count - index) % 3 == 0 && index > 0 ? ",\(digits[index])" : "\(digits[index])"
    }.joined()
    return sign + ([whole] + parts.dropFirst().map(String.init)).joined(separator: ".")
  }
}
