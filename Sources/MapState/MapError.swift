import MapFeatures
import MapFilter
public import MapJSON
import MapModel

#if MAPSTATE_SERVICES
  import MapServices
#endif

/// What went wrong on the way from a source to an answer, as a script needs it: a kind and a line.
public struct MapError: Error, CustomStringConvertible {
  /// Whose fault it is.
  public enum Kind: Int32, Hashable, Sendable {
    /// An expectation failed: a count, a picture.
    case expectation = 1
    /// The input is wrong: a file, a document, a filter, a field.
    case input = 2
    /// A service failed.
    case service = 3
    /// The request is malformed or impossible: a scale, a size.
    case usage = 64

    /// The exit code of a tool.
    ///
    /// - Source: ours; 64 is `EX_USAGE` of sysexits.h.
    public var exitCode: Int32 { rawValue }
  }

  /// Whose fault it is.
  public let kind: Kind
  /// One line that names the thing at fault, lower case, no full stop.
  public let description: String
  /// Further lines that show the place, such as a filter with a caret under it.
  public let detail: String?

  /// The place in a document or script; nil where the fault is not in one.
  public let path: String?
  /// The valid name nearest to a wrong one; nil where there is none.
  public let suggestion: String?
  /// True where nobody reads what is written any more.
  package private(set) var isClosedPipe = false

  /// An error in words.
  public init(
    _ kind: Kind, _ description: String, detail: String? = nil, path: String? = nil,
    suggestion: String? = nil
  ) {
    (self.kind, self.description) = (kind, MessageText.line(description))
    self.detail = detail.map(MessageText.lines)
    (self.path, self.suggestion) = (path, suggestion)
  }

  /// The error as JSON: `{"error": {"kind", "message", "path", "suggestion"}}`.
  public var json: JSONValue {
    [
      "error": [
        "kind": .string("\(kind)"), "message": .string(description),
        "path": path.map { .string($0) } ?? .null, "suggestion": suggestion.map { .string($0) } ?? .null,
      ]
    ]
  }

  /// Any error of the modules below, its kind decided by its type; input where nothing says otherwise.
  public init(_ error: any Error, kind: Kind = .input) {
    switch error {
    case let error as MapError: self = error
    case let error as SourceError:
      self.init(
        error.mapKind, error.description, path: error.path,
        suggestion: error.suggestion)
    case let error as LayerError:
      let filter = error.cause as? QueryConditionError
      let isOfService =
        Self.isOfService(error.cause) || (error.cause as? SourceError)?.mapKind == .service
      self.init(
        isOfService ? .service : kind, error.description, detail: filter?.caretPicture,
        suggestion: filter?.suggestion ?? (error.cause as? FilterError)?.suggestion)
    case let error as FileError:
      self.init(kind, error.description)
      isClosedPipe = error.isClosedPipe
    case let error as FilterError: self.init(kind, "\(error)", suggestion: error.suggestion)
    case let error as JSONDecodingError:
      self.init(
        kind, error.description, path: error.path.description, suggestion: error.suggestion)
    default: self.init(Self.isOfService(error) ? .service : kind, "\(error)")
    }
  }

  /// True for an error of a service, also one that stopped a layer.
  private static func isOfService(_ error: any Error) -> Bool {
    #if MAPSTATE_SERVICES
      error is ServiceError
    #else
      false
    #endif
  }
}

extension QueryConditionError {
  /// The valid name nearest to the wrong one; nil where the error is about no name.
  fileprivate var suggestion: String? {
    switch cause {
    case .meaning(let error): error.suggestion
    case .syntax(let error):
      switch error.reason {
      case .unknownFunction(_, let nearest), .unknownWord(_, _, _, let nearest): nearest
      default: nil
      }
    }
  }
}

extension FilterError {
  /// The valid name nearest to the wrong one; nil where the error is about no name.
  fileprivate var suggestion: String? {
    switch reason {
    case .unknownField(_, let nearest), .unknownFunction(_, let nearest): nearest
    default: nil
    }
  }
}

extension SourceError {
  /// The kind of the error to which it leads.
  fileprivate var mapKind: MapError.Kind {
    switch kind {
    case .input: .input
    case .service: .service
    case .usage: .usage
    }
  }
}
