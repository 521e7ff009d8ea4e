import Glibc
import MapGeometry
import MapModel

/// The arrow heads at the ends of lines.
///
/// - Source: Esri web map specification: heads have the line's colour and a size in proportion to its width. Design
///   decision: five line widths long and four wide, with the tip so far past the line's end that the line is nowhere
///   wider than the head.
struct LineArrows: Sendable {
  private static let length = 5.0
  private static let halfWidth = 2.0
  /// The distance from the line's end to the tip in line widths; at the line's end the head is one line width wide.
  private static let ahead = length / halfWidth / 2

  let placement: SimpleLineSymbol.MarkerPlacement
  /// The width of the line in pixels.
  let width: Double
  /// The index of the path style that fills the heads.
  let style: Int

  /// The largest distance of a head's points from the line's end, in pixels.
  var reach: Double { hypot(Self.length - Self.ahead, Self.halfWidth) * width }

  /// Returns the visible heads of the single row of a buffer, each as a ring that repeats its first vertex.
  func heads(of path: CoordinateBuffer, on canvas: Envelope) -> [[(x: Double, y: Double)]] {
    var heads: [[(x: Double, y: Double)]] = []
    for part in path.parts(ofRow: 0) {
      let places = path.vertices(ofPart: part).map { (x: path.x[$0], y: path.y[$0]) }
      if placement != .begin { heads += head(places.reversed(), on: canvas) }
      if placement != .end { heads += head(places, on: canvas) }
    }
    return heads
  }

  /// Returns the head at the start of a chain; none when it is not visible or the chain has no length.
  private func head(_ chain: [(x: Double, y: Double)], on canvas: Envelope) -> [[(x: Double, y: Double)]] {
    guard let end = chain.first, canvas.grown(by: reach).contains(x: end.x, y: end.y) else { return [] }
    // A tiny last segment says little about the direction of the line.
    func distance(_ place: (x: Double, y: Double)) -> Double { hypot(place.x - end.x, place.y - end.y) }
    guard let from = chain.first(where: { distance($0) >= width }) ?? chain.last, distance(from) > 0 else {
      return []
    }
    let (dx, dy) = ((end.x - from.x) / distance(from), (end.y - from.y) / distance(from))
    func place(_ along: Double, _ across: Double) -> (x: Double, y: Double) {
      let (along, across) = (along * width, across * width)
      return (end.x + dx * along - dy * across, end.y + dy * along + dx * across)
    }
    let tip = place(Self.ahead, 0)
    let base = Self.ahead - Self.length
    let head = [tip, place(base, Self.halfWidth), place(base, -Self.halfWidth)]
    return canvas.sharesArea(withConvex: head) ? [head + [tip]] : []
  }
}
