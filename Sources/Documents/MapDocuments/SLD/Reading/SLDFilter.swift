import MapFilter
import MapJSON

/// Filters of the standards as trees.
///
/// - Source: OGC 02-059 (1.0), 04-095 (1.1), 09-026r2 (2.0).
extension SLDMapping {
  private static let comparisons: [String: ComparisonOperator] = [
    "PropertyIsEqualTo": .equal, "PropertyIsNotEqualTo": .notEqual, "PropertyIsLessThan": .less,
    "PropertyIsGreaterThan": .greater, "PropertyIsLessThanOrEqualTo": .lessOrEqual,
    "PropertyIsGreaterThanOrEqualTo": .greaterOrEqual,
  ]
  private static let relations: [String: SpatialPredicate] = [
    "BBOX": .intersects, "Intersects": .intersects, "Disjoint": .disjoint, "Equals": .equals,
    "Touches": .touches, "Within": .within, "Contains": .contains, "Crosses": .crosses,
    "Overlaps": .overlaps,
  ]
  private static let times: [String: TemporalPredicate] = [
    "After": .after, "Before": .before, "During": .during, "TEquals": .equals, "TContains": .contains,
    "AnyInteracts": .intersects, "Begins": .starts, "Ends": .finishes, "TOverlaps": .overlaps,
    "Meets": .meets, "MetBy": .metBy, "BegunBy": .startedBy, "EndedBy": .finishedBy,
    "OverlappedBy": .overlappedBy,
  ]
  /// The conditions on identifiers; a filter may have several.
  private static let ids: Set<String> = ["FeatureId", "GmlObjectId", "ResourceId"]
  private static let conditions = Set(comparisons.keys).union(relations.keys).union(times.keys).union([
    "And", "Or", "Not", "PropertyIsLike", "PropertyIsBetween", "PropertyIsNull", "PropertyIsNil",
  ])

  /// Reads the condition in an element `Filter`; nil after a note.
  mutating func filter(_ element: SLDElement) -> FilterExpression? {
    let conditions = element.children
    guard let first = conditions.first, conditions.count == 1 || Self.ids.contains(first.name) else {
      note(element, conditions.isEmpty ? "the filter has no condition" : "the filter has several conditions")
      return nil
    }
    return condition(first)
  }

  private mutating func condition(_ element: SLDElement) -> FilterExpression? {
    let name = element.name
    switch name {
    case "And", "Or":
      var terms: [FilterExpression] = []
      for child in element.children {
        guard let term = condition(child) else { return nil }
        terms.append(term)
      }
      guard !terms.isEmpty else {
        note(element, "has no condition")
        return nil
      }
      // Constant terms decide, or have no effect.
      let decides = FilterExpression.literal(.boolean(name == "Or"))
      if terms.contains(decides) { return decides }
      terms.removeAll { $0 == .literal(.boolean(name == "And")) }
      guard terms.count > 1 else { return terms.first ?? .literal(.boolean(name == "And")) }
      return name == "And" ? .and(terms) : .or(terms)
    case "Not":
      guard let child = element.children.first else {
        note(element, "has no condition")
        return nil
      }
      return condition(child).map { term -> FilterExpression in
        if case .literal(.boolean(let flag)) = term { return .literal(.boolean(!flag)) }
        return .not(term)
      }
    case "Function":
      // A function that states a condition; the standards have a comparison with true around it.
      guard let value = expression(element) else { return nil }
      if case .call(let function, let arguments) = value, let terms = terms(arguments, element),
        let condition = SLDFunctions.condition(function, terms)
      {
        return condition
      }
      note(element, "the function is not evaluated as a condition")
      return nil
    case "PropertyIsLike": return like(element)
    case "PropertyIsBetween":
      guard let operand = element.children.first.flatMap({ expression($0) }),
        let lower = element["LowerBoundary"].flatMap({ value($0) }),
        let upper = element["UpperBoundary"].flatMap({ value($0) })
      else {
        let isWhole = element["LowerBoundary"] != nil && element["UpperBoundary"] != nil
        if !isWhole { note(element, "needs a value and two boundaries") }
        return nil
      }
      let type = valueType(operand) ?? valueType(lower) ?? valueType(upper)
      guard let value = term(operand, as: type, element), let low = term(lower, as: type, element),
        let high = term(upper, as: type, element)
      else { return nil }
      return .between(numeric(value, type, low), lower: low, upper: high)
    case "PropertyIsNull", "PropertyIsNil":
      guard let operand = element.children.first.flatMap({ expression($0) }) else { return nil }
      return term(operand, as: nil, element).map { .isNull($0) }
    default: break
    }
    if let comparison = Self.comparisons[name] { return compare(element, comparison) }
    if let relation = Self.relations[name] { return spatial(element, relation) }
    if let relation = Self.times[name] { return temporal(element, relation) }
    let known = Self.ids.union(["DWithin", "Beyond"]).contains(name)
    note(
      element,
      known
        ? "the condition \(name) is not evaluated"
        : "unknown condition" + nearestName(name, Self.conditions))
    return nil
  }

