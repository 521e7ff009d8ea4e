package import MapDocuments
public import MapModel

/// A layer of an opened map with its definition in the document.
public struct OpenedLayer: Sendable {
  /// The layer.
  public let layer: FeatureLayer
  /// The layer's definition in the document.
  package let document: WebMapLayer

  package init(layer: FeatureLayer, document: WebMapLayer) { (self.layer, self.document) = (layer, document) }
}
