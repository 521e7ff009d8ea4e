package import MapFeatures
package import MapJSON
package import MapModel

/// Tiles of a server: the template of their addresses, their grid, and their description.
package struct ServedTiles: Sendable {
  /// The template of the addresses.
  package let template: TileTemplate
  /// The grid.
  package let scheme: TileScheme
  /// The name and the attribution.
  package let metadata: TileMetadata

  /// The largest zoom level of a template, whose own range is unknown.
  ///
  /// - Source: design decision; most servers of street maps end at 19.
  private static let largestWebZoom = 19
  /// The greatest size of a description in bytes.
  ///
  /// - Source: design decision; the capabilities of NASA's GIBS, with 1,000 layers, take 6 MB.
  package static let descriptionBytes = 16 << 20

  init(template: TileTemplate, scheme: TileScheme, metadata: TileMetadata) {
    (self.template, self.scheme, self.metadata) = (template, scheme, metadata)
  }

  /// Creates the tiles at a template in Web Mercator, or in the grid of a document.
  ///
  /// - Parameters:
  ///   - grid: the members `tileInfo` and `fullExtent` of a layer; nil for Web Mercator.
  /// - Throws: ``TileFileError``.
  package init(template text: String, subdomains: [String], grid: JSONValue?) throws(TileFileError) {
    if let grid, let info = grid["tileInfo"], !info.isNull {
      guard let (scheme, levels) = ArcGISTiles.scheme(info, of: grid) else {
        throw TileFileError(text, "its \"tileInfo\" has no tile grid that can be drawn")
      }
      self.init(
        template: try TileTemplate(text, subdomains: subdomains, levels: levels), scheme: scheme,
        metadata: TileMetadata())
      return
    }
    let template = try TileTemplate(text, subdomains: subdomains)
    let size = text.contains("@2x") ? 512 : 256
    guard let scheme = TileScheme.webMercator(zooms: 0...Self.largestWebZoom, tileSize: size) else {
      throw TileFileError(text, "has no tile grid that can be drawn")
    }
    self.init(template: template, scheme: scheme, metadata: TileMetadata())
  }

  /// Returns whether bytes are a description: the document of an ArcGIS service, TileJSON, or WMTS capabilities.
  package static func isDescription(_ bytes: [UInt8]) -> Bool {
    if bytes.first(where: { $0 > 0x20 && $0 < 0x80 }) == UInt8(ascii: "<") {
      return bytes.prefix(4096).split(separator: UInt8(ascii: "<")).contains {
        $0.starts(with: Array("Capabilities".utf8)) || $0.starts(with: Array("wmts:Capabilities".utf8))
      }
    }
    guard let json = try? JSONValue(parsing: bytes) else { return false }
    return json["tileInfo"] != nil || json["tiles"] != nil
  }

  /// Reads the description that a server gives at an address.
  ///
  /// - Parameters:
  ///   - address: the address without secrets.
  ///   - layer: the layer of a WMTS service; nil for its first.
  ///   - written: the layer of a document, with its grid of tiles and the parameters of requests in `wmtsInfo`.
  /// - Throws: ``TileFileError``.
  package static func read(
    _ bytes: [UInt8], at address: String, layer: String?, written: JSONValue? = nil,
    operations: SpatialOperations
  ) throws(TileFileError) -> ServedTiles {
    let shown = String(address.prefix { $0 != "?" })
    guard bytes.count <= descriptionBytes else {
      throw TileFileError(shown, "its description is larger than \(descriptionBytes >> 20) MiB")
    }
    if bytes.first(where: { $0 > 0x20 && $0 < 0x80 }) == UInt8(ascii: "<") {
      let info = written?["wmtsInfo"]
      return try WMTSCapabilities(bytes, at: shown).tiles(
        of: layer, set: info?["tileMatrixSet"]?.string.flatMap { $0.isEmpty ? nil : $0 },
        adding: ImageService.custom(info ?? .null), operations: operations)
    }
    guard let json = try? JSONValue(parsing: bytes) else {
      throw TileFileError(
        shown,
        "is neither a template with {z}, {x} and {y} nor an ArcGIS service, TileJSON or WMTS capabilities")
    }
    if let templates = json["tiles"]?.array?.compactMap(\.string), let first = templates.first {
      return try tileJSON(json, first, at: shown)
    }
    if let message = json["error"]?["message"]?.string {
      throw TileFileError(shown, "answers with an error: \(message.prefix(200))")
    }
    guard let info = json["tileInfo"], let (scheme, levels) = ArcGISTiles.scheme(info, of: json) else {
      throw TileFileError(
        shown,
        "is neither a template with {z}, {x} and {y} nor an ArcGIS service with tiles, TileJSON or WMTS capabilities"
      )
    }
    var metadata = TileMetadata()
    metadata.name = json["mapName"]?.string ?? json["name"]?.string ?? ""
    metadata.attribution = TileMetadata.plain(json["copyrightText"]?.string ?? "")
    return ServedTiles(
      template: try TileTemplate(shown + "/tile/{level}/{row}/{col}", levels: levels), scheme: scheme,
      metadata: metadata)
  }

  /// Reads TileJSON, whose first template is used.
  ///
  /// - Source: TileJSON 3.0.0.
  private static func tileJSON(
    _ json: JSONValue, _ template: String, at address: String
  ) throws(TileFileError) -> ServedTiles {
    let end = template.prefix { $0 != "?" }
    guard json["vector_layers"] == nil, !end.hasSuffix(".pbf"), !end.hasSuffix(".mvt") else {
      throw TileFileError(
        address, "has vector tiles, which need a style; give a MapLibre style that names them")
    }
    var text = template
    if !text.contains("://") {
      let folder = address.prefix(through: address.lastIndex(of: "/") ?? address.startIndex)
      let start = address.firstRange(of: "://")?.upperBound ?? address.startIndex
      let root = address[..<(address[start...].firstIndex(of: "/") ?? address.endIndex)]
      text = text.hasPrefix("/") ? root + text : folder + text
    }
    if json["scheme"]?.string == "tms" { text = text.replacing("{y}", with: "{-y}") }
    let metadata = TileMetadata(json)
    let first = min(max(json["minzoom"]?.integer ?? 0, 0), TileScheme.largestZoom)
    let last = min(max(json["maxzoom"]?.integer ?? TileScheme.largestZoom, first), TileScheme.largestZoom)
    let size = json["tileSize"]?.integer ?? (text.contains("@2x") ? 512 : 256)
    guard
      let scheme = TileScheme.webMercator(zooms: first...last, tileSize: size, extent: metadata.extent)
    else { throw TileFileError(address, "has no tile grid that can be drawn") }
    return ServedTiles(template: try TileTemplate(text), scheme: scheme, metadata: metadata)
  }
}
