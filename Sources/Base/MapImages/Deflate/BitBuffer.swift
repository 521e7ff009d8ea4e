/// A buffer that packs bits into bytes, from the lowest bit of each byte up.
///
/// - Source: RFC 1951, 3.1.1.
struct BitBuffer {
  private var bits: UInt64 = 0
  private var count = 0
  /// The offset of the next byte to write.
  private(set) var place = 0

  /// Adds the lowest bits of a value, whose other bits must be 0; up to 56 bits fit between two writes.
  @inline(__always) mutating func add(_ value: some FixedWidthInteger, bits newCount: Int) {
    bits |= UInt64(truncatingIfNeeded: value) &<< UInt64(truncatingIfNeeded: count)
    count &+= newCount
  }

  /// Adds a code in the format of ``PrefixCode/entries``.
  @inline(__always) mutating func add(_ entry: UInt32) { add(entry & 0xFFFF, bits: Int(entry >> 16)) }

  /// Writes the complete bytes; 8 bytes must be free.
  @inline(__always) mutating func write(to bytes: inout MutableRawSpan) {
    bytes.storeBytes(of: bits.littleEndian, toByteOffset: place, as: UInt64.self)
    place &+= count &>> 3
    bits &>>= UInt64(truncatingIfNeeded: count & ~7)
    count &= 7
  }

  /// Fills the last byte with zeros and writes it.
  mutating func finish(to bytes: inout MutableRawSpan) {
    count = (count + 7) & ~7
    write(to: &bytes)
  }

  /// Ends a piece of a stream at a whole byte.
  mutating func end(isLast: Bool, in bytes: inout MutableRawSpan) {
    if !isLast {
      // An empty stored block ends at a whole byte.
      add(0, bits: 3)
      finish(to: &bytes)
      add(0xFFFF_0000 as UInt32, bits: 32)
    }
    finish(to: &bytes)
  }
}
