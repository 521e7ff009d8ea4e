/// The error of the public functions: a kind and a line of text.
public struct MapStateError: Error, CustomStringConvertible {
  /// The origin of the fault.
  public enum Kind: Int32, Hashable, Sendable {
    /// A failed expectation, such as a count or an image.
    case expectation = 1
    /// A wrong input, such as a file, a document, a filter or a field.
    case input = 2
    /// A failed service.
    case service = 3
    /// A malformed or impossible request, such as a scale or a size.
    case usage = 64

    /// The exit code of the command-line tool.
    ///
    /// - Source: design decision; 64 is `EX_USAGE` of sysexits.h.
    public var exitCode: Int32 { rawValue }
  }

  /// The origin of the fault.
  public let kind: Kind
  /// The message, a line that names the thing at fault, in lower case and without a full stop.
  public let description: String
  /// Further lines that show the position of the fault, such as a filter with a caret below it.
  public let detail: String?

  /// The path in a document or script; nil if the fault is not in one.
  public let path: String?
  /// The valid name nearest to a wrong one; nil if there is none.
  public let suggestion: String?
  /// The error of the part that found the fault; nil if it has no error of its own.
  public let cause: (any Error)?

  /// Creates an error from its kind and text.
  public init(
    _ kind: Kind, _ description: String, detail: String? = nil, path: String? = nil,
    suggestion: String? = nil, cause: (any Error)? = nil
  ) {
    (self.kind, self.description) = (kind, MessageText.line(description))
    self.detail = detail.map(MessageText.lines)
    (self.path, self.suggestion, self.cause) = (path, suggestion, cause)
  }

  /// Creates an error from any error of the lower modules.
  ///
  /// Its type determines the kind; otherwise `kind` applies.
  public init(_ error: any Error, kind: Kind = .input) {
    self =
      switch error {
      case let error as MapStateError: error
      case let error as any MapStateErrorCause: error.mapStateError(kind)
      case is CancellationError: MapStateError(kind, "cancelled", cause: error)
      default: MapStateError(kind, "\(error)", cause: error)
      }
  }

  /// Returns the same error with another kind.
  package func with(kind: Kind) -> MapStateError {
    MapStateError(kind, description, detail: detail, path: path, suggestion: suggestion, cause: cause)
  }

  /// Whether the reader of a pipe has closed it.
  package var isClosedPipe: Bool { (cause as? FileError)?.isClosedPipe ?? false }
}

/// An error that determines more of its ``MapStateError`` than the message.
package protocol MapStateErrorCause: Error {
  /// Returns the error for callers; `kind` applies if the error does not determine its kind.
  func mapStateError(_ kind: MapStateError.Kind) -> MapStateError
}
