import MapSystem

/// Labels of bounds with the fewest decimals that separate them.
package enum BoundLabels {
  /// Returns a text for each ascending bound; different bounds have different texts, and those of bounds with few
  /// decimals are exact.
  ///
  /// Each value lies between the same bounds by their texts as by the bounds.
  /// - Parameters:
  ///   - least: a lower bound that its class includes, before the others; its text is not above it.
  ///   - values: the classified numbers, ascending.
  /// - Cost: for each number of decimals, a binary search per bound.
  package static func texts(
    least: Double? = nil, of bounds: [Double], separating values: [Double] = []
  ) -> [String] {
    let first = least.map { [$0] } ?? []
    let distinct = Set(first + bounds).count
    let own = (first + bounds).map { ClassLabels.decimals(of: $0) }.filter { $0 <= ClassLabels.ownDecimals }
    for decimals in (own.max() ?? 0)...12 {
      let rounded = bounds.map { text($0, decimals) }
      let texts = first.map { textNotAbove($0, decimals) } + rounded
      if Set(texts).count == distinct, Set(first.map { text($0, decimals) } + rounded).count == distinct,
        zip(bounds, rounded).allSatisfy({ keeps(values, $0, $1) })
      {
        return texts
      }
    }
    return (first + bounds).map { exact($0) }
  }

  /// Returns a number with some decimals, rounded down where the nearest text is above it.
  private static func textNotAbove(_ number: Double, _ decimals: Int) -> String {
    let nearest = text(number, decimals)
    return Double(nearest).map { $0 <= number } == true ? nearest : text(number, decimals, .down)
  }

  /// Whether the values up to a bound are those up to its text.
  private static func keeps(_ values: [Double], _ bound: Double, _ text: String) -> Bool {
    guard let rounded = Double(text), rounded != bound else { return true }
    func count(upTo limit: Double) -> Int {
      var (low, high) = (0, values.count)
      while low < high {
        let middle = (low + high) / 2
        if values[middle] <= limit { low = middle + 1 } else { high = middle }
      }
      return low
    }
    return count(upTo: rounded) == count(upTo: bound)
  }

  /// Returns a number with the fewest digits that read back the same.
  static func exact(_ number: Double) -> String {
    (0...12).lazy.map { text(number, $0) }.first { Double($0) == number } ?? "\(number)"
  }

  /// Returns a number with some decimals, without a minus before zero.
  private static func text(
    _ number: Double, _ decimals: Int, _ rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero
  ) -> String {
    var power = 1.0
    for _ in 0..<decimals { power *= 10 }
    let scaled = (number * power).rounded(rule)
    // Beyond this, a double has no decimals that could be dropped.
    guard scaled.magnitude < 0x1p53 else { return "\(number)" }
    let digits = "\(Int64(clamping: scaled.magnitude))"
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    let whole = padded.dropLast(decimals)
    let text = decimals == 0 ? String(whole) : "\(whole).\(padded.suffix(decimals))"
    return scaled < 0 ? "-\(text)" : text
  }
}
