import MapFeatures
import MapFilter
import MapReaders

/// Writes the statements that ask a table for the exact states of statistics by group.
///
/// PostgreSQL's own sums of decimals depend on the order of the rows. So the database adds whole numbers: the values times a
/// power of two for each range of sizes, and parts of their squares.
///
/// - Source: PostgreSQL 15, "Aggregate Functions": the sum of `int8` values is a `numeric` and exact. IEEE 754, binary64.
struct GroupedQuery {
  /// A statement with the columns of its answer.
  struct Statement {
    /// The columns; the first numbers the rows.
    let table: TableDescription
    /// The text of the statement.
    let text: String
  }

  let table: TableDescription
  /// The conditions with WHERE in front.
  let conditions: String
  let outline: PartialStatistics.Outline

  /// The largest number of groups that are asked for; of more, the rows are sent.
  ///
  /// - Source: design decision; a group takes more bytes than a row.
  static let largestCount = 100_000
  /// The bits of the lower part of a number whose square is added.
  private static let lowBits = (real: 30, integer: 31)
  /// The exponents of the ranges of decimals: values from 2^k on, and below 2^(k + 8), become whole numbers below 2^60.
  ///
  /// - Source: design decision; values outside of the ranges are rare, and their rows are sent.
  private static let exponents = Array(stride(from: -152, through: 144, by: 8))

  /// Creates the query; nil if a column has values that PostgreSQL groups or compares otherwise than MapState.
  init?(_ table: TableDescription, conditions: String, _ outline: PartialStatistics.Outline) {
    for index in outline.groups {
      // -0 and 0 are one group here.
      guard table.columns[index].condition != nil, table.columns[index].copied.form.kind != .real else {
        return nil
      }
    }
    guard outline.items.allSatisfy({ table.columns[$0.column].condition != nil }) else { return nil }
    (self.table, self.conditions, self.outline) = (table, conditions, outline)
  }

  /// Whether the sum of a column is that of whole numbers.
  func isWhole(_ item: PartialStatistics.Outline.Item) -> Bool {
    table.columns[item.column].copied.form.kind == .integer
  }

  private func value(_ item: PartialStatistics.Outline.Item) -> String {
    table.columns[item.column].condition ?? "NULL"
  }

  /// The expressions of the group columns with the forms of their values.
  private var groups: [(expression: String, form: CopyColumn.Form)] {
    outline.groups.map { index in
      let column = table.columns[index]
      return (column.condition ?? "NULL", column.copied.form.conditionForm)
    }
  }

  // MARK: Statements

  /// The statement for the number of rows of each group, and for each item the number of values, the bounds, and the sums
  /// of whole numbers.
  var groupStatement: Statement {
    var values = groups
    values.append(("count(*)", .int64))
    for item in outline.items {
      let value = value(item)
      values.append(("count(\(value))", .int64))
      if item.hasBounds { values += bounds(item, value) }
      guard item.hasSum, isWhole(item) else { continue }
      values.append(("sum((\(value))::int8)::pg_catalog.text", .text))
      guard item.hasSquares else { continue }
      if [.int16, .int32].contains(table.columns[item.column].copied.form) {
        values.append(("'0'::pg_catalog.text", .text))
        values.append(("'0'::pg_catalog.text", .text))
        values.append(("sum((\(value))::int8 * (\(value))::int8)::pg_catalog.text", .text))
        continue
      }
      // The parts of a value are its higher 33 bits with the sign, and its lower 31 bits.
      let high = "((\(value))::int8 >> \(Self.lowBits.integer))"
      let low = "((\(value))::int8 & \(1 << Self.lowBits.integer - 1))"
      values.append(("sum(\(high)::numeric * \(high)::numeric)::pg_catalog.text", .text))
      values.append(("sum(\(high)::numeric * \(low)::numeric)::pg_catalog.text", .text))
      values.append(("sum(\(low) * \(low))::pg_catalog.text", .text))
    }
    return statement(
      values, from: "\(table.name)\(conditions)", groupedBy: groups.count, limit: Self.largestCount + 1)
  }

