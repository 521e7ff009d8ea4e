import MapFeatures
import MapModel

/// The painting order of rows: by row number, or by the values of fields.
struct RowOrder {
  /// The columns that define the order, the most important first.
  private let columns: [(column: Column, direction: DrawingOrder.Direction)]

  /// Binds a drawing order to a table.
  ///
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

  /// Returns the rows in painting order: nulls first, so below all others; equal rows keep their order.
  ///
  /// - Cost: O(n log n) per field; without fields, a copy.
  func sorted(_ rows: RowSet) -> [Int] {
    var sorted = Array(rows)
    // The last field is sorted first: each sort keeps the order of equal rows.
    for (column, direction) in columns.reversed() {
      switch column.storage {
      case .integers(let values), .instants(let values): Self.sort(&sorted, column, values, direction)
      case .reals(let values): Self.sort(&sorted, column, values, direction)
      case .dates(let values), .shortIntegers(let values): Self.sort(&sorted, column, values, direction)
      case .booleans, .text: break
      }
    }
    return sorted
  }

  /// Returns rows in the painting order of their classes: rows without a class below all others, and those of the first
  /// class on top; rows of one class keep their order.
  ///
  /// - Source: ArcGIS Maps SDK for JavaScript, `orderByClassesEnabled`.
  static func sorted(_ rows: [Int], byClass classes: [Int32]) -> [Int] {
    func rank(_ row: Int) -> Int32 { classes[row] < 0 ? .max : classes[row] }
    let keyed = rows.enumerated().sorted { a, b in
      let (x, y) = (rank(a.element), rank(b.element))
      return x == y ? a.offset < b.offset : x > y
    }
    return keyed.map(\.element)
  }

  private static func sort<Value: Comparable>(
    _ rows: inout [Int], _ column: Column, _ values: [Value], _ direction: DrawingOrder.Direction
  ) {
    let nulls = rows.filter { !column.isValid($0) }
    // The offset is the second key, because the standard sort does not promise to be stable.
    let keyed = rows.enumerated().filter { column.isValid($0.element) }.sorted { a, b in
      let (x, y) = (values[a.element], values[b.element])
      guard x != y else { return a.offset < b.offset }
      // The row that is painted last is on top.
      return direction == .ascending ? x > y : x < y
    }
    rows = nulls + keyed.map(\.element)
  }
}
