import MapGeometry
import MapModel
import MapSystem

extension CellCounts {
  /// The free space between two hexagons, as a share of their size, and at most one view pixel of a standard hexagon.
  ///
  /// - Source: design decision; edges that met would let the background shine through at each edge.
  private static let gap = 1.0 / 16

  /// Returns the counts as colours in an image of some size in output pixels.
  package func batches(width: Int, height: Int) -> [DisplayBatch] {
    guard !keys.isEmpty else { return [] }
    let colors = CellColors(plan, greatest: greatest)
    return switch plan.grid.shape {
    case .pixel: [.image(image(colors, width: width, height: height))]
    case .hexagon: [.paths(hexagons(colors, width: width, height: height))]
    }
  }

  private func image(_ colors: CellColors, width: Int, height: Int) -> DisplayImage {
    var pixels = [UInt32](repeating: 0, count: width * height)
    let side = plan.grid.side
    /// The pixels whose centres are in a column or row of cells.
    func range(of place: Int, _ limit: Int) -> Range<Int> {
      let first = max(0, Int(clamping: (Double(place) * side - 0.5).rounded(.up)))
      return first..<max(first, min(limit, Int(clamping: (Double(place + 1) * side - 0.5).rounded(.up))))
    }
    forEachCell { cell, classes in
      let (color, columns) = (colors.color(of: classes).premultiplied, range(of: cell.column, width))
      for row in range(of: cell.row, height) {
        for column in columns { pixels[row * width + column] = color }
      }
    }
    return DisplayImage(width: width, pixels: pixels)
  }

  private func hexagons(_ colors: CellColors, width: Int, height: Int) -> PathBatch {
    var batch = PathBatch(styles: [], kind: .polygon)
    var styles: [Color: UInt32] = [:]
    let side = plan.grid.side
    let canvas = Envelope(xMin: -side, yMin: -side, xMax: Double(width) + side, yMax: Double(height) + side)
    forEachCell { cell, classes in
      let corners = plan.grid.corners(of: cell, inset: side * Self.gap / 2)
      guard let first = corners.first, corners.contains(where: { canvas.contains(x: $0.x, y: $0.y) }) else {
        return
      }
      let color = colors.color(of: classes)
      let style = styles[color] ?? UInt32(styles.count)
      if styles[color] == nil {
        styles[color] = style
        batch.styles.append(PathStyle(fill: color, stroke: nil, classIndex: 0))
      }
      for corner in corners + [first] { batch.geometry.appendVertex(x: corner.x, y: corner.y) }
      batch.geometry.endPart()
      batch.geometry.endRow()
      batch.style.append(style)
      // A cell is no row of the table.
      batch.row.append(0)
    }
    return batch
  }
}
