import Foundation
import MapFeatures
import MapGeometry
import MapGeospatial
import MapTestSupport
import Testing

/// Relations of query geometries to features with longitudes beyond ±180 degrees.
@Suite struct WorldCopyRelationTests {
  typealias Place = (x: Double, y: Double)

  /// A geometry as lists of positions; a ring is closed.
  struct Shape {
    let kind: GeometryKind
    let parts: [[Place]]

    func moved(_ shift: Double) -> Shape {
      Shape(kind: kind, parts: parts.map { $0.map { ($0.x + shift, $0.y) } })
    }

    func inMercator() -> Shape {
      Shape(
        kind: kind,
        parts: parts.map { $0.map { (WebMercator.x(longitude: $0.x), WebMercator.y(latitude: $0.y)) } })
    }

    func geometry(_ reference: SpatialReference) -> any Geometry {
      let points = parts.map { $0.map { Point(x: $0.x, y: $0.y, spatialReference: reference) } }
      return switch kind {
      case .point: points[0][0]
      case .multipoint: Multipoint(points: points[0], spatialReference: reference)
      case .polyline: Polyline(parts: points, spatialReference: reference)
      case .polygon: Polygon(parts: points, spatialReference: reference)
      }
    }

    func append(to buffer: inout CoordinateBuffer) {
      guard kind != .point else { return buffer.appendPoint(x: parts[0][0].x, y: parts[0][0].y) }
      for part in parts {
        for place in part { buffer.appendVertex(x: place.x, y: place.y) }
        buffer.endPart()
      }
      buffer.endRow()
    }

    var row: CoordinateBuffer {
      var buffer = CoordinateBuffer(kind: kind)
      append(to: &buffer)
      return buffer
    }

    /// The coordinates as in WKT.
    var text: String {
      let chains = parts.map { "(" + $0.map { "\($0.x) \($0.y)" }.joined(separator: ", ") + ")" }
      return switch kind {
      case .point: "POINT \(chains[0])"
      case .multipoint: "MULTIPOINT \(chains[0])"
      case .polyline: "MULTILINESTRING (\(chains.joined(separator: ", ")))"
      case .polygon: "MULTIPOLYGON (\(chains.map { "(\($0))" }.joined(separator: ", ")))"
      }
    }
  }

