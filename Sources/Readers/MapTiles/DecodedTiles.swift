import MapImages
package import MapModel
import Synchronization

/// A set of tiles with a cache of decoded images.
///
/// - Cost: at most ``cacheBytes`` for the cache.
package final class DecodedTiles: TileSource {
  /// Returns the bytes of a tile; nil if there is no such tile.
  package typealias Fetch = @Sendable (TileIndex) async throws(TileError) -> [UInt8]?

  /// The grid of the tiles.
  package let scheme: TileScheme
  /// The name; empty for none.
  package let name: String
  /// The path or address, without secrets.
  package let place: String
  /// The attribution text that the tiles require; empty for none.
  package let attribution: String
  private let fetch: Fetch
  /// The number of tiles that fail in a row before no more are fetched; nil for no limit.
  private let mostFailures: Int?
  private let cache = Mutex(TileCache<TileImage>(largest: DecodedTiles.cacheBytes) { $0.bitmap.pixels.count })

  /// The greatest size of the cached images in bytes.
  ///
  /// - Source: design decision; 512 tiles of 256 pixels, more than six images of 1920 by 1080 need.
  package static let cacheBytes = 128 << 20
  /// Creates a set of tiles from a function that returns their bytes.
  ///
  /// - Parameters:
  ///   - mostFailures: the number of tiles that fail in a row before an image fetches no more; a server that is gone
  ///     would otherwise take the time limit of a request for each tile. Nil for no limit.
  package init(
    _ scheme: TileScheme, name: String, place: String, attribution: String, mostFailures: Int? = nil,
    fetch: @escaping Fetch
  ) {
    (self.scheme, self.name, self.place) = (scheme, name, place)
    (self.attribution, self.mostFailures, self.fetch) = (attribution, mostFailures, fetch)
  }

  /// Returns the images of tiles, at most four at a time; nil for a tile that the source does not have.
  ///
  /// Errors are not cached, so the next image tries again.
  package func images(at tiles: [TileIndex]) async -> [TileIndex: Result<TileImage?, TileError>] {
    var results: [TileIndex: Result<TileImage?, TileError>] = [:]
    var rest: [TileIndex] = []
    cache.withLock { cache in
      for tile in Set(tiles).sorted() {
        if let known = cache.content(at: tile) { results[tile] = .success(known) } else { rest.append(tile) }
      }
    }
    guard !rest.isEmpty else { return results }
    let found = await TileRequests.results(of: rest, mostFailures: mostFailures) { [self] tile in
      await image(at: tile)
    }
    results.merge(found) { $1 }
    cache.withLock { cache in
      for tile in rest { if case .success(let image) = results[tile] { cache.keep(image, at: tile) } }
    }
    return results
  }

  private func image(at tile: TileIndex) async -> Result<TileImage?, TileError> {
    do throws(TileError) {
      guard let bytes = try await fetch(tile) else { return .success(nil) }
      return .success(try TileDecoder.decode(bytes, side: scheme.tileSize))
    } catch {
      return .failure(error)
    }
  }
}
