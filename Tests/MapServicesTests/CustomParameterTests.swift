import Foundation
import MapJSON
import MapServices
import MapState
import Testing

/// The parameters that layers of documents add to the requests to their services.
@Suite struct CustomParameterTests {
  private static let service = "https://gis.example.com/Net/FeatureServer/0"

  /// Opens a document with a layer over a stub, counts it, and returns all requests.
  private static func requests(
    _ layer: String, answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse
  ) async throws -> (requests: [HTTPRequest], document: MapDocument) {
    let stub = StubTransport { request throws(ServiceError) in answer(request) }
    let document = try await MapDocument.open(
      json: JSONValue(parsing: "{\"operationalLayers\":[{\"id\":\"a\",\"title\":\"A\",\(layer)}]}"),
      name: "map",
      folder: ".",
      catalog: SourceCatalog(standIns: StandInCatalog(), services: ServiceAccess(transport: stub)))
    var options = CountOptions()
    options.question.area = .everywhere
    _ = try await MapView(map: document.map, width: 100, height: 100).freeze().counts(options)
    return (stub.requests, document)
  }

  @Sendable private static func arcGIS(_ request: HTTPRequest) -> HTTPResponse {
    guard !request.url.contains("/query") else { return HTTPResponse(json: "{\"count\":4}") }
    return HTTPResponse(
      json: """
        {"type":"Feature Layer","name":"Pipes","geometryType":"esriGeometryPoint",
         "relationships":[{"id":0,"name":"Valves"},{"id":1,"name":"Repairs"}],
         "extent":{"xmin":1,"ymin":2,"xmax":3,"ymax":4,"spatialReference":{"wkid":4326}},
         "fields":[{"name":"OBJECTID","type":"esriFieldTypeOID"}],
         "advancedQueryCapabilities":{"supportsPagination":true}}
        """)
  }

  @Test("Parameters are added to each request, except where it has one of the name")
  func added() async throws {
    let (requests, document) = try await Self.requests(
      #""layerType":"ArcGISFeatureLayer","url":"\#(Self.service)","customParameters":{"region":"a b","year":2026,"F":"kml"}"#,
      answer: Self.arcGIS)
    #expect(requests.count > 1)
    for request in requests {
      let parameters = request.parameters
      #expect(parameters["region"] == "a b", "\(request.url)")
      #expect(parameters["year"] == "2026")
      #expect(parameters["F"] == nil)
      #expect(parameters["f"] == "json")
    }
    #expect(!"\(document.warnings)".contains("customParameters"))
  }

  @Test("A secret among the parameters is sent, and hidden in messages")
  func secrets() async throws {
    let layer =
      #""layerType":"ArcGISFeatureLayer","url":"\#(Self.service)","customParameters":{"token":"abc123def456","region":"b"}"#
    let (requests, document) = try await Self.requests(layer, answer: Self.arcGIS)
    #expect(
      requests.allSatisfy { $0.parameters["token"] == "abc123def456" && $0.parameters["region"] == "b" })
    #expect(!"\(document.warnings) \(document.notes)".contains("abc123"))
    let error = await #expect(throws: MapStateError.self) {
      _ = try await Self.requests(layer) { _ in
        HTTPResponse(json: #"{"error":{"code":498,"message":"abc123def456 is no token"}}"#)
      }
    }
    #expect(error?.description.contains("is no token") == true)
    #expect(error?.description.contains("abc123") == false)
    let plain = await #expect(throws: MapStateError.self) {
      _ = try await Self.requests(
        layer.replacingOccurrences(of: "https", with: "http"), answer: Self.arcGIS)
    }
    #expect(plain?.description.contains("a secret is only sent over https") == true)
  }

  @Test("Collections, feature types and files get their parameters")
  func kinds() async throws {
    let features = #"{"type":"FeatureCollection","features":[]}"#
    let (files, _) = try await Self.requests(
      #""layerType":"GeoJSON","url":"https://gis.example.com/a.geojson?v=1","customParameters":{"k":"2","v":"3"}"#
    ) { request in
      HTTPResponse(status: 200, header: [:], body: Array(features.utf8), url: request.url)
    }
    #expect(files.map(\.url) == ["https://gis.example.com/a.geojson?v=1&k=2"])
    let (collections, _) = try await Self.requests(
      #""layerType":"OGCFeatureLayer","url":"https://gis.example.com/ogc","collectionId":"c","customParameters":{"k":"2"}"#
    ) { request in
      let address = String(request.url.prefix { $0 != "?" })
      let text =
        address.hasSuffix("/items")
        ? #"{"type":"FeatureCollection","features":[],"numberMatched":0,"numberReturned":0}"#
        : #"{"id":"c","links":[],"conformsTo":[]}"#
      return HTTPResponse(
        status: 200, header: ["content-type": "application/json"], body: Array(text.utf8), url: request.url)
    }
    #expect(collections.count > 3)
    #expect(collections.allSatisfy { $0.parameters["k"] == "2" })
    let stub = WFSStub()
    let document = try await MapDocument.open(
      json: JSONValue(
        parsing: """
          {"operationalLayers":[{"id":"a","title":"A","layerType":"WFS","url":"\(WFSStub.root)",
           "customParameters":{"map":"a.map"},"wfsInfo":{"name":"x:cities","version":"2.0.0","maxFeatures":5,
           "customParameters":{"MAP":"b","k":2}},"layerDefinition":{"definitionExpression":"rank = 1"}}]}
          """), name: "map", folder: ".",
      catalog: SourceCatalog(standIns: StandInCatalog(), services: ServiceAccess(transport: stub)))
    var options = CountOptions()
    options.question.area = .everywhere
    let counts = try await MapView(map: document.map, width: 100, height: 100).freeze().counts(options)
    #expect(counts.layers.map(\.count) == [5])
    #expect(stub.requests.allSatisfy { $0["map"] == "a.map" && $0["k"] == "2" })
    #expect(stub.requests.first?["acceptversions"] == "2.0.0")
    #expect(!"\(document.warnings)".contains("arameters"))
  }

  @Test("A feature type without a name is not drawn, with the member that is missing")
  func unnamed() async throws {
    let document = try await MapDocument.open(
      json: JSONValue(
        parsing: #"{"operationalLayers":[{"id":"a","layerType":"WFS","url":"https://gis.example.com/wfs"}]}"#),
      name: "map", folder: ".")
    #expect(
      document.warnings.map(\.description)
        .contains("$.operationalLayers[0].wfsInfo: missing: the layer is not drawn"))
  }

  @Test("Relationships of a layer to other tables are noted")
  func relationships() async throws {
    let (_, document) = try await Self.requests(
      #""layerType":"ArcGISFeatureLayer","url":"\#(Self.service)""#, answer: Self.arcGIS)
    #expect(
      document.relationshipNotes
        == ["layer \"A\": 2 relationships to other tables of its service not followed: Valves, Repairs"])
  }
}
