package import MapFilter

/// A condition on the values of one field, which statistics of a file can show to be false for many rows.
package struct FieldCondition: Hashable, Sendable {
  /// The values that make the condition true.
  package enum Values: Hashable, Sendable {
    /// Values from one to another; nil is open. The ends may belong to them or not.
    case range(AttributeValue?, AttributeValue?)
    case oneOf([AttributeValue])
  }

  /// The name of the field as the filter writes it.
  package let name: String
  /// Whether the name is case-sensitive.
  package let hasCase: Bool
  package let values: Values

  /// Creates a condition from a filter; nil for a filter of another form.
  package init?(_ filter: QueryFilter) {
    guard !filter.needsCurrentTime, let (name, values) = filter.expression.fieldValues else { return nil }
    (self.name, self.values, hasCase) = (name, values, filter.names.haveCase)
  }

  /// Whether a value between two others can make the condition true.
  package func mayHold(from least: AttributeValue, to greatest: AttributeValue) -> Bool {
    func isBeyond(_ value: AttributeValue) -> Bool {
      value.ordering(to: least) == .less || value.ordering(to: greatest) == .greater
    }
    switch values {
    case .range(let lower, let upper):
      return lower?.ordering(to: greatest) != .greater && upper?.ordering(to: least) != .less
    case .oneOf(let values): return !values.allSatisfy(isBeyond)
    }
  }
}

extension FilterExpression {
  /// The field and its values of a comparison with constants; nil for another expression.
  fileprivate var fieldValues: (String, FieldCondition.Values)? {
    switch self {
    case .comparison(let sign, .property(let name), let side):
      return side.constant.flatMap { value in sign.values(value).map { (name, $0) } }
    case .comparison(let sign, let side, .property(let name)):
      return side.constant.flatMap { value in sign.mirrored.values(value).map { (name, $0) } }
    case .between(.property(let name), let lower, let upper, _):
      guard let lower = lower.constant, let upper = upper.constant else { return nil }
      return (name, .range(lower, upper))
    case .isIn(.property(let name), let elements):
      let values = elements.compactMap(\.constant)
      return values.count == elements.count && !values.isEmpty ? (name, .oneOf(values)) : nil
    default: return nil
    }
  }

  /// The value of a constant that is not null.
  private var constant: AttributeValue? {
    switch self {
    case .literal(.null): nil
    case .literal(let value): value
    case .negative(.literal(.integer(let value))) where value > .min: .integer(-value)
    case .negative(.literal(.real(let value))): .real(-value)
    default: nil
    }
  }
}

extension ComparisonOperator {
  /// The sign with its sides exchanged.
  fileprivate var mirrored: ComparisonOperator {
    switch self {
    case .less: .greater
    case .greater: .less
    case .lessOrEqual: .greaterOrEqual
    case .greaterOrEqual: .lessOrEqual
    case .equal, .notEqual: self
    }
  }

  /// The values on the left that can make the comparison true; nil for nearly all.
  fileprivate func values(_ right: AttributeValue) -> FieldCondition.Values? {
    switch self {
    case .equal: .oneOf([right])
    case .notEqual: nil
    case .less, .lessOrEqual: .range(nil, right)
    case .greater, .greaterOrEqual: .range(right, nil)
    }
  }
}
