public import MapSystem

/// An image in memory: RGBA, straight alpha, 8 bits per channel, rows from the top.
///
/// Colour values are stored as sRGB. Gamma and colour profiles are ignored.
///
/// - Cost: 4 bytes per pixel; copies share the pixels until one of them is changed.
public struct Bitmap: Hashable, Sendable {
  /// The number of pixels in a row.
  public let width: Int
  /// The number of rows.
  public let height: Int
  /// The red, green, blue and alpha of each pixel, row by row without gaps.
  public private(set) var pixels: [UInt8]

  /// The maximum length of a side in pixels: Cairo's limit for an image in memory.
  public static let maximumSide = 32_767
  /// The maximum number of pixels: 2^28, which take 1 GiB of memory.
  public static let maximumPixels = 1 << 28

  /// Creates an image from its pixels.
  ///
  /// - Throws: ``MapStateError`` when a side is out of range or the number of bytes is not `4 * width * height`.
  public init(width: Int, height: Int, pixels: [UInt8]) throws(MapStateError) {
    let count = try Self.checkedByteCount(width: width, height: height)
    guard pixels.count == count else {
      throw MapStateError(BitmapError.byteCount(expected: count, found: pixels.count))
    }
    (self.width, self.height, self.pixels) = (width, height, pixels)
  }

  /// Creates a transparent image: all bytes are 0.
  ///
  /// - Throws: ``MapStateError`` when a side is out of range or memory runs out.
  public init(width: Int, height: Int) throws(MapStateError) {
    let count = try Self.checkedByteCount(width: width, height: height)
    guard canAllocate(bytes: count) else { throw MapStateError(BitmapError.memory(bytes: count)) }
    (self.width, self.height, pixels) = (width, height, [UInt8](repeating: 0, count: count))
  }

  /// The colour of a pixel, which must be inside the image.
  public subscript(x: Int, y: Int) -> PixelColor {
    get {
      precondition(x >= 0 && x < width && y >= 0 && y < height, "a pixel outside the image")
      let at = (y * width + x) * 4
      return PixelColor(
        red: pixels[at], green: pixels[at + 1], blue: pixels[at + 2], alpha: pixels[at + 3])
    }
    set {
      precondition(x >= 0 && x < width && y >= 0 && y < height, "a pixel outside the image")
      let at = (y * width + x) * 4
      (pixels[at], pixels[at + 1]) = (newValue.red, newValue.green)
      (pixels[at + 2], pixels[at + 3]) = (newValue.blue, newValue.alpha)
    }
  }

  /// Whether every alpha is 255.
  ///
  /// - Cost: O(pixels).
  public var isOpaque: Bool { isOpaque(columns: 0..<width, rows: 0..<height) }

  /// Whether every alpha in a rectangle, which must be inside the image, is 255.
  func isOpaque(columns: Range<Int>, rows: Range<Int>) -> Bool {
    let bytes = pixels.span
    for row in rows {
      let start = (row * width + columns.lowerBound) * 4
      let alphas = bytes.extracting(start..<start + columns.count * 4)
      var every: UInt8 = 255
      for pixel in 0..<columns.count { every &= alphas[pixel * 4 + 3] }
      if every != 255 { return false }
    }
    return true
  }

  /// Replaces whole rows, from row `top` on, by pixels in Cairo's ARGB32 format.
  ///
  /// Each source value has alpha, red, green and blue from its highest byte down, with premultiplied colours. A
  /// straight colour is `premultiplied * 255 / alpha`, rounded to the nearest, halves up. A colour above its alpha
  /// (never from Cairo) gives 255, and alpha 0 gives 0, 0, 0, 0.
  ///
  /// - Error: at most half of 255 / alpha, because below alpha 255 several straight colours have the same
  ///   premultiplied colour.
  package mutating func replaceRows(from top: Int, premultiplied source: Span<UInt32>) {
    precondition(top >= 0 && source.count % max(1, width) == 0, "pixels that are not whole rows")
    precondition(source.count / max(1, width) <= height - top, "rows below the image")
    let start = top * width * 4
    unsafe pixels.withUnsafeMutableBytes { unsafe Self.write(source, to: $0, from: start) }
  }

  /// Creates an image from rows as ``replaceRows(from:premultiplied:)`` takes them, which `body` adds from the top.
  ///
  /// Missing rows are transparent.
  ///
  /// - Throws: ``MapStateError`` when a side is out of range or memory runs out.
  package init(
    width: Int, height: Int, addingPremultiplied body: (_ add: (Span<UInt32>) -> Void) -> Void
  ) throws(MapStateError) {
    let count = try Self.checkedByteCount(width: width, height: height)
    guard canAllocate(bytes: count) else { throw MapStateError(BitmapError.memory(bytes: count)) }
    (self.width, self.height) = (width, height)
    // Clearing the memory first would take as long as writing the pixels.
    pixels = unsafe [UInt8](unsafeUninitializedCapacity: count) { memory, written in
      let target = UnsafeMutableRawBufferPointer(memory)
      var end = 0
      body { source in
        precondition(source.count <= (count - end) / 4, "rows below the image")
        unsafe Self.write(source, to: target, from: end)
        end += source.count * 4
      }
      unsafe target[end...].initializeMemory(as: UInt8.self, repeating: 0)
      written = count
    }
  }

