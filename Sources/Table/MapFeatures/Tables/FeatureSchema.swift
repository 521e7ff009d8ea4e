package import MapGeometry

/// The type of a field, named as in the map SDK.
public enum FieldType: String, Hashable, Sendable {
  /// A 16-bit integer; also the type of booleans in files.
  case int16
  /// A 32-bit integer.
  case int32
  /// A 64-bit integer.
  case int64
  /// A single-precision number.
  case float32
  /// A double-precision number.
  case float64
  /// Text.
  case text
  /// A timestamp: date and time of day, in UTC.
  case date
  /// A date without a time of day.
  case dateOnly
  /// A time of day without a date, stored as text.
  case timeOnly
  /// A timestamp with an offset from UTC.
  case timestampOffset
  /// An object id.
  case oid
  /// A global id, stored as text.
  case globalID
  /// A GUID, stored as text.
  case guid
  /// Binary data, which is not read.
  case blob
  /// A geometry as a field, which is not read.
  case geometry
  /// A raster, which is not read.
  case raster
  /// An XML document, stored as text.
  case xml
}

/// A field of a table.
public struct Field: Hashable, Sendable {
  /// The name in filters and renderers.
  public let name: String
  /// The display name; the name if the source has no alias.
  public let alias: String
  /// The type that the source declares.
  public let fieldType: FieldType
  /// The type as an optional, as in the map SDK, whose services may declare unknown types.
  public var type: FieldType? { fieldType }

  /// The permitted values; nil if the source does not state them.
  public let domain: FieldDomain?
  /// The maximum number of characters of a text; 0 if the source states none.
  public let length: Int
  /// Whether the value may be null.
  ///
  /// Without a statement of the source: true, except for object ids.
  public let isNullable: Bool
  /// Whether users may edit the value.
  ///
  /// Without a statement of the source: true, except for object ids and global ids.
  public let isEditable: Bool

  /// Creates a field; the alias defaults to the name, and other values to the defaults of their properties.
  public init(
    name: String, alias: String? = nil, type: FieldType, domain: FieldDomain? = nil, length: Int = 0,
    isNullable: Bool? = nil, isEditable: Bool? = nil
  ) {
    (self.name, self.alias, fieldType, self.domain) = (name, alias ?? name, type, domain)
    self.length = max(0, length)
    self.isNullable = isNullable ?? (type != .oid)
    self.isEditable = isEditable ?? (type != .oid && type != .globalID)
  }

  /// Creates a field, with the parameters in the order of the map SDK.
  public init(
    type: FieldType, name: String, alias: String, length: Int = 0, domain: FieldDomain? = nil,
    isEditable: Bool? = nil, isNullable: Bool? = nil
  ) {
    self.init(
      name: name, alias: alias, type: type, domain: domain, length: length, isNullable: isNullable,
      isEditable: isEditable)
  }
}

/// The structure of a table's rows.
package struct FeatureSchema: Hashable, Sendable {
  /// The fields, in the order of the columns.
  package let fields: [Field]
  /// The kind of the geometries; nil for a table without geometry.
  package let geometryKind: GeometryKind?
  /// The spatial reference of the coordinates; nil for a table without geometry.
  package let spatialReference: SpatialReference?
  /// The name of the geometry in filters: the name of its column, or `geometry` if the source has none.
  package let geometryName: String

  /// The maximum number of fields that a reader of a file accepts.
  ///
  /// Every row takes memory in every column. Without a limit, a file in which every feature has its own property would
  /// take the square of its size.
  ///
  /// - Source: design decision; of spreadsheets, databases and services, the widest end at 16,384 columns, the others
  ///   far below.
  package static let fieldLimit = 4096

  /// The name of the geometry in filters if the source has none.
  package static let defaultGeometryName = "geometry"

  /// Creates a schema.
  package init(
    fields: [Field], geometryKind: GeometryKind?, spatialReference: SpatialReference?,
    geometryName: String = FeatureSchema.defaultGeometryName
  ) {
    (self.fields, self.geometryKind, self.spatialReference) = (fields, geometryKind, spatialReference)
    self.geometryName = geometryName
  }

  /// The names of the fields with dates and times.
  package var timeFieldNames: [String] {
    fields.filter { [.date, .dateOnly].contains($0.fieldType) }.map(\.name)
  }

  /// Returns the index of a field by its exact name, otherwise of the only one with that name in another case; nil if
  /// there is none.
  ///
  /// - Source: SQL-92 5.2, where unquoted names have no case, and ArcGIS services. The exact name distinguishes fields
  ///   whose names differ only in case.
  package func index(ofField name: String) -> Int? {
    if let index = fields.firstIndex(where: { $0.name == name }) { return index }
    let lowered = name.lowercased()
    let found = fields.indices.filter { fields[$0].name.lowercased() == lowered }
    return found.count == 1 ? found[0] : nil
  }
}

