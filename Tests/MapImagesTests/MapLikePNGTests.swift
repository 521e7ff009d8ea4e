import MapImages
import MapTestSupport
import Testing

/// Images like those of maps, whose rows are encoded as runs and as matches with the row above.
@Suite struct MapLikePNGTests {
  /// Returns pixels with runs of few colours, rows that equal the one above as a whole or in part, rows of one colour,
  /// and noise.
  static func image(_ random: inout SeededGenerator, isOpaque: Bool) throws -> Bitmap {
    let widths = [1, 2, 3, 9, 64, 257, 700]
    let width = widths[Int.random(in: 0..<widths.count, using: &random)]
    let height = Int.random(in: 1...90, using: &random)
    let colors = (0..<Int.random(in: 1...40, using: &random)).map { _ in
      UInt32.random(in: 0...UInt32.max, using: &random) | (isOpaque ? 0xFF00_0000 : 0)
    }
    func color() -> UInt32 { colors[Int.random(in: 0..<colors.count, using: &random)] }
    var rows: [[UInt32]] = []
    for _ in 0..<height {
      var row = rows.last ?? [UInt32](repeating: colors[0], count: width)
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1: break
      case 2: row = [UInt32](repeating: Bool.random(using: &random) ? colors[0] : color(), count: width)
      case 3:
        for column in 0..<width where Int.random(in: 0..<4, using: &random) == 0 { row[column] = color() }
      default:
        // A few runs over the row above, which may reach its start or end.
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let start = Int.random(in: 0..<width, using: &random)
          let new = color()
          for column in start..<min(width, start + Int.random(in: 1...300, using: &random)) {
            row[column] = new
          }
        }
      }
      rows.append(row)
    }
    let bytes = rows.joined().flatMap { pixel in
      [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: pixel >> $0) }
    }
    return try Bitmap(width: width, height: height, pixels: bytes)
  }

  /// The Adler-32 checksum by its definition (RFC 1950), of rows with the filter byte 0.
  static func checksum(of bitmap: Bitmap) -> UInt32 {
    var (a, b) = (UInt32(1), UInt32(0))
    func add(_ byte: UInt8) {
      (a, b) = ((a + UInt32(byte)) % 65_521, (b + (a + UInt32(byte)) % 65_521) % 65_521)
    }
    for row in 0..<bitmap.height {
      add(0)
      for column in 0..<bitmap.width {
        let color = bitmap[column, row]
        for byte in [color.red, color.green, color.blue] { add(byte) }
        if !bitmap.isOpaque { add(color.alpha) }
      }
    }
    return b << 16 | a
  }

  /// The checksum is the last word of the compressed data, before the checksum of its chunk and the last chunk.
  @Test("An image decoded by libpng equals the encoded one, and its checksum is right", arguments: 0..<8)
  func decodes(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var differing = 0
    for number in 0..<60 {
      let bitmap = try Self.image(&random, isOpaque: number % 3 > 0)
      let png = try bitmap.pngData()
      #expect(try Bitmap(pngData: png) == bitmap)
      let stored = png[(png.count - 20)..<(png.count - 16)].reduce(0) { $0 << 8 | UInt32($1) }
      #expect(stored == Self.checksum(of: bitmap))
      differing += Set(bitmap.pixels).count > 4 ? 1 : 0
    }
    #expect(differing > 30)
  }

  /// Checksums are added up in blocks of 16,384 pixels.
  @Test("The checksum of wide rows is right", arguments: [16_383, 16_384, 16_393, 32_767])
  func wideRows(width: Int) throws {
    var random = SeededGenerator(seed: UInt64(width))
    for isOpaque in [true, false] {
      // White pixels have the largest sums.
      let pixels = (0..<2 * width * 4).map { index in
        index < width * 4 || isOpaque && index % 4 == 3 ? 255 : UInt8.random(in: 0...255, using: &random)
      }
      let bitmap = try Bitmap(width: width, height: 2, pixels: pixels)
      let png = try bitmap.pngData()
      #expect(try Bitmap(pngData: png) == bitmap)
      let stored = png[(png.count - 20)..<(png.count - 16)].reduce(0) { $0 << 8 | UInt32($1) }
      #expect(stored == Self.checksum(of: bitmap))
    }
  }

  @Test("A rectangle of an image has the bytes of an image of its pixels", arguments: 0..<4)
  func rectangles(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(100 + seed))
    for number in 0..<60 {
      let bitmap = try Self.image(&random, isOpaque: number % 2 > 0)
      let (left, top) = (
        Int.random(in: 0..<bitmap.width, using: &random), Int.random(in: 0..<bitmap.height, using: &random)
      )
      let columns = left..<Int.random(in: left + 1...bitmap.width, using: &random)
      let rows = top..<Int.random(in: top + 1...bitmap.height, using: &random)
      var part = try Bitmap(width: columns.count, height: rows.count)
      for row in rows { for column in columns { part[column - left, row - top] = bitmap[column, row] } }
      #expect(try bitmap.pngData(columns: columns, rows: rows) == part.pngData())
    }
  }

  /// The image has 16 pieces.
  @Test("A large image of runs has the same bytes on 1, 2, 3 and 8 threads")
  func threads() throws {
    var random = SeededGenerator(seed: 9)
    var pixels: [UInt8] = []
    pixels.reserveCapacity(2_048 * 1_024 * 4)
    while pixels.count < 2_048 * 1_024 * 4 {
      let color = (0..<4).map { _ in UInt8.random(in: 0...3, using: &random) }
      for _ in 0..<Int.random(in: 1...3_000, using: &random) { pixels += color }
    }
    pixels.removeLast(pixels.count - 2_048 * 1_024 * 4)
    let bitmap = try Bitmap(width: 2_048, height: 1_024, pixels: pixels)
    let png = try PNGCodec.encode(bitmap, threads: 1)
    for threads in [2, 3, 8] { #expect(try PNGCodec.encode(bitmap, threads: threads) == png) }
    #expect(try Bitmap(pngData: png) == bitmap)
  }
}
