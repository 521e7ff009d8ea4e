/// A reader of GIF animations for tests, written apart from the encoder.
///
/// - Source: Graphics Interchange Format, version 89a, CompuServe 1990.
public struct GIFReader {
  /// The number of pixels in a row.
  public private(set) var width = 0
  /// The number of rows.
  public private(set) var height = 0
  /// The images as they are shown, each with red, green and blue of a pixel as one number; nil was never painted.
  public private(set) var images: [[UInt32?]] = []
  /// The time of each image in hundredths of a second.
  public private(set) var delays: [Int] = []
  /// The number of colours in the palette of each image.
  public private(set) var paletteSizes: [Int] = []
  /// The number of repetitions, 0 without end; nil without the extension for it.
  public private(set) var repetitions: Int?

  private let bytes: [UInt8]
  private var place = 0
  private var transparent: Int?

  /// Reads all images; nil for bytes that are not a complete GIF of images with palettes of their own.
  public init?(_ bytes: [UInt8]) {
    self.bytes = bytes
    guard bytes.count > 13, bytes.starts(with: Array("GIF89a".utf8)), bytes[10] & 0x80 == 0 else {
      return nil
    }
    (width, height, place) = (number(at: 6), number(at: 8), 13)
    while place < bytes.count {
      let kind = bytes[place]
      place += 1
      switch kind {
      case 0x21:
        guard readExtension() else { return nil }
      case 0x2C:
        guard readImage() else { return nil }
      case 0x3B:
        guard place == bytes.count else { return nil }
        return
      default: return nil
      }
    }
    return nil
  }

  private func number(at place: Int) -> Int {
    place + 1 < bytes.count ? Int(bytes[place]) | Int(bytes[place + 1]) << 8 : -1
  }

  /// Reads blocks up to the empty one; nil if the bytes end before it.
  private mutating func blocks() -> [UInt8]? {
    var content: [UInt8] = []
    while place < bytes.count {
      let count = Int(bytes[place])
      place += 1
      if count == 0 { return content }
      guard place + count <= bytes.count else { return nil }
      content += bytes[place..<place + count]
      place += count
    }
    return nil
  }

  private mutating func readExtension() -> Bool {
    guard place < bytes.count else { return false }
    let label = bytes[place]
    place += 1
    guard let content = blocks() else { return false }
    if label == 0xF9, content.count == 4 {
      transparent = content[0] & 1 == 1 ? Int(content[3]) : nil
      delays.append(Int(content[1]) | Int(content[2]) << 8)
      // The image stays below the next one.
      return content[0] >> 2 & 7 == 1
    }
    if label == 0xFF, content.count == 14, content.starts(with: Array("NETSCAPE2.0".utf8)) {
      repetitions = Int(content[12]) | Int(content[13]) << 8
    }
    return true
  }

  private mutating func readImage() -> Bool {
    let (x, y, columns, rows) = (
      number(at: place), number(at: place + 2), number(at: place + 4), number(at: place + 6)
    )
    guard place + 9 < bytes.count, columns > 0, rows > 0, x + columns <= width, y + rows <= height,
      bytes[place + 8] & 0x80 != 0
    else { return false }
    let size = 2 << Int(bytes[place + 8] & 7)
    place += 9
    guard place + 3 * size < bytes.count else { return false }
    let palette = (0..<size).map { color in
      let at = place + 3 * color
      return UInt32(bytes[at]) << 16 | UInt32(bytes[at + 1]) << 8 | UInt32(bytes[at + 2])
    }
    place += 3 * size
    let bits = Int(bytes[place])
    place += 1
    guard let content = blocks(), let indices = Self.decoded(content, bits: bits),
      indices.count == columns * rows
    else { return false }
    var image = images.last ?? Array(repeating: nil, count: width * height)
    for (at, index) in indices.enumerated() where index != transparent {
      guard index < size else { return false }
      image[(y + at / columns) * width + x + at % columns] = palette[index]
    }
    images.append(image)
    paletteSizes.append(Set(indices).subtracting([transparent ?? -1]).count)
    return true
  }

  /// Returns the places that codes stand for; nil for a wrong code, or without the last one.
  private static func decoded(_ content: [UInt8], bits: Int) -> [Int]? {
    guard (2...8).contains(bits) else { return nil }
    let clear = 1 << bits
    let start: [[Int]] = (0..<clear).map { [$0] } + [[], []]
    var (rows, width, before): ([[Int]], Int, [Int]?) = (start, bits + 1, nil)
    var (result, place): ([Int], Int) = ([], 0)
    while place + width <= content.count * 8 {
      var code = 0
      for bit in 0..<width {
        code |= Int(content[(place + bit) / 8] >> UInt8((place + bit) % 8) & 1) << bit
      }
      place += width
      if code == clear + 1 { return result }
      if code == clear {
        (rows, width, before) = (start, bits + 1, nil)
        continue
      }
      let row: [Int]
      if code < rows.count {
        row = rows[code]
      } else if let before, code == rows.count {
        row = before + [before[0]]
      } else {
        return nil
      }
      if let before, let first = row.first, rows.count < 4_096 { rows.append(before + [first]) }
      if rows.count == 1 << width, width < 12 { width += 1 }
      result += row
      before = row
    }
    return nil
  }
}
