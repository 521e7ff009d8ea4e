public import MapJSON
import MapModel

/// A part of a document that is not drawn as it is written.
public struct DocumentLoss: Hashable, Sendable {
  /// The kind of a loss.
  public enum Outcome: String, Hashable, Sendable, CaseIterable {
    /// The part is drawn in another way.
    case approximated
    /// The part is not drawn.
    case dropped
  }

  /// The path of the part in the document.
  public let path: JSONPath
  /// The name of the member at the end of the path; empty for an element of a list.
  public let property: String
  /// The kind of the loss.
  public let outcome: Outcome
  /// The reason, in one line.
  public let reason: String

  /// Creates the loss that a warning describes; nil for a warning about no part of the document.
  init?(_ warning: DocumentWarning) {
    guard let path = warning.path else { return nil }
    let isReplaced = ["approximated", "instead", "applies", "read as"].contains {
      warning.message.contains($0)
    }
    (self.path, reason) = (path, warning.message)
    outcome = isReplaced ? .approximated : .dropped
    if case .member(let name)? = path.steps.last { property = name } else { property = "" }
  }

  /// The loss as JSON with keys in a fixed order.
  public var json: JSONValue {
    [
      "path": .string("\(path)"), "property": .string(property), "outcome": .string(outcome.rawValue),
      "reason": .string(reason),
    ]
  }
}

extension MapDocument {
  /// The parts of the document that are not drawn as written, in the order of the warnings.
  public var losses: [DocumentLoss] { warnings.compactMap { DocumentLoss($0) } }
}
