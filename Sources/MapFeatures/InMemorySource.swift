import MapFilter
public import MapGeometry

/// A table in memory with a spatial index: the reference behaviour of every source.
///
/// A table in WGS 84 or Web Mercator is asked in its own coordinates. One in another reference has its geometries in
/// Web Mercator besides, made once: those are drawn, and decide what meets an envelope in WGS 84 or Web Mercator, so
/// that a count and a picture agree. An envelope in the table's own reference meets the coordinates as they are, and
/// that of a view of a map in any other reference meets the geometries as they are drawn there.
public struct InMemorySource: FeatureSource {
  /// Geometries with their index, in one reference.
  struct Indexed {
    let geometry: CoordinateBuffer
    let index: PackedRTree
    let filtered = FilterCache()

    init(_ geometry: CoordinateBuffer) {
      (self.geometry, index) = (geometry, PackedRTree(of: geometry))
    }
  }

  /// The rows as they are.
  package let table: FeatureColumns
  /// The geometries as they are; nil for a table without.
  let own: Indexed?
  /// The geometries in Web Mercator; nil for a table that is asked in its own coordinates alone.
  let shown: Indexed?
  private let placed = PlacedGeometries()
  /// What brings its geometries to other references.
  public private(set) var operations: SpatialOperations
  /// The envelope of all rows.
  public let extent: Envelope
  /// What reading lost or had to guess.
  public let warnings: [String]
  /// Which worlds the rows lie in.
  public let worldsReached: ClosedRange<Int>
  /// What the source says of itself beside its fields.
  public var metadata = SourceMetadata()

  /// Indexes a table in WGS 84, Web Mercator or no reference.
  ///
  /// In any other reference the table answers only envelopes in its own; see ``init(_:operations:)``.
  /// - Parameter worlds: which worlds the rows lie in; nil says where their extent reaches.
  /// - Cost: one sort of the rows by place.
  public init(_ table: FeatureColumns, worlds: ClosedRange<Int>? = nil) {
    self.init(table, shown: nil, lostRows: 0, operations: .builtIn, worlds: worlds)
  }

  /// Indexes a table in any reference.
  ///
  /// - Cost: one sort of the rows by place; in a reference that is not built in two, and a projection of all vertices.
  /// - Throws: ``SpatialOperationError`` for a reference that cannot be brought to Web Mercator.
  public init(_ table: FeatureColumns, operations: SpatialOperations) throws(SpatialOperationError) {
    guard let geometry = table.geometry, let reference = table.schema.spatialReference, !reference.isBuiltIn
    else {
      self.init(table, shown: nil, lostRows: 0, operations: operations)
      return
    }
    let placed = try operations.placed(geometry, from: reference, to: .webMercator)
    self.init(table, shown: placed.buffer, lostRows: placed.lostRows, operations: operations)
  }

  /// The same table with what brings it to the references of maps, where it was made without.
  package func using(_ operations: SpatialOperations) -> InMemorySource {
    guard !self.operations.hasLibrary else { return self }
    var source = self
    source.operations = operations
    return source
  }

  private init(
    _ table: FeatureColumns, shown: CoordinateBuffer?, lostRows: Int, operations: SpatialOperations,
    worlds: ClosedRange<Int>? = nil
  ) {
    (self.table, self.operations) = (table, operations)
    own = table.geometry.map { Indexed($0) }
    self.shown = shown.map { Indexed($0) }
    let extent = (own?.index.extent ?? .empty).with(spatialReference: table.schema.spatialReference)
    self.extent = extent
    worldsReached =
      worlds
      ?? (self.shown.map { $0.index.extent.with(spatialReference: .webMercator) } ?? extent).worldsReached
    warnings = table.warnings + Self.lost(lostRows, in: "Web Mercator")
  }

  /// False for a table whose rows are a part of those that there are.
  public var isExact: Bool { table.isComplete }
  /// Fields, geometry kind and reference.
  public var schema: FeatureSchema { table.schema }
  /// Number of rows, those without geometry included.
  public var rowCount: Int { table.rowCount }
  /// The table itself.
  public func columns() -> FeatureColumns { table }

  /// The table with its geometries as a map shows them.
  ///
  /// - Cost: for a map in a reference of its own once a projection of all vertices, which is kept.
  public func shownColumns(on map: SpatialReference) throws(SpatialOperationError) -> FeatureColumns {
    guard let own = schema.spatialReference, self.own != nil, own.shown(on: map) != own else { return table }
    let target = own.shown(on: map)
    if target == .webMercator, let shown { return table(with: shown, in: target, warnings) }
    guard let placed = try placed(in: target) else { return table }
    let name = "EPSG:\(target.wkid)"
    return table(
      with: placed.shown, in: target,
      table.warnings + Self.lost(placed.lostRows, in: name) + Self.cut(placed.cutRows, in: name))
  }

  /// The envelope of all rows as a map shows them.
  ///
  /// - Cost: as for ``shownColumns(on:)``.
  package func shownExtent(on map: SpatialReference) throws(SpatialOperationError) -> Envelope {
    guard let target = schema.spatialReference?.shown(on: map), target != schema.spatialReference else {
      return extent
    }
    if target == .webMercator, shown != nil { return shownExtent }
    return try placed(in: target)?.shown.index.extent.with(spatialReference: target) ?? .empty
  }

