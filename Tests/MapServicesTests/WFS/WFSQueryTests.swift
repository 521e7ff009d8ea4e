import MapFeatures
import MapGeometry
import MapServices
import Testing

/// The conditions that a Web Feature Service is asked for, and the selection of its features.
@Suite struct WFSQueryTests {
  /// The query that is sent, and the names of the features that match the whole query.
  private static func answer(
    _ stub: WFSStub, _ query: FeatureQuery
  ) async throws -> (sent: [String: String], names: [String]) {
    let layer = try await stub.opened()
    let source = try await ServiceSource(layer, operations: .builtIn)
    let count = try await source.count(query)
    let names = try await WFSStub.names(layer, layer.pushable(query))
    #expect(count <= names.count)
    return (stub.requests.last ?? [:], names)
  }

  @Test(
    "Whole numbers and equal texts are sent as filters, and MapState's rules decide on the features received")
  func filters() async throws {
    let (sent, names) = try await Self.answer(
      WFSStub(), try OGCStub.query(where: "rank = 1 AND name <> 'City 6'"))
    let filter = try #require(sent["filter"])
    #expect(filter.contains("<fes:ValueReference>rank</fes:ValueReference><fes:Literal>1</fes:Literal>"))
    #expect(!filter.contains("City 6"))
    #expect(names == ["City 1", "City 6", "City 11", "City 16", "City 21"])
    // The service ignores the case of letters, MapState does not.
    let upper = try await Self.answer(WFSStub(), try OGCStub.query(where: "name = 'CITY 7'"))
    #expect(upper.sent["filter"]?.contains("<fes:Literal>CITY 7</fes:Literal>") == true)
    #expect(upper.names.isEmpty)
    for clause in [
      "rank > 1.5", "name > 'City 2'", "name LIKE 'City%'", "name = ''", "name = ' x'", "rank + 1 = 2",
      "name IS NULL",
    ] {
      let layer = try await WFSStub().opened()
      #expect(layer.pushable(try OGCStub.query(where: clause)).filters.isEmpty, "\(clause)")
    }
  }

  @Test("A count of an extent is that of the features in it, whatever the service does with boxes")
  func boxes() async throws {
    let box = OGCStub.box(50, -1, 60.5, 0.5)
    for exchanges in [false, true] {
      var settings = WFSStub.Settings()
      settings.cities = WFSStub.cities(120)
      settings.exchangesBoxes = exchanges
      let stub = WFSStub(settings)
      let layer = try await stub.opened()
      let source = try await ServiceSource(layer, operations: .builtIn)
      #expect(try await source.count(OGCStub.query(in: [box])) == 11)
      let sent = try #require(stub.requests.last)
      // North comes first, with room for rounded coordinates.
      #expect(sent["bbox"] == (exchanges ? nil : "-1.0001,49.9999,0.5001,60.5001,urn:ogc:def:crs:EPSG::4326"))
      #expect(layer.notices.contains { $0.hasPrefix("extents are evaluated locally") } == exchanges)
      #expect(try await source.count(OGCStub.query(where: "rank = 1", in: [box])) == 3)
    }
  }

  @Test("A refused filter is not sent again: all features are fetched and selected")
  func refusal() async throws {
    var settings = WFSStub.Settings()
    settings.refusesFilters = true
    let stub = WFSStub(settings)
    let source = try await ServiceSource(try await stub.opened(), operations: .builtIn)
    #expect(try await source.count(OGCStub.query(where: "rank = 1")) == 5)
    #expect(stub.requests.count { $0["filter"] != nil } == 1)
    #expect(source.metadata.warnings.contains("filters are evaluated locally: the service has refused one"))
    #expect(try await source.count(OGCStub.query(where: "rank = 2")) == 5)
    #expect(stub.requests.count { $0["filter"] != nil } == 1)
  }
}
