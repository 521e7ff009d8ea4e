import Glibc
package import MapModel
import MapSystem

/// The colours of counts in cells.
///
/// A count n has the place log(n) / log(greatest) on a ramp from 1 to the greatest count of a cell, so that equal factors
/// are equal steps. Without classes the ramp is *magma*, towards the dark end on a light background and towards the light
/// end on a dark one. With classes, the colour is that of the class with the most points in the cell, the first of several,
/// and the ramp is its opacity, from 35 % to 100 %.
///
/// - Source: design decision. The mean of the colours of all classes is grey in most cells.
package struct CellColors: Sendable {
  /// The greatest count of a cell.
  package let greatest: Int
  private let ramp: [Color]
  private let colors: [Int: Color]

  /// The opacity of a single point of a class.
  private static let leastOpacity = 0.35
  /// The number of steps of the ramp.
  private static let steps = 256

  /// Creates the colours of counts.
  package init(_ plan: CellCounts.Plan, greatest: Int) {
    self.greatest = greatest
    colors = Dictionary(plan.classes.map { ($0.index, $0.color) }, uniquingKeysWith: { first, _ in first })
    let magma = (ColorRamp.named("magma") ?? .standard).colors(count: Self.steps)
    // The ends of the ramp are nearly white and nearly black.
    ramp = plan.isOnDark ? Array(magma[70..<250]) : magma[30..<224].reversed()
  }

  /// Returns the place of a count on the ramp, from 0 to 1.
  package func place(of count: Int) -> Double {
    guard greatest > 1, count < greatest else { return 1 }
    return count > 1 ? log(Double(count)) / log(Double(greatest)) : 0
  }

  /// Returns the colour at a place on the ramp; with classes, that of a class without a colour.
  package func color(at place: Double, of base: Color = .gray) -> Color {
    guard colors.isEmpty else {
      return base.withAlphaComponent(
        Double(base.alpha) / 255 * (Self.leastOpacity + (1 - Self.leastOpacity) * place))
    }
    return ramp[Int(clamping: (place * Double(ramp.count - 1)).rounded())]
  }

  /// Returns the colour of a cell.
  func color(of classes: [(index: Int, count: Int)]) -> Color {
    let count = classes.reduce(0) { $0 + $1.count }
    guard !colors.isEmpty else { return color(at: place(of: count)) }
    // The default symbol is the last class.
    let most = classes.max {
      ($0.count, $1.index < 0 ? .max : $1.index) < ($1.count, $0.index < 0 ? .max : $0.index)
    }
    return color(at: place(of: count), of: most.flatMap { colors[$0.index] } ?? .gray)
  }
}
