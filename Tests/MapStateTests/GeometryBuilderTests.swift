import MapState
import Testing

/// Builders as the SDK's samples use them.
@Suite struct GeometryBuilderTests {
  /// A model as in the samples: the builder is a constant that collects points while the model lives.
  private final class Model: Sendable {
    let traversedRouteBuilder = PolylineBuilder(spatialReference: .wgs84)
    let extent = Envelope(
      xRange: -122.8...(-122.6), yRange: 45.4...45.6, spatialReference: .wgs84)
  }

  @Test("A polyline is built from points in its own spatial reference")
  func linesFromPoints() throws {
    let builder = PolylineBuilder(spatialReference: .wgs84)
    #expect(builder.isEmpty)
    #expect(builder.toGeometry().isEmpty)
    #expect(builder.toGeometry().spatialReference == .wgs84)
    builder.add(Point(x: -30, y: 20))
    builder.add(Point(latitude: 20, longitude: 30))
    // A point in another spatial reference is projected to the builder's and keeps its Z value.
    builder.add(Point(x: WebMercator.halfWorld, y: 0, z: 9, spatialReference: .webMercator))
    #expect(!builder.isEmpty)
    #expect(builder.extent.xMax == 180)
    let line: Polyline = builder.toGeometry()
    try #require(line.parts.count == 1)
    #expect(line.parts[0].points.map(\.x) == [-30, 30, 180])
    #expect(line.parts[0].allSatisfy { $0.spatialReference == .wgs84 })
    #expect(line.parts[0].endPoint?.z == 9)
    builder.addPart()
    builder.add(Point(x: 0, y: 0))
    builder.add(Point(x: 1, y: 1))
    #expect(builder.toGeometry().parts.map(\.count) == [3, 2])
    // A line that was built is not changed by later edits.
    #expect(line.parts.count == 1)
    builder.replaceGeometry(with: nil)
    #expect(builder.isEmpty)
    #expect(builder.spatialReference == .wgs84)
    let model = Model()
    model.traversedRouteBuilder.replaceGeometry(with: line)
    #expect(model.traversedRouteBuilder.toGeometry() == line)
    #expect(model.extent.width > 0.19)
    #expect(PolylineBuilder(polyline: line).toGeometry() == line)
    #expect(PolylineBuilder(points: line.parts[0]).toGeometry() == line)
  }

  @Test("A polygon is built from points, and holes are added as parts")
  func areasFromPoints() {
    let builder = PolygonBuilder(spatialReference: .webMercator)
    for (x, y) in [(0.0, 0.0), (0, 4), (4, 4)] { builder.add(Point(x: x, y: y)) }
    let triangle = builder.toGeometry()
    #expect(triangle.parts[0].count == 4)
    #expect(GeometryEngine.area(of: triangle) == 8)
    // A builder made from a polygon continues where the ring was closed.
    let more = PolygonBuilder(polygon: triangle)
    more.add(Point(x: 4, y: 0))
    #expect(GeometryEngine.area(of: more.toGeometry()) == 16)
    let hole = MutablePart(
      points: [(1.0, 1.0), (1, 3), (3, 3), (3, 1), (1, 1)].map { Point(x: $0.0, y: $0.1) },
      spatialReference: .webMercator)
    more.parts.append(hole)
    #expect(more.parts.map(\.count) == [4, 4])
    #expect(GeometryEngine.area(of: more.toGeometry()) == 12)
    #expect(more.toGeometry().parts.map(\.count) == [5, 5])
  }

  @Test("Points and multipoints are built from coordinates")
  func places() {
    let point = PointBuilder(spatialReference: .wgs84)
    #expect(point.toGeometry().isEmpty)
    (point.x, point.y, point.z) = (1, 2, 3)
    #expect(point.toGeometry() == Point(x: 1, y: 2, z: 3, spatialReference: .wgs84))
    point.m = 4
    point.z = nil
    #expect(point.toGeometry() == Point(x: 1, y: 2, m: 4, spatialReference: .wgs84))
    #expect(PointBuilder(point: point.toGeometry()).m == 4)
    let several = MultipointBuilder(spatialReference: nil)
    several.add(Point(x: 1, y: 2))
    several.add(Point(latitude: 4, longitude: 3))
    several.points.append(Point(x: 5, y: 6))
    let multipoint = several.toGeometry()
    #expect(multipoint.points.map(\.x) == [1, 3, 5])
    #expect(multipoint.spatialReference == .wgs84)
    #expect(MultipointBuilder(multipoint: multipoint).toGeometry() == multipoint)
  }

  @Test("A vertex that cannot be projected is refused by the builder")
  func noImage() {
    let builder = MultipointBuilder(spatialReference: .webMercator)
    #expect(!builder.add(Point(latitude: 90, longitude: 0)))
    #expect(builder.isEmpty)
    #expect(builder.add(Point(latitude: 80, longitude: 0)))
    #expect(!builder.isEmpty)
  }

  @Test("An envelope is built, expanded, moved and merged")
  func envelopes() {
    let box = Envelope(xMin: 0, yMin: 0, xMax: 10, yMax: 4, zMin: 1, zMax: 2, spatialReference: .webMercator)
    let builder = EnvelopeBuilder(envelope: box)
    builder.expand(by: 1.5)
    let grown = builder.toGeometry()
    #expect(grown.width == 15)
    #expect(grown.height == 6)
    #expect(grown.center.x == 5)
    #expect(grown.zMax == 2)
    builder.offsetBy(x: 5, y: -1)
    #expect(builder.toGeometry().center.x == 10)
    #expect(builder.toGeometry().center.y == 1)
    let all = EnvelopeBuilder(spatialReference: .webMercator)
    all.expand(by: 2)
    #expect(all.toGeometry().isEmpty)
    #expect(all.toGeometry().spatialReference == .webMercator)
    all.union(Point(latitude: 0, longitude: 180))
    all.add(Point(x: 0, y: 0))
    all.union(box)
    let union = all.toGeometry()
    #expect(union.xMin == 0)
    #expect(union.xMax == WebMercator.halfWorld)
    #expect(union.yMax == 4)
    #expect(union.yMin == 0)
    all.expand(by: 0)
    #expect(all.toGeometry().width == 0)
  }
}
