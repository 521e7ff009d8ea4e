package import MapFilter

extension StatisticsTable {
  /// Computes the statistics of some rows of a table.
  ///
  /// - Cost: one pass over the rows per field with statistics, on all cores; see `GroupCodes` for the groups. Percentiles
  ///   and distinct values sort a copy of the field's values, on one core.
  /// - Error: sums, averages, variances and standard deviations are exact, then rounded once to the nearest double. The
  ///   digits do not depend on the order of the rows or the number of threads.
  /// - Throws: ``StatisticsError``, ``QueryConditionError`` for the condition on records.
  package init(_ query: StatisticsQuery, of table: FeatureColumns, rows: RowSet) throws {
    let bound = try BoundStatistics(query, for: table)
    let groups = GroupCodes(bound.groups.map { table.columns[$0.column] }, rows: rows)
    // The index of a column, after those of the table for a text column that is read as numbers.
    func place(_ column: Int, _ statistic: StatisticDefinition.StatisticType) -> Int {
      statistic.readsTexts(table.columns[column].type) ? table.columns.count + column : column
    }
    var figures: [Int: ColumnFigures] = [:]
    var sorted: [Int: SortedValues] = [:]
    for (column, definition) in bound.definitions {
      guard let column else { continue }
      let statistic = definition.statisticType
      let place = place(column, statistic)
      guard statistic.needsOrder ? sorted[place] == nil : figures[place] == nil else { continue }
      let values = place == column ? table.columns[column] : table.columns[column].readingNumbers
      if statistic.needsOrder {
        sorted[place] = SortedValues(of: values, rows: rows, groups: groups)
      } else {
        figures[place] = ColumnFigures(
          of: values, rows: rows, groups: groups, needsSpread: bound.needsSpread(of: column))
      }
    }
    let needsCounts = figures.isEmpty || bound.definitions.contains { $0.column == nil }
    let rowCounts = needsCounts ? groups.rowCounts(of: rows) : []
    let occurs = figures.values.first?.occurs ?? rowCounts.map { $0 > 0 }
    var records: [Record] = []
    for group in 0..<groups.count where bound.groups.isEmpty || occurs[group] {
      var values: [AttributeValue] = []
      for (column, definition) in bound.definitions {
        let (statistic, field) = (definition.statisticType, definition.fieldName)
        guard let column else {
          values.append(.integer(Int64(rowCounts[group])))
          continue
        }
        if statistic.needsOrder {
          guard let sorted = sorted[place(column, statistic)] else { continue }
          values.append(try sorted.value(statistic, group: group, field: field))
        } else {
          guard let figure = figures[place(column, statistic)] else { continue }
          values.append(try figure.value(statistic, group: group, field: field))
        }
      }
      records.append(Record(group: groups.values(of: group), statistics: values))
    }
    self.init(bound, records)
  }

  /// Creates the answer to a query about tables like this one, from statistics computed elsewhere, in any order.
  ///
  /// - Throws: ``StatisticsError``, ``QueryConditionError``.
  package init(
    _ query: StatisticsQuery, ofTablesLike table: FeatureColumns,
    records: [(group: [AttributeValue], statistics: [AttributeValue])]
  ) throws {
    self.init(
      try BoundStatistics(query, for: table),
      records.map { Record(group: $0.group, statistics: $0.statistics) })
  }

  private init(_ bound: BoundStatistics, _ records: [Record]) {
    self.init(
      groupFieldNames: bound.groups.map(\.name), aliases: bound.definitions.map(\.definition.outputAlias),
      records: bound.selected(records))
  }
}
