import MapModel

/// Decoded tiles, as many as fit into a number of bytes; those that were not used for longest go first.
struct TileCache<Content: Sendable>: Sendable {
  private var tiles: [TileIndex: (content: Content?, used: Int)] = [:]
  private var bytes = 0
  private var clock = 0
  private let largest: Int
  private let size: @Sendable (Content) -> Int

  /// Creates an empty cache.
  ///
  /// - Parameters:
  ///   - largest: the greatest number of bytes.
  ///   - size: returns the bytes of a tile.
  init(largest: Int, size: @escaping @Sendable (Content) -> Int) {
    (self.largest, self.size) = (largest, size)
  }

  /// Returns what is known of a tile, nil inside for one that the source does not have; nil for nothing.
  mutating func content(at tile: TileIndex) -> Content?? {
    guard let known = tiles[tile] else { return nil }
    clock += 1
    tiles[tile] = (known.content, clock)
    return .some(known.content)
  }

  /// Keeps a tile; nil is one that the source does not have.
  mutating func keep(_ content: Content?, at tile: TileIndex) {
    guard tiles[tile] == nil else { return }
    clock += 1
    tiles[tile] = (content, clock)
    bytes += bytes(of: content)
    guard bytes > largest else { return }
    // Half of all goes at once, so that this is rare.
    for (tile, known) in tiles.sorted(by: { $0.value.used < $1.value.used }) where bytes > largest / 2 {
      tiles[tile] = nil
      bytes -= bytes(of: known.content)
    }
  }

  private func bytes(of content: Content?) -> Int { 64 + (content.map(size) ?? 0) }
}
