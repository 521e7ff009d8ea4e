internal import CTiles
package import MapImages
package import MapModel
import MapSystem

/// A decoder of the images of tiles: PNG, JPEG and WebP, by their first bytes.
///
/// Unsafe code is limited to lending bytes to the libraries.
package enum TileDecoder {
  /// The image formats of tiles.
  enum Format { case png, jpeg, webp }

  /// Returns the format by the first bytes; nil if it is none of these.
  static func format(of bytes: [UInt8]) -> Format? {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return .png }
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    let isWebP =
      bytes.count > 12 && bytes.starts(with: Array("RIFF".utf8)) && bytes[8..<12].elementsEqual("WEBP".utf8)
    return isWebP ? .webp : nil
  }

  /// Returns whether bytes begin like the image of a tile.
  package static func isImage(_ bytes: [UInt8]) -> Bool { format(of: bytes) != nil }

  /// Decodes a tile; its size must be in the range of ``TileScheme/tileSizes``.
  ///
  /// Some servers send two or four times as many pixels along each side. Their averages are used.
  ///
  /// - Parameter side: the number of pixels along each side; nil for any square.
  static func decode(_ bytes: [UInt8], side: Int? = nil) throws(TileError) -> TileImage {
    guard let format = format(of: bytes) else { throw TileError(reason(bytes)) }
    let limit = TileScheme.tileSizes.upperBound
    let bitmap: Bitmap
    switch format {
    case .png:
      do { bitmap = try PNGCodec.decode(bytes, maximumPixels: limit * limit) } catch { throw fault(error) }
    case .jpeg: bitmap = try unsafe decode(bytes, ctiles_jpeg_size, ctiles_jpeg_decode)
    case .webp: bitmap = try unsafe decode(bytes, ctiles_webp_size, ctiles_webp_decode)
    }
    let expected = side ?? bitmap.width
    if bitmap.width == bitmap.height, bitmap.width == 2 * expected || bitmap.width == 4 * expected {
      return TileImage(try reduced(bitmap, by: bitmap.width / expected))
    }
    guard bitmap.width == expected, bitmap.height == expected, TileScheme.tileSizes.contains(expected) else {
      throw TileError("is \(bitmap.width)x\(bitmap.height) pixels; expected \(expected)x\(expected)")
    }
    return TileImage(bitmap)
  }

  /// Decodes a JPEG or WebP of any size; nil for bytes of another format.
  ///
  /// - Throws: ``TileError``, also for more pixels than the maximum.
  package static func photograph(
    _ bytes: [UInt8], maximumPixels: Int
  ) throws(TileError) -> Bitmap? {
    switch format(of: bytes) {
    case .jpeg: try unsafe decode(bytes, ctiles_jpeg_size, ctiles_jpeg_decode, maximumPixels: maximumPixels)
    case .webp: try unsafe decode(bytes, ctiles_webp_size, ctiles_webp_decode, maximumPixels: maximumPixels)
    case .png, nil: nil
    }
  }

  private typealias Size =
    (
      UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>,
      UnsafeMutablePointer<CChar>
    ) -> Int32
  private typealias Decode =
    (UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UInt8>, Int32, Int32, UnsafeMutablePointer<CChar>) ->
    Int32

  private static func decode(
    _ bytes: [UInt8], _ size: Size, _ decode: Decode, maximumPixels: Int? = nil
  ) throws(TileError) -> Bitmap {
    var error = [CChar](repeating: 0, count: Int(CTILES_ERROR_SIZE))
    var (width, height): (Int32, Int32) = (0, 0)
    let limit = Int32(clamping: maximumPixels == nil ? TileScheme.tileSizes.upperBound : Bitmap.maximumSide)
    let isSized = unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe error.withUnsafeMutableBufferPointer { error in
        unsafe error.baseAddress.map { unsafe size(bytes.baseAddress, bytes.count, &width, &height, $0) != 0 }
          ?? false
      }
    }
    guard isSized else { throw TileError(text: error) }
    guard (1...limit).contains(width), (1...limit).contains(height),
      Int(width) * Int(height) <= maximumPixels ?? .max
    else {
      throw TileError("is \(width)x\(height) pixels, which is too large")
    }
    var isDone = false
    let count = Int(width) * Int(height) * 4
    let pixels = unsafe [UInt8](unsafeUninitializedCapacity: count) { pixels, written in
      isDone = unsafe bytes.withUnsafeBufferPointer { bytes in
        unsafe error.withUnsafeMutableBufferPointer { error in
          guard let target = pixels.baseAddress, let text = error.baseAddress else { return false }
          return unsafe decode(bytes.baseAddress, bytes.count, target, width, height, text) != 0
        }
      }
      written = isDone ? count : 0
    }
    guard isDone else { throw TileError(text: error) }
    do { return try Bitmap(width: Int(width), height: Int(height), pixels: pixels) } catch {
      throw TileError(error.description)
    }
  }

  /// Returns an image of the averages of squares of pixels, each weighted by its opacity.
  private static func reduced(_ image: Bitmap, by factor: Int) throws(TileError) -> Bitmap {
    let side = image.width / factor
    let count = factor * factor
    var pixels = [UInt8](repeating: 0, count: side * side * 4)
    for row in 0..<side {
      for column in 0..<side {
        var (red, green, blue, alpha) = (0, 0, 0, 0)
        for inner in 0..<count {
          let at = ((row * factor + inner / factor) * image.width + column * factor + inner % factor) * 4
          let weight = Int(image.pixels[at + 3])
          red += Int(image.pixels[at]) * weight
          green += Int(image.pixels[at + 1]) * weight
          blue += Int(image.pixels[at + 2]) * weight
          alpha += weight
        }
        guard alpha > 0 else { continue }
        let at = (row * side + column) * 4
        pixels[at] = UInt8((red + alpha / 2) / alpha)
        pixels[at + 1] = UInt8((green + alpha / 2) / alpha)
        pixels[at + 2] = UInt8((blue + alpha / 2) / alpha)
        pixels[at + 3] = UInt8((alpha + count / 2) / count)
      }
    }
    do { return try Bitmap(width: side, height: side, pixels: pixels) } catch {
      throw TileError(error.description)
    }
  }

  /// Returns the fault of a PNG as words about an image.
  static func fault(_ error: PNGError) -> TileError {
    if case .decoding = error.reason { return TileError("is \(error)") }
    return TileError(error.description)
  }

  /// Returns the reason why bytes are no image.
  static func reason(_ bytes: [UInt8]) -> String {
    if bytes.isEmpty { return "is empty" }
    let head = String(decoding: bytes.prefix(100), as: UTF8.self).drop(while: \.isWhitespace).lowercased()
    if head.hasPrefix("<!doctype html") || head.hasPrefix("<html") { return "is HTML, not an image" }
    if head.hasPrefix("<?xml") || head.hasPrefix("{") { return "is text, not an image" }
    return "is not a PNG, JPEG or WebP image"
  }
}
