import MapImages
import MapJSON
import MapModel
import MapSystem

/// Sets of tiles on this machine: PMTiles and MBTiles files, and folders.
package enum TileFile {
  /// Returns whether a path is a set of tiles by its content: an archive, or a folder.
  package static func isTiles(_ path: String) -> Bool {
    if (try? FileAccess.checkFolder(path)) != nil { return true }
    guard let head = head(of: path) else { return false }
    return PMTilesFile.looksLikePMTiles(head) || path.hasSuffix(".mbtiles") && isSQLite(head)
  }

  private static func head(of path: String) -> [UInt8]? {
    guard let file = try? RandomAccessFile(path) else { return nil }
    return try? file.bytes(0..<min(file.size, 16))
  }

  private static func isSQLite(_ head: [UInt8]) -> Bool { head.starts(with: Array("SQLite format 3\0".utf8)) }

  /// Opens a file or a folder.
  ///
  /// - Throws: ``TileFileError``.
  package static func open(_ path: String) throws(TileFileError) -> DecodedTiles {
    if TileTemplate.isTemplate(path) || (try? FileAccess.checkFolder(path)) != nil {
      let folder = try TileFolder(path)
      return try tiles(path, folder.zooms, json(folder.metadata), first: folder.firstTile) {
        tile throws(TileError) in try folder.bytes(at: tile)
      }
    }
    guard let head = head(of: path) else {
      do { _ = try RandomAccessFile(path) } catch { throw TileFileError(path, "\(error)") }
      throw TileFileError(path, "cannot be read")
    }
    if PMTilesFile.looksLikePMTiles(head) {
      let file = try PMTilesFile(path)
      var metadata = json(file.metadata)
      metadata.extent = file.header.bounds.flatMap { TileMetadata.extent($0) }
      return try tiles(path, file.header.zooms, metadata, first: file.firstTile) { tile throws(TileError) in
        try file.bytes(at: tile)
      }
    }
    guard isSQLite(head) else {
      throw TileFileError(
        path, "is not a set of tiles; PMTiles, MBTiles and folders {z}/{x}/{y}.png can be read")
    }
    let file = try MBTilesFile(path)
    return try tiles(path, file.zooms, TileMetadata(file.metadata), first: file.firstTile) {
      tile throws(TileError) in try file.bytes(at: tile)
    }
  }

  private static func json(_ bytes: [UInt8]) -> TileMetadata {
    (try? JSONValue(parsing: bytes)).map { TileMetadata($0) } ?? TileMetadata()
  }

  private static func tiles(
    _ path: String, _ zooms: ClosedRange<Int>, _ metadata: TileMetadata, first: [UInt8]?,
    fetch: @escaping DecodedTiles.Fetch
  ) throws(TileFileError) -> DecodedTiles {
    guard let first else { throw TileFileError(path, "has no tiles") }
    let size: Int
    do { size = try TileDecoder.decode(first).bitmap.width } catch {
      throw TileFileError(path, "its first tile \(error)")
    }
    guard let scheme = TileScheme.webMercator(zooms: zooms, tileSize: size, extent: metadata.extent) else {
      throw TileFileError(path, "has no tile grid that can be drawn")
    }
    return DecodedTiles(
      scheme, name: metadata.name, place: path, attribution: metadata.attribution, fetch: fetch)
  }
}
