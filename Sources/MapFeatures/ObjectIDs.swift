import MapFilter

/// What tells the features of a table apart.
///
/// The ids that the table brings beside its fields, else the field of type `oid` where there is one without nulls, else
/// the number of the row, from 1.
///
/// - Source: ArcGIS services count object ids from 1; which field, ours.
public struct ObjectIDs: Sendable {
  private let values: [Int64]?

  /// The ids of a table.
  public init(_ table: FeatureColumns) {
    let place = table.schema.fields.firstIndex { $0.type == .oid }
    if let ids = table.objectIDs {
      values = ids
    } else if let place, case .integers(let values) = table.columns[place].storage,
      table.columns[place].validity == nil
    {
      self.values = values
    } else {
      values = nil
    }
  }

  /// True for whole numbers without nulls of which none occurs twice.
  static func canBe(_ column: Column) -> Bool {
    guard case .integers(let values) = column.storage, column.validity == nil else { return false }
    // Nearly always they rise.
    if zip(values, values.dropFirst()).allSatisfy({ $0 < $1 }) { return true }
    return Set(values).count == values.count
  }

  /// The id of a row.
  public func id(ofRow row: Int) -> Int64 { values.map { $0[row] } ?? Int64(row) + 1 }

  /// The rows that have one of these ids; ids that no row has are passed over.
  public func rows(with ids: Set<Int64>, rowCount: Int) -> RowSet {
    guard !ids.isEmpty else { return RowSet(rowCount: rowCount) }
    guard let values else {
      return RowSet(
        rowCount: rowCount,
        rows: ids.compactMap { id in id >= 1 && id <= Int64(rowCount) ? Int(id) - 1 : nil })
    }
    return RowSet(rowCount: rowCount, rows: values.indices.lazy.filter { ids.contains(values[$0]) })
  }
}
