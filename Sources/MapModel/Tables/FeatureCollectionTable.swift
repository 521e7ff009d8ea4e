public import MapFeatures
import MapFilter
public import MapGeometry

/// A table in memory that can be edited.
///
/// - Cost: an edit puts the table's columns and index together again, so add many features at once.
public final class FeatureCollectionTable: FeatureTable {
  /// What the members of all tables work on.
  public let table: TableState
  private let rows: ModelState<Rows>

  private struct Rows: Sendable {
    let schema: FeatureSchema
    var rows: [Row] = []
    var nextID: Int64 = 1
  }

  private struct Row: Sendable {
    let id: Int64
    var values: [AttributeValue]
    var geometry: GeometryForm?
  }

  /// An empty table.
  ///
  /// Without a field of type `oid` it gets one, `OBJECTID`.
  public init(
    fields: [Field], geometryType: GeometryKind?, spatialReference: SpatialReference? = nil,
    tableName: String = ""
  ) {
    let id = Field(name: "OBJECTID", type: .oid)
    let schema = FeatureSchema(
      fields: fields.contains { $0.type == .oid } ? fields : [id] + fields, geometryKind: geometryType,
      spatialReference: geometryType == nil ? nil : spatialReference)
    rows = ModelState(Rows(schema: schema))
    table = TableState(name: tableName, source: InMemorySource(Self.columns(Rows(schema: schema))))
  }

  /// A table of elements: their attributes in the fields, the geometry's kind and reference those of the first that
  /// has one.
  ///
  /// - Throws: ``FeatureEditError`` for an element that does not fit.
  public convenience init(geoElements: [any GeoElement], fields: [Field]) throws {
    let first = geoElements.lazy.compactMap(\.geometry).first
    self.init(fields: fields, geometryType: first?.form.kind, spatialReference: first?.spatialReference)
    // What a table starts with is no edit of it.
    try insert(geoElements.map { ($0.attributes, $0.geometry) }, isEdit: false)
  }

  private init(_ other: FeatureCollectionTable) {
    (rows, table) = ModelGate.withLock { (ModelState(other.rows.snapshot), other.table.clone()) }
  }

  /// A table of the same features, which is edited by itself.
  public func clone() -> FeatureCollectionTable { FeatureCollectionTable(self) }

  func insert(_ features: [Feature]) throws(FeatureEditError) {
    let ids = try insert(features.map { ($0.attributes, $0.geometry) })
    for (feature, id) in zip(features, ids) { feature.setObjectID(id) }
  }

  func replace(_ features: [Feature]) throws(FeatureEditError) {
    try edit { state throws(FeatureEditError) in
      for feature in features {
        let place = try Self.place(of: feature, in: state)
        let before = state.rows[place]
        let row = try Self.row(feature.attributes, feature.geometry, id: before.id, state.schema)
        try Self.check(row.values, before: before.values, state.schema)
        state.rows[place] = row
      }
    }
  }

  func remove(_ features: [Feature]) throws(FeatureEditError) {
    try edit { state throws(FeatureEditError) in
      for feature in features { state.rows.remove(at: try Self.place(of: feature, in: state)) }
    }
  }

  @discardableResult
  private func insert(
    _ features: [(attributes: [String: any Sendable], geometry: (any Geometry)?)], isEdit: Bool = true
  ) throws(FeatureEditError) -> [Int64] {
    var ids: [Int64] = []
    try edit { state throws(FeatureEditError) in
      for feature in features {
        let row = try Self.row(feature.attributes, feature.geometry, id: state.nextID, state.schema)
        if isEdit { try Self.check(row.values, before: nil, state.schema) }
        state.rows.append(row)
        ids.append(state.nextID)
        state.nextID += 1
      }
    }
    return ids
  }

  private func edit(
    _ change: (inout Rows) throws(FeatureEditError) -> Void
  ) throws(FeatureEditError) {
    try ModelGate.withLock { () throws(FeatureEditError) in
      var changed = rows.snapshot
      try change(&changed)
      rows.update { [changed] in $0 = changed }
      table.replace(InMemorySource(Self.columns(changed)))
    }
  }

  private static func place(of feature: Feature, in state: Rows) throws(FeatureEditError) -> Int {
    guard let id = feature.objectID, let place = state.rows.firstIndex(where: { $0.id == Int64(id) }) else {
      throw .notInTable(objectID: feature.objectID)
    }
    return place
  }

