package import MapImages

/// An image of a sprite.
package struct SpriteImage: Hashable, Sendable {
  /// The pixels.
  package let bitmap: Bitmap
  /// The pixels of the image per CSS pixel, above 0.
  package let pixelRatio: Double

  /// The width in CSS pixels.
  package var width: Double { Double(bitmap.width) / pixelRatio }
  /// The height in CSS pixels.
  package var height: Double { Double(bitmap.height) / pixelRatio }
}