  private mutating func compare(
    _ element: SLDElement, _ comparison: ComparisonOperator
  ) -> FilterExpression? {
    guard element.children.count == 2 else {
      note(element, "needs two operands")
      return nil
    }
    guard let first = expression(element.children[0]), let second = expression(element.children[1]) else {
      return nil
    }
    // A function that states a condition is compared with true or false.
    if case .call(let name, let arguments) = first, let word = second.constant?.lowercased(),
      word == "true" || word == "false", let terms = terms(arguments, element),
      let condition = SLDFunctions.condition(name, terms)
    {
      return (word == "true") == (comparison == .equal) ? condition : .not(condition)
    }
    if let a = first.constant, let b = second.constant {
      return .literal(.boolean(Self.compare(a.trimmed, b.trimmed, comparison)))
    }
    let type = valueType(first) ?? valueType(second)
    guard let a = term(first, as: type, element), let b = term(second, as: type, element) else { return nil }
    if element.attributes["matchCase"] == "false", type != .integer, type != .real {
      return .comparison(comparison, .call("CASEI", [a]), .call("CASEI", [b]))
    }
    let isOrder = comparison != .equal && comparison != .notEqual
    return .comparison(comparison, isOrder ? numeric(a, type, b) : a, isOrder ? numeric(b, type, a) : b)
  }

  /// Returns whether two constants compare; two numbers do as such.
  private static func compare(_ a: String, _ b: String, _ comparison: ComparisonOperator) -> Bool {
    func holds<Value: Comparable>(_ a: Value, _ b: Value) -> Bool {
      switch comparison {
      case .equal: a == b
      case .notEqual: a != b
      case .less: a < b
      case .lessOrEqual: a <= b
      case .greater: a > b
      case .greaterOrEqual: a >= b
      }
    }
    if let a = Double(a), let b = Double(b) { return holds(a, b) }
    return holds(a, b)
  }

  /// Returns a field of texts as numbers if it is compared with a number.
  private func numeric(
    _ value: FilterExpression, _ type: AttributeType?, _ other: FilterExpression
  ) -> FilterExpression {
    guard type == .text, case .property = value, case .literal(.real) = other else { return value }
    return .call("CAST", [value, .literal(.text("FLOAT"))])
  }

  private mutating func like(_ element: SLDElement) -> FilterExpression? {
    guard let operand = element.children.first.flatMap({ expression($0) }),
      let pattern = element.children.dropFirst().first.flatMap({ expression($0) })?.constant,
      let value = term(operand, as: .text, element)
    else {
      note(element, "needs a value and a constant pattern")
      return nil
    }
    let attributes = element.attributes
    let (any, one) = (attributes["wildCard"] ?? "*", attributes["singleChar"] ?? "?")
    let escape = attributes["escapeChar"] ?? attributes["escape"] ?? "\\"
    var (text, rest) = ("", pattern[...])
    while let next = rest.first {
      if !escape.isEmpty, rest.hasPrefix(escape), rest.count > escape.count {
        rest.removeFirst(escape.count)
        text += SLDFunctions.escaped(String(rest.removeFirst()))
      } else if !any.isEmpty, rest.hasPrefix(any) {
        text += "%"
        rest.removeFirst(any.count)
      } else if !one.isEmpty, rest.hasPrefix(one) {
        text += "_"
        rest.removeFirst(one.count)
      } else {
        text += SLDFunctions.escaped(String(next))
        rest.removeFirst()
      }
    }
    let found = FilterExpression.literal(.text(text))
    guard attributes["matchCase"] == "false" else { return .like(value, pattern: found, escape: "\\") }
    return .like(.call("CASEI", [value]), pattern: .call("CASEI", [found]), escape: "\\")
  }

  // MARK: Values

  /// The type of a value: that of its field, or of its function; nil for a literal.
  private func valueType(_ value: SLDExpression) -> AttributeType? {
    switch value {
    case .literal: return nil
    case .property(let name): return field(name)?.type
    case .arithmetic, .interpolation: return .real
    case .joined: return .text
    case .categories(_, let values, _, _): return values.lazy.compactMap { valueType($0) }.first
    case .recoded: return nil
    case .fallback(let first, _): return valueType(first)
    case .call(let name, _):
      return ["str", "parse", "number", "date"].contains { name.hasPrefix($0) && name != "strLength" }
        && !name.hasPrefix("parse") ? .text : .real
    }
  }

