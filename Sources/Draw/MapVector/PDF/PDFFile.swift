import MapImages

/// The objects of a PDF file while it is written.
///
/// - Source: ISO 32000-1:2008, section 7.5.
struct PDFFile {
  private var bytes: [UInt8] = Array("%PDF-1.7\n%".utf8) + [0xE2, 0xE3, 0xCF, 0xD3, 0x0A]
  /// The position of each object, by its number less 1; 0 for one that is not written yet.
  private var positions: [Int] = []

  /// Returns the number of an object that is written later.
  mutating func reserve() -> Int {
    positions.append(0)
    return positions.count
  }

  /// Writes an object, and returns its number.
  mutating func add(_ body: String) -> Int {
    let number = reserve()
    write(number, body)
    return number
  }

  /// Writes an object whose number is reserved.
  mutating func write(_ number: Int, _ body: String) { write(number, Array(body.utf8)) }

  private mutating func write(_ number: Int, _ body: [UInt8]) {
    positions[number - 1] = bytes.count
    bytes += "\(number) 0 obj\n".utf8
    bytes += body
    bytes += "\nendobj\n".utf8
  }

  /// Writes a compressed stream, and returns its number.
  ///
  /// - Parameter entries: the entries of its dictionary besides length and filter.
  mutating func addStream(_ entries: String, _ content: [UInt8]) -> Int {
    let number = reserve()
    let data = Deflate.zlib(content)
    write(
      number,
      Array("<< \(entries)/Filter /FlateDecode /Length \(data.count) >>\nstream\n".utf8) + data
        + Array("\nendstream".utf8))
    return number
  }

  /// Returns the bytes of the file.
  ///
  /// - Parameters:
  ///   - root: the number of the catalog.
  ///   - information: the number of the information dictionary.
  consuming func finished(root: Int, information: Int) -> [UInt8] {
    let start = bytes.count
    bytes += "xref\n0 \(positions.count + 1)\n0000000000 65535 f \n".utf8
    for position in positions {
      let digits = "\(position)"
      bytes += "\(String(repeating: "0", count: max(0, 10 - digits.utf8.count)))\(digits) 00000 n \n".utf8
    }
    bytes += "trailer\n<< /Size \(positions.count + 1) /Root \(root) 0 R /Info \(information) 0 R >>\n".utf8
    bytes += "startxref\n\(start)\n%%EOF\n".utf8
    return bytes
  }

  /// Returns a text as a string object.
  static func string(_ text: String) -> String {
    // These characters have the same numbers in the encoding of such texts.
    let isPlain = text.unicodeScalars.allSatisfy {
      (32..<127).contains($0.value) || (0xA1...0xFF).contains($0.value) && $0.value != 0xAD
    }
    guard isPlain else { return "<FEFF\(utf16(text))>" }
    return "("
      + text.unicodeScalars.map { scalar in
        scalar.value > 127
          ? "\\\(String(scalar.value, radix: 8))"
          : "()\\".unicodeScalars.contains(scalar) ? "\\\(scalar)" : "\(scalar)"
      }.joined() + ")"
  }

  /// Returns a text as hexadecimal digits in UTF-16.
  static func utf16(_ text: String) -> String { text.utf16.map { hexadecimal($0) }.joined() }

  /// Returns a number as four hexadecimal digits.
  static func hexadecimal(_ number: UInt16) -> String {
    let digits = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }
}
