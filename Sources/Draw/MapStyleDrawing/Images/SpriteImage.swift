package import MapImages

/// An image of a sprite.
package struct SpriteImage: Hashable, Sendable {
  /// The pixels.
  package let bitmap: Bitmap
  /// The pixels of the image per CSS pixel, above 0.
  package let pixelRatio: Double
  /// Whether alpha is a signed distance from an edge, so that a style sets the colour.
  package let isSDF: Bool
  /// The ranges of columns that are stretched to fit a text, in pixels of the image; empty for all.
  package let stretchX: [ClosedRange<Double>]
  /// The ranges of rows that are stretched to fit a text, in pixels of the image; empty for all.
  package let stretchY: [ClosedRange<Double>]
  /// The left, top, right and bottom of the box for a text, in pixels of the image; nil for the whole image.
  package let content: [Double]?

  /// The width in CSS pixels.
  package var width: Double { Double(bitmap.width) / pixelRatio }
  /// The height in CSS pixels.
  package var height: Double { Double(bitmap.height) / pixelRatio }
}
