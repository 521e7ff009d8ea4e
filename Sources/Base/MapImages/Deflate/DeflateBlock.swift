/// A block of literals and matches with one pair of codes.
///
/// - Source: RFC 1951, 3.2.3 and 3.2.5.
struct DeflateBlock {
  private static let capacity = 1 << 15
  /// The bit of a token that is a match.
  static let match: UInt32 = 1 << 31
  /// The bit of a token that is one literal; three literals of a pixel have neither bit.
  static let literal: UInt32 = 1 << 30

  /// The literals and matches; a match has its length above bit 16, and its distance minus 1.
  private var tokens = [UInt32](repeating: 0, count: capacity)
  private var tokenCount = 0
  /// The number of occurrences of each symbol: literals, the end and lengths, then distances.
  private var counts: [UInt32] = []

  /// Fills the block with tokens for the bytes from `place` on, and moves `place` to the start of the next block.
  mutating func fill(from bytes: RawSpan, at place: inout Int, to end: Int, with places: inout KnownPlaces) {
    counts = [UInt32](repeating: 0, count: DeflateSymbols.symbolCount)
    counts[DeflateSymbols.end] = 1
    tokenCount = Self.fill(&tokens, &counts, from: bytes, at: &place, to: end, with: &places)
  }

  private static func fill(
    _ tokens: inout [UInt32], _ counts: inout [UInt32], from bytes: RawSpan, at place: inout Int, to end: Int,
    with places: inout KnownPlaces
  ) -> Int {
    let lengths = DeflateSymbols.lengths
    var count = 0
    while place < end, count < tokens.count {
      if let match = places.match(in: bytes, at: place, to: end) {
        tokens[count] = Self.match | UInt32(match.length) << 16 | UInt32(match.distance - 1)
        counts[Int(lengths[match.length] & 0xFFFF)] += 1
        counts[DeflateSymbols.literalCount + DeflateSymbols.distance(match.distance).symbol] += 1
        place += match.length
      } else {
        let literal = unsafe bytes.unsafeLoad(fromByteOffset: place, as: UInt8.self)
        tokens[count] = Self.literal | UInt32(literal)
        counts[Int(literal)] += 1
        place += 1
      }
      count += 1
    }
    return count
  }

  /// Writes the block with codes of its own; `isLast` ends the stream.
  func write(isLast: Bool, with buffer: inout BitBuffer, to output: inout MutableRawSpan) {
    Self.write(tokens, count: tokenCount, counts, isLast: isLast, with: &buffer, to: &output)
  }

  /// Writes a block of tokens with codes of its own; `isLast` ends the stream.
  ///
  /// - Parameter counts: the number of occurrences of each symbol, the end among them.
  static func write(
    _ tokens: [UInt32], count tokenCount: Int, _ counts: [UInt32], isLast: Bool, with buffer: inout BitBuffer,
    to output: inout MutableRawSpan
  ) {
    let codes = DeflateCodes(counts: counts)
    buffer.add(isLast ? 0b101 : 0b100, bits: 3)
    codes.write(with: &buffer, to: &output)
    let (literals, distances) = (codes.literals.entries, codes.distances.entries)
    let lengths = DeflateSymbols.lengths
    var index = 0
    while index < tokenCount {
      let token = tokens[index]
      index += 1
      if token < Self.literal {
        buffer.add(literals[Int(token & 255)])
        buffer.add(literals[Int(token &>> 8 & 255)])
        buffer.add(literals[Int(token &>> 16)])
      } else if token < Self.match {
        buffer.add(literals[Int(token & 255)])
      } else {
        let length = lengths[Int(token >> 16 & 0x1FF)]
        buffer.add(literals[Int(length & 0xFFFF)])
        buffer.add(length >> 24, bits: Int(length >> 16 & 0xFF))
        buffer.write(to: &output)
        let distance = DeflateSymbols.distance(Int(token & 0x7FFF) + 1)
        buffer.add(distances[distance.symbol])
        buffer.add(distance.rest, bits: distance.bits)
      }
      buffer.write(to: &output)
    }
    buffer.add(literals[DeflateSymbols.end])
    buffer.write(to: &output)
  }
}
