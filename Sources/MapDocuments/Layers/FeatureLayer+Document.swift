import MapModel

extension FeatureLayer {
  /// The layer in the form of a document.
  var written: WebMapLayer {
    ModelGate.withLock {
      let content = origin?.url.map { WebMapLayer.Content.url($0) } ?? table.writtenContent
      return WebMapLayer(origin, content: content, definition)
    }
  }
}
