package import MapImages
package import MapModel

/// An encoder of animations in the format WebP, without loss; libwebp encodes each image.
///
/// - Source: RFC 9649, sections 2.5 to 2.7: the chunks VP8X, ANIM and ANMF.
package enum WebPAnimation {
  /// Returns the bytes before the first image; bytes 4 to 7 are replaced by ``size(of:)`` at the end.
  package static func start(width: Int, height: Int, plays: Int) -> [UInt8] {
    // The flags of transparency and animation.
    let form = bytes(0x12, 4) + bytes(width - 1, 3) + bytes(height - 1, 3)
    // The colour below the images, transparent, and the number of times.
    return Array("RIFF".utf8) + bytes(0, 4) + Array("WEBP".utf8) + chunk("VP8X", form)
      + chunk("ANIM", bytes(0, 4) + bytes(plays, 2))
  }

  /// Returns the bytes of an image.
  ///
  /// - Throws: `TileError`, also if libwebp is missing, and for a side above 16,383 pixels.
  package static func image(_ patch: ImagePatch, milliseconds: Int) throws(TileError) -> [UInt8] {
    let file = try PictureEncoder.webP(patch.pixels)
    let sides = bytes(patch.pixels.width - 1, 3) + bytes(patch.pixels.height - 1, 3)
    // The image stays when the next one is drawn; its pixels are laid over those below, or replace them.
    let control =
      bytes(patch.x / 2, 3) + bytes(patch.y / 2, 3) + sides + bytes(milliseconds, 3)
      + [patch.isBlended ? 0 : 2]
    // The chunks of the file are after its header of 12 bytes.
    return chunk("ANMF", control + file.dropFirst(12))
  }

  /// Returns the bytes 4 to 7 of a file of a number of bytes; nil for a file that is too large.
  package static func size(of count: Int) -> [UInt8]? { count < 1 << 32 ? bytes(count - 8, 4) : nil }

  private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Array(name.utf8) + bytes(content.count, 4) + content + (content.count % 2 == 1 ? [0] : [])
  }

  /// Returns the lowest bytes of a number, lowest first.
  private static func bytes(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}
