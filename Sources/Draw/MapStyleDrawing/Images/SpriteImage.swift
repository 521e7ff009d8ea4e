package import MapImages

/// An image of a sprite.
package struct SpriteImage: Hashable, Sendable {
  /// The pixels.
  package let bitmap: Bitmap
  /// The pixels of the image per CSS pixel, above 0.
  package let pixelRatio: Double
  /// The parts that stretch, and whether the image is a distance field.
  let stretching: ImageStretching

  init(bitmap: Bitmap, pixelRatio: Double, stretching: ImageStretching = ImageStretching()) {
    (self.bitmap, self.pixelRatio, self.stretching) = (bitmap, pixelRatio, stretching)
  }

  /// The width in CSS pixels.
  package var width: Double { Double(bitmap.width) / pixelRatio }
  /// The height in CSS pixels.
  package var height: Double { Double(bitmap.height) / pixelRatio }
  /// Whether the alpha of the pixels is a distance from an edge, so that the image has the layer's colours.
  package var isDistanceField: Bool { stretching.isDistanceField }
}
