import MapFilter

/// A statistics query with resolved names and checked types.
struct BoundStatistics {
  /// A value of a record that orders the records.
  enum Key: Hashable {
    /// An index in ``groups``.
    case group(Int)
    /// An index in ``definitions``.
    case statistic(Int)
  }

  /// The statistics, each with its column; nil for all rows.
  let definitions: [(column: Int?, definition: StatisticDefinition)]
  let groups: [(column: Int, name: String)]
  /// The keys of the order with their direction; every group field once.
  let order: [(key: Key, descending: Bool, nullIsLeast: Bool)]
  /// The maximum number of records; 0 for all.
  let maxRecords: Int
  private let having: (filter: CompiledFilter, schema: FeatureSchema)?
  /// The types of the group values, then those of the statistics.
  private let types: [AttributeType]

  init(_ query: StatisticsQuery, for table: FeatureColumns) throws {
    guard !query.definitions.isEmpty else { throw StatisticsError.noDefinition }
    let fields = FilterFields(zip(table.schema.fields, table.columns).map { (name: $0.name, type: $1.type) })
    func column(_ name: String) throws(StatisticsError) -> Int {
      do { return try fields.index(of: name) } catch { throw .field(error) }
    }
    definitions = try query.definitions.map { definition throws(StatisticsError) in
      let statistic = definition.statisticType
      if case .percentile(let share) = statistic, !(0...100).contains(share) {
        throw .impossiblePercentile(share)
      }
      if definition.fieldName == StatisticDefinition.allRows {
        guard statistic == .count else { throw .needsField(statistic) }
        return (nil, definition)
      }
      let index = try column(definition.fieldName)
      let type = table.columns[index].type
      let readsTexts =
        query.readsTextsAsNumbers && statistic.readsTexts(type) && table.columns[index].writesNumbers
      guard statistic.accepts(type) || readsTexts else {
        throw .notNumeric(statistic, field: definition.fieldName, type: type)
      }
      return (index, definition)
    }
    try Self.checkAliases(query.definitions)
    var groups: [(column: Int, name: String)] = []
    for name in query.groupByFieldNames {
      let index = try column(name)
      if !groups.contains(where: { $0.column == index }) { groups.append((index, name)) }
    }
    let aliases = query.definitions.map(\.outputAlias)
    for alias in aliases where groups.contains(where: { $0.name == alias }) {
      throw StatisticsError.aliasOfGroup(alias)
    }
    order = try Self.order(query.orderByFields, groups, aliases: aliases, fields)
    (self.groups, maxRecords) = (groups, max(0, query.maxRecords))
    var types = groups.map { table.columns[$0.column].type }
    for (column, definition) in definitions {
      switch definition.statisticType {
      case .count, .distinct: types.append(.integer)
      case .maximum, .minimum: types.append(column.map { table.columns[$0].type } ?? .integer)
      case .percentile:
        let type = column.map { table.columns[$0].type }
        types.append(type == .date || type == .instant ? type ?? .real : .real)
      default: types.append(.real)
      }
    }
    self.types = types
    having = try Self.having(query.$havingClause, names: groups.map(\.name) + aliases, types: types)
  }

  /// Whether a statistic of a column needs the sum of squares.
  func needsSpread(of column: Int) -> Bool {
    definitions.contains {
      $0.column == column && [.variance, .standardDeviation].contains($0.definition.statisticType)
    }
  }

  private static func checkAliases(_ definitions: [StatisticDefinition]) throws(StatisticsError) {
    var aliases: Set<String> = []
    for definition in definitions {
      let alias = definition.outputAlias
      // The default alias may contain any characters of the field's name.
      let isDefault =
        alias == StatisticDefinition.defaultAlias(of: definition.statisticType, definition.fieldName)
      let isPlain = alias.unicodeScalars.allSatisfy { $0 == "_" || $0.properties.isAlphabetic || $0.isDigit }
      guard isDefault || isPlain else { throw .impossibleAlias(alias) }
      guard aliases.insert(alias).inserted else { throw .duplicateAlias(alias) }
    }
  }

  private static func order(
    _ asked: [OrderBy], _ groups: [(column: Int, name: String)], aliases: [String], _ fields: FilterFields
  ) throws(StatisticsError) -> [(key: Key, descending: Bool, nullIsLeast: Bool)] {
    var order: [(key: Key, descending: Bool, nullIsLeast: Bool)] = []
    for item in asked {
      let name = item.fieldName
      let column = try? fields.index(of: name)
      let key: Key
      if let place = groups.firstIndex(where: { $0.column == column }) {
        key = .group(place)
      } else if let place = aliases.firstIndex(of: name)
        ?? aliases.firstIndex(where: { $0.lowercased() == name.lowercased() })
      {
        key = .statistic(place)
      } else {
        throw .notGrouped(name, available: groups.map(\.name) + aliases)
      }
      // The first mention of a name decides.
      if !order.contains(where: { $0.key == key }) {
        order.append((key, item.sortOrder == .descending, item.nullIsLeast))
      }
    }
    for place in groups.indices where !order.contains(where: { $0.key == .group(place) }) {
      order.append((.group(place), false, false))
    }
    return order
  }

  private static func having(
    _ clause: ParsedFilter, names: [String], types: [AttributeType]
  ) throws(QueryConditionError) -> (filter: CompiledFilter, schema: FeatureSchema)? {
    guard let read = try QueryFilter(.having, clause) else { return nil }
    // A compiled filter takes types from columns; those of the fields are not used.
    let schema = FeatureSchema(
      fields: names.map { Field(name: $0, type: .text) }, geometryKind: nil, spatialReference: nil)
    do {
      return (try CompiledFilter(read.expression, schema: schema, types: types, places: read.places), schema)
    } catch {
      // The texts of records are not known yet, so no cast of them is advised.
      throw QueryConditionError(kind: .having, text: clause.text, cause: .meaning(error.withoutCast))
    }
  }

  /// Returns the records that satisfy the condition, in order, at most as many as asked for.
  func selected(_ records: [StatisticsTable.Record]) -> [StatisticsTable.Record] {
    var kept = records
    if let having {
      let columns = types.indices.map { place in
        Column(
          of: records.map { place < groups.count ? $0.group[place] : $0.statistics[place - groups.count] },
          attributeType: types[place])
      }
      let table = FeatureColumns(
        schema: having.schema, columns: columns, geometry: nil, rowCount: records.count)
      kept = having.filter.rows(in: table).map { records[$0] }
    }
    kept.sort { first, second in
      for (key, descending, nullIsLeast) in order {
        let (a, b) =
          switch key {
          case .group(let place): (first.group[place], second.group[place])
          case .statistic(let place): (first.statistics[place], second.statistics[place])
          }
        switch RowOrdering.order(a, b, nullIsLeast: nullIsLeast) {
        case .less: return !descending
        case .greater: return descending
        case .equal: continue
        }
      }
      return false
    }
    return maxRecords > 0 ? Array(kept.prefix(maxRecords)) : kept
  }
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { properties.generalCategory == .decimalNumber }
}
