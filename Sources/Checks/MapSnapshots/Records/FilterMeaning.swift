import MapFeatures
import MapFilter

/// The comparison of two where clauses in meaning.
enum FilterMeaning {
  /// Returns whether a property of a record is a where clause, by its key.
  static func isFilter(_ key: String) -> Bool {
    key == "definitionExpression" || key == "where"
      || key.hasPrefix("displayFilter.") && key.hasSuffix(".where")
  }

  /// Returns whether two clauses have the same tree apart from the spelling: blanks and brackets, case of names, sides
  /// of comparisons, order of terms.
  static func isSame(_ a: String, _ b: String) -> Bool {
    guard let first = expression(a), let second = expression(b) else { return false }
    return first.normal == second.normal
  }

  /// Returns whether two clauses select the same rows of a table; false if one of them cannot be evaluated there.
  static func selectsSame(_ a: String, _ b: String, of table: FeatureColumns) -> Bool {
    func rows(_ text: String) -> RowSet? {
      guard !text.isEmpty, text != "none" else { return RowSet(rowCount: table.rowCount, all: true) }
      guard let expression = expression(text), !expression.needsCurrentTime,
        let filter = try? CompiledFilter(expression, for: table), filter.spatialQuestions.isEmpty
      else { return nil }
      return filter.rows(in: table)
    }
    guard let first = rows(a), let second = rows(b) else { return false }
    return first == second
  }

  private static func expression(_ text: String) -> FilterExpression? {
    (try? FilterText(where: text))?.expression
  }
}

extension FilterExpression {
  /// The tree in one form for all spellings of a where clause.
  ///
  /// Names are in lower case, as where clauses ignore their case. A literal is on the right side of a comparison. Nested
  /// terms of `and` and `or` are in one list, in a fixed order, as are the elements of `in`.
  ///
  /// - Cost: recurses to the depth of the tree; sorts the terms by their outlines.
  fileprivate var normal: FilterExpression {
    switch self {
    case .property(let name): return .property(name.lowercased())
    case .and(let terms):
      return .and(
        Self.sorted(terms.map(\.normal).flatMap { if case .and(let own) = $0 { own } else { [$0] } }))
    case .or(let terms):
      return .or(
        Self.sorted(terms.map(\.normal).flatMap { if case .or(let own) = $0 { own } else { [$0] } }))
    case .not(let term):
      let own = term.normal
      if case .not(let inner) = own { return inner }
      return .not(own)
    case .comparison(let comparison, let a, let b):
      let (first, second) = (a.normal, b.normal)
      return Self.isOrdered(first, second)
        ? .comparison(comparison, first, second) : .comparison(comparison.mirrored, second, first)
    case .like(let text, let pattern, let escape):
      return .like(text.normal, pattern: pattern.normal, escape: escape)
    case .between(let value, let lower, let upper, let bounds):
      return .between(value.normal, lower: lower.normal, upper: upper.normal, bounds)
    case .isIn(let value, let elements):
      return .isIn(value.normal, Self.sorted(elements.map(\.normal)))
    case .isNull(let value): return .isNull(value.normal)
    case .arithmetic(let operation, let a, let b): return .arithmetic(operation, a.normal, b.normal)
    case .negative(let value): return .negative(value.normal)
    case .call(let name, let arguments): return .call(name, arguments.map(\.normal))
    case .choice(let operand, let branches, let otherwise):
      return .choice(
        of: operand?.normal, branches.map { ChoiceBranch(when: $0.when.normal, then: $0.then.normal) },
        otherwise: otherwise?.normal)
    case .literal, .geometry, .spatial, .interval, .temporal, .array, .arrays: return self
    }
  }

  private static func isOrdered(_ a: FilterExpression, _ b: FilterExpression) -> Bool {
    switch (a, b) {
    case (.literal, .literal): "\(a)" <= "\(b)"
    case (.literal, _): false
    case (_, .literal): true
    default: "\(a)" <= "\(b)"
    }
  }

  private static func sorted(_ terms: [FilterExpression]) -> [FilterExpression] {
    terms.map { (text: "\($0)", term: $0) }.sorted { $0.text < $1.text }.map(\.term)
  }
}

extension SnapshotChange {
  /// Whether the change is another where clause of a layer, or another filter of a style's layer.
  var isOfFilter: Bool {
    scope == .style ? key == "filter" : key.map(FilterMeaning.isFilter) ?? false
  }
}
