import MapFeatures
import MapFilter
import MapGeometry
import MapReaders
import Testing

@Suite struct FeatureRowsTests {
  private static let table = StatisticsTests.table([
    ("T", .text, [.text("b"), .null, .text("a"), .text("b"), .text("é")]),
    ("N", .int32, [.integer(3), .integer(1), .null, .integer(1), .integer(2)]),
    ("ID", .oid, [50, 40, 30, 20, 10].map { .integer($0) }),
  ])

  private static func rows(_ order: [(String, OrderBy.SortOrder)], offset: Int = 0, limit: Int = 0) throws
    -> [Int]
  {
    var page = FeaturePage()
    page.orderByFields = order.map { OrderBy(fieldName: $0.0, sortOrder: $0.1) }
    (page.resultOffset, page.maxFeatures) = (offset, limit)
    return try page.rows(RowSet(rowCount: 5, all: true), of: table)
  }

  @Test("Ordering is stable and treats null as the greatest value")
  func orderIsStableAndNullIsGreatest() throws {
    #expect(try Self.rows([("T", .ascending)]) == [2, 0, 3, 4, 1])
    #expect(try Self.rows([("T", .descending)]) == [1, 4, 0, 3, 2])
    #expect(try Self.rows([("N", .ascending), ("T", .descending)]) == [1, 3, 4, 0, 2])
    #expect(try Self.rows([]) == [0, 1, 2, 3, 4])
    #expect(throws: FilterError.self) { try Self.rows([("X", .ascending)]) }
  }

  @Test("Nulls come first or last as the order requests, in either direction")
  func nullOrder() throws {
    func rows(_ field: String, _ order: OrderBy.SortOrder, _ nulls: OrderBy.NullOrder) throws -> [Int] {
      var page = FeaturePage()
      page.orderByFields = [OrderBy(fieldName: field, sortOrder: order, nullOrder: nulls)]
      return try page.rows(RowSet(rowCount: 5, all: true), of: Self.table)
    }
    #expect(try rows("N", .ascending, .first) == [2, 1, 3, 4, 0])
    #expect(try rows("N", .ascending, .last) == [1, 3, 4, 0, 2])
    #expect(try rows("N", .descending, .first) == [2, 0, 4, 1, 3])
    #expect(try rows("N", .descending, .last) == [0, 4, 1, 3, 2])
    #expect(try rows("T", .descending, .last) == [4, 0, 3, 2, 1])
    #expect(OrderBy(fieldName: "N") == OrderBy(fieldName: "N", nullOrder: .last))
    #expect(OrderBy(fieldName: "N") != OrderBy(fieldName: "N", nullOrder: .first))
  }

  @Test("Offset and limit select a page of the ordered rows")
  func pages() throws {
    #expect(try Self.rows([("ID", .ascending)], offset: 1, limit: 2) == [3, 2])
    // 0 means no limit; an offset past the end leaves no rows.
    #expect(try Self.rows([("ID", .ascending)], offset: 3) == [1, 0])
    #expect(try Self.rows([], offset: 9, limit: 1) == [])
  }

  @Test("Queries select features by object id, and drawing ignores the parameters")
  func objectIDs() async throws {
    let features = try FeatureRows(Self.table, rows: [4, 0])
    #expect(features.objectIDs == [10, 50])
    var conditions = QueryConditions()
    conditions.question.objectIDs = [20, 50, 99]
    conditions.question.whereClause = "N = 3"
    let source = InMemorySource(Self.table)
    #expect(try Array(source.rows(conditions.query(for: .query))) == [0])
    #expect(try source.count(conditions.query(for: .query)) == 1)
    conditions.question.whereClause = ""
    #expect(try source.count(conditions.query(for: .query)) == 2)
    // Drawing ignores query parameters.
    #expect(try source.count(conditions.query(for: .drawing)) == 5)
    // Without an id field, rows are numbered from 1.
    let plain = StatisticsTests.table([("N", .int32, [.integer(7), .integer(8)])])
    #expect(try FeatureRows(plain, rows: [0, 1]).objectIDs == [1, 2])
    conditions.question.objectIDs = [0, 2, 3]
    #expect(try Array(InMemorySource(plain).rows(conditions.query(for: .query))) == [1])
  }

  @Test("Output fields are selected by name, and an unknown one is an error")
  func outFields() throws {
    #expect(try FeatureRows(Self.table, rows: [], fieldNames: ["n", "T", "N"]).fields == [1, 0])
    #expect(try FeatureRows(Self.table, rows: [], fieldNames: ["*"]).fields == [0, 1, 2])
    #expect(throws: FilterError.self) { try FeatureRows(Self.table, rows: [], fieldNames: ["TT"]) }
  }

