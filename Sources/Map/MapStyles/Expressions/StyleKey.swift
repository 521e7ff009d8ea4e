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

  /// Creates an error.
  package init(_ message: String, at key: StyleKey) { (self.message, self.key) = (message, key) }

  /// The place, a colon and what is wrong.
  package var description: String { key.indices.isEmpty ? message : "\(key): \(message)" }
}
