internal import Dispatch
package import MapGeometry
package import MapModel
import MapReaders
import MapStyles
import Synchronization

/// A set of vector tiles, on this machine or on a server, with a cache of decoded tiles.
///
/// - Cost: at most ``cacheBytes`` for the cache.
package final class VectorTiles: StyleTileSource {
  /// Returns the bytes of several tiles; nil for those that the source does not have.
  package typealias FetchAll = @Sendable ([TileIndex]) async -> [TileIndex: Result<[UInt8]?, TileError>]

  private enum Way {
    case each(@Sendable (TileIndex) throws(TileError) -> [UInt8]?)
    case together(FetchAll)
  }

  /// The path or address, without secrets.
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
  private let way: Way
  /// Whether a missing tile has the content of the nearest tile of a smaller zoom.
  private let takesAncestors: Bool
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
  ///   - takesAncestors: whether a missing tile has the content of the nearest tile of a smaller zoom, as in services and
  ///     packages of Esri.
  ///   - fetch: returns the bytes of a tile; nil if there is no such tile.
  package convenience init(
    place: String, zooms: ClosedRange<Int>, extent: Envelope?, attribution: String, layers: Set<String>,
    layerNames: [String]? = nil, fields: [String: [String]] = [:],
    viewBytes: Int = VectorTiles.largestView, takesAncestors: Bool = false,
    fetch: @escaping @Sendable (TileIndex) throws(TileError) -> [UInt8]?
  ) {
    self.init(
      place: place, zooms: zooms, extent: extent, attribution: attribution, layers: layers,
      layerNames: layerNames, fields: fields, viewBytes: viewBytes, takesAncestors: takesAncestors,
      .each(fetch))
  }

  /// Creates a set of tiles from a function that returns the bytes of several tiles, such as those of a server.
  package convenience init(
    place: String, zooms: ClosedRange<Int>, extent: Envelope?, attribution: String, layers: Set<String>,
    layerNames: [String]? = nil, fields: [String: [String]] = [:],
    viewBytes: Int = VectorTiles.largestView, takesAncestors: Bool = false, fetchAll: @escaping FetchAll
  ) {
    self.init(
      place: place, zooms: zooms, extent: extent, attribution: attribution, layers: layers,
      layerNames: layerNames, fields: fields, viewBytes: viewBytes, takesAncestors: takesAncestors,
      .together(fetchAll))
  }

  private init(
    place: String, zooms: ClosedRange<Int>, extent: Envelope?, attribution: String, layers: Set<String>,
    layerNames: [String]?, fields: [String: [String]], viewBytes: Int, takesAncestors: Bool, _ way: Way
  ) {
    (self.place, self.zooms, self.extent) = (place, zooms, extent)
    (self.attribution, self.layers, self.way) = (attribution, layers, way)
    (self.layerNames, self.fields) = (layerNames, fields)
    (self.viewBytes, self.takesAncestors) = (viewBytes, takesAncestors)
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
    var results = await own(tiles, threads: threads)
    guard takesAncestors else { return results }
    // For each missing tile, the tile of a smaller zoom that is looked up next.
    var next: [TileIndex: TileIndex] = [:]
    for case (let tile, .success(nil)) in results { next[tile] = tile }
    while !next.isEmpty {
      next = next.compactMapValues { $0.zoom > zooms.lowerBound ? $0.parent : nil }
      let found = await own(Array(Set(next.values)), threads: threads)
      for (tile, ancestor) in next {
        switch found[ancestor] {
        case .success(let content?)?:
          results[tile] = .success(content.part(tile, of: ancestor))
          next[tile] = nil
        case .failure(let error)?: (results[tile], next[tile]) = (.failure(error), nil)
        case .success(nil)?, nil: break
        }
      }
    }
    let size = results.values.reduce(0) { sum, result in
      if case .success(let content?) = result { sum + content.byteCount } else { sum }
    }
    return size <= viewBytes ? results : results.mapValues { _ in .failure(tooLarge) }
  }

  /// The error for the tiles of a view that are too large.
  private var tooLarge: TileError {
    TileError("is one of the view's tiles, which take more than \(viewBytes >> 20) MiB of memory, the limit")
  }

  /// Returns the layers of tiles, without those of smaller zooms.
  private func own(
    _ tiles: [TileIndex], threads: Int
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
    var fetched: [TileIndex: Result<[UInt8]?, TileError>] = [:]
    if room >= 0, case .together(let fetchAll) = way { fetched = await fetchAll(rest) }
    guard room >= 0, let decoded = decoded(rest, fetched, room: room, threads: threads) else {
      return Dictionary(uniqueKeysWithValues: Set(tiles).map { ($0, .failure(tooLarge)) })
    }
    for (tile, result) in zip(rest, decoded) { results[tile] = result }
    cache.withLock { cache in
      for tile in rest { if case .success(let content) = results[tile] { cache.keep(content, at: tile) } }
    }
    return results
  }

  /// Decodes tiles; nil as soon as they are larger than there is room for.
  private func decoded(
    _ tiles: [TileIndex], _ fetched: [TileIndex: Result<[UInt8]?, TileError>], room: Int, threads: Int
  ) -> [Result<StyleTileContent?, TileError>]? {
    let made = Mutex([Result<StyleTileContent?, TileError>](repeating: .success(nil), count: tiles.count))
    let next = Atomic(0)
    let left = Atomic(room)
    @Sendable func work() {
      while true {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < tiles.count, left.load(ordering: .relaxed) >= 0 else { return }
        let content = self.content(of: tiles[index], fetched)
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

  private func content(
    of tile: TileIndex, _ fetched: [TileIndex: Result<[UInt8]?, TileError>]
  ) -> Result<StyleTileContent?, TileError> {
    do throws(TileError) {
      let found: [UInt8]?
      switch way {
      case .each(let fetch): found = try fetch(tile)
      case .together: found = try (fetched[tile] ?? .success(nil)).get()
      }
      guard let bytes = found else { return .success(nil) }
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
