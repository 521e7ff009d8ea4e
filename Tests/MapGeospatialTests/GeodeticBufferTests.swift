import MapState
import MapTestSupport
import Testing

/// Buffers on the ellipsoid, compared with distances to points along the geometry.
@Suite struct GeodeticBufferTests {
  /// Metres from a point to the nearest point of a densified geometry.
  private func distance(_ place: Point, _ dense: [Point]) -> Double {
    dense.reduce(.infinity) { nearest, other in
      min(nearest, GeometryEngine.geodeticDistance(from: place, to: other)?.distance.value ?? .infinity)
    }
  }

  private func dense(_ geometry: any Geometry, every step: Double) throws -> [Point] {
    let dense = try #require(GeometryEngine.geodeticDensify(geometry, maxSegmentLength: step))
    return switch dense.form {
    case .polyline(let line): line.parts.flatMap { $0 }
    case .polygon(let polygon): polygon.parts.flatMap { $0 }
    default: []
    }
  }

  @Test("Every corner of a line's geodetic buffer lies at the buffer distance", arguments: 1...4)
  func lines(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var inside = 0
    for _ in 0..<3 {
      let (x, y) = (
        Double.random(in: -170...170, using: &random), Double.random(in: -70...70, using: &random)
      )
      let line = Polyline(
        points: (0..<4).map { _ in
          Point(
            latitude: y + .random(in: -2...2, using: &random),
            longitude: x + .random(in: -2...2, using: &random))
        })
      let reach = Double.random(in: 20_000...60_000, using: &random)
      let buffer = try #require(GeometryEngine.geodeticBuffer(around: line, distance: reach))
      #expect(buffer.spatialReference == .wgs84)
      let places = try dense(line, every: reach / 25)
      // With points 1/25 of the distance apart, the nearest is off by up to 1/5000 of it.
      for corner in buffer.parts.joined().enumerated() where corner.offset % 60 == 0 {
        #expect(abs(distance(corner.element, places) / reach - 1) < 4e-4)
      }
      let box = buffer.extent
      for _ in 0..<30 {
        let place = Point(
          latitude: .random(in: box.yMin...box.yMax, using: &random),
          longitude: .random(in: box.xMin...box.xMax, using: &random))
        let away = distance(place, places) / reach
        let isInside = GeometryEngine.isGeometry(place, within: buffer)
        if away < 0.999 { #expect(isInside, "\(away)") }
        if away > 1.001 { #expect(!isInside, "\(away)") }
        if isInside { inside += 1 }
      }
    }
    #expect(inside > 10)
  }

  @Test("A geodetic buffer grows or shrinks an area by the same distance")
  func areas() throws {
    let square = Polygon(
      points: [(50.0, 10.0), (50.0, 11.0), (51.0, 11.0), (51.0, 10.0), (50.0, 10.0)].map {
        Point(latitude: $0.0, longitude: $0.1)
      })
    let border = try dense(square, every: 400)
    let grown = try #require(GeometryEngine.geodeticBuffer(around: square, distance: 10_000))
    let shrunk = try #require(GeometryEngine.geodeticBuffer(around: square, distance: -10_000))
    #expect(grown.parts.count == 1)
    #expect(shrunk.parts.count == 1)
    for corner in stride(from: 0, to: grown.parts[0].count, by: 9).map({ grown.parts[0][$0] }) {
      #expect(abs(distance(corner, border) / 10_000 - 1) < 4e-4)
      #expect(!GeometryEngine.isGeometry(corner, within: square))
    }
    for corner in stride(from: 0, to: shrunk.parts[0].count, by: 9).map({ shrunk.parts[0][$0] }) {
      #expect(abs(distance(corner, border) / 10_000 - 1) < 4e-4)
      #expect(GeometryEngine.isGeometry(corner, within: square))
    }
    #expect(GeometryEngine.geodeticBuffer(around: square, distance: -80_000)?.isEmpty == true)
    // The same area in another spatial reference.
    let metres = try #require(GeometryEngine.project(square, into: .webMercator))
    let same = try #require(GeometryEngine.geodeticBuffer(around: metres, distance: 10_000))
    #expect(same.spatialReference == .webMercator)
    let back = try #require(GeometryEngine.project(same, into: .wgs84))
    #expect(abs(back.extent.xMin - grown.extent.xMin) < 1e-9)
    #expect(abs(back.extent.yMax - grown.extent.yMax) < 1e-9)
  }

  @Test("Geodetic buffers cover multipoints and the antimeridian, and an impossible buffer is nil")
  func others() throws {
    let two = Multipoint(points: [Point(latitude: 0, longitude: 0), Point(latitude: 0, longitude: 10)])
    #expect(GeometryEngine.geodeticBuffer(around: two, distance: 1000)?.parts.count == 2)
    let across = Polyline(points: [Point(latitude: 10, longitude: 179), Point(latitude: 10, longitude: -179)])
    let buffer = try #require(GeometryEngine.geodeticBuffer(around: across, distance: 5000))
    #expect(buffer.parts.count == 1)
    #expect(buffer.extent.xMin > 178.9)
    #expect(buffer.extent.xMax < 181.1)
    let spot = Point(latitude: 5, longitude: 5)
    let still = try #require(
      GeometryEngine.geodeticBuffer(around: Polyline(points: [spot, spot]), distance: 9000))
    #expect(GeometryEngine.geodeticBuffer(around: spot, distance: 9000)?.extent == still.extent)
    let polar = Polyline(points: [Point(latitude: 89.9, longitude: 0), Point(latitude: 89.9, longitude: 90)])
    let aroundPole = Polygon(points: [0, 90, 180, 270].map { Point(latitude: 80, longitude: $0) })
    for (geometry, distance) in [
      (polar, 100_000), (aroundPole, 1000), (spot, 0), (spot, -5), (across, -5), (spot, .nan), (spot, 1e7),
      (Point(x: 1, y: 2), 5), (Polyline(parts: []), 5),
    ] as [(any Geometry, Double)] {
      #expect(GeometryEngine.geodeticBuffer(around: geometry, distance: distance) == nil, "\(geometry)")
    }
  }
}
