import MapSystem

/// Images of parts of a layer, laid over each other with 16 bits per channel.
///
/// The first image is at the bottom. The order of the images, and nothing else, decides each rounding.
///
/// - Error: an image has 8 bits per channel, so a layer that is painted in parts may differ by 1 of 255 from one that
///   is painted at once; more where many transparent symbols overlap.
/// - Cost: 8 bytes per pixel.
package struct LayerPile: Sendable {
  private let width: Int
  private let height: Int
  /// Red, green, blue and alpha of each pixel, premultiplied.
  private var channels: [UInt16]

  /// Creates a transparent image.
  ///
  /// - Throws: ``BitmapError`` when a side is out of range or memory runs out.
  package init(width: Int, height: Int) throws(BitmapError) {
    let count = try Bitmap.byteCount(width: width, height: height)
    guard canAllocate(bytes: count * 2) else { throw .memory(bytes: count * 2) }
    (self.width, self.height, channels) = (width, height, [UInt16](repeating: 0, count: count))
  }

  /// Lays an image over the others; false for an image of another size.
  package mutating func lay(_ image: Bitmap) -> Bool {
    guard image.width == width, image.height == height else { return false }
    let source = image.pixels.span
    var target = channels.mutableSpan
    for at in stride(from: 0, to: source.count, by: 4) {
      let alpha = UInt32(source[at + 3])
      guard alpha > 0 else { continue }
      let rest = 65_535 - alpha * 257
      for channel in 0..<4 {
        let value = channel == 3 ? alpha : (UInt32(source[at + channel]) * alpha + 127) / 255
        let below = (UInt32(target[at + channel]) * rest + 32_767) / 65_535
        target[at + channel] = UInt16(clamping: value * 257 + below)
      }
    }
    return true
  }

  /// The pixels, row by row: premultiplied alpha, red, green and blue from the highest byte down, rounded to the
  /// nearest.
  package var pixels: [UInt32] {
    let channels = channels.span
    var pixels: [UInt32] = []
    pixels.reserveCapacity(width * height)
    for at in stride(from: 0, to: channels.count, by: 4) {
      var pixel: UInt32 = 0
      pixel = byte(channels[at + 3]) << 24 | byte(channels[at]) << 16
      pixel |= byte(channels[at + 1]) << 8 | byte(channels[at + 2])
      pixels.append(pixel)
    }
    return pixels
  }

  private func byte(_ channel: UInt16) -> UInt32 { (UInt32(channel) + 128) / 257 }
}
