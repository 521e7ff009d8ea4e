package import MapFilter

/// Sorting of a table's rows.
package enum RowOrdering {
  /// Returns the order of two values, with null greater or less than every value.
  ///
  /// - Source: PostgreSQL, where null is greater than every value; SQL-92 13.1 leaves it to the implementation.
  static func order(
    _ first: AttributeValue, _ second: AttributeValue, nullIsLeast: Bool = false
  ) -> ValueOrdering {
    switch (first, second) {
    case (.null, .null): .equal
    case (.null, _): nullIsLeast ? .less : .greater
    case (_, .null): nullIsLeast ? .greater : .less
    default: first.ordering(to: second) ?? .equal
    }
  }

  /// Returns the rows of a set, sorted by fields; rows that compare equal stay in the order of the table.
  ///
  /// - Cost: a sort of the set; texts are compared once per distinct value.
  /// - Throws: ``FilterError`` for an unknown field.
  package static func rows(
    _ rows: RowSet, of table: FeatureColumns, by fields: [OrderBy]
  ) throws(FilterError) -> [Int] {
    guard !fields.isEmpty else { return Array(rows) }
    let known = FilterFields(zip(table.schema.fields, table.columns).map { (name: $0.name, type: $1.type) })
    var keys: [(key: SortKey, descending: Bool)] = []
    for field in fields {
      let column = table.columns[try known.index(of: field.fieldName)]
      keys.append((SortKey(column, nullIsLeast: field.nullIsLeast), field.sortOrder == .descending))
    }
    return rows.sorted { first, second in
      for (key, descending) in keys {
        switch key.order(first, second) {
        case .less: return !descending
        case .greater: return descending
        case .equal: continue
        }
      }
      return first < second
    }
  }
}

/// A column prepared for the comparison of rows.
private struct SortKey {
  private let numbers: ColumnNumbers
  private let validity: RowSet?
  private let nullIsLeast: Bool

  init(_ column: Column, nullIsLeast: Bool) {
    (numbers, validity, self.nullIsLeast) = (ColumnNumbers(column), column.validity, nullIsLeast)
  }

  func order(_ first: Int, _ second: Int) -> ValueOrdering {
    if let validity {
      switch (validity.contains(first), validity.contains(second)) {
      case (false, false): return .equal
      case (false, true): return nullIsLeast ? .less : .greater
      case (true, false): return nullIsLeast ? .greater : .less
      case (true, true): break
      }
    }
    return switch numbers {
    case .integers(let values, _): ValueOrdering(values[first], values[second])
    case .shortIntegers(let values): ValueOrdering(values[first], values[second])
    case .reals(let values): ValueOrdering(values[first], values[second])
    }
  }
}

/// The values of a column as numbers with the same order.
enum ColumnNumbers {
  /// Integers, timestamps, days, booleans as 0 and 1, or the ranks of texts, with the texts in order.
  case integers([Int64], texts: [String])
  /// Integers or days in 32 bits.
  case shortIntegers([Int32])
  /// Decimal numbers.
  case reals([Double])

  /// Converts a column; the numbers of null rows have no meaning.
  init(_ column: Column) {
    switch column.storage {
    case .reals(let values): self = .reals(values)
    case .integers(let values), .instants(let values): self = .integers(values, texts: [])
    case .booleans(let values): self = .integers(values.map { $0 ? 1 : 0 }, texts: [])
    case .dates(let values), .shortIntegers(let values): self = .shortIntegers(values)
    case .text(let codes, let dictionary):
      let order = dictionary.indices.sorted {
        ValueOrdering(text: dictionary[$0], dictionary[$1]) == .less
      }
      var ranks = [Int64](repeating: 0, count: order.count)
      for (rank, code) in order.enumerated() { ranks[code] = Int64(rank) }
      self = .integers(
        codes.map { $0 < 0 ? 0 : ranks[Int($0)] }, texts: order.map { dictionary[$0] })
    }
  }
}
