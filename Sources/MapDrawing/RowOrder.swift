import MapFeatures
import MapModel

/// The order in which rows are painted: row after row, or by the values of fields.
struct RowOrder {
  /// The columns by weight, those that order nothing left out.
  private let columns: [(column: Column, direction: DrawingOrder.Direction)]

  /// - Throws: ``RendererFieldError`` when the table lacks a field.
  init(_ orders: [DrawingOrder], table: FeatureColumns) throws(RendererFieldError) {
    var columns: [(Column, DrawingOrder.Direction)] = []
    for order in orders {
      guard let index = table.schema.index(ofField: order.fieldName) else {
        throw RendererFieldError(
          reader: "the drawing order", field: order.fieldName, available: table.schema.fields.map(\.name))
      }
      columns.append((table.columns[index], order.direction))
    }
    self.columns = columns
  }

  /// The rows, first painted first; null below all, equal ones as they stand.
  ///
  /// - Cost: O(n log n) a field; without fields a copy.
  func sorted(_ rows: RowSet) -> [Int] {
    var sorted = Array(rows)
    // The last field first: each sort keeps what is equal in order.
    for (column, direction) in columns.reversed() {
      switch column.storage {
      case .integers(let values), .instants(let values): Self.sort(&sorted, column, values, direction)
      case .reals(let values): Self.sort(&sorted, column, values, direction)
      case .dates(let values): Self.sort(&sorted, column, values, direction)
      case .booleans, .text: break
      }
    }
    return sorted
  }

  private static func sort<Value: Comparable>(
    _ rows: inout [Int], _ column: Column, _ values: [Value], _ direction: DrawingOrder.Direction
  ) {
    let nulls = rows.filter { !column.isValid($0) }
    // The place as second key, since the standard sort does not promise to be stable.
    let keyed = rows.enumerated().filter { column.isValid($0.element) }.sorted { a, b in
      let (x, y) = (values[a.element], values[b.element])
      guard x != y else { return a.offset < b.offset }
      // What is painted last is on top.
      return direction == .ascending ? x > y : x < y
    }
    rows = nulls + keyed.map(\.element)
  }
}
