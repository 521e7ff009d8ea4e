import MapFeatures
import MapGeometry

extension Geometry {
  /// Returns the same coordinates with another spatial reference; nothing is projected.
  func with(_ reference: SpatialReference?) -> any Geometry { mapped(reference) { _, _ in true } ?? self }

  /// Returns the geometry with changed x and y coordinates and unchanged Z and M values; nil if `change` returns
  /// false.
  func mapped(
    _ reference: SpatialReference?, _ change: (_ x: inout [Double], _ y: inout [Double]) -> Bool
  ) -> (any Geometry)? {
    let all = vertices.joined()
    var (x, y) = (all.map(\.x), all.map(\.y))
    guard change(&x, &y), x.count == y.count else { return nil }
    var next = -1
    return replacingVertices(reference) { vertex in
      next += 1
      return vertex.moved(x: x[next], y: y[next], spatialReference: reference)
    }
  }

  /// Returns the geometry with each vertex replaced, in order; an envelope becomes the envelope of its changed
  /// corners.
  func replacingVertices(
    _ reference: SpatialReference?, _ change: (Point) -> Point
  ) -> any Geometry {
    switch form {
    case .point(let point): change(point)
    case .multipoint(let multipoint):
      Multipoint(points: multipoint.points.map(change), spatialReference: reference)
    case .polyline(let line):
      Polyline(parts: line.parts.map { $0.map(change) }, spatialReference: reference)
    case .polygon(let polygon):
      Polygon(parts: polygon.parts.map { $0.map(change) }, spatialReference: reference)
    case .envelope(let envelope):
      envelope.withSides(of: Envelope(of: envelope.ring.map(change), spatialReference: reference))
    }
  }

  /// The vertices by part; an envelope gives its corners as a ring, and points are one part.
  var vertices: [[Point]] {
    switch form {
    case .point(let point): [[point]]
    case .multipoint(let multipoint): [multipoint.points]
    case .polyline(let line): line.parts
    case .polygon(let polygon): polygon.parts
    case .envelope(let envelope): [envelope.ring]
    }
  }
}

extension Envelope {
  /// The corners, clockwise from the south-west; the last equals the first.
  var ring: [Point] {
    [(xMin, yMin), (xMin, yMax), (xMax, yMax), (xMax, yMin), (xMin, yMin)].map {
      Point(x: $0, y: $1, spatialReference: spatialReference)
    }
  }

  /// The south-western corner, with the lowest Z and M values.
  var low: Point { Point(x: xMin, y: yMin, z: zMin, m: mMin, spatialReference: spatialReference) }
  /// The north-eastern corner, with the highest Z and M values.
  var high: Point { Point(x: xMax, y: yMax, z: zMax, m: mMax, spatialReference: spatialReference) }

  /// Returns the envelope with the sides and spatial reference of another; Z and M values are unchanged.
  func withSides(of other: Envelope) -> Envelope {
    with(xMin: other.xMin, yMin: other.yMin, xMax: other.xMax, yMax: other.yMax)
      .with(spatialReference: other.spatialReference)
  }
}
