extension ExactSum {
  /// The sum as bytes, with which another process can continue; equal sums have equal bytes.
  ///
  /// - Source: design decision. All numbers are little-endian.
  ///   - Byte 0: version, 1.
  ///   - Byte 1: the kinds of non-finite terms, added: 1 for NaN, 2 for positive infinity, 4 for negative infinity.
  ///   - Bytes 2 and 3: signed 16 bits, the position of the first word; 0 without words.
  ///   - Then words of 64 bits, least significant first, a number in two's complement. The sum is that number times
  ///     2^(64 · position). The first word is not 0. The last word is not only the sign of the previous one. 0 has no
  ///     words.
  package var bytes: [UInt8] {
    var words = words[...]
    while words.first == 0 { words.removeFirst() }
    while words.count > 1, let last = words.last, let before = words.dropLast().last,
      last == UInt64(bitPattern: Int64(bitPattern: before) >> 63)
    {
      words.removeLast()
    }
    let place = words.isEmpty ? 0 : Int16(truncatingIfNeeded: lowest + words.startIndex)
    var bytes: [UInt8] = [1, nonFinite.rawValue]
    for shift in [0, 8] { bytes.append(UInt8(truncatingIfNeeded: place >> Int16(shift))) }
    for word in words {
      for shift in stride(from: UInt64(0), to: 64, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: word >> shift))
      }
    }
    return bytes
  }

  /// The possible positions of words: from the square of the least double to 2^64 squares of the greatest.
  private static let places = -34...33

  /// Reads a sum from its bytes; nil for bytes that ``bytes`` does not write.
  package init?(bytes: [UInt8]) {
    guard bytes.count >= 4, bytes.count % 8 == 4, bytes[0] == 1, bytes[1] < 8 else { return nil }
    let place = Int(Int16(bitPattern: UInt16(bytes[2]) | UInt16(bytes[3]) << 8))
    let count = (bytes.count - 4) / 8
    guard count == 0 ? place == 0 : Self.places.contains(place) && Self.places.contains(place + count - 1)
    else {
      return nil
    }
    let words = (0..<count).map { index -> UInt64 in
      let start = 4 + 8 * index
      return bytes[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    self.init(words: words, lowest: place, nonFinite: NonFinite(rawValue: bytes[1]))
    guard self.bytes == bytes else { return nil }
  }
}
