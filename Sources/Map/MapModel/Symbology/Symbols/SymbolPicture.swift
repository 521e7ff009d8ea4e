public import MapImages
public import MapSystem

/// The image of a symbol: the bytes of a PNG, decoded when it is drawn.
///
/// Two images are equal when their bytes are equal.
public struct SymbolPicture: Hashable, Sendable {
  /// The number of pixels in a row.
  public let width: Int
  /// The number of rows.
  public let height: Int
  /// The bytes of the PNG.
  public let pngData: [UInt8]
  /// The number of pixels for each pixel of 1/96 inch; above 1 for an image that was drawn from lines.
  package let density: Double
  /// The digest of the bytes, for fast comparison and for dumps.
  package let digest: UInt64

  /// The maximum number of pixels in a PNG: 2048 squared.
  ///
  /// - Source: design decision. A symbol is at most 960 pixels wide, and a few bytes of PNG can contain a thousand
  ///   times as many pixels.
  public static let maximumPixels = 1 << 22
  /// The maximum number of bytes in a PNG.
  ///
  /// - Source: design decision.
  public static let maximumBytes = 1 << 24

  /// Creates an image from pixels.
  public init(_ bitmap: Bitmap) { self.init(bitmap, density: 1) }

  /// Creates an image from pixels that lie closer than 1/96 inch.
  package init(_ bitmap: Bitmap, density: Double) {
    self.density = density
    // Without memory for the PNG the data are empty; drawing then reports the failure.
    (width, height, pngData) = (bitmap.width, bitmap.height, (try? bitmap.pngData()) ?? [])
    digest = Self.digest(of: pngData)
  }

  /// Creates an image from the bytes of a PNG, and checks all of them.
  ///
  /// - Throws: ``MapStateError`` for another format, damaged data or an image that is too large.
  public init(pngData bytes: [UInt8]) throws(MapStateError) {
    do { try self.init(png: bytes) } catch { throw MapStateError(error) }
  }

  /// Creates an image from the bytes of a PNG, and checks all of them.
  package init(png bytes: [UInt8]) throws(SymbolPictureError) {
    guard !bytes.isEmpty else { throw SymbolPictureError("there are no bytes") }
    if let format = Self.otherFormat(of: bytes) {
      throw SymbolPictureError("\(format) is not drawn yet; PNG is")
    }
    guard bytes.count <= Self.maximumBytes else {
      throw SymbolPictureError("\(bytes.count) bytes are too many; \(Self.maximumBytes) can be drawn")
    }
    do throws(PNGError) {
      let bitmap = try PNGCodec.decode(bytes, maximumPixels: Self.maximumPixels)
      (width, height, pngData) = (bitmap.width, bitmap.height, bytes)
    } catch {
      throw SymbolPictureError(error.description)
    }
    digest = Self.digest(of: bytes)
    density = 1
  }

  /// Returns the pixels.
  ///
  /// - Cost: Decodes the PNG.
  /// - Throws: ``PNGError`` when there is not enough memory.
  package func bitmap() throws(PNGError) -> Bitmap { try PNGCodec.decode(pngData) }

  /// Returns the name of another image format, recognised by its first bytes; nil for none.
  private static func otherFormat(of bytes: [UInt8]) -> String? {
    let heads: [(String, [UInt8])] = [
      ("JPEG", [0xFF, 0xD8]), ("GIF", Array("GIF8".utf8)), ("BMP", Array("BM".utf8)),
      ("SVG", Array("<svg".utf8)), ("SVG", Array("<?xml".utf8)), ("WebP", Array("RIFF".utf8)),
    ]
    return heads.first { bytes.starts(with: $0.1) }?.0
  }

  /// Returns the digest of bytes.
  ///
  /// - Source: FNV-1a, 64 bits.
  private static func digest(of bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// Hashes the digest only, which is fast.
  public func hash(into hasher: inout Hasher) { hasher.combine(digest) }

  /// Compares the bytes if the digests are equal.
  public static func == (first: SymbolPicture, second: SymbolPicture) -> Bool {
    first.digest == second.digest && first.pngData == second.pngData
  }
}

/// The reason for the absence of a symbol's image.
public struct SymbolPictureError: Error, Hashable, CustomStringConvertible {
  /// The message, in one line without a full stop.
  public let description: String

  package init(_ description: String) { self.description = description }
}
