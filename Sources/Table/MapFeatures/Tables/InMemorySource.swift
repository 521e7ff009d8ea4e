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
  /// Geometries with their index, in one spatial reference.
  struct Indexed {
    let geometry: CoordinateBuffer
    /// The smallest envelope that contains all rows, without a spatial reference.
    let extent: Envelope
    let filtered: FilterCache
    fileprivate let tree = LazyIndex()

    init(_ geometry: CoordinateBuffer) {
      filtered = FilterCache(rowCount: geometry.rowCount)
      self.geometry = geometry
      let envelopes = EnvelopeColumns(of: geometry)
      extent = envelopes.union(of: 0..<envelopes.count)
    }

    /// The index, which is built when it is first needed.
    var index: PackedRTree { tree.index(of: geometry) }

    /// Inserts the rows that meet an envelope, including its sides.
    ///
    /// The first questions about points compare all of them, which costs less than an index.
    func insertRows(meeting envelope: Envelope, into words: inout [UInt64]) {
      guard geometry.kind == .point, tree.isEarlyQuestion() else {
        return index.insertRows(meeting: envelope, of: geometry, into: &words)
      }
      for (place, word) in EnvelopeColumns(of: geometry).rows(meeting: envelope).enumerated() {
        words[place] |= word
      }
    }

    /// Returns the number of rows that meet an envelope, including its sides.
    func count(meeting envelope: Envelope, isOneOfMany: Bool) -> Int {
      guard geometry.kind == .point, !isOneOfMany, tree.isEarlyQuestion() else {
        return index.count(meeting: envelope, of: geometry)
      }
      return EnvelopeColumns(of: geometry).rows(meeting: envelope).reduce(0) { $0 + $1.nonzeroBitCount }
    }
  }

  /// An index that is built when it is first needed, and the number of questions before it.
  fileprivate final class LazyIndex: Sendable {
    private let state = Mutex((index: PackedRTree?.none, questions: 0))

    /// The number of questions before the index is built.
    ///
    /// - Source: building it takes as long as about 30 passes over the points, and two dozen bytes per point. An image
    ///   with labels asks four questions.
    private static let earlyQuestions = 8

    /// Returns the index of the geometries, always the same ones.
    func index(of geometry: CoordinateBuffer) -> PackedRTree {
      state.withLock { state in
        let index = state.index ?? PackedRTree(of: geometry)
        state.index = index
        return index
      }
    }

    /// Whether there were few questions and no index before.
    func isEarlyQuestion() -> Bool {
      state.withLock { state in
        state.questions += 1
        return state.questions <= Self.earlyQuestions && state.index == nil
      }
    }
  }

  /// The rows as read.
  package private(set) var table: FeatureColumns
  /// The original geometries; nil for a table without geometry.
  let own: Indexed?
  /// The geometries in Web Mercator; nil for a table that is queried only in its own coordinates.
  let shown: Indexed?
  /// The same rows with the geometries of other kinds; empty for a table of one kind.
  private(set) var others: [InMemorySource]
  private let placed = PlacedGeometries()
  /// The most recent filters, for the stages of a funnel and the classes of labels that share them.
  private var used: RecentlyUsed<FilterCache.Key, UsedFilter>
  /// The operations that project geometries to other spatial references.
  package private(set) var operations: SpatialOperations
  /// The envelope of all rows.
  package let extent: Envelope
  /// Warnings about losses and assumptions while reading.
  package private(set) var warnings: [String]
  /// The world copies that contain rows.
  package let worldsReached: ClosedRange<Int>
  /// The extent of all rows, or of a larger table that they belong to, where the world repeats.
  private let reach: Envelope
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

  /// Returns the table with domains for fields that have none, by their names in lower case.
  ///
  /// - Cost: none per row; the index and the kept filters are shared.
  package func with(domains: [String: FieldDomain]) -> InMemorySource {
    var source = self
    let fields = table.schema.fields.map { field in
      domains[field.name.lowercased()].map { field.with(domain: $0) } ?? field
    }
    source.table = table.with(fields: fields, table.columns)
    source.others = others.map { $0.with(domains: domains) }
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
    used = RecentlyUsed(capacity: FilterCache.capacity(rowCount: table.rowCount))
    own = table.geometry.map { Indexed($0) }
    self.shown = shown.map { Indexed($0) }
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
      (metadata.worldsReached, metadata.warnings, metadata.isExact) = (worldsReached, warnings, isExact)
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
  /// The fields, geometry kind and spatial reference.
  package var schema: FeatureSchema { table.schema }
  /// The number of rows, including those without geometry.
  package var rowCount: Int { table.rowCount }
  /// Returns the table.
  package func columns() -> FeatureColumns { table }
  /// Returns the table with all its rows.
  package func fetch(_ query: FeatureQuery?, page: FeaturePage) -> FetchedFeatures { FetchedFeatures(self) }

  /// Returns the table with its geometries in the spatial reference in which a map shows them.
  ///
  /// - Cost: for a map in another spatial reference a projection of all vertices, once; the result is kept.
  package func shownColumns(on map: SpatialReference) throws(SpatialOperationError) -> FeatureColumns {
    guard let own = schema.spatialReference, self.own != nil, own.shown(on: map) != own else { return table }
    let target = own.shown(on: map)
    var others: [CoordinateBuffer] = []
    for other in self.others {
      if let more = try other.shownColumns(on: map).geometry { others.append(more) }
    }
    if target == .webMercator, let shown { return table(with: shown, others, in: target, warnings) }
    guard let placed = try placed(in: target) else { return table }
    let name = "EPSG:\(target.wkid)"
    return table(
      with: placed.shown, others, in: target,
      table.warnings + Self.lost(placed.lostRows, in: name) + Self.cut(placed.cutRows, in: name))
  }

  /// Returns the envelope of all rows in the spatial reference in which a map shows them.
  ///
  /// - Cost: as for ``shownColumns(on:)``.
  package func shownExtent(on map: SpatialReference) throws(SpatialOperationError) -> Envelope {
    guard let target = schema.spatialReference?.shown(on: map), target != schema.spatialReference else {
      return extent
    }
    if target == .webMercator, shown != nil { return shownExtent }
    var extent = try placed(in: target)?.shown.extent ?? .empty
    for other in others { extent = extent.union(try other.shownExtent(on: map)) }
    return extent.with(spatialReference: target)
  }

  /// Whether ``shownExtent(on:)`` needs no projection.
  package func knowsShownExtent(on map: SpatialReference) -> Bool {
    guard let target = schema.spatialReference?.shown(on: map), target != schema.spatialReference else {
      return true
    }
    return own == nil || target == .webMercator && shown != nil || placed.contains(target)
  }

  private func table(
    with shown: Indexed, _ others: [CoordinateBuffer], in reference: SpatialReference, _ warnings: [String]
  ) -> FeatureColumns {
    FeatureColumns(
      schema: FeatureSchema(
        fields: schema.fields, geometryKind: schema.geometryKind, spatialReference: reference,
        geometryName: schema.geometryName),
      columns: table.columns, geometry: shown.geometry, otherGeometries: others, rowCount: rowCount,
      warnings: warnings,
      objectIDs: table.objectIDs, isComplete: table.isComplete)
  }

  /// Returns the geometries in the spatial reference of a map; nil for a table without geometry.
  private func placed(
    in map: SpatialReference
  ) throws(SpatialOperationError) -> PlacedGeometries.Placed? {
    guard let own, let reference = schema.spatialReference else { return nil }
    return try placed.placed(in: map) { () throws(SpatialOperationError) in
      let placed = try operations.placed(own.geometry, from: reference, to: map)
      return PlacedGeometries.Placed(
        reference: map, shown: Indexed(placed.buffer), lostRows: placed.lostRows, cutRows: placed.cutRows)
    }
  }

  private static func lost(_ rows: Int, in reference: String) -> [String] {
    rows == 0
      ? []
      : ["\(rows) geometries cannot be projected to \(reference): views in it neither show nor count them"]
  }

  private static func cut(_ rows: Int, in reference: String) -> [String] {
    switch rows {
    case 0: []
    case 1: ["1 geometry crosses the rim of \(reference) and is not drawn whole"]
    default: ["\(rows) geometries cross the rim of \(reference) and are not drawn whole"]
    }
  }

  /// The envelope of all rows in WGS 84 or Web Mercator.
  package var shownExtent: Envelope {
    guard let shown else { return extent }
    return others.reduce(shown.extent) { $0.union($1.shownExtent) }
      .with(spatialReference: .webMercator)
  }

  /// Returns the rows that match the query, using the index with exact tests at the edges, then filters over columns.
  ///
  /// - Throws: ``QueryConditionError`` for a filter that does not match the table, ``SpatialOperationError``.
  package func rows(_ query: FeatureQuery) throws -> RowSet {
    // Use the index first: filters then skip blocks of the table without candidates.
    var rows = try rows(meeting: query.envelopes)
    if let rectangle = query.rectangle { rows = try self.rows(rows, meeting: rectangle) }
    if let condition = query.geometry { rows.formIntersection(try self.rows(condition)) }
    if let ids = query.objectIDs {
      rows.formIntersection(ObjectIDs(table).rows(with: ids, rowCount: rowCount))
    }
    if !query.hiddenIDs.isEmpty {
      rows.subtract(ObjectIDs(table).rows(with: query.hiddenIDs, rowCount: rowCount))
    }
    for filter in query.filters { rows = try self.rows(passing: filter, at: query.now, among: rows) }
    return rows
  }

  private func rows(meeting envelopes: [Envelope]?) throws(SpatialOperationError) -> RowSet {
    // A table without geometry ignores envelopes, as in the ArcGIS Maps SDK.
    guard let envelopes, own != nil else { return RowSet(rowCount: rowCount, all: true) }
    var rows = RowSet(rowCount: rowCount)
    for other in others { rows.formUnion(try other.rows(meeting: envelopes)) }
    if let own = try indexedRows(meeting: envelopes) {
      rows.formUnion(own)
      return rows
    }
    for envelope in envelopes { rows.formUnion(try self.rows(SpatialCondition(meeting: envelope))) }
    return rows
  }

  /// Returns the rows that meet one of the envelopes; nil if one is not an envelope in the table's spatial reference.
  func indexedRows(meeting envelopes: [Envelope]) throws(SpatialOperationError) -> RowSet? {
    var words = RowSet(rowCount: rowCount).words
    for envelope in envelopes {
      guard let (asked, places) = try places(envelope) else { return nil }
      for place in places { asked.insertRows(meeting: place, into: &words) }
    }
    return RowSet(rowCount: rowCount, words: words)
  }

  /// Returns the number of rows that match the query; for a single envelope whole nodes of the index are counted at
  /// once.
  package func count(_ query: FeatureQuery) throws -> Int { try count(query, isOneOfMany: false) }

  /// Returns the number of matching rows for each query, using all cores.
  package func counts(_ queries: [FeatureQuery]) throws -> [Int] {
    // Envelopes differ in cost, so each core takes many small pieces.
    let pieces = queries.indices.pieces(of: max(1, queries.count / 128))
    return try concurrentMap(pieces.count) { piece in
      try pieces[piece].map { try count(queries[$0], isOneOfMany: queries.count > 1) }
    }.flatMap { $0 }
  }

  private func count(_ query: FeatureQuery, isOneOfMany: Bool) throws -> Int {
    guard others.isEmpty, query.objectIDs == nil, query.hiddenIDs.isEmpty, query.geometry == nil,
      query.rectangle == nil, let envelopes = query.envelopes,
      envelopes.count == 1, let (asked, places) = try places(envelopes[0]), places.count == 1
    else { return try rows(query).count }
    if query.filters.isEmpty { return asked.count(meeting: places[0], isOneOfMany: isOneOfMany) }
    let key = FilterCache.Key(query.filters, at: query.now)
    let passing = try asked.filtered.rows(key, isAskedOften: isOneOfMany) {
      var rows = RowSet(rowCount: rowCount, all: true)
      for filter in query.filters { rows = try self.rows(passing: filter, at: query.now, among: rows) }
      return asked.index.packed(rows.words)
    }
    guard let passing else { return try rows(query).count }
    return asked.index.count(meeting: places[0], of: asked.geometry, among: passing)
  }

  private func rows(
    passing filter: QueryFilter, at now: Instant?, among candidates: RowSet
  ) throws -> RowSet {
    let key = FilterCache.Key([filter], at: now)
    let known = used[key]
    if let rows = known?.rows { return rows.intersection(candidates) }
    let compiled =
      try known?.compiled ?? filter.compiled(for: table, at: now)
    var answers: [SpatialQuestion: RowSet] = [:]
    for question in compiled.spatialQuestions where answers[question] == nil {
      answers[question] = try rows(question)
    }
    // A filter that is used again for most of the table is evaluated for all of it, and then never again.
    let count = candidates.count
    let isWhole = count == rowCount || known != nil && count > rowCount / 2
    let rows = compiled.rows(in: table, among: isWhole ? nil : candidates, answers: answers)
    used.keep(UsedFilter(compiled: compiled, rows: isWhole ? rows : nil), for: key)
    return isWhole ? rows.intersection(candidates) : rows
  }

  /// Returns the geometries to compare with an envelope, and the envelope in their spatial reference, once per world
  /// copy.
  ///
  /// Nil for a table without geometry, or if the envelope is not an envelope in that spatial reference.
  func places(
    _ envelope: Envelope
  ) throws(SpatialOperationError) -> (Indexed, [Envelope])? {
    guard let own else { return nil }
    guard let reference = schema.spatialReference, let asked = envelope.spatialReference, asked != reference
    else { return (own, repeated(envelope, in: schema.spatialReference)) }
    let target = reference.shown(on: asked)
    guard let box = envelope.projected(to: target) else { return nil }
    return try geometries(in: target).map { ($0, repeated(box, in: target)) }
  }

  /// Returns the geometries in the spatial reference in which a map shows them; nil for a table without geometry.
  func geometries(in target: SpatialReference) throws(SpatialOperationError) -> Indexed? {
    if target == schema.spatialReference { return own }
    if target == .webMercator, let shown { return shown }
    return try placed(in: target)?.shown
  }

  private func repeated(_ envelope: Envelope, in reference: SpatialReference?) -> [Envelope] {
    guard let reference, reference.isBuiltIn else { return [envelope] }
    // A row in world copy 1 is shown in world copy 0 too: move the envelope to the row.
    guard reach.spatialReference == reference else {
      return worldsReached.map { envelope.moved(worlds: $0, of: reference) }
    }
    return envelope.copies(in: worldsReached, touching: reach)
  }
}
