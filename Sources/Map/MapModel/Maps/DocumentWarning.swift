public import MapJSON

/// The result of drawing a part of a document.
public enum DocumentOutcome: String, Hashable, Sendable, CaseIterable {
  /// The part is drawn as written, or has no effect on images.
  case drawn
  /// The part is drawn in another way.
  case approximated
  /// The part is not drawn.
  case dropped
}

/// A warning about a part of a document.
public struct DocumentWarning: Hashable, Sendable, CustomStringConvertible {
  /// The path in the document; nil for the whole document.
  public let path: JSONPath?
  /// The consequence for the part, in lower case, without a full stop.
  public let message: String
  /// The result for the part at the path; ``DocumentOutcome/drawn`` for a remark.
  public let outcome: DocumentOutcome
  /// Whether the warning has no effect on what is drawn or counted, so that only reports on the document list it.
  package let isRemark: Bool

  /// Creates a warning; the part is dropped unless another outcome is given.
  public init(path: JSONPath?, message: String, outcome: DocumentOutcome = .dropped) {
    (self.path, self.message, self.outcome, isRemark) = (path, message, outcome, false)
  }

  /// Creates a warning about a part that is drawn as written, for reports on the document alone.
  package init(remark message: String, path: JSONPath) {
    (self.path, self.message, outcome, isRemark) = (path, message, .drawn, true)
  }

  /// The path and the message, in one line.
  public var description: String { path.map { "\($0): \(message)" } ?? message }
}
