import MapSystem

/// Labels of bounds with the fewest decimals that separate them.
enum BoundLabels {
  /// Returns a text for each ascending bound; different bounds have different texts.
  static func texts(of bounds: [Double]) -> [String] {
    let distinct = Set(bounds).count
    for decimals in 0...12 {
      let texts = bounds.map { text($0, decimals) }
      if Set(texts).count == distinct { return texts }
    }
    return bounds.map { "\($0)" }
  }

  /// Returns a number with the fewest digits that read back the same.
  static func exact(_ number: Double) -> String {
    (0...12).lazy.map { text(number, $0) }.first { Double($0) == number } ?? "\(number)"
  }

  /// Returns a number with some decimals, without a minus before zero.
  private static func text(_ number: Double, _ decimals: Int) -> String {
    var power = 1.0
    for _ in 0..<decimals { power *= 10 }
    let scaled = (number * power).rounded()
    // Beyond this, a double has no decimals that could be dropped.
    guard scaled.magnitude < 0x1p53 else { return "\(number)" }
    let digits = "\(Int64(clamping: scaled.magnitude))"
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    let whole = padded.dropLast(decimals)
    let text = decimals == 0 ? String(whole) : "\(whole).\(padded.suffix(decimals))"
    return scaled < 0 ? "-\(text)" : text
  }
}
