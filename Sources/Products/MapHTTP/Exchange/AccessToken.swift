package import MapState

/// A secret text that requests must have.
package struct AccessToken: Hashable, Sendable {
  private let bytes: [UInt8]
  /// The text, for links in answers to requests that have it in their query.
  let text: String

  /// Creates a token.
  init(_ text: String) { (self.text, bytes) = (text, Array(text.utf8)) }

  /// Reads the value of `--token`.
  ///
  /// - Throws: `MapStateError` of kind usage; its message does not have the token.
  package init(option text: String) throws(MapStateError) {
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
      default: "-._~".utf8.contains(byte)
      }
    }
    guard isPlain, (1...512).contains(text.utf8.count) else {
      throw MapStateError(
        .usage, "the token must have 1 to 512 letters, digits, - . _ and ~, which addresses can have")
    }
    self.init(text)
  }

  /// Whether the token is so short that it can be guessed.
  package var isShort: Bool { bytes.count < 16 }

  /// Returns a random token of 128 bits, which nobody can guess.
  package static func random() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// Whether a text is the token.
  ///
  /// It compares all bytes of the text, so that the time depends on its length only.
  func matches(_ given: String) -> Bool {
    guard !bytes.isEmpty else { return false }
    var difference: UInt8 = given.utf8.count == bytes.count ? 0 : 1
    for (index, byte) in given.utf8.enumerated() { difference |= byte ^ bytes[index % bytes.count] }
    return difference == 0
  }
}
