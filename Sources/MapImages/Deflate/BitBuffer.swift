/// Bits on their way into bytes, the first lowest in its byte.
///
/// - Source: RFC 1951, 3.1.1.
struct BitBuffer {
  private var bits: UInt64 = 0
  private var count = 0
  /// Where the next byte goes.
  private(set) var place = 0

  /// Adds a value's lowest bits, the others being 0; 56 bits fit between two writes.
  @inline(__always) mutating func add(_ value: some FixedWidthInteger, bits newCount: Int) {
    bits |= UInt64(truncatingIfNeeded: value) &<< UInt64(truncatingIfNeeded: count)
    count &+= newCount
  }

  /// Adds a code as ``PrefixCode/entries`` holds it.
  @inline(__always) mutating func add(_ entry: UInt32) { add(entry & 0xFFFF, bits: Int(entry >> 16)) }

  /// Writes the whole bytes; 8 must be free.
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
}
