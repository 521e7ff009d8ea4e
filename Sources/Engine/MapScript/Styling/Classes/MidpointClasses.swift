import MapLayout
import MapModel
import MapState

/// Classes of numbers below and above a stated number, in the two halves of a diverging ramp.
enum MidpointClasses {
  /// The number of classes by default.
  static let classCount = 6

  /// Returns the upper bounds of the classes, ascending: the midpoint is one of them if there are numbers on both sides.
  ///
  /// Each side has half of the classes by the method; equal intervals have one width on both sides.
  /// - Parameters:
  ///   - sorted: the classified numbers, ascending.
  ///   - count: the number of classes, even.
  static func upperBounds(
    of sorted: [Double], around midpoint: Double, count: Int, _ method: ClassificationMethod,
    _ edges: ClassEdges
  ) -> [Double] {
    guard let least = sorted.first, let greatest = sorted.last else { return [] }
    let half = max(count / 2, 1)
    guard method != .equalInterval else {
      let width = max(midpoint - least, greatest - midpoint) / Double(half)
      let inner = (1 - half..<half).map { midpoint + width * Double($0) }
      return inner.filter { $0 > least && $0 < greatest } + [greatest]
    }
    func bounds(_ values: [Double]) -> [Double] {
      edges == .lower
        ? ClassEdges.lowerBounds(of: values, count: half, method)
        : method.upperBounds(of: values, count: half)
    }
    let below = sorted.prefix { edges == .lower ? $0 < midpoint : $0 <= midpoint }
    let above = Array(sorted.dropFirst(below.count))
    guard !below.isEmpty, !above.isEmpty else { return bounds(sorted) }
    return bounds(Array(below)).dropLast() + [midpoint] + bounds(above)
  }

  /// Returns the colours of classes: those below the midpoint from the lower half of a ramp, and those above it from the
  /// upper half, so that classes at the same distance from the midpoint are equally strong.
  ///
  /// - Parameter areValues: whether each class is the number that is its upper bound.
  static func colors(
    of renderer: ClassBreaksRenderer, around midpoint: Double, _ ramp: ColorRamp, areValues: Bool
  ) -> [Color] {
    let classes = renderer.classBreaks
    let below = classes.count { $0.maximum < midpoint || !areValues && $0.maximum == midpoint }
    // The bound of a class without its lower bound is the number before it.
    let above = classes.count { $0.minimum >= (areValues ? midpoint : midpoint.nextDown) }
    let (side, within) = (max(below, above), classes.count - below - above)
    guard side > 0 else { return Array(ramp.colors(count: 3)[1..<2]) }
    return Array(ramp.colors(count: 2 * side + within)[(side - below)...].prefix(classes.count))
  }

  /// Returns a warning if no number is on one side of the midpoint; nil if there are numbers on both sides.
  static func warning(_ midpoint: Double, _ sorted: [Double], of field: String) -> String? {
    guard let least = sorted.first, let greatest = sorted.last else { return nil }
    let side = least >= midpoint ? "below" : greatest <= midpoint ? "above" : nil
    return side.map { "--midpoint \(LegendNumber.text(midpoint)): no number of \(field) is \($0) it" }
  }
}
