import MapDrawing
import MapGeometry

/// The path styles of groups of rows, each different one once.
struct GroupStyles {
  /// The styles in use.
  private(set) var styles: [PathStyle] = []
  /// The style of each group; nil for one that is not drawn.
  private var indices: [Int?] = []
  private var known: [PathStyle: Int] = [:]

  /// Whether no group is drawn.
  var isEmpty: Bool { styles.isEmpty }

  /// Adds the style of the next group; nil for one that is not drawn.
  mutating func add(_ style: PathStyle?) { indices.append(style.map { index(of: $0) }) }

  /// Returns the index of a style, which is added if it is new.
  mutating func index(of style: PathStyle) -> Int {
    if let index = known[style] { return index }
    known[style] = styles.count
    styles.append(style)
    return styles.count - 1
  }

  /// The index of a group's style; nil for one that is not drawn.
  subscript(group: Int) -> Int? { indices[group] }
}

extension PathBatch {
  /// Adds the style and the row of an item whose geometry is complete.
  mutating func endItem(style: Int, row: Int32) {
    self.style.append(UInt32(clamping: style))
    self.row.append(row)
  }

  /// Moves all items.
  mutating func move(by offset: (x: Double, y: Double)) {
    guard offset != (0, 0) else { return }
    geometry.moveVertices { x, y in
      for index in x.indices {
        x[index] += offset.x
        y[index] += offset.y
      }
    }
  }
}
