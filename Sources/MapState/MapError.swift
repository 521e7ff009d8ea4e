import MapFeatures
import MapFilter
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

  /// An error in words.
  public init(_ kind: Kind, _ description: String, detail: String? = nil) {
    (self.kind, self.description, self.detail) = (kind, description, detail)
  }

  /// Any error of the modules below, its kind decided by its type; input where nothing says otherwise.
  public init(_ error: any Error, kind: Kind = .input) {
    switch error {
    case let error as MapError: self = error
    case let error as SourceError:
      self.init(error.kind == .service ? .service : .input, error.description)
    case let error as LayerError:
      let detail = (error.cause as? QueryConditionError)?.caretPicture
      self.init(Self.isOfService(error.cause) ? .service : kind, error.description, detail: detail)
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
