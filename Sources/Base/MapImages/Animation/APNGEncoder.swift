/// An encoder of animations in the format APNG, a PNG with further images, without loss.
///
/// - Source: ISO/IEC 15948, third edition, 11.3.6: the chunks acTL, fcTL and fdAT.
package struct APNGEncoder: Sendable {
  private let width: Int
  private let height: Int
  private let count: Int
  private let timing: AnimationTiming

  /// Creates an encoder for a number of images of one size.
  package init(width: Int, height: Int, count: Int, _ timing: AnimationTiming) {
    (self.width, self.height, self.count, self.timing) = (width, height, count, timing)
  }

  /// Returns the bytes before the first image.
  ///
  /// - Parameter dotsPerInch: the resolution to write into the file; nil writes none.
  package func start(dotsPerInch: Double?) -> [UInt8] {
    // Later images may have transparent pixels, and all have one form.
    var png = PNGCodec.start(width: width, height: height, isOpaque: false, dotsPerInch: dotsPerInch)
    PNGCodec.append("acTL", UInt32(count).bytes + UInt32(timing.plays).bytes, to: &png)
    return png
  }

  /// Returns the bytes of an image.
  ///
  /// - Parameter number: the number of the image, from 0.
  /// - Throws: ``PNGError`` when memory runs out.
  package func image(_ patch: ImagePatch, number: Int) throws(PNGError) -> [UInt8] {
    let pixels = patch.pixels
    let data = try PNGCodec.compressed(
      pixels, columns: 0..<pixels.width, rows: 0..<pixels.height, isOpaque: false)
    // The chunks fcTL and fdAT are numbered together; the first image has no fdAT.
    let sequence = max(2 * number - 1, 0)
    var control = UInt32(sequence).bytes
    for side in [pixels.width, pixels.height, patch.x, patch.y] { control += UInt32(side).bytes }
    control += UInt32(timing.milliseconds << 16 | 1_000).bytes
    // The image stays when the next one is drawn; its pixels replace those below, or are laid over them.
    control += [0, patch.isBlended ? 1 : 0]
    var png: [UInt8] = []
    PNGCodec.append("fcTL", control, to: &png)
    // A chunk must be smaller than 2 GiB; the largest image has 1 GiB.
    if number == 0 {
      PNGCodec.append("IDAT", data, to: &png)
    } else {
      PNGCodec.append("fdAT", UInt32(sequence + 1).bytes + data, to: &png)
    }
    return png
  }

  /// The bytes after the last image.
  package static var end: [UInt8] { PNGCodec.end }
}
