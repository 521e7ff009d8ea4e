package import MapFeatures
package import MapGeometry
import MapReaders
import MapServices

/// A table of a database that is too large to be read whole: the database selects and counts its rows.
///
/// All answers are those of one snapshot, which a transaction keeps until the layer is released.
package struct DatabaseLayer: ServiceLayer {
  /// The fields, geometry kind and spatial reference.
  package let schema: FeatureSchema
  /// The extent of all rows.
  package let statedExtent: Envelope?
  /// The name of the table.
  package let metadata: SourceMetadata
  /// Warnings about columns that are not read.
  package let notices: [String]

  private let address: DatabaseAddress
  private let access: DatabaseAccess
  private let snapshot: DatabaseSnapshot
  /// The table as it was opened; nil if the transaction of the snapshot locks it.
  private let version: TableVersion?
  private let query: TableQuery
  private let rowCount: Int
  /// The least and the greatest key; nil without rows.
  let keys: ClosedRange<Int64>?
  /// The address for messages.
  var place: String { address.shown }

  /// Creates a layer from the summary of a table.
  init(
    _ table: TableDescription, _ summary: TableSummary, name: String, reference: SpatialReference?,
    _ address: DatabaseAddress, _ access: DatabaseAccess, _ snapshot: DatabaseSnapshot,
    _ version: TableVersion?, _ operations: SpatialOperations
  ) {
    schema = FeatureSchema(
      fields: table.fields, geometryKind: table.geometry?.kind, spatialReference: reference,
      geometryName: table.geometry?.name ?? FeatureSchema.defaultGeometryName)
    statedExtent = table.geometry == nil ? nil : summary.extent.with(spatialReference: reference)
    var metadata = SourceMetadata()
    metadata.name = name
    self.metadata = metadata
    notices = table.warnings
    (self.address, self.access, self.snapshot, self.version) = (address, access, snapshot, version)
    (rowCount, keys) = (summary.rowCount, summary.keys)
    query = TableQuery(
      table: table, schema: schema, operations: operations, extent: statedExtent ?? .empty)
  }

  /// Returns the part of a query that the database answers; for conditions on places, it returns candidates.
  package func pushable(_ query: FeatureQuery) -> FeatureQuery { self.query.pushable(query) }

  /// Whether the database answers a pushed query exactly: envelopes only for points.
  package func answersExactly(_ query: FeatureQuery) -> Bool { self.query.isExact(query) }

  /// Checks the filters of a query against the columns.
  package func check(_ query: FeatureQuery) throws { try self.query.check(query) }

  /// Returns why conditions of a query are evaluated here.
  package func reasonsForRest(of query: FeatureQuery) -> [String] { self.query.reasons(query) }

  /// Returns the number of matching rows, as counted by the database.
  package func count(_ query: FeatureQuery) async throws -> Int {
    let conditions = try written { () throws(ExactFilter.Excluded) in try self.query.conditions(query) }
    guard !conditions.isEmpty else { return rowCount }
    let statement = "SELECT count(*) FROM \(self.query.table.name)\(conditions)"
    access.report?(statement)
    let connection = try await connection()
    let rows = try await connection.rows(statement)
    guard let count = Int(rows.first?.first.flatMap { $0 } ?? "") else {
      throw connection.fault("gave no number of rows")
    }
    return count
  }

  /// Returns the matching rows, or candidates for conditions on places, in the order of the key.
  package func features(_ query: FeatureQuery) async throws -> FeatureColumns {
    try await rows(self.query.table, query) ?? FeatureColumns(joining: [], schema: schema)
  }

  /// Returns the first matching rows in an order; nil if the database orders otherwise than MapState.
  package func features(
    _ query: FeatureQuery, first limit: Int, in order: [OrderBy]
  ) async throws -> FeatureColumns? {
    try await rows(self.query.table, query, first: (limit, order))
  }

  /// Returns one point of each group of the matching points; nil if the database cannot group them.
  package func points(_ query: FeatureQuery, in groups: PointGroups) async throws -> GroupedPoints? {
    guard Double(rowCount) >= access.rowsPerCell * groups.cellCount else { return nil }
    let connection = try await connection()
    let conditions = try written { () throws(ExactFilter.Excluded) in try self.query.conditions(query) }
    guard connection.serverVersion >= PointQuery.firstVersion,
      let points = PointQuery(self.query.table, groups, conditions: conditions)
    else { return nil }
    let rows = try await DatabaseTable.rows(
      of: points.table, points.statement, ReadingOptions(), access, connection)
    let columns = DatabaseTable.joined(points.table, rows, schema.spatialReference)
    guard let counts = points.counts(in: columns) else {
      throw ServiceError("gave no numbers of points", at: address.shown, kind: .answer)
    }
    return GroupedPoints(columns, counts: counts)
  }

  /// Returns statistics of the matching rows: from the exact sums of the database, or from the fields that they need.
  package func statistics(
    _ statistics: StatisticsQuery, of query: FeatureQuery
  ) async throws -> StatisticsTable? {
    if let states = try await states(of: statistics, query) { return try states.table(statistics) }
    guard let rows = try await values(for: statistics, of: query) else { return nil }
    return try StatisticsTable(statistics, of: rows, rows: RowSet(rowCount: rows.rowCount, all: true))
  }

  /// Returns exact states of statistics by group, computed by the database; nil if it cannot compute them, or if there are
  /// too many groups.
  func states(
    of statistics: StatisticsQuery, _ query: FeatureQuery
  ) async throws -> PartialStatistics? {
    guard !statistics.definitions.contains(where: \.statisticType.needsOrder) else { return nil }
    let table = self.query.table
    let empty = DatabaseTable.joined(
      table, CopyRows(columns: table.copied, key: 0), schema.spatialReference)
    let outline = try PartialStatistics.Outline(statistics, of: empty)
    let conditions = try written { () throws(ExactFilter.Excluded) in try self.query.conditions(query) }
    guard let grouped = GroupedQuery(table, conditions: conditions, outline) else { return nil }
    let groups = try await rows(grouped.groupStatement)
    guard groups.rowCount <= GroupedQuery.largestCount else { return nil }
    var sums: [Int: FeatureColumns] = [:]
    for (index, item) in outline.items.enumerated() where item.hasSum && !grouped.isWhole(item) {
      sums[index] = try await rows(grouped.sumStatement(item))
    }
    return grouped.statistics(groups, sums: sums)
  }

  /// Returns the fields that statistics need, of the matching rows.
  func values(
    for statistics: StatisticsQuery, of query: FeatureQuery
  ) async throws(ServiceError) -> FeatureColumns? {
    let names = statistics.definitions.map(\.fieldName) + statistics.groupByFieldNames
    var table = self.query.table
    table.keep(FieldSelection(names.filter { $0 != StatisticDefinition.allRows }))
    table.geometry = nil
    return try await rows(table, query)
  }

  // MARK: Statements

  private func rows(
    _ columns: TableDescription, _ query: FeatureQuery, first: (limit: Int, order: [OrderBy])? = nil
  ) async throws(ServiceError) -> FeatureColumns? {
    let statement = try written { () throws(ExactFilter.Excluded) in
      try self.query.copy(columns, of: query, first: first)
    }
    guard let statement else { return nil }
    let connection = try await connection()
    let rows = try await DatabaseTable.rows(of: columns, statement, ReadingOptions(), access, connection)
    return DatabaseTable.joined(columns, rows, schema.spatialReference)
  }

  private func rows(_ statement: GroupedQuery.Statement) async throws(ServiceError) -> FeatureColumns {
    let connection = try await connection()
    let rows = try await DatabaseTable.rows(
      of: statement.table, statement.text, ReadingOptions(), access, connection)
    return DatabaseTable.joined(statement.table, rows, nil)
  }

  private func connection() async throws(ServiceError) -> DatabaseConnection {
    let connection = try await DatabaseConnection.open(address, access)
    try await connection.begin(in: snapshot)
    try await version?.check(connection)
    return connection
  }

  /// Returns a text, whose filters have been checked before.
  private func written<Text>(_ text: () throws(ExactFilter.Excluded) -> Text) throws(ServiceError) -> Text {
    do throws(ExactFilter.Excluded) { return try text() } catch {
      throw ServiceError("\(error.part) cannot be sent to the database", at: address.shown, kind: .refused)
    }
  }
}