  private static func row(
    _ attributes: [String: any Sendable], _ geometry: (any Geometry)?, id: Int64, _ schema: FeatureSchema
  ) throws(FeatureEditError) -> Row {
    if let geometry, geometry.form.kind != schema.geometryKind {
      throw .wrongGeometry(geometry.form.kind, table: schema.geometryKind)
    }
    var values = [AttributeValue](repeating: .null, count: schema.fields.count)
    for (name, attribute) in attributes {
      guard let field = schema.index(ofField: name) else { throw .unknownField(name) }
      guard let value = AttributeValue(attribute: attribute)?.stored(as: schema.fields[field].fieldType)
      else {
        throw .wrongType(field: name, type: schema.fields[field].fieldType)
      }
      values[field] = value
    }
    if let field = schema.fields.firstIndex(where: { $0.type == .oid }) { values[field] = .integer(id) }
    for (field, value) in zip(schema.fields, values) {
      if case .text(let text) = value, field.length > 0, text.count > field.length {
        throw .tooLong(field: field.name, length: text.count, limit: field.length)
      }
      // What the table alone writes nobody else can fill in.
      if case .null = value, !field.isNullable, field.isEditable { throw .noValue(field: field.name) }
    }
    return Row(id: id, values: values, geometry: geometry?.form)
  }

  /// Refuses values of fields that the table alone writes; the id is the table's own anyhow.
  private static func check(
    _ values: [AttributeValue], before: [AttributeValue]?, _ schema: FeatureSchema
  ) throws(FeatureEditError) {
    for (place, field) in schema.fields.enumerated() where !field.isEditable && field.type != .oid {
      if values[place] != before?[place] ?? .null { throw .fieldNotEditable(field.name) }
    }
  }

  private static func columns(_ state: Rows) -> FeatureColumns {
    let columns = state.schema.fields.indices.map { field in
      Column(of: state.rows.map { $0.values[field] }, type: state.schema.fields[field].fieldType)
    }
    var geometry = state.schema.geometryKind.map { CoordinateBuffer(kind: $0) }
    for row in state.rows { geometry?.append(row.geometry) }
    return FeatureColumns(
      schema: state.schema, columns: columns, geometry: geometry, rowCount: state.rows.count)
  }
}

/// An edit that a table cannot take.
public enum FeatureEditError: Error, Hashable, CustomStringConvertible {
  /// A table that is read and not written.
  case notEditable(String)
  /// An attribute that no field has.
  case unknownField(String)
  /// An attribute of another type than its field.
  case wrongType(field: String, type: FieldType)
  /// Nothing for a field that must have a value.
  case noValue(field: String)
  /// A text of more characters than its field takes.
  case tooLong(field: String, length: Int, limit: Int)
  /// A value for a field that the table alone writes.
  case fieldNotEditable(String)
  /// A geometry of another kind than the table's.
  case wrongGeometry(GeometryKind, table: GeometryKind?)
  /// A feature that is not in the table.
  case notInTable(objectID: Int?)

  /// One line for people.
  public var description: String {
    switch self {
    case .notEditable(let name):
      "table \"\(name)\" is read and not written; a FeatureCollectionTable takes edits"
    case .unknownField(let name): "there is no field '\(name)'"
    case .wrongType(let field, let type):
      "the value of '\(field)' does not suit a field of type \(type.rawValue)"
    case .noValue(let field): "the field '\(field)' must have a value, and there is none"
    case .tooLong(let field, let length, let limit):
      "a text of \(length) characters is too long for '\(field)', which takes \(limit)"
    case .fieldNotEditable(let field): "the field '\(field)' is written by the table alone"
    case .wrongGeometry(let kind, let table):
      "a \(kind.rawValue) does not suit a table of \(table.map { "\($0.rawValue)s" } ?? "no geometry")"
    case .notInTable(let id): "feature \(id.map { "\($0)" } ?? "without id") is not in the table"
    }
  }
}

extension GeometryForm {
  /// What rows of such geometries are; envelopes are polygons.
  package var kind: GeometryKind {
    switch self {
    case .point: .point
    case .multipoint: .multipoint
    case .polyline: .polyline
    case .polygon, .envelope: .polygon
    }
  }
}
