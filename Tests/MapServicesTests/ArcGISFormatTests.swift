import MapFeatures
import MapFilter
import MapGeometry
import MapJSON
import MapReaders
import MapServices
import Testing

/// One layer in every format of ArcGIS services.
@Suite struct ArcGISFormatTests {
  static let layers = [
    ArcGISServer.cities, ArcGISServer.counties, ArcGISServer.incidents, ArcGISServer.rivers,
    ArcGISServer.states,
    ArcGISServer.bends,
  ]

  @Test("Protocol buffers and JSON give the same table", arguments: layers)
  func protocolBuffersAndJSONAreTheSameTable(layer: Int) async throws {
    let buffers = try await ArcGISServer.table(layer)
    let json = try await ArcGISServer.layer(layer, "json").everything()
    #expect(buffers.schema == json.schema)
    #expect(buffers.rowCount > 50)
    #expect(buffers.geometry.map { $0.isSame(as: json.geometry) } ?? (json.geometry == nil))
    for (place, field) in json.schema.fields.enumerated() {
      #expect(
        (0..<json.rowCount).allSatisfy {
          buffers.columns[place].value(at: $0) == json.columns[place].value(at: $0)
        }, "\(field.name)")
      #expect(buffers.columns[place].type == json.columns[place].type)
    }
  }

  @Test(
    "GeoJSON read by its own reader gives the same table",
    arguments: [ArcGISServer.cities, ArcGISServer.counties, ArcGISServer.rivers, ArcGISServer.bends])
  func geoJSONByItsOwnReaderIsTheSameTable(layer: Int) async throws {
    let table = try await ArcGISServer.table(layer)
    let address = try ArcGISServer.address("Places/FeatureServer/\(layer)/query", "page/100000")
    let answer = try await ArcGISServer.client.response(
      to: HTTPRequest(get: address, [("where", "1=1"), ("outFields", "*"), ("f", "geojson")]))
    let other = try GeoJSONReader.read(answer.body)
    #expect(other.rowCount == table.rowCount)
    for (place, field) in table.schema.fields.enumerated() {
      let column = other.columns[try #require(other.schema.index(ofField: field.name))]
      #expect(
        (0..<table.rowCount).allSatisfy { table.columns[place].value(at: $0) == column.value(at: $0) },
        "\(field.name)")
    }
    let (first, second) = (try #require(table.geometry), try #require(other.geometry))
    #expect(first.kind == second.kind)
    let differing = (0..<table.rowCount).filter { first.ringsAsIn(second, row: $0) == false }
    #expect(differing == [])
  }

  @Test("The request asks for the format that the service supports")
  func theFormsAreAskedFor() async throws {
    let transport = Forwarding(ArcGISServer.client)
    let client = ServiceClient(transport: transport)
    for (variant, form) in [("", "pbf"), ("json", "json")] {
      let layer = try await ArcGISLayer.open(
        ArcGISServer.address("Places/FeatureServer/3", variant), client: client)
      _ = try await layer.everything()
      #expect(transport.log.requests.last?.parameters["f"] == form)
    }
  }

  @Test("Rounded protocol buffer coordinates are requested again as JSON")
  func roundedCoordinatesAreAskedForInJSON() async throws {
    let layer = try await ArcGISServer.layer(ArcGISServer.rivers, "page/50/fault/coarse-pbf")
    let exact = try await ArcGISServer.layer(ArcGISServer.rivers, "json").everything()
    #expect(try await layer.everything().geometry == exact.geometry)
  }

  @Test("Field types, values and nulls of a service are kept")
  func typesAndNullsAreKept() async throws {
    let table = try await ArcGISServer.table(ArcGISServer.states)
    #expect(table.schema.geometryKind == nil)
    let types: [FieldType] = [
      .oid, .text, .text, .float32, .dateOnly, .timeOnly, .int64, .guid, .timestampOffset,
    ]
    #expect(table.schema.fields.map(\.fieldType) == types)
    #expect(
      table.columns.map(\.type) == [.integer, .text, .text, .real, .date, .text, .integer, .text, .instant])
    let row = try #require(
      (0..<table.rowCount).first { table.columns[6].value(at: $0) == .integer(1 << 50 + 1) })
    #expect(table.columns[3].value(at: row) == .real(0.1))
    #expect(table.columns[4].value(at: row) == .date(try #require(CalendarDate(iso8601: "1938-08-03"))))
    #expect(
      table.columns[8].value(at: row) == .instant(try #require(Instant(rfc3339: "2022-04-16T09:13:19Z"))))
    #expect(table.columns[3].validity?.count == 40)
  }

  @Test("A layer's metadata, domains and time info are read")
  func whatALayerSaysOfItself() async throws {
    let cities = try await ArcGISServer.layer(ArcGISServer.cities)
    #expect(cities.metadata.name == "Cities")
    #expect(cities.metadata.minScale == 50_000_000)
    #expect(cities.metadata.drawingInfo?["renderer"]?["type"] == "simple")
    #expect(cities.schema.fields[5].alias == "Rank")
    #expect(cities.schema.fields[5].domain == .range(name: "rank", least: .integer(1), greatest: .integer(7)))
    #expect(
      cities.schema.fields[3].domain
        == .codedValues(name: "status", [.init(name: "Capital of its country", code: .text("capital"))]))
    #expect(cities.statedExtent?.spatialReference == .wgs84)
    #expect(cities.notices == [])
    let incidents = try await ArcGISServer.layer(ArcGISServer.incidents)
    #expect(incidents.metadata.timeInfo == TimeInfo(startField: "req_date"))
    #expect(incidents.schema.spatialReference == .webMercator)
    let plain = try await ArcGISServer.layer(ArcGISServer.cities, "plain/ids")
    #expect(plain.notices.count == 2)
  }

  @Test("A service is opened by several forms of its address")
  func addressesOfServices() async throws {
    let one = try await ArcGISLayer.open(
      ArcGISServer.address("Cities/FeatureServer/?f=json"), client: ArcGISServer.client)
    #expect(one.metadata.name == "Cities")
    let map = try await ArcGISServer.layer(ArcGISServer.rivers, service: "MapServer").everything()
    #expect(map.columns == (try await ArcGISServer.layer(ArcGISServer.rivers).everything().columns))
    let several = try ArcGISServer.address("Places/FeatureServer")
    await #expect(
      throws: ServiceError(
        "a service of 6 layers: add the number of one to the address: 0 Cities, 1 Counties, 2 Incidents, 3 Rivers, 5 Bends, 4 States",
        at: several)
    ) { try await ArcGISLayer.open(several, client: ArcGISServer.client) }
    await #expect(throws: ServiceError.self) {
      try await ArcGISLayer.open("https://gis.example/arcgis/rest/services", client: ArcGISServer.client)
    }
  }
}

