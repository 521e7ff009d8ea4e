/// The SHA-256 digest of bytes.
///
/// - Source: FIPS 180-4, 6.2; the constants are in 4.2.2 and 5.3.3.
package enum SHA256 {
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]

  /// Returns the digest, 32 bytes.
  ///
  /// - Cost: one pass; the bytes are not copied except for the last block.
  package static func digest(_ bytes: some RandomAccessCollection<UInt8>) -> [UInt8] {
    let bytes = Array(bytes)
    var state: [UInt32] = [
      0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    let whole = bytes.count & ~63
    var block = 0
    while block < whole {
      add(bytes.span, at: block, to: &state)
      block += 64
    }
    // The end: a bit that is set, zeros, and the number of bits in 64 bits.
    var end = Array(bytes[whole...]) + [0x80]
    end += [UInt8](repeating: 0, count: (120 - end.count) % 64)
    let bits = UInt64(bytes.count) * 8
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      end.append(UInt8(truncatingIfNeeded: bits >> shift))
    }
    for block in stride(from: 0, to: end.count, by: 64) { add(end.span, at: block, to: &state) }
    return state.flatMap { word in
      stride(from: UInt32(24), through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
    }
  }

  private static func add(_ bytes: Span<UInt8>, at start: Int, to state: inout [UInt32]) {
    var words = InlineArray<64, UInt32>(repeating: 0)
    for index in 0..<16 {
      let at = start + 4 * index
      words[index] =
        UInt32(bytes[at]) << 24 | UInt32(bytes[at + 1]) << 16 | UInt32(bytes[at + 2]) << 8
        | UInt32(bytes[at + 3])
    }
    for index in 16..<64 {
      let (early, late) = (words[index - 15], words[index - 2])
      let first = rotated(early, 7) ^ rotated(early, 18) ^ early >> 3
      let second = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10
      words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    let constants = constants.span
    for index in 0..<64 {
      let choice = (e & f) ^ (~e & g)
      let majority = (a & b) ^ (a & c) ^ (b & c)
      let first =
        h &+ (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) &+ choice &+ constants[index] &+ words[index]
      let second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) &+ majority
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ second)
    }
    for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
  }

  @inline(__always)
  private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word &>> count | word &<< (32 &- count)
  }

  /// Returns bytes as hexadecimal digits in lower case.
  package static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
