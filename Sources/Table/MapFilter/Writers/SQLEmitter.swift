import MapGeometry

/// A database that filters are written for.
package enum SQLDialect: String, CaseIterable, Hashable, Sendable {
  /// PostgreSQL with PostGIS; parameters are `$1`, `$2`, …
  case postGIS = "postgis"
  /// SQLite with SpatiaLite, on its own tables or on GeoPackage in amphibious mode; parameters are `?1`, `?2`, …
  case spatiaLite = "spatialite"

  var name: String { self == .postGIS ? "PostGIS" : "SpatiaLite" }
}

/// A parameter of a statement.
package enum SQLParameter: Hashable, Sendable {
  /// A 64-bit integer.
  case integer(Int64)
  /// A double.
  case real(Double)
  /// Text, including dates and instants.
  case text(String)
  /// True or false.
  case boolean(Bool)
}

/// A filter split into SQL that a database evaluates exactly and a rest that is evaluated in memory.
package struct SQLFilter: Hashable, Sendable {
  /// The condition after WHERE; nil when the database can evaluate no part.
  package let text: String?
  /// The parameters, in the order of their numbers in the text, from 1.
  package let parameters: [SQLParameter]
  /// The condition to apply to the rows that the database returns; nil when the database evaluates the whole filter.
  package let residual: FilterExpression?
  /// The reasons for the residual, one per part.
  package let losses: [FilterWritingError]
}

extension FilterExpression {
  /// Returns the filter for a database, with parameters for all values.
  ///
  /// From a chain of ANDs the database gets the terms that it evaluates exactly; any other filter goes to it completely
  /// or not at all. User text enters the statement only as a quoted name or a parameter. The fields provide the column
  /// types: instants are `timestamptz` in PostGIS and ISO 8601 text in SpatiaLite. Geometries are in WGS 84.
  ///
  /// - Throws: ``FilterError`` for a filter that does not fit the fields.
  package func sql(for dialect: SQLDialect, fields: FilterFields) throws(FilterError) -> SQLFilter {
    try sql(for: dialect, fields: fields, columns: nil)
  }

  /// Returns the filter for a statement of PostgreSQL that contains all values and names the columns otherwise.
  ///
  /// User text enters the statement only as a literal. The session must have `standard_conforming_strings`.
  ///
  /// - Parameter columns: The expressions of the fields' values, by the names of the fields; a field without one goes to
  ///   the residual.
  /// - Throws: ``FilterError`` for a filter that does not fit the fields.
  package func sql(
    columns: [String: String], fields: FilterFields
  ) throws(FilterError) -> SQLFilter {
    try sql(for: .postGIS, fields: fields, columns: columns)
  }

  private func sql(
    for dialect: SQLDialect, fields: FilterFields, columns: [String: String]?
  ) throws(FilterError) -> SQLFilter {
    try check(against: fields)
    var terms = [self]
    if case .and(let all) = self { terms = all }
    var emitter = SQLEmitter(dialect: dialect, fields: fields, columns: columns)
    var (texts, residual, losses): ([String], [FilterExpression], [FilterWritingError]) = ([], [], [])
    for term in terms {
      let parameterCount = emitter.parameters.count
      do throws(FilterWritingError) {
        guard dialect == .postGIS || texts.count < SQLEmitter.chainLimit else {
          throw emitter.inexpressible("more than \(SQLEmitter.chainLimit) conditions in a chain")
        }
        texts.append(try emitter.condition(term, isNegated: false))
      } catch {
        emitter.dropParameters(after: parameterCount)
        residual.append(term)
        losses.append(error)
      }
    }
    return SQLFilter(
      text: texts.isEmpty ? nil : texts.joined(separator: " AND "), parameters: emitter.parameters,
      residual: residual.count > 1 ? .and(residual) : residual.first, losses: losses)
  }
}

/// Writes parts of a tree as SQL that gives the same results as the evaluation in memory.
///
/// - Source: PostgreSQL 15 and PostGIS 3.3, SQLite 3.40 and SpatiaLite 5.0; each rule states the behaviour of the two
///   without it.
struct SQLEmitter {
  let dialect: SQLDialect
  let fields: FilterFields
  /// The expressions of the fields' values, in a statement without parameters; nil for their names.
  private let columns: [String: String]?
  private(set) var parameters: [SQLParameter] = []
  /// The greatest number of parameters in a statement.
  ///
  /// - Source: SQLite's default since 3.32; PostgreSQL allows 65,535.
  private static let parameterLimit = 32_766
  /// The greatest number of terms in a chain for SQLite, which counts each term as one of 1,000 levels.
  static let chainLimit = 400

