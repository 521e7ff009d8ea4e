import Foundation
import MapFeatures
import MapJSON
import MapServices
import MapState
import Testing

/// CSV layers in documents.
@Suite struct CSVLayerTests {
  /// Opens a layer of a file on a server.
  private static func open(_ csv: String, _ members: String) async throws -> MapDocument {
    let stub = StubTransport { request throws(ServiceError) in
      HTTPResponse(status: 200, header: [:], body: Array(csv.utf8), url: request.url)
    }
    var services = ServiceAccess(transport: stub)
    services.allowsPrivateAddresses = true
    let json = """
      {"operationalLayers":[{"id":"c","title":"C","layerType":"CSV","url":"https://a.example.com/places.csv",\(members)}]}
      """
    return try await MapDocument.open(
      json: JSONValue(parsing: json), name: "map", folder: ".",
      catalog: SourceCatalog(standIns: StandInCatalog(), services: services))
  }

  private static func location(_ type: String = "coordinates") -> String {
    #""locationInfo":{"locationType":"\#(type)","latitudeFieldName":"lat","longitudeFieldName":"lon"}"#
  }

  private static func fields(_ document: MapDocument) -> [Field] {
    document.layers[0].layer.frozen.source.schema.fields
  }

  @Test(
    "The sign between fields is that of the document, even if another one is more frequent",
    arguments: [(";", ";"), ("|", "|"), ("\\t", "\t"), (" ", " ")])
  func delimiters(_ written: String, _ sign: String) async throws {
    let csv = "a,b,c,d;lat;lon\n1,2,3,4;60;24\n".replacing(";", with: sign)
    let document = try await Self.open(csv, "\"columnDelimiter\":\"\(written)\"," + Self.location())
    #expect(Self.fields(document).map(\.name) == ["a,b,c,d", "lat", "lon"])
    #expect(document.warnings.isEmpty, "\(document.warnings)")
  }

  @Test("A delimiter that is no sign is reported, and the one in the header is used")
  func wrongDelimiter() async throws {
    let members = "\"columnDelimiter\":\"comma\"," + Self.location()
    let document = try await Self.open("a,lat,lon\n1,60,24\n", members)
    #expect(Self.fields(document).map(\.name) == ["a", "lat", "lon"])
    #expect(
      document.warnings.map(\.description) == [
        "$.operationalLayers[0].columnDelimiter: not applied: \"comma\" is no sign between fields; it is found in the header"
      ])
  }

  @Test("Fields that the document declares as text hold text, also if all their values are numbers")
  func textFields() async throws {
    let csv = "zip,n,lat,lon\n10115,1,60,24\n20095,2,61,25\n"
    let declared =
      #""layerDefinition":{"definitionExpression":"zip = '10115'","fields":[{"name":"ZIP","type":"esriFieldTypeString"},{"name":"n","type":"esriFieldTypeInteger"}]},"#
    let document = try await Self.open(csv, declared + Self.location())
    #expect(Self.fields(document).map(\.fieldType) == [.text, .int64, .int64, .int64])
    #expect(document.warnings.isEmpty, "\(document.warnings)")
    let table = try #require(document.layers[0].layer.frozen.source.inMemory)
    #expect(table.table.columns[0].value(at: 1) == .text("20095"))
    // Several pieces of a file are joined.
    let rows = (0..<40_000).map { "\(10_000 + $0),\($0),60,24\n" }.joined()
    let long = try await Self.open("zip,n,lat,lon\n" + rows, declared + Self.location())
    #expect(Self.fields(long)[0].fieldType == .text)
    #expect(long.layers[0].layer.frozen.source.inMemory?.rowCount == 40_000)
  }

  @Test(
    "A kind of location other than coordinates is reported, and a misspelt one with the right word",
    arguments: [
      ("address", "\"address\" is not supported: addresses are not located"),
      ("coordinate", "\"coordinate\" is not supported; did you mean \"coordinates\"?"),
    ])
  func locations(_ type: String, _ message: String) async throws {
    let document = try await Self.open("a,b\n1,60\n", Self.location(type))
    #expect(
      document.warnings.map(\.description)
        == ["$.operationalLayers[0].locationInfo.locationType: \(message)"])
    #expect(try await Self.open("a,b\n1,60\n", Self.location("none")).warnings.isEmpty)
  }
}
