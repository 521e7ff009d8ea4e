extension FilterExpression {
  /// Returns the condition with casts where a text field is compared with numbers or times.
  ///
  /// Databases such as Oracle and SQL Server convert the text in such a comparison. Here, a text that is no number or
  /// time is null after the cast, so that the comparison is not true.
  func castingTexts(in fields: FilterFields) -> FilterExpression {
    casting(in: fields) { if case .property = $0 { true } else { false } }
  }

  /// Returns the condition with casts where texts are compared with numbers or times.
  ///
  /// - Parameter mayCast: whether a part may be cast if it is a text.
  func casting(
    in fields: FilterFields, where mayCast: (FilterExpression) -> Bool
  ) -> FilterExpression {
    func cast(_ text: FilterExpression, like others: [FilterExpression]) -> FilterExpression {
      let types = Set(others.map { $0.castType(in: fields) })
      guard types.count == 1, let first = types.first, let type = first, mayCast(text),
        (try? text.type(in: fields)) == .text
      else { return text }
      return .call("CAST", [text, .literal(.text(type.description))])
    }
    func casting(_ term: FilterExpression) -> FilterExpression { term.casting(in: fields, where: mayCast) }
    return switch self {
    case .and(let terms): .and(terms.map(casting))
    case .or(let terms): .or(terms.map(casting))
    case .not(let term): .not(casting(term))
    case .comparison(let comparison, let first, let second):
      .comparison(comparison, cast(first, like: [second]), cast(second, like: [first]))
    case .between(let operand, let lower, let upper, let bounds):
      .between(cast(operand, like: [lower, upper]), lower: lower, upper: upper, bounds)
    case .isIn(let operand, let elements): .isIn(cast(operand, like: elements), elements)
    default: self
    }
  }

  /// The type to which a text is cast before it is compared with this value; nil for texts and other values.
  ///
  /// A date is compared with timestamps, because a text may be one.
  func castType(in fields: FilterFields) -> CastType? {
    let type: AttributeType? =
      if case .literal(let value) = self { value.type } else { try? type(in: fields) }
    return switch type?.family {
    case .number: .real
    case .moment: .instant
    default: nil
    }
  }
}

extension FilterExpression {
  /// The casts of fields in the expression, and the fields that temporal predicates read as timestamps; each once.
  package var textCasts: [TextCast] {
    var casts: [TextCast] = []
    var open = [self]
    while let part = open.popLast() {
      switch part {
      case .call("CAST", let arguments):
        if case .property(let field)? = arguments.first, case .literal(.text(let name))? = arguments.last,
          let type = CastType(name)
        {
          casts.append(TextCast(field: field, type: type))
        }
      case .temporal(_, let first, let second):
        for case .property(let field) in [first, second] {
          casts.append(TextCast(field: field, type: .instant))
        }
      default: break
      }
      open += part.children.reversed()
    }
    var known: Set<TextCast> = []
    return casts.filter { known.insert($0).inserted }
  }
}
