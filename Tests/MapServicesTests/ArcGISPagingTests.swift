import MapFeatures
import MapFilter
import MapGeometry
import MapServices
import Testing

/// Paging over a service in memory whose features are points with the ids 1 to `count`.
@Suite struct ArcGISPagingTests {
  private static let address = "https://gis.example/arcgis/rest/services/Dots/FeatureServer/0"

  /// A layer of points; `page` may change the ids of a page.
  private static func service(
    count: Int, pageSize: Int, pages: Bool = true,
    page: @escaping @Sendable (Range<Int>) -> [Int] = Array.init
  ) -> StubTransport {
    StubTransport { (request) throws(ServiceError) in
      let asked = request.parameters
      guard request.url.contains("/query") else {
        return HTTPResponse(
          json: """
            {"name":"Dots","type":"Feature Layer","geometryType":"esriGeometryPoint","maxRecordCount":\(pageSize),
             "extent":{"xmin":0,"ymin":0,"xmax":9,"ymax":9,"spatialReference":{"wkid":102100,"latestWkid":3857}},
             "fields":[{"name":"ID","type":"esriFieldTypeOID"},
               {"name":"NAME","type":"esriFieldTypeString","length":40,"nullable":false,"editable":false}],
             "copyrightText":"The town",
             "supportsAdvancedQueries":true,"advancedQueryCapabilities":{"supportsPagination":\(pages)}}
            """)
      }
      if asked["returnCountOnly"] == "true" { return HTTPResponse(json: "{\"count\":\(count)}") }
      if asked["returnIdsOnly"] == "true" {
        let ids = (1...count).reversed().map { String($0) }.joined(separator: ",")
        return HTTPResponse(json: "{\"objectIdFieldName\":\"ID\",\"objectIds\":[\(ids)]}")
      }
      let ids: [Int]
      if let list = asked["objectIds"] {
        ids = list.split(separator: ",").compactMap { Int($0) }.reversed()
      } else {
        let start = Int(asked["resultOffset"] ?? "0") ?? 0
        let end = min(count, start + min(pageSize, Int(asked["resultRecordCount"] ?? "") ?? pageSize))
        ids = page(start + 1..<end + 1)
        // Pages arrive in any order.
        try? await Task.sleep(for: .microseconds((start &* 7919) % 500))
      }
      let features = ids.map {
        "{\"attributes\":{\"ID\":\($0),\"NAME\":\"n\($0 % 3)\"},\"geometry\":{\"x\":\($0),\"y\":0.5}}"
      }
      return HTTPResponse(json: "{\"features\":[\(features.joined(separator: ","))]}")
    }
  }

  private static func features(_ transport: StubTransport) async throws -> FeatureColumns {
    let layer = try await ArcGISLayer.open(address, client: ServiceClient(transport: transport))
    return try await layer.features(QueryConditions().query(for: .query))
  }

  @Test("Field properties and the attribution of a service are read")
  func description() async throws {
    let transport = Self.service(count: 3, pageSize: 5)
    let layer = try await ArcGISLayer.open(Self.address, client: ServiceClient(transport: transport))
    let name = layer.schema.fields[1]
    #expect(name.length == 40)
    #expect(!name.isNullable)
    #expect(!name.isEditable)
    #expect(try await layer.everything().schema == layer.schema)
    #expect(layer.metadata.attribution == "The town")
  }

  @Test("A limited query fetches only the pages that it needs")
  func firstFeatures() async throws {
    let transport = Self.service(count: 10_000, pageSize: 5)
    let layer = try await ArcGISLayer.open(Self.address, client: ServiceClient(transport: transport))
    let source = try await ServiceSource(layer, operations: .builtIn)
    let before = transport.requests.count
    var page = FeaturePage()
    (page.resultOffset, page.maxFeatures) = (3, 4)
    let query = try QueryConditions().query(for: .query)
    let rows = try await source.features(query, page: page, fieldNames: [], hasGeometry: true)
    #expect(rows.objectIDs == [4, 5, 6, 7])
    #expect(transport.requests.count == before + 3)
    page.orderByFields = [OrderBy(fieldName: "NAME", sortOrder: .descending)]
    let ordered = try await source.features(query, page: page, fieldNames: [], hasGeometry: true)
    #expect(ordered.objectIDs == [11, 14, 17, 20])
    #expect(transport.requests.count > before + 2000)
    page.orderByFields = []
    #expect(
      try await source.features(query, page: page, fieldNames: [], hasGeometry: true).objectIDs == [
        4, 5, 6, 7,
      ])
  }

  @Test(
    "Pages are fetched in the order of object ids",
    arguments: [(10_000, 5), (7, 3), (9, 3), (1, 3), (3, 1000)])
  func everyPageComesInTheOrderOfIds(count: Int, pageSize: Int) async throws {
    let transport = Self.service(count: count, pageSize: pageSize)
    let table = try await Self.features(transport)
    #expect(table.rowCount == count)
    #expect(table.columns[0].storage == .integers((1...count).map { Int64($0) }))
    #expect(table.geometry?.x == (1...count).map { Double($0) })
    #expect(table.columns[1].value(at: count - 1) == .text("n\(count % 3)"))
    #expect(transport.requests.count == 2 + (count + pageSize - 1) / pageSize)
  }

  @Test("A service without paging is queried by object ids")
  func withoutPagesIdsAreAskedFor() async throws {
    let transport = Self.service(count: 2500, pageSize: 2000, pages: false)
    let table = try await Self.features(transport)
    #expect(table.columns[0].storage == .integers((1...2500).map { Int64($0) }))
    // Chunks of a thousand ids are too long for an address.
    #expect(transport.requests.filter { $0.method == .post }.count == 3)
  }

  @Test("A service without features gives a table without rows")
  func noFeaturesAreATableWithoutRows() async throws {
    let table = try await Self.features(Self.service(count: 0, pageSize: 10))
    #expect(table.rowCount == 0)
    #expect(table.schema.fields.map(\.name) == ["ID", "NAME"])
  }

  @Test("A short page is an error with the expected and received numbers")
  func aPageCutShortIsAnErrorWithBothNumbers() async throws {
    let transport = Self.service(count: 100, pageSize: 10) {
      $0.lowerBound == 51 ? Array($0.dropLast()) : Array($0)
    }
    await #expect(
      throws: ServiceError(
        "expected 10 features starting at 51 of 100, received 9", at: Self.address + "/query")
    ) { try await Self.features(transport) }
  }

  @Test("An object id in two pages is an error")
  func anIDInTwoPagesIsAnError() async throws {
    let transport = Self.service(count: 100, pageSize: 10) {
      $0.lowerBound == 51 ? [50] + Array($0.dropLast()) : Array($0)
    }
    await #expect(
      throws: ServiceError(
        "the feature with object id 50 occurs twice in its pages", at: Self.address + "/query")
    ) { try await Self.features(transport) }
  }

  @Test("A service that repeats the first page is an error")
  func aServiceThatHasNoPagesAfterAllIsAnError() async throws {
    let transport = Self.service(count: 100, pageSize: 10) { _ in Array(1...10) }
    await #expect(throws: ServiceError.self) { try await Self.features(transport) }
  }
}
