import MapFeatures
import MapGeometry

extension Geometry {
  /// The same coordinates under another reference; nothing is projected.
  func with(_ reference: SpatialReference?) -> any Geometry { mapped(reference) { _, _ in true } ?? self }

  /// The geometry with other coordinates under a reference; nil where `change` says so.
  func mapped(
    _ reference: SpatialReference?, _ change: (_ x: inout [Double], _ y: inout [Double]) -> Bool
  ) -> (any Geometry)? {
    let parts = vertices
    var (x, y) = (parts.joined().map(\.x), parts.joined().map(\.y))
    guard change(&x, &y), x.count == y.count else { return nil }
    var next = 0
    let moved = parts.map { part in
      let range = next..<next + part.count
      next = range.upperBound
      return range.map { Point(x: x[$0], y: y[$0], spatialReference: reference) }
    }
    return switch form {
    case .point: moved.first?.first ?? Point(x: .nan, y: .nan, spatialReference: reference)
    case .multipoint: Multipoint(points: moved.first ?? [], spatialReference: reference)
    case .polyline: Polyline(parts: moved, spatialReference: reference)
    case .polygon: Polygon(parts: moved, spatialReference: reference)
    case .envelope: Envelope(of: moved.joined(), spatialReference: reference)
    }
  }

  /// The vertices by part, an envelope's corners as a ring; points are one part.
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
