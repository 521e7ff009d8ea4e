/// A buffer of an array: a range of bytes.
struct ArrowBuffer: Sendable {
  let bytes: [UInt8]
  let range: Range<Int>

  static let empty = ArrowBuffer(bytes: [], range: 0..<0)

  var count: Int { range.count }

  /// Returns the byte at an offset in the buffer.
  @inline(__always)
  func byte(at offset: Int) -> UInt8 { bytes[range.lowerBound + offset] }

  /// Returns whether a bit is set.
  @inline(__always)
  func bit(_ index: Int) -> Bool { byte(at: index >> 3) >> UInt8(index & 7) & 1 == 1 }

  /// Returns the little-endian number of two bytes at an offset in the buffer.
  @inline(__always)
  func bits16(at offset: Int) -> UInt16 { UInt16(byte(at: offset)) | UInt16(byte(at: offset + 1)) << 8 }

  /// Returns the little-endian number of four bytes at an offset in the buffer.
  @inline(__always)
  func int32(at offset: Int) -> Int {
    let span = bytes.span
    return span.int32(at: range.lowerBound + offset)
  }

  /// Returns the little-endian number of eight bytes at an offset in the buffer.
  @inline(__always)
  func int64(at offset: Int) -> Int {
    let span = bytes.span
    return span.int64(at: range.lowerBound + offset)
  }
}

extension Span<UInt8> {
  /// Returns the little-endian number at an offset inside the bytes.
  @inline(__always)
  func int32(at place: Int) -> Int {
    let word = extracting(place..<place + 4)
    let bits = UInt32(word[0]) | UInt32(word[1]) << 8 | UInt32(word[2]) << 16 | UInt32(word[3]) << 24
    return Int(Int32(bitPattern: bits))
  }

  /// Returns the little-endian number at an offset inside the bytes.
  @inline(__always)
  func int64(at place: Int) -> Int { Int(truncatingIfNeeded: bits64(at: place)) }

  /// Returns the eight bytes at an offset inside the bytes.
  @inline(__always)
  func bits64(at place: Int) -> UInt64 {
    let word = extracting(place..<place + 8)
    let low = UInt64(word[0]) | UInt64(word[1]) << 8 | UInt64(word[2]) << 16 | UInt64(word[3]) << 24
    return low | UInt64(word[4]) << 32 | UInt64(word[5]) << 40 | UInt64(word[6]) << 48 | UInt64(word[7]) << 56
  }
}
