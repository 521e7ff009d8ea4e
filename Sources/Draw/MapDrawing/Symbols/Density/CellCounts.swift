package import MapModel

/// The number of points in each cell of an image, by class.
///
/// All numbers are integers, so the counts of parts of a table add up to those of the whole table.
package struct CellCounts: Hashable, Sendable {
  /// A class of the renderer.
  package struct CellClass: Hashable, Sendable {
    /// The index of the class; -1 for the default symbol.
    package let index: Int
    /// The label in a legend.
    package let label: String
    /// The colour.
    package let color: Color

    package init(index: Int, label: String, color: Color) {
      (self.index, self.label, self.color) = (index, label, color)
    }
  }

  /// The cells and their colours, which all parts of a table share.
  package struct Plan: Hashable, Sendable {
    /// The cells.
    package let grid: CellGrid
    /// The classes with their colours; empty for counts without classes.
    package let classes: [CellClass]
    /// Whether the counts are drawn on a dark background.
    package let isOnDark: Bool
  }

  /// The cells and their colours.
  package let plan: Plan
  /// Row, column and class of each count, ascending, in one number; see ``key(_:_:)``.
  let keys: [UInt64]
  /// The number of points for each of ``keys``, above 0.
  let counts: [Int]

  /// Creates the counts of points from the keys of the points, in any order.
  ///
  /// - Parameter weights: the number of points that each key stands for; nil for one.
  init(_ plan: Plan, points: [UInt64], weights: [Int]?) {
    guard let weights else {
      self.init(plan, points: points)
      return
    }
    var (keys, counts): ([UInt64], [Int]) = ([], [])
    for (key, weight) in zip(points, weights).sorted(by: { $0.0 < $1.0 }) {
      if key == keys.last {
        counts[counts.count - 1] += weight
      } else {
        keys.append(key)
        counts.append(weight)
      }
    }
    self.init(plan, keys: keys, counts: counts)
  }

  /// Creates the counts of points from the keys of the points, in any order.
  init(_ plan: Plan, points: [UInt64]) {
    var (keys, counts): ([UInt64], [Int]) = ([], [])
    for key in points.sorted() {
      if key == keys.last {
        counts[counts.count - 1] += 1
      } else {
        keys.append(key)
        counts.append(1)
      }
    }
    (self.plan, self.keys, self.counts) = (plan, keys, counts)
  }

  /// Creates counts from ascending keys.
  init(_ plan: Plan, keys: [UInt64], counts: [Int]) {
    (self.plan, self.keys, self.counts) = (plan, keys, counts)
  }

  /// Returns the counts of two parts of a table, which have the same plan, together.
  package func adding(_ other: CellCounts) -> CellCounts {
    var (keys, counts): ([UInt64], [Int]) = ([], [])
    keys.reserveCapacity(max(self.keys.count, other.keys.count))
    counts.reserveCapacity(max(self.keys.count, other.keys.count))
    var (own, others) = (0, 0)
    while own < self.keys.count || others < other.keys.count {
      let first = own < self.keys.count ? self.keys[own] : .max
      let second = others < other.keys.count ? other.keys[others] : .max
      let (takesOwn, takesOther) = (first <= second, second <= first)
      keys.append(min(first, second))
      counts.append((takesOwn ? self.counts[own] : 0) + (takesOther ? other.counts[others] : 0))
      own += takesOwn ? 1 : 0
      others += takesOther ? 1 : 0
    }
    return CellCounts(plan, keys: keys, counts: counts)
  }

  // MARK: Keys

  /// The bits of a key for the class, and for each of column and row.
  ///
  /// - Source: an image has at most 32,767 pixels a side, and cells at least one pixel. Hexagons have at least four, and
  ///   may be rotated.
  private static let (classBits, placeBits): (UInt64, UInt64) = (22, 21)

  /// Returns row, column and class in one number, which orders cells by row and column; nil for impossible ones.
  static func key(_ cell: CellGrid.Cell, _ classIndex: Int) -> UInt64? {
    let middle = 1 << (Int(placeBits) - 1)
    let (row, column, place) = (cell.row &+ middle, cell.column &+ middle, classIndex &+ 1)
    let places = 0..<1 << Int(placeBits)
    guard places.contains(row), places.contains(column), (0..<1 << Int(classBits) - 1).contains(place) else {
      return nil
    }
    return UInt64(row) << (placeBits + classBits) | UInt64(column) << classBits | UInt64(place)
  }

  private static func cell(of key: UInt64) -> CellGrid.Cell {
    let (middle, mask) = (1 << (Int(placeBits) - 1), UInt64(1) << placeBits - 1)
    return CellGrid.Cell(
      column: Int(key >> classBits & mask) - middle, row: Int(key >> (placeBits + classBits)) - middle)
  }

  private static func classIndex(of key: UInt64) -> Int { Int(key & (1 << classBits - 1)) - 1 }

  // MARK: Answers

  /// The sum of all counts.
  package var sum: Int { counts.reduce(0, +) }

  /// The number of cells with a point.
  package var cellCount: Int {
    var (count, last) = (0, UInt64?.none)
    for key in keys where key >> Self.classBits != last {
      count += 1
      last = key >> Self.classBits
    }
    return count
  }

  /// The greatest number of points in a cell; 0 without points.
  package var greatest: Int {
    var greatest = 0
    forEachCell { _, classes in greatest = max(greatest, classes.reduce(0) { $0 + $1.count }) }
    return greatest
  }

  /// The number of points of each class that has any.
  package var countsByClass: [Int: Int] {
    var sums: [Int: Int] = [:]
    for (key, count) in zip(keys, counts) { sums[Self.classIndex(of: key), default: 0] += count }
    return sums
  }

  /// Calls `body` with each cell that has points, and the number of points of each class, by rows of cells.
  package func forEachCell(
    _ body: (_ cell: CellGrid.Cell, _ classes: [(index: Int, count: Int)]) -> Void
  ) {
    var start = 0
    while start < keys.count {
      let place = keys[start] >> Self.classBits
      var end = start + 1
      while end < keys.count, keys[end] >> Self.classBits == place { end += 1 }
      body(
        Self.cell(of: keys[start]),
        (start..<end).map { (Self.classIndex(of: keys[$0]), counts[$0]) })
      start = end
    }
  }
}
