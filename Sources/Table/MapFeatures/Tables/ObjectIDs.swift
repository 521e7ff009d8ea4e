import MapFilter

/// The object ids of a table's features.
///
/// They are the table's own ids, if it has any. Otherwise they are the values of the first `oid` field, if it has no
/// nulls. Otherwise they are the row numbers from 1.
///
/// - Source: ArcGIS services count object ids from 1; the choice of the field is a design decision.
package struct ObjectIDs: Sendable {
  private let values: [Int64]?

  /// Creates the ids of a table.
  package init(_ table: FeatureColumns) {
    let place = table.schema.fields.firstIndex { $0.type == .oid }
    if let ids = table.objectIDs {
      values = ids
    } else if let place, table.columns[place].validity == nil,
      let values = table.columns[place].integers
    {
      self.values = values
    } else {
      values = nil
    }
  }

  /// Whether a column holds integers without nulls and without duplicates.
  package static func canBe(_ column: Column) -> Bool {
    guard column.validity == nil, let values = column.integers else { return false }
    // Nearly always the values ascend.
    if zip(values, values.dropFirst()).allSatisfy({ $0 < $1 }) { return true }
    return Set(values).count == values.count
  }

  /// Returns the id of a row.
  package func id(ofRow row: Int) -> Int64 { values.map { $0[row] } ?? Int64(row) + 1 }

  /// Returns the rows with one of the ids; ignores ids that no row has.
  package func rows(with ids: Set<Int64>, rowCount: Int) -> RowSet {
    guard !ids.isEmpty else { return RowSet(rowCount: rowCount) }
    guard let values else {
      return RowSet(
        rowCount: rowCount,
        rows: ids.compactMap { id in id >= 1 && id <= Int64(rowCount) ? Int(id) - 1 : nil })
    }
    return RowSet(rowCount: rowCount, rows: values.indices.lazy.filter { ids.contains(values[$0]) })
  }
}
