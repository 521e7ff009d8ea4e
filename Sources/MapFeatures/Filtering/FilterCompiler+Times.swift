import MapFilter

// Predicates on times, as comparisons of their ends; and tests for null.

extension FilterCompiler {
  /// A timestamp or interval, by its ends as values; an open end is nil.
  private struct Span {
    let start, end: CompiledValue?
  }

  func temporal(
    _ predicate: TemporalPredicate, _ first: Expression, _ second: Expression
  ) throws(FilterError) -> CompiledCondition {
    // Dates compared only with dates stay dates; compared with timestamps, a date has a first and a last instant.
    let asDays = try types(of: first).union(types(of: second)) == [.date]
    let spans = (try span(first, asDays: asDays), try span(second, asDays: asDays))
    var conditions: [CompiledCondition] = []
    for (a, comparison, b) in predicate.comparisons {
      let (first, second) = (value(a, spans), value(b, spans))
      let ordering = IntervalSide.ordering(a.side, isOpen: first == nil, b.side, isOpen: second == nil)
      if let ordering {
        conditions.append(constant(comparison.accepts(ordering)))
      } else if let first, let second {
        conditions.append(compare(first, comparison, second))
      }
    }
    // A null end makes the whole condition unknown, even if no comparison reads that end.
    for value in [spans.0.start, spans.0.end, spans.1.start, spans.1.end] {
      if let value, value.literal == nil { conditions.append(compare(value, .equal, value)) }
    }
    let all = folded(FilterStep.strictAll, conditions)
    return predicate == .disjoint ? CompiledCondition(step: .not(all.step), use: all.use) : all
  }

  private func constant(_ answer: Bool) -> CompiledCondition {
    CompiledCondition(step: .constant(Truth(answer)), use: .none)
  }

  private func value(_ end: TemporalPredicate.End, _ spans: (Span, Span)) -> CompiledValue? {
    let span = end.isOfFirst ? spans.0 : spans.1
    return end.side == .start ? span.start : span.end
  }

  private func types(of expression: Expression) throws(FilterError) -> Set<AttributeType> {
    guard case .interval(let start, let end) = expression else {
      return Set([try expression.type(in: fields)].compactMap { $0 })
    }
    var types: Set<AttributeType> = []
    for end in [start, end] { if let type = try end?.type(in: fields) { types.insert(type) } }
    return types
  }

  private func span(_ expression: Expression, asDays: Bool) throws(FilterError) -> Span {
    guard case .interval(let start, let end) = expression else {
      let moment = try moment(expression, .start, asDays: asDays)
      return Span(start: moment, end: moment)
    }
    return Span(
      start: try start.map { value throws(FilterError) in try moment(value, .start, asDays: asDays) },
      end: try end.map { value throws(FilterError) in try moment(value, .end, asDays: asDays) })
  }

  private func moment(
    _ expression: Expression, _ side: IntervalSide, asDays: Bool
  ) throws(FilterError) -> CompiledValue {
    let value = try value(expression)
    switch try expression.type(in: fields) {
    case .text?: return made(.call(.moment(ofTextAt: side), [value.step]), value.use)
    case .date? where side == .end && !asDays:
      return made(.arithmetic(.add, value.step, .literal(.duration(.allOfADay))), value.use)
    default: return value
    }
  }

  // MARK: Nulls

  func isNull(_ expression: Expression) throws(FilterError) -> CompiledCondition {
    switch expression {
    case .property(let name) where fields.fields[try fields.index(of: name)].type == .geometry:
      return CompiledCondition(step: .geometryIsNull, use: .many)
    case .geometry: return constant(false)
    case .interval(let start, let end): return try anyIsNull([start, end].compactMap { $0 })
    case .array(let elements): return try anyIsNull(elements)
    default:
      let operand = try value(expression)
      return leaf(.isNull(operand.step), operand.use)
    }
  }

  private func anyIsNull(_ expressions: [Expression]) throws(FilterError) -> CompiledCondition {
    var conditions: [CompiledCondition] = []
    for expression in expressions { conditions.append(try isNull(expression)) }
    return folded(FilterStep.any, conditions)
  }
}
