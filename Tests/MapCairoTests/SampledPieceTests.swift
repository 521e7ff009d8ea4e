import CCoverage
import MapTestSupport
import Testing

/// Samples of convex pieces, compared one by one.
@Suite struct SampledPieceTests {
  static let side = 8
  static let rows = 32
  static let columns = 32

  /// Five corners of a convex piece: points on an ellipse in order, some of them repeated.
  static func piece(_ random: inout SeededGenerator) -> [Double] {
    let (x, y) = (Double.random(in: -2...10, using: &random), Double.random(in: -2...10, using: &random))
    let (wide, high) = (
      Double.random(in: 0.1...6, using: &random), Double.random(in: 0.1...6, using: &random)
    )
    // Slopes of points on a circle without sine and cosine.
    let places = (0..<5).map { _ in Double.random(in: -1...1, using: &random) }.sorted()
    let corners = places.map { t in
      (x + wide * (1 - t * t) / (1 + t * t), y + high * 2 * t / (1 + t * t))
    }
    let clockwise = Bool.random(using: &random) ? corners : corners.reversed()
    let repeated = Int.random(in: 0..<3, using: &random)
    return clockwise.indices.flatMap { index -> [Double] in
      let corner = clockwise[min(index, clockwise.count - 1 - repeated)]
      return [corner.0, corner.1]
    }
  }

  @Test("The next shared pixel is found at any distance", arguments: 1...20 as ClosedRange<UInt64>)
  func nextShared(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let first = UInt32.random(in: 1...UInt32.max / 2, using: &random)
    let marks = (0..<70).map { _ in
      Int.random(in: 0..<30, using: &random) == 0
        ? UInt32.random(in: first...UInt32.max, using: &random) : UInt32.random(in: 0..<first, using: &random)
    }
    var found = 0
    for begin in marks.indices {
      for end in begin...marks.count {
        let expected = (begin..<end).first { marks[$0] >= first } ?? end
        let next = unsafe ccoverage_next_shared(marks, UInt32(begin), UInt32(end), first)
        #expect(Int(next) == expected)
        if expected < end { found += 1 }
      }
    }
    #expect(found > 100)
  }

  static func isInside(_ corners: [Double], _ x: Double, _ y: Double) -> Bool {
    var (isLeft, isRight) = (false, false)
    for corner in 0..<5 {
      let (a, b) = (corner * 2, (corner + 1) % 5 * 2)
      let side =
        (corners[b] - corners[a]) * (y - corners[a + 1]) - (corners[b + 1] - corners[a + 1])
        * (x - corners[a])
      if side > 0 { isLeft = true }
      if side < 0 { isRight = true }
    }
    return !(isLeft && isRight)
  }

  /// The samples that each implementation covers, pixel by pixel.
  static func samples(_ pieces: [[Double]], plain: Bool) -> [[UInt32]] {
    var marks = Array(repeating: UInt32(0), count: side * side)
    var result = Array(repeating: Array(repeating: UInt32(0), count: rows), count: side * side)
    unsafe marks.withUnsafeMutableBufferPointer { marks in
      var sheet = unsafe ccoverage_sheet()
      unsafe (sheet.width, sheet.end_column, sheet.end_row, sheet.first_slot) = (
        Int32(side), Int32(side), Int32(side), 1
      )
      unsafe (sheet.marks, sheet.takes_all) = (marks.baseAddress, 1)
      for piece in pieces {
        if plain { unsafe ccoverage_add_plain(&sheet, piece) } else { unsafe ccoverage_add(&sheet, piece) }
      }
      for slot in unsafe 0..<Int(sheet.count) {
        let words = (0..<rows).map { unsafe sheet.samples[slot * rows + $0] }
        unsafe result[Int(sheet.places[slot])] = words
        let count = unsafe ccoverage_count(sheet.samples + slot * rows)
        #expect(Int(count) == words.reduce(0) { $0 + $1.nonzeroBitCount })
      }
      unsafe ccoverage_free(&sheet)
    }
    return result
  }

  @Test("Sampled pieces are the same with and without vector instructions and match exact geometry")
  func inside() {
    var random = SeededGenerator(seed: 3)
    var (all, off) = (0, 0)
    for _ in 0..<200 {
      let piece = Self.piece(&random)
      let samples = Self.samples([piece], plain: true)
      #expect(samples == Self.samples([piece], plain: false))
      for pixel in samples.indices {
        for row in 0..<Self.rows {
          for column in 0..<Self.columns {
            let x = Double(pixel % Self.side) + (Double(column) + 0.5) / Double(Self.columns)
            let y = Double(pixel / Self.side) + (Double(row) + 0.5) / Double(Self.rows)
            let isSet = samples[pixel][row] >> UInt32(column) & 1 == 1
            all += isSet ? 1 : 0
            // In a corner's row, lines end at the neighbouring sample.
            off += isSet != Self.isInside(piece, x, y) ? 1 : 0
          }
        }
      }
    }
    #expect(all > 100_000, "\(off) of \(all)")
    #expect(off * 1000 < all, "\(off) of \(all)")
  }

  @Test("The samples of several pieces are the union of each piece's samples")
  func piecesAddUp() {
    var random = SeededGenerator(seed: 4)
    let pieces = (0..<20).map { _ in Self.piece(&random) }
    let together = Self.samples(pieces, plain: false)
    let one = pieces.map { Self.samples([$0], plain: false) }
    for pixel in together.indices {
      for row in 0..<Self.rows {
        #expect(together[pixel][row] == one.reduce(0) { $0 | $1[pixel][row] })
      }
    }
  }
}
