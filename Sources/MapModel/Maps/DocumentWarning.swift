public import MapJSON

/// A warning about a part of a document that is not drawn as written.
public struct DocumentWarning: Hashable, Sendable, CustomStringConvertible {
  /// The path in the document; nil for the whole document.
  public let path: JSONPath?
  /// The consequence for the part, in lower case, without a full stop.
  public let message: String

  /// Creates a warning.
  public init(path: JSONPath?, message: String) { (self.path, self.message) = (path, message) }

  /// The path and the message, in one line.
  public var description: String { path.map { "\($0): \(message)" } ?? message }
}