  static func box(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> Shape {
    Shape(
      kind: .polygon,
      parts: [[(west, south), (east, south), (east, north), (west, north), (west, south)]])
  }

  static func line(_ places: Place...) -> Shape { Shape(kind: .polyline, parts: [places]) }

  static func source(_ shapes: [Shape], _ reference: SpatialReference = .wgs84) throws -> InMemorySource {
    var buffer = CoordinateBuffer(kind: shapes[0].kind)
    for shape in shapes { shape.append(to: &buffer) }
    return try InMemorySource(
      FeatureColumns(
        schema: FeatureSchema(fields: [], geometryKind: buffer.kind, spatialReference: reference),
        columns: [], geometry: buffer, rowCount: shapes.count), operations: .libraries)
  }

  static func rows(
    _ source: InMemorySource, _ query: Shape, _ relationship: SpatialRelationship, pattern: String? = nil,
    _ reference: SpatialReference = .wgs84
  ) throws -> [Int] {
    var conditions = QueryConditions()
    conditions.question.geometry = try SpatialCondition(
      query.geometry(reference), relationship, pattern: pattern)
    return Array(try source.rows(conditions.query(for: .query)))
  }

  static func rows(_ source: InMemorySource, cql2: String) throws -> [Int] {
    var conditions = QueryConditions()
    conditions.question.cql2 = cql2
    return Array(try source.rows(conditions.query(for: .query)))
  }

  static func rows(_ source: InMemorySource, in box: Envelope) throws -> [Int] {
    var conditions = QueryConditions()
    conditions.question.area = .envelope(box)
    return Array(try source.rows(conditions.query(for: .query)))
  }

  static let functions: [(SpatialRelationship, String)] = [
    (.intersects, "S_INTERSECTS"), (.disjoint, "S_DISJOINT"), (.equals, "S_EQUALS"),
    (.touches, "S_TOUCHES"), (.crosses, "S_CROSSES"), (.overlaps, "S_OVERLAPS"), (.contains, "S_WITHIN"),
    (.within, "S_CONTAINS"),
  ]

  // MARK: Cases by hand

  @Test("A point at longitude 235 is found by query polygons in any world copy")
  func farEast() throws {
    let source = try Self.source([Shape(kind: .point, parts: [[(235, 35)]])])
    for shift in [-360.0, 0, 360] {
      let query = Self.box(230, 20, 300, 50).moved(shift)
      #expect(try Self.rows(source, query, .intersects) == [0])
      #expect(try Self.rows(source, query, .contains) == [0])
      #expect(try Self.rows(source, query, .disjoint) == [])
      if shift <= 0 {
        #expect(try Self.rows(source, cql2: "S_INTERSECTS(geometry, \(query.text))") == [0])
      }
    }
  }

  @Test(
    "Lines beyond and across the antimeridian intersect a query polygon across it")
  func lines() throws {
    let source = try Self.source([
      Self.line((181, 2), (182, 2)), Self.line((178, 0), (182, 0)), Self.line((-179, 1), (-178, 1)),
      Self.line((-182, 3), (-181, 3)),
    ])
    let query = Self.box(170, -30, 190, 30)
    #expect(try Self.rows(source, query, .intersects) == [0, 1, 2, 3])
    #expect(try Self.rows(source, query, .contains) == [0, 1, 2, 3])
    #expect(try Self.rows(source, query, .disjoint) == [])
    #expect(try Self.rows(source, Self.box(175, -1, 181, 1), .crosses) == [1])
    #expect(try Self.rows(source, Self.line((-178, 0), (-182, 0)), .equals) == [1])
  }

  @Test("A ring past 180 degrees, its shifted copy and its two split pieces are equal")
  func split() throws {
    let whole = Self.box(178, -18, 182, -16)
    let pieces = Shape(
      kind: .polygon, parts: Self.box(178, -18, 180, -16).parts + Self.box(-180, -18, -178, -16).parts)
    let source = try Self.source([whole, pieces, whole.moved(-360)])
    for query in [whole, whole.moved(-360), whole.moved(360), pieces] {
      for relationship in [SpatialRelationship.equals, .contains, .within, .intersects] {
        #expect(try Self.rows(source, query, relationship) == [0, 1, 2], "\(relationship) \(query.text)")
      }
      for relationship in [SpatialRelationship.touches, .overlaps, .crosses, .disjoint] {
        #expect(try Self.rows(source, query, relationship) == [], "\(relationship) \(query.text)")
      }
    }
  }

  @Test("The antimeridian is not a boundary of geometries that cross it")
  func seam() throws {
    let source = try Self.source([
      Self.line((180, -1), (180, 1)), Self.line((178, -2), (182, 2)), Self.line((-180, -1), (-180, 1)),
    ])
    #expect(try Self.rows(source, Self.box(170, -30, 190, 30), .contains) == [0, 1, 2])
    #expect(try Self.rows(source, Self.line((178, 2), (182, -2)), .crosses) == [0, 1, 2])
    #expect(
      try Self.rows(source, Self.box(170, -30, 190, 30), .relate, pattern: "TFF***FF*")
        == [])
    #expect(
      try Self.rows(source, Self.box(170, -30, 190, 30), .relate, pattern: "T*****FF*")
        == [0, 1, 2])
  }

  @Test("Decimal coordinates written one world copy away are equal")
  func decimals() throws {
    let source = try Self.source([
      Shape(kind: .point, parts: [[(275.1, 1.3)]]), Shape(kind: .point, parts: [[(-84.9, 1.3)]]),
    ])
    for x in [275.1, -84.9, -444.9] {
      let query = Shape(kind: .point, parts: [[(x, 1.3)]])
      #expect(try Self.rows(source, query, .equals) == [0, 1])
    }
  }

  @Test("A query polygon wider than half the world finds the same features in metres and degrees")
  func wideQuery() throws {
    let points = [-175.0, -100, 0, 100, 175].map { Shape(kind: .point, parts: [[($0, 10)]]) }
    let query = Self.box(-170, -30, 170, 30)
    #expect(try Self.rows(try Self.source(points), query, .intersects) == [1, 2, 3])
    let mercator = try Self.source(points.map { $0.inMercator() }, .webMercator)
    #expect(try Self.rows(mercator, query, .intersects) == [1, 2, 3])
  }

  @Test("A polygon wider than the world contains everything within its latitudes")
  func widerThanWorld() throws {
    let source = try Self.source([Self.box(-190, -30, 190, 30), Self.box(178, -5, 182, 5)])
    #expect(try Self.rows(source, Self.box(100, 0, 110, 5), .intersects) == [0])
    #expect(try Self.rows(source, Self.box(100, 0, 110, 5), .within) == [0])
    #expect(try Self.rows(source, Self.box(-200, -40, 200, 40), .contains) == [0, 1])
  }

  // MARK: Generated

  /// Polygons, lines or points between -540 and 540 degrees, with no vertex of one accidentally on another.
  static func shapes(_ kind: GeometryKind, count: Int, _ random: inout SeededGenerator) -> [Shape] {
    func number(_ range: ClosedRange<Double>) -> Double {
      (Double.random(in: range, using: &random) * 1024).rounded() / 1024
    }
    return (0..<count).map { _ in
      let radius = number(1...60)
      let (x, y) = (number(-540 + radius...540 - radius), number(-60...60))
      switch kind {
      case .point: return Shape(kind: kind, parts: [[(x, y)]])
      case .multipoint:
        return Shape(
          kind: kind, parts: [(0..<3).map { _ in (x + number(-radius...radius), y + number(-20...20)) }])
      case .polyline:
        return Shape(
          kind: kind, parts: [(0..<3).map { _ in (x + number(-radius...radius), y + number(-20...20)) }])
      case .polygon:
        let corners = Int.random(in: 3...7, using: &random)
        let angles = (0..<corners).map { (Double($0) + number(0...0.9)) * 2 * .pi / Double(corners) }
        let ring = angles.map { angle in
          Place(
            ((x + radius * cos(angle)) * 1024).rounded() / 1024,
            ((y + min(radius, 20) * sin(angle)) * 1024).rounded() / 1024)
        }
        return Shape(kind: kind, parts: [ring + [ring[0]]])
      }
    }
  }

  /// The rows for which GEOS finds the relation in the plane, with the query shifted by whole worlds.
  static func reference(
    _ shapes: [Shape], _ query: Shape, _ relationship: SpatialRelationship, span: Double
  ) throws -> [Int] {
    let rows = shapes.map(\.row)
    return try rows.indices.filter { index in
      try (-3...3).contains { turn in
        let moved = query.moved(Double(turn) * span).row
        // Disjoint envelopes are skipped for speed.
        let (a, b) = (moved.envelope(ofRow: 0), rows[index].envelope(ofRow: 0))
        guard a.xMin <= b.xMax, b.xMin <= a.xMax else { return false }
        return try !SpatialOperations.libraries.compare(
          SpatialComparison(moved, relationship, rows[index])
        ).isEmpty
      }
    }
  }

  @Test(
    "Relations beyond ±180 degrees equal planar relations of shifted copies, also in CQL2",
    arguments: [GeometryKind.point, .multipoint, .polyline, .polygon])
  func generated(_ kind: GeometryKind) throws {
    var random = SeededGenerator(seed: 19)
    var found = 0
    for queryKind in [GeometryKind.point, .polyline, .polygon] {
      let shapes = Self.shapes(kind, count: 60, &random)
      var queries = Self.shapes(queryKind, count: 8, &random)
      // Copies of features, which are equal to them.
      queries += shapes.filter { $0.kind == queryKind }.prefix(4).map { $0.moved(-360) }
      let source = try Self.source(shapes)
      let moved = try Self.source(
        shapes.map { $0.moved(360) }.filter { $0.parts.joined().allSatisfy { $0.x <= 540 } })
      let movable = shapes.indices.filter { shapes[$0].parts.joined().allSatisfy { $0.x <= 180 } }
      for query in queries {
        for (relationship, function) in Self.functions {
          let rows = try Self.rows(source, query, relationship)
          var expected = try Self.reference(
            shapes, query, relationship == .disjoint ? .intersects : relationship, span: 360)
          if relationship == .disjoint { expected = shapes.indices.filter { !expected.contains($0) } }
          #expect(rows == expected, "\(relationship) \(query.text)")
          found += rows.count
          // CQL2 takes longitudes up to ±540 degrees.
          let west = query.parts.joined().reduce(0) { min($0, $1.x) }
          let written = query.moved(west < -540 ? 360 : 0)
          #expect(try Self.rows(source, cql2: "\(function)(geometry, \(written.text))") == rows)
          #expect(try Self.rows(source, query.moved(360), relationship) == rows)
          #expect(try Self.rows(source, query.moved(-360), relationship) == rows)
          let there = try Self.rows(moved, query, relationship).map { movable[$0] }
          #expect(there == rows.filter { movable.contains($0) })
        }
      }
    }
    #expect(found > 1000)
  }

  @Test(
    "An envelope and the same box as a polygon or in CQL2 agree beyond ±180 degrees",
    arguments: [GeometryKind.point, .polyline, .polygon])
  func boxes(_ kind: GeometryKind) throws {
    var random = SeededGenerator(seed: 23)
    let shapes = Self.shapes(kind, count: 120, &random)
    let degrees = try Self.source(shapes)
    let mercator = try Self.source(shapes.map { $0.inMercator() }, .webMercator)
    var found = 0
    for _ in 0..<60 {
      let (x, y) = (Double(Int.random(in: -500...440, using: &random)) + 1 / 3, 1 / 7.0)
      let (width, height) = (
        Double.random(in: 1...100, using: &random), Double.random(in: 1...60, using: &random)
      )
      let query = Self.box(x, y - height / 2, x + width, y + height / 2)
      let envelope = Envelope(
        xMin: x, yMin: y - height / 2, xMax: x + width, yMax: y + height / 2, spatialReference: .wgs84)
      let rows = try Self.rows(degrees, in: envelope)
      found += rows.count
      #expect(try Self.rows(degrees, query, .intersects) == rows)
      #expect(try Self.rows(degrees, cql2: "S_INTERSECTS(geometry, \(query.text))") == rows)
      let split = envelope.splitAtAntimeridian()
      let (west, east) = (try #require(split.first), try #require(split.last))
      let sides =
        split.count == 1
        ? [west.xMin, west.yMin, west.xMax, west.yMax]
        : [max(west.xMin, east.xMin), west.yMin, min(west.xMax, east.xMax), west.yMax]
      let text = sides.map { "\($0)" }.joined(separator: ", ")
      #expect(try Self.rows(degrees, cql2: "S_INTERSECTS(geometry, BBOX(\(text)))") == rows)
      #expect(
        try Self.rows(degrees, query, .disjoint) == shapes.indices.filter { !rows.contains($0) })
      // The same corners in metres, with straight lines between them.
      let own = envelope.projected(to: .webMercator) ?? .empty
      let metres = try Self.rows(mercator, in: own)
      #expect(try Self.rows(mercator, query.inMercator(), .intersects, .webMercator) == metres)
      for turn in [-1.0, 1] {
        let moved = query.inMercator().moved(turn * 2 * WebMercator.halfWorld)
        #expect(try Self.rows(mercator, moved, .intersects, .webMercator) == metres)
      }
      if kind == .point { #expect(metres == rows) }
      #expect(try Self.rows(mercator, query, .intersects) == metres)
    }
    #expect(found > 200)
  }

  @Test(
    "At the antimeridian an envelope and the same box as a polygon agree",
    arguments: [GeometryKind.point, .polyline, .polygon])
  func tens(_ kind: GeometryKind) throws {
    var random = SeededGenerator(seed: 29)
    func ten(_ range: ClosedRange<Int>) -> Double { Double(Int.random(in: range, using: &random)) * 10 }
    for isUncut in [false, true] {
      let shapes = (0..<80).map { _ -> Shape in
        let (x, y) = (ten(isUncut ? 10...20 : 10...14), ten(-4...4))
        let (width, height) = (10 * Double.random(in: 1...4, using: &random).rounded(), 10.0)
        return switch kind {
        case .point, .multipoint: Shape(kind: .point, parts: [[(x, y)]])
        case .polyline: Self.line((x, y), (x + width, y + height), (x + width, y))
        case .polygon: Self.box(x, y, x + width, y + height)
        }
      }
      let source = try Self.source(shapes)
      for _ in 0..<60 {
        let (x, y) = (ten(-36...36), ten(-4...3))
        let query = Self.box(x, y, x + ten(1...5), y + 10)
        let ring = query.parts[0]
        let envelope = Envelope(
          xMin: ring[0].x, yMin: ring[0].y, xMax: ring[2].x, yMax: ring[2].y, spatialReference: .wgs84)
        let met = try Self.rows(source, in: envelope)
        let found = try Self.rows(source, query, .intersects)
        // Only envelopes find shapes exactly on the antimeridian from both sides of it; no other shape may differ.
        func inset(_ side: Double, _ length: Double) -> Double {
          (side - 180).remainder(dividingBy: 360) == 0 ? side + length : side
        }
        let inner = Envelope(
          xMin: inset(envelope.xMin, 1e-6), yMin: envelope.yMin, xMax: inset(envelope.xMax, -1e-6),
          yMax: envelope.yMax, spatialReference: .wgs84)
        #expect(Set(found).isSubset(of: met), "\(query.text)")
        #expect(Set(try Self.rows(source, in: inner)).isSubset(of: found), "\(query.text)")
        if inner == envelope { #expect(found == met, "\(query.text)") }
        for relationship in [SpatialRelationship.equals, .touches, .crosses, .overlaps, .within, .contains] {
          let rows = try Self.rows(source, query, relationship)
          #expect(Set(rows).isSubset(of: met), "\(relationship) \(query.text)")
        }
      }
    }
  }
}
