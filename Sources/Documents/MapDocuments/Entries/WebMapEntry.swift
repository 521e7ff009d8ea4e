import MapModel

/// The layers of one entry of a document, starting at the bottom.
struct WebMapEntry {
  /// The layers with features, and those that are not drawn.
  var layers: [WebMapLayer] = []
  /// The layers of tiles, each with the number of layers with features below it.
  var tiles: [WebMapTileLayer] = []

  /// Whether one of the layers is visible.
  var isVisible: Bool { layers.contains(where: \.isVisible) || tiles.contains(where: \.showing.isVisible) }

  /// Adds the layers of another entry on top.
  mutating func append(_ other: WebMapEntry) {
    let below = layers.count(where: \.isDrawable)
    for var layer in other.tiles {
      layer.below += below
      tiles.append(layer)
    }
    layers += other.layers
  }

  /// Hides all layers.
  mutating func hide() {
    for index in layers.indices { layers[index].isVisible = false }
    for index in tiles.indices { tiles[index].showing.isVisible = false }
  }
}
