import MapState
import MapTestSupport
import Testing

/// Operations on geometries compared with results computed by hand.
@Suite struct GeometryEngineTests {
  private func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Envelope {
    Envelope(xMin: x, yMin: y, xMax: x + width, yMax: y + height, spatialReference: .webMercator)
  }

  private func area(_ geometry: (any Geometry)?) -> Double {
    (geometry as? Polygon).map { GeometryEngine.area(of: $0) } ?? -1
  }

  @Test("Combined extents skip empty geometries and project to the first spatial reference")
  func extents() {
    let point = Point(x: 3, y: 4, spatialReference: .webMercator)
    let single = GeometryEngine.combineExtents(of: [point])
    #expect(single?.width == 0)
    #expect(single?.height == 0)
    #expect(single?.center == point)
    #expect(GeometryEngine.combineExtents(of: []) == nil)
    #expect(GeometryEngine.combineExtents(of: [Polyline(parts: []), Multipoint(points: [])]) == nil)
    // Empty geometries are skipped; the others are projected to the first one's spatial reference.
    let all = GeometryEngine.combineExtents(of: [
      Polyline(parts: []), point, Point(latitude: 0, longitude: 180),
    ])
    #expect(all?.spatialReference == .webMercator)
    #expect(all?.xMax == WebMercator.halfWorld)
    #expect(all?.yMin == 0)
  }