  /// Returns the field with a name, in any case; nil without one, and where the fields are not known.
  func field(_ name: String) -> (name: String, type: AttributeType?)? {
    guard let fields, let index = try? fields.index(of: name) else { return nil }
    return fields.fields[index]
  }

  /// Returns the name of a field as the data spell it; nil after a note.
  mutating func spelt(_ name: String, _ element: SLDElement) -> String? {
    guard let fields else { return name }
    do throws(FilterError) {
      return fields.fields[try fields.index(of: name)].name
    } catch {
      note(element, "\(error)")
      return nil
    }
  }

  private mutating func terms(
    _ values: [SLDExpression], _ element: SLDElement
  ) -> [FilterExpression]? {
    var type: AttributeType?
    for value in values where type == nil { type = valueType(value) }
    var terms: [FilterExpression] = []
    for value in values {
      guard let term = term(value, as: type, element) else { return nil }
      terms.append(term)
    }
    return terms
  }

  /// Returns the arguments of a function in a filter; those of text functions are texts, but for positions.
  private mutating func inputs(
    _ values: [SLDExpression], of name: String, _ element: SLDElement
  ) -> [FilterExpression]? {
    guard name.hasPrefix("str"), let first = values.first else { return terms(values, element) }
    let type = valueType(first)
    guard var text = term(first, as: .text, element) else { return nil }
    if type == .integer || type == .real { text = .call("CAST", [text, .literal(.text("VARCHAR"))]) }
    var result = [text]
    for value in values.dropFirst() {
      guard let term = term(value, as: name.hasPrefix("strSubstring") ? .real : .text, element) else {
        return nil
      }
      result.append(term)
    }
    return result
  }

  /// Returns a value in a filter; literals get a type.
  mutating func term(
    _ value: SLDExpression, as type: AttributeType?, _ element: SLDElement
  ) -> FilterExpression? {
    switch value {
    case .literal(let text): return .literal(Self.literal(text, as: type))
    case .property(let name): return spelt(name, element).map { .property($0) }
    case .arithmetic(let operation, let first, let second):
      guard let a = term(first, as: .real, element), let b = term(second, as: .real, element) else {
        return nil
      }
      return .arithmetic(operation, a, b)
    case .joined(let parts):
      guard let terms = terms(parts.map { $0 }, element), let first = terms.first else { return nil }
      return terms.dropFirst().reduce(first) { .call("CONCAT", [$0, $1]) }
    case .call(let name, let arguments):
      guard let terms = inputs(arguments, of: name, element), let call = SLDFunctions.filter(name, terms)
      else {
        note(element, "the function \"\(name)\" is not evaluated in filters")
        return nil
      }
      return call
    case .categories(let operand, let values, let thresholds, let isBefore):
      guard let terms = terms([operand] + thresholds, element), let value = terms.first,
        let results = self.terms(values, element), let last = results.last
      else { return nil }
      let branches = zip(terms.dropFirst(), results).map { threshold, result in
        ChoiceBranch(when: .comparison(isBefore ? .lessOrEqual : .less, value, threshold), then: result)
      }
      return .choice(of: nil, branches, otherwise: last)
    case .recoded(let operand, let pairs, let otherwise):
      guard let terms = terms([operand] + pairs.map(\.from), element), let value = terms.first,
        let results = self.terms(pairs.map(\.to) + (otherwise.map { [$0] } ?? []), element)
      else { return nil }
      let branches = zip(terms.dropFirst(), results).map { ChoiceBranch(when: $0, then: $1) }
      return .choice(of: value, branches, otherwise: otherwise == nil ? nil : results.last)
    case .fallback(let first, let second):
      guard let a = term(first, as: type, element),
        let b = term(second, as: type ?? valueType(first), element)
      else { return nil }
      return .call("COALESCE", [a, b])
    case .interpolation:
      note(element, "an interpolation is not evaluated in filters")
      return nil
    }
  }

  /// Returns a literal of a type; without one, numbers are recognised.
  static func literal(_ text: String, as type: AttributeType?) -> AttributeValue {
    let trimmed = text.trimmed
    switch type {
    case .integer, .real, nil:
      if let number = DecimalText.number(trimmed) { return number }
      return .text(text)
    case .boolean:
      return trimmed == "true" || trimmed == "1"
        ? .boolean(true) : trimmed == "false" || trimmed == "0" ? .boolean(false) : .text(text)
    case .date: return CalendarDate(iso8601: trimmed).map { .date($0) } ?? .text(text)
    case .instant:
      if let instant = Instant(rfc3339: trimmed) { return .instant(instant) }
      return CalendarDate(iso8601: trimmed).map { .instant($0.start) } ?? .text(text)
    case .text, .duration, .geometry, .interval, .array: return .text(text)
    }
  }
}