  init(dialect: SQLDialect, fields: FilterFields, columns: [String: String]?) {
    (self.dialect, self.fields, self.columns) = (dialect, fields, columns)
  }

  /// Removes the parameters of a term that could not be written.
  mutating func dropParameters(after count: Int) { parameters.removeSubrange(count...) }

  func inexpressible(_ part: String) -> FilterWritingError { FilterWritingError(dialect.name, part) }

  mutating func parameter(_ value: SQLParameter) throws(FilterWritingError) -> String {
    guard parameters.count < Self.parameterLimit else {
      throw inexpressible("more than \(Self.parameterLimit) values")
    }
    parameters.append(value)
    let number = parameters.count
    guard dialect == .postGIS else { return "?\(number)" }
    let place = columns == nil ? "$\(number)" : value.literal
    return switch value {
    case .integer: "\(place)::bigint"
    case .real: "\(place)::double precision"
    case .text: "\(place)::text"
    case .boolean: "\(place)::boolean"
    }
  }

  // MARK: Conditions

  /// Writes a condition in parentheses; below a negation, unknown may become true, elsewhere false.
  mutating func condition(_ filter: FilterExpression, isNegated: Bool) throws(FilterWritingError) -> String {
    switch filter {
    case .and(let terms): return try chain(terms, " AND ", isNegated)
    case .or(let terms): return try chain(terms, " OR ", isNegated)
    case .not(let term): return "(NOT \(try condition(term, isNegated: !isNegated)))"
    case .literal(.boolean(let flag)): return flag ? "(1 = 1)" : "(1 = 0)"
    case .comparison(let comparison, let first, let second):
      return "(\(try compare(first, comparison, second)))"
    case .like(let operand, let pattern, let escape): return try like(operand, pattern, escape)
    case .between(let operand, let lower, let upper, let bounds):
      let sides = [
        FilterExpression.comparison(.greaterOrEqual, operand, lower),
        .comparison(.lessOrEqual, operand, upper),
      ]
      let nulls = [lower, upper].filter { !$0.isLiteral }.map { FilterExpression.isNull($0) }
      let isStrict = bounds == .makeUnknown && isNegated && !nulls.isEmpty
      return try condition(isStrict ? .or([.and(sides)] + nulls) : .and(sides), isNegated: isNegated)
    case .isIn(let operand, let elements):
      return try membership(operand, elements)
    case .isNull(let operand): return try isNull(operand)
    case .temporal(let predicate, let first, let second):
      let form = try TemporalForm(fields: fields, language: dialect.name)
        .comparisons(predicate, first, second, isNegated: isNegated)
      return try condition(form, isNegated: isNegated)
    case .call: return "(\(try compare(filter, .equal, .literal(.boolean(true)))))"
    case .spatial(let predicate, let first, let second): return try spatial(predicate, first, second)
    case .arrays(let predicate, _, _): throw inexpressible(predicate.textName)
    case .literal, .property, .arithmetic, .negative, .choice, .geometry, .interval, .array:
      throw inexpressible(filter.nameInMessages)
    }
  }

  private mutating func chain(
    _ terms: [FilterExpression], _ word: String, _ isNegated: Bool
  ) throws(FilterWritingError) -> String {
    guard dialect == .postGIS || terms.count <= Self.chainLimit else {
      throw inexpressible("more than \(Self.chainLimit) conditions in a chain")
    }
    var texts: [String] = []
    for term in terms { texts.append(try condition(term, isNegated: isNegated)) }
    return texts.isEmpty ? (word == " AND " ? "(1 = 1)" : "(1 = 0)") : "(\(texts.joined(separator: word)))"
  }

  private mutating func membership(
    _ operand: FilterExpression, _ elements: [FilterExpression]
  ) throws(FilterWritingError) -> String {
    // The elements of a list are compared as one type, so a mix of dates and instants is compared one by one.
    var common: AttributeType?
    for element in elements {
      let pair = try commonType(operand, element)
      guard common == nil || pair == common || pair == nil || common?.family == .number else {
        return try chain(elements.map { .comparison(.equal, operand, $0) }, " OR ", false)
      }
      common = pair ?? common
    }
    var texts: [String] = []
    for element in elements { texts.append(try value(element, as: common)) }
    return "(\(try value(operand, as: common)) IN (\(texts.joined(separator: ", "))))"
  }

