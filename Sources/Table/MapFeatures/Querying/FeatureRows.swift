import MapFilter
package import MapGeometry

/// The answer to a query: some features of a table in an order, with some of its fields.
package struct FeatureRows: Sendable {
  /// The table.
  package let table: FeatureColumns
  /// The rows, in order.
  package let rows: [Int]
  /// The indices of the fields to output.
  package let fields: [Int]
  /// Whether to output the geometry; false for a table without one.
  package let hasGeometry: Bool

  /// Creates the rows of a table with the named fields; `*` or an empty list selects all fields.
  ///
  /// - Throws: ``FilterError`` for an unknown field, with the most similar name.
  package init(
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

  private init(_ features: FeatureRows, rows: [Int]) {
    (table, fields, hasGeometry) = (features.table, features.fields, features.hasGeometry)
    self.rows = rows
  }

  /// Returns a range of the features, with the same fields.
  package func part(_ range: Range<Int>) -> FeatureRows { FeatureRows(self, rows: Array(rows[range])) }

  /// The ids of the features, in order.
  package var objectIDs: [Int64] {
    let ids = ObjectIDs(table)
    return rows.map { ids.id(ofRow: $0) }
  }

  /// The smallest envelope that contains the features, in the table's spatial reference; empty without features.
  package var extent: Envelope {
    rows.reduce(Envelope.empty) { $0.union(table.buffer(ofRow: $1)?.envelope(ofRow: $1) ?? .empty) }
      .with(spatialReference: table.schema.spatialReference)
  }
}

/// A page of a query's rows: their order, the offset and the number of rows.
package struct FeaturePage: Hashable, Sendable {
  /// The sort order; rows that compare equal stay in the order of the table.
  package var orderByFields: [OrderBy] = []
  /// The number of rows to skip.
  package var resultOffset = 0
  /// The maximum number of rows; 0 means no limit.
  package var maxFeatures = 0

  /// Creates a page with all rows in the order of the table.
  package init() {}

  /// Returns the rows of the page.
  ///
  /// - Throws: ``FilterError`` for an unknown field.
  package func rows(_ rows: RowSet, of table: FeatureColumns) throws -> [Int] {
    let ordered = try RowOrdering.rows(rows, of: table, by: orderByFields)
    let rest = ordered.dropFirst(max(0, resultOffset))
    return Array(maxFeatures > 0 ? rest.prefix(maxFeatures) : rest)
  }
}
