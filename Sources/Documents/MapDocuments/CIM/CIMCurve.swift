import Glibc
import MapJSON
import MapModel
import MapSystem

/// A reader of the segments of paths and rings of CIM graphics: points, circular and elliptic arcs, and Bézier curves.
///
/// - Source: Esri CIM specification, external references, curves.
/// - Error: the pieces of a curve leave it by at most 1/60 of a pixel, or have the largest number.
enum CIMCurve {
  typealias Vertex = VectorMarkerSymbol.Vertex

  /// Appends a point, or the pieces of a curve that starts at the last vertex.
  ///
  /// - Throws: `JSONDecodingError` for a curve without a start and for an object that is no curve.
  ///
  /// - Parameter scale: the pixels for a unit of the curve.
  static func append(
    _ segment: JSONNode, scale: Double, to vertices: inout [Vertex]
  ) throws(JSONDecodingError) {
    guard segment.value.object != nil else { return vertices.append(try vertex(segment)) }
    guard let start = vertices.last else { throw segment.invalid("a curve needs a point before it") }
    if let arc = segment["c"] {
      let places = try arc.elements()
      guard places.count >= 2 else { throw arc.invalid("expected an end and a point between") }
      try append(through: vertex(places[1]), from: start, to: vertex(places[0]), scale, &vertices)
    } else if let curve = segment["b"] {
      let places = try curve.elements()
      guard places.count >= 3 else { throw curve.invalid("expected an end and two control points") }
      let (end, first, second) = (try vertex(places[0]), try vertex(places[1]), try vertex(places[2]))
      let bend = max(
        hypot(start.x - 2 * first.x + second.x, start.y - 2 * first.y + second.y),
        hypot(first.x - 2 * second.x + end.x, first.y - 2 * second.y + end.y))
      // A piece of a curve leaves its chord by an eighth of the second derivative, at most 6 bends, over its square.
      let pieces = count((0.75 * bend * scale * 60).squareRoot())
      for step in 1...pieces {
        let (after, before) = (Double(step) / Double(pieces), 1 - Double(step) / Double(pieces))
        let weights = (
          before * before * before, 3 * before * before * after, 3 * before * after * after,
          after * after * after
        )
        vertices.append(
          Vertex(
            x: start.x * weights.0 + first.x * weights.1 + second.x * weights.2 + end.x * weights.3,
            y: start.y * weights.0 + first.y * weights.1 + second.y * weights.2 + end.y * weights.3))
      }
    } else if let arc = segment["a"] {
      try append(elliptic: arc, from: start, scale, &vertices)
    } else {
      throw segment.invalid("expected a point, or a curve with the member a, b or c")
    }
  }

  /// Returns a number of pieces from 4 to 128.
  private static func count(_ pieces: Double) -> Int {
    pieces.isFinite ? Int(clamping: min(max(pieces.rounded(.up), 4), 128)) : 128
  }

  private static func vertex(_ node: JSONNode) throws(JSONDecodingError) -> Vertex {
    let numbers = try node.elements()
    guard numbers.count >= 2 else { throw node.invalid("expected two numbers") }
    return Vertex(x: try numbers[0].double(), y: try numbers[1].double())
  }

  /// Appends a circular arc through a point; a straight line if the three points are on one.
  private static func append(
    through middle: Vertex, from start: Vertex, to end: Vertex, _ scale: Double, _ vertices: inout [Vertex]
  ) {
    let (ax, ay) = (middle.x - start.x, middle.y - start.y)
    let (bx, by) = (end.x - start.x, end.y - start.y)
    // A full circle ends where it starts; the point between is opposite.
    guard bx != 0 || by != 0 else {
      let center = Vertex(x: start.x + ax / 2, y: start.y + ay / 2)
      return append(around: center, 1, 0, from: start, to: end, sweep: 2 * .pi, scale, &vertices)
    }
    let cross = 2 * (ax * by - ay * bx)
    guard abs(cross) > 1e-9 * (ax * ax + ay * ay + bx * bx + by * by) else {
      return vertices += [middle, end]
    }
    let (a, b) = (ax * ax + ay * ay, bx * bx + by * by)
    let center = Vertex(x: start.x + (by * a - ay * b) / cross, y: start.y + (ax * b - bx * a) / cross)
    // The arc turns to the side on which the point between lies.
    let turn = sweep(around: center, 1, 0, from: start, to: end, isClockwise: cross < 0)
    append(around: center, 1, 0, from: start, to: end, sweep: turn, scale, &vertices)
  }

  /// Appends an elliptic arc: end, centre, minor, clockwise and, for an ellipse, rotation, axis and ratio.
  private static func append(
    elliptic arc: JSONNode, from start: Vertex, _ scale: Double, _ vertices: inout [Vertex]
  ) throws(JSONDecodingError) {
    let members = try arc.elements()
    guard members.count >= 4 else {
      throw arc.invalid("expected an end, a center, and the numbers for minor and clockwise")
    }
    let (end, center) = (try vertex(members[0]), try vertex(members[1]))
    let isClockwise = try members[3].double() != 0
    let rotation = members.count > 4 ? try members[4].double() : 0
    let ratio = members.count > 6 ? try members[6].double() : 1
    guard ratio > 0, ratio <= 1 else { throw arc.invalid("a ratio of \(ratio) is not above 0 and up to 1") }
    let turn =
      start == end
      ? (isClockwise ? -2 : 2) * Double.pi
      : sweep(around: center, ratio, rotation, from: start, to: end, isClockwise: isClockwise)
    append(around: center, ratio, rotation, from: start, to: end, sweep: turn, scale, &vertices)
  }

  /// Returns the place of a point on the circle that an ellipse is pressed from, around its centre.
  private static func round(
    _ point: Vertex, _ center: Vertex, _ ratio: Double, _ rotation: Double
  ) -> Vertex {
    let (dx, dy) = (point.x - center.x, point.y - center.y)
    return Vertex(
      x: dx * cos(rotation) + dy * sin(rotation), y: (dy * cos(rotation) - dx * sin(rotation)) / ratio)
  }

  /// Returns the angle from a point to another around a centre: negative clockwise, where y points up.
  private static func sweep(
    around center: Vertex, _ ratio: Double, _ rotation: Double, from start: Vertex, to end: Vertex,
    isClockwise: Bool
  ) -> Double {
    let (first, last) = (round(start, center, ratio, rotation), round(end, center, ratio, rotation))
    let turn = atan2(first.x * last.y - first.y * last.x, first.x * last.x + first.y * last.y)
    if isClockwise { return turn > 0 ? turn - 2 * .pi : turn }
    return turn < 0 ? turn + 2 * .pi : turn
  }

  private static func append(
    around center: Vertex, _ ratio: Double, _ rotation: Double, from start: Vertex, to end: Vertex,
    sweep: Double, _ scale: Double, _ vertices: inout [Vertex]
  ) {
    let first = round(start, center, ratio, rotation)
    // A chord of a circle leaves it by an eighth of the square of its angle, in radii.
    let steps = count(abs(sweep) * (hypot(first.x, first.y) * scale * 60 / 8).squareRoot())
    for step in 1..<steps {
      let angle = sweep * Double(step) / Double(steps)
      let (x, y) = (
        first.x * cos(angle) - first.y * sin(angle), (first.x * sin(angle) + first.y * cos(angle)) * ratio
      )
      vertices.append(
        Vertex(
          x: center.x + x * cos(rotation) - y * sin(rotation),
          y: center.y + x * sin(rotation) + y * cos(rotation)))
    }
    vertices.append(end)
  }
}
