package import MapImages
package import MapModel

/// Tiles that are made from those of another source, each from a tile and the eight around it.
package final class DerivedTiles: TileSource {
  /// Returns the image of a tile; nil for none.
  ///
  /// The function `around` returns the image of the tile so many columns to the right and rows down, 0 and 0 for the tile
  /// itself; nil for a tile that the source does not have.
  package typealias Maker =
    @Sendable (_ tile: TileIndex, _ around: (_ right: Int, _ down: Int) -> Bitmap?) throws -> Bitmap?

  package let scheme: TileScheme
  private let source: any TileSource
  private let make: Maker

  package var name: String { source.name }
  package var place: String { source.place }
  package var attribution: String { source.attribution }

  /// Creates the tiles.
  ///
  /// - Parameters:
  ///   - source: the source of the tiles.
  ///   - factor: the pixels along a side for each pixel of the source's tiles; with more than 1, only the finest level of
  ///     the source is used. Images of another size than that of the scheme are missing.
  package init(_ source: any TileSource, factor: Int = 1, _ make: @escaping Maker) {
    (self.source, self.make) = (source, make)
    let own = source.scheme
    let enlarged = own.levels.last.flatMap { level in
      TileScheme(
        reference: own.reference, originX: own.originX, originY: own.originY, tileSize: own.tileSize * factor,
        levels: [TileScheme.Level(zoom: level.zoom, resolution: level.resolution / Double(factor))],
        extent: own.extent)
    }
    scheme = factor > 1 ? enlarged ?? own : own
  }

  /// Returns the images of tiles; those of the source are read once for all of them.
  package func images(at tiles: [TileIndex]) async -> [TileIndex: Result<TileImage?, TileError>] {
    var needed: Set<TileIndex> = []
    for tile in tiles {
      for place in 0..<9 {
        if let other = neighbor(of: tile, right: place % 3 - 1, down: place / 3 - 1) { needed.insert(other) }
      }
    }
    let images = await source.images(at: needed.sorted())
    var made: [TileIndex: Result<TileImage?, TileError>] = [:]
    for tile in tiles {
      switch images[tile] {
      case .success(let image?):
        do {
          let bitmap = try make(tile) { right, down in
            if right == 0, down == 0 { return image.bitmap }
            guard let other = neighbor(of: tile, right: right, down: down),
              case .success(let image?)? = images[other]
            else { return nil }
            return image.bitmap
          }
          let isFit = bitmap?.width == scheme.tileSize && bitmap?.height == scheme.tileSize
          made[tile] = .success(isFit ? bitmap.map { TileImage($0) } : nil)
        } catch { made[tile] = .failure(TileError("cannot be drawn: \(error)")) }
      case .failure(let error)?: made[tile] = .failure(error)
      case .success(nil), nil: made[tile] = .success(nil)
      }
    }
    return made
  }

  /// Returns a tile beside another, around the world; nil for one outside the scheme.
  private func neighbor(of tile: TileIndex, right: Int, down: Int) -> TileIndex? {
    let scheme = source.scheme
    guard let level = scheme.levels.first(where: { $0.zoom == tile.zoom }) else { return nil }
    return TileGrid(scheme, level).tile(column: tile.column + right, row: tile.row + down)
  }
}
