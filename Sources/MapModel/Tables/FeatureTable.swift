public import MapFeatures
public import MapGeometry

/// A table of features: the common type of all tables, whatever their rows come from.
///
/// An object that may be asked from any thread; asked before it is loaded, it loads. A table belongs to one layer at
/// most, whose definition expression holds for its queries.
public protocol FeatureTable: Loadable {
  /// What the members of this protocol work on.
  var table: TableState { get }
  /// A table of the same kind and content that no layer shows: it shares the rows that are there, and each goes on by
  /// itself from now on.
  func clone() -> Self
}

extension FeatureTable {
  /// Where loading stands.
  public var loader: Loader { table.loader }
  /// The name in its file or service.
  public var tableName: String { table.content.snapshot.name }
  /// The name for people: the same.
  public var displayName: String { tableName }
  /// The fields, in the table's order; none before the table is loaded.
  public var fields: [Field] { table.source.schema.fields }
  /// The field of a name, without regard to case; nil when there is none.
  public func field(named name: String) -> Field? {
    let schema = table.source.schema
    return schema.index(ofField: name).map { schema.fields[$0] }
  }
  /// What the geometries are; nil for a table without.
  public var geometryType: GeometryKind? { table.source.schema.geometryKind }
  /// True when the rows have geometries.
  public var hasGeometry: Bool { geometryType != nil }
  /// The reference of the coordinates; nil for a table without geometry.
  public var spatialReference: SpatialReference? { table.source.schema.spatialReference }
  /// The envelope of the rows that are there; empty when there are none.
  public var extent: Envelope { table.source.extent }
  /// How many rows are there.
  public var numberOfFeatures: Int { table.source.rowCount }
  /// The layer that shows the table; nil when none does.
  public var featureLayer: FeatureLayer? { table.content.snapshot.layer }
}

/// A table of features in a file or in memory that is read and not written.
public final class LocalFeatureTable: FeatureTable {
  /// What the members of all tables work on.
  public let table: TableState

  /// A table over rows that are there.
  public init(source: any FeatureSource, tableName: String = "") {
    table = TableState(name: tableName, source: source)
  }

  package init(name: String, open: @escaping TableState.Opening) {
    table = TableState(name: name, open: open)
  }

  private init(_ table: TableState) { self.table = table }

  /// A table of the same rows, or of the same file where it is not read yet.
  public func clone() -> LocalFeatureTable { LocalFeatureTable(table.clone()) }
}
