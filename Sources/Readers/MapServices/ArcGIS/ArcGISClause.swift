import MapFeatures
import MapFilter

/// Translates filters into where clauses, if the service's database evaluates them exactly as MapState does.
///
/// Supported are comparisons of numbers and dates, equality of text, LIKE, IN, BETWEEN, IS NULL, AND, OR and NOT.
/// Standardized queries add a few functions. Excluded are arithmetic and CASE, because rounding and overflow depend on
/// the database, and the order of texts, which depends on its language.
///
/// - Source: ArcGIS REST API, standardized SQL functions; the choice of functions that agree everywhere is a design
///   decision.
struct ArcGISClause {
  let schema: FeatureSchema
  let abilities: ArcGISAbilities

  /// Returns the where clause; nil for a filter that is evaluated locally.
  func text(_ filter: QueryFilter, at now: Instant?) -> String? {
    var expression = filter.expression
    if expression.needsCurrentTime {
      guard let now else { return nil }
      expression = expression.replacingCurrentTime(with: now)
    }
    let fields = schema.filterFields(
      types: schema.fields.map(\.fieldType.attributeType), names: filter.names)
    guard (try? expression.check(against: fields)) != nil else { return nil }
    let exactness = Exactness(schema: schema, abilities: abilities)
    guard exactness.holds(expression) else { return nil }
    return try? expression.text(in: .sqlWhere, fields: fields)
  }
}

/// Decides whether a database evaluates a filter as MapState does.
private struct Exactness {
  let schema: FeatureSchema
  let abilities: ArcGISAbilities

  /// The functions on which all databases agree, for the values that fields have.
  private static let functions: Set<String> = ["UPPER", "LOWER", "ABS", "CEILING", "FLOOR", "EXTRACT"]

  func holds(_ filter: FilterExpression) -> Bool {
    switch filter {
    case .and(let terms), .or(let terms): return terms.allSatisfy(holds)
    case .not(let term): return holds(term)
    case .literal(.boolean): return true
    case .comparison(let comparison, let first, let second):
      let isEquality = comparison == .equal || comparison == .notEqual
      return holds([first, second], isEquality: isEquality)
    case .like(let operand, .literal(.text(let pattern)), let escape):
      // Some databases treat a backslash as escape by default; others treat brackets as character sets.
      guard !pattern.unicodeScalars.contains(where: { $0 == "[" || ($0 == "\\" && escape == nil) }) else {
        return false
      }
      return holds([operand], isEquality: true)
    case .between(let operand, let lower, let upper, _):
      return holds([operand, lower, upper], isEquality: false)
    case .isIn(let operand, let elements): return holds([operand] + elements, isEquality: true)
    case .isNull(.property(let name)): return schema.index(ofField: name) != nil
    case .temporal(_, let first, let second): return isTime(first) && isTime(second)
    default: return false
    }
  }

  /// Whether a comparison of these values gives the same result in every database.
  private func holds(_ values: [FilterExpression], isEquality: Bool) -> Bool {
    let fields = values.compactMap { field($0) }
    let literals = values.compactMap { if case .literal(let value) = $0 { value } else { nil } }
    guard values.allSatisfy(isPlain) else { return false }
    if !isEquality {
      let isText =
        literals.contains { $0.type == .text } || fields.contains { $0.fieldType.attributeType == .text }
      if isText || values.contains(where: \.isTextCall) { return false }
    }
    // A single-precision field arrives as its shortest decimal, which may differ from the value that the database
    // compares.
    if fields.contains(where: { $0.fieldType == .float32 }) {
      return fields.allSatisfy { $0.fieldType == .float32 } && fields.count + literals.count == values.count
        && literals.allSatisfy(\.isShortSingle)
    }
    return true
  }

  /// Whether the value is a date, a timestamp or an interval that a service compares.
  private func isTime(_ value: FilterExpression) -> Bool {
    switch value {
    case .literal(.date), .literal(.instant): true
    case .property: isPlain(value) && [.date, .instant].contains(field(value)?.fieldType.attributeType)
    // The last instant of a day in a field would need arithmetic.
    case .interval(let start, let end):
      [start, end].compactMap { $0 }.allSatisfy { isTime($0) && field($0)?.fieldType != .dateOnly }
    default: false
    }
  }

  /// Returns the field that a value names; nil for other values.
  private func field(_ value: FilterExpression) -> Field? {
    guard case .property(let name) = value else { return nil }
    return schema.index(ofField: name).map { schema.fields[$0] }
  }

  private func isPlain(_ value: FilterExpression) -> Bool {
    switch value {
    // Some databases treat empty text as null.
    case .literal(.null), .literal(.text("")): return false
    case .literal: return true
    case .negative(.literal(.integer)), .negative(.literal(.real)): return true
    case .property:
      switch field(value)?.fieldType {
      case .date, .dateOnly: return abilities.isUTC
      case .int16, .int32, .int64, .oid, .float32, .float64, .text, .guid, .globalID: return true
      default: return false
      }
    case .call(let name, let arguments):
      guard abilities.isStandardized, Self.functions.contains(name) else { return false }
      if name == "EXTRACT" {
        return arguments.first != .literal(.text("SECOND")) && arguments.dropFirst().allSatisfy(isPlain)
      }
      return arguments.allSatisfy { isPlain($0) && field($0)?.fieldType != .float32 }
    default: return false
    }
  }
}

extension FilterExpression {
  fileprivate var isTextCall: Bool {
    if case .call(let name, _) = self { name == "UPPER" || name == "LOWER" } else { false }
  }
}

extension AttributeValue {
  /// Whether single precision holds the number exactly and writes it the same way.
  fileprivate var isShortSingle: Bool {
    switch self {
    case .integer(let value): value.magnitude < 1 << 24
    case .real(let value): Double(Float(value)) == value && Double(Float(value).description) == value
    default: true
    }
  }
}
