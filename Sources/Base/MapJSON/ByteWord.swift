/// Eight consecutive bytes of a text, to examine them at once.
///
/// - Source: "Determine if a word has a zero byte", Anderson, Bit Twiddling Hacks.
@usableFromInline
package struct ByteWord {
  /// The bytes; the first is the lowest.
  @usableFromInline package let bits: UInt64

  /// The number of bytes in a word.
  @inlinable
  package static var size: Int { 8 }

  /// Reads the bytes from an offset on; all eight must lie inside the span.
  @inlinable @inline(__always)
  package init(_ bytes: Span<UInt8>, at place: Int) {
    // With the extracted span, the bytes compile to a single load.
    let word = bytes.extracting(place..<place + 8)
    let low = UInt64(word[0]) | UInt64(word[1]) << 8 | UInt64(word[2]) << 16 | UInt64(word[3]) << 24
    bits = low | UInt64(word[4]) << 32 | UInt64(word[5]) << 40 | UInt64(word[6]) << 48 | UInt64(word[7]) << 56
  }

  /// Returns a mark in the top bit of the first byte that equals another.
  ///
  /// Bytes after the first may be marked wrongly; without any equal byte, none is marked.
  @inlinable @inline(__always)
  package func marks(equalTo byte: UInt8) -> UInt64 {
    let difference = bits ^ UInt64(byte) &* 0x0101_0101_0101_0101
    return (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
  }

  /// Returns a mark in the top bit of the first byte below another of at most 128.
  ///
  /// Bytes after the first may be marked wrongly; without any lower byte, none is marked.
  @inlinable @inline(__always)
  package func marks(below byte: UInt8) -> UInt64 {
    (bits &- UInt64(byte) &* 0x0101_0101_0101_0101) & ~bits & 0x8080_8080_8080_8080
  }

  /// The marks in the top bits of all bytes of more than 7 bits.
  @inlinable @inline(__always)
  package var marksBeyondASCII: UInt64 { bits & 0x8080_8080_8080_8080 }

  /// Returns the values of the digits, each in the place of its byte; nil if the bytes do not have a form.
  ///
  /// - Parameters:
  ///   - form: The bytes, with `0` for each digit.
  ///   - others: All bits of the bytes that are not digits.
  @inlinable @inline(__always)
  package func digits(form: UInt64, others: UInt64) -> UInt64? {
    // A byte below `0` takes a bit from the next one, but keeps its own upper bits.
    let values = bits &- form
    let excess = values &+ 0x0606_0606_0606_0606 & ~others
    guard values & others | (values | excess) & 0xF0F0_F0F0_F0F0_F0F0 & ~others == 0 else { return nil }
    return values
  }

  /// Returns year and month of `yyyy-mm-`, without checking their range; nil for other bytes.
  @inlinable @inline(__always)
  package var yearAndMonth: (year: Int, month: Int)? {
    guard let digits = digits(form: 0x2D30_302D_3030_3030, others: 0xFF00_00FF_0000_0000) else { return nil }
    let (pairs, month) = (Self.pairs(digits), Self.pairs(digits >> 8))
    return (Int(pairs & 0xFF) * 100 + Int(pairs >> 16 & 0xFF), Int(month >> 32 & 0xFF))
  }

  /// Returns hour, minute and second of `hh:mm:ss`, without checking their range; nil for other bytes.
  @inlinable @inline(__always)
  package var clock: (hour: Int, minute: Int, second: Int)? {
    guard let digits = digits(form: 0x3030_3A30_303A_3030, others: 0x0000_FF00_00FF_0000) else { return nil }
    let (pairs, minute) = (Self.pairs(digits), Self.pairs(digits >> 8))
    return (Int(pairs & 0xFF), Int(minute >> 16 & 0xFF), Int(pairs >> 48 & 0xFF))
  }

  /// Returns the numbers of two digits from every second byte on.
  @inlinable @inline(__always)
  package static func pairs(_ digits: UInt64) -> UInt64 {
    (digits & 0x00FF_00FF_00FF_00FF) &* 10 &+ (digits >> 8 & 0x00FF_00FF_00FF_00FF)
  }

  /// Returns the index of the first marked byte; 8 without marks.
  @inlinable @inline(__always)
  package static func first(_ marks: UInt64) -> Int { marks.trailingZeroBitCount >> 3 }
}

extension Span<UInt8> {
  /// Returns whether two texts of any lengths are the same, eight bytes at a time.
  @inlinable
  package func hasSameBytes(as other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    var place = 0
    while place <= count - ByteWord.size {
      if ByteWord(self, at: place).bits != ByteWord(other, at: place).bits { return false }
      place += ByteWord.size
    }
    if place == count { return true }
    if count >= ByteWord.size {
      // The last word overlaps the one before.
      let last = count - ByteWord.size
      return ByteWord(self, at: last).bits == ByteWord(other, at: last).bits
    }
    while place < count {
      if self[place] != other[place] { return false }
      place += 1
    }
    return true
  }
}
