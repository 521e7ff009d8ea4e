import MapFeatures
import MapFilter
import MapGeometry
import MapTestSupport
import Testing

@Suite struct InMemorySourceTests {
  /// Random rows of a kind over the world, every ninth without geometry, with a field `n` of 0 to 9.
  static func table(_ kind: GeometryKind, _ reference: SpatialReference, rows: Int, seed: UInt64)
    -> FeatureColumns
  {
    var random = SeededGenerator(seed: seed)
    let (reachX, reachY) = reference == .wgs84 ? (180.0, 85.0) : (WebMercator.halfWorld, 2e7)
    var geometry = CoordinateBuffer(kind: kind)
    for row in 0..<rows {
      guard row % 9 != 4 else {
        geometry.appendEmptyRow()
        continue
      }
      let x = Double.random(in: -reachX...reachX, using: &random)
      let y = Double.random(in: -reachY...reachY, using: &random)
      // A few on the antimeridian itself.
      let place = row % 50 == 7 ? (row % 100 == 7 ? reachX : -reachX) : x
      guard kind != .point else {
        geometry.appendPoint(x: place, y: y)
        continue
      }
      let size = Double.random(in: 0...0.1, using: &random)
      let corners = [(0.0, 0.0), (1, 0), (1, 1), (0, 0)].prefix(kind == .polygon ? 4 : 3)
      for (dx, dy) in corners {
        geometry.appendVertex(
          x: min(max(place + dx * size * reachX, -reachX), reachX), y: min(y + dy * size * reachY, reachY))
      }
      geometry.endPart()
      geometry.endRow()
    }
    let values = (0..<rows).map { _ in Int64.random(in: 0...9, using: &random) }
    return FeatureColumns(
      schema: FeatureSchema(
        fields: [Field(name: "n", type: .int64)], geometryKind: kind, spatialReference: reference),
      columns: [Column(.integers(values))], geometry: geometry, rowCount: rows)
  }

  static func query(_ envelopes: [Envelope]?, _ sql: String = "") throws -> FeatureQuery {
    var conditions = QueryConditions()
    conditions.question.area = envelopes.map { .envelopes($0) } ?? .everywhere
    conditions.question.whereClause = sql
    return try conditions.query(for: .query)
  }

  @Test(
    "Counts and rows equal a full scan, also across the antimeridian",
    arguments: [GeometryKind.point, .multipoint, .polyline, .polygon], [SpatialReference.wgs84, .webMercator])
  func scan(_ kind: GeometryKind, _ reference: SpatialReference) throws {
    let table = Self.table(kind, reference, rows: 2000, seed: 11)
    let source = InMemorySource(table)
    let geometry = try #require(table.geometry)
    var random = SeededGenerator(seed: 12)
    var (found, split) = (0, 0)
    for index in 0..<300 {
      let asked: SpatialReference = index % 2 == 0 ? .wgs84 : .webMercator
      let (reachX, reachY) = asked == .wgs84 ? (180.0, 89.0) : (WebMercator.halfWorld, 2.1e7)
      let x = Double.random(in: -1.4 * reachX...1.4 * reachX, using: &random)
      let y = Double.random(in: -reachY...reachY, using: &random)
      let envelope = Envelope(
        xMin: x, yMin: y, xMax: x + Double.random(in: 0...reachX, using: &random),
        yMax: y + Double.random(in: 0...reachY, using: &random), spatialReference: asked)
      let pieces = envelope.splitAtAntimeridian()
      split += pieces.count == 2 ? 1 : 0
      let own = pieces.compactMap { $0.projected(to: reference) }
      let sql = index % 3 == 0 ? "" : "n < 4"
      let scanned = (0..<table.rowCount).filter { row in
        (sql.isEmpty || (table.columns[0].value(at: row).isBelow(4)))
          && own.contains { geometry.row(row, meets: $0) }
      }
      let query = try Self.query(pieces, sql)
      #expect(try Array(source.rows(query)) == scanned)
      #expect(try source.count(query) == scanned.count)
      found += scanned.count
    }
    #expect(found > 10_000)
    #expect(split > 50)
  }

