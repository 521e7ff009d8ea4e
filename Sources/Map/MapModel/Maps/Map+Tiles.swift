extension Layer {
  /// The layer itself, or the layers of tiles in the group.
  fileprivate var tiledLayers: [ImageTiledLayer] {
    switch layerForm {
    case .tiles(let layer): [layer]
    case .features: []
    case .group(let group): group.layers.flatMap(\.tiledLayers)
    }
  }
}

extension Map {
  /// The layers of tiles of the map and its basemap.
  public var tiledLayers: [ImageTiledLayer] {
    let below = (basemap?.baseLayers ?? []) + (basemap?.referenceLayers ?? [])
    return (below + operationalLayers).flatMap(\.tiledLayers)
  }
}
