import MapDrawing
import MapFeatures
import MapGeometry
public import MapModel

extension ViewState {
  /// The same view with the features of its layers at hand: those of services are fetched as far as the view reaches,
  /// so that picture, counts, labels and what is identified come from one answer.
  ///
  /// Tables in memory stay as they are.
  /// - Throws: ``LayerError``.
  public func fetched() async throws(LayerError) -> ViewState {
    try await mappingLayers { layer throws(LayerError) in try await fetched(layer) }
  }

  /// The same view with its layers, and the basemap's own, each as another.
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

  /// A layer with its features at hand, as far as drawing it asks for them; those of a hidden layer stay away.
  ///
  /// The display filter and the time are left to this side, so that changing them asks no service again.
  func fetched(_ layer: LayerState, window: Envelope? = nil) async throws(LayerError) -> LayerState {
    guard !(layer.source is UnreadSource) else { return layer }
    return try await naming(layer) {
      var conditions = conditions(for: layer)
      conditions.viewEnvelopes = symbolizer(of: layer).fetchEnvelopes(in: window)
      var layer = layer
      layer.source = try await layer.source.fetched(
        for: conditions.query(for: conditions.isShown ? .stage(.extent) : .stage(.scale)))
      return layer
    }
  }
}
