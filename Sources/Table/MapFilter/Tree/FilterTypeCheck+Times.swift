extension FilterTypeCheck {
  /// Checks that operands are dates, instants or intervals; a text field only beside literals, which show that its
  /// values are times.
  ///
  /// - Source: OGC 21-065 (CQL2), 7.7, for predicates on intervals only; accepting text fields is a design decision.
  mutating func temporal(
    _ predicate: TemporalPredicate, _ first: FilterExpression, _ second: FilterExpression, depth: Int
  ) throws(FilterError) {
    let (first, second) = (try value(first, depth: depth), try value(second, depth: depth))
    for (operand, other) in [(first, second), (second, first)] {
      guard let type = operand.type else { continue }
      let fits =
        switch type.family {
        case .interval: true
        case .moment: !predicate.takesIntervalsOnly
        case .text: !predicate.takesIntervalsOnly && other.expression.isTemporalLiteral
        default: false
        }
      guard fits else {
        throw wrongType(
          operand, type, operation: predicate.textName,
          expected: predicate.takesIntervalsOnly ? "only intervals" : "dates, times and intervals")
      }
    }
  }

  mutating func interval(
    _ start: FilterExpression?, _ end: FilterExpression?, depth: Int
  ) throws(FilterError) -> AttributeType? {
    for expression in [start, end] {
      guard let expression else { continue }
      let operand = try value(expression, depth: depth)
      guard let type = operand.type, type.family != .moment, type != .text else { continue }
      throw wrongType(operand, type, operation: "INTERVAL", expected: "dates and times")
    }
    return .interval
  }

  mutating func array(_ elements: [FilterExpression], depth: Int) throws(FilterError) -> AttributeType? {
    for expression in elements {
      let operand = try value(expression, depth: depth)
      guard let type = operand.type, !type.isScalar, type != .array else { continue }
      throw wrongType(operand, type, operation: "an array", expected: "single values and arrays")
    }
    return .array
  }
}

extension FilterExpression {
  /// Whether the expression is a literal, or an interval of literals.
  fileprivate var isTemporalLiteral: Bool {
    switch self {
    case .literal: true
    case .interval(let start, let end): [start, end].allSatisfy { $0?.isTemporalLiteral ?? true }
    default: false
    }
  }
}

extension FilterExpression {
  /// The value of arithmetic on literals; nil for other parts.
  var constant: AttributeValue? {
    switch self {
    case .literal(let value): value
    case .arithmetic(let operation, let first, let second):
      if let first = first.constant, let second = second.constant {
        operation.result(first, second)
      } else {
        nil
      }
    default: nil
    }
  }
}
