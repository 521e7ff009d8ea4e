import MapJSON
package import MapModel
import MapReaders
package import MapSystem

/// A set of tiles on this machine by their bytes: a PMTiles or MBTiles file, a vector tile package, or a folder; images or
/// vector tiles.
package struct TileArchive: Sendable {
  /// The format of tiles.
  package enum Format: Hashable, Sendable {
    /// Images, such as PNG, JPEG and WebP.
    case image
    /// Mapbox Vector Tiles.
    case vector
    /// MapLibre Tiles, which are not read.
    case mapLibreTile
  }

  /// The path.
  package let path: String
  /// The format of the tiles, by the archive's header, or else by its first tile.
  package let format: Format
  /// The zoom levels with tiles.
  package let zooms: ClosedRange<Int>
  /// The name, the attribution, the extent and the layers of vector tiles, as far as the archive states them.
  package let metadata: TileMetadata
  /// The bytes of some tile, without gzip if it is a vector tile; nil if the archive has none that can be read.
  package let firstTile: [UInt8]?
  /// Whether a tile that is absent shows a part of the tile of a smaller zoom, as in vector tile packages.
  package let takesAncestors: Bool
  private let stored: @Sendable (TileIndex) throws(TileError) -> [UInt8]?
  /// The list of the tiles of a level, with at most one more than a number.
  private let listed: @Sendable (_ zoom: Int, _ limit: Int) throws(TileError) -> [TileIndex]
  /// The numbers of tiles by level.
  private let counted: @Sendable () throws(TileError) -> [Int: Int]
  /// Gets the tiles that are read next.
  private var announced: @Sendable ([TileIndex]) throws(TileError) -> Void = { _ in }

  /// Opens a file, a folder, or a template of files with places for zoom, column and row.
  ///
  /// - Parameter folders: the folders that tiles in files may be in, also through links; nil for all.
  /// - Throws: ``TileFileError``.
  package init(_ path: String, in folders: AllowedFolders? = nil) throws(TileFileError) {
    self.path = path
    if !TileTemplate.isTemplate(path), VectorTilePackage.isPackage(path) {
      let package = try VectorTilePackage(path, in: folders)
      if let tiles = try package.ownTiles() {
        (zooms, metadata, takesAncestors) = (tiles.zooms, package.metadata, true)
        (format, firstTile) = Self.content(tiles.firstTile, .vector)
        stored = { tile throws(TileError) in try tiles.bytes(at: tile) }
        let listed = { @Sendable (zoom: Int, limit: Int) throws(TileError) in
          try tiles.tiles(zoom: zoom, limit: limit)
        }
        self.listed = listed
        counted = { () throws(TileError) in try Self.counts(of: tiles.zooms, listed) }
        return
      }
      guard FilePath.pathExtension(of: path) != "vtpk" else { throw TileFileError(path, "has no tiles") }
    }
    takesAncestors = false
    if TileTemplate.isTemplate(path) || (try? FileAccess.checkFolder(path)) != nil {
      let folder = try TileFolder(path, in: folders)
      let description = try? JSONValue(parsing: folder.metadata)
      (zooms, metadata) = (folder.zooms, description.map { TileMetadata($0) } ?? TileMetadata())
      (format, firstTile) = Self.content(folder.firstTile, folder.isVector ? .vector : nil)
      // A template says itself how its rows count.
      let isFromBottom = description?["scheme"]?.string == "tms" && !TileTemplate.isTemplate(path)
      stored = { tile throws(TileError) in
        try folder.bytes(at: isFromBottom ? tile.countedFromBottom : tile)
      }
      let listed = { @Sendable (zoom: Int, limit: Int) throws(TileError) -> [TileIndex] in
        let tiles = folder.tiles(zoom: zoom, limit: limit)
        return isFromBottom ? tiles.map(\.countedFromBottom) : tiles
      }
      self.listed = listed
      counted = { () throws(TileError) in try Self.counts(of: folder.zooms, listed) }
      return
    }
    guard let head = Self.head(of: path) else {
      do { _ = try RandomAccessFile(path) } catch { throw TileFileError(path, "\(error)") }
      throw TileFileError(path, "cannot be read")
    }
    if PMTilesFile.looksLikePMTiles(head) {
      let file = try PMTilesFile(path)
      (zooms, metadata) = (file.header.zooms, file.description)
      (format, firstTile) = Self.content(file.firstTile, file.header.format)
      stored = { tile throws(TileError) in try file.bytes(at: tile) }
      listed = { zoom, limit throws(TileError) in try file.tiles(zoom: zoom, limit: limit) }
      counted = { () throws(TileError) in try file.tileCounts() }
      return
    }
    guard Self.isSQLite(head) else {
      throw TileFileError(
        path, "is not a set of tiles; PMTiles, MBTiles, VTPK and folders {z}/{x}/{y}.png can be read")
    }
    let file = try MBTilesFile(path)
    (zooms, metadata) = (file.zooms, TileMetadata(file.metadata))
    (format, firstTile) = Self.content(file.firstTile, file.metadata["format"] == "pbf" ? .vector : nil)
    stored = { tile throws(TileError) in try file.bytes(at: tile) }
    listed = { zoom, limit throws(TileError) in try file.tiles(zoom: zoom, limit: limit) }
    counted = { () throws(TileError) in try file.tileCounts() }
  }

  /// Opens a PMTiles archive by its bytes, such as one on a server.
  ///
  /// - Parameter place: the address, for messages.
  /// - Throws: ``TileFileError``.
  package init(pmtiles bytes: TileBytes, place: String) throws(TileFileError) {
    let file = try PMTilesFile(place, bytes)
    (path, takesAncestors) = (place, false)
    (zooms, metadata) = (file.header.zooms, file.description)
    (format, firstTile) = Self.content(file.firstTile, file.header.format)
    stored = { tile throws(TileError) in try file.bytes(at: tile) }
    listed = { zoom, limit throws(TileError) in try file.tiles(zoom: zoom, limit: limit) }
    counted = { () throws(TileError) in try file.tileCounts() }
    announced = { tiles throws(TileError) in
      do { try file.announce(tiles) } catch { throw TileError("\(error)") }
    }
  }

  /// Returns the number of tiles of each level that has some, from the list of tiles.
  private static func counts(
    of zooms: ClosedRange<Int>, _ listed: (Int, Int) throws(TileError) -> [TileIndex]
  ) throws(TileError) -> [Int: Int] {
    var counts: [Int: Int] = [:]
    for zoom in zooms { counts[zoom] = try listed(zoom, .max - 1).count }
    return counts.filter { $0.value > 0 }
  }

  /// Announces the tiles that are read next, which a server then sends together.
  func announce(_ tiles: [TileIndex]) throws(TileError) { try announced(tiles) }

  /// Returns the bytes of a tile, without gzip if it is a vector tile; nil if the archive does not have it.
  package func bytes(at tile: TileIndex) throws(TileError) -> [UInt8]? {
    guard let bytes = try stored(tile) else { return nil }
    return format == .image ? bytes : try Self.unpacked(bytes)
  }

  /// Reads a vector tile; nil if the archive does not have it.
  ///
  /// - Parameters:
  ///   - wanted: the names of the layers to read; nil for all.
  ///   - room: the number of uncompressed bytes that may be read; it is reduced by those of the tile.
  /// - Throws: ``TileError``, which names the tile.
  func vectorTile(
    at tile: TileIndex, layers wanted: Set<String>? = nil, _ room: inout Int
  ) throws(TileError) -> VectorTile? {
    do {
      guard let bytes = try bytes(at: tile) else { return nil }
      room -= bytes.count
      return room < 0 ? nil : try VectorTile(bytes, layers: wanted)
    } catch { throw TileError("tile \(tile) \(error)") }
  }

  /// The names of the layers of vector tiles: those of the description, else those of the first tile.
  package var layerNames: [String] {
    guard metadata.vectorLayers.isEmpty else { return metadata.vectorLayers.map(\.name) }
    return firstTile.flatMap { try? VectorTile($0) }?.layers.map(\.name) ?? []
  }

  /// The greatest number of tiles of a level that are listed.
  ///
  /// - Source: design decision; level 10 of the whole world.
  package static let tileLimit = 1 << 20

  /// Returns the tiles of a level, from the top row to the bottom and from left to right.
  ///
  /// - Throws: ``TileError`` for more than ``tileLimit`` tiles, and for damaged directories.
  package func tiles(zoom: Int) throws(TileError) -> [TileIndex] {
    guard zooms.contains(zoom) else { return [] }
    let tiles = try listed(zoom, Self.tileLimit)
    guard tiles.count <= Self.tileLimit else {
      throw TileError("has more than \(Self.tileLimit) tiles of zoom \(zoom), the limit")
    }
    // MBTiles without an index may have a tile twice.
    return Set(tiles).sorted()
  }

  /// Returns the number of tiles of each level that has some.
  ///
  /// - Throws: ``TileError``.
  package func tileCounts() throws(TileError) -> [Int: Int] { try counted() }

  // MARK: Recognition

  /// Returns whether a path is a set of tiles by its content: an archive, or a folder.
  package static func isTiles(_ path: String) -> Bool {
    if (try? FileAccess.checkFolder(path)) != nil { return true }
    guard let head = head(of: path) else { return false }
    return PMTilesFile.looksLikePMTiles(head) || path.hasSuffix(".mbtiles") && isSQLite(head)
      || VectorTilePackage.isPackage(path)
  }

  private static func head(of path: String) -> [UInt8]? {
    guard let file = try? RandomAccessFile(path) else { return nil }
    return try? file.bytes(0..<min(file.size, 16))
  }

  private static func isSQLite(_ head: [UInt8]) -> Bool { head.starts(with: Array("SQLite format 3\0".utf8)) }

  /// Returns the format and the bytes of the first tile.
  ///
  /// - Parameter declared: the format that the archive declares; nil for none.
  private static func content(_ first: [UInt8]?, _ declared: Format?) -> (format: Format, first: [UInt8]?) {
    if declared == .image || first.map(TileDecoder.isImage) == true { return (declared ?? .image, first) }
    let unpacked = first.flatMap { try? Self.unpacked($0) }
    if let declared { return (declared, unpacked) }
    // A vector tile without layers is empty; a layer begins with its field number, 3.
    let isVector = unpacked.map { $0.isEmpty || $0.first == 0x1A } ?? false
    return isVector ? (.vector, unpacked) : (.image, first)
  }

  /// Returns the bytes of a vector tile without gzip.
  ///
  /// - Throws: ``TileError`` for more than 32 MiB, and for damaged bytes.
  package static func unpacked(_ bytes: [UInt8]) throws(TileError) -> [UInt8] {
    guard GzipFile.looksLikeGzip(bytes) else { return bytes }
    var unpacked: [UInt8] = []
    do {
      try GzipFile.decode(bytes) { piece in
        guard unpacked.count + piece.count <= PMTilesFile.tileBytes else {
          throw TileError("is larger than \(PMTilesFile.tileBytes >> 20) MiB when it is decompressed")
        }
        unpacked += piece
      }
    } catch let error as TileError { throw error } catch { throw TileError("\(error)") }
    return unpacked
  }
}

extension TileIndex {
  /// The position with its row counted from the bottom, as in the Tile Map Service (TMS).
  fileprivate var countedFromBottom: TileIndex {
    TileIndex(
      zoom: zoom, column: column,
      row: (0...TileScheme.largestZoom).contains(zoom) ? (1 << zoom) - 1 - row : row)
  }
}
