public import MapGeometry

/// A place on a geometry, and how far it is from what was asked.
public struct ProximityResult: Hashable, Sendable {
  /// The place.
  public let coordinate: Point
  /// How far it is, in units of the reference.
  public let distance: Double
  /// The part that it is on.
  public let partIndex: Int
  /// The vertex that it is, or that its segment begins with.
  public let pointIndex: Int
}

extension GeometryEngine {
  /// The area in the plane of the coordinates, holes taken off.
  ///
  /// - Units: squares of the reference's units; in Web Mercator much too large away from the equator.
  public static func area(of polygon: Polygon) -> Double {
    sum(overRingsOf: polygon) { buffer, ring in abs(buffer.doubleArea(ofPart: ring)) / 2 } ?? 0
  }

  /// A measure of the rings of an area, those of holes taken off; 0 for what is no area, nil where a ring has none.
  static func sum(
    overRingsOf geometry: any Geometry, _ measure: (CoordinateBuffer, _ part: Int) -> Double?
  ) -> Double? {
    guard geometry.form.kind == .polygon else { return 0 }
    // Rings lie against or within each other; by the even-odd rule a ring in an odd number of others is a hole.
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

  /// The area of an envelope in the plane of the coordinates.
  public static func area(of envelope: Envelope) -> Double {
    envelope.isEmpty ? 0 : envelope.width * envelope.height
  }

  /// The length in the plane of the coordinates: of lines, or of the border of an area.
  public static func length(of geometry: any Geometry) -> Double {
    chains(of: geometry).reduce(0.0) { sum, chain in
      zip(chain, chain.dropFirst()).reduce(sum) { $0 + distance($1.0, $1.1) }
    }
  }

  /// The same geometry with vertices between, so that none is farther from the next than a length.
  ///
  /// Nil for a length that is not above 0, or that would make more than a million vertices.
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

  /// The same geometry with one height at every vertex; with nil without heights.
  public static func makeGeometry<Shape: Geometry>(from geometry: Shape, z: Double?) -> Shape {
    made(from: geometry) { Point(x: $0.x, y: $0.y, z: z, m: $0.m, spatialReference: $0.spatialReference) }
  }

  /// The same geometry with one measure at every vertex; with nil without measures.
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

  /// The same geometry with vertices left out, so that none lies farther from what is left than a distance.
  ///
  /// With `removeDegenerateParts` also without the lines that are no longer than that distance, and rings of no area.
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

  /// The place on a geometry that is nearest to a point, inside an area the point itself; nil for an empty geometry.
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

  /// The vertex of a geometry that is nearest to a point; nil for an empty geometry.
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

  /// The chains of lines and the rings of areas; none for points.
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
  /// A place between this and another, with heights and measures in the same share of the way where both have some.
  func toward(_ end: Point, _ share: Double, x: Double, y: Double) -> Point {
    func between(_ first: Double?, _ last: Double?) -> Double? {
      first.flatMap { first in last.map { first + ($0 - first) * share } }
    }
    return Point(x: x, y: y, z: between(z, end.z), m: between(m, end.m), spatialReference: spatialReference)
  }
}
