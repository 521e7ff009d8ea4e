package import MapGeometry
package import MapModel

/// Some levels of a set of tiles, in a part of their extent.
package final class PartialTiles: TileSource {
  package let scheme: TileScheme
  private let source: any TileSource

  package var name: String { source.name }
  package var place: String { source.place }
  package var attribution: String { source.attribution }

  /// Creates the tiles; nil if the source has no tiles in the levels and the extent.
  ///
  /// - Parameter extent: the extent in the source's spatial reference; nil for all.
  package init?(_ source: any TileSource, zooms: ClosedRange<Int>, extent: Envelope? = nil) {
    let own = source.scheme
    let part =
      extent.map { extent in
        Envelope(
          xMin: max(own.extent.xMin, extent.xMin), yMin: max(own.extent.yMin, extent.yMin),
          xMax: min(own.extent.xMax, extent.xMax), yMax: min(own.extent.yMax, extent.yMax))
      } ?? own.extent
    let levels = own.levels.filter { zooms.contains($0.zoom) }
    let scheme = TileScheme(
      reference: own.reference, originX: own.originX, originY: own.originY, tileSize: own.tileSize,
      levels: levels, extent: part)
    // A scheme needs a level, and an extent with an area.
    guard let scheme else { return nil }
    (self.source, self.scheme) = (source, scheme)
  }

  /// Returns the images of tiles.
  package func images(at tiles: [TileIndex]) async -> [TileIndex: Result<TileImage?, TileError>] {
    await source.images(at: tiles)
  }
}
