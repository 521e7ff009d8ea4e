/// A database that filters are written for.
public enum SQLDialect: String, CaseIterable, Hashable, Sendable {
  /// PostgreSQL with PostGIS; parameters are `$1`, `$2`, …
  case postGIS = "postgis"
  /// SQLite with SpatiaLite, over its own tables or GeoPackage in amphibious mode; parameters are `?1`, `?2`, …
  case spatiaLite = "spatialite"

  var name: String { self == .postGIS ? "PostGIS" : "SpatiaLite" }
}

/// A value that a statement is given beside its text.
public enum SQLParameter: Hashable, Sendable {
  /// A whole number.
  case integer(Int64)
  /// A double.
  case real(Double)
  /// Text, days and moments among it.
  case text(String)
  /// True or false.
  case boolean(Bool)
}

/// A filter as a database is asked it: what it can answer exactly, and what is left to be answered in memory.
public struct SQLFilter: Hashable, Sendable {
  /// The condition, to stand behind WHERE; nil where the database can answer no part.
  public let text: String?
  /// The values, by the numbers in the text, from 1.
  public let parameters: [SQLParameter]
  /// What has to be asked of the rows that the database gives; nil where it answers the whole.
  public let residual: Expression?
  /// Why there is a residual, a reason a part.
  public let losses: [FilterWritingError]
}

extension Expression {
  /// The filter for a database, with parameters in place of all values.
  ///
  /// Of a chain of ANDs the database is asked the terms that it answers exactly; any other filter whole or not at all.
  /// No text of a user's gets into the statement but as a quoted name or a parameter. The fields say which types the
  /// columns have: moments are `timestamptz` in PostGIS, text of ISO 8601 in SpatiaLite. Geometries are in WGS 84.
  ///
  /// - Throws: ``FilterError`` for a filter that does not fit the fields.
  public func sql(for dialect: SQLDialect, fields: FilterFields) throws(FilterError) -> SQLFilter {
    try check(against: fields)
    var terms = [self]
    if case .and(let all) = self { terms = all }
    var emitter = SQLEmitter(dialect: dialect, fields: fields)
    var (texts, residual, losses): ([String], [Expression], [FilterWritingError]) = ([], [], [])
    for term in terms {
      let parameterCount = emitter.parameters.count
      do throws(FilterWritingError) {
        guard dialect == .postGIS || texts.count < SQLEmitter.chainLimit else {
          throw emitter.inexpressible("so long a chain")
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

/// Writes parts of a tree as SQL that a database answers as memory does.
///
/// - Source: PostgreSQL 15 and PostGIS 3.3, SQLite 3.40 and SpatiaLite 5.0; each rule names what the two do otherwise.
struct SQLEmitter {
  let dialect: SQLDialect
  let fields: FilterFields
  private(set) var parameters: [SQLParameter] = []
  /// How many parameters a statement may have.
  ///
  /// - Source: SQLite's default since 3.32; PostgreSQL takes 65,535.
  private static let parameterLimit = 32_766
  /// How many terms a chain may have in SQLite, which takes each for one level of 1,000.
  static let chainLimit = 400

  init(dialect: SQLDialect, fields: FilterFields) { (self.dialect, self.fields) = (dialect, fields) }

  /// Takes back the parameters of a term that could not be written.
  mutating func dropParameters(after count: Int) { parameters.removeSubrange(count...) }

  func inexpressible(_ part: String) -> FilterWritingError { FilterWritingError(dialect.name, part) }

  mutating func parameter(_ value: SQLParameter) throws(FilterWritingError) -> String {
    guard parameters.count < Self.parameterLimit else { throw inexpressible("so many values") }
    parameters.append(value)
    let number = parameters.count
    guard dialect == .postGIS else { return "?\(number)" }
    return switch value {
    case .integer: "$\(number)::bigint"
    case .real: "$\(number)::double precision"
    case .text: "$\(number)::text"
    case .boolean: "$\(number)::boolean"
    }
  }

  // MARK: Conditions

  /// A condition in parentheses that hold it together; beneath a negation what is unknown may be true, else false.
  mutating func condition(_ filter: Expression, isNegated: Bool) throws(FilterWritingError) -> String {
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
        Expression.comparison(.greaterOrEqual, operand, lower), .comparison(.lessOrEqual, operand, upper),
      ]
      let nulls = [lower, upper].filter { !$0.isLiteral }.map { Expression.isNull($0) }
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
    _ terms: [Expression], _ word: String, _ isNegated: Bool
  ) throws(FilterWritingError) -> String {
    guard dialect == .postGIS || terms.count <= Self.chainLimit else {
      throw inexpressible("so long a chain")
    }
    var texts: [String] = []
    for term in terms { texts.append(try condition(term, isNegated: isNegated)) }
    return texts.isEmpty ? (word == " AND " ? "(1 = 1)" : "(1 = 0)") : "(\(texts.joined(separator: word)))"
  }

  private mutating func membership(
    _ operand: Expression, _ elements: [Expression]
  ) throws(FilterWritingError) -> String {
    // A list compares as one type, so days among moments are compared one by one.
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
    _ first: Expression, _ comparison: ComparisonOperator, _ second: Expression
  ) throws(FilterWritingError) -> String {
    let common = try commonType(first, second)
    let sides = (try value(first, as: common), try value(second, as: common))
    // Databases order text by the rules of a language unless told otherwise; SQLite by bytes.
    let isOrdered = comparison != .equal && comparison != .notEqual
    let collation = dialect == .postGIS && common == .text && isOrdered ? " COLLATE \"C\"" : ""
    return "\(sides.0) \(comparison.rawValue) \(sides.1)\(collation)"
  }

  private mutating func like(
    _ operand: Expression, _ pattern: Expression, _ escape: Unicode.Scalar?
  ) throws(FilterWritingError) -> String {
    guard case .literal(.text(let text)) = folded(pattern) else {
      throw inexpressible("a pattern that is not written down")
    }
    let operand = try value(operand, as: .text)
    guard dialect == .spatiaLite else {
      return
        "(\(operand) LIKE \(try parameter(.text(LikePattern.withBackslash(text, escape: escape)))) ESCAPE '\\')"
    }
    // SQLite's LIKE knows no case; GLOB has other signs and the same meaning. Longer patterns it refuses.
    let glob = LikePattern.asGlob(text, escape: escape)
    guard glob.utf8.count < 50_000, !glob.unicodeScalars.contains("\0") else {
      throw inexpressible("so long a pattern")
    }
    return "(\(operand) GLOB \(try parameter(.text(glob))))"
  }

  private mutating func isNull(_ operand: Expression) throws(FilterWritingError) -> String {
    switch operand {
    case .interval(let start, let end):
      return try chain([start, end].compactMap { $0.map { .isNull($0) } }, " OR ", false)
    case .geometry: return "(1 = 0)"
    case .property(let name): return "(\(Self.quoted(try column(name))) IS NULL)"
    default: return "(\(try value(operand, as: type(operand))) IS NULL)"
    }
  }

  /// A name in quotes, which cannot end it.
  static func quoted(_ name: String) -> String {
    "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }

  /// The field's name as the table has it.
  func column(_ name: String) throws(FilterWritingError) -> String {
    guard let index = try? fields.index(of: name) else { throw inexpressible("a field that is not there") }
    return fields.fields[index].name
  }
}

extension LikePattern {
  /// A pattern of LIKE as one of SQLite's GLOB.
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
