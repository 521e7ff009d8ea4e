package import MapJSON

/// A group around a layer, which changes the image of its layers as a whole.
///
/// - Source: web map specification, `GroupLayer`: the layers of a group are blended with each other only, and the image
///   of the group with what is below it.
package struct LayerGroup: Hashable, Sendable {
  /// The identity of a group.
  package enum Key: Hashable, Sendable {
    /// A group, map service or feature collection of a document.
    case document(JSONPath)
    /// A group made in code.
    case object(ObjectIdentifier)
  }

  /// The identity, equal for all layers of the group.
  package let key: Key
  /// The opacity, which that of each layer already includes.
  package var opacity = 1.0
  /// The way in which the image of the group is mixed with what is below it.
  package var blendMode = BlendMode.normal
  /// The effect on the image of the group; nil for none.
  package var effect: LayerEffect?

  /// Creates a group without effects.
  package init(_ key: Key, opacity: Double = 1) { (self.key, self.opacity) = (key, opacity) }
}

extension BlendMode {
  /// Returns whether a layer with the mode, or a group around the layer, is mixed with what is below it.
  package func isMixed(in groups: [LayerGroup]) -> Bool {
    self != .normal || groups.contains { $0.blendMode != .normal }
  }
}