  private func bounds(
    _ item: PartialStatistics.Outline.Item, _ value: String
  ) -> [(expression: String, form: CopyColumn.Form)] {
    let form = table.columns[item.column].copied.form
    return ["min", "max"].map { bound in
      switch form.kind {
      case .text: ("\(bound)(\(value) COLLATE \"C\")", .text)
      case .boolean: ("bool_\(bound == "min" ? "and" : "or")(\(value))", .boolean)
      default: ("\(bound)(\(value))", form.conditionForm)
      }
    }
  }

  /// Returns the statement for the sums of a column of decimals: for each group and range of sizes the sum of the whole
  /// numbers, and of the parts of their squares.
  ///
  /// The range 0 has the value 0. The range 1 and the last have the values that are too small and too large.
  func sumStatement(_ item: PartialStatistics.Outline.Item) -> Statement {
    let names = groups.indices.map { "g\($0)" }
    let condition = conditions.isEmpty ? " WHERE " : conditions + " AND "
    let selected = zip(groups, names).map { "\($0.expression) AS \($1)" } + ["\(value(item)) AS v"]
    let rows =
      "SELECT \(selected.joined(separator: ", ")) FROM \(table.name)\(condition)\(value(item)) IS NOT NULL"
    func array(_ numbers: [Double]) -> String {
      "'{\(numbers.map { "\($0)" }.joined(separator: ","))}'::double precision[]"
    }
    func power(_ exponent: Int) -> Double { Double(sign: .plus, exponent: exponent, significand: 1) }
    let limits = Self.exponents + [(Self.exponents.last ?? 0) + 8]
    let starts = array([.leastNonzeroMagnitude] + limits.map(power))
    let factors = array([0, 0] + Self.exponents.map { power(52 - $0) } + [0])
    // Without OFFSET, the planner would join the queries and compute a value for each of its uses, which takes three times
    // longer (PostgreSQL 15).
    let list = names.map { "\($0), " }.joined()
    let ranges =
      "SELECT \(list)v, pg_catalog.width_bucket(abs(v), \(starts)) AS e FROM (\(rows) OFFSET 0) AS r OFFSET 0"
    let parts = "SELECT \(list)e, (v * (\(factors))[e + 1])::int8 AS m FROM (\(ranges)) AS r OFFSET 0"
    var values: [(expression: String, form: CopyColumn.Form)] = zip(names, groups).map { ($0, $1.form) }
    values.append(("e::int8", .int64))
    values.append(("sum(m)::pg_catalog.text", .text))
    if item.hasSquares {
      let (high, low) = ("(m >> \(Self.lowBits.real))", "(m & \(1 << Self.lowBits.real - 1))")
      for product in ["\(high) * \(high)", "\(high) * \(low)", "\(low) * \(low)"] {
        values.append(("sum(\(product))::pg_catalog.text", .text))
      }
    }
    return statement(values, from: "(\(parts)) AS p", groupedBy: groups.count + 1, limit: nil)
  }

  private func statement(
    _ values: [(expression: String, form: CopyColumn.Form)], from rows: String, groupedBy count: Int,
    limit: Int?
  ) -> Statement {
    let number = TableDescription.Column(
      copied: CopyColumn(Field(name: "number", type: .int64), .int64),
      expression: "row_number() OVER ()", condition: nil)
    let columns = values.enumerated().map { index, value in
      TableDescription.Column(
        copied: CopyColumn(Field(name: "value\(index)", type: .text), value.form),
        expression: value.expression, condition: nil)
    }
    var text = "SELECT \(([number] + columns).map(\.expression).joined(separator: ", ")) FROM \(rows)"
    if count > 0 { text += " GROUP BY \((0..<count).map { "\($0 + 2)" }.joined(separator: ", "))" }
    if let limit { text += " LIMIT \(limit)" }
    return Statement(
      table: TableDescription(
        name: "", columns: [number] + columns, key: "number", geometry: nil, warnings: []),
      text: "COPY (\(text)) TO STDOUT (FORMAT binary)")
  }
}

