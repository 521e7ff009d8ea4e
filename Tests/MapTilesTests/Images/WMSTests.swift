import Foundation
import MapImages
import MapJSON
import MapModel
import MapServices
import MapState
import Testing

/// Layers `WMS` of documents: requests, order of axes, and the position of the images.
@Suite struct WMSTests {
  private static func layer(_ members: String = "") -> String {
    """
    {"id":"w","title":"Ground","layerType":"WMS","url":"https://maps.example.com/wms",
    "visibleLayers":["rock","faults"]\(members.isEmpty ? "" : ",")\(members)}
    """
  }

  @Test("A view in Web Mercator is one image of its extent and size, in the form of WMS 1.3.0")
  func request() async throws {
    let server = ImageServer()
    let document = try await server.open(Self.layer(#""copyright":"The survey""#))
    #expect(document.warnings.isEmpty, "\(document.warnings)")
    let drawn = try await ImageServer.draw(document)
    #expect(drawn.image.report.allWarnings.isEmpty, "\(drawn.image.report.allWarnings)")
    #expect(try server.difference(drawn) < 1.01)
    var parameters = server.parameters
    let box = (parameters.removeValue(forKey: "BBOX") ?? "").split(separator: ",").compactMap { Double($0) }
    #expect(
      parameters == [
        "SERVICE": "WMS", "REQUEST": "GetMap", "VERSION": "1.3.0", "LAYERS": "rock,faults", "STYLES": "",
        "CRS": "EPSG:3857", "WIDTH": "200", "HEIGHT": "150", "FORMAT": "image/png", "TRANSPARENT": "TRUE",
      ])
    let extent = drawn.state.extent
    #expect(box.count == 4)
    for (side, expected) in zip(box, [extent.xMin, extent.yMin, extent.xMax, extent.yMax]) {
      #expect(abs(side - expected) < 1e-6)
    }
    #expect(drawn.image.report.attribution == "The survey")
    #expect(try await ImageServer.draw(document).image.bitmap == drawn.image.bitmap)
  }

  /// A version, the listed spatial references, the map's own and its rotation, with the name that the request has.
  struct Form: Sendable, CustomTestStringConvertible {
    let version: String
    let listed: String
    let map: Int
    let rotation: Double
    let name: String
    var testDescription: String { "\(version) \(listed) for \(map), rotated by \(rotation): \(name)" }

    init(_ version: String, _ listed: String, _ map: Int, _ rotation: Double, _ name: String) {
      (self.version, self.listed, self.map, self.rotation, self.name) = (version, listed, map, rotation, name)
    }
  }

  @Test(
    "The image lies at its position in each version, spatial reference and rotation",
    arguments: [
      Form("1.3.0", "[3857,4326]", 3857, 0, "EPSG:3857"), Form("1.1.1", "[3857,4326]", 3857, 0, "EPSG:3857"),
      Form("1.3.0", "[102100]", 3857, 0, "EPSG:102100"),
      Form("1.1.1", "[900913,4326]", 3857, 0, "EPSG:900913"),
      Form("1.3.0", "[4326]", 3857, 0, "EPSG:4326"), Form("1.1.1", "[4326]", 3857, 0, "EPSG:4326"),
      Form("1.3.0", "[84]", 3857, 0, "CRS:84"), Form("1.3.0", "[84,4326]", 4326, 0, "EPSG:4326"),
      Form("1.3.0", "[]", 4326, 0, "EPSG:4326"), Form("1.1.0", "[4326,3857]", 4326, 0, "EPSG:4326"),
      Form("1.3.0", "[]", 3857, 30, "EPSG:3857"), Form("1.3.0", "[4326]", 3857, 200, "EPSG:4326"),
      Form("1.3.0", "[3067,4326]", 3067, 0, "EPSG:3067"), Form("1.3.0", "[2393]", 2393, 0, "EPSG:2393"),
      Form("1.3.0", "[4258]", 4258, 0, "EPSG:4258"), Form("1.1.1", "[3067,4326]", 3067, 0, "EPSG:3067"),
      Form("1.3.0", "[]", 3067, 45, "EPSG:3857"),
    ])
  func place(_ form: Form) async throws {
    let server = ImageServer()
    let document = try await server.open(
      Self.layer("\"version\":\"\(form.version)\",\"spatialReferences\":\(form.listed)"),
      members: ",\"spatialReference\":{\"wkid\":\(form.map)}")
    let drawn = try await ImageServer.draw(document, rotation: form.rotation)
    #expect(drawn.state.spatialReference.wkid == form.map)
    #expect(drawn.image.report.allWarnings.isEmpty, "\(drawn.image.report.allWarnings)")
    // A pixel is about 0.02 degrees, 0.2 of a channel.
    #expect(try server.difference(drawn) < 1.3)
    let parameters = server.parameters
    #expect(parameters[form.version == "1.3.0" ? "CRS" : "SRS"] == form.name)
    #expect(parameters["VERSION"] == form.version)
    #expect(parameters[form.version == "1.3.0" ? "SRS" : "CRS"] == nil)
  }

  @Test("An image larger than the server allows is several images without a seam, also with a pixel ratio")
  func divided() async throws {
    let server = ImageServer()
    let document = try await server.open(Self.layer(#""maxWidth":120,"maxHeight":64"#))
    for (ratio, rotation, count) in [(1.0, 0.0, 12), (2.0, 0.0, 35)] {
      let before = server.requests.count
      let drawn = try await ImageServer.draw(document, rotation: rotation, pixelRatio: ratio)
      #expect(try server.difference(drawn) < 1.01)
      #expect(server.requests.count - before == count)
    }
    let sizes = server.requests.map { ImageServer.parameters(of: $0) }.map {
      ($0["WIDTH"] ?? "", $0["HEIGHT"] ?? "")
    }
    #expect(sizes.allSatisfy { (Int($0.0) ?? 0) <= 120 && (Int($0.1) ?? 0) <= 64 })
    let small = try await server.open(Self.layer(#""maxWidth":20,"maxHeight":20"#))
    let report = try await ImageServer.draw(small).image.report
    #expect(
      report.allWarnings == [
        "layer \"Ground\": https://maps.example.com/wms: not drawn: the image cannot be planned: more than 64 images would "
          + "be needed; show a smaller extent"
      ])
  }

  @Test(
    "A view across the antimeridian joins the images of both sides",
    arguments: [("[3857]", 3857, 0.0), ("[4326]", 3857, 0.0), ("[3857]", 3857, 33.0), ("[4326]", 4326, 0.0)])
  func antimeridian(_ listed: String, _ map: Int, _ rotation: Double) async throws {
    let server = ImageServer(longitude: 180, latitude: 10)
    let document = try await server.open(
      Self.layer("\"spatialReferences\":\(listed)"), members: ",\"spatialReference\":{\"wkid\":\(map)}")
    for longitude in [179.0, -179.2] {
      let drawn = try await ImageServer.draw(
        document, longitude: longitude, latitude: 10, rotation: rotation)
      #expect(try server.difference(drawn) < 1.5)
      #expect(drawn.image.report.allWarnings.isEmpty, "\(drawn.image.report.allWarnings)")
    }
    #expect(server.requests.count == 4)
    for request in server.requests {
      let box = (ImageServer.parameters(of: request)["BBOX"] ?? "").split(separator: ",").compactMap {
        Double($0)
      }
      let limit = listed == "[4326]" ? 180.1 : 20_040_000
      #expect(box.allSatisfy { abs($0) < limit }, "\(box)")
    }
  }

  @Test("A view of several worlds has an image of each, and none beyond the poles")
  func worlds() async throws {
    let server = ImageServer(longitude: 0, latitude: 0, span: 90)
    let document = try await server.open(Self.layer())
    let drawn = try await ImageServer.draw(
      document, longitude: 0, latitude: 0, scale: 900_000_000, width: 500, height: 300)
    let bitmap = drawn.image.bitmap
    #expect(bitmap[250, 2] == bitmap[3, 2] && bitmap[250, 2].blue == 255)
    #expect(bitmap[250, 150].blue == 77 && bitmap[2, 150].blue == 77 && bitmap[498, 150].blue == 77)
    #expect((3...5).contains(server.requests.count))
  }

  @Test("Members of the document are parameters, and the address of maps replaces that of the service")
  func members() async throws {
    let server = ImageServer()
    let document = try await server.open(
      Self.layer(
        """
        "mapUrl":"https://maps.example.com/cgi?map=/a.map&SERVICE=WMS&request=GetCapabilities&","format":"jpg",
        "styles":["","bold"],"version":"1.1.1","transparentBackground":false,
        "customParameters":{"dpi":"90","a":"b c"},"customLayerParameters":{"DPI":"120","FORMAT":"image/png"}
        """))
    #expect(try server.difference(try await ImageServer.draw(document)) < 1.01)
    var parameters = server.parameters
    parameters["BBOX"] = nil
    #expect(
      parameters == [
        "map": "/a.map", "a": "b c", "DPI": "120", "FORMAT": "image/png", "SERVICE": "WMS",
        "REQUEST": "GetMap",
        "VERSION": "1.1.1", "LAYERS": "rock,faults", "STYLES": ",bold", "SRS": "EPSG:3857", "WIDTH": "200",
        "HEIGHT": "150", "TRANSPARENT": "FALSE",
      ])
    #expect(server.requests[0].url.hasPrefix("https://maps.example.com/cgi?map=/a.map&"))
  }

  @Test(
    "The time of the view is sent, unless the layer does not use it",
    arguments: [
      ("", "1600000000000,1600086400000", "2020-09-13T12:26:40Z/2020-09-14T12:26:40Z"),
      ("", "1600000000000,1600000000000", "2020-09-13T12:26:40Z"),
      ("\"timeAnimation\":false", "1600000000000,1600086400000", nil),
    ] as [(String, String, String?)])
  func time(_ members: String, _ time: String, _ expected: String?) async throws {
    let server = ImageServer()
    let document = try await server.open(
      Self.layer(members), members: ",\"initialState\":{\"timeExtent\":[\(time)]}")
    #expect(try await ImageServer.draw(document).image.report.allWarnings.isEmpty)
    #expect(server.parameters["TIME"] == expected)
  }

  @Test("Layers that are hidden or out of scale are not asked for, and opacity applies to the image")
  func showing() async throws {
    let server = ImageServer()
    for hidden in [#""visibility":false"#, #""minScale":1000"#] {
      let drawn = try await ImageServer.draw(try await server.open(Self.layer(hidden)))
      #expect(drawn.image.bitmap[100, 75].blue == 255)
    }
    #expect(server.requests.isEmpty)
    let half = try await ImageServer.draw(try await server.open(Self.layer(#""opacity":0.5"#)))
    #expect(abs(Int(half.image.bitmap[100, 75].blue) - 166) <= 1)
    let gray = try await ImageServer.draw(try await server.open(Self.layer(#""effect":"invert(1)""#)))
    #expect(gray.image.bitmap[100, 75].blue == 178)
  }

  @Test("A layer without the network keeps its warning, and a stand-in replaces the service")
  func offline() async throws {
    let server = ImageServer()
    let document = try await server.open(Self.layer(), access: ServiceAccess(transport: server))
    #expect(
      document.warnings.map(\.description) == [
        "$.operationalLayers[0]: not drawn: images of a service are fetched only with --online; or map its address to a "
          + "file with --services"
      ])
    let folder = FileManager.default.temporaryDirectory.appending(path: "wms-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let place = folder.appending(path: "tiles/0/0")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let pixels = [UInt8](repeating: 90, count: 256 * 256 * 4)
    try Data(try Bitmap(width: 256, height: 256, pixels: pixels).pngData())
      .write(to: place.appending(path: "0.png"))
    try Data(#"{"https://maps.example.com/wms":"tiles"}"#.utf8)
      .write(to: folder.appending(path: "services.json"))
    let standIns = try StandInCatalog(file: folder.appending(path: "services.json").path)
    let replaced = try await server.open(
      Self.layer(), access: ServiceAccess(transport: server), standIns: standIns)
    #expect(replaced.warnings.isEmpty, "\(replaced.warnings)")
    #expect(try await ImageServer.draw(replaced).image.bitmap[100, 75].blue != 255)
    #expect(server.requests.isEmpty)
  }

  @Test("The document notes that images have no features")
  func note() async throws {
    let document = try await ImageServer().open(Self.layer())
    #expect(
      document.notes == ["layer \"Ground\" is an image of a service: it has no features to count or identify"]
    )
  }
}
