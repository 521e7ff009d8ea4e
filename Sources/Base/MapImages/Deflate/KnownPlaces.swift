/// The last known position of byte sequences, by a hash of their first four bytes.
struct KnownPlaces {
  private static let hashBits: UInt32 = 14
  private static let shortestMatch = 4
  /// The number of positions at the end of a match that are recorded.
  private static let knownOfMatch = 8

  /// For each hash, the position plus 1; 0 means none.
  private var places = [UInt32](repeating: 0, count: 1 << hashBits)

  /// Returns the longest match between `place` and the last position with the same hash.
  ///
  /// Returns nil when the match is under 4 bytes or the position is outside the window.
  ///
  /// Records `place` and the last positions of the match. 8 bytes must be readable at every position from `place` to
  /// `end`.
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

  /// Records a position under the hash of its bytes and returns the one recorded before.
  @inline(__always) private mutating func replace(_ next: UInt64, _ place: Int) -> UInt32 {
    let hash = Int((UInt32(truncatingIfNeeded: next) &* 0x9E37_79B1) >> (32 - Self.hashBits))
    let known = places[hash]
    places[hash] = UInt32(truncatingIfNeeded: place + 1)
    return known
  }

  /// Returns the number of equal bytes from two positions on, up to the longest match and the end.
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

  /// Returns the 8 bytes at a position, the first byte lowest.
  @inline(__always) private static func next(in bytes: RawSpan, at place: Int) -> UInt64 {
    // Any bytes are a valid number.
    unsafe bytes.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self).littleEndian
  }
}
