import MapSystem

/// Labels of classes of numbers, as ranges that do not overlap where the values allow it.
///
/// Classes of whole numbers are `1–4`, `5` and `6–9`; those of numbers with a decimal `0.1–2.0` and `2.1–3.5`. All
/// numbers of a legend have the same decimals, the fewest that put each value into its class and that state each bound
/// of few decimals exactly: a class up to 12.5 ends at 12.5 and not at 13. Where no few decimals do, labels are
/// `1.0 to 2.5` and `over 2.5 to 4.0`.
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

  /// The most decimals of a value; nil for more than ``ownDecimals``.
  private var decimalsOfValues: Int? {
    let most = values.reduce(0) { decimals, value in
      decimals > Self.ownDecimals ? decimals : max(decimals, Self.decimals(of: value))
    }
    return most > Self.ownDecimals ? nil : most
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
      if decimals < own, Self.decimals(of: stated) <= Self.ownDecimals, !isWhole(stated) { return nil }
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
