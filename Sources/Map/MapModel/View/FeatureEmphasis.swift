/// A feature that an image emphasises: its outline or its symbol is drawn over all layers.
package struct FeatureEmphasis: Hashable, Sendable {
  /// The index of the layer.
  package let layer: Int
  /// The object id of the feature.
  package let objectID: Int64
  /// Whether a veil covers everything else.
  package let mutesOthers: Bool

  package init(layer: Int, objectID: Int64, mutesOthers: Bool) {
    (self.layer, self.objectID, self.mutesOthers) = (layer, objectID, mutesOthers)
  }
}