  /// Writes pixels in Cairo's ARGB32 format from a byte on; there must be room for them.
  @unsafe private static func write(
    _ source: Span<UInt32>, to target: UnsafeMutableRawBufferPointer, from start: Int
  ) {
    // The callers keep every access inside both. Checking each of them takes three times as long.
    unsafe source.withUnsafeBufferPointer { source in
      for first in stride(from: 0, to: source.count, by: 16) {
        let end = min(first + 16, source.count)
        // Most pixels of a map are transparent or opaque, many at a time, and need no arithmetic.
        var (any, all) = (UInt32.min, UInt32.max)
        for index in first..<end { unsafe (any, all) = (any | source[index], all & source[index]) }
        if any == 0 || all >= 0xFF00_0000 {
          for index in first..<end {
            let pixel = unsafe swapped(source[index])
            unsafe target.storeBytes(
              of: pixel.littleEndian, toByteOffset: start &+ index &* 4, as: UInt32.self)
          }
        } else {
          for index in first..<end {
            let pixel = unsafe straight(source[index])
            unsafe target.storeBytes(
              of: pixel.littleEndian, toByteOffset: start &+ index &* 4, as: UInt32.self)
          }
        }
      }
    }
  }

  /// Replaces the pixels from (`x`, `y`) on by those of another image; pixels outside this image are dropped.
  package mutating func replace(x: Int, y: Int, by other: Bitmap) {
    let columns = max(x, 0)..<max(min(x + other.width, width), max(x, 0))
    for row in max(y, 0)..<max(min(y + other.height, height), max(y, 0)) {
      let source = ((row - y) * other.width + columns.lowerBound - x) * 4
      let target = (row * width + columns.lowerBound) * 4
      pixels.replaceSubrange(
        target..<target + columns.count * 4, with: other.pixels[source..<source + columns.count * 4])
    }
  }

  /// Writes rows in Cairo's ARGB32 format, with premultiplied colours rounded to the nearest.
  package func copy(rows: Range<Int>, to target: inout MutableSpan<UInt32>) {
    let bytes = pixels.span
    var at = rows.lowerBound * width * 4
    for index in 0..<min(rows.count * width, target.count) {
      let alpha = UInt32(bytes[at + 3])
      func channel(_ place: Int) -> UInt32 { (UInt32(bytes[at + place]) * alpha + 127) / 255 }
      target[index] = alpha << 24 | channel(0) << 16 | channel(1) << 8 | channel(2)
      at += 4
    }
  }

  /// Returns the image over white, for formats without partly transparent pixels.
  package func overWhite() -> Bitmap {
    guard !isOpaque else { return self }
    var result = self
    for pixel in 0..<width * height {
      let alpha = Int(pixels[pixel * 4 + 3])
      for channel in pixel * 4..<pixel * 4 + 3 {
        result.pixels[channel] = UInt8(
          clamping: (Int(pixels[channel]) * alpha + 255 * (255 - alpha) + 127) / 255)
      }
      result.pixels[pixel * 4 + 3] = 255
    }
    return result
  }

  /// Returns the number of bytes of an image.
  ///
  /// - Throws: ``BitmapError/size(width:height:)`` unless the sides are in range.
  package static func byteCount(width: Int, height: Int) throws(BitmapError) -> Int {
    guard (1...maximumSide).contains(width), (1...maximumSide).contains(height),
      width * height <= maximumPixels
    else { throw .size(width: width, height: height) }
    return width * height * 4
  }

  static func checkedByteCount(width: Int, height: Int) throws(MapStateError) -> Int {
    do { return try byteCount(width: width, height: height) } catch { throw MapStateError(error) }
  }
}

/// The colour of one pixel, with straight alpha.
public struct PixelColor: Hashable, Sendable {
  /// The red channel, 0 to 255.
  public var red: UInt8
  /// The green channel, 0 to 255.
  public var green: UInt8
  /// The blue channel, 0 to 255.
  public var blue: UInt8
  /// The alpha channel: 0 is transparent, 255 opaque.
  public var alpha: UInt8

  /// Creates a colour; it is opaque by default.
  public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
  }
}

/// An error for an image that cannot be created.
package enum BitmapError: Error, Hashable, CustomStringConvertible {
  /// A side is below 1 or above ``Bitmap/maximumSide``, or there are more than ``Bitmap/maximumPixels`` pixels.
  case size(width: Int, height: Int)
  /// The number of bytes is not 4 per pixel.
  case byteCount(expected: Int, found: Int)
  /// There is not enough memory.
  case memory(bytes: Int)

  /// The error in one line, without a full stop.
  package var description: String {
    switch self {
    case .size(let width, let height):
      "image size \(width)x\(height) is out of range: sides are 1 to \(Bitmap.maximumSide) pixels, "
        + "at most \(Bitmap.maximumPixels) pixels in all"
    case .byteCount(let expected, let found): "expected \(expected) bytes of pixels, found \(found)"
    case .memory(let bytes): "no memory for \(bytes) bytes of pixels"
    }
  }
}

/// Returns a colour with its red and blue swapped, so that one word is written instead of four bytes.
private func swapped(_ value: UInt32) -> UInt32 {
  value & 0xFF00_FF00 | value >> 16 & 255 | (value & 255) << 16
}

/// Returns the straight colour of a premultiplied one, with red and blue swapped, each channel rounded to the nearest, halves up.
private func straight(_ value: UInt32) -> UInt32 {
  let alpha = value >> 24
  guard alpha > 0 else { return 0 }
  guard alpha < 255 else { return swapped(value) }
  func channel(_ place: UInt32) -> UInt32 {
    min(255, ((value >> place & 255) &* 255 &+ alpha / 2) / alpha)
  }
  return alpha << 24 | channel(0) << 16 | channel(8) << 8 | channel(16)
}
