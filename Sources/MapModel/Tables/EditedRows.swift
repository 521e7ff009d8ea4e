package import MapFeatures
import MapFilter
package import MapGeometry

/// The rows of a table that takes edits, every one held against the table's fields.
package struct EditedRows: Sendable {
  /// What is known of a feature: attributes by name, and a place.
  package typealias Content = (attributes: [String: any Sendable], geometry: (any Geometry)?)

  private struct Row: Sendable {
    let id: Int64
    var values: [AttributeValue]
    var geometry: GeometryForm?
  }

  private let schema: FeatureSchema
  private let warnings: [String]
  /// False for features that were a part of those of their table when they were read.
  private let isComplete: Bool
  /// True where ids stand beside the fields.
  private let bringsIDs: Bool
  private var rows: [Row]
  /// The id of the next feature that is added, and what follows it; none is given twice.
  package private(set) var nextID: Int64
  private let step: Int64

  /// No rows, of which those added are counted from 1.
  init(schema: FeatureSchema) {
    (self.schema, warnings, rows, bringsIDs, isComplete) = (schema, [], [], false, true)
    (nextID, step) = (1, 1)
  }

  /// The rows of a part of somebody else's table: added ones are counted down from -1, where nobody else's ids are.
  ///
  /// - Parameter nextID: the first id that was never given.
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

  /// Adds features, and gives them ids.
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

  /// Puts what is known of features in the places of what was.
  mutating func replace(_ features: [Feature]) throws(FeatureEditError) {
    for feature in features {
      let place = try place(of: feature)
      rows[place] = try row(
        (feature.attributes, feature.geometry), id: rows[place].id, before: rows[place])
    }
  }

  /// Takes features out.
  mutating func remove(_ features: [Feature]) throws(FeatureEditError) {
    for feature in features { rows.remove(at: try place(of: feature)) }
  }

  /// The rows as a table.
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

  /// - Parameter before: what stood there; nil for what a table starts with, which is no edit.
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
    // What the table alone writes nobody else can fill in.
    if case .null = value, !field.isNullable, field.isEditable { throw .noValue(field: field.name) }
    // The id is the table's own anyhow.
    if let before, !field.isEditable, field.type != .oid, value != before {
      throw .fieldNotEditable(field.name)
    }
  }
}

extension AttributeValue {
  /// The value as it comes back from a feature, whose types may not tell all of it: the case of a GUID's letters.
  fileprivate func asAttribute(of type: FieldType) -> AttributeValue {
    attribute(of: type).flatMap { AttributeValue(attribute: $0)?.stored(as: type) } ?? self
  }
}

/// A table that may take edits.
package protocol EditableTable: FeatureTable {
  /// True when it takes them as it is now.
  var takesEdits: Bool { get }
  /// Changes the rows, all that is asked or nothing.
  func edit(_ change: (inout EditedRows) throws(FeatureEditError) -> Void) throws
}
