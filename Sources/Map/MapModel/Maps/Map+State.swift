import MapGeometry

extension Map.State {
  /// Returns this state, as read from a document, combined with the changes made before.
  ///
  /// Layers, tables and bookmarks of the document come first. Other properties keep a value that was already set,
  /// except the background colour: the document's value replaces it.
  package func under(_ now: Map.State) -> Map.State {
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