  private mutating func compare(
    _ first: FilterExpression, _ comparison: ComparisonOperator, _ second: FilterExpression
  ) throws(FilterWritingError) -> String {
    let common = try commonType(first, second)
    let sides = (try value(first, as: common), try value(second, as: common))
    // PostgreSQL orders text by language rules unless a collation is given; SQLite orders it by bytes.
    let isOrdered = comparison != .equal && comparison != .notEqual
    let collation = dialect == .postGIS && common == .text && isOrdered ? " COLLATE \"C\"" : ""
    return "\(sides.0) \(comparison.rawValue) \(sides.1)\(collation)"
  }

  private mutating func like(
    _ operand: FilterExpression, _ pattern: FilterExpression, _ escape: Unicode.Scalar?
  ) throws(FilterWritingError) -> String {
    guard case .literal(.text(let text)) = folded(pattern) else {
      throw inexpressible("a pattern that is not a literal")
    }
    let operand = try value(operand, as: .text)
    guard dialect == .spatiaLite else {
      return
        "(\(operand) LIKE \(try parameter(.text(LikePattern.withBackslash(text, escape: escape)))) ESCAPE '\\')"
    }
    // SQLite's LIKE ignores case. GLOB respects case and has other wildcards. SQLite refuses patterns beyond this
    // length.
    let glob = LikePattern.asGlob(text, escape: escape)
    guard glob.utf8.count < 50_000, !glob.unicodeScalars.contains("\0") else {
      throw inexpressible("a pattern of this length or with a zero character")
    }
    return "(\(operand) GLOB \(try parameter(.text(glob))))"
  }

  private mutating func isNull(_ operand: FilterExpression) throws(FilterWritingError) -> String {
    switch operand {
    case .interval(let start, let end):
      return try chain([start, end].compactMap { $0.map { .isNull($0) } }, " OR ", false)
    case .geometry: return "(1 = 0)"
    case .property(let name): return "(\(try column(name)) IS NULL)"
    default: return "(\(try value(operand, as: type(operand))) IS NULL)"
    }
  }

  /// Returns a text between quotation marks, with those inside it doubled.
  ///
  /// Scalars are compared, because a quotation mark with a combining character is another `Character`.
  static func quoted(_ text: String, by mark: Unicode.Scalar = "\"") -> String {
    var result = String.UnicodeScalarView([mark])
    for scalar in text.unicodeScalars {
      if scalar == mark { result.append(mark) }
      result.append(scalar)
    }
    result.append(mark)
    return String(result)
  }

  /// Returns the field's name as spelt in the table, in quotation marks, or the expression of its values.
  func column(_ name: String) throws(FilterWritingError) -> String {
    guard let index = try? fields.index(of: name) else { throw inexpressible("an unknown field") }
    let name = fields.fields[index].name
    guard let columns else { return Self.quoted(name) }
    guard let expression = columns[name] else { throw inexpressible("the field \(name)") }
    return expression
  }
}

extension SQLParameter {
  /// The value as a literal of PostgreSQL, to which its type is added.
  fileprivate var literal: String {
    switch self {
    case .integer(let number): "'\(number)'"
    case .real(let number): "'\(number)'"
    case .text(let text): SQLEmitter.quoted(text, by: "'")
    case .boolean(let flag): flag ? "'t'" : "'f'"
    }
  }
}

extension LikePattern {
  /// Returns a pattern of LIKE as a pattern of SQLite's GLOB.
  ///
  /// - Source: SQLite, "The LIKE, GLOB, REGEXP, MATCH, and extract operators": `*`, `?`, and sets in brackets.
  static func asGlob(_ pattern: String, escape: Unicode.Scalar?) -> String {
    var result = String.UnicodeScalarView()
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      switch scalar {
      case _ where !isEscaped && scalar == escape:
        isEscaped = true
        continue
      case "%" where !isEscaped: result.append("*")
      case "_" where !isEscaped: result.append("?")
      case "*", "?", "[": result.append(contentsOf: ["[", scalar, "]"])
      default: result.append(scalar)
      }
      isEscaped = false
    }
    return String(result)
  }
}
