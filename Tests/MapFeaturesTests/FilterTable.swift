import MapFeatures
import MapFilter

/// A table given row by row, for tests that compare column evaluation with the rows.
struct FilterTable {
  let names: [String]
  let types: [AttributeType]
  /// A value of the column's type or null for each field of each row.
  let rows: [[AttributeValue]]
  let columns: FeatureColumns

  init(names: [String], types: [AttributeType], rows: [[AttributeValue]]) {
    (self.names, self.types, self.rows) = (names, types, rows)
    let columns = types.indices.map { place in Self.column(types[place], rows.map { $0[place] }) }
    let fields = zip(names, types).map { Field(name: $0, type: Self.fieldType($1)) }
    self.columns = FeatureColumns(
      schema: FeatureSchema(fields: fields, geometryKind: nil, spatialReference: nil), columns: columns,
      geometry: nil, rowCount: rows.count)
  }

  private static func fieldType(_ type: AttributeType) -> FieldType {
    switch type {
    case .integer: .int64
    case .real: .float64
    case .text: .text
    case .boolean: .int16
    case .date: .dateOnly
    case .instant: .date
    case .duration, .geometry, .interval, .array: .blob
    }
  }

  private static func column(_ type: AttributeType, _ values: [AttributeValue]) -> Column {
    let valid = RowSet(rowCount: values.count, rows: values.indices.filter { values[$0] != .null })
    let validity = valid.count == values.count ? nil : valid
    // Values behind nulls are undefined, so they are the most harmful ones here.
    return switch type {
    case .integer: integerColumn(values, validity)
    case .real:
      Column(.reals(values.map { if case .real(let v) = $0 { v } else { .nan } }), validity: validity)
    case .boolean: Column(.booleans(values.map { $0 == .boolean(true) || $0 == .null }), validity: validity)
    case .date:
      Column(.dates(values.map { if case .date(let v) = $0 { v.days } else { .max } }), validity: validity)
    case .instant:
      Column(
        .instants(values.map { if case .instant(let v) = $0 { v.microseconds } else { .min } }),
        validity: validity)
    case .text: textColumn(values, validity)
    // No table has such a column.
    case .duration, .geometry, .interval, .array: Column(.integers([]), validity: validity)
    }
  }

  /// A column of short integers if all of them fit, as readers make it.
  private static func integerColumn(_ values: [AttributeValue], _ validity: RowSet?) -> Column {
    let short = values.compactMap { value -> Int32? in
      if case .integer(let number) = value { Int32(exactly: number) } else { .min }
    }
    guard short.count < values.count else { return Column(.shortIntegers(short), validity: validity) }
    return Column(
      .integers(values.map { if case .integer(let number) = $0 { number } else { .min } }),
      validity: validity)
  }

  private static func textColumn(_ values: [AttributeValue], _ validity: RowSet?) -> Column {
    var places: [AttributeValue: Int32] = [:]
    var dictionary: [String] = []
    let codes = values.map { value -> Int32 in
      guard case .text(let text) = value else { return -1 }
      if let place = places[value] { return place }
      places[value] = Int32(dictionary.count)
      dictionary.append(text)
      return Int32(dictionary.count - 1)
    }
    return Column(.text(codes: codes, dictionary: dictionary), validity: validity)
  }
}
