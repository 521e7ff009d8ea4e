import MapFeatures
public import MapGeometry
import MapModel

/// A point on a geometry and its distance from a given point.
public struct ProximityResult: Hashable, Sendable {
  /// The point on the geometry.
  public let coordinate: Point
  /// The distance, in units of the spatial reference.
  public let distance: Double
  /// The index of the part that contains the point.
  public let partIndex: Int
  /// The index of the vertex, or of the start vertex of the point's segment.
  public let pointIndex: Int
}

extension GeometryEngine {
  /// Returns the planar area of a polygon without its holes.
  ///
  /// - Units: square units of the spatial reference; areas in Web Mercator are much too large away from the
  ///   equator.
  public static func area(of polygon: Polygon) -> Double {
    sum(overRingsOf: polygon) { buffer, ring in abs(buffer.doubleArea(ofPart: ring)) / 2 } ?? 0
  }

  /// Returns the sum of a measure over rings, subtracting holes; 0 if the geometry is not an area, nil if a ring
  /// has none.
  static func sum(
    overRingsOf geometry: any Geometry, _ measure: (CoordinateBuffer, _ part: Int) -> Double?
  ) -> Double? {
    guard geometry.form.kind == .polygon else { return 0 }
    // Rings are beside or inside each other. By the even-odd rule, a ring inside an odd number of others is a hole.
    var buffer = CoordinateBuffer(kind: .polygon)
    buffer.append(geometry.form)
    guard buffer.rowCount == 1, !buffer.isEmpty(row: 0) else { return 0 }
    var sum = 0.0
    for rings in buffer.polygons(ofRow: 0) {
      for (place, ring) in rings.enumerated() {
        guard let measured = measure(buffer, ring) else { return nil }
        sum += place == 0 ? measured : -measured
      }
    }
    return sum
  }

  /// Returns the planar area of an envelope.
  public static func area(of envelope: Envelope) -> Double {
    envelope.isEmpty ? 0 : envelope.width * envelope.height
  }

  /// Returns the planar length of lines, or of an area's border.
  public static func length(of geometry: any Geometry) -> Double {
    chains(of: geometry).reduce(0.0) { sum, chain in
      zip(chain, chain.dropFirst()).reduce(sum) { $0 + distance($1.0, $1.1) }
    }
  }

  /// Returns the geometry with additional vertices; every segment has at most a given length.
  ///
  /// Returns nil if the length is not above 0, or if there would be more than a million vertices.
  public static func densify(_ geometry: any Geometry, maxSegmentLength: Double) -> (any Geometry)? {
    guard maxSegmentLength > 0 else { return nil }
    let lines = chains(of: geometry)
    guard !lines.isEmpty else { return geometry }
    guard length(of: geometry) / maxSegmentLength < 1e6 else { return nil }
    let parts = lines.map { chain -> [Point] in
      var dense = Array(chain.prefix(1))
      for (start, end) in zip(chain, chain.dropFirst()) {
        let count = max(1, (distance(start, end) / maxSegmentLength).rounded(.up))
        for step in stride(from: 1.0, to: count, by: 1) {
          dense.append(point(start, end, step / count))
        }
        dense.append(end)
      }
      return dense
    }
    return geometry.form.kind == .polyline
      ? Polyline(parts: parts, spatialReference: geometry.spatialReference)
      : Polygon(parts: parts, spatialReference: geometry.spatialReference)
  }

  /// Returns the geometry with one Z value at every vertex; nil removes the Z values.
  public static func makeGeometry<Shape: Geometry>(from geometry: Shape, z: Double?) -> Shape {
    made(from: geometry) { Point(x: $0.x, y: $0.y, z: z, m: $0.m, spatialReference: $0.spatialReference) }
  }

  /// Returns the geometry with one M value at every vertex; nil removes the M values.
  public static func makeGeometry<Shape: Geometry>(from geometry: Shape, m: Double?) -> Shape {
    made(from: geometry) { Point(x: $0.x, y: $0.y, z: $0.z, m: m, spatialReference: $0.spatialReference) }
  }

  private static func made<Shape: Geometry>(from geometry: Shape, _ change: (Point) -> Point) -> Shape {
    let made: any Geometry =
      if let box = geometry as? Envelope {
        Envelope(min: change(box.low), max: change(box.high))
      } else { geometry.replacingVertices(geometry.spatialReference, change) }
    return made as? Shape ?? geometry
  }

