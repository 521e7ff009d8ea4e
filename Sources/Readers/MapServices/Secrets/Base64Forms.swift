/// The base64 forms of bytes, alone or inside a longer encoded text.
///
/// - Source: RFC 4648, sections 4 and 5.
enum Base64Forms {
  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Returns, for each of the three alignments in a group, the characters that only these bytes determine, in both
  /// alphabets.
  static func all(of bytes: [UInt8]) -> [[UInt8]] {
    let forms = (0..<3).map { shift -> [UInt8] in
      let bits = bytes.count * 8
      // A character holds six bits. The first one that depends on these bytes alone starts after the shared bits.
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

  /// Returns the text that base64 of the standard alphabet encodes; nil for anything else.
  static func decode(_ text: Substring) -> String? {
    var (bytes, bits, count) = ([UInt8](), UInt32(0), 0)
    for character in text.utf8.reversed().drop(while: { $0 == UInt8(ascii: "=") }).reversed() {
      guard let value = letters.firstIndex(of: character) else { return nil }
      bits = bits << 6 | UInt32(truncatingIfNeeded: value)
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(truncatingIfNeeded: count)))
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
