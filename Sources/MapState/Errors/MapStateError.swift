import MapFeatures
import MapFilter
public import MapJSON
import MapModel
import MapSystem

#if Services
  import MapServices
#endif

/// An error between a source and an answer, for scripts: a kind and a line of text.
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
  /// One line that names the thing at fault, in lower case and without a full stop.
  public let description: String
  /// Further lines that show the position of the fault, such as a filter with a caret below it.
  public let detail: String?

  /// The path in a document or script; nil if the fault is not in one.
  public let path: String?
  /// The valid name nearest to a wrong one; nil if there is none.
  public let suggestion: String?
  /// Whether the reader of a pipe has closed it.
  package private(set) var isClosedPipe = false

  /// Creates an error from its kind and text.
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

  /// Creates an error from any error of the lower modules.
  ///
  /// Its type determines the kind; otherwise `kind` applies.
  public init(_ error: any Error, kind: Kind = .input) {
    switch error {
    case let error as MapStateError: self = error
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
    // The request is right, whatever asked for it.
    case MappingError.missingLibrary(let reason): self.init(.input, reason)
    case let error as JSONDecodingError:
      self.init(
        kind, error.description, path: error.path.description, suggestion: error.suggestion)
    default: self.init(Self.isOfService(error) ? .service : kind, "\(error)")
    }
  }

  /// Returns whether an error is an error of a service, and not of the library that reaches services.
  static func isOfService(_ error: any Error) -> Bool {
    #if Services
      (error as? ServiceError).map { $0.kind != .missingLibrary } ?? false
    #else
      false
    #endif
  }
}

extension QueryConditionError {
  /// The valid name nearest to the wrong one; nil if the error is not about a name.
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
  /// The valid name nearest to the wrong one; nil if the error is not about a name.
  fileprivate var suggestion: String? {
    switch reason {
    case .unknownField(_, let nearest), .unknownFunction(_, let nearest): nearest
    default: nil
    }
  }
}

extension SourceError {
  /// The kind of the corresponding ``MapStateError``.
  fileprivate var mapKind: MapStateError.Kind {
    switch kind {
    case .input: .input
    case .service: .service
    case .usage: .usage
    }
  }
}
