import MapModel

/// The tiles that cannot be read.
struct BadTiles: Sendable {
  private var count = 0
  private var first = ""

  /// Adds the error of a tile, which names the tile.
  mutating func append(_ error: TileError) {
    if count == 0 { first = error.description }
    count += 1
  }

  /// The number of the tiles and the first error; nil for none.
  var warning: String? {
    guard count > 0 else { return nil }
    let tiles = count == 1 ? "1 tile that cannot be read was" : "\(count) tiles that cannot be read were"
    return "\(tiles) left out; the first: \(first)"
  }
}
