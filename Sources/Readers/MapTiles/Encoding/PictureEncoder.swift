internal import CTiles
package import MapImages
package import MapModel
import MapSystem

/// An encoder of images as JPEG and WebP, with the libraries that decode tiles.
///
/// Unsafe code is limited to lending bytes to the libraries.
package enum PictureEncoder {
  /// The largest side of a WebP image.
  ///
  /// - Source: RFC 9649, section 3.4: 14 bits.
  private static let largestWebPSide = 16_383

  /// Returns an image as JPEG; transparent pixels are composited over white.
  ///
  /// - Parameters:
  ///   - quality: 1 to 100.
  ///   - dotsPerInch: the resolution to write into the file; nil writes none.
  /// - Throws: `TileError`, also if TurboJPEG is missing.
  package static func jpeg(
    _ bitmap: Bitmap, quality: Int, dotsPerInch: Double?
  ) throws(TileError) -> [UInt8] {
    let pixels = bitmap.overWhite().pixels
    let (width, height) = (Int32(clamping: bitmap.width), Int32(clamping: bitmap.height))
    let quality = Int32(clamping: min(max(quality, 1), 100))
    var bytes = try unsafe encoded(
      pixels, { unsafe ctiles_jpeg_encode($0, width, height, quality, $1, $2, $3) }, ctiles_jpeg_free)
    // A JFIF header has the unit of the density at byte 13, 1 for dots per inch, and then both densities.
    if let dotsPerInch, bytes.count > 18, bytes[6..<10].elementsEqual("JFIF".utf8) {
      let density = UInt16(clamping: Int(clamping: dotsPerInch.rounded()))
      let (high, low) = (UInt8(truncatingIfNeeded: density >> 8), UInt8(truncatingIfNeeded: density))
      bytes.replaceSubrange(13..<18, with: [1, high, low, high, low])
    }
    return bytes
  }

  /// Returns an image as lossless WebP.
  ///
  /// - Throws: `TileError`, also if libwebp is missing, and for a side above 16,383 pixels.
  package static func webP(_ bitmap: Bitmap) throws(TileError) -> [UInt8] {
    let most = largestWebPSide
    guard bitmap.width <= most, bitmap.height <= most else {
      throw TileError(
        "is \(bitmap.width)x\(bitmap.height) pixels; a side of a WebP image has at most \(most)")
    }
    let (width, height) = (Int32(clamping: bitmap.width), Int32(clamping: bitmap.height))
    return try unsafe encoded(
      bitmap.pixels, { unsafe ctiles_webp_encode($0, width, height, $1, $2, $3) }, ctiles_webp_free)
  }

  private typealias Encode =
    (
      UnsafePointer<UInt8>, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, UnsafeMutablePointer<Int>,
      UnsafeMutablePointer<CChar>
    ) -> Int32

  /// Returns a copy of the bytes that a library makes, and frees them.
  private static func encoded(
    _ pixels: [UInt8], _ encode: Encode, _ free: (UnsafeMutablePointer<UInt8>?) -> Void
  ) throws(TileError) -> [UInt8] {
    var error = [CChar](repeating: 0, count: Int(CTILES_ERROR_SIZE))
    let bytes: [UInt8]? = unsafe pixels.withUnsafeBufferPointer { pixels in
      unsafe error.withUnsafeMutableBufferPointer { error in
        guard let source = pixels.baseAddress, let text = error.baseAddress else { return nil }
        var (made, count): (UnsafeMutablePointer<UInt8>?, Int) = (nil, 0)
        guard unsafe encode(source, &made, &count, text) != 0 else { return nil }
        defer { unsafe free(made) }
        return unsafe [UInt8](UnsafeBufferPointer(start: made, count: count))
      }
    }
    guard let bytes else { throw TileError(text: error) }
    return bytes
  }
}
