internal import Dispatch
package import MapGeometry
package import MapModel
import MapReaders
import MapStyles
import Synchronization

/// A set of vector tiles on this machine with a cache of decoded tiles.
///
/// - Cost: at most ``cacheBytes`` for the cache.
package final class VectorTiles: StyleTileSource {
  /// The path.
  package let place: String
  /// The levels with tiles.
  package let zooms: ClosedRange<Int>
  /// The extent in Web Mercator; nil for the whole world.
  package let extent: Envelope?
  /// The attribution text that the tiles require; empty for none.
  package let attribution: String
  /// The names of the layers that the tiles may have; nil if they are not stated.
  package let layerNames: [String]?
  /// The names of the fields of the layers, as far as they are stated.
  private let fields: [String: [String]]
  private let fetch: @Sendable (TileIndex) throws(TileError) -> [UInt8]?
  /// The layers that are read.
  private let layers: Set<String>
  /// The greatest size in bytes of the decoded tiles of a view.
  private let viewBytes: Int
  private let cache = Mutex(TileCache<StyleTileContent>(largest: VectorTiles.cacheBytes) { $0.byteCount })

  /// The greatest size of the cached tiles in bytes.
  ///
  /// - Source: design decision; about a hundred dense tiles, more than an image shows.
  package static let cacheBytes = 128 << 20
  /// The greatest size of the decoded tiles of a view, so that hostile tiles cannot fill memory.
  ///
  /// - Source: design decision; some hundred dense tiles.
  package static let largestView = 512 << 20

  /// Creates a set of tiles from a function that returns their bytes.
  ///
  /// - Parameters:
  ///   - layers: the names of the layers that are read.
  ///   - layerNames: the names of all layers; nil if they are not stated.
  ///   - fields: the names of the fields of the layers, as far as they are stated.
  ///   - viewBytes: the greatest size of the decoded tiles of a view.
  ///   - fetch: returns the bytes of a tile; nil if there is no such tile.
  package init(
    place: String, zooms: ClosedRange<Int>, extent: Envelope?, attribution: String, layers: Set<String>,
    layerNames: [String]? = nil, fields: [String: [String]] = [:], viewBytes: Int = VectorTiles.largestView,
    fetch: @escaping @Sendable (TileIndex) throws(TileError) -> [UInt8]?
  ) {
    (self.place, self.zooms, self.extent) = (place, zooms, extent)
    (self.attribution, self.layers, self.fetch) = (attribution, layers, fetch)
    (self.layerNames, self.fields, self.viewBytes) = (layerNames, fields, viewBytes)
  }

  /// Returns the names of the fields that the features of a layer may have; nil if they are not stated.
  package func fieldNames(ofLayer name: String) -> [String]? { fields[name] }

  /// Returns the layers of tiles, read on several threads; nil for a tile that the source does not have.
  ///
  /// If the tiles of the view are larger than the limit, none of them has a result but an error, so that the image does not
  /// depend on the order in which they were read.
  ///
  /// Errors are not cached, so the next image tries again.
  package func contents(
    of tiles: [TileIndex], threads: Int
  ) async -> [TileIndex: Result<StyleTileContent?, TileError>] {
    var results: [TileIndex: Result<StyleTileContent?, TileError>] = [:]
    var (rest, room): ([TileIndex], Int) = ([], viewBytes)
    cache.withLock { cache in
      for tile in Set(tiles).sorted() {
        guard let known = cache.content(at: tile) else {
          rest.append(tile)
          continue
        }
        results[tile] = .success(known)
        room -= known?.byteCount ?? 0
      }
    }
    guard !rest.isEmpty || room < 0 else { return results }
    guard room >= 0, let decoded = decoded(rest, room: room, threads: threads) else {
      let error = TileError(
        "is one of the view's tiles, which take more than \(viewBytes >> 20) MiB of memory, the limit")
      return Dictionary(uniqueKeysWithValues: Set(tiles).map { ($0, .failure(error)) })
    }
    for (tile, result) in zip(rest, decoded) { results[tile] = result }
    cache.withLock { cache in
      for tile in rest { if case .success(let content) = results[tile] { cache.keep(content, at: tile) } }
    }
    return results
  }

  /// Decodes tiles; nil as soon as they are larger than there is room for.
  private func decoded(
    _ tiles: [TileIndex], room: Int, threads: Int
  ) -> [Result<StyleTileContent?, TileError>]? {
    let made = Mutex([Result<StyleTileContent?, TileError>](repeating: .success(nil), count: tiles.count))
    let next = Atomic(0)
    let left = Atomic(room)
    @Sendable func work() {
      while true {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < tiles.count, left.load(ordering: .relaxed) >= 0 else { return }
        let content = self.content(of: tiles[index])
        if case .success(let decoded?) = content {
          left.wrappingSubtract(decoded.byteCount, ordering: .relaxed)
        }
        made.withLock { $0[index] = content }
      }
    }
    let threads = max(1, min(threads, tiles.count))
    if threads == 1 { work() } else { DispatchQueue.concurrentPerform(iterations: threads) { _ in work() } }
    return left.load(ordering: .relaxed) >= 0 ? made.withLock { $0 } : nil
  }

  private func content(of tile: TileIndex) -> Result<StyleTileContent?, TileError> {
    do throws(TileError) {
      guard let bytes = try fetch(tile) else { return .success(nil) }
      let decoded: VectorTile
      do throws(VectorTileError) { decoded = try VectorTile(bytes, layers: layers) } catch {
        throw TileError(error.description)
      }
      return .success(try StyleTileContent(decoded, at: tile))
    } catch {
      return .failure(error)
    }
  }
}

extension StyleTileContent {
  /// Creates the content of a decoded tile.
  ///
  /// - Throws: ``TileError`` for layers with more features times fields than `VectorTileLimits/cells`.
  fileprivate init(_ tile: VectorTile, at index: TileIndex) throws(TileError) {
    var (layers, bytes): ([String: Layer], Int) = ([:], 0)
    let limit = VectorTileLimits().cells
    // The limits of tiles keep the products far from an overflow.
    guard tile.layers.reduce(0, { $0 + $1.rowCount * $1.fields.count }) <= limit else {
      throw TileError("has more than \(limit) features times fields, the limit")
    }
    // Of layers with one name the last counts, as in MapLibre GL JS.
    for layer in tile.layers {
      layers[layer.name] = Layer(
        features: StyleFeatures(layer, in: index), geometries: layer.geometries,
        extent: Double(layer.extent),
        ids: (0..<layer.rowCount).map { layer.id(ofRow: $0) })
      let vertices = layer.geometries.reduce(0) { $0 + $1.vertexCount }
      bytes += vertices * 24 + layer.rowCount * (96 + layer.fields.count * 4) + layer.tags.pairs.count * 8
    }
    let loss = tile.problems.first.first { problem in
      if case .repeatedName = problem.reason { true } else { problem.reason.isLoss }
    }
    self.init(layers: layers, byteCount: bytes, loss: loss.map { "\($0)" })
  }
}
