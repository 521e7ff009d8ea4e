/// A feature that an image emphasises: its outline or its symbol is drawn over all layers.
package struct FeatureEmphasis: Hashable, Sendable {
  /// The index of the layer.
  package let layer: Int
  /// The object ids of the features.
  package let objectIDs: [Int64]
  /// Whether a veil covers everything else.
  package let mutesOthers: Bool

  package init(layer: Int, objectIDs: [Int64], mutesOthers: Bool) {
    (self.layer, self.objectIDs, self.mutesOthers) = (layer, objectIDs, mutesOthers)
  }
}
