/// Percent-encoding, as used in addresses and forms.
///
/// - Source: RFC 3986, 2.1 and 2.3.
package enum PercentEncoding {
  /// Encodes every byte of a text except unreserved characters.
  package static func encode(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default: result += escape(byte)
      }
    }
    return result
  }

  /// Returns `%` and two hexadecimal digits.
  package static func escape(_ byte: UInt8) -> String {
    (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
  }

  /// Decodes a text, in which `+` means a space as in forms; returns nil if the result is not UTF-8.
  package static func decode(_ text: some StringProtocol) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
