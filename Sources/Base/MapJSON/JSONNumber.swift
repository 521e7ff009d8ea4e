/// A JSON number as written: nothing is rounded, and integers stay integers.
public struct JSONNumber: Hashable, Sendable {
  /// The number as written in the document.
  public let text: String

  /// Creates a number from text that a scanner has checked.
  init(checkedText text: String) { self.text = text }

  /// Creates a number from a whole number.
  public init(_ value: some BinaryInteger) { text = String(value) }

  /// Creates a number with the shortest text that reads back as the same double; nil when it is not finite.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    text = JSONWriter.text(of: value)
  }

  /// The nearest double; infinity when the text is beyond the greatest double.
  public var double: Double { Double(text) ?? .nan }

  /// The value when it is whole and fits 64 bits, in any notation (`2`, `2.0`, `2e0`).
  public var integer: Int64? { Int64(text) ?? Int64(exactly: double) }

  /// Whether the number is written without a decimal point and without an exponent.
  public var isWrittenAsInteger: Bool { !text.utf8.contains { $0 == 0x2E || $0 | 0x20 == 0x65 } }
}