  @Test("Points and lines are projected, and a position without an image gives nil")
  func projection() throws {
    let point = Point(latitude: 45, longitude: 180)
    let metres = try #require(GeometryEngine.project(point, into: .webMercator))
    #expect(metres.x == WebMercator.halfWorld)
    #expect(abs(metres.y - 5_621_521.486) < 0.001)
    #expect(GeometryEngine.project(Point(latitude: 90, longitude: 0), into: .webMercator) == nil)
    #expect(GeometryEngine.project(Point(x: 1, y: 2), into: .webMercator) == nil)
    let utm = try #require(
      GeometryEngine.project(Point(latitude: 0, longitude: 9), into: SpatialReference(wkid: 25832)))
    #expect(abs(utm.x - 500_000) < 1e-6)
    #expect(abs(utm.y) < 1e-6)
    let line = Polyline(points: [point, Point(latitude: 0, longitude: 0)])
    #expect(GeometryEngine.project(line, into: .webMercator)?.parts.first?.count == 2)
  }

  @Test("Normalizing to the central meridian moves points and splits lines and areas")
  func centralMeridian() throws {
    func turned(_ x: Double) -> Double? {
      (GeometryEngine.normalizeCentralMeridian(of: Point(latitude: 1, longitude: x)) as? Point)?.x
    }
    #expect(turned(190) == -170)
    #expect(turned(-190) == 170)
    #expect(turned(540) == -180)
    #expect(turned(180) == 180)
    let line = Polyline(points: [Point(latitude: 0, longitude: 170), Point(latitude: 10, longitude: 190)])
    let pieces = try #require(GeometryEngine.normalizeCentralMeridian(of: line) as? Polyline)
    #expect(pieces.parts.map { $0.map(\.x) } == [[170, 180], [-180, -170]])
    let across = Envelope(xMin: 170, yMin: 0, xMax: 190, yMax: 1, spatialReference: .wgs84)
    #expect(abs(area(GeometryEngine.normalizeCentralMeridian(of: across)) - 20) < 1e-9)
  }

  @Test("Union, intersection, difference and clip give the expected areas and lengths")
  func overlays() {
    let (a, b) = (box(0, 0, 10, 10), box(5, 0, 10, 10))
    #expect(area(GeometryEngine.union(a, b)) == 150)
    #expect(area(GeometryEngine.intersection(a, b)) == 50)
    #expect(area(GeometryEngine.difference(a, b)) == 50)
    #expect(area(GeometryEngine.symmetricDifference(a, b)) == 100)
    #expect(area(GeometryEngine.union(of: [a, b, box(100, 0, 1, 1)])) == 151)
    #expect(GeometryEngine.union(of: []) == nil)
    #expect(GeometryEngine.intersection(a, box(50, 50, 1, 1))?.isEmpty == true)
    // A second geometry in another spatial reference is projected to the first one's.
    let degrees = GeometryEngine.project(b, into: .wgs84)
    #expect(abs(area(GeometryEngine.intersection(a, degrees ?? .empty)) - 50) < 1e-6)
    let line = Polyline(points: [Point(x: -5, y: 5), Point(x: 20, y: 5)])
    #expect(GeometryEngine.length(of: GeometryEngine.clip(line, to: a) ?? line) == 10)
  }

  @Test("Buffer, convex hull, simplify and cut give the expected areas")
  func shapes() throws {
    let circle = try #require(
      GeometryEngine.buffer(around: Point(x: 0, y: 0, spatialReference: .webMercator), distance: 100))
    #expect(abs(GeometryEngine.area(of: circle) / (Double.pi * 10_000) - 1) < 0.002)
    #expect(abs(circle.extent.width - 200) < 1e-9)
    let star = Multipoint(points: [(0, 0), (4, 0), (4, 4), (0, 4), (2, 2)].map { Point(x: $0.0, y: $0.1) })
    #expect(area(GeometryEngine.convexHull(for: star)) == 16)
    let bow = Polygon(points: [(0, 0), (4, 4), (4, 0), (0, 4)].map { Point(x: $0.0, y: $0.1) })
    #expect(!GeometryEngine.isSimple(bow))
    #expect(GeometryEngine.isSimple(box(0, 0, 1, 1)))
    #expect(area(GeometryEngine.simplify(bow)) == 8)
    let cutter = Polyline(points: [Point(x: 3, y: -1), Point(x: 3, y: 20)])
    let pieces = GeometryEngine.cut(box(0, 0, 10, 10), usingCutter: cutter)
    #expect(pieces.map { area($0) }.sorted() == [30, 70])
    #expect(GeometryEngine.cut(box(5, 0, 10, 10), usingCutter: cutter).isEmpty)
    let level = Polyline(points: [Point(x: 0, y: 0), Point(x: 10, y: 0)])
    #expect(GeometryEngine.cut(level, usingCutter: cutter).map { GeometryEngine.length(of: $0) } == [3, 7])
  }

  @Test("Spatial relations hold for the expected pairs only")
  func relations() {
    let (a, b, inner, apart) = (box(0, 0, 10, 10), box(5, 0, 10, 10), box(1, 1, 2, 2), box(50, 0, 1, 1))
    #expect(GeometryEngine.isGeometry(a, intersecting: b))
    #expect(!GeometryEngine.isGeometry(a, intersecting: apart))
    #expect(GeometryEngine.isGeometry(a, disjointWith: apart))
    #expect(!GeometryEngine.isGeometry(a, disjointWith: b))
    #expect(GeometryEngine.isGeometry(inner, within: a))
    #expect(!GeometryEngine.isGeometry(a, within: inner))
    #expect(GeometryEngine.doesGeometry(a, contain: inner))
    #expect(!GeometryEngine.doesGeometry(inner, contain: a))
    #expect(GeometryEngine.isGeometry(a, overlapping: b))
    #expect(!GeometryEngine.isGeometry(a, overlapping: inner))
    #expect(GeometryEngine.isGeometry(a, touching: box(10, 0, 1, 1)))
    #expect(!GeometryEngine.isGeometry(a, touching: b))
    let line = Polyline(points: [Point(x: -5, y: 5), Point(x: 20, y: 5)])
    #expect(GeometryEngine.isGeometry(line, crossing: a))
    #expect(!GeometryEngine.isGeometry(line, crossing: apart))
  }

  @Test("Lengths, areas, densify, generalize and nearest coordinates are correct")
  func verticesAndMeasures() throws {
    let line = Polyline(points: [Point(x: 0, y: 0), Point(x: 10, y: 0), Point(x: 10, y: 5)])
    #expect(GeometryEngine.length(of: line) == 15)
    #expect(GeometryEngine.length(of: box(0, 0, 2, 3)) == 10)
    let dense = try #require(GeometryEngine.densify(line, maxSegmentLength: 3) as? Polyline)
    #expect(dense.parts[0].map(\.x) == [0, 2.5, 5, 7.5, 10, 10, 10])
    #expect(GeometryEngine.length(of: dense) == 15)
    #expect(GeometryEngine.densify(line, maxSegmentLength: 0) == nil)
    #expect(GeometryEngine.densify(line, maxSegmentLength: 1e-9) == nil)
    let bent = Polyline(points: [(0, 0), (5, 0.5), (10, 0), (20, 8)].map { Point(x: $0.0, y: $0.1) })
    let coarse = try #require(GeometryEngine.generalize(bent, maxDeviation: 1) as? Polyline)
    #expect(coarse.parts[0].map(\.x) == [0, 10, 20])
    let near = try #require(GeometryEngine.nearestCoordinate(in: line, to: Point(x: 4, y: 3)))
    #expect(near.coordinate.x == 4)
    #expect(near.coordinate.y == 0)
    #expect(near.distance == 3)
    #expect(near.pointIndex == 0)
    #expect(GeometryEngine.nearestVertex(in: line, to: Point(x: 9, y: 3))?.pointIndex == 2)
    #expect(GeometryEngine.nearestCoordinate(in: box(0, 0, 9, 9), to: Point(x: 1, y: 1))?.distance == 0)
    // A ring in a ring is a hole.
    let ring = Polygon(
      parts: [box(0, 0, 10, 10), box(2, 2, 3, 3)].map { outline in
        [
          (outline.xMin, outline.yMin), (outline.xMax, outline.yMin), (outline.xMax, outline.yMax),
          (outline.xMin, outline.yMax),
        ].map { Point(x: $0.0, y: $0.1) }
      })
    #expect(GeometryEngine.area(of: ring) == 91)
  }

  /// Source: Karney 2013, table 1 and the GeographicLib manual: JFK to LHR is 5,551,759.400 m at 51.37°.
  @Test("Geodesic distances and azimuths equal the published ones")
  func geodesics() throws {
    let (jfk, lhr) = (Point(latitude: 40.6, longitude: -73.8), Point(latitude: 51.6, longitude: -0.5))
    let way = try #require(GeometryEngine.geodeticDistance(from: jfk, to: lhr))
    #expect(abs(way.distance.value - 5_551_759.400) < 0.001)
    #expect(abs(way.azimuth1.value - 51.198_882_845_579) < 1e-9)
    #expect(abs(way.azimuth2.value - 107.821_776_735_514) < 1e-9)
    let end = try #require(
      GeometryEngine.geodeticMove([jfk], distance: way.distance.value, azimuth: way.azimuth1.value)?.first)
    #expect(abs(end.x - lhr.x) < 1e-9)
    #expect(abs(end.y - lhr.y) < 1e-9)
    let dense = try #require(
      GeometryEngine.geodeticDensify(Polyline(points: [jfk, lhr]), maxSegmentLength: 1_000_000) as? Polyline)
    #expect(dense.parts[0].count == 7)
    #expect(dense.extent.yMax > 51.8)
    let circle = try #require(GeometryEngine.geodeticBuffer(around: jfk, distance: 10_000))
    for corner in circle.parts[0] {
      let distance = GeometryEngine.geodeticDistance(from: jfk, to: corner)?.distance.value ?? 0
      #expect(abs(distance - 10_000) < 1e-3)
    }
    #expect(
      GeometryEngine.geodeticBuffer(around: Point(latitude: 89.9, longitude: 0), distance: 100_000) == nil)
  }

  @Test("Overlay areas of random rectangles add up")
  func chance() {
    var random = SeededGenerator(seed: 6)
    for _ in 0..<200 {
      let (a, b) = (
        box(.random(in: 0...9, using: &random), 0, .random(in: 1...9, using: &random), 5),
        box(.random(in: 0...9, using: &random), 1, .random(in: 1...9, using: &random), 7)
      )
      let shared = max(0, min(a.xMax, b.xMax) - max(a.xMin, b.xMin)) * 4
      let union = area(GeometryEngine.union(a, b))
      #expect(abs(union - (a.width * 5 + b.width * 7 - shared)) < 1e-9)
      #expect(abs(union - shared - area(GeometryEngine.symmetricDifference(a, b))) < 1e-9)
      #expect(GeometryEngine.isGeometry(a, overlapping: b) == (shared > 0))
    }
  }
}
