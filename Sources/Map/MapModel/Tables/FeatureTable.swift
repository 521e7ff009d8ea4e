public import MapFeatures
public import MapGeometry

/// A table of features: the common type of all tables, whatever the origin of their rows.
///
/// A reference type that is safe to query from any thread; a query loads the table first. A table belongs to at most
/// one layer, whose definition expression applies to its queries.
public protocol FeatureTable: Loadable {
  /// The state that the members of this protocol use.
  var table: TableState { get }
  /// Returns a table of the same kind and content that belongs to no layer.
  ///
  /// It shares the rows that are available now; later changes to one table do not affect the other.
  func clone() -> Self
}

extension FeatureTable {
  /// The load state of the table.
  public var loader: Loader { table.loader }
  /// The name in its file or service.
  public var tableName: String { table.content.read { $0.name } }
  /// The display name, the same as ``tableName``.
  public var displayName: String { tableName }
  /// The fields, in the table's order; empty before the table is loaded.
  public var fields: [Field] { table.source.schema.fields }
  /// Returns the field with a name, ignoring case; nil for none.
  public func field(named name: String) -> Field? {
    let schema = table.source.schema
    return schema.index(ofField: name).map { schema.fields[$0] }
  }
  /// The geometry type; nil for a table without geometry.
  public var geometryType: GeometryKind? { table.source.schema.geometryKind }
  /// Whether the rows have geometries.
  public var hasGeometry: Bool { geometryType != nil }
  /// The spatial reference of the coordinates; nil for a table without geometry.
  public var spatialReference: SpatialReference? { table.source.schema.spatialReference }
  /// The envelope of the rows that are available now; empty for none.
  public var extent: Envelope { table.source.extent }
  /// The number of rows that are available now.
  public var numberOfFeatures: Int { table.source.rowCount }
  /// The layer that shows the table; nil for none.
  public var featureLayer: FeatureLayer? { table.content.read { $0.layer } }
}

/// A read-only table of features in a file or in memory.
public final class LocalFeatureTable: FeatureTable {
  /// The state that the members of all tables use.
  public let table: TableState

  /// Creates a table from rows.
  package init(source: any FeatureSource, tableName: String = "") {
    table = TableState(name: tableName, source: source)
  }

  package init(name: String, open: @escaping TableState.Opening) {
    table = TableState(name: name, open: open)
  }

  private init(_ table: TableState) { self.table = table }

  /// Returns a table of the same rows, or of the same file if it is not read yet.
  public func clone() -> LocalFeatureTable { LocalFeatureTable(table.clone()) }
}
