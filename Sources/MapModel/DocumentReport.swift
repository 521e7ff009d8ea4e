public import MapJSON

/// A part of a document that is not drawn as written.
public struct DocumentWarning: Hashable, Sendable, CustomStringConvertible {
  /// Where it stands; nil for the whole.
  public let path: JSONPath?
  /// What becomes of it, lower case, no full stop.
  public let message: String

  /// A warning at a place.
  public init(path: JSONPath?, message: String) { (self.path, self.message) = (path, message) }

  /// Place and message in one line.
  public var description: String { path.map { "\($0): \(message)" } ?? message }
}

/// Collects warnings while a document is read, and has what reading asks of others.
struct DocumentReport {
  private(set) var warnings: [DocumentWarning] = []
  private let pictureAt: ((String) -> Result<SymbolPicture, SymbolPictureError>)?

  /// - Parameter pictureAt: the picture at a path or address, or why there is none; nil reads none.
  init(pictureAt: ((String) -> Result<SymbolPicture, SymbolPictureError>)? = nil) {
    self.pictureAt = pictureAt
  }

  /// The picture at a path or address of the document, or why there is none.
  func picture(at url: String) -> Result<SymbolPicture, SymbolPictureError> {
    pictureAt?(url) ?? .failure(SymbolPictureError("\(url): is not read"))
  }

  /// Notes what becomes of a place.
  mutating func note(_ path: JSONPath, _ message: String) {
    warnings.append(DocumentWarning(path: path, message: message))
  }

  /// Notes what becomes of a place.
  mutating func note(_ warning: DocumentWarning) { warnings.append(warning) }

  /// Notes what becomes of some places.
  mutating func note(_ warnings: [DocumentWarning]) { self.warnings += warnings }

  /// Returns an error together with the misspelt member that caused it, where one was noted.
  func explained(_ error: JSONDecodingError) -> JSONDecodingError {
    let steps = error.path.steps
    let unknown = warnings.lazy.filter { $0.message.hasPrefix("unknown member; did you mean") }
    if case .missing = error.reason, case .member(let name)? = steps.last,
      let cause = unknown.first(where: {
        $0.path?.steps.dropLast() == steps.dropLast() && $0.message.contains("\"\(name)\"")
      }), let path = cause.path
    {
      return JSONDecodingError(.invalid(cause.message), at: path, suggestion: name)
    }
    // Inside the value at fault, else beside it or beside what it is in, the nearest first.
    let inside = unknown.first { $0.path?.steps.starts(with: steps) == true }
    let beside = unknown.filter { steps.starts(with: $0.path?.steps.dropLast() ?? []) }
      .max { ($0.path?.steps.count ?? 0) < ($1.path?.steps.count ?? 0) }
    if let cause = inside ?? beside {
      let reason = error.description.dropFirst("\(error.path): ".count)
      return JSONDecodingError(.invalid("\(reason); \(cause)"), at: error.path)
    }
    return error
  }
}
