public import MapFeatures
package import MapFilter
public import MapGeometry
import Synchronization

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

/// The state that the members of every ``FeatureTable`` use: content, name and layer.
///
/// Only tables create it.
public final class TableState: Sendable {
  package struct Content: Sendable {
    /// The source that is drawn and queried; without fields until the table is loaded.
    package var source: any FeatureSource
    package var name: String
    /// The time fields of the table; nil for none.
    package var timeInfo: TimeInfo?
    /// The drawing information of the source.
    package var drawing = SourceDrawing()
    /// The condition of a document that limits the rows while no layer shows the table.
    package var definition = ParsedFilter.none
    /// Whether query clauses are CQL2; layers use SQL for expressions and display filters on every table.
    package var takesCQL2 = false
    /// The error for every query, when the table was set to a mode that it cannot have; nil for none.
    package var refusal: (any Error)?
    /// The address or path that identifies the table in a document; nil for rows in memory.
    package var url: String?
    /// The description of the table in its document; nil for none.
    package var origin: LayerOrigin?
    package weak var layer: FeatureLayer?
    /// The state object of the layer that owns the table, from the layer's initialisation to its end.
    fileprivate weak var owner: (any ModelPart)?
  }

  /// The rows of a table that was opened, with its name and drawing at its source.
  package struct Opened: Sendable {
    package let source: any FeatureSource
    package let name: String
    package let drawing: SourceDrawing
    /// The condition of a document that limits the rows.
    package var definition = ParsedFilter.none

    package init(source: any FeatureSource, name: String, drawing: SourceDrawing) {
      (self.source, self.name, self.drawing) = (source, name, drawing)
    }
  }
  /// A function that opens the table.
  package typealias Opening = @Sendable () async throws -> Opened

  package let content: ModelState<Content>
  let loader: Loader
  /// The function that reads the table; nil for rows that were available from the start.
  private let open: Opening?

  /// Creates a table with its content.
  package convenience init(name: String, source: any FeatureSource) {
    self.init(
      Content(source: source, name: name, timeInfo: TimeInfo(onlyDateOf: source.schema)), isLoaded: true,
      open: nil)
  }

  /// Creates a table that is read when it is first needed.
  ///
  /// - Parameter takesCQL2: Whether the where clauses of its queries are CQL2.
  package convenience init(name: String, takesCQL2: Bool = false, open: @escaping Opening) {
    self.init(
      Content(source: InMemorySource(.nothing), name: name, takesCQL2: takesCQL2), isLoaded: false, open: open
    )
  }

  private init(_ start: Content, isLoaded: Bool, open: Opening?) {
    let content = ModelState(start)
    (self.content, self.open) = (content, open)
    loader = Loader(isLoaded: isLoaded) {
      guard let open else { return }
      let opened = try await open()
      content.update {
        ($0.source, $0.name, $0.drawing) = (opened.source, opened.name, opened.drawing)
        $0.definition = opened.definition
        $0.timeInfo = opened.source.metadata.timeInfo ?? TimeInfo(onlyDateOf: opened.source.schema)
      }
    }
  }

  /// Whether the rows are loaded.
  package var isLoaded: Bool { loader.isLoaded }

  /// Returns a table with the same content that belongs to no layer.
  ///
  /// The copy is loaded if this table is; otherwise it is read when it is first needed.
  ///
  /// - Parameter open: The function that reads the copy; nil for that of this table.
  package func clone(open other: Opening? = nil) -> TableState {
    ModelGate.withLock {
      var copy = content.snapshot
      (copy.layer, copy.owner) = (nil, nil)
      copy.origin?.document = DocumentMark()
      return TableState(copy, isLoaded: isLoaded, open: other ?? open)
    }
  }

  /// The current rows of the table.
  package var source: any FeatureSource { content.read { $0.source } }

  /// Replaces the rows.
  package func replace(_ source: any FeatureSource) { content.update { $0.source = source } }

  /// Assigns the table to a layer that is being created; returns false when the table already has an owner.
  func claim(by owner: any ModelPart) -> Bool {
    ModelGate.withLock {
      guard content.read({ $0.owner == nil }) else { return false }
      content.update { $0.owner = owner }
      content.join(owner)
      return true
    }
  }
}

extension FeatureColumns {
  /// A table without fields and rows.
  package static let nothing = FeatureColumns(
    schema: FeatureSchema(fields: [], geometryKind: nil, spatialReference: nil), columns: [], geometry: nil,
    rowCount: 0)
}

extension TimeInfo {
  /// Creates time information from the only date field of a table; nil unless there is exactly one.
  package init?(onlyDateOf schema: FeatureSchema) {
    let names = schema.timeFieldNames
    guard names.count == 1 else { return nil }
    self.init(startField: names[0])
  }
}
