/// The value of a property, and why it is the default when the expression failed.
package struct StyleAnswer: Hashable, Sendable {
  /// The value.
  package var value: StyleValue
  /// The error of the expression; nil for none.
  package var error: StyleExpressionError?

  /// Creates an answer.
  init(_ value: StyleValue, error: StyleExpressionError? = nil) { (self.value, self.error) = (value, error) }
}

/// The values of a property for some features.
package enum StyleAnswers: Sendable {
  /// The same for all.
  case constant(StyleAnswer)
  /// For each feature the index of its answer.
  case coded([Int32], [StyleAnswer])

  /// The answer for a feature, by its position among those that were asked.
  package subscript(position: Int) -> StyleAnswer {
    switch self {
    case .constant(let answer): answer
    case .coded(let codes, let answers): answers[Int(codes[position])]
    }
  }
}
