/// Bytes as base64 writes them, alone or within a longer text.
///
/// - Source: RFC 4648, sections 4 and 5.
enum Base64Forms {
  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// For each of the three places within a group, the characters that the bytes alone decide, in both alphabets.
  static func all(of bytes: [UInt8]) -> [[UInt8]] {
    let forms = (0..<3).map { shift -> [UInt8] in
      let bits = bytes.count * 8
      // A character holds six bits; the first whole one begins after those that it shares with what stands before.
      let start = (6 - shift * 8 % 6) % 6
      return stride(from: start, through: bits - 6, by: 6).map { bit in
        let (place, offset) = (bit / 8, bit % 8)
        let pair = UInt16(bytes[place]) << 8 | (place + 1 < bytes.count ? UInt16(bytes[place + 1]) : 0)
        return letters[Int(pair >> UInt16(10 - offset) & 63)]
      }
    }
    let other = forms.map { form in
      form.map {
        $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0
      }
    }
    return forms + other
  }
}