/// The transport of a client that logs requests.
private struct Forwarding: HTTPTransport {
  let log: StubTransport

  init(_ client: ServiceClient) {
    log = StubTransport { (request) throws(ServiceError) in try await client.response(to: request) }
  }

  func response(
    to request: HTTPRequest, before deadline: ContinuousClock.Instant
  ) async throws(ServiceError) -> HTTPResponse { try await log.response(to: request, before: deadline) }
}

extension CoordinateBuffer {
  /// Whether two buffers are equal, including empty positions, which are NaN.
  fileprivate func isSame(as other: CoordinateBuffer?) -> Bool {
    guard let other else { return false }
    return x.map(\.bitPattern) == other.x.map(\.bitPattern)
      && y.map(\.bitPattern) == other.y.map(\.bitPattern)
      && partEnds == other.partEnds && rowEnds == other.rowEnds && kind == other.kind
  }

  /// Whether a row is the same in another buffer, whose rings may have the opposite direction.
  fileprivate func ringsAsIn(_ other: CoordinateBuffer, row: Int) -> Bool {
    func parts(_ buffer: CoordinateBuffer) -> [[Double]] {
      guard buffer.kind != .point else {
        return buffer.isEmpty(row: row) ? [] : [[buffer.x[row], buffer.y[row]]]
      }
      return buffer.parts(ofRow: row).map { part in
        let range = buffer.vertices(ofPart: part)
        let isForwards = kind != .polygon || buffer.doubleArea(ofPart: part) > 0
        let order = isForwards ? Array(range) : range.reversed()
        return order.flatMap { [buffer.x[$0], buffer.y[$0]] }
      }
    }
    return parts(self) == parts(other)
  }
}
