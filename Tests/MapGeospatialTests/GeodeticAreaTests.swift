import MapState
import MapTestSupport
import Testing

/// Areas on the ellipsoid of WGS 84.
@Suite struct GeodeticAreaTests {
  private static func polygon(_ corners: [(Double, Double)]) -> Polygon {
    Polygon(points: corners.map { Point(latitude: $0.0, longitude: $0.1) })
  }

  /// Source: GeographicLib's documentation (Antarctica) and its polygon tests (Planimeter0, Planimeter5), to
  /// the digits printed there.
  @Test("Geodetic areas equal the published ones")
  func published() throws {
    let antarctica: [(Double, Double)] = [
      (-63.1, -58), (-72.9, -74), (-71.9, -102), (-74.9, -102), (-74.3, -131), (-77.5, -163), (-77.4, 163),
      (-71.7, 172), (-65.9, 140), (-65.7, 113), (-66.6, 88), (-66.9, 59), (-69.8, 25), (-70.0, -4),
      (-71.0, -14), (-77.3, -33), (-77.9, -46), (-74.7, -61),
    ]
    let cases: [(corners: [(Double, Double)], area: Double, error: Double)] = [
      (antarctica, 13_662_703_680_020.1, 0.1),
      ([(89, 0), (89, 90), (89, 180), (89, 270)], 24_952_305_678, 1),
      ([(-89, 0), (-89, 90), (-89, 180), (-89, 270)], 24_952_305_678, 1),
      ([(0, -1), (-1, 0), (0, 1), (1, 0)], 24_619_419_146, 1),
      ([(90, 0), (0, 0), (0, 90)], 63_758_202_715_511, 1),
      ([(89, 0.1), (89, 90.1), (89, -179.9)], 12_476_152_838.5, 1),
    ]
    for (corners, area, error) in cases {
      let found = try #require(GeometryEngine.geodeticArea(of: Self.polygon(corners)))
      #expect(abs(found - area) <= error, "\(area)")
      // The direction of the ring does not matter.
      let turned = try #require(GeometryEngine.geodeticArea(of: Self.polygon(corners.reversed())))
      #expect(abs(turned - area) <= error)
    }
    #expect(cases.count == 6)
  }

  @Test(
    "Geodetic areas subtract holes, add parts and do not depend on the spatial reference"
  )
  func rules() throws {
    var random = SeededGenerator(seed: 4)
    for _ in 0..<50 {
      let (x, y) = (
        Double.random(in: 6...11, using: &random), Double.random(in: 47...54, using: &random)
      )
      func square(_ side: Double, _ dx: Double = 0) -> [Point] {
        [(0, 0), (0, 1), (1, 1), (1, 0), (0, 0)].map {
          Point(
            x: x + dx + ($0.0 - 0.5) * side, y: y + ($0.1 - 0.5) * side, spatialReference: .wgs84)
        }
      }
      func area(_ parts: [[Point]]) throws -> Double {
        try #require(
          GeometryEngine.geodeticArea(of: Polygon(parts: parts, spatialReference: .wgs84)))
      }
      let (outer, hole, other) = (
        try area([square(0.1)]), try area([square(0.03)]), try area([square(0.05, 1)])
      )
      #expect(
        abs(try area([square(0.1), square(0.03), square(0.05, 1)]) / (outer - hole + other) - 1) < 1e-9)
      let polygon = Polygon(parts: [square(0.02)], spatialReference: .wgs84)
      let own = try #require(GeometryEngine.geodeticArea(of: polygon))
      for wkid in [3857, 25832] {
        let there = try #require(
          GeometryEngine.project(polygon, into: SpatialReference(wkid: wkid)) as Polygon?)
        let same = try #require(GeometryEngine.geodeticArea(of: there))
        #expect(abs(same / own - 1) < 1e-6)
        // UTM's scale is between 0.9996 and 1.001 here, Web Mercator's is not.
        if wkid == 25832 { #expect(abs(GeometryEngine.area(of: there) / own - 1) < 2e-3) }
        if wkid == 3857 { #expect(GeometryEngine.area(of: there) / own > 2) }
      }
    }
  }

  @Test("Geodetic areas convert to each unit, and lines and empty geometries have zero area")
  func units() throws {
    let box = Envelope(xMin: 0, yMin: 0, xMax: 1, yMax: 1, spatialReference: .wgs84)
    let metres = try #require(GeometryEngine.geodeticArea(of: box))
    #expect(abs(metres / 12_309e6 - 1) < 1e-3)
    let units: [(AreaUnit, Double)] = [
      (.squareMeters, 1), (.squareKilometers, 1e6), (.hectares, 1e4), (.squareFeet, 0.09290304),
      (.squareYards, 0.83612736), (.acres, 4046.8564224), (.squareMiles, 2_589_988.110336),
    ]
    for (unit, size) in units {
      let area = try #require(GeometryEngine.geodeticArea(of: box, unit: unit, curveType: .geodesic))
      #expect(abs(area * size / metres - 1) < 1e-12)
    }
    let line = Polyline(points: [Point(latitude: 0, longitude: 0), Point(latitude: 1, longitude: 1)])
    #expect(GeometryEngine.geodeticArea(of: line) == 0)
    #expect(GeometryEngine.geodeticArea(of: Polygon(parts: [])) == 0)
    #expect(GeometryEngine.geodeticArea(of: Envelope.empty) == 0)
    let nowhere = Polygon(
      points: [(0.0, 0.0), (0, 91), (1, 1)].map { Point(x: $0.0, y: $0.1, spatialReference: .wgs84) })
    #expect(GeometryEngine.geodeticArea(of: nowhere) == nil)
  }
}
