import MapImages
import MapModel
package import MapSystem

/// Sets of images as tiles on this machine: PMTiles and MBTiles files, and folders.
package enum TileFile {
  /// Returns whether a path is a set of tiles by its content: an archive, or a folder.
  package static func isTiles(_ path: String) -> Bool { TileArchive.isTiles(path) }

  /// Opens a file or a folder.
  ///
  /// - Parameter folders: the folders that tiles in files may be in; nil for all.
  /// - Throws: ``TileFileError``, also for vector tiles.
  package static func open(
    _ path: String, in folders: AllowedFolders? = nil
  ) throws(TileFileError) -> DecodedTiles {
    let archive = try TileArchive(path, in: folders)
    guard archive.format == .image else {
      throw TileFileError(path, "has vector tiles, which need a style; give a MapLibre style that names them")
    }
    guard let first = archive.firstTile else { throw TileFileError(path, "has no tiles") }
    let size: Int
    do { size = try TileDecoder.decode(first).bitmap.width } catch {
      throw TileFileError(path, "its first tile \(error)")
    }
    let metadata = archive.metadata
    guard
      let scheme = TileScheme.webMercator(zooms: archive.zooms, tileSize: size, extent: metadata.extent)
    else { throw TileFileError(path, "has no tile grid that can be drawn") }
    return DecodedTiles(
      scheme, name: metadata.name, place: path, attribution: metadata.attribution
    ) { tile throws(TileError) in try archive.bytes(at: tile) }
  }
}

extension DecodedTiles {
  /// Creates the images of an archive that is read by byte ranges.
  ///
  /// - Throws: ``TileFileError``, also for vector tiles.
  package convenience init(_ archive: ServedPMTiles) async throws(TileFileError) {
    guard archive.format == .image || archive.format == nil else {
      throw TileFileError(
        archive.place, "has vector tiles, which need a style; give a MapLibre style that names them")
    }
    let size: Int
    do throws(TileError) {
      guard let first = try await archive.firstTile() else { throw TileError("is missing") }
      size = try TileDecoder.decode(first).bitmap.width
    } catch { throw TileFileError(archive.place, "its first tile \(error)") }
    guard
      let scheme = TileScheme.webMercator(
        zooms: archive.zooms, tileSize: size, extent: archive.metadata.extent)
    else { throw TileFileError(archive.place, "has no tile grid that can be drawn") }
    self.init(
      scheme, name: archive.metadata.name, place: archive.place, attribution: archive.metadata.attribution,
      mostFailures: TileRequests.mostFailures
    ) { tile throws(TileError) in try await archive.tiles([tile])[tile]?.get() ?? nil }
  }
}
