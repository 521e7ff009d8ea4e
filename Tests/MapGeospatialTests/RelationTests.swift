import MapFeatures
import MapGeometry
import MapGeospatial
import MapSystem
import MapTestSupport
import Testing

@Suite struct RelationTests {
  private static func source(
    _ texts: [String], _ reference: SpatialReference = .wgs84, operations: SpatialOperations = .libraries
  ) throws -> InMemorySource {
    var builder = CoordinateBuilder()
    for text in texts {
      let bytes = Array(text.utf8)
      _ = try WellKnownText.appendRow(bytes, 0..<bytes.count, to: &builder)
    }
    let buffer = try #require(builder.result)
    return try InMemorySource(
      FeatureColumns(
        schema: FeatureSchema(fields: [], geometryKind: buffer.kind, spatialReference: reference),
        columns: [],
        geometry: buffer, rowCount: texts.count), operations: operations)
  }

  private static func rows(
    _ source: InMemorySource, _ relationship: SpatialRelationship, _ query: String,
    reference: SpatialReference = .wgs84, pattern: String? = nil
  ) throws -> [Int] {
    var conditions = QueryConditions()
    let geometry = try #require(try WellKnownText.geometry(query, spatialReference: reference))
    conditions.question.geometry = try SpatialCondition(geometry, relationship, pattern: pattern)
    return Array(try source.rows(conditions.query(for: .query)))
  }

  private static let square = "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))"

  struct Case: CustomTestStringConvertible {
    let relationship: SpatialRelationship, rows: [Int]
    var testDescription: String { relationship.rawValue }
  }

  /// By hand from the definitions of OGC 06-103r4, 6.1.15, read as query, relation, feature.
  @Test(
    "Relations between a query polygon and polygons follow their definitions",
    arguments: [
      Case(relationship: .equals, rows: [0]),
      Case(relationship: .contains, rows: [0, 1]),
      Case(relationship: .within, rows: [0, 2]),
      Case(relationship: .overlaps, rows: [3]),
      Case(relationship: .touches, rows: [4]),
      Case(relationship: .disjoint, rows: [5, 6]),
      Case(relationship: .intersects, rows: [0, 1, 2, 3, 4]),
      Case(relationship: .crosses, rows: []),
      Case(relationship: .envelopeIntersects, rows: [0, 1, 2, 3, 4, 6]),
      Case(relationship: .indexIntersects, rows: [0, 1, 2, 3, 4, 6]),
    ])
  func polygons(_ item: Case) throws {
    let source = try Self.source([
      Self.square,
      "POLYGON ((1 1, 2 1, 2 2, 1 2, 1 1))",
      "POLYGON ((-1 -1, 9 -1, 9 9, -1 9, -1 -1))",
      "POLYGON ((2 2, 6 2, 6 6, 2 6, 2 2))",
      "POLYGON ((4 0, 6 0, 6 4, 4 4, 4 0))",
      "POLYGON ((7 7, 8 7, 8 8, 7 8, 7 7))",
      // Around the square's corner without touching it: only the envelopes intersect.
      "POLYGON ((3 9, 9 3, 9 9, 3 9))",
      "POLYGON EMPTY",
    ])
    #expect(try Self.rows(source, item.relationship, Self.square) == item.rows)
  }

  @Test(
    "Relations between a query polygon and lines follow their definitions",
    arguments: [
      Case(relationship: .crosses, rows: [0]), Case(relationship: .contains, rows: [1]),
      Case(relationship: .touches, rows: [2, 3]), Case(relationship: .disjoint, rows: [4]),
      Case(relationship: .intersects, rows: [0, 1, 2, 3]),
    ])
  func linesAndPolygon(_ item: Case) throws {
    let source = try Self.source([
      "LINESTRING (2 2, 6 2)", "LINESTRING (1 1, 2 2)", "LINESTRING (4 1, 4 3)", "LINESTRING (4 4, 6 6)",
      "LINESTRING (5 5, 6 6)",
    ])
    #expect(try Self.rows(source, item.relationship, Self.square) == item.rows)
  }

