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

  // MARK: Values, each converted to the type that its context needs

  /// Returns the type of a checked part.
  func type(_ expression: FilterExpression) throws(FilterWritingError) -> AttributeType? {
    do throws(FilterError) { return try expression.type(in: fields) } catch {
      throw inexpressible("\(error)")
    }
  }

  /// Returns the type as which two values are compared.
  func commonType(_ first: FilterExpression, _ second: FilterExpression) throws(FilterWritingError)
    -> AttributeType?
  {
    let (a, b) = (try type(first), try type(second))
    guard let a, let b else { return a ?? b }
    return AttributeType.common(a, first, b, second)
  }

  /// Returns an expression that does not depend on a row as a literal; others unchanged.
  func folded(_ expression: FilterExpression) -> FilterExpression {
    guard case .call(let name, let arguments) = expression,
      let function = FunctionCatalog.function(named: name),
      !function.needsCurrentTime, function.argumentCount.contains(arguments.count)
    else { return expression }
    var values: [AttributeValue] = []
    for argument in arguments {
      guard case .literal(let value) = folded(argument) else { return expression }
      values.append(value)
    }
    return .literal(function.value(of: values))
  }

  mutating func value(_ expression: FilterExpression, as type: AttributeType?) throws(FilterWritingError)
    -> String
  {
    let expression = folded(expression)
    if case .literal(let value) = expression { return try literal(value, as: type) }
    let own = try self.type(expression)
    let text = try plain(expression)
    return own == .date && type == .instant ? moment(ofDay: text) : text
  }

  // MARK: Literals

  private mutating func literal(
    _ value: AttributeValue, as type: AttributeType?
  ) throws(FilterWritingError) -> String {
    switch (value, type) {
    case (.null, _): return "NULL"
    // 0 and 1 beside a boolean are booleans.
    case (.integer(let number), .boolean?): return try parameter(boolean(number != 0))
    case (.boolean(let flag), _): return try parameter(boolean(flag))
    case (.integer(let number), _): return try parameter(.integer(number))
    case (.real(let number), _) where number.isFinite: return try parameter(.real(number))
    case (.text(let text), _) where !text.unicodeScalars.contains("\0"): return try parameter(.text(text))
    case (.date(let date), .instant?): return try moment(date.start)
    case (.date(let date), _) where CalendarDate(iso8601: date.description) != nil:
      let text = try parameter(.text(date.description))
      return dialect == .postGIS ? "\(text)::date" : text
    case (.instant(let instant), _): return try moment(instant)
    case (.real, _), (.text, _), (.date, _), (.duration, _): throw inexpressible(value.nameInMessages)
    }
  }

  /// Returns the parameter of a boolean; SQLite has no booleans, so it gets 1 or 0.
  private func boolean(_ flag: Bool) -> SQLParameter {
    dialect == .postGIS ? .boolean(flag) : .integer(flag ? 1 : 0)
  }

  private mutating func moment(_ instant: Instant) throws(FilterWritingError) -> String {
    guard Instant(rfc3339: instant.description) != nil else {
      throw inexpressible(AttributeValue.instant(instant).nameInMessages)
    }
    guard dialect == .spatiaLite else { return "\(try parameter(.text(instant.description)))::timestamptz" }
    // SQLite times have three decimals. The last microsecond of a day is cut to three nines, as in SQLite's own times.
    let rest = instant.microsecondOfDay % 1000
    guard rest == 0 || instant == instant.date.last else {
      throw inexpressible("a fraction of a millisecond")
    }
    let whole = Instant(microseconds: instant.microseconds - rest)
    let text = whole.description.dropLast()
    let digits = text.split(separator: ".").dropFirst().first?.utf8.count ?? 0
    return try parameter(
      .text(text + (digits == 0 ? "." : "") + String(repeating: "0", count: 3 - digits)))
  }

  /// Returns the start of a day as an instant in SQL.
  private func moment(ofDay text: String) -> String {
    dialect == .postGIS
      ? "(\(text)::timestamp AT TIME ZONE 'UTC')" : "strftime('%Y-%m-%dT%H:%M:%f', \(text))"
  }

  // MARK: Columns, arithmetic, CASE

  /// Writes a value in its own type.
  private mutating func plain(_ expression: FilterExpression) throws(FilterWritingError) -> String {
    switch expression {
    case .property(let name):
      let column = try self.column(name)
      // The function gives ISO 8601 text in one form, whatever form the table uses.
      if dialect == .spatiaLite, try type(expression) == .instant { return moment(ofDay: column) }
      return column
    case .negative(let operand):
      guard try type(operand) != .duration else { throw inexpressible("an interval of time") }
      return "(- \(try value(operand, as: type(operand))))"
    case .arithmetic(let operation, let first, let second): return try arithmetic(operation, first, second)
    case .call(let name, let arguments): return try call(name, arguments)
    case .choice(let operand, let branches, let otherwise): return try choice(operand, branches, otherwise)
    default: throw inexpressible(expression.nameInMessages)
    }
  }

  private mutating func arithmetic(
    _ operation: ArithmeticOperator, _ first: FilterExpression, _ second: FilterExpression
  ) throws(FilterWritingError) -> String {
    let types = (try type(first), try type(second))
    if types.0 == .date, operation == .add, second == .literal(.duration(.allOfADay)) {
      // A day becomes its last instant, which ends time intervals.
      let day = try value(first, as: .date)
      return dialect == .postGIS
        ? "((\(day) + time '23:59:59.999999') AT TIME ZONE 'UTC')"
        : "strftime('%Y-%m-%dT23:59:59.999', \(day))"
    }
    let isWhole = types == (.integer, .integer)
    guard isWhole || [types.0, types.1].allSatisfy({ $0 == nil || $0 == .integer || $0 == .real }) else {
      throw inexpressible("arithmetic with times")
    }
    let (a, b) = (try value(first, as: .real), try value(second, as: .real))
    let isPostGIS = dialect == .postGIS
    switch operation {
    case .add, .subtract, .multiply:
      // Integers beyond 64 bits are an error in PostgreSQL, and reals in SQLite and here.
      return isPostGIS && isWhole
        ? "(\(a)::numeric \(operation.rawValue) \(b)::numeric)" : "(\(a) \(operation.rawValue) \(b))"
    case .divide:
      return isPostGIS
        ? "(\(a)::double precision / NULLIF(\(b)::double precision, 0))" : "(CAST(\(a) AS REAL) / \(b))"
    case .divideWhole where isWhole:
      return isPostGIS ? "div(\(a)::numeric, NULLIF(\(b), 0)::numeric)" : "(\(a) / \(b))"
    case .modulo where isWhole:
      return isPostGIS ? "mod(\(a)::numeric, NULLIF(\(b), 0)::numeric)" : "(\(a) % \(b))"
    case .divideWhole:
      return isPostGIS
        ? "trunc(\(a)::double precision / NULLIF(\(b)::double precision, 0))"
        : "trunc(CAST(\(a) AS REAL) / \(b))"
    case .modulo:
      guard !isPostGIS else { throw inexpressible("% of reals") }
      return "mod(\(a), \(b))"
    case .power:
      // For other exponents databases raise errors or return infinity where the result here is null.
      guard case .literal(let exponent) = second, let number = exponent.realNumber, number >= 0,
        number == number.rounded()
      else { throw inexpressible("^ with an exponent other than a literal whole number from 0 up") }
      return isPostGIS ? "power(\(a)::double precision, \(b)::double precision)" : "pow(\(a), \(b))"
    }
  }

  private mutating func choice(
    _ operand: FilterExpression?, _ branches: [ChoiceBranch], _ otherwise: FilterExpression?
  ) throws(FilterWritingError) -> String {
    let common = try type(.choice(of: operand, branches, otherwise: otherwise))
    var text = "CASE"
    for branch in branches {
      let condition = operand.map { FilterExpression.comparison(.equal, $0, branch.when) } ?? branch.when
      text +=
        " WHEN \(try self.condition(condition, isNegated: false)) THEN \(try value(branch.then, as: common))"
    }
    if let otherwise { text += " ELSE \(try value(otherwise, as: common))" }
    return "\(text) END"
  }

  // MARK: Functions in the database's spelling, and spatial predicates

  mutating func call(_ name: String, _ arguments: [FilterExpression]) throws(FilterWritingError) -> String {
    let isPostGIS = dialect == .postGIS
    func refused() -> FilterWritingError { inexpressible("the function \(name)") }
    switch (name, arguments.count) {
    case ("CHAR_LENGTH", 1):
      return "\(isPostGIS ? "char_length" : "length")(\(try value(arguments[0], as: .text)))"
    case ("CONCAT", 2):
      return "(\(try value(arguments[0], as: .text)) || \(try value(arguments[1], as: .text)))"
    case ("SUBSTRING", 2...3):
      // For positions before the first character SQLite counts from the end, and negative lengths are errors.
      guard arguments.dropFirst().allSatisfy({ $0.wholeNumber.map { $0 >= 0 } ?? false }),
        arguments[1].wholeNumber ?? 0 >= 1
      else { throw refused() }
      var texts = [try value(arguments[0], as: .text)]
      for argument in arguments.dropFirst() {
        // PostgreSQL takes 32 bits here, also for the sum of both numbers, and has no text of 1 GiB.
        let number = argument.wholeNumber.map { isPostGIS ? min($0, 1 << 30 - 1) : $0 }
        let argument = number.map { FilterExpression.literal(.integer($0)) } ?? argument
        texts.append("\(try value(argument, as: .integer))\(isPostGIS ? "::int" : "")")
      }
      return "\(isPostGIS ? "substring" : "substr")(\(texts.joined(separator: ", ")))"
    case ("POSITION", 2):
      let (wanted, text) = (try value(arguments[0], as: .text), try value(arguments[1], as: .text))
      return isPostGIS ? "strpos(\(text), \(wanted))" : "instr(\(text), \(wanted))"
    case ("TRIM", 1): return "trim(\(try value(arguments[0], as: .text)), ' ')"
    case ("TRIM", 3):
      guard case .literal(.text(let side)) = arguments[0] else { throw refused() }
      let function = side == "LEADING" ? "ltrim" : side == "TRAILING" ? "rtrim" : isPostGIS ? "btrim" : "trim"
      let characters = try value(arguments[1], as: .text)
      return "\(function)(\(try value(arguments[2], as: .text)), \(characters))"
    case ("CEILING", 1), ("FLOOR", 1):
      return "\(name == "FLOOR" ? "floor" : "ceil")(\(try value(arguments[0], as: .real)))"
    case ("ABS", 1) where try type(arguments[0]) == .real: return "abs(\(try value(arguments[0], as: .real)))"
    case ("MOD", 2):
      return try value(.arithmetic(.modulo, arguments[0], arguments[1]), as: .real)
    case ("COALESCE", _):
      var common: AttributeType?
      for argument in arguments { common = try type(argument) ?? common }
      var texts = ["NULL"]
      for argument in arguments { texts.append(try value(argument, as: common)) }
      return "coalesce(\(texts.joined(separator: ", ")))"
    case ("NULLIF", 2):
      let common = try commonType(arguments[0], arguments[1])
      return "nullif(\(try value(arguments[0], as: common)), \(try value(arguments[1], as: common)))"
    case ("EXTRACT", 2): return try part(arguments[0], of: arguments[1])
    default: throw refused()
    }
  }

  private mutating func part(_ unit: FilterExpression, of moment: FilterExpression) throws(FilterWritingError)
    -> String
  {
    let signs = ["YEAR": "Y", "MONTH": "m", "DAY": "d", "HOUR": "H", "MINUTE": "M"]
    guard case .literal(.text(let word)) = unit, let sign = signs[word] else {
      throw inexpressible("EXTRACT of seconds")
    }
    let text = try value(moment, as: .instant)
    return dialect == .postGIS
      ? "EXTRACT(\(word) FROM \(text) AT TIME ZONE 'UTC')" : "CAST(strftime('%\(sign)', \(text)) AS INTEGER)"
  }

  // MARK: Geometries

  mutating func spatial(
    _ predicate: SpatialPredicate, _ first: FilterExpression, _ second: FilterExpression
  ) throws(FilterWritingError) -> String {
    // ST_Disjoint cannot use a spatial index, so it is written as NOT ST_Intersects.
    let asked: SpatialPredicate = predicate == .disjoint ? .intersects : predicate
    let sides = (try geometry(first, asked), try geometry(second, asked))
    let name = "ST_" + asked.rawValue.prefix(1).uppercased() + asked.rawValue.dropFirst()
    let call = "\(name)(\(sides.0), \(sides.1))"
    let not = predicate == .disjoint ? "NOT " : ""
    guard dialect == .spatiaLite else { return "(\(not)\(call))" }
    // SpatiaLite returns -1 when a geometry is null.
    var columns: [String] = []
    for side in [first, second] {
      if case .property(let name) = side { columns.append(try column(name)) }
    }
    let answer = "\(call) \(predicate == .disjoint ? "<>" : "=") 1"
    guard let column = columns.first else { return "(\(answer))" }
    return "(CASE WHEN \(column) IS NOT NULL THEN \(answer) END)"
  }

  private mutating func geometry(
    _ expression: FilterExpression, _ predicate: SpatialPredicate
  ) throws(FilterWritingError) -> String {
    switch expression {
    case .property(let name): return try column(name)
    case .geometry(let literal):
      if case .collection = literal, predicate != .intersects {
        throw inexpressible("\(predicate.textName) of a collection")
      }
      guard let text = literal.withoutBoxes?.wellKnownText else {
        throw inexpressible("a box without area")
      }
      return "ST_GeomFromText(\(try parameter(.text(text))), 4326)"
    default: throw inexpressible(expression.nameInMessages)
    }
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

extension FilterExpression {
  fileprivate var wholeNumber: Int64? {
    if case .literal(.integer(let number)) = self { number } else { nil }
  }
}

extension GeometryLiteral {
  /// The geometry with a box as polygons; nil for a box without width or height.
  fileprivate var withoutBoxes: GeometryLiteral? {
    guard case .box(let west, let south, let east, let north) = self else { return self }
    guard south < north, west != east, west <= east || (west < 180 && east > -180) else { return nil }
    func rectangle(_ west: Double, _ east: Double) -> [[Point]] {
      [
        [(west, south), (east, south), (east, north), (west, north), (west, south)].map {
          Point(x: $0.0, y: $0.1)
        }
      ]
    }
    return west < east
      ? .polygon(rectangle(west, east)) : .multipolygon([rectangle(west, 180), rectangle(-180, east)])
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
