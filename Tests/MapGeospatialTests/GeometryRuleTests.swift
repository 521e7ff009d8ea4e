import MapState
import MapTestSupport
import Testing

/// Rules of the public geometry beyond single operations.
@Suite struct GeometryRuleTests {
  private let utm = SpatialReference(wkid: 25832)

  private func points(_ places: [(Double, Double)], _ reference: SpatialReference? = nil) -> [Point] {
    places.map { Point(x: $0.0, y: $0.1, spatialReference: reference) }
  }

  /// A random open ring around the origin: a star that does not cross itself, with Z values on a plane.
  private func ring(_ random: inout SeededGenerator) -> [Point] {
    let count = Int.random(in: 3...9, using: &random)
    return (0..<count).map { index in
      let turn = SeededTurn(index, of: count, &random)
      return Point(x: turn.x, y: turn.y, z: 2 * turn.x - 3 * turn.y, m: turn.x)
    }
  }

  /// One of several points around the origin.
  private struct SeededTurn {
    let x: Double, y: Double

    /// The unit circle by its rational parametrisation, without a math library.
    init(_ index: Int, of count: Int, _ random: inout SeededGenerator) {
      let share = (Double(index) + .random(in: 0.1...0.9, using: &random)) / Double(count)
      let radius = Double.random(in: 10...100, using: &random)
      // Four quarters, each with a parameter from 0 to 1.
      let quarter = (share * 4).rounded(.down)
      let t = share * 4 - quarter
      let (c, s) = ((1 - t * t) / (1 + t * t), 2 * t / (1 + t * t))
      (x, y) =
        switch quarter {
        case 0: (radius * c, radius * s)
        case 1: (-radius * s, radius * c)
        case 2: (-radius * c, -radius * s)
        default: (radius * s, -radius * c)
        }
    }
  }

  @Test("Combined extents use the spatial reference of the first geometry that is not empty")
  func combinedExtents() throws {
    #expect(GeometryEngine.combineExtents(of: []) == nil)
    #expect(GeometryEngine.combineExtents(of: [Polygon(parts: []), Point(x: .nan, y: 0)]) == nil)
    let empty = Polyline(parts: [], spatialReference: .webMercator)
    let (place, metres) = (
      Point(latitude: 50, longitude: 9), Point(x: 600_000, y: 5_600_000, spatialReference: utm)
    )
    let degrees = try #require(GeometryEngine.combineExtents(of: [empty, place, metres]))
    #expect(degrees.spatialReference == .wgs84)
    #expect(degrees.xMin == 9)
    #expect(degrees.yMin == 50)
    let back = try #require(GeometryEngine.project(metres, into: .wgs84))
    #expect(degrees.xMax == back.x)
    #expect(degrees.yMax == back.y)
    let grid = try #require(GeometryEngine.combineExtents(of: [metres, empty, place]))
    #expect(grid.spatialReference == utm)
    #expect(grid.xMax == 600_000)
    #expect(abs(grid.xMin - 500_000) < 1e-3)
    let one = try #require(GeometryEngine.combineExtents(of: [empty, metres]))
    #expect(one.width == 0)
    #expect(one.height == 0)
    #expect(one.center == metres)
  }

