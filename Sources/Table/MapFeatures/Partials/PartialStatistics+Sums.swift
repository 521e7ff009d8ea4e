package import MapFilter

extension PartialStatistics {
  /// The columns that a query needs, for a database that computes the numbers of each group.
  package struct Outline: Sendable {
    /// A column with the numbers that the query needs of it.
    package struct Item: Sendable {
      /// The index of the column.
      package let column: Int
      /// Whether the least and the greatest value are needed.
      package let hasBounds: Bool
      /// Whether the sum is needed.
      package let hasSum: Bool
      /// Whether the sum of squares is needed.
      package let hasSquares: Bool
    }

    /// The indexes of the group columns, each once.
    package let groups: [Int]
    /// The columns with statistics, each once.
    package let items: [Item]
    fileprivate let groupFields: [Field]
    fileprivate let fields: [Field]

    /// Creates the outline of a query about a table with the columns of an empty one.
    ///
    /// - Throws: ``StatisticsError``, ``QueryConditionError``.
    package init(_ query: StatisticsQuery, of table: FeatureColumns) throws {
      try query.checkMergeable()
      let bound = try BoundStatistics(query, for: table)
      func field(_ column: Int) -> Field {
        Field(name: table.schema.fields[column].name, type: table.columns[column].type)
      }
      var columns: [Int] = []
      for (column, _) in bound.definitions {
        if let column, !columns.contains(column) { columns.append(column) }
      }
      items = columns.map { column in
        let types = bound.definitions.filter { $0.column == column }.map(\.definition.statisticType)
        return Item(
          column: column, hasBounds: types.contains { [.minimum, .maximum].contains($0) },
          hasSum: types.contains { ![.minimum, .maximum, .count].contains($0) },
          hasSquares: bound.needsSpread(of: column))
      }
      groups = bound.groups.map(\.column)
      (groupFields, fields) = (groups.map(field), columns.map(field))
    }
  }

  /// The numbers of one field in one group.
  package struct Numbers: Sendable {
    /// The number of values.
    package var count = 0
    /// The least and the greatest value; null if they are not needed.
    package var (minimum, maximum) = (AttributeValue.null, AttributeValue.null)
    /// The sum of the values, and that of their squares; 0 if they are not needed.
    package var (sum, squares) = (ExactSum(), ExactSum())

    /// Creates the numbers of no values.
    package init() {}
  }

  /// Creates the statistics of groups; `numbers` are those of the outline's items.
  package init(
    _ outline: Outline,
    groups: [(values: [AttributeValue], rowCount: Int, numbers: [Numbers])]
  ) {
    self.init(
      groupFields: outline.groupFields, fields: outline.fields,
      groups: groups.map { group in
        Group(
          values: group.values, rowCount: group.rowCount,
          figures: group.numbers.map { numbers in
            Figures(
              moments: ExactMoments(count: numbers.count, sum: numbers.sum, squares: numbers.squares),
              minimum: numbers.minimum.withoutNegativeZero, maximum: numbers.maximum.withoutNegativeZero)
          })
      })
  }
}
