import MapDrawing
import MapFeatures
import MapGeometry
public import MapModel

extension ViewState {
  /// Returns the same view with the features of its layers fetched.
  ///
  /// Features of services are fetched as far as the view reaches, so that image, counts, labels and identified
  /// features come from one answer. Tables in memory stay unchanged.
  /// - Throws: ``MapStateError``.
  public func fetched() async throws(MapStateError) -> ViewState {
    try await mappingLayers { layer throws(MapStateError) in try await fetched(layer) }
  }

  /// Returns the same view with each layer replaced, including the basemap's own layers.
  func mappingLayers<Failure: Error>(
    _ change: (LayerState) async throws(Failure) -> LayerState
  ) async throws(Failure) -> ViewState {
    func changed(_ layers: [LayerState]) async throws(Failure) -> [LayerState] {
      var all: [LayerState] = []
      for layer in layers { all.append(try await change(layer)) }
      return all
    }
    let base = try await changed(basemap?.baseLayers ?? [])
    let reference = try await changed(basemap?.referenceLayers ?? [])
    return with(
      layers: try await changed(layers),
      over: basemap?.with(baseLayers: base, referenceLayers: reference))
  }

  /// Returns a layer with the features fetched that drawing needs; those of a hidden layer are not fetched.
  ///
  /// The display filter and the time are applied locally, so that changing them does not query the service again.
  package func fetched(_ layer: LayerState, window: Envelope? = nil) async throws(MapStateError) -> LayerState
  {
    guard !(layer.source is UnreadSource) else { return layer }
    return try await naming(layer) {
      var conditions = conditions(for: layer)
      conditions.viewEnvelopes = fetchEnvelopes(of: layer, in: window)
      var layer = layer
      layer.source = try await layer.source.fetch(
        conditions.query(for: conditions.isShown ? .stage(.extent) : .stage(.scale)))
      return layer
    }
  }
}
