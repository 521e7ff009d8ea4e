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
    var reader = LevelReader(archive, zoom: zoom, layers: layers, limits: limits)
    do throws(TileError) { tileCount = try reader.readAll(skipsBadTiles: skipsBadTiles) } catch {
      throw TileFileError(archive.path, error.description)
    }
    var tables: [Table] = []
    for join in reader.joins.elements {
      let (name, counts) = (join.name, join.counts)
      guard layers?.contains(name) ?? true else {
        tables.append(Table(name: name, columns: nil, warnings: [], counts: counts))
        continue
      }
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
  private let limits: VectorTileLimits
  /// The layers so far.
  private(set) var joins = NamedList<TileLayerJoin>(of: "layers", limit: VectorTileLimits().layers)
  /// The numbers of features, vertices and values in all layers.
  private var total = (features: 0, vertices: 0, values: 0)
  private var badTiles = BadTiles()
  /// The number of tiles that are announced together.
  ///
  /// - Source: design decision; some hundred dense tiles take 32 MiB.
  private static let announcedTiles = 256
  /// The losses by layer.
  private var losses: [String: (count: Int, first: String)] = [:]

  init(_ archive: TileArchive, zoom: Int, layers: Set<String>?, limits: VectorTileLimits) {
    (self.archive, self.zoom, self.layers, self.limits) = (archive, zoom, layers, limits)
  }

  /// Returns the losses in reading a layer.
  func warnings(of layer: String) -> [String] {
    var warnings = [badTiles.warning].compactMap { $0 }
    if let loss = losses[layer] {
      warnings.append(
        "\(loss.count == 1 ? "1 violation" : "\(loss.count) violations") of the specification in its tiles; the first: \(loss.first)"
      )
    }
    return warnings
  }

  /// Reads all tiles, and returns their number.
  mutating func readAll(skipsBadTiles: Bool) throws(TileError) -> Int {
    for layer in archive.metadata.vectorLayers { _ = try join(layer.name) }
    let tiles = try archive.tiles(zoom: zoom)
    var room = limits.bytes
    for (number, index) in tiles.enumerated() {
      if number % Self.announcedTiles == 0 {
        try archive.announce(Array(tiles[number..<min(tiles.count, number + Self.announcedTiles)]))
      }
      let tile: VectorTile?
      do throws(TileError) { tile = try archive.vectorTile(at: index, layers: layers, &room) } catch {
        guard skipsBadTiles else { throw error }
        badTiles.append(error)
        continue
      }
      guard room >= 0 else {
        throw TileError(
          "tiles of zoom \(zoom) are larger than \(limits.bytes >> 20) MiB uncompressed, the limit")
      }
      if let tile { try append(tile, index) }
    }
    for index in joins.elements.indices { joins.elements[index].joinMeetingPieces() }
    return tiles.count
  }

  private mutating func append(_ tile: VectorTile, _ index: TileIndex) throws(TileError) {
    for problem in tile.problems.first where problem.reason.isLoss {
      let (count, first) = losses[problem.layer] ?? (0, "tile \(index): \(problem)")
      losses[problem.layer] = (count + 1, first)
    }
    for layer in tile.layers {
      let place = try join(layer.name)
      count(joins.elements[place], -1)
      do throws(VectorTileError) {
        try joins.elements[place].append(layer, column: index.column, row: index.row)
      } catch { throw TileError("tile \(index) \(error)") }
      count(joins.elements[place], 1)
      guard total.features <= limits.features, total.vertices <= limits.vertices,
        total.values <= limits.values
      else {
        throw TileError(
          "its layers have more than \(limits.features) features, \(limits.vertices) vertices or \(limits.values) values, the limits"
        )
      }
    }
  }

  private mutating func count(_ join: TileLayerJoin, _ sign: Int) {
    total.features += sign * join.counts.features
    total.vertices += sign * join.vertexCount
    total.values += sign * join.valueCount
  }

  private mutating func join(_ name: String) throws(TileError) -> Int {
    try joins.index(of: name) { TileLayerJoin(name: $0, zoom: zoom, limits: limits) }
  }
}

extension TileLayerJoin.Counts {
  /// The numbers as a note: what became of the pieces; nil if each is a whole feature.
  package var note: String? {
    func list(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
    func areOrIs(_ number: Int) -> String { number == 1 ? "is" : "are" }
    var parts: [String] = []
    if pieces != features {
      parts.append("\(list(pieces, "piece")) in tiles \(areOrIs(pieces)) \(list(features, "feature"))")
    }
    if outside > 0 {
      parts.append("\(list(outside, "piece")) \(areOrIs(outside)) only in the buffer around a tile")
    }
    if cutWithoutID > 0 {
      parts.append(
        "\(list(cutWithoutID, "piece")) without an id \(areOrIs(cutWithoutID)) cut at the side of a tile and "
          + "\(cutWithoutID == 1 ? "meets" : "meet") no other there"
          + (cutPolygonsWithoutID > 0 ? "; outlines of polygons are drawn along that side" : ""))
    }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }
}
