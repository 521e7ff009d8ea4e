import MapGeometry
import MapSystem

/// The numbers of markers in the cells of a grid, which show in constant time that a marker is in the way.
struct MarkerCounts {
  /// The smallest number of markers for which counts are made, the smallest side of a fine cell in pixels, the largest
  /// number of fine cells, and the side of a coarse cell in pixels.
  ///
  /// - Source: design decision; fewer markers are compared faster one by one. The coarse cells of an image of usual size
  ///   fit into the cache of a processor core and tell most crowds.
  private static let (leastMarkers, leastSide, cellLimit, coarseSide) = (1000, 0.5, 2e6, 4.0)

  /// The number of cells in a pixel along each axis.
  private let perPixel: Double
  private let columns: Int
  private let rows: Int
  /// The number of marker centres above and to the left of each corner of a cell.
  private var sums: [Int32]
  /// Half the shortest side of a marker.
  private let half: Double

  /// Returns the counts in coarse cells and in fine ones; none for few markers.
  static func levels(of markers: [LabelObstacles.Marker], canvas: Envelope) -> [MarkerCounts] {
    guard markers.count >= leastMarkers else { return [] }
    let side = max((canvas.width * canvas.height / cellLimit).squareRoot(), leastSide)
    return (side < coarseSide ? [coarseSide, side] : [side]).map {
      MarkerCounts(markers, canvas: canvas, side: $0)
    }
  }

  private init(_ markers: [LabelObstacles.Marker], canvas: Envelope, side: Double) {
    let columns = max(Int(clamping: (canvas.width / side).rounded(.up)), 1)
    let rows = max(Int(clamping: (canvas.height / side).rounded(.up)), 1)
    let perPixel = 1 / side
    var sums = Array(repeating: Int32(0), count: (columns + 1) * (rows + 1))
    var half = Double.infinity
    for marker in markers {
      half = min(half, (marker.box.xMax - marker.box.xMin) / 2, (marker.box.yMax - marker.box.yMin) / 2)
      let (x, y) = (marker.box.center.x * perPixel, marker.box.center.y * perPixel)
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
    (self.perPixel, self.columns, self.rows, self.sums, self.half) = (
      perPixel, columns, rows, sums, max(half, 0)
    )
  }

  /// Returns whether a marker is certainly nearer to a box than a gap; false when that is not certain.
  ///
  /// - Parameters:
  ///   - own: the symbol of the label, whose markers do not count.
  ///   - apart: the distance from the middle of `own`, along both axes, within which markers do not count either.
  ///   - reach: the distance to the right and down by which both boxes may be moved; the answer holds for all of them.
  func surelyBlocks(
    _ letters: LabelBox, own: LabelBox, apart: Double, gap: Double, reach: Double = 0
  ) -> Bool {
    guard gap > 0 else { return false }
    // A marker is at least a square around its centre. With this much of the gap along both axes, the diagonal is
    // shorter than the gap.
    let near = letters.grown(by: half + 0.7 * gap)
    let left = edge(after: near.xMin + reach, columns)
    let right = edge(before: near.xMax, columns)
    let top = edge(after: near.yMin + reach, rows)
    let bottom = edge(before: near.yMax, rows)
    guard left < right, top < bottom else { return false }
    let all = count(left, top, right, bottom)
    guard all > 0 else { return false }
    // The centres of the markers that do not count.
    let middle = own.center
    let (width, height) = (
      max((own.xMax - own.xMin) / 2 - half, apart), max((own.yMax - own.yMin) / 2 - half, apart)
    )
    let ownLeft = max(edge(before: middle.x - width, columns), left)
    let ownRight = min(edge(before: middle.x + width + reach, columns) + 1, right)
    let ownTop = max(edge(before: middle.y - height, rows), top)
    let ownBottom = min(edge(before: middle.y + height + reach, rows) + 1, bottom)
    guard ownLeft < ownRight, ownTop < ownBottom else { return true }
    return all > count(ownLeft, ownTop, ownRight, ownBottom)
  }

  private func count(_ left: Int, _ top: Int, _ right: Int, _ bottom: Int) -> Int32 {
    let width = columns + 1
    return sums[bottom * width + right] - sums[top * width + right] - sums[bottom * width + left]
      + sums[top * width + left]
  }

  /// Returns the first edge of a cell at a position or after it.
  private func edge(after place: Double, _ count: Int) -> Int {
    let position = min(max(place * perPixel, 0), Double(count))
    let edge = Int(clamping: position)
    return Double(edge) < position ? edge + 1 : edge
  }

  /// Returns the last edge of a cell at a position or before it.
  private func edge(before place: Double, _ count: Int) -> Int {
    Int(clamping: min(max(place * perPixel, 0), Double(count)))
  }
}
