import Glibc
import MapGeometry
import MapJSON
import MapScript
import MapState
import MapSystem

/// The documents that tell map libraries where the tiles are.
extension MapRequest {
  /// Returns the TileJSON document, whose addresses keep the parameters of the request.
  ///
  /// The centre and its zoom level show the map as an image of 640 by 400 view pixels does.
  ///
  /// - Source: TileJSON 3.0.0. Its `bounds` are the area with tiles, which is the world if all of it is painted.
  func tileJSON(_ request: HTTPRequest) async throws -> HTTPResponse {
    let tiles = try await tiles(request)
    return HTTPResponse(json: [
      "tilejson": "3.0.0", "name": .string(request.path[1]), "scheme": "xyz",
      "tiles": [.string(tiles.address("{z}/{x}/{y}.png"))],
      "attribution": .string(tiles.attribution), "minzoom": 0, "maxzoom": .number(TileAddress.largestZoom),
      "bounds": .array((tiles.isEverywhere ? DescribedTiles.world : tiles.bounds).map { .number($0) }),
      "center": .array(tiles.center.map { .number($0) }),
    ])
  }

  /// Returns the capabilities of the tiles, whose addresses keep the parameters of the request.
  ///
  /// - Source: OGC 07-057r7 (WMTS 1.0.0), 7 and 10, and its annex E for the well-known scale set.
  func tileCapabilities(_ request: HTTPRequest) async throws -> HTTPResponse {
    let tiles = try await tiles(request)
    let name = MarkupText.escaped(request.path[1])
    let corner = "-\(WebMercator.halfWorld) \(WebMercator.halfWorld)"
    let levels = (0...TileAddress.largestZoom).map { zoom in
      """
            <TileMatrix>
              <ows:Identifier>\(zoom)</ows:Identifier>
              <ScaleDenominator>\(Self.standardScale / Double(1 << zoom))</ScaleDenominator>
              <TopLeftCorner>\(corner)</TopLeftCorner>
              <TileWidth>256</TileWidth>
              <TileHeight>256</TileHeight>
              <MatrixWidth>\(1 << zoom)</MatrixWidth>
              <MatrixHeight>\(1 << zoom)</MatrixHeight>
            </TileMatrix>
      """
    }
    let own = request.link("/maps/\(FilePath.percentEncoded(request.path[1]))/WMTSCapabilities.xml")
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <Capabilities xmlns="http://www.opengis.net/wmts/1.0" xmlns:ows="http://www.opengis.net/ows/1.1"
        xmlns:xlink="http://www.w3.org/1999/xlink" version="1.0.0">
        <ows:ServiceIdentification>
          <ows:Title>\(name)</ows:Title>
          <ows:ServiceType>OGC WMTS</ows:ServiceType>
          <ows:ServiceTypeVersion>1.0.0</ows:ServiceTypeVersion>
        </ows:ServiceIdentification>
        <Contents>
          <Layer>
            <ows:Title>\(name)</ows:Title>
            <ows:Abstract>\(MarkupText.escaped(tiles.attribution))</ows:Abstract>
            <ows:WGS84BoundingBox>
              <ows:LowerCorner>\(tiles.bounds[0]) \(tiles.bounds[1])</ows:LowerCorner>
              <ows:UpperCorner>\(tiles.bounds[2]) \(tiles.bounds[3])</ows:UpperCorner>
            </ows:WGS84BoundingBox>
            <ows:Identifier>\(name)</ows:Identifier>
            <Style isDefault="true">
              <ows:Identifier>default</ows:Identifier>
            </Style>
            <Format>image/png</Format>
            <TileMatrixSetLink>
              <TileMatrixSet>WebMercatorQuad</TileMatrixSet>
            </TileMatrixSetLink>
            <ResourceURL format="image/png" resourceType="tile"
              template="\(MarkupText.escaped(tiles.address("{TileMatrix}/{TileCol}/{TileRow}.png")))"/>
          </Layer>
          <TileMatrixSet>
            <ows:Identifier>WebMercatorQuad</ows:Identifier>
            <ows:SupportedCRS>urn:ogc:def:crs:EPSG::3857</ows:SupportedCRS>
            <WellKnownScaleSet>urn:ogc:def:wkss:OGC:1.0:GoogleMapsCompatible</WellKnownScaleSet>
      \(levels.joined(separator: "\n"))
          </TileMatrixSet>
        </Contents>
        <ServiceMetadataURL xlink:href="\(MarkupText.escaped(own))"/>
      </Capabilities>

      """
    return HTTPResponse(Array(text.utf8), type: "application/xml")
  }

  /// The scale denominator of zoom level 0 for pixels of 0.28 mm.
  ///
  /// - Source: OGC 07-057r7, annex E.4 (`GoogleMapsCompatible`).
  private static let standardScale = 559_082_264.0287178

  /// Returns the area, the attribution and the addresses of the tiles.
  private func tiles(_ request: HTTPRequest) async throws -> DescribedTiles {
    var view = try view()
    (view.reference, view.place, view.size) = (.webMercator, nil, ViewSize(width: 640, height: 400))
    let state = try await state(view)
    var extent = Envelope.empty
    for layer in state.layers { extent = extent.union(layer.extent(in: .webMercator)) }
    let half = WebMercator.halfWorld
    func degrees(_ x: Double, _ y: Double) -> [Double] {
      [
        WebMercator.longitude(x: min(max(x, -half), half)), WebMercator.latitude(y: min(max(y, -half), half)),
      ].map { ($0 * 1e6).rounded() / 1e6 }
    }
    let (shown, scale) = (state.extent, state.viewpoint.scale)
    let zoom = log2(TileAddress.scale(zoom: 0) / scale).rounded(.down)
    let isEverywhere =
      (state.background?.alpha ?? 0) > 0 || state.basemap != nil || !state.tileLayers.isEmpty
    return DescribedTiles(
      bounds: extent.isEmpty
        ? DescribedTiles.world : degrees(extent.xMin, extent.yMin) + degrees(extent.xMax, extent.yMax),
      center: degrees((shown.xMin + shown.xMax) / 2, (shown.yMin + shown.yMax) / 2)
        + [min(max(zoom, 0), Double(TileAddress.largestZoom))],
      isEverywhere: isEverywhere, attribution: state.attribution, request: request)
  }
}

/// The tiles of a map with the parameters of a request.
private struct DescribedTiles {
  static let world = [-180, -WebMercator.latitudeLimit, 180, WebMercator.latitudeLimit]

  /// The area of the layers: west, south, east and north in degrees.
  let bounds: [Double]
  /// Longitude, latitude and zoom level of the first view.
  let center: [Double]
  /// Whether something is painted outside the area of the layers, too.
  let isEverywhere: Bool
  let attribution: String
  let request: HTTPRequest

  /// Returns the address of a tile with its style.
  ///
  /// - Parameter tile: the last segments of the path, with names in braces for the numbers.
  func address(_ tile: String) -> String {
    let names = Set(MapPath.tile.parameterNames)
    return request.link(
      "/maps/\(FilePath.percentEncoded(request.path[1]))/tiles/\(tile)",
      request.query.filter { names.contains($0.name) })
  }
}

/// Text in HTML and XML.
enum MarkupText {
  /// Returns a text for the content of an element, or for an attribute between double quotes.
  static func escaped(_ text: some StringProtocol) -> String {
    String(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
