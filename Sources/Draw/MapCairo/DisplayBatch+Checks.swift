internal import MapDrawing
internal import MapGeometry

extension DisplayBatch {
  /// The number of items.
  var itemCount: Int {
    switch self {
    case .markers(let batch): batch.x.count
    case .paths(let batch): batch.geometry.rowCount
    case .shapes(let batch): batch.x.count
    case .labels(let batch): batch.items.count
    case .image: 0
    }
  }

  /// The table rows of the items.
  var rows: [Int32] {
    switch self {
    case .markers(let batch): batch.row
    case .paths(let batch): batch.row
    case .shapes(let batch): batch.row
    case .labels(let batch): batch.items.map(\.row)
    case .image: []
    }
  }

  /// Whether all arrays have the same length, every style and outline exists, and paths are lines or areas.
  ///
  /// - Cost: O(items).
  var isConsistent: Bool {
    switch self {
    case .markers(let batch):
      batch.y.count == itemCount && batch.style.count == itemCount && batch.row.count == itemCount
        && batch.style.allSatisfy { Int($0) < batch.styles.count }
    case .paths(let batch):
      (batch.geometry.kind == .polyline || batch.geometry.kind == .polygon)
        && batch.style.count == itemCount && batch.row.count == itemCount
        && batch.style.allSatisfy { Int($0) < batch.styles.count }
    case .shapes(let batch):
      batch.y.count == itemCount && batch.symbol.count == itemCount && batch.row.count == itemCount
        && batch.symbol.allSatisfy { Int($0) < batch.symbolCount }
    case .image(let image): image.width > 0 && image.pixels.count % image.width == 0
    case .labels(let batch):
      batch.items.allSatisfy { item in
        Int(item.style) < batch.styles.count
          && item.glyphs.allSatisfy { Int($0.outline) < batch.outlines.count }
      }
    }
  }
}
