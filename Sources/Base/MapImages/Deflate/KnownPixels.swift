/// The last known position of one or two pixels, by their hash; `count` is a power of two.
struct KnownPixels<let count: Int> {
  /// The pixels' tag above bit 32, the row above bit 16, and the column plus 1; 0 is no position.
  ///
  /// The tag tells other pixels with the same hash apart without reading them, which takes most of the time.
  private var entries = InlineArray<count, UInt64>(repeating: 0)

  /// Records a position of two pixels, and returns the one that was recorded for them before.
  ///
  /// For a pixel alone, `second` is 0. Two pairs can have one hash and one tag, so the pixels must be compared; pixels
  /// alone cannot. Rows and columns must be below 32,767.
  @inline(__always) mutating func replace(
    _ first: UInt32, _ second: UInt32, row: Int, column: Int
  ) -> (row: Int, column: Int)? {
    let mixed = first &* 0x9E37_79B1 ^ second &* 0x85EB_CA6B
    let index = Int(mixed &>> UInt32(32 - count.trailingZeroBitCount))
    // An odd factor, so that each pixel alone has its own tag.
    let tag = first &* 3 ^ second
    let known = entries[index]
    entries[index] = UInt64(tag) &<< 32 | UInt64(truncatingIfNeeded: row &<< 16 | column &+ 1)
    let place = Int(known & 0xFFFF_FFFF)
    guard place > 0, known &>> 32 == tag else { return nil }
    return (place &>> 16, place & 0xFFFF &- 1)
  }
}
