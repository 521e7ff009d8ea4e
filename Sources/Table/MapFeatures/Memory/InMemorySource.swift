import MapFilter
package import MapGeometry
import MapSystem
internal import Synchronization

/// A table in memory with a spatial index; every other source must behave like it.
///
/// A table in WGS 84 or Web Mercator is queried in its own coordinates. A table in another spatial reference also has
/// its geometries in Web Mercator, projected once. These are drawn, and compared with envelopes in WGS 84 or Web
/// Mercator, so that a count and an image agree. An envelope in the table's own spatial reference is compared with the
/// original coordinates. An envelope of a map in any other is compared with the geometries as drawn there.
package struct InMemorySource: FeatureSource {
  /// The rows as read.
  package private(set) var table: FeatureColumns
  /// The original geometries; nil for a table without geometry.
  let own: IndexedGeometries?
  /// The geometries in Web Mercator; nil for a table that is queried only in its own coordinates.
  let shown: IndexedGeometries?
  /// The same rows with the geometries of other kinds; empty for a table of one kind.
  private(set) var others: [InMemorySource]
  let placed = PlacedGeometries()
  /// The most recent filters, for the stages of a funnel and the classes of labels that share them.
  private(set) var used: RecentlyUsed<FilterCache.Key, UsedFilter>
  /// The operations that project geometries to other spatial references.
  package private(set) var operations: SpatialOperations
  /// The envelope of all rows.
  package let extent: Envelope
  /// Warnings about losses and assumptions while reading.
  package private(set) var warnings: [String]
  /// The world copies that contain rows.
  package let worldsReached: ClosedRange<Int>
  /// The extent of all rows, or of a larger table that they belong to, where the world repeats.
  let reach: Envelope
  private var declared = SourceMetadata()

  /// Creates a table in WGS 84, in Web Mercator or without a spatial reference.
  ///
  /// In any other spatial reference the table supports only envelopes in its own; see ``init(_:operations:)``.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - worlds: The world copies that contain rows; nil computes them from the extent.
  ///   - whole: The extent of the table that the rows belong to; nil if these are all rows.
  /// - Cost: one pass over the rows; a sort of them by position when the index is first needed.
  package init(_ table: FeatureColumns, worlds: ClosedRange<Int>? = nil, of whole: Envelope? = nil) {
    self.init(
      table, shown: nil, lostRows: 0, operations: .builtIn, worlds: worlds ?? whole?.worldsReached,
      of: whole,
      others: table.otherGeometries.map {
        InMemorySource(table.showing($0, warnings: []), worlds: worlds, of: whole)
      })
  }

  /// Creates a table in any spatial reference.
  ///
  /// - Cost: as ``init(_:worlds:)``, twice for a spatial reference that is not built in, and a projection of all
  ///   vertices.
  /// - Throws: ``SpatialOperationError`` for a spatial reference that cannot be projected to Web Mercator.
  package init(_ table: FeatureColumns, operations: SpatialOperations) throws(SpatialOperationError) {
    let others = try table.otherGeometries.map { buffer throws(SpatialOperationError) in
      try InMemorySource(table.showing(buffer, warnings: []), operations: operations)
    }
    guard let geometry = table.geometry, let reference = table.schema.spatialReference, !reference.isBuiltIn
    else {
      self.init(table, shown: nil, lostRows: 0, operations: operations, others: others)
      return
    }
    let placed = try operations.placed(geometry, from: reference, to: .webMercator)
    self.init(
      table, shown: placed.buffer, lostRows: placed.lostRows, operations: operations, others: others)
  }

  /// Returns the table with operations of a library, if it has none.
  package func using(_ operations: SpatialOperations) -> InMemorySource {
    guard !self.operations.hasLibrary else { return self }
    var source = self
    source.operations = operations
    source.others = others.map { $0.using(operations) }
    source.used = RecentlyUsed(capacity: FilterCache.capacity(rowCount: rowCount))
    return source
  }

  /// Returns the table with domains for fields, by their names in lower case.
  ///
  /// - Parameter replacing: whether they replace those that fields have already.
  /// - Cost: none per row; the index and the kept filters are shared.
  package func with(domains: [String: FieldDomain], replacing: Bool = false) -> InMemorySource {
    var source = self
    source.table = table.with(domains: domains, replacing: replacing)
    source.others = others.map { $0.with(domains: domains, replacing: replacing) }
    return source
  }

  /// Returns the table with further warnings.
  func adding(_ more: [String]) -> InMemorySource {
    var source = self
    source.warnings = more + warnings
    return source
  }

  private init(
    _ table: FeatureColumns, shown: CoordinateBuffer?, lostRows: Int, operations: SpatialOperations,
    worlds: ClosedRange<Int>? = nil, of whole: Envelope? = nil, others: [InMemorySource]
  ) {
    (self.table, self.operations, self.others) = (table, operations, others)
    // The search of another source would keep that source in memory.
    self.table.search = nil
    used = RecentlyUsed(capacity: FilterCache.capacity(rowCount: table.rowCount))
    own = table.geometry.map { IndexedGeometries($0) }
    self.shown = shown.map { IndexedGeometries($0) }
    let extent = (own?.extent ?? .empty).with(spatialReference: table.schema.spatialReference)
    self.extent = others.reduce(extent) { $0.union($1.extent) }.with(
      spatialReference: table.schema.spatialReference)
    reach = whole ?? self.shown.map { $0.extent.with(spatialReference: .webMercator) } ?? extent
    let reached = worlds ?? reach.worldsReached
    worldsReached = others.reduce(reached) {
      min($0.lowerBound, $1.worldsReached.lowerBound)...max($0.upperBound, $1.worldsReached.upperBound)
    }
    warnings =
      table.warnings + Self.lost(lostRows, in: "Web Mercator") + others.flatMap(\.warnings)
  }

  /// The properties besides the fields; the number, extents, warnings and exactness are always those of the rows.
  package var metadata: SourceMetadata {
    get {
      var metadata = declared
      (metadata.rowCount, metadata.extent, metadata.shownExtent) = (rowCount, extent, shownExtent)
      (metadata.worldsReached, metadata.warnings) = (worldsReached, warnings)
      metadata.inexactReason = inexactReason
      return metadata
    }
    set { declared = newValue }
  }

  /// Returns whether another source shares the index and the filters of this one, and so the rows.
  package func shares(indexOf other: InMemorySource) -> Bool {
    used === other.used && own?.tree === other.own?.tree
  }
  /// The number of filters whose compiled form or rows are kept.
  package var keptFilterCount: Int { used.count }
  /// The table itself.
  package var inMemory: InMemorySource? { self }
  /// Whether the table holds all rows; false for a known part.
  package var isExact: Bool { table.isComplete }
  /// The reason why the table is not exact; nil if it holds all rows.
  package var inexactReason: String? {
    isExact ? nil : "the data hold only a part of the features, as a warning says"
  }
  /// The fields, geometry kind and spatial reference.
  package var schema: FeatureSchema { table.schema }
  /// The number of rows, including those without geometry.
  package var rowCount: Int { table.rowCount }
  /// Returns the table.
  package func columns() -> FeatureColumns { searching(table) }
  /// Returns a table of the same rows, with the search of this source.
  func searching(_ table: FeatureColumns) -> FeatureColumns {
    var table = table
    table.search = { question throws(SpatialOperationError) in try rows(question) }
    return table
  }
  /// Returns the table with all its rows.
  package func fetch(_ query: FeatureQuery?, page: FeaturePage) -> FetchedFeatures { FetchedFeatures(self) }
}
