import MapFeatures
import MapFilter
import MapReaders

/// Writes filters for PostgreSQL, if it evaluates them exactly as MapState does.
///
/// Excluded are arithmetic, because it may round otherwise and raises errors; spatial relations; functions that depend
/// on a language; and comparisons of whole numbers beyond 2⁵³ with decimals, which PostgreSQL rounds.
struct ExactFilter {
  /// The error for a part that only MapState evaluates.
  struct Excluded: Error {
    /// The part in lower case, without a full stop.
    let part: String
  }

  let schema: FeatureSchema
  /// The columns of the schema's fields, in their order.
  let columns: [TableDescription.Column]

  /// The functions that agree for all values that their arguments may have here.
  private static let functions: Set<String> = [
    "CHAR_LENGTH", "CONCAT", "SUBSTRING", "POSITION", "TRIM", "COALESCE", "NULLIF", "EXTRACT", "CEILING",
    "FLOOR",
    "ABS",
  ]
  /// The size in bytes above which a condition is not sent.
  ///
  /// - Source: design decision; PostgreSQL accepts 1 GiB.
  private static let largestText = 1 << 20

  /// Returns the condition after WHERE.
  ///
  /// - Throws: ``Excluded`` for a filter that is evaluated here.
  func text(_ filter: QueryFilter, at now: Instant?) throws(Excluded) -> String {
    var expression = filter.expression
    if expression.needsCurrentTime {
      guard let now else { throw Excluded(part: "the current time") }
      expression = expression.replacingCurrentTime(with: now)
    }
    let fields = schema.filterFields(types: columns.map(\.copied.form.attributeType), names: filter.names)
    let written: SQLFilter
    do {
      try expression.check(against: fields)
      try check(expression, fields)
      written = try expression.sql(columns: conditions, fields: fields)
    } catch let excluded as Excluded {
      throw excluded
    } catch {
      throw Excluded(part: "\(error)")
    }
    guard let text = written.text, written.residual == nil else {
      throw Excluded(part: written.losses.first?.part ?? "the filter")
    }
    guard text.utf8.count <= Self.largestText else { throw Excluded(part: "a filter of this length") }
    return text
  }

  /// The expressions of the values that MapState reads, by the names of their columns.
  private var conditions: [String: String] {
    Dictionary(columns.compactMap { column in column.condition.map { (column.copied.field.name, $0) } }) {
      first, _ in
      first
    }
  }

  // MARK: Exactness

  private func check(_ expression: FilterExpression, _ fields: FilterFields) throws {
    switch expression {
    case .arithmetic: throw Excluded(part: "arithmetic")
    case .spatial: throw Excluded(part: "a spatial relation")
    case .call(let name, let arguments):
      guard Self.functions.contains(name) else { throw Excluded(part: "the function \(name)") }
      switch name {
      // Rounding a whole number as a decimal loses its last digits.
      case "CEILING", "FLOOR", "ABS":
        guard try arguments.allSatisfy({ try $0.type(in: fields) == .real }) else {
          throw Excluded(part: "\(name) of a whole number")
        }
      case "COALESCE", "NULLIF": try checkTogether(arguments, fields)
      default: break
      }
    case .comparison(_, let first, let second): try checkTogether([first, second], fields)
    case .between(let operand, let lower, let upper, _): try checkTogether([operand, lower, upper], fields)
    case .isIn(let operand, let elements): try checkTogether([operand] + elements, fields)
    case .choice(let operand, let branches, let otherwise):
      if let operand { try checkTogether([operand] + branches.map(\.when), fields) }
      try checkTogether(branches.map(\.then) + [otherwise].compactMap { $0 }, fields)
    default: break
    }
    for child in expression.children { try check(child, fields) }
  }

  /// Checks that values are compared here and there as the same numbers.
  private func checkTogether(_ values: [FilterExpression], _ fields: FilterFields) throws {
    let types = try values.map { value in
      if case .geometry = value { return AttributeType?.some(.geometry) }
      return try value.type(in: fields)
    }
    guard types.contains(.real), types.contains(.integer) else { return }
    for (value, type) in zip(values, types) where type == .integer && !isSmall(value) {
      let decimals = zip(values, types).filter { $0.1 == .real }.map(\.0)
      guard decimals.allSatisfy(isSmall), case .property = value else {
        throw Excluded(part: "a comparison of large whole numbers with decimals")
      }
    }
  }

  /// Whether a value is a number below 2⁵³, or a field of such whole numbers.
  private func isSmall(_ value: FilterExpression) -> Bool {
    switch value {
    case .literal(.integer(let number)): number.magnitude < 1 << 53
    case .literal(.real(let number)): number.magnitude < 0x1p53
    case .property(let name):
      schema.index(ofField: name).map { [.int16, .int32].contains(columns[$0].copied.form) } ?? false
    default: false
    }
  }
}

extension CopyColumn.Form {
  /// The type of the values in filters.
  var attributeType: AttributeType? {
    switch kind {
    case .integer: .integer
    case .real: .real
    case .boolean: .boolean
    case .text: .text
    case .date: .date
    case .instant: .instant
    }
  }
}
