import MapExpressions
import MapFeatures
import MapFilter
import MapGeometry
import MapJSON
import MapModel
import MapReaders
import MapSystem

/// The features of a layer as GeoJSON, with the properties that a style needs and cannot compute.
///
/// A style has no dates, no SQL, no Arcade and no CAST. Their values are computed when the layer is converted.
struct WrittenProperties {
  /// The table in Web Mercator.
  let table: FeatureColumns
  /// The rows, in painting order.
  let rows: [Int]
  private let view: ViewState
  private var added: [(name: String, type: FieldType, column: Column)] = []
  /// The first failure of an expression.
  private(set) var failure: ArcadeError?

  init(_ table: FeatureColumns, rows: [Int], view: ViewState) {
    (self.table, self.rows, self.view) = (table, rows, view)
  }

  /// Returns the column of a field; nil for an unknown one.
  func column(_ name: String) -> Column? {
    table.schema.index(ofField: name).map { table.columns[$0] }
  }

  /// Returns the name of the property with the values of a field; nil if a style reads them otherwise than MapState.
  func plainName(_ field: String, _ types: Set<AttributeType>) -> String? {
    guard let index = table.schema.index(ofField: field), types.contains(table.columns[index].type) else {
      return nil
    }
    return table.schema.fields[index].name
  }

  /// Adds a property with a value for each row of the table, and returns its name.
  ///
  /// Properties with the same values are one property.
  mutating func add(_ name: String, _ type: FieldType, _ values: [AttributeValue]) -> String {
    let column = Column(of: values, type: type)
    if let same = added.first(where: { $0.type == type && $0.column == column }) { return same.name }
    var (full, number) = ("mapstate:\(name)", 1)
    let known = Set(table.schema.fields.map(\.name) + added.map(\.name))
    while known.contains(full) {
      number += 1
      full = "mapstate:\(name) \(number)"
    }
    added.append((full, type, column))
    return full
  }

  /// Returns the values of an expression for all rows of the table; null outside ``rows``.
  mutating func values(of expression: ArcadeExpression) -> [AttributeValue] {
    let column = BoundArcade(
      expression, table: table, scale: view.viewpoint.scale, now: view.now ?? Instant(microseconds: 0)
    ).column(of: rows)
    failure = failure ?? column.failure
    var values = [AttributeValue](repeating: .null, count: table.rowCount)
    for (row, value) in zip(rows, column.values) { values[row] = value }
    return values
  }

  /// Returns the numbers of the input of a visual variable for all rows of the table; nil where it has none.
  mutating func numbers(of input: VariableInput) -> [Double?] {
    var numbers = [Double?](repeating: nil, count: table.rowCount)
    switch input {
    case .scale:
      for row in rows { numbers[row] = view.viewpoint.scale }
    case .expression(let expression):
      let values = values(of: expression)
      for row in rows {
        if case .boolean(let value) = values[row] {
          numbers[row] = value ? 1 : 0
        } else {
          numbers[row] = values[row].readingNumber.numberOrMilliseconds
        }
      }
    case .field(let name, let divisor):
      guard let column = column(name)?.readingNumbers else { return numbers }
      let other = divisor.flatMap { self.column($0)?.readingNumbers }
      for row in rows {
        guard let value = column.number(at: row) else { continue }
        guard divisor != nil else {
          numbers[row] = value
          continue
        }
        if let part = other?.number(at: row), part != 0 { numbers[row] = value / part }
      }
    }
    return numbers
  }

  /// Returns the expression of a variable's number: that of a field if it holds numbers, or of an added property.
  mutating func number(of input: VariableInput, name: String) -> JSONValue {
    if case .field(let field, nil) = input, let plain = plainName(field, [.integer, .real]) {
      return StyleJSON.get(plain)
    }
    // JSON has no infinity; all numbers so large have the last value of a variable.
    let largest = Double.greatestFiniteMagnitude
    let values = numbers(of: input).map { number -> AttributeValue in
      guard let number, !number.isNaN else { return .null }
      return .real(min(max(number, -largest), largest))
    }
    return StyleJSON.get(add(name, .float64, values))
  }

  /// Returns the features as GeoJSON.
  ///
  /// - Throws: ``MapStateError``.
  func geoJSON() throws(MapStateError) -> [UInt8] {
    let fields = added.map { Field(name: $0.name, type: $0.type) }
    let schema = FeatureSchema(
      fields: table.schema.fields + fields, geometryKind: table.schema.geometryKind,
      spatialReference: table.schema.spatialReference)
    let all = FeatureColumns(
      schema: schema, columns: table.columns + added.map(\.column), geometry: table.geometry,
      rowCount: table.rowCount, objectIDs: table.objectIDs)
    do {
      return try GeoJSONWriter(FeatureRows(all, rows: rows)).document()
    } catch {
      throw MapStateError(error)
    }
  }
}
