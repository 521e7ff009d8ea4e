import MapJSON
import MapModel

/// A collection of warnings from reading a document, which also provides the images of its symbols.
struct DocumentReport {
  private(set) var warnings: [DocumentWarning] = []
  /// Returns whether tiles at a path, template or address can be had; nil draws no tiles.
  var hasTiles: ((String) -> Bool)?
  /// The answers of map services by their addresses.
  var mapServices: [String: MapServiceAnswer] = [:]
  /// The reasons for layers that are not drawn, because the content of their item is missing, by their paths.
  var itemFaults: [JSONPath: String] = [:]
  private let pictureAt: ((String) -> Result<SymbolPicture, SymbolPictureError>)?

  /// - Parameter pictureAt: Returns the image at a path or address, or the reason for its absence; nil reads no
  ///   images.
  init(pictureAt: ((String) -> Result<SymbolPicture, SymbolPictureError>)? = nil) {
    self.pictureAt = pictureAt
  }

  /// Whether images at paths and addresses, and images of all formats, are read.
  var readsPictures: Bool { pictureAt != nil }

  /// Returns the image at a path or address of the document, or the reason for its absence.
  func picture(at url: String) -> Result<SymbolPicture, SymbolPictureError> {
    pictureAt?(url) ?? .failure(SymbolPictureError("\(url): is not read"))
  }

  /// Returns the description of a map service, or the reason for its absence if it was asked.
  func mapService(at url: String) -> (description: JSONValue?, fault: String?) {
    switch mapServices[url] {
    case .described(let description): (description, nil)
    case .failed(let reason): (nil, reason)
    case nil: (nil, nil)
    }
  }

  /// Adds a warning at a path.
  mutating func note(_ path: JSONPath, _ message: String, _ outcome: DocumentOutcome = .dropped) {
    warnings.append(DocumentWarning(path: path, message: message, outcome: outcome))
  }

  /// Adds a warning about a layer that is not drawn; a remark about a hidden one.
  mutating func noteUndrawn(_ node: JSONNode, _ message: String) throws(JSONDecodingError) {
    if try node.boolean("visibility") == false {
      note(DocumentWarning(remark: "\(message); it is hidden", path: node.path))
    } else {
      note(node.path, message)
    }
  }

  /// Adds a warning.
  mutating func note(_ warning: DocumentWarning) { warnings.append(warning) }

  /// Adds warnings.
  mutating func note(_ warnings: [DocumentWarning]) { self.warnings += warnings }

  /// Returns an error together with the misspelt member that caused it, if one was reported.
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
    // A cause inside the faulty value comes first; then one beside it or beside a parent, the nearest first.
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
