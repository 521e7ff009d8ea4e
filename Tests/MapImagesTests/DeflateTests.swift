import MapImages
import MapTestSupport
import Testing

/// Our compressor, decompressed by libpng.
@Suite struct DeflateTests {
  /// The bits of an optimal code: each merge of the two lightest adds their weight (Huffman 1952).
  static func bestBits(of counts: [UInt32]) -> Int {
    var (weights, bits) = (counts.filter { $0 > 0 }.map(Int.init), 0)
    while weights.count > 1 {
      weights.sort(by: >)
      let joined = weights.removeLast() + weights.removeLast()
      bits += joined
      weights.append(joined)
    }
    return bits
  }

  /// The Kraft sum, which is 1 when every bit string is a code or the start of one.
  static func kraftSum(of lengths: [UInt8]) -> Double {
    lengths.reduce(0) { $0 + ($1 > 0 ? 1 / Double(1 << Int($1)) : 0) }
  }

  @Test("A prefix code is complete and as short as possible")
  func bestCode() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<500 {
      let counts = (0..<Int.random(in: 2...286, using: &random)).map { _ in
        UInt32.random(in: 0...UInt32.random(in: 1...100, using: &random), using: &random)
      }
      let code = PrefixCode(counts: counts, limit: 15)
      let bits = zip(counts, code.lengths).reduce(0) { $0 + Int($1.0) * Int($1.1) }
      let used = counts.count { $0 > 0 }
      #expect(code.lengths.count { $0 > 0 } == used)
      guard used > 1 else { continue }
      #expect(bits == Self.bestBits(of: counts))
      #expect(Self.kraftSum(of: code.lengths) == 1)
    }
  }

  /// Counts that grow as Fibonacci numbers make the deepest tree.
  @Test("No prefix code is longer than allowed", arguments: [(7, 19), (15, 30)])
  func limitedCode(limit: Int, symbols: Int) {
    var counts: [UInt32] = [1, 1]
    while counts.count < symbols { counts.append(counts[counts.count - 1] + counts[counts.count - 2]) }
    let code = PrefixCode(counts: counts, limit: limit)
    #expect(code.lengths.allSatisfy { (1...UInt8(limit)).contains($0) })
    #expect(Self.kraftSum(of: code.lengths) == 1)
  }

  @Test("A single symbol takes one bit and no symbols take none")
  func fewSymbols() {
    #expect(PrefixCode(counts: [0, 7, 0], limit: 15).lengths == [0, 1, 0])
    #expect(PrefixCode(counts: [0, 0], limit: 15).lengths == [0, 0])
  }

  /// Returns a chunk of a PNG file.
  ///
  /// - Source: W3C PNG specification, chunk layout and the code of its cyclic redundancy check.
  private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    func number(_ value: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
    let named = Array(name.utf8) + content
    let sum = named.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    return number(UInt32(content.count)) + named + number(~sum)
  }

  @Test(
    "libpng reads a stream in the zlib format that has several pieces", arguments: [1, 40, 41, 410, 1 << 30])
  func pieces(pieceBytes: Int) throws {
    var random = SeededGenerator(seed: 7)
    let pixels = (0..<400).map { _ in UInt8.random(in: 250...255, using: &random) }
    // Ten rows, each with the number of its filter before its pixels.
    let rows = stride(from: 0, to: 400, by: 40).flatMap { [0] + pixels[$0..<$0 + 40] }
    let png =
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + Self.chunk("IHDR", [0, 0, 0, 10, 0, 0, 0, 10, 8, 6, 0, 0, 0])
      + Self.chunk("IDAT", Deflate.zlib(rows, pieceBytes: pieceBytes)) + Self.chunk("IEND", [])
    #expect(try Bitmap(pngData: png) == Bitmap(width: 10, height: 10, pixels: pixels))
  }

  /// Rows have 1 + 4 * width bytes.
  ///
  /// A match reaches back 32,768 bytes at most, so rows of 8,192 pixels are one byte too long.
  @Test(
    "Equal rows are matched as far back as the format allows", arguments: [(8_191, true), (8_192, false)])
  func window(width: Int, isFound: Bool) throws {
    var random = SeededGenerator(seed: 6)
    let row = (0..<width * 4).map { _ in UInt8.random(in: 0...254, using: &random) }
    let bitmap = try Bitmap(width: width, height: 4, pixels: [row, row, row, row].flatMap(\.self))
    let png = try bitmap.pngData()
    #expect(try Bitmap(pngData: png) == bitmap)
    #expect((png.count < 2 * row.count) == isFound)
  }

  /// Runs, repeats at many distances, few and many colours, with ends at every position.
  @Test("Random images survive a round trip through PNG", arguments: 0..<40)
  func kinds(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let colors = 1 << Int.random(in: 0...8, using: &random)
    let repeats = Int.random(in: 0...9, using: &random)
    var bytes: [UInt8] = []
    let (width, height) = (Int.random(in: 1...900, using: &random), Int.random(in: 1...150, using: &random))
    let count = width * height * 4
    while bytes.count < count {
      if bytes.isEmpty || Int.random(in: 0...9, using: &random) >= repeats {
        for _ in 0..<Int.random(in: 1...40, using: &random) {
          bytes.append(UInt8(Int.random(in: 0..<colors, using: &random)))
        }
      } else {
        let start = bytes.count - Int.random(in: 1...min(bytes.count, 40_000), using: &random)
        for index in 0..<Int.random(in: 1...600, using: &random) { bytes.append(bytes[start + index]) }
      }
    }
    bytes.removeLast(bytes.count - count)
    if seed % 2 == 0 { for at in stride(from: 3, to: count, by: 4) { bytes[at] = 255 } }
    let bitmap = try Bitmap(width: width, height: height, pixels: bytes)
    #expect(try Bitmap(pngData: bitmap.pngData()) == bitmap)
  }

  @Test("A blank image takes few bytes")
  func blank() throws {
    // A match of 258 in about two bits: 1,024 * 768 * 4 / 1,032 bytes, plus the headers of 6 pieces.
    #expect(try Bitmap(width: 1_024, height: 768).pngData().count < 7_000)
  }
}
