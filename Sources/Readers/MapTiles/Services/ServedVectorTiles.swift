internal import Glibc
import MapGeometry
package import MapJSON
import MapModel

/// The description of vector tiles on a server: TileJSON, or the document of an Esri vector tile service.
package struct ServedVectorTiles: Sendable {
  /// The template of the addresses, which may be relative to the description.
  package let template: String
  /// The levels with tiles; nil where they are not stated.
  package let zooms: (least: Double?, greatest: Double?)
  /// The name, the attribution, the extent and the layers.
  package let metadata: TileMetadata
  /// Whether a missing tile has the content of the nearest tile of a smaller zoom.
  package let takesAncestors: Bool

  /// The address of the index of the tiles, relative to the description; nil for none.
  package let index: String?

  /// Reads a description.
  ///
  /// - Source: TileJSON 3.0.0; ArcGIS REST API, vector tile service.
  /// - Throws: ``TileFileError``.
  package init(_ json: JSONValue, at address: String) throws(TileFileError) {
    if let message = json["error"]?["message"]?.string {
      throw TileFileError(address, "answers with an error: \(message.prefix(200))")
    }
    guard let text = json["tiles"]?.array?.lazy.compactMap(\.string).first else {
      throw TileFileError(address, "describes no tiles: it has no \"tiles\"")
    }
    if let info = json["tileInfo"], !info.isNull {
      metadata = Self.metadata(ofService: json)
      zooms = try Self.levels(info, of: json, at: address)
      (template, takesAncestors, index) = (text, true, json["tileMap"]?.string)
      return
    }
    metadata = TileMetadata(json)
    zooms = (json["minzoom"]?.double, json["maxzoom"]?.double)
    template = json["scheme"]?.string == "tms" ? text.replacing("{y}", with: "{-y}") : text
    (takesAncestors, index) = (false, nil)
  }

  /// Returns the levels of a service whose level 0 is zoom 0.
  ///
  /// - Throws: ``TileFileError`` for another grid.
  private static func levels(
    _ info: JSONValue, of service: JSONValue, at address: String
  ) throws(TileFileError) -> (Double?, Double?) {
    guard let (scheme, _) = ArcGISTiles.scheme(info, of: service), scheme.reference == .webMercator else {
      throw TileFileError(address, "its \"tileInfo\" is not the grid of Web Mercator, and no other is read")
    }
    let half = WebMercator.halfWorld
    let isWhole = scheme.levels.allSatisfy { level in
      let side = level.resolution * Double(scheme.tileSize) * exp2(Double(level.zoom))
      return abs(side / (2 * half) - 1) < 1e-4
    }
    // Coordinates of origins are rounded to whole metres by some servers.
    guard isWhole, abs(scheme.originX + half) < 10, abs(scheme.originY - half) < 10 else {
      throw TileFileError(
        address, "its \"tileInfo\" is not the grid of Web Mercator with the world in one tile at level 0")
    }
    let levels = scheme.levels.map(\.zoom)
    let largest = service["maxzoom"]?.double ?? service["maxLOD"]?.double
    return (
      service["minzoom"]?.double ?? service["minLOD"]?.double ?? levels.min().map { Double($0) },
      largest ?? levels.max().map { Double(min($0, TileScheme.largestZoom)) }
    )
  }

  private static func metadata(ofService json: JSONValue) -> TileMetadata {
    var metadata = TileMetadata()
    metadata.name = json["name"]?.string ?? ""
    metadata.attribution = TileMetadata.plain(json["copyrightText"]?.string ?? "")
    let extent = json["fullExtent"]
    let sides = ["xmin", "ymin", "xmax", "ymax"].compactMap { extent?[$0]?.double }
    let wkid = (extent?["spatialReference"]?["latestWkid"] ?? extent?["spatialReference"]?["wkid"])?.integer
    if sides.count == 4, sides.allSatisfy(\.isFinite), sides[0] < sides[2], sides[1] < sides[3],
      wkid.map({ SpatialReference(wkid: $0) == .webMercator }) ?? true
    {
      metadata.extent = Envelope(
        xMin: sides[0], yMin: sides[1], xMax: sides[2], yMax: sides[3], spatialReference: .webMercator)
    }
    return metadata
  }

  /// Returns whether bytes may be those of a vector tile, and not a page or an error of a server.
  ///
  /// - Source: Mapbox Vector Tile 2.1; neither `<` nor `{` begins a field of a message.
  package static func isTile(_ bytes: [UInt8]) -> Bool {
    guard let first = bytes.first(where: { $0 > 0x20 }) else { return true }
    return first != UInt8(ascii: "<") && first != UInt8(ascii: "{")
  }
}