  @Test("A feature in both pieces of a split envelope is counted once")
  func pieces() throws {
    var geometry = CoordinateBuffer(kind: .multipoint)
    for x in [179.0, -179] { geometry.appendVertex(x: x, y: 0) }
    geometry.endPart()
    geometry.endRow()
    geometry.appendEmptyRow()
    let source = InMemorySource(
      FeatureColumns(
        schema: FeatureSchema(fields: [], geometryKind: .multipoint, spatialReference: .wgs84), columns: [],
        geometry: geometry, rowCount: 2))
    let across = Envelope(xMin: 170, yMin: -10, xMax: 190, yMax: 10, spatialReference: .wgs84)
      .splitAtAntimeridian()
    #expect(across.count == 2)
    #expect(try source.count(Self.query(across)) == 1)
    let all = Envelope(xMin: -180, yMin: -90, xMax: 180, yMax: 90, spatialReference: .wgs84)
    #expect(try source.count(Self.query([all])) == 1)
    #expect(try source.count(Self.query(nil)) == 2)
    #expect(try source.count(Self.query([])) == 0)
    #expect(source.extent == Envelope(xMin: -179, yMin: 0, xMax: 179, yMax: 0, spatialReference: .wgs84))
  }

  @Test(
    "Positions past ±180° are found in every world copy and counted once",
    arguments: [SpatialReference.wgs84, .webMercator])
  func pastTheAntimeridian(reference: SpatialReference) throws {
    let places = [175.0, 180, 185, 190, -175, -180, -190, 359, -359, -1, 1, 535, -535]
    let unit = reference == .wgs84 ? 1 : WebMercator.halfWorld / 180
    func source(_ places: [Double]) -> InMemorySource {
      var geometry = CoordinateBuffer(kind: .point)
      for place in places { geometry.appendPoint(x: place * unit, y: 0) }
      return InMemorySource(
        FeatureColumns(
          schema: FeatureSchema(fields: [], geometryKind: .point, spatialReference: reference), columns: [],
          geometry: geometry, rowCount: places.count))
    }
    func found(_ west: Double, _ east: Double, in places: [Double]) throws -> [Double] {
      let box = Envelope(
        xMin: west * unit, yMin: -1, xMax: east * unit, yMax: 1, spatialReference: reference)
      let query = try Self.query(box.splitAtAntimeridian())
      let source = source(places)
      let rows = try Array(source.rows(query))
      #expect(try source.count(query) == rows.count)
      return rows.map { places[$0] }
    }
    #expect(try found(189, 191, in: places) == [190])
    #expect(try found(-171, -169, in: places) == [190])
    #expect(try found(169, 171, in: places) == [-190])
    #expect(try found(184, 186, in: places) == [185, -175, -535])
    #expect(try found(-2, 0, in: places) == [359, -1])
    #expect(try found(0, 2, in: places) == [-359, 1])
    #expect(try found(170, 200, in: places) == [175, 180, 185, 190, -175, -180, -190, 535, -535])
    #expect(try found(-180, 180, in: places) == places)
    #expect(try found(0, 170, in: [-190, 10]) == [-190, 10])
    // A position exactly on the antimeridian is on both sides of it.
    #expect(try found(-180, -170, in: [175, 180, -175]) == [180, -175])
  }

  @Test("A table without geometry ignores query envelopes")
  func withoutGeometry() throws {
    let source = InMemorySource(
      FeatureColumns(
        schema: FeatureSchema(
          fields: [Field(name: "n", type: .int64)], geometryKind: nil, spatialReference: nil),
        columns: [Column(.integers([1, 2, 3]))], geometry: nil, rowCount: 3))
    let nowhere = Envelope(xMin: 5, yMin: 5, xMax: 6, yMax: 6, spatialReference: .wgs84)
    #expect(try source.count(Self.query([nowhere])) == 3)
    #expect(try Array(source.rows(Self.query([nowhere], "n > 1"))) == [1, 2])
    #expect(source.extent.isEmpty)
  }

  @Test("An envelope in another spatial reference is refused")
  func otherReference() throws {
    let source = InMemorySource(Self.table(.point, .wgs84, rows: 10, seed: 1))
    let lambert = Envelope(xMin: 0, yMin: 0, xMax: 1, yMax: 1, spatialReference: SpatialReference(wkid: 2154))
    let query = try Self.query([lambert])
    #expect(throws: SpatialOperationError.self) { try source.count(query) }
    #expect(throws: SpatialOperationError.self) { try source.rows(query) }
  }
}

extension AttributeValue {
  fileprivate func isBelow(_ limit: Int64) -> Bool {
    if case .integer(let value) = self { value < limit } else { false }
  }
}
