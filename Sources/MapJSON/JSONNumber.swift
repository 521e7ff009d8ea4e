/// A JSON number as written, so that nothing is rounded and an integer stays one.
public struct JSONNumber: Hashable, Sendable {
  /// The number as it stands in the document.
  public let text: String

  /// A number from text that a scanner has checked.
  init(checkedText text: String) { self.text = text }

  /// A whole number.
  public init(_ value: some BinaryInteger) { text = String(value) }

  /// A number by the shortest text that reads back as it; nil when it is not finite.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    text = JSONWriter.text(of: value)
  }

  /// The nearest double; infinite when the text is beyond all of them.
  public var double: Double { Double(text) ?? .nan }

  /// The value when it is whole and fits in 64 bits, however it is written (`2`, `2.0`, `2e0`).
  public var integer: Int64? { Int64(text) ?? Int64(exactly: double) }

  /// True when it is written without a decimal point and without an exponent.
  public var isWrittenAsInteger: Bool { !text.utf8.contains { $0 == 0x2E || $0 | 0x20 == 0x65 } }
}
