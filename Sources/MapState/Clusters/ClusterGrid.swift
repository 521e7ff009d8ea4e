import MapFeatures
import MapFilter
import MapGeometry
import MapModel
import MapSystem

/// The cells of a layer's clusters at a scale: squares of the map, the same for every position of the view.
struct ClusterGrid {
  /// A cell, by its column and row.
  struct Cell: Hashable, Comparable {
    let column: Int
    let row: Int

    static func < (a: Cell, b: Cell) -> Bool { (a.row, a.column) < (b.row, b.column) }
  }

  /// The side of a cell in map units.
  let side: Double
  /// The cells that the view shows, with the reach of their symbols, as ranges of columns and rows.
  private let windows: [(columns: Range<Int>, rows: Range<Int>)]
  private let reference: SpatialReference?

  /// Creates the cells that meet a part of the map.
  init(side: Double, meeting extent: Envelope) {
    (self.side, reference) = (side, extent.spatialReference)
    windows = extent.splitAtAntimeridian().map { part in
      func cells(_ low: Double, _ high: Double) -> Range<Int> {
        let first = Self.index(low, side)
        return first..<max(first, Self.index(high, side)) + 1
      }
      return (cells(part.xMin, part.xMax), cells(part.yMin, part.yMax))
    }
  }

  private static func index(_ place: Double, _ side: Double) -> Int {
    let cell = (place / side).rounded(.down)
    return cell.isFinite ? Int(clamping: min(max(cell, -0x1p52), 0x1p52)) : 0
  }

  /// The boxes of the cells.
  ///
  /// They are a billionth larger than the cells, because products and quotients are rounded.
  var envelopes: [Envelope] {
    windows.map { columns, rows in
      Envelope(
        xMin: Double(columns.lowerBound) * side, yMin: Double(rows.lowerBound) * side,
        xMax: Double(columns.upperBound) * side, yMax: Double(rows.upperBound) * side,
        spatialReference: reference
      ).grown(by: side * 1e-9)
    }
  }

  /// Returns the cell of a point; nil outside the shown cells.
  func cell(x: Double, y: Double) -> Cell? {
    guard x.isFinite, y.isFinite else { return nil }
    let cell = Cell(column: Self.index(x, side), row: Self.index(y, side))
    let isShown = windows.contains { $0.columns.contains(cell.column) && $0.rows.contains(cell.row) }
    return isShown ? cell : nil
  }
}
