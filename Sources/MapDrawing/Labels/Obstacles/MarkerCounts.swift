import MapGeometry
import MapSystem

/// The numbers of markers in the cells of a fine grid, which show in constant time that a marker is in the way.
struct MarkerCounts {
  /// The smallest number of markers for which counts are made, the smallest side of a cell in pixels, and the largest
  /// number of cells.
  ///
  /// - Source: design decision; fewer markers are compared faster one by one.
  private static let (leastMarkers, leastSide, cellLimit) = (1000, 0.5, 2e6)

  private let side: Double
  private let columns: Int
  private let rows: Int
  /// The number of marker centres above and to the left of each corner of a cell.
  private var sums: [Int32]
  /// Half the shortest side of a marker.
  private let half: Double

  /// Counts markers; nil for few.
  init?(_ markers: [LabelObstacles.Marker], canvas: Envelope) {
    guard markers.count >= Self.leastMarkers else { return nil }
    let side = max((canvas.width * canvas.height / Self.cellLimit).squareRoot(), Self.leastSide)
    let columns = max(Int(clamping: (canvas.width / side).rounded(.up)), 1)
    let rows = max(Int(clamping: (canvas.height / side).rounded(.up)), 1)
    var sums = Array(repeating: Int32(0), count: (columns + 1) * (rows + 1))
    var half = Double.infinity
    for marker in markers {
      half = min(half, (marker.box.xMax - marker.box.xMin) / 2, (marker.box.yMax - marker.box.yMin) / 2)
      let (x, y) = (marker.box.center.x / side, marker.box.center.y / side)
      guard x >= 0, y >= 0, x < Double(columns), y < Double(rows) else { continue }
      sums[(Int(clamping: y) + 1) * (columns + 1) + Int(clamping: x) + 1] += 1
    }
    for row in 1...rows {
      var sum: Int32 = 0
      for column in 1...columns {
        sum += sums[row * (columns + 1) + column]
        sums[row * (columns + 1) + column] = sum + sums[(row - 1) * (columns + 1) + column]
      }
    }
    (self.side, self.columns, self.rows, self.sums, self.half) = (side, columns, rows, sums, max(half, 0))
  }

  /// Returns whether a marker is certainly nearer to a box than a gap; false when that is not certain.
  ///
  /// - Parameter own: a symbol whose markers do not count.
  func surelyBlocks(_ letters: LabelBox, own: LabelBox, gap: Double) -> Bool {
    guard gap > 0 else { return false }
    // A marker is at least a square around its centre. With this much of the gap along both axes, the diagonal is
    // shorter than the gap.
    let near = letters.grown(by: half + 0.7 * gap)
    let left = first(inside: near.xMin, columns)
    let right = last(inside: near.xMax, columns)
    let top = first(inside: near.yMin, rows)
    let bottom = last(inside: near.yMax, rows)
    guard left < right, top < bottom else { return false }
    let all = count(left, top, right, bottom)
    guard all > 0 else { return false }
    let ownCenters = own.grown(by: -half)
    guard ownCenters.xMin <= ownCenters.xMax, ownCenters.yMin <= ownCenters.yMax else { return true }
    let ownLeft = max(Int(clamping: (ownCenters.xMin / side).rounded(.down)), left)
    let ownRight = min(Int(clamping: (ownCenters.xMax / side).rounded(.down)) + 1, right)
    let ownTop = max(Int(clamping: (ownCenters.yMin / side).rounded(.down)), top)
    let ownBottom = min(Int(clamping: (ownCenters.yMax / side).rounded(.down)) + 1, bottom)
    guard ownLeft < ownRight, ownTop < ownBottom else { return true }
    return all > count(ownLeft, ownTop, ownRight, ownBottom)
  }

  private func count(_ left: Int, _ top: Int, _ right: Int, _ bottom: Int) -> Int32 {
    let width = columns + 1
    return sums[bottom * width + right] - sums[top * width + right] - sums[bottom * width + left]
      + sums[top * width + left]
  }

  /// Returns the first cell that begins at a position or after it.
  private func first(inside place: Double, _ count: Int) -> Int {
    Int(clamping: min(max((place / side).rounded(.up), 0), Double(count)))
  }

  /// Returns the end of the cells that end at a position or before it.
  private func last(inside place: Double, _ count: Int) -> Int {
    Int(clamping: min(max((place / side).rounded(.down), 0), Double(count)))
  }
}