  /// Returns the geometry with fewer vertices; removed ones deviate by at most a distance.
  ///
  /// With `removeDegenerateParts`, lines that are no longer than that distance and rings without area are removed
  /// too.
  public static func generalize(
    _ geometry: any Geometry, maxDeviation: Double, removeDegenerateParts: Bool = false
  ) -> (any Geometry)? {
    let lines = chains(of: geometry).filter { !$0.isEmpty }
    guard !lines.isEmpty else { return geometry }
    let isLine = geometry.dimension == .curve
    let parts = lines.compactMap { line -> [Point]? in
      var buffer = CoordinateBuffer(kind: isLine ? .polyline : .polygon)
      for vertex in line { buffer.appendVertex(x: vertex.x, y: vertex.y) }
      buffer.endPart()
      buffer.endRow()
      let kept = buffer.kept(ofPart: 0, tolerance: maxDeviation).map { line[$0] }
      guard removeDegenerateParts else { return kept }
      let isDegenerate =
        isLine ? length(of: Polyline(points: kept)) <= maxDeviation : area(of: Polygon(points: kept)) == 0
      return isDegenerate ? nil : kept
    }
    return isLine
      ? Polyline(parts: parts, spatialReference: geometry.spatialReference)
      : Polygon(parts: parts, spatialReference: geometry.spatialReference)
  }

  /// Returns the point on a geometry that is nearest to a given point; nil for an empty geometry.
  ///
  /// Inside an area, the result is the given point itself.
  public static func nearestCoordinate(in geometry: any Geometry, to point: Point) -> ProximityResult? {
    guard let point = matched(point, to: geometry) else { return nil }
    if geometry.form.kind == .polygon {
      var buffer = CoordinateBuffer(kind: .polygon)
      buffer.append(geometry.form)
      if buffer.rowCount == 1, !buffer.isEmpty(row: 0),
        PointLocator(row: 0, of: buffer).location(x: point.x, y: point.y) != .outside
      {
        return ProximityResult(coordinate: point, distance: 0, partIndex: 0, pointIndex: 0)
      }
    }
    let lines = chains(of: geometry)
    guard !lines.isEmpty else { return nearestVertex(in: geometry, to: point) }
    var best: ProximityResult?
    for (part, chain) in lines.enumerated() {
      for index in 0..<max(0, chain.count - 1) {
        let segment = Segment(chain[index].x, chain[index].y, chain[index + 1].x, chain[index + 1].y)
        let near = segment.nearest(x: point.x, y: point.y)
        let place = Point(x: near.x, y: near.y, spatialReference: geometry.spatialReference)
        let away = distance(place, point)
        guard away < best?.distance ?? .infinity else { continue }
        best = ProximityResult(coordinate: place, distance: away, partIndex: part, pointIndex: index)
      }
    }
    return best
  }

  /// Returns the vertex of a geometry that is nearest to a given point; nil for an empty geometry.
  public static func nearestVertex(in geometry: any Geometry, to point: Point) -> ProximityResult? {
    guard let point = matched(point, to: geometry) else { return nil }
    var best: ProximityResult?
    for (part, vertices) in geometry.vertices.enumerated() {
      for (index, vertex) in vertices.enumerated() where !vertex.isEmpty {
        let away = distance(vertex, point)
        guard away < best?.distance ?? .infinity else { continue }
        best = ProximityResult(coordinate: vertex, distance: away, partIndex: part, pointIndex: index)
      }
    }
    return best
  }

  /// Returns the parts of lines or the rings of areas; none for points.
  static func chains(of geometry: any Geometry) -> [[Point]] {
    geometry.dimension == .point || geometry.isEmpty ? [] : geometry.vertices
  }

  private static func matched(_ point: Point, to geometry: any Geometry) -> Point? {
    guard let reference = geometry.spatialReference, let own = point.spatialReference, own != reference else {
      return point.isEmpty ? nil : point
    }
    return project(point, into: reference)
  }

  private static func distance(_ first: Point, _ second: Point) -> Double {
    let (dx, dy) = (second.x - first.x, second.y - first.y)
    return (dx * dx + dy * dy).squareRoot()
  }

  private static func point(_ start: Point, _ end: Point, _ share: Double) -> Point {
    start.toward(
      end, share, x: start.x + (end.x - start.x) * share, y: start.y + (end.y - start.y) * share)
  }
}

extension Point {
  /// Returns a point between two points.
  ///
  /// Z and M values are interpolated if both points have them.
  func toward(_ end: Point, _ share: Double, x: Double, y: Double) -> Point {
    func between(_ first: Double?, _ last: Double?) -> Double? {
      first.flatMap { first in last.map { first + ($0 - first) * share } }
    }
    return Point(x: x, y: y, z: between(z, end.z), m: between(m, end.m), spatialReference: spatialReference)
  }
}
