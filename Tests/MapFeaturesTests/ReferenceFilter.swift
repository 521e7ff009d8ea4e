import MapFilter

/// A direct evaluation of the filter rules, one row and value at a time, to compare with column evaluation.
///
/// Written from the rules and not from the kernels: 128-bit integers for exactness, scalars for text,
/// recursion for LIKE.
struct ReferenceFilter {
  let names: [String]
  let row: [AttributeValue]

  /// True, false, or nil for unknown.
  func condition(_ filter: FilterExpression) -> Bool? {
    switch filter {
    case .literal(.boolean(let value)): value
    case .and(let terms):
      terms.map(condition).contains(false) ? false : terms.map(condition).contains(nil) ? nil : true
    case .or(let terms):
      terms.map(condition).contains(true) ? true : terms.map(condition).contains(nil) ? nil : false
    case .not(let term): condition(term).map { !$0 }
    case .comparison(let comparison, let first, let second):
      compare(comparison.rawValue, value(first), value(second))
    case .like(let text, let pattern, let escape): like(value(text), value(pattern), escape)
    case .between(let operand, let lower, let upper, .areSides):
      condition(
        .and([.comparison(.greaterOrEqual, operand, lower), .comparison(.lessOrEqual, operand, upper)]))
    case .between(let operand, let lower, let upper, .makeUnknown):
      if let above = compare(">=", value(operand), value(lower)),
        let below = compare("<=", value(operand), value(upper))
      {
        above && below
      } else {
        nil
      }
    case .isIn(let operand, let elements):
      condition(.or(elements.map { .comparison(.equal, operand, $0) }))
    case .isNull(let operand): value(operand) == .null
    default: nil
    }
  }

  func value(_ expression: FilterExpression) -> AttributeValue {
    switch expression {
    case .literal(let value): value
    case .property(let name): names.firstIndex(of: name).map { row[$0] } ?? .null
    case .arithmetic(let operation, let first, let second):
      calculate(operation.rawValue, value(first), value(second))
    case .negative(let operand): calculate("-", .integer(0), value(operand), isNegation: true)
    // The results of functions are tested elsewhere; this checks how values reach them.
    case .call(let name, let arguments):
      FunctionCatalog.function(named: name)?.value(of: arguments.map(value)) ?? .null
    case .choice(let operand, let branches, let otherwise):
      branches.first { branch in
        if let operand {
          compare("=", value(operand), value(branch.when)) == true
        } else {
          condition(branch.when) == true
        }
      }.map { value($0.then) } ?? otherwise.map(value) ?? .null
    default: .null
    }
  }

  private func calculate(
    _ operation: String, _ first: AttributeValue, _ second: AttributeValue, isNegation: Bool = false
  ) -> AttributeValue {
    if case .duration(let duration) = second {
      guard let moment = exact(first) else { return .null }
      let sum = moment.0 + Int128(duration.microseconds) * (operation == "-" ? -1 : 1)
      return Int64(exactly: sum).map { .instant(Instant(microseconds: $0)) } ?? .null
    }
    if case .integer(let a) = first, case .integer(let b) = second, operation != "/" {
      let (a, b) = (Int128(a), Int128(b))
      let exact = operation == "+" ? a + b : operation == "-" ? a - b : a * b
      if let value = Int64(exactly: exact) { return .integer(value) }
    }
    guard let a = real(first), let b = real(second) else { return .null }
    if isNegation { return .real(-b) }
    if operation == "/", b == 0 { return .null }
    let value = operation == "+" ? a + b : operation == "-" ? a - b : operation == "*" ? a * b : a / b
    return value.isNaN ? .null : .real(value)
  }

  private func real(_ value: AttributeValue) -> Double? {
    switch value {
    case .integer(let value): Double(value)
    case .real(let value): value
    default: nil
    }
  }

  private func compare(_ operation: String, _ first: AttributeValue, _ second: AttributeValue) -> Bool? {
    guard let sign = sign(first, second) else { return nil }
    return switch operation {
    case "=": sign == 0
    case "<>": sign != 0
    case "<": sign < 0
    case ">": sign > 0
    case "<=": sign <= 0
    default: sign >= 0
    }
  }

  /// -1, 0 or 1 when the first is less than, equal to or greater than the second; nil for null.
  private func sign(_ first: AttributeValue, _ second: AttributeValue) -> Int? {
    switch (first, second) {
    case (.text(let a), .text(let b)):
      let (a, b) = (a.unicodeScalars.map(\.value), b.unicodeScalars.map(\.value))
      return a == b ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1
    case (.boolean(let a), .boolean(let b)): return (a ? 1 : 0) - (b ? 1 : 0)
    case (.boolean(let a), .integer(let b)): return (a ? 1 : 0) - Int(b)
    case (.integer(let a), .boolean(let b)): return Int(a) - (b ? 1 : 0)
    default: break
    }
    if let (a, aRest) = exact(first), let (b, bRest) = exact(second) {
      return a != b ? (a < b ? -1 : 1) : aRest == bRest ? 0 : aRest < bRest ? -1 : 1
    }
    return nil
  }

  /// The whole part, rounded down, and the rest of a number; of a date or instant the microseconds.
  private func exact(_ value: AttributeValue) -> (Int128, Double)? {
    switch value {
    case .integer(let value): (Int128(value), 0)
    case .real(let value):
      abs(value) < 0x1p120
        ? (Int128(value.rounded(.down)), value - value.rounded(.down)) : (value < 0 ? .min : .max, value)
    case .date(let date): (Int128(date.days) * 86_400_000_000, 0)
    case .instant(let instant): (Int128(instant.microseconds), 0)
    default: nil
    }
  }

  private func like(_ text: AttributeValue, _ pattern: AttributeValue, _ escape: Unicode.Scalar?) -> Bool? {
    guard case .text(let text) = text, case .text(let pattern) = pattern else { return nil }
    // Each element is a required scalar, nil for `_`, or a run.
    var elements: [(isRun: Bool, scalar: Unicode.Scalar?)] = []
    var scalars = pattern.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      if scalar == escape {
        guard let next = scalars.next() else { return nil }
        elements.append((false, next))
      } else {
        elements.append((scalar == "%", scalar == "%" || scalar == "_" ? nil : scalar))
      }
    }
    func fits(
      _ elements: ArraySlice<(isRun: Bool, scalar: Unicode.Scalar?)>, _ text: Substring.UnicodeScalarView
    )
      -> Bool
    {
      guard let first = elements.first else { return text.isEmpty }
      if first.isRun {
        return fits(elements.dropFirst(), text) || !text.isEmpty && fits(elements, text.dropFirst())
      }
      guard let scalar = text.first else { return false }
      return (first.scalar == nil || first.scalar == scalar) && fits(elements.dropFirst(), text.dropFirst())
    }
    return fits(elements[...], text[...].unicodeScalars)
  }
}
