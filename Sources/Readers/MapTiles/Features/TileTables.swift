package import MapFeatures
import MapGeometry
import MapModel
package import MapReaders
import MapSystem

/// The features of one zoom level of an archive of vector tiles: a table for each layer of its tiles.
package struct TileTables: Sendable {
  /// The features of a layer.
  package struct Table: Sendable {
    /// The name of the layer.
    package let name: String
    /// The features in Web Mercator; nil for a layer that was not asked for.
    package let columns: FeatureColumns?
    /// The losses of reading.
    package let warnings: [String]
    /// The numbers of pieces and features.
    package let counts: TileLayerJoin.Counts
  }

  /// The tables, in the order of the archive's description, and then of first appearance.
  package let tables: [Table]
  /// The zoom level.
  package let zoom: Int
  /// The number of tiles that were read.
  package let tileCount: Int

  /// Reads a zoom level.
  ///
  /// - Parameters:
  ///   - archive: the archive, which must have vector tiles.
  ///   - zoom: the level; nil for the largest.
  ///   - layers: the names of the layers to read; nil for all.
  ///   - fields: the fields whose values are read.
  ///   - skipsBadTiles: whether tiles that cannot be read are left out, with a warning.
  ///   - limits: the limits on all tiles together.
  /// - Throws: ``TileFileError`` for a level without tiles, a damaged tile, and for more than the limits.
  package init(
    _ archive: TileArchive, zoom: Int? = nil, layers: Set<String>? = nil, fields: FieldSelection = .all,
    skipsBadTiles: Bool = false, limits: VectorTileLimits = .ofLevel
  ) throws(TileFileError) {
    let zoom = zoom ?? archive.zooms.upperBound
    self.zoom = zoom
    guard archive.zooms.contains(zoom) else {
      throw TileFileError(
        archive.path,
        "has no tiles of zoom \(zoom); it has those of zoom \(archive.zooms.lowerBound) to \(archive.zooms.upperBound)"
      )
    }
    var reader = LevelReader(
      archive, zoom: zoom, layers: layers, skipsBadTiles: skipsBadTiles, limits: limits)
    do throws(TileError) { tileCount = try reader.readAll() } catch {
      throw TileFileError(archive.path, error.description)
    }
    var tables: [Table] = []
    for (name, join) in reader.joins {
      guard layers?.contains(name) ?? true else {
        tables.append(Table(name: name, columns: nil, warnings: [], counts: join.counts))
        continue
      }
      let counts = join.counts
      do throws(VectorTileError) {
        let columns = try join.layer().table(
          in: .webMercatorTile(zoom: 0, column: 0, row: 0), fields: fields, limits: limits)
        tables.append(
          Table(
            name: name, columns: columns, warnings: reader.warnings(of: name) + Self.warnings(counts),
            counts: counts))
      } catch { throw TileFileError(archive.path, error.description) }
    }
    self.tables = tables
  }

  private static func warnings(_ counts: TileLayerJoin.Counts) -> [String] {
    guard counts.sharedIDs > 0 else { return [] }
    return [
      "\(counts.sharedIDs) features share their ids with others of other values or another kind of geometry; each is a feature of its own"
    ]
  }
}

/// A reader of the tiles of one zoom level.
private struct LevelReader {
  private let archive: TileArchive
  private let zoom: Int
  private let layers: Set<String>?
  private let skipsBadTiles: Bool
  private let limits: VectorTileLimits
  /// The layers so far, with their names.
  private(set) var joins: [(name: String, join: TileLayerJoin)]
  private var badTiles: (count: Int, first: String) = (0, "")
  /// The losses by layer.
  private var losses: [String: (count: Int, first: String)] = [:]

  init(_ archive: TileArchive, zoom: Int, layers: Set<String>?, skipsBadTiles: Bool, limits: VectorTileLimits)
  {
    self.limits = limits
    (self.archive, self.zoom, self.layers, self.skipsBadTiles) = (archive, zoom, layers, skipsBadTiles)
    joins = archive.metadata.vectorLayers.map {
      ($0.name, TileLayerJoin(name: $0.name, zoom: zoom, limits: limits))
    }
  }

  /// Returns the losses in reading a layer.
  func warnings(of layer: String) -> [String] {
    var warnings: [String] = []
    if badTiles.count > 0 {
      let tiles =
        badTiles.count == 1
        ? "1 tile that cannot be read was" : "\(badTiles.count) tiles that cannot be read were"
      warnings.append("\(tiles) left out; the first: \(badTiles.first)")
    }
    if let loss = losses[layer] {
      warnings.append(
        "\(loss.count == 1 ? "1 violation" : "\(loss.count) violations") of the specification in its tiles; the first: \(loss.first)"
      )
    }
    return warnings
  }

  /// Reads all tiles, and returns their number.
  mutating func readAll() throws(TileError) -> Int {
    let tiles = try archive.tiles(zoom: zoom)
    var room = limits.bytes
    for tile in tiles {
      do throws(TileError) {
        guard let bytes = try archive.bytes(at: tile) else { continue }
        room -= bytes.count
        guard room >= 0 else {
          throw TileError(
            "tiles of zoom \(zoom) are larger than \(limits.bytes >> 20) MiB uncompressed, the limit")
        }
        try read(bytes, tile)
      } catch {
        guard skipsBadTiles, room >= 0 else { throw error }
        badTiles = (badTiles.count + 1, badTiles.count == 0 ? error.description : badTiles.first)
      }
    }
    return tiles.count
  }

  private mutating func read(_ bytes: [UInt8], _ index: TileIndex) throws(TileError) {
    let place = "tile \(index.zoom)/\(index.column)/\(index.row)"
    do throws(VectorTileError) {
      let tile = try VectorTile(bytes, layers: layers)
      for problem in tile.problems.first where problem.reason.isLoss {
        let (count, first) = losses[problem.layer] ?? (0, "\(place): \(problem)")
        losses[problem.layer] = (count + 1, first)
      }
      for layer in tile.layers {
        let known = joins.firstIndex { $0.name.utf8.elementsEqual(layer.name.utf8) }
        if known == nil {
          joins.append((layer.name, TileLayerJoin(name: layer.name, zoom: zoom, limits: limits)))
        }
        try joins[known ?? joins.count - 1].join.append(layer, column: index.column, row: index.row)
      }
    } catch {
      throw TileError("\(place) \(error)")
    }
  }
}

extension TileLayerJoin.Counts {
  /// The numbers as a note: what became of the pieces; nil if each is a whole feature.
  package var note: String? {
    var parts: [String] = []
    if pieces != features { parts.append("\(pieces) pieces in tiles are \(features) features") }
    if outside > 0 { parts.append("\(outside) pieces are only in the buffer around their tile") }
    if cutWithoutID > 0 {
      parts.append(
        "\(cutWithoutID) pieces without an id are cut at the side of their tile, and stay features of their own"
      )
    }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }
}
