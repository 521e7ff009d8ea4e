import MapFeatures
import MapServices
import MapTestSupport
import Testing

/// Damaged protocol buffers give an error and nothing worse.
@Suite struct ArcGISBufferTests {
  /// The features of a page with some bytes changed.
  private static func features(_ bytes: [UInt8], description: HTTPResponse, count: Int) async throws -> Int {
    let transport = StubTransport { (request) throws(ServiceError) in
      if !request.url.contains("/query") { return description }
      if request.parameters["returnCountOnly"] == "true" { return HTTPResponse(json: "{\"count\":\(count)}") }
      return HTTPResponse(
        status: 200, header: ["content-type": "application/x-protobuf"], body: bytes, url: request.url)
    }
    let layer = try await ArcGISLayer.open(
      "https://gis.example/arcgis/rest/services/A/FeatureServer/0",
      client: ServiceClient(transport: transport))
    return try await layer.everything().rowCount
  }

  @Test(
    "Damaged protocol buffers are refused and never trap",
    arguments: [(0, "POP_RANK = 1"), (1, "STATE = 'DE'"), (3, "RANK = 0"), (4, "1 = 1"), (5, "RANK = 0")])
  func changedAndCutBytesNeverTrap(layer: Int, clause: String) async throws {
    let address = try ArcGISServer.address("Places/FeatureServer/\(layer)")
    let description = try await ArcGISServer.client.response(to: HTTPRequest(get: address, [("f", "json")]))
    let page = try await ArcGISServer.client.response(
      to: HTTPRequest(get: address + "/query", [("where", clause), ("outFields", "*"), ("f", "pbf")]))
    let counted = try await ArcGISServer.layer(layer).count(FeatureQuery(where: clause))
    #expect(try await Self.features(page.body, description: description, count: counted) == counted)
    var random = SeededGenerator(seed: UInt64(layer))
    var refused = 0
    for round in 0..<100 {
      var bytes = page.body
      switch round % 4 {
      case 0: bytes = Array(bytes.prefix(Int.random(in: 0..<bytes.count, using: &random)))
      case 1:
        for _ in 0..<3 {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
        }
      case 2:
        // The structure is near the beginning.
        bytes[Int.random(in: 0..<min(200, bytes.count), using: &random)] =
          [0, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
      default:
        bytes = (0..<Int.random(in: 1..<200, using: &random)).map { _ in .random(in: 0...255, using: &random)
        }
      }
      do {
        _ = try await Self.features(bytes, description: description, count: counted)
      } catch is ServiceError {
        refused += 1
      }
    }
    #expect(refused > 40)
  }
}
