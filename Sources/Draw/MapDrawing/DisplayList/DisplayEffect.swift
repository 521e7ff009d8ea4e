package import MapModel

/// The effects on the image of a layer.
///
/// A layer with effects is painted part by part on images of their own, which are larger than that of the list by
/// ``margin`` on each side, so that blurs and shadows of items outside it reach into it.
package struct DisplayEffect: Hashable, Sendable {
  /// A part of the items with functions of its own.
  package struct Part: Hashable, Sendable {
    /// The items in painting order, in pixels of the larger image.
    package let batches: [DisplayBatch]
    /// The functions, applied in order.
    package let functions: [EffectFunction]

    /// Creates a part.
    package init(batches: [DisplayBatch], functions: [EffectFunction]) {
      (self.batches, self.functions) = (batches, functions)
    }
  }

  /// The parts, the first painted first.
  package let parts: [Part]
  /// The functions for the image of all parts, applied in order.
  package let functions: [EffectFunction]
  /// The distance by which the painted image is larger on each side, in output pixels.
  package let margin: Int
  /// Output pixels per view pixel.
  package let pixelRatio: Double

  /// Creates effects.
  package init(parts: [Part], functions: [EffectFunction], margin: Int, pixelRatio: Double) {
    (self.parts, self.functions, self.margin, self.pixelRatio) = (parts, functions, margin, pixelRatio)
  }
}
