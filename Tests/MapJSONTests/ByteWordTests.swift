import MapJSON
import MapTestSupport
import Testing

/// Each answer for eight bytes at once equals that for one byte after the other.
@Suite struct ByteWordTests {
  /// Bytes near the limits of digits, signs, control characters and ASCII, and any others.
  private static func bytes(_ count: Int, _ random: inout SeededGenerator) -> [UInt8] {
    let edges: [UInt8] = [0, 1, 0x1F, 0x20, 0x22, 0x2C, 0x2D, 0x2F, 0x30, 0x39, 0x3A, 0x5C, 0x7F, 0x80, 0xFF]
    return (0..<count).map { _ in
      Bool.random(using: &random)
        ? edges.randomElement(using: &random) ?? 0 : .random(in: 0...255, using: &random)
    }
  }

  @Test("The first marked byte is the first that matches")
  func firstMarkedByteMatches() {
    var random = SeededGenerator(seed: 71)
    var found = 0
    for _ in 0..<20_000 {
      let bytes = Self.bytes(8, &random)
      let word = ByteWord(bytes.span, at: 0)
      for byte: UInt8 in [0, 0x0A, 0x22, 0x2C, 0x5C, 0x80, 0xFF] {
        let place = bytes.firstIndex(of: byte)
        #expect(ByteWord.first(word.marks(equalTo: byte)) == place ?? 8, "\(bytes) \(byte)")
        found += place == nil ? 0 : 1
      }
      for limit: UInt8 in [1, 0x20, 0x80] {
        #expect(ByteWord.first(word.marks(below: limit)) == bytes.firstIndex { $0 < limit } ?? 8, "\(bytes)")
      }
      #expect(ByteWord.first(word.marksBeyondASCII) == bytes.firstIndex { $0 >= 0x80 } ?? 8, "\(bytes)")
    }
    #expect(found > 10_000)
  }

  @Test("Texts of all lengths are compared like their bytes")
  func textsAreComparedLikeTheirBytes() {
    func areSame(_ text: [UInt8], _ other: [UInt8]) -> Bool { text.span.hasSameBytes(as: other.span) }
    var random = SeededGenerator(seed: 72)
    for length in 0..<40 {
      let text = Self.bytes(length, &random)
      #expect(areSame(text, Array(text)))
      #expect(!areSame(text, text + [0]))
      for place in text.indices {
        var other = text
        other[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
        #expect(!areSame(text, other), "\(length), \(place)")
      }
    }
  }

  @Test("Dates and clocks have digits at their places and nothing else")
  func datesAndClocksHaveDigits() {
    func number(_ bytes: ArraySlice<UInt8>) -> Int? {
      bytes.allSatisfy { 0x30...0x39 ~= $0 } ? Int(String(decoding: bytes, as: UTF8.self)) : nil
    }
    var random = SeededGenerator(seed: 73)
    var (dates, clocks) = (0, 0)
    for round in 0..<40_000 {
      var bytes = Array((round % 2 == 0 ? "2024-11-" : "17:45:09").utf8)
      for place in bytes.indices where 0x30...0x39 ~= bytes[place] {
        bytes[place] = .random(in: 0x30...0x39, using: &random)
      }
      if round % 4 < 2 { bytes[Int.random(in: 0..<8, using: &random)] = Self.bytes(1, &random)[0] }
      let word = ByteWord(bytes.span, at: 0)
      let isDate = bytes[4] == 0x2D && bytes[7] == 0x2D
      let date =
        isDate ? number(bytes[0..<4]).flatMap { year in number(bytes[5..<7]).map { [year, $0] } } : nil
      #expect(word.yearAndMonth.map { [$0.year, $0.month] } == date, "\(bytes)")
      let isClock = bytes[2] == 0x3A && bytes[5] == 0x3A
      let parts = [number(bytes[0..<2]), number(bytes[3..<5]), number(bytes[6..<8])]
      let clock = isClock && !parts.contains(nil) ? parts.compactMap { $0 } : nil
      #expect(word.clock.map { [$0.hour, $0.minute, $0.second] } == clock, "\(bytes)")
      dates += date == nil ? 0 : 1
      clocks += clock == nil ? 0 : 1
    }
    #expect(dates > 9_000 && dates < 20_000)
    #expect(clocks > 9_000 && clocks < 20_000)
  }
}