extension CopyColumn.Form {
  /// The form of the values of ``TableDescription/Column/condition``.
  fileprivate var conditionForm: CopyColumn.Form {
    switch self {
    case .real32, .numeric: .real64
    case .uuid: .text
    case .timestamp: .timestamp(hasZone: true)
    default: self
    }
  }
}

// MARK: - Answers

extension GroupedQuery {
  /// Returns the statistics from the answers to the statements; nil for values of sizes that are not added.
  ///
  /// - Parameters:
  ///   - groupRows: the answer to ``groupStatement``.
  ///   - sums: the answers to ``sumStatement(_:)`` by the index of the item.
  func statistics(_ groupRows: FeatureColumns, sums: [Int: FeatureColumns]) -> PartialStatistics? {
    let count = groups.count
    var groups: [(values: [AttributeValue], rowCount: Int, numbers: [PartialStatistics.Numbers])] = []
    var places: [[AttributeValue]: Int] = [:]
    for row in 0..<groupRows.rowCount {
      // The first column numbers the rows.
      var values = groupRows.columns.dropFirst().map { $0.value(at: row) }[...]
      let group = Array(values.prefix(count))
      values.removeFirst(count)
      guard let rowCount = values.popFirst()?.wholeNumber else { return nil }
      var numbers: [PartialStatistics.Numbers] = []
      for item in outline.items {
        var number = PartialStatistics.Numbers()
        guard let count = values.popFirst()?.wholeNumber else { return nil }
        number.count = Int(count)
        if item.hasBounds {
          guard let minimum = values.popFirst(), let maximum = values.popFirst() else { return nil }
          (number.minimum, number.maximum) = (minimum, maximum)
        }
        if item.hasSum, isWhole(item) {
          guard let sum = values.popFirst()?.sum else { return nil }
          number.sum.add(sum, exponent: 0)
          if item.hasSquares {
            guard number.addSquares(from: &values, lowBits: Self.lowBits.integer, exponent: 0) else {
              return nil
            }
          }
        }
        numbers.append(number)
      }
      places[group] = groups.count
      groups.append((group, Int(rowCount), numbers))
    }
    for (index, rows) in sums {
      for row in 0..<rows.rowCount {
        var values = rows.columns.dropFirst().map { $0.value(at: row) }[...]
        let group = Array(values.prefix(count))
        values.removeFirst(count)
        guard let place = places[group], let range = values.popFirst()?.wholeNumber,
          let sum = values.popFirst()?.sum
        else { return nil }
        guard range != 0 else { continue }
        guard (2..<Int64(Self.exponents.count) + 2).contains(range) else { return nil }
        let exponent = Self.exponents[Int(range) - 2] - 52
        groups[place].numbers[index].sum.add(sum, exponent: exponent)
        guard outline.items[index].hasSquares else { continue }
        let isAdded = groups[place].numbers[index].addSquares(
          from: &values, lowBits: Self.lowBits.real, exponent: 2 * exponent)
        guard isAdded else { return nil }
      }
    }
    return PartialStatistics(outline, groups: groups)
  }
}

extension PartialStatistics.Numbers {
  /// Adds the squares of numbers of two parts: the sums of the squared higher parts, of the products, and of the squared
  /// lower parts; returns false for other values.
  fileprivate mutating func addSquares(
    from values: inout ArraySlice<AttributeValue>, lowBits: Int, exponent: Int
  ) -> Bool {
    guard let high = values.popFirst()?.sum, let mixed = values.popFirst()?.sum,
      let low = values.popFirst()?.sum
    else { return false }
    squares.add(high, exponent: exponent + 2 * lowBits)
    squares.add(mixed, exponent: exponent + lowBits + 1)
    squares.add(low, exponent: exponent)
    return true
  }
}

extension AttributeValue {
  fileprivate var wholeNumber: Int64? { if case .integer(let number) = self { number } else { nil } }

  /// A sum of whole numbers, which is text because it may have more than 64 bits; 0 for the null of no values.
  fileprivate var sum: Int128? {
    switch self {
    case .null: 0
    case .text(let text): Int128(text)
    default: nil
    }
  }
}
