import MapFeatures
import MapFilter
import MapGeometry

/// The fields and geometry kind of a collection, fixed when it is opened.
///
/// Fields are in the order of their first appearance, with the type that the GeoJSON reader finds in the features read.
/// A declaration can widen a type (integer to decimal, date to timestamp), and gives the type of a field without
/// values. Declared fields that were not seen come last. A service and a file with the same features thus have the same
/// fields.
struct OGCFields: Sendable {
  /// The fields, with the kind and spatial reference of the geometries.
  let schema: FeatureSchema
  /// The value type of each field's column.
  private let types: [AttributeType]

  /// Whether the declaration covers all fields and the geometry kind, so that later features can add nothing.
  static func areSettled(_ table: FeatureColumns, by declared: OGCProperties?) -> Bool {
    guard let declared else { return false }
    return (table.schema.geometryKind ?? declared.geometryKind) != nil
      && table.schema.fields.allSatisfy { declared.property(named: $0.name) != nil || $0.name == "id" }
  }

  /// Combines the fields of the features read with a declaration.
  init(_ table: FeatureColumns, declared: OGCProperties?, reference: OGCReference) {
    var found: [(field: Field, type: AttributeType)] = []
    for (field, column) in zip(table.schema.fields, table.columns) {
      let property = declared?.property(named: field.name)
      found.append(Self.widened(field, column, declared: property?.type))
    }
    let known = Set(found.map(\.field.name))
    for property in declared?.properties ?? [] where !known.contains(property.name) && property.role != .id {
      let type = property.type ?? .text
      found.append((Field(name: property.name, type: type), Self.attributeType(type)))
    }
    var kind = table.schema.geometryKind ?? declared?.geometryKind
    if kind == .point, declared?.geometryKind == .multipoint { kind = .multipoint }
    types = found.map(\.type)
    schema = FeatureSchema(
      fields: found.map(\.field), geometryKind: kind,
      spatialReference: kind == nil ? nil : reference.spatialReference,
      geometryName: declared?.geometryName ?? "geometry")
  }

  private static func widened(
    _ field: Field, _ column: Column, declared: FieldType?
  ) -> (Field, AttributeType) {
    guard let declared else { return (field, column.type) }
    let type = attributeType(declared)
    switch (column.type, type) {
    case (.integer, .real), (.date, .instant): return (Field(name: field.name, type: declared), type)
    case (.text, _) where column.isEmpty: return (Field(name: field.name, type: declared), type)
    default: return (field, column.type)
    }
  }

  /// Returns the column's value type for a declared type.
  private static func attributeType(_ type: FieldType) -> AttributeType {
    switch type {
    case .int16: .boolean
    case .int64: .integer
    case .float64: .real
    case .date: .instant
    case .dateOnly: .date
    default: .text
    }
  }

  /// The names of the fields that hold text, even if some features have other values.
  var textFields: Set<String> {
    Set(zip(schema.fields, types).filter { $0.1 == .text }.map(\.0.name))
  }

  /// Converts features read later to these fields.
  ///
  /// - Throws: `OGCFieldFault` for a field or geometry that differs from those at opening.
  func fitted(_ table: FeatureColumns, objectIDs: [Int64]) throws(OGCFieldFault) -> FeatureColumns {
    for (field, column) in zip(table.schema.fields, table.columns)
    where !column.isEmpty && !schema.fields.contains(where: { $0.name == field.name }) {
      throw OGCFieldFault(text: "features have a new field \"\(field.name)\"")
    }
    var columns: [Column] = []
    for (field, type) in zip(schema.fields, types) {
      let found = table.schema.fields.firstIndex { $0.name == field.name }.map { table.columns[$0] }
      columns.append(try Self.fitted(found, type, of: field, rowCount: table.rowCount))
    }
    return FeatureColumns(
      schema: schema, columns: columns, geometry: try fitted(table.geometry, rowCount: table.rowCount),
      rowCount: table.rowCount, warnings: table.warnings, objectIDs: objectIDs)
  }

  private static func fitted(
    _ column: Column?, _ type: AttributeType, of field: Field, rowCount: Int
  ) throws(OGCFieldFault) -> Column {
    guard let column, !column.isEmpty else {
      return Column(nulls: rowCount, of: type)
    }
    switch (column.storage, type) {
    case _ where column.type == type: return column
    case (.integers, .real), (.shortIntegers, .real):
      let values = column.integers ?? []
      return Column(.reals(values.map { Double($0) }), validity: column.validity)
    case (.dates(let days), .instant):
      return Column(
        .instants(days.map { CalendarDate(days: $0).start.microseconds }), validity: column.validity)
    default:
      throw OGCFieldFault(
        text:
          "the field \"\(field.name)\" held \(type.nameInMessages) and now holds \(column.type.nameInMessages)"
      )
    }
  }

  private func fitted(_ buffer: CoordinateBuffer?, rowCount: Int) throws(OGCFieldFault) -> CoordinateBuffer? {
    guard let kind = schema.geometryKind else {
      guard buffer == nil else { throw OGCFieldFault(text: "features now have geometries") }
      return nil
    }
    guard let buffer, buffer.kind != kind else {
      if let buffer { return buffer }
      var empty = CoordinateBuffer(kind: kind)
      for _ in 0..<rowCount { empty.appendEmptyRow() }
      return empty
    }
    guard kind == .multipoint, buffer.kind == .point else {
      throw OGCFieldFault(
        text: "geometries were of the kind \(kind.rawValue) and now are \(buffer.kind.rawValue)s")
    }
    var points = CoordinateBuffer(kind: kind)
    for row in 0..<rowCount {
      if !buffer.isEmpty(row: row) {
        points.appendVertex(x: buffer.x[row], y: buffer.y[row])
        points.endPart()
      }
      points.endRow()
    }
    return points
  }
}

/// The error for features that differ from those read when the collection was opened.
struct OGCFieldFault: Error {
  /// The difference, without a full stop.
  let text: String
}

extension Column {
  /// Whether no row has a value.
  fileprivate var isEmpty: Bool { validity?.isEmpty ?? (count == 0) }

  /// Creates a column of a type with null in every row.
  fileprivate init(nulls count: Int, of type: AttributeType) {
    let storage: Storage =
      switch type {
      case .integer: .integers(Array(repeating: 0, count: count))
      case .real: .reals(Array(repeating: 0, count: count))
      case .boolean: .booleans(Array(repeating: false, count: count))
      case .date: .dates(Array(repeating: 0, count: count))
      case .instant: .instants(Array(repeating: 0, count: count))
      default: .text(codes: Array(repeating: -1, count: count), dictionary: [])
      }
    self.init(storage, validity: RowSet(rowCount: count))
  }
}

extension AttributeType {
  fileprivate var nameInMessages: String {
    switch self {
    case .integer: "whole numbers"
    case .real: "decimal numbers"
    case .boolean: "true and false"
    case .date: "dates"
    case .instant: "timestamps"
    default: "text"
    }
  }
}