/// A table in memory, in columnar form.
package struct FeatureColumns: Sendable {
  /// The fields, geometry kind and spatial reference.
  package let schema: FeatureSchema
  /// The columns, one per field, in the order of the schema.
  package let columns: [Column]
  /// The geometries, one per row; nil for a table without geometry.
  package let geometry: CoordinateBuffer?
  /// The geometries of other kinds than ``geometry``, each with all rows; a row has a geometry in at most one buffer.
  package let otherGeometries: [CoordinateBuffer]
  /// The number of rows.
  package let rowCount: Int
  /// Warnings about losses and assumptions while reading; each names the field or position.
  package let warnings: [String]
  /// The unique ids of the rows if no field holds them; nil leaves them to ``ObjectIDs``.
  package let objectIDs: [Int64]?

  /// Whether all rows are present; false for a known part, such as one page of a service's answer.
  package let isComplete: Bool

  /// The search for the rows of a spatial condition, by the source of the table; nil for a table without a source.
  var search: (@Sendable (SpatialQuestion) throws(SpatialOperationError) -> RowSet)?

  /// Creates a table; every column, the geometry and the ids must have `rowCount` rows.
  package init(
    schema: FeatureSchema, columns: [Column], geometry: CoordinateBuffer?,
    otherGeometries: [CoordinateBuffer] = [], rowCount: Int,
    warnings: [String] = [], objectIDs: [Int64]? = nil, isComplete: Bool = true
  ) {
    precondition(schema.fields.count == columns.count, "as many columns as fields")
    precondition(columns.allSatisfy { $0.count == rowCount }, "columns of one length")
    precondition(geometry == nil || geometry?.rowCount == rowCount, "a geometry a row")
    precondition(otherGeometries.allSatisfy { $0.rowCount == rowCount }, "a geometry a row")
    precondition(objectIDs == nil || objectIDs?.count == rowCount, "an id a row")
    (self.schema, self.columns, self.geometry) = (schema, columns, geometry)
    (self.rowCount, self.warnings, self.objectIDs) = (rowCount, warnings, objectIDs)
    (self.otherGeometries, self.isComplete) = (otherGeometries, isComplete)
  }

  /// The geometries of all kinds; empty for a table without geometry.
  package var geometries: [CoordinateBuffer] { (geometry.map { [$0] } ?? []) + otherGeometries }

  /// Returns the buffer with the geometry of a row; nil for a row without geometry.
  package func buffer(ofRow row: Int) -> CoordinateBuffer? {
    if let geometry, !geometry.isEmpty(row: row) { return geometry }
    return otherGeometries.first { !$0.isEmpty(row: row) }
  }

  /// Returns a table with the same rows, and the geometries of one kind.
  package func showing(_ buffer: CoordinateBuffer, warnings: [String]) -> FeatureColumns {
    FeatureColumns(
      schema: FeatureSchema(
        fields: schema.fields, geometryKind: buffer.kind, spatialReference: schema.spatialReference,
        geometryName: schema.geometryName),
      columns: columns, geometry: buffer, rowCount: rowCount, warnings: warnings, objectIDs: objectIDs,
      isComplete: isComplete)
  }

  /// Returns a table for each kind of geometry with the rows that have it; the first also has those without geometry.
  ///
  /// The ids of the rows stay those of this table.
  package func tablesByKind() -> [FeatureColumns] {
    guard !otherGeometries.isEmpty else { return [self] }
    return geometries.enumerated().map { index, buffer in
      let rows = (0..<rowCount).filter { row in
        !buffer.isEmpty(row: row) || index == 0 && self.buffer(ofRow: row) == nil
      }
      return showing(buffer, warnings: index == 0 ? warnings : []).rows(rows)
    }
  }
}