  // MARK: Writers

  @Test(
    "A table written as GeoJSON or CSV reads back the same",
    arguments: [
      #"{"type":"Point","coordinates":[-1.5e-7,89.99]}"#,
      #"{"type":"MultiPoint","coordinates":[[1,2],[3,4]]}"#,
      #"{"type":"LineString","coordinates":[[1,2],[3,4.25]]}"#,
      #"{"type":"MultiLineString","coordinates":[[[1,2],[3,4]],[[5,6],[7,8]]]}"#,
      #"{"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,9],[0,0]],[[1,1],[1,2],[2,2],[1,1]]]}"#,
      #"{"type":"MultiPolygon","coordinates":[[[[0,0],[9,0],[9,9],[0,9],[0,0]],[[1,1],[1,5],[5,5],[5,1],[1,1]]],[[[2,2],[3,2],[3,3],[2,2]]],[[[20,0],[30,0],[30,9],[20,0]]]]}"#,
    ])
  func roundTrip(geometry: String) throws {
    let text = #"""
      {"type":"FeatureCollection","features":[
      {"type":"Feature","id":7,"properties":{"a,b":"x\"\n,y","n":5,"r":0.1,"b":true,"d":"2024-02-29","e":null,"o":""},"geometry":\#(geometry)},
      {"type":"Feature","id":9,"properties":{"a,b":null,"n":-3,"r":1e300,"b":false,"d":"0001-01-01","e":1,"o":"é"},"geometry":null}]}
      """#
    let table = try GeoJSONReader.read(Array(text.utf8))
    #expect(table.schema.fields[0].type == .oid)
    let features = try FeatureRows(table, rows: [0, 1])
    for bytes in [
      try GeoJSONWriter(features).document(), try GeoJSONWriter(features, isCollection: false).document(),
    ] {
      let again = try GeoJSONReader.read(bytes)
      #expect(Self.same(again.geometry, table.geometry))
      #expect(again.columns == table.columns)
    }
    let csv = try CSVReader.read(try DelimitedWriter(features).document())
    #expect(Self.same(csv.geometry, table.geometry))
    #expect(csv.rowCount == 2)
    #expect(csv.schema.fields.map(\.name).prefix(8) == table.schema.fields.map(\.name)[...])
  }

  /// Compares bit patterns, since a row without a point is NaN.
  private static func same(_ first: CoordinateBuffer?, _ second: CoordinateBuffer?) -> Bool {
    guard let first, let second else { return false }
    return first.kind == second.kind && first.rowEnds == second.rowEnds && first.partEnds == second.partEnds
      && first.x.map(\.bitPattern) == second.x.map(\.bitPattern)
      && first.y.map(\.bitPattern) == second.y.map(\.bitPattern)
  }

  @Test("GeoJSON output has counter-clockwise outer rings")
  func outerRingsRunCounterclockwise() throws {
    let clockwise =
      #"{"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":[[[0,0],[0,9],[9,9],[9,0],[0,0]],[[1,1],[2,1],[2,2],[1,1]]]}}"#
    let table = try GeoJSONReader.read(Array(clockwise.utf8))
    let text = String(
      decoding: try GeoJSONWriter(FeatureRows(table, rows: [0]), isCollection: false).document(),
      as: UTF8.self)
    #expect(
      text.contains(
        "[[[0.0,0.0],[9.0,0.0],[9.0,9.0],[0.0,9.0],[0.0,0.0]],[[1.0,1.0],[2.0,2.0],[2.0,1.0],[1.0,1.0]]]"))
  }

  @Test("Web Mercator coordinates are written to GeoJSON in degrees")
  func webMercatorIsWrittenInDegrees() throws {
    var geometry = CoordinateBuffer(kind: .point)
    geometry.appendPoint(x: WebMercator.halfWorld, y: WebMercator.halfWorld / 2)
    let table = FeatureColumns(
      schema: FeatureSchema(fields: [], geometryKind: .point, spatialReference: .webMercator), columns: [],
      geometry: geometry, rowCount: 1)
    let text = String(
      decoding: try GeoJSONWriter(FeatureRows(table, rows: [0]), isCollection: false).document(),
      as: UTF8.self)
    #expect(text.contains("[180.0,66.51326044311"))
  }
}
