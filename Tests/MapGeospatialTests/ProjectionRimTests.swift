import Foundation
import MapFeatures
import MapGeometry
import MapGeospatial
import MapTestSupport
import Testing

/// Lines and areas that cross the rim of a map's projection.
@Suite struct ProjectionRimTests {
  typealias Shape = WorldCopyRelationTests.Shape
  typealias Place = WorldCopyRelationTests.Place

  static func shown(
    _ shapes: [Shape], _ wkid: Int, from reference: SpatialReference = .wgs84
  ) throws -> (geometry: CoordinateBuffer, warnings: [String]) {
    let source = try WorldCopyRelationTests.source(shapes, reference)
    let columns = try source.shownColumns(on: SpatialReference(wkid: wkid))
    return (try #require(columns.geometry), columns.warnings)
  }

  static func project(
    _ places: [Place], from source: SpatialReference = .wgs84, to target: SpatialReference
  ) throws -> [Place] {
    var (x, y) = (places.map(\.x), places.map(\.y))
    try SpatialOperations.libraries.project(x: &x, y: &y, from: source, to: target)
    return zip(x, y).map { ($0, $1) }
  }

  /// The angle between two points on a globe, in degrees.
  static func angle(_ a: Place, _ b: Place) -> Double {
    let (p, q, d) = (a.y * .pi / 180, b.y * .pi / 180, (a.x - b.x) * .pi / 180)
    return acos(max(-1, min(1, sin(p) * sin(q) + cos(p) * cos(q) * cos(d)))) * 180 / .pi
  }

  /// Spatial references of maps, and the centre of each projection.
  static let references: [(wkid: Int, center: Place)] = [
    (54030, (0, 0)), (54009, (0, 0)), (54008, (0, 0)), (54042, (0, 0)), (5070, (-96, 23)), (3347, (-91, 63)),
    (32632, (9, 0)), (2193, (173, 0)), (3031, (0, -90)), (3413, (-45, 90)), (3995, (0, 90)),
    (3035, (10, 52)), (102038, (-72.53, 42.53)), (3832, (150, 0)), (4269, (0, 0)), (4807, (2.34, 0)),
    (54052, (0, 0)),
  ]

  /// A ring of short edges around a point between -540 and 540 degrees.
  static func blob(_ random: inout SeededGenerator) -> (shape: Shape, middle: Place, reach: Double) {
    let reach = Double.random(in: 3...25, using: &random)
    let middle = Place(
      .random(in: -540 + reach...540 - reach, using: &random), .random(in: -50...50, using: &random))
    return (Shape(kind: .polygon, parts: [Self.circle(middle, reach)]), middle, reach)
  }

  static func circle(_ middle: Place, _ reach: Double) -> [Place] {
    let ring = (0..<72).map { step in
      let angle = Double(step) * .pi / 36
      return Place(middle.x + reach * cos(angle), middle.y + reach * sin(angle))
    }
    return ring + [ring[0]]
  }

  /// Points at most a degree apart.
  static func dense(_ chain: [Place]) -> [Place] {
    var dense: [Place] = []
    for (a, b) in zip(chain, chain.dropFirst()) {
      let (dx, dy) = (b.x - a.x, b.y - a.y)
      for share in stride(from: 0.0, through: 1, by: 1 / max(1, hypot(dx, dy))) {
        dense.append(Place(a.x + dx * share, a.y + dy * share))
      }
    }
    return dense
  }

  /// Whether the projection of a point is reliable: not around the far ends of a projection.
  static func isCertain(_ place: Place, _ wkid: Int, _ center: Place) -> Bool {
    switch wkid {
    case 32632, 2193:
      let east = abs(remainder(place.x - center.x, 360))
      return abs(place.y) > 13 || abs(east - 90) > 11
    case 3031, 3413, 3995: return angle(place, center) < 145
    case 3035: return angle(place, center) < 168
    case 102038: return abs(angle(place, center) - 90) > 4
    case 3347: return place.y > -75
    default: return true
    }
  }

  @Test(
    "An area that crosses the projection's rim covers the same ground as on the globe",
    arguments: references)
  func areas(wkid: Int, center: Place) throws {
    var random = SeededGenerator(seed: UInt64(wkid))
    let blobs = (0..<50).map { _ in Self.blob(&random) }
    let (geometry, warnings) = try Self.shown(blobs.map(\.shape), wkid)
    let target = SpatialReference(wkid: wkid)
    // An area that is cut along other lines is omitted and reported.
    let left = geometry.rowCount - (0..<geometry.rowCount).count { !geometry.isEmpty(row: $0) }
    #expect(left == 0 || !warnings.isEmpty)
    var (inside, outside) = (0, 0)
    for (row, blob) in blobs.enumerated() where !geometry.isEmpty(row: row) {
      let locator = PointLocator(row: row, of: geometry)
      for factor in [0.0, 0.5, 0.9, 1.1, 1.5, 3] {
        let places = Self.circle(blob.middle, blob.reach * factor).filter {
          abs($0.y) < 84 && Self.isCertain($0, wkid, center)
        }
        // Points farther out may reach the area again around the globe.
        let plain = places.filter { place in
          factor < 1
            || (-4...4).allSatisfy { turn in
              hypot(place.x + Double(turn) * 360 - blob.middle.x, place.y - blob.middle.y) > blob.reach * 1.09
            }
        }
        for (place, image) in zip(plain, try Self.project(plain, to: target)) {
          // Very near the cut, a point may be on either side.
          let seam = abs(remainder(place.x - center.x - 180, 360))
          guard image.x.isFinite, image.y.isFinite, seam > 0.01 else { continue }
          let isInside = locator.location(x: image.x, y: image.y) != .outside
          #expect(isInside == (factor < 1), "EPSG:\(wkid) \(blob.middle) \(blob.reach) \(place)")
          if factor < 1 { inside += 1 } else { outside += 1 }
        }
      }
    }
    #expect(inside > 1000)
    #expect(outside > 1000)
  }

  @Test(
    "The middle of each projected edge lies on the line on the globe", arguments: references
  )
  func lines(wkid: Int, center: Place) throws {
    var random = SeededGenerator(seed: UInt64(wkid))
    // Rings, parallels and meridians; some with only a point at each end.
    var chains = (0..<20).map { _ in Self.blob(&random).shape.parts[0] }
    for latitude in stride(from: -75.0, through: 75, by: 15) {
      chains.append(stride(from: -200.0, through: 200, by: 5).map { ($0, latitude) })
      chains.append([(-190, latitude), (190, latitude)])
    }
    for longitude in stride(from: -540.0, to: 540, by: 90) {
      chains.append([(longitude, -80), (longitude, 0), (longitude, 80)])
    }
    let (geometry, _) = try Self.shown(chains.map { Shape(kind: .polyline, parts: [$0]) }, wkid)
    let target = SpatialReference(wkid: wkid)
    var edges = 0
    for (row, chain) in chains.enumerated() {
      let dense = Self.dense(chain)
      for part in geometry.parts(ofRow: row) {
        let vertices = geometry.vertices(ofPart: part)
        let middles = vertices.dropFirst().map {
          Place((geometry.x[$0 - 1] + geometry.x[$0]) / 2, (geometry.y[$0 - 1] + geometry.y[$0]) / 2)
        }
        for place in try Self.project(middles, from: target, to: .wgs84)
        where place.x.isFinite && place.y.isFinite {
          // Near the far ends, a millimetre on the map is many degrees.
          guard wkid != 3035 || Self.angle(place, center) < 150, Self.isCertain(place, wkid, center),
            abs(place.y) < 86
          else { continue }
          let distance = dense.reduce(360) { min($0, Self.angle($1, place)) }
          #expect(distance < 3, "EPSG:\(wkid) row \(row) \(place)")
          edges += 1
        }
      }
    }
    #expect(edges > 1000)
  }

  @Test("A polygon past 180 degrees has a piece on each side of a Robinson map")
  func robinson() throws {
    let box = WorldCopyRelationTests.box(170, -20, 190, 20)
    let (geometry, warnings) = try Self.shown(
      [box, box.moved(-360), WorldCopyRelationTests.box(-10, -10, 10, 10)], 54030)
    #expect(warnings == [])
    for row in 0..<2 {
      #expect(geometry.parts(ofRow: row).count == 2)
      let extent = geometry.envelope(ofRow: row)
      #expect(extent.xMin < -16_000_000)
      #expect(extent.xMax > 16_000_000)
      let locator = PointLocator(row: row, of: geometry)
      #expect(locator.location(x: 0, y: 0) == .outside)
      #expect(locator.location(x: 16_500_000, y: 0) == .inside)
      #expect(locator.location(x: -16_500_000, y: 0) == .inside)
    }
    #expect(geometry.parts(ofRow: 2).count == 1)
    #expect(geometry.vertices(ofRow: 2).count == 5)
  }

  @Test("A line through a pole is whole on its polar map and cut before the other pole")
  func poles() throws {
    let line = WorldCopyRelationTests.line((10, 60), (10, 90), (-170, 90), (-170, 60))
    let far = WorldCopyRelationTests.line((10, 60), (10, -90))
    let (geometry, warnings) = try Self.shown([line, far], 3413)
    #expect(geometry.parts(ofRow: 0).count == 1)
    #expect(geometry.parts(ofRow: 1).count == 1)
    let extent = geometry.envelope(ofRow: 1)
    #expect(max(abs(extent.xMin), abs(extent.xMax), abs(extent.yMin), abs(extent.yMax)) < 1e8)
    #expect(warnings == ["1 geometry crosses the rim of EPSG:3413 and is not drawn whole"])
  }

  @Test("Without GEOS an area that crosses the rim is omitted with a warning, and a line is cut")
  func withoutTopology() throws {
    let operations = SpatialOperations(
      projection: { x, y, source, target throws(SpatialOperationError) in
        try SpatialOperations.libraries.project(x: &x, y: &y, from: source, to: target)
      }, units: { _ in .linear(.meters) })
    for shape in [
      WorldCopyRelationTests.box(170, -20, 190, 20), WorldCopyRelationTests.line((170, 0), (190, 0)),
    ] {
      let source = try InMemorySource(
        FeatureColumns(
          schema: FeatureSchema(fields: [], geometryKind: shape.kind, spatialReference: .wgs84),
          columns: [], geometry: shape.row, rowCount: 1), operations: operations)
      let shown = try source.shownColumns(on: SpatialReference(wkid: 54030))
      let geometry = try #require(shown.geometry)
      if shape.kind == .polygon {
        #expect(geometry.isEmpty(row: 0))
        #expect(shown.warnings == ["1 geometry crosses the rim of EPSG:54030 and is not drawn whole"])
      } else {
        #expect(geometry.parts(ofRow: 0).count == 2)
        #expect(shown.warnings == [])
      }
    }
  }

  @Test("In Web Mercator a table in a Pacific spatial reference continues past the antimeridian")
  func pacific() throws {
    let pacific = SpatialReference(wkid: 3832)
    let ring = try Self.project(WorldCopyRelationTests.box(175, -10, 185, 10).parts[0], to: pacific)
    let source = try WorldCopyRelationTests.source([Shape(kind: .polygon, parts: [ring])], pacific)
    let extent = source.shownExtent
    #expect(abs(extent.width / WebMercator.halfWorld - 10.0 / 180) < 1e-6)
    for longitude in [178.0, -178, 182] {
      let query = WorldCopyRelationTests.box(longitude - 1, -1, longitude + 1, 1)
      #expect(try WorldCopyRelationTests.rows(source, query, .intersects) == [0])
    }
    #expect(
      try WorldCopyRelationTests.rows(source, WorldCopyRelationTests.box(-1, -1, 1, 1), .intersects) == [])
  }

  @Test("In Web Mercator an area around a pole extends to the map's edge on all meridians")
  func aroundPole() throws {
    let polar = SpatialReference(wkid: 3031)
    let ring = try Self.project(
      (0...36).map { (-180 + Double($0 % 36) * 10, -70) }, to: polar)
    let source = try WorldCopyRelationTests.source([Shape(kind: .polygon, parts: [ring])], polar)
    for longitude in stride(from: -175.0, to: 180, by: 10) {
      func rows(_ latitude: Double) throws -> [Int] {
        let box = WorldCopyRelationTests.box(longitude - 1, latitude - 1, longitude + 1, latitude + 1)
        return try WorldCopyRelationTests.rows(source, box, .intersects)
      }
      #expect(try rows(-80) == [0])
      #expect(try rows(-60) == [])
    }
  }
}
