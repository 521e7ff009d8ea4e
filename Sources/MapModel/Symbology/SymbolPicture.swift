public import MapImages

/// The picture of a symbol: the bytes of a PNG, decoded when it is drawn.
///
/// Two are equal when their bytes are.
public struct SymbolPicture: Hashable, Sendable {
  /// Pixels in a row.
  public let width: Int
  /// Number of rows.
  public let height: Int
  /// The bytes of the PNG.
  public let pngData: [UInt8]
  /// What tells pictures apart at a glance, and in dumps.
  package let digest: UInt64

  /// The most pixels of a PNG: 2,048 in the square.
  ///
  /// - Source: ours; a symbol is 960 pixels wide at most, and a few bytes of PNG can hold a thousand times as many.
  public static let maximumPixels = 1 << 22
  /// The most bytes of a PNG.
  ///
  /// - Source: ours.
  public static let maximumBytes = 1 << 24

  /// A picture of pixels.
  public init(_ bitmap: Bitmap) {
    // Where there is no memory for them there is none to draw it, which then says so.
    (width, height, pngData) = (bitmap.width, bitmap.height, (try? bitmap.pngData()) ?? [])
    digest = Self.digest(of: pngData)
  }

  /// A picture from the bytes of a PNG, all of which are looked at.
  ///
  /// - Throws: ``SymbolPictureError`` for another format, a damaged one or one too large.
  public init(pngData bytes: [UInt8]) throws(SymbolPictureError) {
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
  }

  /// The pixels.
  ///
  /// - Cost: that of decoding a PNG.
  /// - Throws: ``PNGError`` when the memory is not to be had.
  package func bitmap() throws(PNGError) -> Bitmap { try PNGCodec.decode(pngData) }

  /// The name of another format of pictures by its first bytes.
  private static func otherFormat(of bytes: [UInt8]) -> String? {
    let heads: [(String, [UInt8])] = [
      ("JPEG", [0xFF, 0xD8]), ("GIF", Array("GIF8".utf8)), ("BMP", Array("BM".utf8)),
      ("SVG", Array("<svg".utf8)), ("SVG", Array("<?xml".utf8)), ("WebP", Array("RIFF".utf8)),
    ]
    return heads.first { bytes.starts(with: $0.1) }?.0
  }

  /// - Source: FNV-1a, 64 bits.
  private static func digest(of bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// By the digest alone, which is quick.
  public func hash(into hasher: inout Hasher) { hasher.combine(digest) }

  /// By the bytes, when the digests agree.
  public static func == (first: SymbolPicture, second: SymbolPicture) -> Bool {
    first.digest == second.digest && first.pngData == second.pngData
  }
}

/// Why there is no picture for a symbol.
public struct SymbolPictureError: Error, Hashable, CustomStringConvertible {
  /// One line without full stop.
  public let description: String

  package init(_ description: String) { self.description = description }
}
