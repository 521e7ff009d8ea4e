/// Which pixels of a row equal those of another place, as a bit for each.
struct EqualPixels {
  private var words: [UInt64]

  /// Creates room for the bits of rows of `width` pixels.
  init(width: Int) { words = [UInt64](repeating: 0, count: width / 64 + 1) }

  /// Compares the pixels from two offsets on.
  mutating func compare(_ pixels: RawSpan, _ first: Int, _ second: Int, count: Int) {
    var words = words.mutableSpan
    let powers = SIMD8<UInt32>(1, 2, 4, 8, 16, 32, 64, 128)
    for index in 0..<(count + 63) / 64 {
      var (word, bit): (UInt64, UInt64) = (0, 0)
      var column = index * 64
      let end = min(column + 64, count)
      // Any bytes are valid pixels, and the accesses are checked.
      while column + 8 <= end {
        let one = unsafe pixels.unsafeLoadUnaligned(
          fromByteOffset: first + column * 4, as: SIMD8<UInt32>.self)
        let two = unsafe pixels.unsafeLoadUnaligned(
          fromByteOffset: second + column * 4, as: SIMD8<UInt32>.self)
        word |= UInt64(powers.replacing(with: 0, where: one .!= two).wrappedSum()) &<< bit
        (column, bit) = (column + 8, bit + 8)
      }
      while column < end {
        let one = unsafe pixels.unsafeLoadUnaligned(fromByteOffset: first + column * 4, as: UInt32.self)
        let two = unsafe pixels.unsafeLoadUnaligned(fromByteOffset: second + column * 4, as: UInt32.self)
        if one == two { word |= 1 &<< bit }
        (column, bit) = (column + 1, bit + 1)
      }
      words[index] = word
    }
  }

  /// Returns the number of equal pixels from a column on, at most `most`.
  @inline(__always) func run(from column: Int, most: Int) -> Int {
    let words = words.span
    var count = 0
    while count < most {
      let bit = (column &+ count) & 63
      let word = words[(column &+ count) &>> 6] &>> UInt64(truncatingIfNeeded: bit)
      let equal = (~word).trailingZeroBitCount
      if equal < 64 &- bit { return min(count &+ equal, most) }
      count &+= 64 &- bit
    }
    return most
  }
}
