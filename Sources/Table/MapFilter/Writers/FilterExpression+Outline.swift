extension FilterExpression {
  /// The tree as text: one part per line, each indented below the part that contains it.
  ///
  /// - Cost: the number of parts times the depth, for the indentation; recurses to the depth of the tree.
  package var outline: String {
    var lines: [String] = []
    addOutline(to: &lines, indent: 0)
    return lines.joined(separator: "\n")
  }

  private func addOutline(to lines: inout [String], indent: Int) {
    // A line end inside a text must not look like another part.
    let label = label.split(omittingEmptySubsequences: false) { $0.isNewline }.joined(separator: "\\n")
    lines.append(String(repeating: "  ", count: indent) + label)
    for child in children { child.addOutline(to: &lines, indent: indent + 1) }
  }

  /// A description of the part without the parts below it.
  private var label: String {
    switch self {
    case .literal(let value): value.outline
    case .property(let name): "property \(name)"
    case .and: "and"
    case .or: "or"
    case .not: "not"
    case .comparison(let comparison, _, _): comparison.rawValue
    case .like(_, _, let escape): "like" + (escape.map { " escape \($0)" } ?? "")
    case .between(_, _, _, let bounds): bounds == .areSides ? "between, as two comparisons" : "between"
    case .isIn: "in"
    case .isNull: "is null"
    case .arithmetic(let operation, _, _): operation.rawValue
    case .negative: "negative"
    case .call(let name, _): "call \(name)"
    case .choice(let operand, let branches, let otherwise):
      "case\(operand == nil ? "" : " of a value") of \(branches.count)\(otherwise == nil ? "" : " and else")"
    case .geometry(let geometry): "geometry \(geometry.wellKnownText)"
    case .spatial(let predicate, _, _): predicate.textName
    case .interval(let start, let end):
      "interval" + (start == nil ? " with an open start" : "") + (end == nil ? " with an open end" : "")
    case .temporal(let predicate, _, _): predicate.textName
    case .array: "array"
    case .arrays(let predicate, _, _): predicate.textName
    }
  }
}

extension AttributeValue {
  fileprivate var outline: String {
    switch self {
    case .null: "null"
    case .integer(let value): "integer \(value)"
    case .real(let value): "real \(value)"
    case .text(let value): "text \(SQLWhereWriter.quoted(value))"
    case .boolean(let value): "boolean \(value)"
    case .date(let value): "date \(value)"
    case .instant(let value): "timestamp \(value)"
    case .duration(let value): value.sqlLiteral
    }
  }
}
