import MapGeometry
package import MapJSON

/// The levels of a vector tile service by zoom.
///
/// At zoom 0, one tile shows the world. The levels of a service may be those of any zooms, with any numbers.
///
/// - Source: ArcGIS REST API, vector tile service, `tileInfo`.
package struct VectorTileGrid: Hashable, Sendable {
  /// The levels by zoom; nil for a grid whose levels are the zooms.
  private let levels: [Int: Int]?

  /// The greatest number of levels.
  private static let mostLevels = 100

  /// Creates the grid of a service, whose levels are the zooms.
  package init() { levels = nil }

  /// Creates the grid that a service describes.
  ///
  /// - Parameter info: the member `tileInfo`; nil and null stand for levels that are the zooms.
  /// - Throws: ``TileFileError`` for a grid that is not that of Web Mercator.
  package init(_ info: JSONValue?, at place: String) throws(TileFileError) {
    guard let info, !info.isNull else {
      levels = nil
      return
    }
    let reference = (info["spatialReference"]?["latestWkid"] ?? info["spatialReference"]?["wkid"])?.integer
    guard reference.map({ SpatialReference(wkid: $0) == .webMercator }) ?? true else {
      throw TileFileError(
        place, "its tiles are in the spatial reference \(reference ?? 0), which is not drawn; Web Mercator is"
      )
    }
    let half = WebMercator.halfWorld
    let size = info["rows"]?.integer ?? 512
    guard let lods = info["lods"]?.array, (1...Self.mostLevels).contains(lods.count),
      (1...8192).contains(size),
      info["cols"]?.integer ?? size == size
    else { throw TileFileError(place, "its \"tileInfo\" has no square tiles with levels") }
    let corner = (info["origin"]?["x"]?.double ?? -half, info["origin"]?["y"]?.double ?? half)
    // Services give the corner of the world with 6 to 9 digits after the point.
    guard abs(corner.0 + half) < 1, abs(corner.1 - half) < 1 else {
      throw TileFileError(place, "its tiles do not begin at the corner of the world, and are not drawn")
    }
    var levels: [Int: Int] = [:]
    for lod in lods {
      guard let level = lod["level"]?.integer, (0...Self.mostLevels).contains(level),
        let resolution = lod["resolution"]?.double, resolution > 0, resolution.isFinite
      else { throw TileFileError(place, "its \"tileInfo\" has a level without a number or a resolution") }
      let tiles = 2 * half / (resolution * Double(size))
      // Resolutions are rounded, so the number of tiles may be just below that of a zoom.
      let zooms = [Int(clamping: tiles.exponent), Int(clamping: tiles.exponent) + 1]
      let near = zooms.first { zoom in
        (0...30).contains(zoom) && abs(tiles / Double(1 << zoom) - 1) < 1e-4
      }
      guard let near else {
        throw TileFileError(
          place, "its level \(level) has no whole number of tiles around the world, and is not drawn")
      }
      levels[near] = levels[near] ?? level
    }
    self.levels = levels
  }

  /// Returns the level with the tiles of a zoom; nil if there is none.
  package func level(ofZoom zoom: Int) -> Int? { levels.map { $0[zoom] } ?? zoom }

  /// Returns the zoom of a level; nil for a level that the grid does not have.
  package func zoom(ofLevel level: Int) -> Int? {
    guard let levels else { return (0...30).contains(level) ? level : nil }
    return levels.first { $0.value == level }?.key
  }
}
