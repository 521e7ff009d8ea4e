import MapFeatures
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
    package fileprivate(set) var counts: [Int: Int] = [:]
    /// The fields in order of first appearance, each with the types of its values.
    package var fields: [(name: String, types: Set<String>)] { list.elements }
    fileprivate var list = NamedList<(name: String, types: Set<String>)>(
      of: "fields in a layer", limit: FeatureSchema.fieldLimit)
  }

  /// The layers, in the order of the archive's description, and then of first appearance.
  package var layers: [Layer] { list.elements }
  private var list = NamedList<Layer>(of: "layers", limit: VectorTileLimits().layers)
  /// The number of tiles of each level that has some; nil if the archive cannot list them.
  package private(set) var tileCounts: [Int: Int]?
  /// The reasons for what was not counted.
  package private(set) var warnings: [String] = []

  /// The greatest number of tiles that are read, and of their bytes.
  ///
  /// - Source: design decision, for an answer in a few seconds.
  private static let (tileLimit, byteLimit) = (20_000, 512 << 20)

  /// Counts the pieces of the levels from the first on, as far as the limits allow.
  package init(_ archive: TileArchive) {
    let counts: [Int: Int]
    do throws(TileError) {
      for layer in archive.metadata.vectorLayers { _ = try list.index(of: layer.name) { Layer(name: $0) } }
      counts = try archive.tileCounts()
    } catch {
      warnings.append("its tiles are not counted: it \(error)")
      return
    }
    tileCounts = counts
    var (tileRoom, byteRoom, badTiles) = (Self.tileLimit, Self.byteLimit, BadTiles())
    for zoom in archive.zooms {
      // A level counts as a whole or not at all.
      var whole = self
      do throws(TileError) {
        tileRoom -= counts[zoom] ?? 0
        if tileRoom >= 0 { try whole.count(archive, zoom: zoom, &byteRoom, &badTiles) }
        guard tileRoom >= 0, byteRoom >= 0 else {
          throw TileError("has more than \(Self.tileLimit) tiles or \(Self.byteLimit >> 20) MiB")
        }
        self = whole
      } catch {
        warnings.append("pieces of zoom \(zoom) and larger are not counted: it \(error)")
        break
      }
    }
    if let warning = badTiles.warning { warnings.append(warning) }
  }

  private mutating func count(
    _ archive: TileArchive, zoom: Int, _ byteRoom: inout Int, _ badTiles: inout BadTiles
  ) throws(TileError) {
    for index in try archive.tiles(zoom: zoom) where byteRoom >= 0 {
      let tile: VectorTile?
      do throws(TileError) { tile = try archive.vectorTile(at: index, &byteRoom) } catch {
        badTiles.append(error)
        continue
      }
      for layer in tile?.layers ?? [] {
        let place = try list.index(of: layer.name) { Layer(name: $0) }
        try list.elements[place].add(layer, zoom: zoom)
      }
    }
  }
}

extension TilePieces.Layer {
  /// Adds the pieces of a tile's layer.
  fileprivate mutating func add(_ layer: VectorTileLayer, zoom: Int) throws(TileError) {
    counts[zoom, default: 0] += layer.rowCount
    var places: [Int] = []
    for field in layer.fields { places.append(try list.index(of: field) { (name: $0, types: []) }) }
    for pair in Set(layer.tags.pairs) {
      list.elements[places[Int(pair.field)]].types.insert(layer.values[Int(pair.value)].typeName)
    }
  }
}
