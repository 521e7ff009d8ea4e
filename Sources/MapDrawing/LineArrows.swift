import Glibc
import MapGeometry
import MapModel

/// The heads of arrows at the ends of lines.
///
/// - Source: Esri web map specification: in the line's colour, in proportion to its width; ours: five widths long and four
///   wide, the tip so far past the line's end that the line is nowhere wider than the head.
struct LineArrows: Sendable {
  private static let length = 5.0
  private static let halfWidth = 2.0
  /// How far ahead of the line's end the tip is: there the head is a width wide.
  private static let ahead = length / halfWidth / 2

  let placement: SimpleLineSymbol.MarkerPlacement
  /// The line's width in pixels.
  let width: Double
  /// The look that fills them.
  let style: Int

  /// How far from the line's end a head reaches.
  var reach: Double { hypot(Self.length - Self.ahead, Self.halfWidth) * width }

  /// The heads of the one row of a buffer that show on the canvas, each a ring that repeats its first vertex.
  func heads(of path: CoordinateBuffer, on canvas: Envelope) -> [[(x: Double, y: Double)]] {
    var heads: [[(x: Double, y: Double)]] = []
    for part in path.parts(ofRow: 0) {
      let places = path.vertices(ofPart: part).map { (x: path.x[$0], y: path.y[$0]) }
      if placement != .begin { heads += head(places.reversed(), on: canvas) }
      if placement != .end { heads += head(places, on: canvas) }
    }
    return heads
  }

  /// The head at the start of a chain; none when it does not show or the chain has no length.
  private func head(_ chain: [(x: Double, y: Double)], on canvas: Envelope) -> [[(x: Double, y: Double)]] {
    guard let end = chain.first, canvas.grown(by: reach).contains(x: end.x, y: end.y) else { return [] }
    // A tiny last piece says little about where the line goes.
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
