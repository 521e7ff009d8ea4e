import MapGeometry
import MapSystem

/// A grid of cells that lie inside an area, which answers where a text of some size has room.
struct AreaRoom {
  /// The smallest side of a cell in pixels, and the number of cells from which on cells are larger.
  ///
  /// - Source: design decision; a place is compared with the edges of the area afterwards.
  private static let (leastSide, usualCells) = (1.0, 4096.0)
  /// The free cells around a text that are tried, the largest number first.
  private static let margins = [3, 1, 0]
  private static let directions: [(x: Int, y: Int)] = [
    (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1),
  ]

  private let left: Double
  private let top: Double
  private let side: Double
  private let columns: Int
  private let rows: Int
  /// For each corner of a cell, the number of inner cells above it and to its left.
  private var sums: [Int32]

  /// - Cost: O(vertices + cells).
  init(row: Int, of areas: CoordinateBuffer) {
    let box = areas.envelope(ofRow: row)
    (left, top) = (box.xMin, box.yMin)
    side = max(Self.leastSide, (box.width * box.height / Self.usualCells).squareRoot())
    columns = max(Int(clamping: (box.width / side).rounded(.up)), 1)
    rows = max(Int(clamping: (box.height / side).rounded(.up)), 1)
    var local = CoordinateBuffer(kind: .polygon)
    for part in areas.parts(ofRow: row) {
      for vertex in areas.vertices(ofPart: part) {
        local.appendVertex(x: areas.x[vertex] - left, y: areas.y[vertex] - top)
      }
      local.endPart()
    }
    local.endRow()
    var isInside = Array(repeating: Int32(0), count: columns * rows)
    local.forEachCell(insideRow: 0, side: side, columns: columns, rows: rows) { isInside[$0] = 1 }
    sums = Array(repeating: 0, count: (columns + 1) * (rows + 1))
    for row in 0..<rows {
      var sum = Int32(0)
      for column in 0..<columns {
        sum += isInside[row * columns + column]
        let corner = (row + 1) * (columns + 1) + column + 1
        sums[corner] = sums[corner - columns - 1] + sum
      }
    }
  }

  /// Returns the middles of places inside the area for a rectangle of some size: for each margin, the one nearest to a point.
  ///
  /// - Cost: O(cells) for each margin.
  func places(
    width: Double, height: Double, near point: (x: Double, y: Double)
  ) -> [(x: Double, y: Double)] {
    Self.margins.compactMap { margin in
      let wide = Int(clamping: (width / side).rounded(.up)) + 2 * margin
      let tall = Int(clamping: (height / side).rounded(.up)) + 2 * margin
      guard wide <= columns, tall <= rows else { return nil }
      var best: (distance: Double, x: Double, y: Double)?
      for row in 0...(rows - tall) {
        let y = top + (Double(row) + Double(tall) / 2) * side
        for column in 0...(columns - wide) where isInside(column, row, wide, tall) {
          let x = left + (Double(column) + Double(wide) / 2) * side
          let distance = (x - point.x) * (x - point.x) + (y - point.y) * (y - point.y)
          if best.map({ distance < $0.distance }) ?? true { best = (distance, x, y) }
        }
      }
      return best.map { ($0.x, $0.y) }
    }
  }

  /// Returns the places inside the area that are the farthest in eight directions, for each margin.
  ///
  /// - Parameter distance: the least distance between two of them, in pixels.
  /// - Cost: O(cells).
  func ends(apart distance: Double) -> [(x: Double, y: Double)] {
    var found: [(x: Double, y: Double)] = []
    for margin in Self.margins {
      let side = 2 * margin + 1
      var farthest = Array(repeating: (reach: Int.min, column: 0, row: 0), count: Self.directions.count)
      for row in 0..<max(rows - side + 1, 0) {
        for column in 0..<max(columns - side + 1, 0) where isInside(column, row, side, side) {
          for (index, direction) in Self.directions.enumerated() {
            let reach = column * direction.x + row * direction.y
            if reach > farthest[index].reach {
              farthest[index] = (reach, column + margin, row + margin)
            }
          }
        }
      }
      for cell in farthest where cell.reach > Int.min {
        let place = (
          x: left + (Double(cell.column) + 0.5) * self.side, y: top + (Double(cell.row) + 0.5) * self.side
        )
        let isNear = found.contains {
          max(abs($0.x - place.x), abs($0.y - place.y)) < distance
        }
        if !isNear { found.append(place) }
      }
    }
    return found
  }

  /// Returns whether all cells of a rectangle are inside.
  private func isInside(_ column: Int, _ row: Int, _ wide: Int, _ tall: Int) -> Bool {
    let above = row * (columns + 1) + column
    let below = above + tall * (columns + 1)
    return Int(sums[below + wide] - sums[below] - sums[above + wide] + sums[above]) == wide * tall
  }
}
