/// An encoder of animations in the format GIF, whose images have a palette each.
///
/// - Source: Graphics Interchange Format, version 89a, CompuServe 1990; the extension NETSCAPE2.0 for repetitions.
package struct GIFEncoder: Sendable {
  private let width: Int
  private let height: Int
  private let timing: AnimationTiming

  /// Creates an encoder for images of one size.
  package init(width: Int, height: Int, _ timing: AnimationTiming) {
    (self.width, self.height, self.timing) = (width, height, timing)
  }

  /// The bytes before the first image.
  package var start: [UInt8] {
    // 8 bits per channel, and no palette for all images.
    let screen: [UInt8] = [0x70, 0, 0]
    var gif = Array("GIF89a".utf8) + Self.bytes(width) + Self.bytes(height) + screen
    // The number is of repetitions after the first time.
    if timing.plays != 1 {
      gif += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1]
      gif += Self.bytes(max(timing.plays - 1, 0)) + [0]
    }
    return gif
  }

  /// Returns the bytes of an image, whose pixels are opaque or transparent; transparent ones stay as they were.
  package func image(_ patch: ImagePatch) -> [UInt8] {
    let palette = ImagePalette(patch.pixels)
    let used = palette.colors.count + (palette.hasTransparency ? 1 : 0)
    var bits = 1
    while 1 << bits < used { bits += 1 }
    // The image stays when the next one is drawn over it.
    let control = 1 << 2 | (palette.hasTransparency ? 1 : 0)
    var gif: [UInt8] = [0x21, 0xF9, 4, UInt8(control)] + Self.bytes((timing.milliseconds + 5) / 10)
    gif += [UInt8(truncatingIfNeeded: palette.hasTransparency ? palette.colors.count : 0), 0]
    gif += [0x2C] + Self.bytes(patch.x) + Self.bytes(patch.y)
    gif += Self.bytes(patch.pixels.width) + Self.bytes(patch.pixels.height)
    gif.append(UInt8(0x80 | (bits - 1)))
    for place in 0..<1 << bits {
      let color = place < palette.colors.count ? palette.colors[place] : 0
      gif += [16, 8, 0].map { UInt8(truncatingIfNeeded: color >> $0) }
    }
    return gif + GIFCodes.encode(palette.indices, bits: max(bits, 2))
  }

  /// The bytes after the last image.
  package static let end: [UInt8] = [0x3B]

  private static func bytes(_ number: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
  }
}

/// The codes of the pixels of a GIF image: each stands for the longest row of places that was seen before.
///
/// - Source: T. Welch, A technique for high-performance data compression, 1984; GIF89a, appendix F.
enum GIFCodes {
  /// The number of codes, of at most 12 bits.
  private static let most = 4_096
  /// The number of places of the table of known rows, four for each code.
  private static let places = 1 << 14

  /// Returns the pixels as codes in blocks of up to 255 bytes, after the number of bits of a pixel, which is 2 to 8.
  static func encode(_ indices: [UInt8], bits: Int) -> [UInt8] {
    let clear = 1 << bits
    var (next, width) = (clear + 2, bits + 1)
    // Each place holds a row, as the code of all but its last pixel and this pixel, and its code; 0 is free.
    var table = [UInt32](repeating: 0, count: places)
    var buffer = BitBuffer()
    // A code has at most 12 bits; one in 3,800 is for a new table.
    var output = [UInt8](repeating: 0, count: indices.count * 3 / 2 + indices.count / 1_000 + 64)
    func add(_ code: Int) {
      buffer.add(code, bits: width)
      var span = output.mutableSpan
      // Any bytes are valid bits, and every access is checked.
      var target = unsafe span.mutableBytes
      buffer.write(to: &target)
    }
    add(clear)
    var row: Int?
    for index in indices {
      guard let known = row else {
        row = Int(index)
        continue
      }
      let key = UInt32(known) << 8 | UInt32(index)
      var place = Int((key &* 0x9E37_79B1) >> 18)
      while table[place] != 0, table[place] >> 12 != key { place = (place + 1) % places }
      if table[place] != 0 {
        row = Int(table[place] & 0xFFF)
        continue
      }
      add(known)
      if next < most {
        table[place] = key << 12 | UInt32(next)
        if next == 1 << width { width += 1 }
        next += 1
      } else {
        add(clear)
        for place in table.indices { table[place] = 0 }
        (next, width) = (clear + 2, bits + 1)
      }
      row = Int(index)
    }
    if let row { add(row) }
    if next == 1 << width, width < 12 { width += 1 }
    add(clear + 1)
    var span = output.mutableSpan
    var target = unsafe span.mutableBytes
    buffer.finish(to: &target)
    var blocks = [UInt8(bits)]
    for start in stride(from: 0, to: buffer.place, by: 255) {
      let block = output[start..<min(start + 255, buffer.place)]
      blocks.append(UInt8(block.count))
      blocks += block
    }
    return blocks + [0]
  }
}
