/// Conversion of temporal predicates to comparisons of their ends, for languages without such predicates.
struct TemporalForm {
  /// The types of fields; when nil, all fields count as instants.
  let fields: FilterFields?
  let language: String

  /// Returns the comparisons, which give the predicate's result when no end is null.
  ///
  /// When an end is null, they are true below a negation and false elsewhere; neither selects a row.
  func comparisons(
    _ predicate: TemporalPredicate, _ first: FilterExpression, _ second: FilterExpression, isNegated: Bool
  ) throws(FilterWritingError) -> FilterExpression {
    // Disjoint is the negation of its comparisons, so unknown must become the opposite.
    let isUnknownTrue = predicate == .disjoint ? !isNegated : isNegated
    let asDays = try ends(of: first).union(ends(of: second)) == [.date]
    let spans = (try span(first, asDays), try span(second, asDays))
    var (terms, compared): ([FilterExpression], Set<FilterExpression>) = ([], [])
    for (a, comparison, b) in predicate.comparisons {
      let (first, second) = (value(a, spans), value(b, spans))
      if let ordering = IntervalSide.ordering(a.side, isOpen: first == nil, b.side, isOpen: second == nil) {
        terms.append(.literal(.boolean(comparison.accepts(ordering))))
      } else if let first, let second {
        terms.append(.comparison(comparison, first, second))
        compared.formUnion([first, second])
      }
    }
    // A single comparison is unknown by itself when an end is null. Beside others it could be overruled, so null is
    // tested.
    let all = [spans.0.start, spans.0.end, spans.1.start, spans.1.end].compactMap { $0 }
    var nullable: [FilterExpression] = []
    for value in all where !value.isLiteral && !nullable.contains(value) { nullable.append(value) }
    if terms.count == 1 { nullable.removeAll { compared.contains($0) } }
    if nullable.count == 1, terms.allSatisfy({ $0.children.contains(nullable[0]) }) { nullable = [] }
    var result = FilterExpression.and(terms)
    if !nullable.isEmpty {
      result =
        isUnknownTrue
        ? .or([result] + nullable.map { .isNull($0) }) : .and(terms + nullable.map { .not(.isNull($0)) })
    }
    return predicate == .disjoint ? .not(result) : result
  }

  private struct Span {
    let start, end: FilterExpression?
  }

  private func value(_ end: TemporalPredicate.End, _ spans: (Span, Span)) -> FilterExpression? {
    let span = end.isOfFirst ? spans.0 : spans.1
    return end.side == .start ? span.start : span.end
  }

  private func type(_ expression: FilterExpression) -> AttributeType? {
    if case .literal(let value) = expression { return value.type }
    guard let fields else { return .instant }
    return try? expression.type(in: fields)
  }

  private func ends(of expression: FilterExpression) throws(FilterWritingError) -> Set<AttributeType> {
    guard case .interval(let start, let end) = expression else {
      return Set([type(expression)].compactMap { $0 })
    }
    return Set([start, end].compactMap { $0 }.compactMap(type))
  }

  private func span(_ expression: FilterExpression, _ asDays: Bool) throws(FilterWritingError) -> Span {
    guard case .interval(let start, let end) = expression else {
      let moment =
        type(expression) == .text
        ? FilterExpression.call("CAST", [expression, .literal(.text("TIMESTAMP"))]) : expression
      return Span(start: moment, end: moment)
    }
    for end in [start, end] {
      if let end, type(end) == .text {
        throw FilterWritingError(language, "an interval whose ends are text")
      }
    }
    return Span(start: start, end: end.map { asDays ? $0 : last($0) })
  }

  /// Returns the last instant of a value that may be a day.
  private func last(_ end: FilterExpression) -> FilterExpression {
    guard type(end) == .date else { return end }
    if case .literal(.date(let date)) = end { return .literal(.instant(date.last)) }
    return .arithmetic(.add, end, .literal(.duration(.allOfADay)))
  }
}

extension CalendarInterval {
  /// The length from the first microsecond of a day to its last.
  package static let allOfADay = CalendarInterval(microseconds: Instant.microsecondsPerDay - 1)
}

extension FilterExpression {
  var isLiteral: Bool { if case .literal = self { true } else { false } }
  var isInterval: Bool { if case .interval = self { true } else { false } }
}
