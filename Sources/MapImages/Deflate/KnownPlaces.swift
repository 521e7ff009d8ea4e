/// Where bytes were seen last that begin as others do, by a hash of the first four.
struct KnownPlaces {
  private static let hashBits: UInt32 = 14
  private static let shortestMatch = 4
  /// How many places at the end of a match are known afterwards.
  private static let knownOfMatch = 8

  /// For each hash, the place plus 1; 0 is none.
  private var places = [UInt32](repeating: 0, count: 1 << hashBits)

  /// The longest run from a place on that is like the one at its known place; both are known afterwards.
  ///
  /// At `place` and up to the end 8 bytes can be read.
  @inline(__always) mutating func match(
    in bytes: RawSpan, at place: Int, to end: Int
  ) -> (length: Int, distance: Int)? {
    let next = Self.next(in: bytes, at: place)
    let known = Int(replace(next, place)) - 1
    guard known >= 0, place - known <= DeflateSymbols.window else { return nil }
    let length = Self.length(in: bytes, known, place, end)
    guard length >= Self.shortestMatch else { return nil }
    for inside in place + max(1, length - Self.knownOfMatch)..<place + length {
      _ = replace(Self.next(in: bytes, at: inside), inside)
    }
    return (length, place - known)
  }

  /// Notes a place for its bytes and gives the one that was noted.
  @inline(__always) private mutating func replace(_ next: UInt64, _ place: Int) -> UInt32 {
    let hash = Int((UInt32(truncatingIfNeeded: next) &* 0x9E37_79B1) >> (32 - Self.hashBits))
    let known = places[hash]
    places[hash] = UInt32(truncatingIfNeeded: place + 1)
    return known
  }

  /// How many bytes from two places on are alike, up to the longest match and the end.
  @inline(__always) private static func length(in bytes: RawSpan, _ known: Int, _ place: Int, _ end: Int)
    -> Int
  {
    let limit = min(DeflateSymbols.longestMatch, end - place)
    var length = 0
    repeat {
      let difference = next(in: bytes, at: known + length) ^ next(in: bytes, at: place + length)
      if difference != 0 { return min(length + difference.trailingZeroBitCount / 8, limit) }
      length += 8
    } while length < limit
    return limit
  }

  /// The 8 bytes at a place, the first lowest.
  @inline(__always) private static func next(in bytes: RawSpan, at place: Int) -> UInt64 {
    // Any bytes are a number.
    unsafe bytes.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self).littleEndian
  }
}
