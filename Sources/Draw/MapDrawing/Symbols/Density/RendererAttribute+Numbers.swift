import MapExpressions
import MapFeatures
import MapFilter
import MapModel

extension RendererAttribute {
  /// Returns the number for each of some rows, nil for null and texts that are none, and the first failure of the expression.
  func numbers(
    of rows: [Int], in table: FeatureColumns, view: ViewState?
  ) -> (numbers: [Double?], failure: ArcadeError?) {
    guard let valueExpression else {
      let column = table.schema.index(ofField: fieldName).map { table.columns[$0].readingNumbers }
      return (rows.map { row in column?.number(at: row).flatMap { $0.isFinite ? $0 : nil } }, nil)
    }
    let column = BoundArcade(valueExpression, table: table, in: view).column(of: rows)
    let numbers = column.values.map { value -> Double? in
      guard case .real(let number) = value.readingNumber, number.isFinite else { return nil }
      return number
    }
    return (numbers, column.failure)
  }
}
