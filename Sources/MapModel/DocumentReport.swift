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

  /// Notes the members of an object that nothing reads.
  mutating func noteUnknownMembers(of node: JSONNode, known: Set<String>) {
    guard let object = node.value.object else { return }
    for member in object.members where !known.contains(member.name) && !member.value.isNull {
      note(node.path[member.name], "not drawn: an unknown or unsupported key")
    }
  }
}
