import Foundation
import MapImages
import MapJSON
import MapModel
import MapServices
import MapState
import Testing

/// Image services and map services of ArcGIS, and WMTS layers, in documents.
@Suite struct ArcGISImageTests {
  private static let service = "https://gis.example.com/rest/services/Town/MapServer"

  private static func json(_ text: String) -> HTTPResponse {
    HTTPResponse(
      status: 200, header: ["content-type": "application/json"], body: Array(text.utf8), url: "")
  }

  @Test(
    "An image service is asked in the spatial reference of the map",
    arguments: [(3857, 102100), (3067, 3067)])
  func imageService(_ map: Int, _ number: Int) async throws {
    let server = ImageServer()
    let document = try await server.open(
      """
      {"id":"i","title":"Photo","layerType":"ArcGISImageServiceLayer",
      "url":"https://gis.example.com/rest/services/Photo/ImageServer/","format":"jpgpng","compressionQuality":80,
      "pixelType":"U8","interpolation":"RSP_NearestNeighbor","noData":0,"bandIds":[3,1,0],
      "mosaicRule":{"mosaicMethod":"esriMosaicNorthwest"},"layerDefinition":{"definitionExpression":"year > 2000"},
      "renderingRule":{"rasterFunction":"Hillshade"}}
      """, members: ",\"spatialReference\":{\"wkid\":\(map)}")
    #expect(document.warnings.isEmpty, "\(document.warnings)")
    let drawn = try await ImageServer.draw(document)
    #expect(drawn.image.report.allWarnings.isEmpty, "\(drawn.image.report.allWarnings)")
    #expect(try server.difference(drawn) < 1.01)
    var parameters = server.parameters
    #expect(parameters.removeValue(forKey: "bbox") != nil)
    #expect(
      parameters == [
        "f": "image", "bboxSR": "\(number)", "imageSR": "\(number)", "size": "200,150", "format": "jpgpng",
        "compressionQuality": "80", "pixelType": "U8", "interpolation": "RSP_NearestNeighbor", "noData": "0",
        "bandIds": "3,1,0", "renderingRule": #"{"rasterFunction":"Hillshade"}"#,
        "mosaicRule": #"{"mosaicMethod":"esriMosaicNorthwest","where":"year > 2000"}"#,
      ])
    #expect(
      server.requests[0].url.hasPrefix("https://gis.example.com/rest/services/Photo/ImageServer/exportImage?")
    )
  }

  @Test("Rotated images, times with an open end and pixel ratios of ArcGIS services")
  func views() async throws {
    let server = ImageServer()
    let document = try await server.open(
      #"{"title":"P","layerType":"ArcGISImageServiceLayer","url":"https://gis.example.com/P/ImageServer","format":"lerc"}"#,
      members: ",\"initialState\":{\"timeExtent\":[1600000000000,null]}")
    let drawn = try await ImageServer.draw(document, rotation: 70)
    #expect(try server.difference(drawn) < 1.3)
    #expect(server.parameters["time"] == "1600000000000,null")
    #expect(server.parameters["format"] == "jpgpng")
    let fine = try await ImageServer.draw(document, pixelRatio: 2)
    #expect(fine.image.bitmap.width == 400)
    #expect(try server.difference(fine) < 1.01)
    let painted = try await server.open(
      """
      {"title":"P","layerType":"ArcGISImageServiceLayer","url":"https://gis.example.com/P/ImageServer",
      "layerDefinition":{"drawingInfo":{"renderer":{"type":"simple"}}}}
      """)
    #expect(
      painted.warnings.map(\.description) == [
        "$.operationalLayers[0].layerDefinition.drawingInfo: approximated: the service draws the image"
      ])
  }

  private static func layer(_ members: String = "") -> String {
    "{\"id\":\"s\",\"title\":\"Town\",\"layerType\":\"ArcGISMapServiceLayer\",\"url\":\"\(service)\"\(members)}"
  }

  /// A service of rasters between layers of features.
  private static let mixed = """
    {"capabilities":"Map,Query,Data","layers":[
      {"id":0,"name":"Signs","defaultVisibility":true,"type":"Feature Layer"},
      {"id":1,"name":"Photo","defaultVisibility":true,"type":"Raster Layer"},
      {"id":2,"name":"Heights","defaultVisibility":true,"type":"Raster Layer"},
      {"id":3,"name":"Old","defaultVisibility":false,"type":"Raster Layer"},
      {"id":4,"name":"Ground","defaultVisibility":true,"type":"Feature Layer"}]}
    """

  /// Returns a server with a description and empty layers of features.
  private static func server(_ description: String) -> ImageServer {
    ImageServer { parameters in
      if parameters["bbox"] != nil, parameters["bboxSR"] != nil { return nil }
      if parameters["returnCountOnly"] != nil { return json("{\"count\":0}") }
      return parameters["f"] == "json" && parameters["where"] == nil
        ? json(
          String(description.dropLast())
            + """
            ,"type":"Feature Layer","name":"Own","geometryType":"esriGeometryPoint","spatialReference":{"wkid":4326},
            "fields":[{"name":"OBJECTID","type":"esriFieldTypeOID"}],
            "drawingInfo":{"renderer":{"type":"simple","symbol":{"type":"esriSMS","style":"esriSMSCircle","size":6}}},
            "advancedQueryCapabilities":{"supportsPagination":true}}
            """)
        : json("{\"features\":[]}")
    }
  }

  @Test("Sublayers without features are one image at their position among the others")
  func rasters() async throws {
    let server = Self.server(Self.mixed)
    let document = try await server.open(Self.layer(",\"opacity\":0.5"))
    #expect(document.map.operationalLayers.map(\.name) == ["Ground", "Heights, Photo", "Signs"])
    #expect(!document.warnings.contains { $0.description.contains("not drawn") }, "\(document.warnings)")
    _ = try await ImageServer.draw(document)
    let exports = server.requests.filter { $0.url.contains("/export?") }.map {
      ImageServer.parameters(of: $0)
    }
    #expect(exports.count == 1)
    #expect(exports.first?["layers"] == "show:2,1")
    #expect(exports.first?["dpi"] == "96")
    #expect(exports.first?["transparent"] == "true")
    #expect(exports.first?["format"] == "png32")
    let tiles = document.map.tiledLayers
    #expect(tiles.count == 1 && tiles[0].opacity == 0.5)
  }

  @Test("A service without queries is one image with the filters of the document")
  func withoutQueries() async throws {
    let server = Self.server(Self.mixed.replacing("Map,Query,Data", with: "Map"))
    let document = try await server.open(
      Self.layer(
        #","visibleLayers":[0,4],"layers":[{"id":4,"layerDefinition":{"definitionExpression":"n > 3"}}]"#))
    #expect(document.warnings.isEmpty, "\(document.warnings)")
    let drawn = try await ImageServer.draw(document, pixelRatio: 2)
    #expect(try server.difference(drawn) < 1.01)
    let export = try #require(server.requests.first { $0.url.contains("/export?") })
    let parameters = ImageServer.parameters(of: export)
    #expect(parameters["layers"] == "show:4,0")
    #expect(parameters["layerDefs"] == #"{"4":"n > 3"}"#)
    #expect(parameters["dpi"] == "192")
  }

  @Test("Sublayers with a drawing of the document are dynamic layers")
  func dynamicLayers() async throws {
    let server = Self.server(Self.mixed.replacing("Map,Query,Data", with: "Map"))
    let document = try await server.open(
      Self.layer(
        #","visibleLayers":[0,4],"layers":[{"id":4,"layerDefinition":{"drawingInfo":{"transparency":10}}}]"#))
    _ = try await ImageServer.draw(document)
    let export = try #require(server.requests.first { $0.url.contains("/export?") })
    #expect(
      ImageServer.parameters(of: export)["dynamicLayers"]
        == #"[{"id":0,"source":{"type":"mapLayer","mapLayerId":0}},{"id":4,"source":{"type":"mapLayer","mapLayerId":4},"drawingInfo":{"transparency":10}}]"#
    )
  }

  @Test("Without the network, sublayers without features keep their warning")
  func offline() async throws {
    let server = Self.server(Self.mixed)
    let document = try await server.open(Self.layer(), access: ServiceAccess(transport: server))
    #expect(
      document.warnings.map(\.description).filter { $0.contains("Raster Layer") } == [
        "$.operationalLayers[0]: not drawn: the sublayer \"Heights\" is a Raster Layer, which has no features",
        "$.operationalLayers[0]: not drawn: the sublayer \"Photo\" is a Raster Layer, which has no features",
      ])
  }

  @Test("A map service in a basemap is an image, and the bundled basemap is not drawn")
  func basemap() async throws {
    let server = ImageServer()
    let base = Self.layer(#","visibleLayers":[1,2],"isReference":false"#)
    let document = try await server.open(
      members: ",\"baseMap\":{\"title\":\"b\",\"baseMapLayers\":[\(base)]}")
    #expect(document.warnings.isEmpty, "\(document.warnings)")
    let drawn = try await ImageServer.draw(document)
    #expect(try server.difference(drawn) < 1.01)
    #expect(server.parameters["layers"] == "show:1,2")
  }

  // MARK: WMTS

  /// Capabilities with two grids of a layer.
  private static let capabilities: String = {
    let sets = ["coarse", "fine"].map { name in
      """
      <TileMatrixSet><ows:Identifier>\(name)</ows:Identifier>
      <ows:SupportedCRS>urn:ogc:def:crs:EPSG::3857</ows:SupportedCRS>
      <TileMatrix><ows:Identifier>0</ows:Identifier><ScaleDenominator>559082264.0287178</ScaleDenominator>
      <TopLeftCorner>-20037508.342789244 20037508.342789244</TopLeftCorner><TileWidth>256</TileWidth>
      <TileHeight>256</TileHeight><MatrixWidth>1</MatrixWidth><MatrixHeight>1</MatrixHeight></TileMatrix></TileMatrixSet>
      """
    }.joined()
    return """
      <Capabilities xmlns="http://www.opengis.net/wmts/1.0" xmlns:ows="http://www.opengis.net/ows/1.1" version="1.0.0">
      <Contents><Layer><ows:Title>B</ows:Title><ows:Identifier>lb</ows:Identifier>
      <Style isDefault="true"><ows:Identifier>plain</ows:Identifier></Style><Format>image/png</Format>
      <TileMatrixSetLink><TileMatrixSet>coarse</TileMatrixSet></TileMatrixSetLink>
      <TileMatrixSetLink><TileMatrixSet>fine</TileMatrixSet></TileMatrixSetLink>
      <ResourceURL format="image/png" resourceType="tile"
        template="https://tiles.example.com/{TileMatrixSet}/{TileMatrix}/{TileRow}/{TileCol}.png"/>
      </Layer>\(sets)</Contents></Capabilities>
      """
  }()

  @Test(
    "A layer with wmtsInfo is drawn from its grid, with the parameters of the document",
    arguments: ["https://tiles.example.com/wmts", "https://tiles.example.com/1.0.0/WMTSCapabilities.xml"])
  func wmts(_ url: String) async throws {
    let tile = try Bitmap(width: 256, height: 256, pixels: [UInt8](repeating: 255, count: 256 * 256 * 4))
      .pngData()
    let server = ImageServer { parameters in
      let isTile = parameters["style"] != nil
      return HTTPResponse(
        status: 200, header: [:], body: isTile ? tile : Array(Self.capabilities.utf8), url: "")
    }
    func layer(_ set: String) -> String {
      """
      {"title":"B","layerType":"WebTiledLayer","wmtsInfo":{"url":"\(url)","layerIdentifier":"lb","tileMatrixSet":"\(set)",
      "customParameters":{"a":"1"},"customLayerParameters":{"style":"basic"}}}
      """
    }
    let document = try await server.open(layer("fine"))
    #expect(document.warnings.isEmpty, "\(document.warnings)")
    _ = try await ImageServer.draw(document)
    let addresses = server.requests.map(\.url)
    let first = try #require(addresses.first { !$0.contains(".png") })
    #expect(first.contains("REQUEST=GetCapabilities") != url.hasSuffix(".xml"))
    #expect(first.contains("a=1") && !first.contains("style=basic"))
    #expect(addresses.contains("https://tiles.example.com/fine/0/0/0.png?a=1&style=basic"), "\(addresses)")
    let other = try await server.open(layer("other"))
    #expect(other.warnings.count == 1)
    #expect(
      other.warnings[0].description.contains("has no tile matrix set \"other\"; its sets are coarse, fine"))
  }

  @Test("Parameters of the document are added to the template of a layer of tiles")
  func template() async throws {
    let tile = try Bitmap(width: 256, height: 256, pixels: [UInt8](repeating: 255, count: 256 * 256 * 4))
      .pngData()
    let server = ImageServer { _ in HTTPResponse(status: 200, header: [:], body: tile, url: "") }
    let document = try await server.open(
      """
      {"title":"B","layerType":"WebTiledLayer","templateUrl":"https://tiles.example.com/{level}/{row}/{col}.png?v=1&a=2",
      "wmtsInfo":{"url":"https://tiles.example.com/wmts","layerIdentifier":"lb","customParameters":{"a":"1"}}}
      """)
    _ = try await ImageServer.draw(document)
    #expect(!server.requests.isEmpty)
    #expect(server.requests.allSatisfy { $0.url.hasSuffix(".png?v=1&a=1") })
  }
}
