/// The path of a value in a JSON document, written as `$.operationalLayers[0].title`.
///
/// - Source: normalised paths of RFC 9535, with the dot notation for names that allow it.
public struct JSONPath: Hashable, Sendable {
  /// A step from a container to a member or element.
  public enum Step: Hashable, Sendable {
    /// A step into a member of an object.
    case member(String)
    /// A step into an element of an array.
    case index(Int)
  }

  /// The steps from the root.
  public let steps: [Step]

  /// The path of the whole document.
  public static let root = JSONPath(steps: [])

  /// Creates a path from its steps.
  public init(steps: [Step]) { self.steps = steps }

  /// The path of a member of the object at this path.
  public subscript(name: String) -> JSONPath { JSONPath(steps: steps + [.member(name)]) }

  /// The path of an element of the array at this path.
  public subscript(index: Int) -> JSONPath { JSONPath(steps: steps + [.index(index)]) }
}

extension JSONPath: CustomStringConvertible {
  /// The path in text form, such as `$.operationalLayers[0].title`.
  public var description: String {
    steps.reduce(into: "$") { text, step in
      switch step {
      case .index(let index): text += "[\(index)]"
      case .member(let name): text += Self.isPlain(name) ? ".\(name)" : "['\(Self.escaped(name))']"
      }
    }
  }

  private static func isPlain(_ name: String) -> Bool {
    guard let first = name.utf8.first, !(0x30...0x39 ~= first) else { return false }
    return name.utf8.allSatisfy { byte in
      byte >= 0x80 || byte == 0x5F || 0x30...0x39 ~= byte || 0x61...0x7A ~= byte | 0x20
    }
  }

  private static func escaped(_ name: String) -> String {
    let text = String(JSONValue.string(name).text().dropFirst().dropLast())
    return text.replacing("\\\"", with: "\"").replacing("'", with: "\\'")
  }
}
