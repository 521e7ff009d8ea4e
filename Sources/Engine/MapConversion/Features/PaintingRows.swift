import MapDrawing
import MapFeatures
import MapFilter
import MapModel

/// The order in which the rows of a layer are written, so that a style paints them as an image does.
///
/// Of overlapping features of a style's layer, the later one is on top.
enum PaintingRows {
  /// Returns rows in painting order.
  ///
  /// - Source: ``DrawingOrder``; ``RendererForm/drawsInClassOrder``.
  static func sorted(
    _ rows: RowSet, of table: FeatureColumns, _ layer: LayerState, classes: [Int32]
  ) -> [Int] {
    var sorted = Array(rows)
    // The last field is sorted first, because each sort keeps the order of equal rows.
    for order in layer.drawingOrder.reversed() {
      guard let index = table.schema.index(ofField: order.fieldName) else { continue }
      let column = table.columns[index]
      guard column.type != .text, column.type != .boolean else { continue }
      let isUp = order.direction == .descending
      sorted = stable(sorted) { a, b in
        switch (column.number(at: a), column.number(at: b)) {
        case (nil, nil), (_?, nil): false
        case (nil, _?): true
        case (let a?, let b?): isUp ? a < b : a > b
        }
      }
    }
    guard layer.drawingOrder.isEmpty, layer.renderer.drawsInClassOrder else { return sorted }
    func rank(_ row: Int) -> Int32 { classes[row] < 0 ? .max : classes[row] }
    return stable(sorted) { rank($0) > rank($1) }
  }

  private static func stable(_ rows: [Int], by isBelow: (Int, Int) -> Bool) -> [Int] {
    rows.enumerated().sorted { a, b in
      if isBelow(a.element, b.element) { return true }
      return isBelow(b.element, a.element) ? false : a.offset < b.offset
    }.map(\.element)
  }
}
