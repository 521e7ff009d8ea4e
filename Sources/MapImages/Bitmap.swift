/// A picture in memory: RGBA, straight alpha, 8 bits a channel, rows from the top.
///
/// Colours are sRGB as they are written; nothing here knows gamma or profiles.
///
/// - Cost: 4 bytes a pixel; copies share them until one is changed.
public struct Bitmap: Hashable, Sendable {
  /// Pixels in a row.
  public let width: Int
  /// Number of rows.
  public let height: Int
  /// Red, green, blue, alpha of each pixel, row by row without gaps.
  public private(set) var pixels: [UInt8]

  /// The longest side: Cairo's limit for a picture in memory.
  public static let maximumSide = 32_767
  /// The most pixels: 2^28, 1 GiB of memory.
  public static let maximumPixels = 1 << 28

  /// A picture from its pixels.
  ///
  /// - Throws: ``BitmapError`` when a side is out of range or the number of bytes is not `4 * width * height`.
  public init(width: Int, height: Int, pixels: [UInt8]) throws(BitmapError) {
    let count = try Self.byteCount(width: width, height: height)
    guard pixels.count == count else { throw .byteCount(expected: count, found: pixels.count) }
    (self.width, self.height, self.pixels) = (width, height, pixels)
  }

  /// A clear picture: all bytes 0.
  ///
  /// - Throws: ``BitmapError`` when a side is out of range or the memory is not to be had.
  public init(width: Int, height: Int) throws(BitmapError) {
    let count = try Self.byteCount(width: width, height: height)
    guard canAllocate(bytes: count) else { throw .memory(bytes: count) }
    (self.width, self.height, pixels) = (width, height, [UInt8](repeating: 0, count: count))
  }

  /// The colour of a pixel; the place must be inside.
  public subscript(x: Int, y: Int) -> PixelColor {
    get {
      precondition(x >= 0 && x < width && y >= 0 && y < height, "a pixel outside the picture")
      let at = (y * width + x) * 4
      return PixelColor(
        red: pixels[at], green: pixels[at + 1], blue: pixels[at + 2], alpha: pixels[at + 3])
    }
    set {
      precondition(x >= 0 && x < width && y >= 0 && y < height, "a pixel outside the picture")
      let at = (y * width + x) * 4
      (pixels[at], pixels[at + 1]) = (newValue.red, newValue.green)
      (pixels[at + 2], pixels[at + 3]) = (newValue.blue, newValue.alpha)
    }
  }

  /// True when every alpha is 255.
  ///
  /// O(pixels).
  public var isOpaque: Bool {
    let bytes = pixels.span
    var every: UInt8 = 255
    for pixel in 0..<bytes.count / 4 { every &= bytes[pixel * 4 + 3] }
    return every == 255
  }

  /// Writes pixels as Cairo's ARGB32 holds them over whole rows, from row `top` on.
  ///
  /// Each value is alpha, red, green, blue from its highest byte down, colours premultiplied. A straight colour is
  /// `premultiplied * 255 / alpha` rounded to the nearest, halves up; a colour above its alpha (never from Cairo)
  /// gives 255, and alpha 0 gives 0, 0, 0, 0.
  ///
  /// - Error: below alpha 255 several straight colours share one premultiplied one: half of 255 / alpha at most.
  package mutating func replaceRows(from top: Int, premultiplied source: Span<UInt32>) {
    precondition(top >= 0 && source.count % max(1, width) == 0, "pixels that are not whole rows")
    precondition(source.count / max(1, width) <= height - top, "rows below the picture")
    var at = top * width * 4
    var span = pixels.mutableSpan
    // Any bytes are pixels, and each place is checked.
    var target = unsafe span.mutableBytes
    for index in 0..<source.count {
      let value = source[index]
      let alpha = value >> 24
      // Red and blue change places; one word is written and not four bytes.
      var pixel = value & 0xFF00_FF00 | value >> 16 & 255 | (value & 255) << 16
      if alpha == 0 {
        pixel = 0
      } else if alpha < 255 {
        let (red, green, blue) = (
          straight(value >> 16 & 255, alpha), straight(value >> 8 & 255, alpha), straight(value & 255, alpha)
        )
        pixel = alpha << 24 | UInt32(blue) << 16 | UInt32(green) << 8 | UInt32(red)
      }
      target.storeBytes(of: pixel.littleEndian, toByteOffset: at, as: UInt32.self)
      at &+= 4
    }
  }

  /// Bytes of a picture; throws unless its sides are in range.
  package static func byteCount(width: Int, height: Int) throws(BitmapError) -> Int {
    guard (1...maximumSide).contains(width), (1...maximumSide).contains(height),
      width * height <= maximumPixels
    else { throw .size(width: width, height: height) }
    return width * height * 4
  }
}

/// The colour of one pixel, straight alpha.
public struct PixelColor: Hashable, Sendable {
  /// Red, 0 to 255.
  public var red: UInt8
  /// Green, 0 to 255.
  public var green: UInt8
  /// Blue, 0 to 255.
  public var blue: UInt8
  /// 0 is clear, 255 opaque.
  public var alpha: UInt8

  /// A colour, opaque unless said.
  public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
  }
}

/// Why there is no bitmap.
public enum BitmapError: Error, Hashable, CustomStringConvertible {
  /// A side is below 1 or above ``Bitmap/maximumSide``, or there are over ``Bitmap/maximumPixels``.
  case size(width: Int, height: Int)
  /// The bytes given are not 4 for each pixel.
  case byteCount(expected: Int, found: Int)
  /// The memory is not to be had.
  case memory(bytes: Int)

  /// One line without full stop.
  public var description: String {
    switch self {
    case .size(let width, let height):
      "a picture of \(width)x\(height): sides are 1 to \(Bitmap.maximumSide) pixels, "
        + "\(Bitmap.maximumPixels) pixels in all"
    case .byteCount(let expected, let found): "\(found) bytes of pixels where \(expected) are needed"
    case .memory(let bytes): "no memory for \(bytes) bytes of pixels"
    }
  }
}

/// The straight colour of a premultiplied one, to the nearest, halves up.
private func straight(_ channel: UInt32, _ alpha: UInt32) -> UInt8 {
  UInt8(truncatingIfNeeded: min(255, (channel &* 255 &+ alpha / 2) / alpha))
}
