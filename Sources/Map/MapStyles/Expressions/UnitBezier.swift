/// A cubic Bézier curve from (0, 0) to (1, 1) that rises in x, as CSS eases with.
///
/// - Error: below 1e-9 in x.
struct UnitBezier {
  private let x: (Double, Double, Double)
  private let y: (Double, Double, Double)

  /// Creates a curve from its two control points.
  init(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) {
    (x, y) = (Self.coefficients(x1, x2), Self.coefficients(y1, y2))
  }

  private static func coefficients(_ first: Double, _ second: Double) -> (Double, Double, Double) {
    let linear = 3 * first
    let square = 3 * (second - first) - linear
    return (linear, square, 1 - linear - square)
  }

  private func value(_ curve: (Double, Double, Double), _ t: Double) -> Double {
    ((curve.2 * t + curve.1) * t + curve.0) * t
  }

  /// Returns the height at a place from 0 to 1.
  func y(at place: Double) -> Double {
    var (low, high) = (0.0, 1.0)
    // x rises with t, since the control points are between 0 and 1.
    for _ in 0..<40 {
      let middle = (low + high) / 2
      if value(x, middle) < place { low = middle } else { high = middle }
    }
    return value(y, (low + high) / 2)
  }
}
