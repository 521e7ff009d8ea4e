extension FilterExpression {
  /// Whether a function in the tree needs the current time; recurses to the depth of the tree.
  package var needsCurrentTime: Bool {
    if case .call(let name, _) = self, FunctionCatalog.function(named: name)?.needsCurrentTime == true {
      return true
    }
    return children.contains(where: \.needsCurrentTime)
  }

  /// Returns the filter with every function of the current time replaced by its value at an instant.
  ///
  /// Constants computed from these values become literals too. The function recurses to the depth of the tree.
  package func replacingCurrentTime(with now: Instant) -> FilterExpression {
    func replaced(_ part: FilterExpression) -> FilterExpression { part.replacingCurrentTime(with: now) }
    switch self {
    case .literal, .property, .geometry: return self
    case .call(let name, let arguments):
      if let value = FunctionCatalog.function(named: name)?.value(at: now) { return .literal(value) }
      return .call(name, arguments.map(replaced))
    case .arithmetic(let operation, let first, let second):
      let (first, second) = (replaced(first), replaced(second))
      if case .literal(let a) = first, case .literal(let b) = second, a.type != .integer, a.type != .real {
        return .literal(operation.result(a, b))
      }
      return .arithmetic(operation, first, second)
    case .and(let terms): return .and(terms.map(replaced))
    case .or(let terms): return .or(terms.map(replaced))
    case .not(let term): return .not(replaced(term))
    case .comparison(let comparison, let first, let second):
      return .comparison(comparison, replaced(first), replaced(second))
    case .like(let operand, let pattern, let escape):
      return .like(replaced(operand), pattern: replaced(pattern), escape: escape)
    case .between(let operand, let lower, let upper, let bounds):
      return .between(replaced(operand), lower: replaced(lower), upper: replaced(upper), bounds)
    case .isIn(let operand, let elements): return .isIn(replaced(operand), elements.map(replaced))
    case .isNull(let operand): return .isNull(replaced(operand))
    case .negative(let operand): return .negative(replaced(operand))
    case .choice(let operand, let branches, let otherwise):
      return .choice(
        of: operand.map(replaced),
        branches.map { ChoiceBranch(when: replaced($0.when), then: replaced($0.then)) },
        otherwise: otherwise.map(replaced))
    case .spatial(let predicate, let first, let second):
      return .spatial(predicate, replaced(first), replaced(second))
    case .interval(let start, let end):
      return .interval(start: start.map(replaced), end: end.map(replaced))
    case .temporal(let predicate, let first, let second):
      return .temporal(predicate, replaced(first), replaced(second))
    case .array(let values): return .array(values.map(replaced))
    case .arrays(let predicate, let first, let second):
      return .arrays(predicate, replaced(first), replaced(second))
    }
  }
}
