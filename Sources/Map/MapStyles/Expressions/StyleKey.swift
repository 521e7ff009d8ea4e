/// The place of a part in an expression: the indices of arrays from the root, written `[2][1]`.
package struct StyleKey: Hashable, Sendable, CustomStringConvertible {
  /// The indices.
  package let indices: [Int]

  /// The place of the whole expression.
  static let root = StyleKey(indices: [])

  /// The place of an element.
  subscript(index: Int) -> StyleKey { StyleKey(indices: indices + [index]) }

  /// The place as messages write it.
  package var description: String { indices.map { "[\($0)]" }.joined() }
}

/// An error in an expression: found at reading, or met at evaluation.
package struct StyleExpressionError: Error, Hashable, CustomStringConvertible {
  /// The place in the expression.
  package let key: StyleKey
  /// The fault.
  package let message: String
  /// The name that no version of the specification has; nil for other faults.
  let unknown: StyleUnknownName?

  /// Creates an error.
  package init(_ message: String, at key: StyleKey) { self.init(message, unknown: nil, at: key) }

  /// Creates an error about a name.
  init(_ message: String, unknown: StyleUnknownName?, at key: StyleKey) {
    (self.message, self.unknown, self.key) = (message, unknown, key)
  }

  /// The place, a colon and what is wrong.
  package var description: String { key.indices.isEmpty ? message : "\(key): \(message)" }
}

/// A name in an expression that no version of the specification has.
enum StyleUnknownName: Hashable, Sendable {
  case expression(String)
  case interpolation(String)

  /// The name in a message.
  var noun: String {
    switch self {
    case .expression(let name): "expression '\(name)'"
    case .interpolation(let name): "interpolation '\(name)'"
    }
  }
}
