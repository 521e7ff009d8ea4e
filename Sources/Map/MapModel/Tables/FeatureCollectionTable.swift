public import MapSystem
public import MapFeatures
import MapFilter
public import MapGeometry

/// A table in memory that can be edited.
///
/// - Cost: An edit rebuilds the table's columns and index, so add many features at once.
public final class FeatureCollectionTable: FeatureTable {
  /// The state that the members of all tables use.
  public let table: TableState
  private let rows: ModelState<EditedRows>

  /// Creates an empty table.
  ///
  /// Without a field of type `oid` the table gets one, `OBJECTID`.
  public init(
    fields: [Field], geometryType: GeometryKind?, spatialReference: SpatialReference? = nil,
    tableName: String = ""
  ) {
    let id = Field(name: "OBJECTID", type: .oid)
    let schema = FeatureSchema(
      fields: fields.contains { $0.type == .oid } ? fields : [id] + fields, geometryKind: geometryType,
      spatialReference: geometryType == nil ? nil : spatialReference)
    let none = EditedRows(schema: schema)
    (rows, table) = (ModelState(none), TableState(name: tableName, source: InMemorySource(none.columns)))
  }

  /// Creates a table from elements, with their attributes in the fields.
  ///
  /// Geometry type and spatial reference are those of the first element with a geometry.
  ///
  /// - Throws: ``MapStateError`` for an element that does not fit.
  public convenience init(geoElements: [any GeoElement], fields: [Field]) throws(MapStateError) {
    let first = geoElements.lazy.compactMap(\.geometry).first
    self.init(fields: fields, geometryType: first?.form.kind, spatialReference: first?.spatialReference)
    // The initial contents of a table are not an edit.
    do {
      try edit { rows throws(FeatureEditError) in
        _ = try rows.insert(geoElements.map { ($0.attributes, $0.geometry) }, isEdit: false)
      }
    } catch {
      throw MapStateError(error)
    }
  }

  private init(_ other: FeatureCollectionTable) {
    (rows, table) = ModelGate.withLock { (ModelState(other.rows.snapshot), other.table.clone()) }
  }

  /// Returns a table with the same features that is edited independently.
  public func clone() -> FeatureCollectionTable { FeatureCollectionTable(self) }
}

extension FeatureCollectionTable: EditableTable {
  package var takesEdits: Bool { true }

  package func edit(
    _ change: (inout EditedRows) throws(FeatureEditError) -> Void
  ) throws(FeatureEditError) {
    try ModelGate.withLock { () throws(FeatureEditError) in
      var changed = rows.snapshot
      try change(&changed)
      rows.update { [changed] in $0 = changed }
      table.replace(InMemorySource(changed.columns))
    }
  }
}

/// An error for an edit that a table does not accept.
package enum FeatureEditError: Error, Hashable, CustomStringConvertible {
  /// A read-only table.
  case notEditable(String)
  /// An attribute without a field.
  case unknownField(String)
  /// An attribute with another type than its field.
  case wrongType(field: String, type: FieldType)
  /// A missing value for a field that requires one.
  case noValue(field: String)
  /// A text with more characters than its field allows.
  case tooLong(field: String, length: Int, limit: Int)
  /// A value for a field that only the table itself writes.
  case fieldNotEditable(String)
  /// A geometry of another type than the table's.
  case wrongGeometry(GeometryKind, table: GeometryKind?)
  /// A geometry in another spatial reference than the table's.
  case wrongReference(SpatialReference, table: SpatialReference)
  /// A feature that is not in the table.
  case notInTable(objectID: Int?)

  /// The message, in one line.
  package var description: String {
    switch self {
    case .notEditable(let name):
      "table \"\(name)\" is read-only; use a FeatureCollectionTable, or a ServiceFeatureTable in the mode manualCache"
    case .unknownField(let name): "there is no field '\(name)'"
    case .wrongType(let field, let type):
      "the value of '\(field)' does not suit a field of type \(type.rawValue)"
    case .noValue(let field): "the field '\(field)' must have a value, and there is none"
    case .tooLong(let field, let length, let limit):
      "a text of \(length) characters is too long for '\(field)', which takes \(limit)"
    case .fieldNotEditable(let field): "the field '\(field)' is written by the table alone"
    case .wrongGeometry(let kind, let table):
      "a \(kind.rawValue) does not suit a table of \(table.map { "\($0.rawValue)s" } ?? "no geometry")"
    case .wrongReference(let own, let table):
      "a geometry in \(own.wkid) does not suit a table in \(table.wkid); project it first"
    case .notInTable(let id): "feature \(id.map { "\($0)" } ?? "without id") is not in the table"
    }
  }
}

extension GeometryForm {
  /// The geometry type of rows with such geometries; envelopes are polygons.
  package var kind: GeometryKind {
    switch self {
    case .point: .point
    case .multipoint: .multipoint
    case .polyline: .polyline
    case .polygon, .envelope: .polygon
    }
  }
}
