import MapFilter

// Predicates on geometries and arrays.

extension FilterCompiler {
  /// Returns a condition on the geometries of the table, or on geometries in the filter.
  func spatial(
    _ predicate: SpatialPredicate, _ first: Expression, _ second: Expression
  ) -> CompiledCondition {
    CompiledCondition(step: step(predicate, first, second), use: .many)
  }

  private func step(_ predicate: SpatialPredicate, _ first: Expression, _ second: Expression) -> FilterStep {
    switch (first, second) {
    case (.geometry(let literal), .property):
      return .spatial(SpatialQuestion(predicate.mirrored, of: nil, literal))
    case (.property, .geometry(let literal)):
      return .spatial(SpatialQuestion(predicate, of: nil, literal))
    case (.geometry(let first), .geometry(let second)):
      return .spatial(SpatialQuestion(predicate, of: first, second))
    case (.property, .property):
      // Both are the table's only geometry: unknown if it is null, otherwise each predicate has a fixed result.
      let isThere = FilterStep.any([.constant(.isUnknown), .not(.geometryIsNull)])
      return switch predicate {
      case .intersects, .equals, .within, .contains: isThere
      case .disjoint, .touches, .crosses, .overlaps: .not(isThere)
      }
    // The type check has refused all other cases.
    default: return .constant(.isUnknown)
    }
  }

  func arrays(
    _ predicate: ArrayPredicate, _ first: Expression, _ second: Expression
  ) throws(FilterError) -> CompiledCondition {
    let (first, second) = (try array(first), try array(second))
    return leaf(.arrays(predicate, first.step, second.step), first.use.union(second.use))
  }

  func isTrue(_ call: Expression) throws(FilterError) -> CompiledCondition {
    try compare(
      value(call), .equal, CompiledValue(step: .literal(.boolean(true)), use: .none, isBoolean: true))
  }

  private func array(_ expression: Expression) throws(FilterError) -> (step: ArrayStep, use: ColumnUse) {
    guard case .array(let elements) = expression else {
      let value = try value(expression)
      return (.value(value.step), value.use)
    }
    var (steps, use) = ([ArrayStep](), ColumnUse.none)
    for element in elements {
      let element = try array(element)
      steps.append(element.step)
      use = use.union(element.use)
    }
    return (.array(steps), use)
  }
}