  @Test("A geometry with a vertex that cannot be projected gives nil, and Z values are kept")
  func projection() throws {
    for latitude in [90, -90, 90.5, -91, .nan, .infinity] {
      let line = Polyline(points: [Point(latitude: 1, longitude: 2), Point(latitude: latitude, longitude: 3)])
      #expect(GeometryEngine.project(line, into: .webMercator) == nil, "\(latitude)")
    }
    #expect(GeometryEngine.project(Point(latitude: 89.9, longitude: 3), into: .webMercator) != nil)
    // No transformation exists for an unknown or missing spatial reference.
    #expect(
      GeometryEngine.project(Point(latitude: 1, longitude: 3), into: SpatialReference(wkid: 7030)) == nil)
    #expect(GeometryEngine.project(Point(x: 1, y: 3), into: .wgs84) == nil)
    let high = Point(x: 9, y: 50, z: 120, m: 7, spatialReference: .wgs84)
    for reference in [SpatialReference.webMercator, utm, .wgs84] {
      let line = try #require(GeometryEngine.project(Polyline(points: [high, high]), into: reference))
      #expect(line.parts[0].allSatisfy { $0.z == 120 && $0.m == 7 && $0.spatialReference == reference })
      #expect(GeometryEngine.project(high, into: reference)?.z == 120)
      let box = Envelope(xRange: 9...10, yRange: 50...51, zRange: 1...2, spatialReference: .wgs84)
      #expect(GeometryEngine.project(box, into: reference)?.zMax == 2)
    }
  }

  @Test(
    "Binary operations project the second geometry to the first one's spatial reference"
  )
  func binary() throws {
    let square = Envelope(xRange: 500_000...510_000, yRange: 5_600_000...5_610_000, spatialReference: utm)
    let inner = Point(x: 505_000, y: 5_605_000, spatialReference: utm)
    for reference in [SpatialReference.wgs84, .webMercator] {
      let place = try #require(GeometryEngine.project(inner, into: reference))
      #expect(GeometryEngine.doesGeometry(square, contain: place))
      #expect(GeometryEngine.isGeometry(place, within: square))
      #expect(!GeometryEngine.isGeometry(place, disjointWith: square))
      let moved = try #require(GeometryEngine.normalizeCentralMeridian(of: place) as? Point)
      #expect(GeometryEngine.intersection(moved, square)?.spatialReference == reference)
      #expect(GeometryEngine.intersection(square, moved)?.spatialReference == utm)
    }
    #expect(GeometryEngine.doesGeometry(square, contain: Point(x: 505_000, y: 5_605_000)))
    #expect(!GeometryEngine.doesGeometry(square, contain: Point(x: 8, y: 50)))
    // If the second geometry cannot be projected to the first one's spatial reference, operations give nil
    // and no relation but disjoint holds.
    let pole = Point(latitude: 90, longitude: 0)
    let world = Envelope(xRange: -1...1, yRange: -1...1, spatialReference: .webMercator)
    #expect(GeometryEngine.union(world, pole) == nil)
    #expect(!GeometryEngine.isGeometry(world, intersecting: pole))
  }

  @Test("An unclosed polygon is treated as closed in every operation")
  func closing() throws {
    let places = [(0.0, 0.0), (0, 30), (40, 0)]
    let (open, closed) = (
      Polygon(points: points(places, .wgs84)), Polygon(points: points(places + [places[0]], .wgs84))
    )
    #expect(open.toJSON() == closed.toJSON())
    #expect(GeometryEngine.length(of: open) == 120)
    #expect(GeometryEngine.area(of: open) == 600)
    let onClosingEdge = Point(latitude: 0, longitude: 20)
    #expect(GeometryEngine.isGeometry(onClosingEdge, touching: open))
    #expect(GeometryEngine.nearestCoordinate(in: open, to: Point(latitude: -3, longitude: 20))?.distance == 3)
    let dense = try #require(GeometryEngine.densify(open, maxSegmentLength: 10) as? Polygon)
    // 3 pieces up, 5 across and 4 back along the closing edge.
    #expect(dense.parts[0].count == 13)
    #expect(dense.parts[0].contains(Point(latitude: 0, longitude: 20)))
    let longest = 100_000.0
    let geodetic = try #require(GeometryEngine.geodeticDensify(open, maxSegmentLength: longest) as? Polygon)
    for segment in geodetic.parts[0].segments {
      let way = GeometryEngine.geodeticDistance(from: segment.startPoint, to: segment.endPoint)
      #expect(way.map { $0.distance.value <= longest * (1 + 1e-9) } == true)
    }
    let length = try #require(GeometryEngine.geodeticLength(of: open))
    #expect(abs(length / (GeometryEngine.geodeticLength(of: geodetic) ?? 0) - 1) < 1e-9)
  }

  @Test("Densified random polygons keep their area, and no edge exceeds the limit")
  func densified() throws {
    var random = SeededGenerator(seed: 31)
    for _ in 0..<150 {
      let vertices = ring(&random)
      let area = Polygon(points: vertices)
      let longest = Double.random(in: 3...40, using: &random)
      let dense = try #require(GeometryEngine.densify(area, maxSegmentLength: longest) as? Polygon)
      #expect(abs(GeometryEngine.length(of: dense) / GeometryEngine.length(of: area) - 1) < 1e-12)
      #expect(abs(GeometryEngine.area(of: dense) / GeometryEngine.area(of: area) - 1) < 1e-12)
      let difference = try #require(GeometryEngine.symmetricDifference(area, dense))
      #expect((difference as? Polygon).map { GeometryEngine.area(of: $0) < 1e-9 } ?? true)
      #expect(Set(vertices).isSubset(of: dense.parts[0]))
      for segment in dense.parts[0].segments {
        #expect(
          GeometryEngine.length(of: Polyline(points: [segment.startPoint, segment.endPoint])) <= longest
            * (1 + 1e-12))
      }
      for vertex in dense.parts[0] {
        #expect(abs((vertex.z ?? .nan) - (2 * vertex.x - 3 * vertex.y)) < 1e-9)
        #expect(abs((vertex.m ?? .nan) - vertex.x) < 1e-9)
      }
      // A generalized polygon keeps some of its vertices with their Z values.
      let coarse = try #require(GeometryEngine.generalize(area, maxDeviation: 20) as? Polygon)
      #expect(Set(coarse.parts[0]).isSubset(of: area.parts[0]))
      #expect(coarse.parts[0].count <= area.parts[0].count)
    }
  }

  @Test("Z values are set and removed and degenerate parts removed on request")
  func makingGeometries() throws {
    let line = Polyline(parts: [points([(0, 0), (10, 0)]), points([(50, 50), (50.5, 50)])])
    let high = GeometryEngine.makeGeometry(from: line, z: 3)
    #expect(high.parts.joined().allSatisfy { $0.z == 3 })
    #expect(!line.hasZ)
    #expect(GeometryEngine.makeGeometry(from: high, z: nil) == line)
    #expect(GeometryEngine.makeGeometry(from: Envelope(xRange: 0...1, yRange: 0...1), m: 2).mMax == 2)
    let anything: any Geometry = line
    #expect(
      GeometryEngine.makeGeometry(from: anything, z: 1) as? Polyline
        == GeometryEngine.makeGeometry(from: line, z: 1))
    let all = try #require(GeometryEngine.generalize(line, maxDeviation: 1) as? Polyline)
    let some = try #require(
      GeometryEngine.generalize(line, maxDeviation: 1, removeDegenerateParts: true) as? Polyline)
    #expect(all.parts.count == 2)
    #expect(some.parts.count == 1)
  }

  @Test("Geodesic distances and azimuths are given in the requested units")
  func geodeticUnits() throws {
    let (jfk, lhr) = (Point(latitude: 40.6, longitude: -73.8), Point(latitude: 51.6, longitude: -0.5))
    let way = try #require(
      GeometryEngine.geodeticDistance(
        from: jfk, to: lhr, distanceUnit: .kilometers, azimuthUnit: .radians, curveType: .geodesic))
    #expect(abs(way.distance.value - 5_551.759_400) < 1e-6)
    #expect(way.distance.unit == .kilometers)
    #expect(abs(way.azimuth1.value - 51.198_882_845_579 * .pi / 180) < 1e-11)
    let end = try #require(
      GeometryEngine.geodeticMove(
        [jfk], distance: way.distance.value, distanceUnit: .kilometers, azimuth: way.azimuth1.value,
        azimuthUnit: .radians, curveType: .geodesic)?.first)
    #expect(abs(end.x - lhr.x) < 1e-9)
    #expect(abs(end.y - lhr.y) < 1e-9)
    let line = Polyline(points: [jfk, lhr])
    let dense = try #require(
      GeometryEngine.geodeticDensify(
        line, maxSegmentLength: 1000, lengthUnit: .kilometers, curveType: .geodesic)
        as? Polyline)
    #expect(dense.parts[0].count == 7)
    let miles = try #require(
      GeometryEngine.geodeticLength(of: dense, lengthUnit: .miles, curveType: .geodesic))
    #expect(abs(miles - 5_551_759.4 / 1609.344) < 1e-3)
    let (wide, narrow) = (
      GeometryEngine.geodeticBuffer(
        around: jfk, distance: 10, distanceUnit: .kilometers, maxDeviation: .nan, curveType: .geodesic),
      GeometryEngine.geodeticBuffer(around: jfk, distance: 10_000)
    )
    #expect(wide == narrow)
    #expect(wide != nil)
    #expect(GeometryEngine.geodeticBuffer(around: jfk, distance: 10_000, maxDeviation: 0.5) == nil)
    // Vertices without a spatial reference use that of the line.
    let plain = Polyline(points: points([(-73.8, 40.6), (-0.5, 51.6)]), spatialReference: .wgs84)
    #expect(GeometryEngine.geodeticLength(of: plain) == GeometryEngine.geodeticLength(of: line))
  }

  /// Source: EPSG's and Esri's registries.
  @Test(
    "Spatial references have the units that PROJ reports",
    arguments: [
      (4326, CoordinateUnit.angular(.degrees)), (4258, .angular(.degrees)), (4269, .angular(.degrees)),
      (4807, .angular(.grads)), (3857, .linear(.meters)), (102100, .linear(.meters)),
      (25832, .linear(.meters)),
      (2229, .linear(.usSurveyFeet)), (2222, .linear(.feet)), (102003, .linear(.meters)),
    ])
  func unitsOfReferences(_ wkid: Int, _ unit: CoordinateUnit) throws {
    let reference = try #require(WKID(wkid).flatMap { SpatialReference(wkid: $0) })
    #expect(reference.unit == unit)
    #expect(reference.isGeographic == [4326, 4258, 4269, 4807].contains(wkid))
  }

  @Test("An unknown identifier gives no spatial reference")
  func unknownIdentifiers() throws {
    for number in [7030, 999_999, 1] {
      let wkid = try #require(WKID(number))
      #expect(SpatialReference(wkid: wkid) == nil)
      #expect(SpatialReference(wkid: number).unit == nil)
      #expect(!SpatialReference(wkid: number).isGeographic)
    }
    #expect(SpatialReference(wkid: try #require(WKID(rawValue: 102_100))) == .webMercator)
  }
}
