import MapJSON

/// A text as a key of a dictionary that distinguishes all bytes.
///
/// Texts of Swift are equal when their characters are, whether these are composed or not.
package struct ExactText: Hashable, Sendable {
  private let text: String

  /// Creates a key.
  package init(_ text: String) { self.text = text }

  /// Returns whether two texts have the same bytes.
  package static func == (first: ExactText, second: ExactText) -> Bool {
    first.text.utf8.span.hasSameBytes(as: second.text.utf8.span)
  }

  /// Adds the bytes of the text to a hash.
  package func hash(into hasher: inout Hasher) {
    let bytes = text.utf8.span
    var place = 0
    while place <= bytes.count - ByteWord.size {
      hasher.combine(ByteWord(bytes, at: place).bits)
      place += ByteWord.size
    }
    var rest = UInt64(bytes.count) << 56
    while place < bytes.count {
      rest = rest << 8 ^ UInt64(bytes[place])
      place += 1
    }
    hasher.combine(rest)
  }
}
