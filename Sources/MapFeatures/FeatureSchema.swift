public import MapGeometry

/// The type of a field, in the words of the map SDK.
public enum FieldType: String, Hashable, Sendable {
  case int16, int32, int64, float32, float64, text, date, dateOnly, timeOnly, timestampOffset
  case oid, globalID, guid, blob, geometry, raster, xml
}

/// A field of a table.
public struct Field: Hashable, Sendable {
  /// The name that filters and renderers use.
  public let name: String
  /// The name for people; the name itself where the source gives none.
  public let alias: String
  /// The type as the source declares it.
  public let fieldType: FieldType
  /// The same; an optional as in the map SDK, whose services may declare what it does not know.
  public var type: FieldType? { fieldType }

  /// Which values it may have; nil where the source does not say.
  public let domain: FieldDomain?
  /// The most characters of a text, as the source states them; 0 where it states no limit.
  public let length: Int
  /// False where every feature must have a value; true where the source does not say.
  public let isNullable: Bool
  /// False for what the table alone writes; where the source does not say so for object ids and global ids.
  public let isEditable: Bool

  /// A field; without an alias its name serves, and what is not said of it is as where a source does not say.
  public init(
    name: String, alias: String? = nil, type: FieldType, domain: FieldDomain? = nil, length: Int = 0,
    isNullable: Bool? = nil, isEditable: Bool? = nil
  ) {
    (self.name, self.alias, fieldType, self.domain) = (name, alias ?? name, type, domain)
    self.length = max(0, length)
    self.isNullable = isNullable ?? (type != .oid)
    self.isEditable = isEditable ?? (type != .oid && type != .globalID)
  }

  /// A field, in the order of the map SDK.
  public init(
    type: FieldType, name: String, alias: String, length: Int = 0, domain: FieldDomain? = nil,
    isEditable: Bool? = nil, isNullable: Bool? = nil
  ) {
    self.init(
      name: name, alias: alias, type: type, domain: domain, length: length, isNullable: isNullable,
      isEditable: isEditable)
  }
}

/// What a table's rows look like.
public struct FeatureSchema: Hashable, Sendable {
  /// The fields, in the order of the columns.
  public let fields: [Field]
  /// What the geometries are; nil for a table without geometry.
  public let geometryKind: GeometryKind?
  /// The reference of the coordinates; nil for a table without geometry.
  public let spatialReference: SpatialReference?
  /// What filters call the geometry: the name of its column, `geometry` where the source has none.
  public let geometryName: String

  /// The most fields that a reader of a file takes.
  ///
  /// Every row takes room in every column, so a file whose features all have a property of their own would take the
  /// square of its size.
  ///
  /// - Source: ours; spreadsheets, databases and services end well below, at 16,384 columns the widest.
  public static let fieldLimit = 4096

  /// What filters call the geometry where the source has no name for it.
  public static let defaultGeometryName = "geometry"

  /// A schema.
  public init(
    fields: [Field], geometryKind: GeometryKind?, spatialReference: SpatialReference?,
    geometryName: String = FeatureSchema.defaultGeometryName
  ) {
    (self.fields, self.geometryKind, self.spatialReference) = (fields, geometryKind, spatialReference)
    self.geometryName = geometryName
  }

  /// The place of a field: its exact name first, else without regard to case; nil when there is none.
  ///
  /// - Source: SQL-92 5.2, where unquoted names have no case, and ArcGIS services. Two fields that differ by case
  ///   alone are told apart by the exact name.
  public func index(ofField name: String) -> Int? {
    fields.firstIndex { $0.name == name }
      ?? fields.firstIndex { $0.name.lowercased() == name.lowercased() }
  }
}

/// A table in memory: columns and coordinates that lie beside each other, row by row.
public struct FeatureColumns: Sendable {
  /// Fields, geometry kind and reference.
  public let schema: FeatureSchema
  /// One column a field of the schema, in its order.
  public let columns: [Column]
  /// The geometries, as many rows as the columns; nil for a table without geometry.
  public let geometry: CoordinateBuffer?
  /// Number of rows.
  public let rowCount: Int
  /// What reading lost or had to guess, for people, each naming the field or place.
  public let warnings: [String]
  /// The ids of the rows, none twice, where no field holds them; nil leaves them to ``ObjectIDs``.
  public let objectIDs: [Int64]?

  /// False for rows that are known to be a part of those that there are, such as one page of a service's answer.
  public let isComplete: Bool

  /// A table; every column, the geometry and the ids must have `rowCount` rows.
  public init(
    schema: FeatureSchema, columns: [Column], geometry: CoordinateBuffer?, rowCount: Int,
    warnings: [String] = [], objectIDs: [Int64]? = nil, isComplete: Bool = true
  ) {
    precondition(schema.fields.count == columns.count, "as many columns as fields")
    precondition(columns.allSatisfy { $0.count == rowCount }, "columns of one length")
    precondition(geometry == nil || geometry?.rowCount == rowCount, "a geometry a row")
    precondition(objectIDs == nil || objectIDs?.count == rowCount, "an id a row")
    (self.schema, self.columns, self.geometry) = (schema, columns, geometry)
    (self.rowCount, self.warnings, self.objectIDs) = (rowCount, warnings, objectIDs)
    self.isComplete = isComplete
  }
}
