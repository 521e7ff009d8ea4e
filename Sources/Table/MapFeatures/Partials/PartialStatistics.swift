package import MapFilter

/// Statistics of a part of a table's rows, in a form that is joined exactly with those of the other parts.
///
/// The count, the sum and the sum of squares of each group are exact; they are rounded once, when all parts are
/// joined. So the digits are those of the whole table.
package struct PartialStatistics: Sendable {
  /// A field of the query.
  package struct Field: Hashable, Sendable {
    package let name: String
    package let type: AttributeType
  }

  /// The numbers of one field in one group.
  struct Figures: Sendable {
    var moments: ExactMoments
    /// The least and the greatest value; null without values.
    var minimum: AttributeValue
    var maximum: AttributeValue
  }

  /// A group of rows.
  struct Group: Sendable {
    /// The values of the group fields.
    let values: [AttributeValue]
    /// The number of rows.
    var rowCount: Int
    /// The numbers of each field in ``fields``.
    var figures: [Figures]
  }

  /// The group fields.
  let groupFields: [Field]
  /// The fields with statistics, each once.
  let fields: [Field]
  private(set) var groups: [Group]
  /// The index of each group by the bytes of its values, filled by the first ``add(_:)``.
  private var places: [[UInt8]: Int] = [:]

  init(groupFields: [Field], fields: [Field], groups: [Group]) {
    (self.groupFields, self.fields, self.groups) = (groupFields, fields, groups)
  }

  /// Computes the statistics of some rows of a table.
  ///
  /// - Cost: as `StatisticsTable.init(_:of:rows:)`.
  /// - Throws: ``StatisticsError``, ``QueryConditionError``.
  package init(_ query: StatisticsQuery, of table: FeatureColumns, rows: RowSet) throws {
    try query.checkMergeable()
    let bound = try BoundStatistics(query, for: table)
    func field(_ column: Int) -> Field {
      Field(name: table.schema.fields[column].name, type: table.columns[column].type)
    }
    let groups = GroupCodes(bound.groups.map { table.columns[$0.column] }, rows: rows)
    var columns: [Int] = []
    for (column, _) in bound.definitions {
      if let column, !columns.contains(column) { columns.append(column) }
    }
    let figures = columns.map { column in
      ColumnFigures(
        of: table.columns[column], rows: rows, groups: groups, needsSpread: bound.needsSpread(of: column))
    }
    let rowCounts = groups.rowCounts(of: rows)
    let occurring = (0..<groups.count).filter { bound.groups.isEmpty || rowCounts[$0] > 0 }
    self.init(
      groupFields: bound.groups.map { field($0.column) }, fields: columns.map(field),
      groups: occurring.map { group in
        Group(
          values: groups.values(of: group), rowCount: rowCounts[group],
          figures: figures.map { $0.partial(group: group) })
      })
  }

  /// Adds the statistics of other rows; groups keep the order of their first part.
  ///
  /// - Throws: ``PartialFieldsError`` if the fields differ.
  package mutating func add(_ other: PartialStatistics) throws(PartialFieldsError) {
    for (own, others) in [(groupFields, other.groupFields), (fields, other.fields)] where own != others {
      throw PartialFieldsError(own, others)
    }
    if places.isEmpty { for (index, group) in groups.enumerated() { places[group.key] = index } }
    for group in other.groups {
      let key = group.key
      guard let place = places[key] else {
        places[key] = groups.count
        groups.append(group)
        continue
      }
      groups[place].rowCount += group.rowCount
      for index in group.figures.indices { groups[place].figures[index].add(group.figures[index]) }
    }
  }

  /// Returns the answer to the query, from all rows that were added.
  ///
  /// - Throws: ``StatisticsError``, ``QueryConditionError``.
  package func table(_ query: StatisticsQuery) throws -> StatisticsTable {
    var all: [Field] = []
    for field in groupFields + fields where !all.contains(where: { $0.name == field.name }) {
      all.append(field)
    }
    // Only the names and the types of the columns are used.
    let empty = FeatureColumns(
      schema: FeatureSchema(
        fields: all.map { MapFeatures.Field(name: $0.name, type: .text) }, geometryKind: nil,
        spatialReference: nil),
      columns: all.map { Column(of: [], attributeType: $0.type) }, geometry: nil, rowCount: 0)
    let bound = try BoundStatistics(query, for: empty)
    var records: [(group: [AttributeValue], statistics: [AttributeValue])] = []
    for group in groups {
      var values: [AttributeValue] = []
      for (column, definition) in bound.definitions {
        guard let column else {
          values.append(.integer(Int64(group.rowCount)))
          continue
        }
        guard let place = fields.firstIndex(where: { $0.name == all[column].name }) else { continue }
        values.append(
          try group.figures[place].value(definition.statisticType, field: definition.fieldName))
      }
      records.append((group.values, values))
    }
    return try StatisticsTable(query, ofTablesLike: empty, records: records)
  }
}

