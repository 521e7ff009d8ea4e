package import MapFilter

extension StatisticsTable {
  /// Computes the statistics of some rows of a table.
  ///
  /// - Cost: one pass over the rows per field with statistics, on all cores; see `GroupCodes` for the groups.
  /// - Error: sums, averages, variances and standard deviations are exact, then rounded once to the nearest double. The
  ///   digits do not depend on the order of the rows or the number of threads.
  /// - Throws: ``StatisticsError``.
  public init(_ query: StatisticsQuery, of table: FeatureColumns, rows: RowSet) throws {
    let bound = try BoundStatistics(query, for: table)
    let groups = GroupCodes(bound.groups.map { table.columns[$0.column] }, rows: rows)
    var figures: [Int: ColumnFigures] = [:]
    for column in Set(bound.definitions.map(\.column)) {
      let needsSpread = bound.definitions.contains {
        $0.column == column && [.variance, .standardDeviation].contains($0.definition.statisticType)
      }
      figures[column] = ColumnFigures(
        of: table.columns[column], rows: rows, groups: groups, needsSpread: needsSpread)
    }
    var records: [Record] = []
    let occurs = figures.values.first?.occurs ?? []
    for group in 0..<groups.count where bound.groups.isEmpty || occurs[group] {
      var values: [AttributeValue] = []
      for (column, definition) in bound.definitions {
        guard let figure = figures[column] else { continue }
        values.append(
          try figure.value(definition.statisticType, group: group, field: definition.fieldName))
      }
      records.append(Record(group: groups.values(of: group), statistics: values))
    }
    self.init(bound, records)
  }

  /// Creates the answer to a query about tables like this one, from statistics computed elsewhere, in any order.
  ///
  /// - Throws: ``StatisticsError``.
  package init(
    _ query: StatisticsQuery, ofTablesLike table: FeatureColumns,
    records: [(group: [AttributeValue], statistics: [AttributeValue])]
  ) throws {
    self.init(
      try BoundStatistics(query, for: table),
      records.map { Record(group: $0.group, statistics: $0.statistics) })
  }

  private init(_ bound: BoundStatistics, _ records: [Record]) {
    let ordered = records.sorted { first, second in
      for (place, descending, nullIsLeast) in bound.order {
        switch RowOrdering.order(first.group[place], second.group[place], nullIsLeast: nullIsLeast) {
        case .less: return !descending
        case .greater: return descending
        case .equal: continue
        }
      }
      return false
    }
    self.init(
      groupFieldNames: bound.groups.map(\.name), aliases: bound.definitions.map(\.definition.outputAlias),
      records: ordered)
  }
}
