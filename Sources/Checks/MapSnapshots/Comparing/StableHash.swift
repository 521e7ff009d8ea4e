/// A hash of bytes that is the same in every run and on every machine.
package enum StableHash {
  /// Returns 64-bit FNV-1a over words of eight bytes, as 16 hexadecimal digits.
  ///
  /// - Source: Fowler, Noll and Vo; design decision: words instead of bytes, which is eight times faster.
  package static func hexadecimal(of bytes: [UInt8]) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    let span = bytes.span
    var at = 0
    while at + 8 <= span.count {
      var word: UInt64 = 0
      for index in 0..<8 { word |= UInt64(span[at &+ index]) << UInt64(8 &* index) }
      hash = (hash ^ word) &* 0x100_0000_01B3
      // Without this step, the high bits of a word would never affect the low bits of the hash.
      hash ^= hash >> 32
      at += 8
    }
    while at < span.count {
      hash = (hash ^ UInt64(span[at])) &* 0x100_0000_01B3
      at += 1
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
