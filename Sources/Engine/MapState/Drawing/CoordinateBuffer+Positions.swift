import MapFeatures
import MapGeometry

extension CoordinateBuffer {
  /// The number of points that are compared to find out whether many share their positions.
  private static let sampleSize = 4096

  /// Whether at least half of the points may lie at the position of another one.
  ///
  /// In a table of many millions, two points at each position may not be noticed.
  ///
  /// - Cost: compares 4,096 points, evenly spaced in the table.
  var mayShareHalf: Bool {
    guard kind == .point, rowCount > 2 else { return false }
    guard rowCount > Self.sampleSize else { return true }
    var seen: Set<Position> = []
    for index in 0..<Self.sampleSize {
      let row = index * (rowCount / Self.sampleSize)
      if !x[row].isNaN, !seen.insert(Position(x[row], y[row])).inserted { return true }
    }
    return false
  }

  /// Returns the number of points in some rows, and of their different positions.
  ///
  /// - Cost: a set of the positions.
  func positions(of rows: RowSet) -> (points: Int, positions: Int) {
    var (points, seen) = (0, Set<Position>())
    for row in rows where !isEmpty(row: row) {
      points += 1
      seen.insert(Position(x[row], y[row]))
    }
    return (points, seen.count)
  }
}

/// The coordinates of a point.
private struct Position: Hashable {
  let x: Double
  let y: Double

  init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }
}
