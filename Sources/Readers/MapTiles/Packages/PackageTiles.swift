import MapModel
import MapSystem

/// The tiles of a vector tile package, in bundles or as single files.
struct PackageTiles: Sendable {
  let files: PackageFiles
  /// The folder of the levels.
  let folder: String
  let grid: VectorTileGrid
  let zooms: ClosedRange<Int>
  /// Whether the tiles are in bundles.
  let isCompact: Bool
  /// The index of the tiles; nil without one.
  let presence: TilePresence?

  /// Returns the bytes of a tile; empty for one without data, and nil for one that is absent.
  func bytes(at tile: TileIndex) throws(TileError) -> [UInt8]? {
    guard (0...TileScheme.largestZoom).contains(tile.zoom), tile.row >= 0, tile.column >= 0,
      let level = grid.level(ofZoom: tile.zoom)
    else { return nil }
    do {
      let found: [UInt8]?
      if isCompact {
        let name = CompactBundle.name(of: tile, level: level)
        found =
          try files.reading("\(folder)/\(name)") { size, read in
            try CompactBundle.bytes(of: tile, size: size, read)
          } ?? nil
      } else {
        found = try files.bytes(
          "\(folder)/\(level)/\(tile.row)/\(tile.column).pbf", limit: PMTilesFile.tileBytes)
      }
      return found ?? (presence?.hasNoData(tile) == true ? [] : nil)
    } catch let error as TileError { throw error } catch { throw TileError("\(error)") }
  }

  /// The greatest number of bundles of a level whose tiles are listed.
  ///
  /// - Source: design decision; those of the whole world at level 14.
  private static let mostBundles = 1 << 14

  /// Returns the tiles of a zoom, at most one more than a limit.
  func tiles(zoom: Int, limit: Int) throws(TileError) -> [TileIndex] {
    guard let level = grid.level(ofZoom: zoom) else { return [] }
    var tiles: [TileIndex] = []
    guard isCompact else {
      let folder = "\(folder)/\(level)"
      for row in files.names(in: folder).compactMap({ Int($0) }).sorted() {
        for name in files.names(in: "\(folder)/\(row)") where name.hasSuffix(".pbf") {
          guard let column = Int(name.dropLast(4)) else { continue }
          tiles.append(TileIndex(zoom: zoom, column: column, row: row))
          guard tiles.count <= limit else { return tiles }
        }
      }
      return tiles
    }
    let folder = "\(folder)/\(CompactBundle.folder(ofLevel: level))"
    let bundles = files.names(in: folder).compactMap { name in
      CompactBundle.corner(ofName: name).map { (name: name, corner: $0) }
    }
    guard bundles.count <= Self.mostBundles else {
      throw TileError("has more than \(Self.mostBundles) bundles of zoom \(zoom), the limit to list tiles")
    }
    do {
      for (name, corner) in bundles {
        let own = try files.reading("\(folder)/\(name)") { try CompactBundle.tiles(size: $0, $1) }
        tiles += (own ?? []).map {
          TileIndex(zoom: zoom, column: corner.column + $0.column, row: corner.row + $0.row)
        }
        guard tiles.count <= limit else { return Array(tiles.prefix(limit + 1)) }
      }
    } catch let error as TileError { throw error } catch { throw TileError("\(error)") }
    return tiles
  }

  /// The bytes of the first tile of the first zoom that has tiles; nil without any.
  var firstTile: [UInt8]? {
    for zoom in zooms {
      guard let tile = try? tiles(zoom: zoom, limit: 1).first else { continue }
      return try? bytes(at: tile)
    }
    return nil
  }
}
