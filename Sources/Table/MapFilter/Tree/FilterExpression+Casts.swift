extension FilterExpression {
  /// Returns the condition with casts where a text field is compared with a number or a time.
  ///
  /// Databases such as Oracle and SQL Server convert the text in such a comparison. Here, a text that is no number or
  /// time is null after the cast, so that the comparison is not true.
  func castingTexts(in fields: FilterFields) -> FilterExpression {
    switch self {
    case .and(let terms): .and(terms.map { $0.castingTexts(in: fields) })
    case .or(let terms): .or(terms.map { $0.castingTexts(in: fields) })
    case .not(let term): .not(term.castingTexts(in: fields))
    case .comparison(let comparison, let first, let second):
      .comparison(comparison, first.cast(like: [second], in: fields), second.cast(like: [first], in: fields))
    case .between(let operand, let lower, let upper, let bounds):
      .between(operand.cast(like: [lower, upper], in: fields), lower: lower, upper: upper, bounds)
    case .isIn(let operand, let elements): .isIn(operand.cast(like: elements, in: fields), elements)
    default: self
    }
  }

  /// Returns a text field as a cast if all other operands are literals of one other type, else the value itself.
  private func cast(like others: [FilterExpression], in fields: FilterFields) -> FilterExpression {
    guard case .property(let name) = self, let index = try? fields.index(of: name),
      fields.fields[index].type == .text
    else { return self }
    let types = Set(others.map(\.castType))
    guard types.count == 1, let first = types.first, let type = first else { return self }
    return .call("CAST", [self, .literal(.text(type.description))])
  }

  /// The type to which a text is cast before it is compared with this literal; nil for texts and other values.
  private var castType: CastType? {
    switch self {
    case .literal(.integer), .literal(.real): .real
    case .negative(let operand): operand.castType
    case .literal(.instant): .instant
    case .literal(.date): .date
    default: nil
    }
  }
}
