import MapGeometry

extension Map.State {
  /// What a document says beside its layers and tables, which have to be opened.
  init(of document: WebMap?) {
    guard let document else { return }
    self.document = document
    (bookmarks, basemap) = (document.bookmarks, document.basemap)
    spatialReference = document.spatialReference ?? .webMercator
    (initialViewpoint, initialTimeExtent) = (document.viewpoint, document.timeExtent)
    (minScale, maxScale, referenceScale) = (document.minScale, document.maxScale, document.referenceScale)
    if let background = document.background { backgroundColor = background }
  }

  /// What was read, with what was set and added here before: layers, tables and bookmarks come first, all else holds
  /// where nothing was set.
  func under(_ now: Map.State) -> Map.State {
    var state = self
    state.layers += now.layers
    state.tables += now.tables
    state.bookmarks += now.bookmarks
    state.warnings += now.warnings
    state.initialViewpoint = now.initialViewpoint ?? initialViewpoint
    state.initialTimeExtent = now.initialTimeExtent ?? initialTimeExtent
    state.basemap = now.basemap ?? basemap
    if now.minScale != 0 { state.minScale = now.minScale }
    if now.maxScale != 0 { state.maxScale = now.maxScale }
    if now.referenceScale != 0 { state.referenceScale = now.referenceScale }
    state.maxExtent = now.maxExtent
    state.spatialReference = now.spatialReference ?? spatialReference
    return state
  }
}
