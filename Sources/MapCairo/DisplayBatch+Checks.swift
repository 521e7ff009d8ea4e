internal import MapDrawing
internal import MapGeometry

extension DisplayBatch {
  /// Number of items.
  var itemCount: Int {
    switch self {
    case .markers(let batch): batch.x.count
    case .paths(let batch): batch.geometry.rowCount
    case .labels(let batch): batch.items.count
    }
  }

  /// The rows that the items stand for.
  var rows: [Int32] {
    switch self {
    case .markers(let batch): batch.row
    case .paths(let batch): batch.row
    case .labels(let batch): batch.items.map(\.row)
    }
  }

  /// True when all arrays have one length, every style and outline exists, and paths are lines or areas.
  ///
  /// O(items).
  var isConsistent: Bool {
    switch self {
    case .markers(let batch):
      batch.y.count == itemCount && batch.style.count == itemCount && batch.row.count == itemCount
        && batch.style.allSatisfy { Int($0) < batch.styles.count }
    case .paths(let batch):
      (batch.geometry.kind == .polyline || batch.geometry.kind == .polygon)
        && batch.style.count == itemCount && batch.row.count == itemCount
        && batch.style.allSatisfy { Int($0) < batch.styles.count }
    case .labels(let batch):
      batch.items.allSatisfy { item in
        Int(item.style) < batch.styles.count
          && item.glyphs.allSatisfy { Int($0.outline) < batch.outlines.count }
      }
    }
  }
}
