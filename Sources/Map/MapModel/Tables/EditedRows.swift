package import MapFeatures
import MapFilter
package import MapGeometry

/// The rows of an editable table, each checked against the table's fields.
package struct EditedRows: Sendable {
  /// The attributes of a feature by name, and its geometry.
  package typealias Content = (attributes: [String: any Sendable], geometry: (any Geometry)?)

  private struct Row: Sendable {
    let id: Int64
    var values: [AttributeValue]
    var geometry: GeometryForm?
  }

  private let schema: FeatureSchema
  private let warnings: [String]
  /// Whether the rows were all rows of their table when they were read.
  private let isComplete: Bool
  /// Whether object ids are stored outside the fields.
  private let bringsIDs: Bool
  private var rows: [Row]
  /// The id of the next added feature; an id is never reused.
  package private(set) var nextID: Int64
  private let step: Int64

  /// Creates an empty set of rows; added rows get ids from 1 upwards.
  init(schema: FeatureSchema) {
    (self.schema, warnings, rows, bringsIDs, isComplete) = (schema, [], [], false, true)
    (nextID, step) = (1, 1)
  }

  /// Creates the fetched rows of another table; added rows get ids from -1 downwards, which that table does not use.
  ///
  /// - Parameter nextID: The first id that was never assigned.
  package init(fetched table: FeatureColumns, nextID next: Int64) {
    let (fields, ids) = (table.schema.fields, ObjectIDs(table))
    (schema, warnings, isComplete) = (table.schema, table.warnings, table.isComplete)
    bringsIDs = table.objectIDs != nil || !fields.contains { $0.type == .oid }
    rows = (0..<table.rowCount).map { row in
      Row(
        id: ids.id(ofRow: row), values: table.columns.map { $0.value(at: row) },
        geometry: table.geometry?.geometry(ofRow: row, spatialReference: nil)?.form)
    }
    (nextID, step) = (min(next, (rows.lazy.map(\.id).min() ?? 0) &- 1), -1)
  }

  /// Adds features and returns their new ids.
  package mutating func insert(
    _ features: [Content], isEdit: Bool = true
  ) throws(FeatureEditError) -> [Int64] {
    var ids: [Int64] = []
    for feature in features {
      rows.append(
        try row(feature, id: nextID, before: isEdit ? Row(id: nextID, values: nulls, geometry: nil) : nil))
      ids.append(nextID)
      nextID &+= step
    }
    return ids
  }

  /// Replaces the attributes and geometries of features.
  mutating func replace(_ features: [Feature]) throws(FeatureEditError) {
    for feature in features {
      let place = try place(of: feature)
      rows[place] = try row(
        (feature.attributes, feature.geometry), id: rows[place].id, before: rows[place])
    }
  }

  /// Removes features.
  mutating func remove(_ features: [Feature]) throws(FeatureEditError) {
    for feature in features { rows.remove(at: try place(of: feature)) }
  }

  /// The rows as columns of a table.
  package var columns: FeatureColumns {
    var geometry = schema.geometryKind.map { CoordinateBuffer(kind: $0) }
    for row in rows { geometry?.append(row.geometry) }
    return FeatureColumns(
      schema: schema,
      columns: schema.fields.indices.map { field in
        Column(of: rows.map { $0.values[field] }, type: schema.fields[field].fieldType)
      }, geometry: geometry, rowCount: rows.count, warnings: warnings,
      objectIDs: bringsIDs ? rows.map(\.id) : nil, isComplete: isComplete)
  }

  private var nulls: [AttributeValue] { Array(repeating: .null, count: schema.fields.count) }

  private func place(of feature: Feature) throws(FeatureEditError) -> Int {
    guard let id = feature.objectID, let place = rows.firstIndex(where: { $0.id == Int64(id) }) else {
      throw .notInTable(objectID: feature.objectID)
    }
    return place
  }

  /// - Parameter before: The previous row; nil for the initial contents of a table, which are not an edit.
  private func row(_ content: Content, id: Int64, before: Row?) throws(FeatureEditError) -> Row {
    if let geometry = content.geometry {
      guard geometry.form.kind == schema.geometryKind else {
        throw .wrongGeometry(geometry.form.kind, table: schema.geometryKind)
      }
      if let own = geometry.spatialReference, let reference = schema.spatialReference, own != reference {
        throw .wrongReference(own, table: reference)
      }
    }
    var values = nulls
    for (name, attribute) in content.attributes {
      guard let field = schema.index(ofField: name) else { throw .unknownField(name) }
      guard let value = AttributeValue(attribute: attribute)?.stored(as: schema.fields[field].fieldType)
      else { throw .wrongType(field: name, type: schema.fields[field].fieldType) }
      values[field] = value
    }
    if let field = schema.fields.firstIndex(where: { $0.type == .oid }) { values[field] = .integer(id) }
    for (place, field) in schema.fields.enumerated() {
      let old = before?.values[place]
      if let old, values[place] == old.asAttribute(of: field.fieldType) { values[place] = old }
      try Self.check(values[place], before: old, field)
    }
    return Row(id: id, values: values, geometry: content.geometry?.form)
  }

  private static func check(
    _ value: AttributeValue, before: AttributeValue?, _ field: Field
  ) throws(FeatureEditError) {
    if case .text(let text) = value, field.length > 0, text.count > field.length {
      throw .tooLong(field: field.name, length: text.count, limit: field.length)
    }
    // Only the table itself can fill a field that is not editable.
    if case .null = value, !field.isNullable, field.isEditable { throw .noValue(field: field.name) }
    // The table sets the id itself in any case.
    if let before, !field.isEditable, field.type != .oid, value != before {
      throw .fieldNotEditable(field.name)
    }
  }
}

extension AttributeValue {
  /// Returns the value after a conversion to a feature's attribute and back, which may lose the letter case of a
  /// GUID.
  fileprivate func asAttribute(of type: FieldType) -> AttributeValue {
    attribute(of: type).flatMap { AttributeValue(attribute: $0)?.stored(as: type) } ?? self
  }
}

/// A table that may accept edits.
package protocol EditableTable: FeatureTable {
  /// Whether the table accepts edits in its current state.
  var takesEdits: Bool { get }
  /// Changes the rows; applies all changes or none.
  func edit(_ change: (inout EditedRows) throws(FeatureEditError) -> Void) throws
}
