/// An error of an Arcade expression: its text cannot be read, or its evaluation stopped.
package struct ArcadeError: Error, Hashable, CustomStringConvertible {
  /// The fault in lower case, without a full stop.
  package let reason: String
  /// The UTF-8 offset in the expression, from 0.
  package let offset: Int

  package init(_ reason: String, at offset: Int) { (self.reason, self.offset) = (reason, offset) }

  /// The message, in one line.
  package var description: String { "\(reason) (at offset \(offset))" }
}
