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
    var layers: [LayerState] = []
    for layer in self.layers { layers.append(try await fetched(layer)) }
    return with(layers: layers)
  }

  /// A layer with its features at hand, as far as drawing it asks for them; those of a hidden layer stay away.
  ///
  /// The display filter and the time are left to this side, so that changing them asks no service again.
  func fetched(_ layer: LayerState, window: Envelope? = nil) async throws(LayerError) -> LayerState {
    try await naming(layer) {
      var conditions = conditions(for: layer)
      conditions.viewEnvelopes = LayerSymbolizer(view: self, layer: layer).fetchEnvelopes(in: window)
      var layer = layer
      layer.source = try await layer.source.fetched(
        for: conditions.query(for: conditions.isShown ? .stage(.extent) : .stage(.scale)))
      return layer
    }
  }
}
