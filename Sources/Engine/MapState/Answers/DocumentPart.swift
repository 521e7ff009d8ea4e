import MapDocuments
public import MapJSON
public import MapModel

/// A part of a document with the result of drawing it.
public struct DocumentPart: Hashable, Sendable {
  /// The path of the part in the document.
  public let path: JSONPath
  /// The name of the member at the end of the path; empty for an element of a list.
  public let property: String
  /// The result.
  public let outcome: DocumentOutcome
  /// The reason for the result, in one line.
  public let reason: String

  init(path: JSONPath, outcome: DocumentOutcome, reason: String) {
    (self.path, self.outcome, self.reason) = (path, outcome, reason)
    if case .member(let name)? = path.steps.last { property = name } else { property = "" }
  }

  /// The part as JSON with keys in a fixed order.
  public var json: JSONValue {
    [
      "path": .string("\(path)"), "property": .string(property), "outcome": .string(outcome.rawValue),
      "reason": .string(reason),
    ]
  }
}

extension MapDocument {
  /// The parts of the document that are not drawn as written, in the order of the warnings.
  public var losses: [DocumentPart] {
    warnings.compactMap { warning in
      guard let path = warning.path, warning.outcome != .drawn else { return nil }
      return DocumentPart(path: path, outcome: warning.outcome, reason: warning.message)
    }
  }

  /// All members of the document with the result of drawing each, in the order of the document.
  ///
  /// A member with a lost member inside is approximated. Features of the document are not listed one by one. A plain
  /// data source has no members.
  /// - Cost: O(members of the document).
  public var members: [DocumentPart] {
    guard let source = webMap.source else { return [] }
    return MemberOutcomes(of: source, warnings: warnings).members.map {
      DocumentPart(path: $0.path, outcome: $0.outcome, reason: $0.reason)
    }
  }
}
