extension Layer {
  /// The layer itself, or the layers of tiles in the group.
  fileprivate var tiledLayers: [ImageTiledLayer] {
    switch layerForm {
    case .tiles(let layer): [layer]
    case .features, .vectorTiles: []
    case .group(let group): group.layers.flatMap(\.tiledLayers)
    }
  }

  /// The layer itself, or the layers of vector tiles in the group.
  fileprivate var vectorTiledLayers: [VectorTiledLayer] {
    switch layerForm {
    case .vectorTiles(let layer): [layer]
    case .features, .tiles: []
    case .group(let group): group.layers.flatMap(\.vectorTiledLayers)
    }
  }
}

extension Map {
  /// The layers of tiles of the map and its basemap.
  public var tiledLayers: [ImageTiledLayer] {
    let below = (basemap?.baseLayers ?? []) + (basemap?.referenceLayers ?? [])
    return (below + operationalLayers).flatMap(\.tiledLayers)
  }

  /// The layers of vector tiles of the map and its basemap.
  public var vectorTiledLayers: [VectorTiledLayer] {
    let below = (basemap?.baseLayers ?? []) + (basemap?.referenceLayers ?? [])
    return (below + operationalLayers).flatMap(\.vectorTiledLayers)
  }
}
