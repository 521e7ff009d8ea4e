/// A decoder of deflate data, whose memory does not depend on the size of the data.
///
/// - Source: RFC 1951. The limits of codes are those of zlib: a block has the symbol that ends it, and incomplete codes
///   are invalid except for a single distance.
package struct Inflate {
  /// Returns the next compressed bytes; empty at the end.
  package typealias Input = () throws(ArchiveError) -> [UInt8]
  /// Takes the next decoded bytes.
  package typealias Output = (ArraySlice<UInt8>) throws -> Void

  private let input: Input
  private var chunk: [UInt8] = []
  private var place = 0
  /// The bits that follow, from the lowest on.
  private var bits: UInt64 = 0
  private var bitCount = 0
  /// The number of zero bytes added to ``bits`` after the end of the input.
  private var added = 0
  private var hasEnded = false

  /// The decoded bytes: those that matches may copy, then those that are not yet passed on.
  private var bytes = [UInt8](repeating: 0, count: 1 << 17)
  private var (passed, count) = (0, 0)

  /// The farthest distance that a match copies from.
  private static let window = 1 << 15
  private static let longestMatch = 258

  /// Creates a decoder of the bytes that `input` returns.
  package init(_ input: @escaping Input) { self.input = input }

  /// Decodes one sequence of blocks, and passes the bytes on in pieces.
  ///
  /// - Throws: ``ArchiveError`` for damaged or incomplete data, and errors of `output`.
  package mutating func decode(_ output: Output) throws {
    (passed, count) = (0, 0)
    var isLast = false
    while !isLast {
      try need(3)
      isLast = take(1) == 1
      switch take(2) {
      case 0: try copyStored(output)
      case 1:
        guard let fixed = Self.fixed else { throw Self.damaged }
        try decodeBlock(fixed.literals, fixed.distances, output)
      case 2:
        let codes = try readCodes()
        try decodeBlock(codes.literals, codes.distances, output)
      default: throw Self.damaged
      }
    }
    try pass(output)
  }

  /// Returns the next byte after decoded blocks; nil at the end of the input.
  mutating func nextByte() throws(ArchiveError) -> UInt8? {
    _ = take(bitCount % 8)
    try fill()
    guard bitCount > added * 8 else { return nil }
    return UInt8(take(8))
  }

  // MARK: Bits

  private static let damaged = ArchiveError("its compressed bytes are damaged")
  private static let short = ArchiveError("its compressed bytes end too early")

  /// Fills ``bits`` to at least 56, with zeros after the end of the input.
  @inline(__always) private mutating func fill() throws(ArchiveError) {
    while bitCount <= 56 {
      if place == chunk.count { try nextChunk() }
      if place < chunk.count {
        bits |= UInt64(chunk[place]) << UInt64(bitCount)
        place += 1
      } else {
        added += 1
      }
      bitCount += 8
    }
  }

  private mutating func nextChunk() throws(ArchiveError) {
    guard !hasEnded else { return }
    (chunk, place) = (try input(), 0)
    hasEnded = chunk.isEmpty
  }

  /// Makes `wanted` bits available, at most 56.
  private mutating func need(_ wanted: Int) throws(ArchiveError) {
    if bitCount < wanted { try fill() }
    guard bitCount - wanted >= added * 8 else { throw Self.short }
  }

  @inline(__always) private mutating func take(_ wanted: Int) -> Int {
    let value = Int(bits & (1 << UInt64(wanted) - 1))
    bits >>= UInt64(wanted)
    bitCount -= wanted
    return value
  }

  @inline(__always) private mutating func symbol(_ code: HuffmanCode) throws(ArchiveError) -> Int {
    let entry = Int(code.short[Int(bits & (1 << UInt64(HuffmanCode.shortBits) - 1))])
    if entry != 0 {
      _ = take(entry & 15)
      return entry >> 4
    }
    guard let (symbol, length) = code.slowSymbol(bits) else { throw Self.damaged }
    _ = take(length)
    return symbol
  }

  // MARK: Blocks

  private mutating func copyStored(_ output: Output) throws {
    _ = take(bitCount % 8)
    try need(32)
    let length = take(16)
    guard take(16) == length ^ 0xFFFF else { throw Self.damaged }
    for _ in 0..<length {
      try need(8)
      if count == bytes.count { try pass(output) }
      bytes[count] = UInt8(take(8))
      count += 1
    }
  }

  private mutating func decodeBlock(
    _ literals: HuffmanCode, _ distances: HuffmanCode, _ output: Output
  ) throws {
    while true {
      // A match takes at most 15 + 5 + 15 + 13 bits.
      try fill()
      var value = try symbol(literals)
      if bitCount < added * 8 { throw Self.short }
      if count > bytes.count - Self.longestMatch { try pass(output) }
      if value < 256 {
        bytes[count] = UInt8(value)
        count += 1
        continue
      }
      if value == 256 { return }
      value -= 257
      guard value < Self.lengths.count else { throw Self.damaged }
      let length = Int(Self.lengths[value].base) + take(Int(Self.lengths[value].extra))
      value = try symbol(distances)
      guard value < Self.distances.count else { throw Self.damaged }
      let distance = Int(Self.distances[value].base) + take(Int(Self.distances[value].extra))
      if bitCount < added * 8 { throw Self.short }
      guard distance <= count else { throw Self.damaged }
      for place in count..<count + length { bytes[place] = bytes[place - distance] }
      count += length
    }
  }

  /// Passes on the decoded bytes, and keeps those that matches may copy.
  private mutating func pass(_ output: Output) throws {
    if count > passed { try output(bytes[passed..<count]) }
    let kept = min(count, Self.window)
    if kept < count { bytes.replaceSubrange(0..<kept, with: Array(bytes[count - kept..<count])) }
    (passed, count) = (kept, kept)
  }

  private mutating func readCodes() throws(ArchiveError) -> (literals: HuffmanCode, distances: HuffmanCode) {
    try need(14)
    let (literals, distances, codes) = (take(5) + 257, take(5) + 1, take(4) + 4)
    guard literals <= 286, distances <= 30 else { throw Self.damaged }
    var lengths = [UInt8](repeating: 0, count: 19)
    for index in 0..<codes {
      try need(3)
      lengths[Self.order[index]] = UInt8(take(3))
    }
    guard let code = HuffmanCode(lengths: lengths[...], canBeIncomplete: false) else { throw Self.damaged }
    lengths = []
    while lengths.count < literals + distances {
      try fill()
      let value = try symbol(code)
      let (repeated, times): (UInt8, Int)
      switch value {
      case 16:
        guard let last = lengths.last else { throw Self.damaged }
        (repeated, times) = (last, 3 + take(2))
      case 17: (repeated, times) = (0, 3 + take(3))
      case 18: (repeated, times) = (0, 11 + take(7))
      default: (repeated, times) = (UInt8(value), 1)
      }
      if bitCount < added * 8 { throw Self.short }
      lengths.append(contentsOf: repeatElement(repeated, count: times))
    }
    guard lengths.count == literals + distances, lengths[256] > 0,
      let first = HuffmanCode(lengths: lengths[..<literals], canBeIncomplete: true),
      let second = HuffmanCode(lengths: lengths[literals...], canBeIncomplete: true)
    else { throw Self.damaged }
    return (first, second)
  }

  // MARK: Tables of RFC 1951, sections 3.2.5 to 3.2.7

  /// The order in which the lengths of the code of lengths are sent.
  private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
  private static let lengths: [(base: UInt16, extra: UInt8)] =
    (0..<28).map { index in
      let extra = max(0, index / 4 - 1)
      return (UInt16(index < 8 ? index + 3 : (4 + index % 4) << extra + 3), UInt8(extra))
    } + [(258, 0)]
  private static let distances: [(base: UInt16, extra: UInt8)] = (0..<30).map { index in
    let extra = max(0, index / 2 - 1)
    return (UInt16(index < 4 ? index + 1 : (2 + index % 2) << extra + 1), UInt8(extra))
  }
  private static let fixed: (literals: HuffmanCode, distances: HuffmanCode)? = {
    let lengths: [UInt8] = (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }
    // All 32 codes have a length; the last two have no distance.
    guard let literals = HuffmanCode(lengths: lengths[...], canBeIncomplete: false),
      let distances = HuffmanCode(lengths: [UInt8](repeating: 5, count: 32)[...], canBeIncomplete: false)
    else { return nil }
    return (literals, distances)
  }()
}
