import MapFeatures
import MapFilter
import MapGeometry
import MapReaders
import MapServices
import Testing

/// Fields of a collection by its declaration and by its features, and features that change later.
@Suite struct OGCFieldsTests {
  private func layer(
    _ features: [String], schema: String? = nil, later: [String]? = nil
  ) async throws -> (OGCFeatureCollection, OGCStub) {
    var settings = OGCStub.Settings()
    (settings.features, settings.schema) = (features, schema)
    settings.select = { $0["bbox"] == nil ? nil : later }
    let stub = OGCStub(settings)
    return (try await stub.opened(), stub)
  }

  private func later(_ layer: OGCFeatureCollection) async throws -> FeatureColumns {
    try await layer.features(try OGCStub.query(in: [OGCStub.box(-180, -90, 180, 90)]))
  }

  private static let schema = #"""
    {"properties":{"a":{"type":"number"},"b":{"type":"string","format":"date-time"},"c":{"type":"string"},
      "d":{"type":"boolean"},"e":{"type":"integer"},"where":{"$ref":"https://geojson.org/schema/MultiPoint.json"}}}
    """#

  @Test("Declared field types widen the types found in the first page")
  func declaredTypesWidenWhatWasRead() async throws {
    let features = (1...1500).map {
      OGCStub.feature("\($0)", #""c":"2020-01-0\#($0 % 9 + 1)","a":\#($0),"b":"2020-01-01""#)
    }
    let (layer, stub) = try await layer(
      features, schema: Self.schema,
      later: [#"{"type":"Feature","id":"x","properties":{},"geometry":null}"#])
    #expect(layer.schema.fields.map(\.name) == ["id", "c", "a", "b", "d", "e"])
    #expect(layer.schema.fields.map(\.fieldType) == [.oid, .dateOnly, .float64, .date, .int16, .int64])
    #expect(layer.schema.geometryKind == .multipoint)
    #expect(layer.schema.geometryName == "where")
    #expect(stub.requests.count == 5, "one page is enough where all fields are declared: \(stub.requests)")
    let table = try await layer.features(try OGCStub.query())
    #expect(table.rowCount == 1500)
    #expect(table.schema == layer.schema)
    #expect(table.columns[2].value(at: 4) == .real(5))
    #expect(table.columns[5].value(at: 4) == .null)
    #expect(table.geometry?.parts(ofRow: 7).count == 1)
    await #expect(throws: ServiceError.self) { try await later(layer) }
  }

  @Test("Undeclared fields are collected from all features")
  func undeclaredFieldsAreReadOfAllFeatures() async throws {
    let features = (1...1500).map {
      OGCStub.feature("\($0)", $0 == 1500 ? #""a":2.5,"b":"late""# : #""a":\#($0)"#)
    }
    let (layer, _) = try await layer(features)
    #expect(layer.schema.fields.map(\.name) == ["id", "a", "b"])
    #expect(layer.schema.fields.map(\.fieldType) == [.oid, .float64, .text])
    #expect(layer.notices.contains("the service declares no fields: they are those of its features"))
  }

  @Test("A text field stays text when later values look like dates or numbers")
  func textStaysText() async throws {
    let (layer, _) = try await layer(
      [OGCStub.feature("1", #""a":"x","b":"y""#)],
      later: [OGCStub.feature("1", #""a":"2020-01-01","b":7.10"#)])
    let table = try await later(layer)
    #expect(table.columns[1].value(at: 0) == .text("2020-01-01"))
    #expect(table.columns[2].value(at: 0) == .text("7.10"))
  }

  @Test(
    "A field that changes its type between requests is an error",
    arguments: [
      (#""a":2.5"#, #"the field "a" held whole numbers and now holds decimal numbers"#),
      (#""a":"x""#, #"the field "a" held whole numbers and now holds text"#),
      (#""a":1,"z":1"#, #"features have a new field "z""#),
    ])
  func otherwiseLaterIsAnError(_ properties: String, _ reason: String) async throws {
    let (layer, _) = try await layer(
      [OGCStub.feature("1", #""a":1"#)], later: [OGCStub.feature("1", properties)])
    await #expect(
      throws: ServiceError(
        "sent features that differ from those at opening: \(reason)",
        at: OGCStub.root + "/collections/places/items")
    ) { try await later(layer) }
  }

  @Test("An empty collection has its declared fields")
  func anEmptyCollectionHasItsDeclaredFields() async throws {
    let (layer, _) = try await layer([], schema: Self.schema)
    #expect(layer.schema.fields.map(\.name) == ["a", "b", "c", "d", "e"])
    let table = try await layer.features(try OGCStub.query())
    #expect(table.rowCount == 0)
    #expect(table.geometry?.rowCount == 0)
    #expect(try await layer.count(try OGCStub.query(in: [])) == 0)
  }

  @Test("A collection in pages of any size equals the table of its file")
  func pagesAndAFileAreOneTable() async throws {
    let features = (0..<400).map { row -> String in
      let number = row % 7 == 0 ? "null" : row > 300 ? "\(row).5" : "\(row)"
      let text = row % 3 == 0 ? "2020-01-01" : "x\(row)"
      let place: (Double, Double)? = row % 11 == 0 ? nil : (Double(row % 90), Double(row % 45))
      return OGCStub.feature("\"f\(row)\"", "\"n\":\(number),\"t\":\"\(text)\"", at: place)
    }
    let whole = #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ",\n"))]}"#
    let file = try GeoJSONReader.read(Array(whole.utf8))
    for pageSize in [1, 7, 200, 1000] {
      var settings = OGCStub.Settings()
      (settings.features, settings.pageSize) = (features, pageSize)
      let layer = try await OGCStub(settings).opened()
      let table = try await layer.features(try OGCStub.query())
      #expect(table.schema == file.schema)
      #expect(table.columns == file.columns)
      #expect(table.geometry.map { "\($0.x) \($0.y)" } == file.geometry.map { "\($0.x) \($0.y)" })
    }
  }

  @Test("A collection of two thousand pages is read completely")
  func twoThousandPages() async throws {
    var settings = OGCStub.Settings()
    (settings.features, settings.pageSize) = (OGCStub.features(20_000), 10)
    settings.schema = #"{"properties":{"n":{"type":"integer"},"geometry":{"format":"geometry-point"}}}"#
    let stub = OGCStub(settings)
    let layer = try await stub.opened()
    let table = try await layer.features(try OGCStub.query())
    #expect(table.rowCount == 20_000)
    #expect(stub.requests.count { $0.contains("/items?limit=10000") } == 2001)
    #expect((0..<20_000).allSatisfy { table.columns[1].value(at: $0) == .integer(Int64($0)) })
  }

  @Test("Smaller pages are tried when large ones are refused")
  func smallerPagesAreTriedWhereLargeOnesAreRefused() async throws {
    var settings = OGCStub.Settings()
    settings.features = OGCStub.features(30)
    settings.change = { request, _ in
      request.url.contains("limit=1000") ? OGCStub.response("{}", status: 400, at: request.url) : nil
    }
    let stub = OGCStub(settings)
    #expect(try await stub.opened().features(try OGCStub.query()).rowCount == 30)
    #expect(
      stub.requests.filter { $0.contains("/items") }.prefix(3).map {
        OGCStub.parts(OGCStub.root + $0).query["limit"]
      } == ["10000", "1000", nil])
  }

  @Test("A collection is opened by each form of its own address")
  func aCollectionOpensByItsOwnAddress() async throws {
    var settings = OGCStub.Settings()
    settings.features = OGCStub.features(3)
    let client = ServiceClient(transport: OGCStub(settings))
    for address in [
      "/collections/places", "/collections/places/", "/collections/pl%61ces/items",
      "/collections/places/items?",
    ] {
      #expect(
        try await OGCFeatureCollection.open(OGCStub.root + address, client: client).metadata.name == "Places")
    }
    await #expect(throws: ServiceError.self) {
      try await OGCFeatureCollection.open(OGCStub.root + "/places", client: client)
    }
  }
}
