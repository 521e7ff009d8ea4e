public import FoundationEssentials
public import MapModel
import MapStyles
import MapSystem

/// A layer of vector tiles, with the name in the ArcGIS Maps SDK.
public typealias ArcGISVectorTiledLayer = VectorTiledLayer

extension SourceCatalog {
  /// Returns the loaded layer of a basemap: of a MapLibre style, or of tiles at a path, template or address.
  ///
  /// - Throws: ``MapStateError``.
  package func basemapLayer(at place: String) async throws(MapStateError) -> any Layer {
    let served = try await servedStyle(at: place)
    let own = try Self.style(at: place)
    guard served == nil, own == nil else {
      let layer = VectorTiledLayer(place: SourceAddress.shown(place)) {
        guard let served else { return try await self.mapStyle(at: place) }
        return try await self.mapStyle(served.json, name: served.name, at: served.place)
      }
      try await layer.load()
      layer.name = FilePath.stem(of: SourceAddress.shown(place))
      return layer
    }
    let layer = ImageTiledLayer(tilesAt: place, catalog: self)
    try await layer.load()
    // Messages name the layer.
    if layer.name.isEmpty { layer.name = layer.place }
    return layer
  }
}

extension VectorTiledLayer {
  /// Creates a layer with the MapLibre style in a file or at an address.
  ///
  /// A style at an address, and what a style names by an address, is fetched only if ``ServiceAccess/fetchesTiles`` is
  /// true. The style's sources are archives, folders and templates beside it; ``SourceCatalog/styleTiles`` puts others in
  /// their place.
  public convenience init(url: URL, catalog: SourceCatalog = SourceCatalog()) {
    self.init(styleAt: url.isFileURL ? url.path : url.absoluteString, catalog: catalog)
  }

  /// Creates a layer with the MapLibre style at a path or address that the caller names.
  public convenience init(styleAt path: String, catalog: SourceCatalog = SourceCatalog()) {
    self.init(place: SourceAddress.shown(path)) { try await catalog.mapStyle(at: path) }
  }
}
