import MapFilter
public import MapGeometry

/// Some features of a table, in an order, with some of its fields: the answer to a query.
public struct FeatureRows: Sendable {
  /// The table.
  public let table: FeatureColumns
  /// The rows, in order.
  public let rows: [Int]
  /// The places of the fields that are given out.
  public let fields: [Int]
  /// True when the geometry is given out; false for a table without.
  public let hasGeometry: Bool

  /// Rows of a table with the fields named, `*` or nothing being all of them.
  ///
  /// - Throws: ``FilterError`` that names the nearest field for one that is not there.
  public init(
    _ table: FeatureColumns, rows: [Int], fieldNames: [String] = [], hasGeometry: Bool = true
  ) throws {
    let known = FilterFields(zip(table.schema.fields, table.columns).map { (name: $0.name, type: $1.type) })
    var fields: [Int] = []
    for name in fieldNames where name != "*" {
      let field = try known.index(of: name)
      if !fields.contains(field) { fields.append(field) }
    }
    self.table = table
    self.rows = rows
    self.fields = fields.isEmpty || fieldNames.contains("*") ? Array(table.columns.indices) : fields
    self.hasGeometry = hasGeometry && table.geometry != nil
  }

  /// The ids of the features, in order.
  public var objectIDs: [Int64] {
    let ids = ObjectIDs(table)
    return rows.map { ids.id(ofRow: $0) }
  }

  /// The smallest envelope that holds the features, in the table's reference; empty when there are none.
  public var extent: Envelope {
    guard let geometry = table.geometry else { return .empty }
    return rows.reduce(Envelope.empty) { $0.union(geometry.envelope(ofRow: $1)) }
      .with(spatialReference: table.schema.spatialReference)
  }
}

/// Which of the rows that a query found are given out, and in which order.
public struct FeaturePage: Hashable, Sendable {
  /// The order; what it leaves equal, and all without one, stays in the order of the table.
  public var orderByFields: [OrderBy] = []
  /// Rows to leave out at the start.
  public var resultOffset = 0
  /// The most rows to give out; 0 is no limit.
  public var maxFeatures = 0

  /// All rows in the order of the table.
  public init() {}

  /// The rows of the page.
  ///
  /// - Throws: ``FilterError`` for a field that is not there.
  public func rows(_ rows: RowSet, of table: FeatureColumns) throws -> [Int] {
    let ordered = try RowOrdering.rows(rows, of: table, by: orderByFields)
    let rest = ordered.dropFirst(max(0, resultOffset))
    return Array(maxFeatures > 0 ? rest.prefix(maxFeatures) : rest)
  }
}