  private func table(
    with shown: Indexed, in reference: SpatialReference, _ warnings: [String]
  ) -> FeatureColumns {
    FeatureColumns(
      schema: FeatureSchema(
        fields: schema.fields, geometryKind: schema.geometryKind, spatialReference: reference,
        geometryName: schema.geometryName),
      columns: table.columns, geometry: shown.geometry, rowCount: rowCount, warnings: warnings,
      objectIDs: table.objectIDs, isComplete: table.isComplete)
  }

  /// The geometries in the reference of a map; nil for a table without.
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
    rows == 0 ? [] : ["\(rows) geometries have no place in \(reference): no view in it shows or counts them"]
  }

  private static func cut(_ rows: Int, in reference: String) -> [String] {
    switch rows {
    case 0: []
    case 1: ["1 geometry crosses the rim of \(reference) and is not drawn whole"]
    default: ["\(rows) geometries cross the rim of \(reference) and are not drawn whole"]
    }
  }

  /// The envelope of all rows in WGS 84 or Web Mercator.
  public var shownExtent: Envelope {
    shown.map { $0.index.extent.with(spatialReference: .webMercator) } ?? extent
  }

  /// The rows that answer the query: the envelopes by index and an exact test at the edge, then filters over columns.
  ///
  /// - Throws: ``QueryConditionError`` for a filter that does not fit the table, ``SpatialOperationError``.
  public func rows(_ query: FeatureQuery) throws -> RowSet {
    // The index first: filters then pass over the stretches of the table that lie elsewhere.
    var rows = try rows(meeting: query.envelopes)
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
    // A table without geometry ignores where the caller looks, as in the ArcGIS Maps SDK.
    guard let envelopes, own != nil else { return RowSet(rowCount: rowCount, all: true) }
    if let rows = try indexedRows(meeting: envelopes) { return rows }
    var rows = RowSet(rowCount: rowCount)
    for envelope in envelopes { rows.formUnion(try self.rows(SpatialCondition(meeting: envelope))) }
    return rows
  }

  /// The rows that meet one of some envelopes; nil where one of them is no envelope in the reference to ask.
  func indexedRows(meeting envelopes: [Envelope]) throws(SpatialOperationError) -> RowSet? {
    var words = RowSet(rowCount: rowCount).words
    for envelope in envelopes {
      guard let (asked, places) = try places(envelope) else { return nil }
      for place in places { asked.index.insertRows(meeting: place, of: asked.geometry, into: &words) }
    }
    return RowSet(rowCount: rowCount, words: words)
  }

  /// How many rows answer the query; in one envelope they are counted in the index, whole nodes at once.
  public func count(_ query: FeatureQuery) throws -> Int { try count(query, isOneOfMany: false) }

  /// How many rows answer each of some queries, on all cores.
  public func counts(_ queries: [FeatureQuery]) throws -> [Int] {
    // Envelopes differ in cost, so that a core takes many pieces.
    let pieces = queries.indices.pieces(of: max(1, queries.count / 128))
    return try concurrentMap(pieces.count) { piece in
      try pieces[piece].map { try count(queries[$0], isOneOfMany: queries.count > 1) }
    }.flatMap { $0 }
  }

  private func count(_ query: FeatureQuery, isOneOfMany: Bool) throws -> Int {
    guard query.objectIDs == nil, query.hiddenIDs.isEmpty, query.geometry == nil,
      let envelopes = query.envelopes,
      envelopes.count == 1, let (asked, places) = try places(envelopes[0]), places.count == 1
    else { return try rows(query).count }
    if query.filters.isEmpty { return asked.index.count(meeting: places[0], of: asked.geometry) }
    let passing = try asked.filtered.rows(FilterCache.Key(query), isAskedOften: isOneOfMany) {
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
    let compiled: CompiledFilter
    do throws(FilterError) {
      compiled = try CompiledFilter(
        filter.expression, for: table, now: now, places: filter.places, names: filter.names)
    } catch {
      throw QueryConditionError(
        kind: filter.kind, text: filter.text, cause: .meaning(error), language: filter.language)
    }
    var answers: [SpatialQuestion: RowSet] = [:]
    for question in compiled.spatialQuestions where answers[question] == nil {
      answers[question] = try rows(question)
    }
    return compiled.rows(in: table, among: candidates, answers: answers)
  }

  /// The geometries that an envelope is asked of, and the envelope in their reference, where it is one there: once more
  /// for every world beside the first that the rows lie in.
  private func places(
    _ envelope: Envelope
  ) throws(SpatialOperationError) -> (Indexed, [Envelope])? {
    guard let own else { return nil }
    guard let reference = schema.spatialReference, let asked = envelope.spatialReference, asked != reference
    else { return (own, repeated(envelope, in: schema.spatialReference)) }
    let target = reference.shown(on: asked)
    guard let box = envelope.projected(to: target) else { return nil }
    if target == reference { return (own, repeated(box, in: target)) }
    if target == .webMercator, let shown { return (shown, repeated(box, in: target)) }
    return try placed(in: target).map { ($0.shown, repeated(box, in: target)) }
  }

  private func repeated(_ envelope: Envelope, in reference: SpatialReference?) -> [Envelope] {
    guard let reference, reference.isBuiltIn else { return [envelope] }
    // A row in world 1 is met in world 0 by an envelope that is moved there.
    return worldsReached.map { envelope.moved(worlds: $0, of: reference) }
  }
}
