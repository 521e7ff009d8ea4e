import MapModel
import MapReaders

/// The numbers of pieces in an archive of vector tiles, by layer and zoom level, and the fields of the layers.
///
/// A piece is a feature of one tile, as it is in the tile: with those in its buffer, and of a feature in several tiles
/// one in each.
package struct TilePieces: Sendable {
  /// The pieces of a layer.
  package struct Layer: Sendable {
    /// The name.
    package let name: String
    /// The number of pieces of each level that has some.
    package internal(set) var counts: [Int: Int] = [:]
    /// The fields in order of first appearance, each with the types of its values.
    package internal(set) var fields: [(name: String, types: Set<String>)] = []
  }

  /// The layers, in the order of the archive's description, and then of first appearance.
  package private(set) var layers: [Layer]
  /// The number of tiles of each level that has some; nil if the archive cannot list them.
  package private(set) var tileCounts: [Int: Int]?
  /// The levels whose pieces were counted.
  package private(set) var countedZooms: Set<Int> = []
  /// The reasons for what was not counted.
  package private(set) var warnings: [String] = []

  /// The greatest number of tiles that are read, and of their bytes.
  ///
  /// - Source: design decision, for an answer in a few seconds.
  private static let (tileLimit, byteLimit) = (20_000, 512 << 20)

  /// Counts the pieces of the levels from the first on, as far as the limits allow.
  package init(_ archive: TileArchive) {
    layers = archive.metadata.vectorLayers.map { Layer(name: $0.name) }
    do { tileCounts = try archive.tileCounts() } catch {
      warnings.append("its tiles are not counted: it \(error)")
    }
    var (tileRoom, byteRoom) = (Self.tileLimit, Self.byteLimit)
    for zoom in archive.zooms {
      tileRoom -= tileCounts?[zoom] ?? 0
      guard tileCounts != nil, tileRoom >= 0, byteRoom >= 0, let tiles = try? archive.tiles(zoom: zoom) else {
        if tileCounts != nil {
          warnings.append(
            "pieces of zoom \(zoom) and larger are not counted: more than \(Self.tileLimit) tiles or \(Self.byteLimit >> 20) MiB"
          )
        }
        return
      }
      countedZooms.insert(zoom)
      for tile in tiles where byteRoom >= 0 {
        do throws(TileError) {
          guard let bytes = try archive.bytes(at: tile) else { continue }
          byteRoom -= bytes.count
          try count(bytes, zoom: zoom)
        } catch {
          warnings.append("tile \(tile.zoom)/\(tile.column)/\(tile.row) \(error)")
          if warnings.count > 10 { return }
        }
      }
    }
  }

  private mutating func count(_ bytes: [UInt8], zoom: Int) throws(TileError) {
    let tile: VectorTile
    do throws(VectorTileError) { tile = try VectorTile(bytes) } catch { throw TileError(error.description) }
    for layer in tile.layers {
      var index = layers.firstIndex { $0.name.utf8.elementsEqual(layer.name.utf8) } ?? -1
      if index < 0 {
        layers.append(Layer(name: layer.name))
        index = layers.count - 1
      }
      layers[index].counts[zoom, default: 0] += layer.rowCount
      layers[index].add(layer)
    }
  }
}

extension TilePieces.Layer {
  /// Adds the fields of a tile's layer.
  fileprivate mutating func add(_ layer: VectorTileLayer) {
    let known = Dictionary(fields.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    let places = layer.fields.map { name in
      if let place = known[name] { return place }
      fields.append((name, []))
      return fields.count - 1
    }
    for pair in Set(layer.tags.pairs) {
      fields[places[Int(pair.field)]].types.insert(layer.values[Int(pair.value)].typeName)
    }
  }
}

extension VectorTileValue {
  /// The name of the type, as TileJSON writes it.
  fileprivate var typeName: String {
    switch self {
    case .text: "String"
    case .float, .double, .integer, .unsigned: "Number"
    case .boolean: "Boolean"
    }
  }
}
