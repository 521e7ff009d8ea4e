/// A source that cannot be opened.
public struct SourceError: Error, CustomStringConvertible {
  /// The kind of fault, which determines the exit code of the command-line tool.
  public enum Kind: Hashable, Sendable {
    /// A wrong input.
    case input
    /// A failed service, or an address that needs a stand-in.
    case service
    /// An incomplete or impossible request.
    case usage
  }

  /// The kind of fault.
  public let kind: Kind
  /// One line that names the thing at fault, in lower case and without a full stop.
  public let description: String
  /// The path in a document; nil if the fault is not in one.
  public let path: String?
  /// The valid name nearest to a wrong one; nil if there is none.
  public let suggestion: String?

  init(_ description: String, kind: Kind = .input, path: String? = nil, suggestion: String? = nil) {
    (self.kind, self.description) = (kind, description)
    (self.path, self.suggestion) = (path, suggestion)
  }

  /// Returns the error for an address that is only read from a stand-in and has none.
  static func notAsked(_ kind: String, at address: String) -> SourceError {
    SourceError(
      "\(address): \(kind) are not queried; map this address to a file with --services or MAPSTATE_SERVICES",
      kind: .service)
  }
}