  /// Built-in code decides relations between points and a polygon, so the library is not needed.
  @Test(
    "Relations between a query polygon and points are the same with and without GEOS",
    arguments: [
      Case(relationship: .contains, rows: [0]), Case(relationship: .touches, rows: [1, 2]),
      Case(relationship: .intersects, rows: [0, 1, 2]), Case(relationship: .disjoint, rows: [3, 4]),
      Case(relationship: .within, rows: []), Case(relationship: .equals, rows: []),
      Case(relationship: .crosses, rows: []), Case(relationship: .overlaps, rows: []),
    ])
  func pointsAndPolygon(_ item: Case) throws {
    let holed = "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 3 1, 3 3, 1 3, 1 1))"
    let points = [
      "POINT (0.5 0.5)", "POINT (4 2)", "POINT (1 2)", "POINT (2 2)", "POINT (5 5)", "POINT EMPTY",
    ]
    for operations in [SpatialOperations.libraries, .builtIn] {
      let source = try Self.source(points, operations: operations)
      #expect(try Self.rows(source, item.relationship, holed) == item.rows)
    }
  }

  /// Compares the built-in point test with GEOS, which gets the same points as single-point multipoints.
  @Test("The built-in point test agrees with GEOS")
  func ownTestAgreesWithGEOS() throws {
    var random = SeededGenerator(seed: 5)
    var compared = 0
    for _ in 0..<40 {
      // Whole numbers, so that points hit vertices and edges.
      let places = (0..<60).map { _ in
        (Int.random(in: -6...6, using: &random), Int.random(in: -6...6, using: &random))
      }
      let points = try Self.source(places.map { "POINT (\($0.0) \($0.1))" })
      let multipoints = try Self.source(places.map { "MULTIPOINT ((\($0.0) \($0.1)))" })
      let corners = (0..<3).map { _ in
        (Int.random(in: -6...6, using: &random), Int.random(in: -6...6, using: &random))
      }
      let ring = (corners + [corners[0]]).map { "\($0.0) \($0.1)" }.joined(separator: ", ")
      let (a, b, c) = (corners[0], corners[1], corners[2])
      guard (b.0 - a.0) * (c.1 - a.1) != (b.1 - a.1) * (c.0 - a.0) else { continue }
      for relationship in [SpatialRelationship.intersects, .contains, .touches, .disjoint] {
        let own = try Self.rows(points, relationship, "POLYGON ((\(ring)))")
        #expect(
          try own == Self.rows(multipoints, relationship, "POLYGON ((\(ring)))"), "\(relationship) \(ring)")
        compared += 1
      }
    }
    #expect(compared > 100)
  }

  /// Compares each relation with its definition as an intersection pattern.
  @Test("Each relation equals its intersection pattern")
  func relationsAreTheirPatterns() throws {
    var random = SeededGenerator(seed: 9)
    func box() -> String {
      let (x, y) = (Int.random(in: 0...6, using: &random), Int.random(in: 0...6, using: &random))
      let (w, h) = (Int.random(in: 1...4, using: &random), Int.random(in: 1...4, using: &random))
      return "POLYGON ((\(x) \(y), \(x + w) \(y), \(x + w) \(y + h), \(x) \(y + h), \(x) \(y)))"
    }
    let source = try Self.source((0..<200).map { _ in box() })
    let patterns: [(SpatialRelationship, [String])] = [
      (.equals, ["T*F**FFF*"]), (.contains, ["T*****FF*"]), (.within, ["T*F**F***"]),
      (.overlaps, ["T*T***T**"]),
      (.touches, ["FT*******", "F**T*****", "F***T****"]), (.disjoint, ["FF*FF****"]),
    ]
    for _ in 0..<20 {
      let query = box()
      for (relationship, texts) in patterns {
        var expected: Set<Int> = []
        for text in texts { expected.formUnion(try Self.rows(source, .relate, query, pattern: text)) }
        #expect(try Set(Self.rows(source, relationship, query)) == expected, "\(relationship) \(query)")
      }
    }
  }

  // MARK: Antimeridian

  @Test("A query polygon across the antimeridian finds features on both sides")
  func acrossTheAntimeridian() throws {
    let source = try Self.source([
      "MULTIPOLYGON (((179 0, 180 0, 180 1, 179 1, 179 0)), ((-180 0, -179 0, -179 1, -180 1, -180 0)))",
      "POLYGON ((175 0, 176 0, 176 1, 175 1, 175 0))", "POLYGON ((-176 0, -175 0, -175 1, -176 1, -176 0))",
      "POLYGON ((0 0, 1 0, 1 1, 0 1, 0 0))",
    ])
    let wide = "POLYGON ((170 -5, 190 -5, 190 5, 170 5, 170 -5))"
    let west = "POLYGON ((-190 -5, -170 -5, -170 5, -190 5, -190 -5))"
    for query in [wide, west] {
      #expect(try Self.rows(source, .intersects, query) == [0, 1, 2])
      #expect(try Self.rows(source, .contains, query) == [0, 1, 2])
      #expect(try Self.rows(source, .disjoint, query) == [3])
      #expect(try Self.rows(source, .envelopeIntersects, query) == [0, 1, 2])
    }
    // Exactly the feature that is cut at the antimeridian.
    let same = "POLYGON ((179 0, 181 0, 181 1, 179 1, 179 0))"
    #expect(try Self.rows(source, .equals, same) == [0])
    #expect(try Self.rows(source, .within, same) == [0])
    #expect(try Self.rows(source, .overlaps, "POLYGON ((179.5 0, 182 0, 182 1, 179.5 1, 179.5 0))") == [0])
  }

  @Test("Points found across the antimeridian are counted once")
  func pointsAcrossTheAntimeridianCountOnce() throws {
    let source = try Self.source([
      "POINT (175 0)", "POINT (-175 0)", "POINT (180 0)", "POINT (-180 0)", "POINT (0 0)",
    ])
    let query = "POLYGON ((170 -5, 190 -5, 190 5, 170 5, 170 -5))"
    #expect(try Self.rows(source, .intersects, query) == [0, 1, 2, 3])
    let across = Envelope(xMin: 170, yMin: -5, xMax: -170, yMax: 5, spatialReference: .wgs84)
    for relationship in [SpatialRelationship.intersects, .contains] {
      var conditions = QueryConditions()
      conditions.question.geometry = try SpatialCondition(across, relationship)
      #expect(try source.count(conditions.query(for: .query)) == 4)
    }
  }

  @Test("A query polygon several times around the world is refused")
  func geometryAroundTheWorldTwiceIsRefused() throws {
    let source = try Self.source(["POINT (1 1)"])
    #expect(throws: SpatialOperationError.self) {
      try Self.rows(source, .intersects, "POLYGON ((-900 0, 900 0, 900 5, -900 0))")
    }
  }

  // MARK: References

  /// The middle of a long edge in Web Mercator is elsewhere in degrees, and the query's edge must follow it.
  @Test("The edges of a query polygon are straight in its own spatial reference")
  func edgesFollowTheirOwnReference() throws {
    let height = WebMercator.y(latitude: 60)
    let triangle = "POLYGON ((0 0, \(WebMercator.x(longitude: 60)) \(height), 0 \(height), 0 0))"
    // Beside the edge's middle in Web Mercator, just inside and just outside.
    let latitude = WebMercator.latitude(y: height / 2)
    let source = try Self.source(["POINT (29.9999 \(latitude))", "POINT (30.0001 \(latitude))"])
    #expect(try Self.rows(source, .intersects, triangle, reference: .webMercator) == [0])
    // In degrees the straight edge is elsewhere, and both points lie above it.
    let plain = try Self.rows(source, .intersects, "POLYGON ((0 0, 60 60, 0 60, 0 0))")
    #expect(plain == [0, 1])
  }

  /// A quadrilateral in UTM zone 32 queries points in degrees: PROJ decides each point's side.
  @Test("A projected query polygon finds the points that PROJ places inside it")
  func projectedQueriesAgreeWithProjectedPlaces() throws {
    var random = SeededGenerator(seed: 21)
    let utm = SpatialReference(wkid: 25832)
    var (x, y) = (
      (0..<4000).map { _ in Double.random(in: 5...13, using: &random) },
      (0..<4000).map { _ in Double.random(in: 47...55, using: &random) }
    )
    let source = try Self.source(zip(x, y).map { "POINT (\($0) \($1))" })
    let query = "POLYGON ((300000 5300000, 800000 5350000, 700000 5900000, 400000 5950000, 300000 5300000))"
    let found = try Self.rows(source, .intersects, query, reference: utm)
    try SpatialOperations.libraries.project(x: &x, y: &y, from: .wgs84, to: utm)
    var builder = CoordinateBuilder()
    let bytes = Array(query.utf8)
    _ = try WellKnownText.appendRow(bytes, 0..<bytes.count, to: &builder)
    let locator = PointLocator(row: 0, of: try #require(builder.result))
    let expected = x.indices.filter { locator.location(x: x[$0], y: y[$0]) != .outside }
    #expect(found == expected)
    #expect(found.count > 500)
    #expect(found.count < 3500)
  }

  @Test("A projected query polygon that contains a pole is refused")
  func poleInsideAQueryIsRefused() throws {
    // A square around the north pole in polar stereographic coordinates.
    let source = try Self.source(["POINT (0 89)"])
    let query = "POLYGON ((-500000 -500000, 500000 -500000, 500000 500000, -500000 500000, -500000 -500000))"
    let error = try #require(throws: SpatialOperationError.self) {
      try Self.rows(source, .intersects, query, reference: SpatialReference(wkid: 3413))
    }
    #expect(error.description.contains("contains a pole"))
  }

  // MARK: Faults

  @Test("An invalid query polygon is refused with the position of the fault")
  func invalidQueryIsRefusedWithItsPlace() throws {
    let source = try Self.source(["POINT (0.25 0.5)"])
    let error = try #require(throws: SpatialOperationError.self) {
      try Self.rows(source, .intersects, "POLYGON ((0 0, 1 1, 1 0, 0 1, 0 0))")
    }
    #expect(error.description == "the query polygon is not valid: its outline crosses itself at 0.5, 0.5")
  }

  @Test("An invalid feature is repaired before it is tested")
  func invalidFeatureIsMadeValid() throws {
    let source = try Self.source(["POLYGON ((0 0, 2 2, 2 0, 0 2, 0 0))"])
    #expect(try Self.rows(source, .contains, "POLYGON ((-1 -1, 3 -1, 3 3, -1 3, -1 -1))") == [0])
    #expect(try Self.rows(source, .intersects, "POLYGON ((0.8 0, 1.2 0, 1 0.5, 0.8 0))") == [])
  }

  @Test("An empty query polygon intersects nothing")
  func emptyQueryMeetsNothing() throws {
    let source = try Self.source(["POINT (1 1)", "POINT EMPTY"])
    for (relationship, count) in [(SpatialRelationship.intersects, 0), (.contains, 0), (.disjoint, 1)] {
      var conditions = QueryConditions()
      conditions.question.geometry = try SpatialCondition(Polygon(parts: []), relationship)
      #expect(try source.count(conditions.query(for: .query)) == count)
    }
  }

  @Test("An invalid relation pattern is refused")
  func patternMustBeOne() throws {
    for (relationship, pattern) in [
      (SpatialRelationship.relate, nil), (.relate, "T*"), (.relate, "T*X**F***"), (.within, "T*F**F***"),
    ] {
      #expect(throws: MapStateError.self) {
        try SpatialCondition(Point(x: 0, y: 0), relationship, pattern: pattern)
      }
    }
  }

  @Test("A relation that needs GEOS is an error that names it")
  func withoutLibraryTheErrorNamesIt() throws {
    let source = try Self.source([Self.square], operations: .builtIn)
    let error = try #require(throws: SpatialOperationError.self) {
      try Self.rows(source, .within, Self.square)
    }
    #expect(error.description.contains("needs GEOS"))
  }
}