extension PartialStatistics.Group {
  /// The values as bytes; -0 is 0.
  fileprivate var key: [UInt8] {
    var writer = StateWriter()
    for value in values { writer.append(value.withoutNegativeZero) }
    return writer.bytes
  }
}

extension AttributeValue {
  /// The value, with 0 for -0, which is equal to it.
  var withoutNegativeZero: AttributeValue {
    if case .real(let number) = self, number == 0 { .real(0) } else { self }
  }
}

extension PartialStatistics.Figures {
  /// Adds the numbers of other values.
  fileprivate mutating func add(_ other: Self) {
    moments.add(other.moments)
    if minimum == .null || other.minimum.ordering(to: minimum) == .less { minimum = other.minimum }
    if maximum == .null || other.maximum.ordering(to: maximum) == .greater { maximum = other.maximum }
  }

  fileprivate func value(
    _ statistic: StatisticDefinition.StatisticType, field: String
  ) throws(StatisticsError) -> AttributeValue {
    switch statistic {
    case .minimum: minimum
    case .maximum: maximum
    default: try moments.value(statistic, field: field)
    }
  }
}

extension StatisticsQuery {
  /// Refuses statistics that cannot be joined from those of parts.
  package func checkMergeable() throws(StatisticsError) {
    for definition in definitions where definition.statisticType.needsOrder {
      throw .notMergeable(definition.statisticType, field: definition.fieldName)
    }
  }
}

/// The error for parts of a table whose fields differ.
package struct PartialFieldsError: Error, Hashable, CustomStringConvertible {
  package let description: String

  init(_ first: [PartialStatistics.Field], _ second: [PartialStatistics.Field]) {
    func text(_ fields: [PartialStatistics.Field]) -> String {
      fields.map { "\($0.name) (\($0.type.rawValue))" }.joined(separator: ", ")
    }
    description = "the fields differ: \(text(first)) and \(text(second))"
  }
}

// MARK: - Bytes

extension PartialStatistics {
  /// The types of columns, in the order of their numbers in a state.
  private static let types: [AttributeType] = [.integer, .real, .text, .boolean, .date, .instant]

  /// Writes the statistics.
  package func write(to writer: inout StateWriter) {
    for fields in [groupFields, fields] {
      writer.append(fields) { field, writer in
        writer.append(field.name)
        writer.append(Self.types.firstIndex(of: field.type) ?? 0)
      }
    }
    writer.append(groups) { group, writer in
      for value in group.values { writer.append(value) }
      writer.append(group.rowCount)
      for figures in group.figures {
        writer.append(figures.moments.count)
        writer.append(figures.moments.sum.bytes)
        writer.append(figures.moments.squares.bytes)
        writer.append(figures.minimum)
        writer.append(figures.maximum)
      }
    }
  }

  /// Reads the statistics.
  package init(from reader: inout StateReader) throws(StateBytesError) {
    func fields(_ reader: inout StateReader) throws(StateBytesError) -> [Field] {
      try reader.list { reader throws(StateBytesError) in
        let (name, type) = (try reader.text(), try reader.integer())
        guard Self.types.indices.contains(type) else { throw .value("a field of type \(type)") }
        return Field(name: name, type: Self.types[type])
      }
    }
    let groupFields = try fields(&reader)
    let valueFields = try fields(&reader)
    func value(_ field: Field, _ reader: inout StateReader) throws(StateBytesError) -> AttributeValue {
      let value = try reader.value()
      guard value.type == nil || value.type == field.type else {
        throw .value("a value of \"\(field.name)\" of another type")
      }
      return value
    }
    let groups = try reader.list { reader throws(StateBytesError) in
      var values: [AttributeValue] = []
      for field in groupFields { values.append(try value(field, &reader)) }
      let rowCount = try reader.count()
      var figures: [Figures] = []
      for field in valueFields {
        let count = try reader.count()
        guard let sum = ExactSum(bytes: try reader.byteList()),
          let squares = ExactSum(bytes: try reader.byteList()), !squares.isNegative, count <= rowCount
        else { throw .value("a sum of \"\(field.name)\" that is none") }
        figures.append(
          Figures(
            moments: ExactMoments(count: count, sum: sum, squares: squares),
            minimum: try value(field, &reader), maximum: try value(field, &reader)))
      }
      return Group(values: values, rowCount: rowCount, figures: figures)
    }
    guard !groupFields.isEmpty || groups.count == 1 else {
      throw .value("\(groups.count) groups without a field")
    }
    self.init(groupFields: groupFields, fields: valueFields, groups: groups)
  }
}
