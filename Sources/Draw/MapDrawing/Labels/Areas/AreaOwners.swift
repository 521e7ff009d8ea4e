import MapGeometry
import MapSystem

/// The features of a class of areas in a coarse image, which answers whose area a label lies over.
struct AreaOwners {
  /// The side of a cell in pixels, and the maximum number of cells.
  ///
  /// - Source: design decision; larger images have larger cells.
  private static let (cellSide, cellLimit) = (4.0, 1e6)

  private let side: Double
  private let columns: Int
  private let rows: Int
  /// For each cell, the row of the feature whose area has its centre; -1 without one.
  private var cells: [Int32]

  /// - Cost: O(vertices + cells).
  init(_ candidates: LabelCandidates, canvas: LabelBox) {
    let (width, height) = (canvas.xMax - canvas.xMin, canvas.yMax - canvas.yMin)
    side = max(Self.cellSide, (width * height / Self.cellLimit).squareRoot())
    columns = max(Int(clamping: (width / side).rounded(.up)), 1)
    rows = max(Int(clamping: (height / side).rounded(.up)), 1)
    cells = Array(repeating: -1, count: columns * rows)
    for anchor in candidates.anchors {
      candidates.areas.forEachCell(insideRow: Int(anchor.index), side: side, columns: columns, rows: rows) {
        cells[$0] = anchor.row
      }
    }
  }

  /// Returns the shares of a rectangle over the area of a feature and over those of others.
  func shares(of box: LabelBox, row own: Int32) -> (own: Double, others: Double) {
    let (left, right) = (index(box.xMin, columns), index(box.xMax, columns))
    let (top, bottom) = (index(box.yMin, rows), index(box.yMax, rows))
    guard box.area > 0 else { return (0, 0) }
    var (ownArea, otherArea) = (0.0, 0.0)
    for row in top...max(top, bottom) {
      for column in left...max(left, right) {
        let owner = cells[row * columns + column]
        guard owner >= 0 else { continue }
        let corner = LabelBox(xMin: 0, yMin: 0, xMax: side, yMax: side)
        let area = corner.moved(x: Double(column) * side, y: Double(row) * side).sharedArea(with: box)
        if owner == own { ownArea += area } else { otherArea += area }
      }
    }
    return (ownArea / box.area, otherArea / box.area)
  }

  /// Returns the row of the feature whose area has a place; -1 for none.
  func owner(at place: (x: Double, y: Double)) -> Int32 {
    cells[index(place.y, rows) * columns + index(place.x, columns)]
  }

  /// Returns the row of the feature whose area has a whole rectangle; -1 if none has a part of it, nil if several have.
  func owner(of box: LabelBox) -> Int32? {
    let (left, right) = (index(box.xMin, columns), index(box.xMax, columns))
    let (top, bottom) = (index(box.yMin, rows), index(box.yMax, rows))
    let first = cells[top * columns + left]
    for row in top...max(top, bottom) {
      for column in left...max(left, right) where cells[row * columns + column] != first { return nil }
    }
    return first
  }

  private func index(_ place: Double, _ count: Int) -> Int {
    Int(clamping: min(max(place / side, 0), Double(count - 1)))
  }
}
