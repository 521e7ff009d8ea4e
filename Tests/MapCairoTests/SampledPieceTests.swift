import CCoverage
import Glibc
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

  /// Counts the samples of a piece, and those that are not where they should be.
  static func compare(_ samples: [[UInt32]], _ piece: [Double], _ all: inout Int, _ off: inout Int) {
    for pixel in samples.indices {
      for row in 0..<rows {
        for column in 0..<columns {
          let x = Double(pixel % side) + (Double(column) + 0.5) / Double(columns)
          let y = Double(pixel / side) + (Double(row) + 0.5) / Double(rows)
          let isSet = samples[pixel][row] >> UInt32(column) & 1 == 1
          all += isSet ? 1 : 0
          off += isSet != isInside(piece, x, y) ? 1 : 0
        }
      }
    }
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

  /// The piece of a long segment with its join to one before it, along an axis, that hardly turns.
  static func nearlyStraightPiece(_ random: inout SeededGenerator, quarter: Int) -> [Double] {
    let turn = exp(Double.random(in: -9 ... -2, using: &random)) * (Bool.random(using: &random) ? 1 : -1)
    let half = Double.random(in: 0.2...2, using: &random)
    // Vertices are on a grid of 1/16 pixel.
    let start =
      SIMD2(
        Double(Int.random(in: 16...112, using: &random)), Double(Int.random(in: 16...112, using: &random)))
      / 16
    let before: SIMD2<Double> = [[1, 0], [0, 1], [-1, 0], [0, -1]][quarter]
    let way = before * cos(turn) + SIMD2(-before.y, before.x) * sin(turn)
    let outer = turn >= 0 ? -half : half
    let (a, b) = (SIMD2(-before.y, before.x) * outer, SIMD2(-way.y, way.x) * outer)
    let (tip, end) = (start + (a + b) / (1 + cos(turn)), start + way * 20)
    return [start + a, tip, end + b, end - b, start - b].flatMap { [$0.x, $0.y] }
  }

  @Test("A join that hardly turns cuts nothing off, in any direction", arguments: 0..<4)
  func nearlyStraight(quarter: Int) {
    var random = SeededGenerator(seed: UInt64(quarter))
    var (all, off) = (0, 0)
    for _ in 0..<200 {
      let piece = Self.nearlyStraightPiece(&random, quarter: quarter)
      let samples = Self.samples([piece], plain: true)
      #expect(samples == Self.samples([piece], plain: false))
      Self.compare(samples, piece, &all, &off)
    }
    #expect(all > 100_000, "\(off) of \(all)")
    #expect(off * 10_000 < all, "\(off) of \(all)")
  }

  @Test("Sampled pieces are the same with and without vector instructions and match exact geometry")
  func inside() {
    var random = SeededGenerator(seed: 3)
    var (all, off) = (0, 0)
    for _ in 0..<200 {
      let piece = Self.piece(&random)
      let samples = Self.samples([piece], plain: true)
      #expect(samples == Self.samples([piece], plain: false))
      // In a corner's row, lines end at the neighbouring sample.
      Self.compare(samples, piece, &all, &off)
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
