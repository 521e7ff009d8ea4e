import MapSystem

/// The x or y values of a tree's points, in one byte each: the cell among 253 of the leaf's own extent.
///
/// Cells never decrease as the coordinate grows. A cell strictly between those of two bounds is therefore between the
/// bounds. Only values that share a bound's cell need an exact test. The cells of a leaf fill one cache line, while its
/// coordinates fill eight. Waiting for memory is most of the cost of a count. A count over 10⁷ points takes 29 µs
/// instead of 43 (Swift 6.3.1, x86-64).
struct LeafCells {
  /// The cells in packed order, 1 to 253; 255 fills up the last leaf.
  private var cells: [UInt8] = []

  /// A query for the cells of a leaf between those of two bounds, both excluded.
  struct Query {
    let leaf: Int32
    /// The cell of the lower bound; 0 when the bound lies before the leaf.
    let below: UInt8
    /// The cell of the upper bound; 254 when the bound lies after the leaf.
    let above: UInt8
  }

  /// Creates no cells, for trees that contain more than points.
  init() {}

  /// Creates the cells of values in packed order; `low` and `high` are the extents of the leaves.
  init(_ values: [Double], leavesFrom low: ArraySlice<Double>, to high: ArraySlice<Double>) {
    let capacity = PackedRTree.leafCapacity
    cells.reserveCapacity(low.count * capacity)
    for (leaf, (low, high)) in zip(low, high).enumerated() {
      let scale = Self.scale(from: low, to: high)
      for index in leaf * capacity..<min(values.count, (leaf + 1) * capacity) {
        cells.append(Self.cell(values[index], from: low, scale))
      }
    }
    cells.append(contentsOf: repeatElement(255, count: low.count * capacity - cells.count))
  }

  /// Returns the query for a leaf's values between two bounds.
  static func query(
    leaf: Int32, from leafLow: Double, to leafHigh: Double, between low: Double, _ high: Double
  )
    -> Query
  {
    let scale = Self.scale(from: leafLow, to: leafHigh)
    return Query(
      leaf: leaf, below: low < leafLow ? 0 : cell(low, from: leafLow, scale),
      above: high > leafHigh ? 254 : cell(high, from: leafLow, scale))
  }

  /// Returns the number of `values`, in packed order, between two bounds inclusive, in the queried leaves.
  ///
  /// It is separate from the traversal of the tree, so that the memory of several leaves is fetched at the same time.
  func count(
    _ queries: [Query], of values: [Double], between low: Double, _ high: Double, among chosen: PackedRows?
  ) -> Int {
    if let chosen { return count(queries, of: values, between: low, high, among: chosen.words) }
    let (span, values) = (cells.span, values.span)
    var total = 0
    // Undecided values are tested at the end, since testing each at once would wait for its memory.
    var open: [Int] = []
    for query in queries {
      let first = Int(query.leaf) << 6
      // Byte counters let one instruction handle 16 rows; the count never exceeds 64.
      var (count, shared): (UInt8, UInt8) = (0, 0)
      for index in first..<first + 64 {
        let cell = span[index]
        count &+= (cell > query.below ? 1 : 0) & (cell < query.above ? 1 : 0)
        shared |= (cell == query.below ? 1 : 0) | (cell == query.above ? 1 : 0)
      }
      total &+= Int(count)
      if shared == 0 { continue }
      for index in first..<first + 64 where span[index] == query.below || span[index] == query.above {
        open.append(index)
      }
    }
    for index in open { total &+= (values[index] >= low ? 1 : 0) & (values[index] <= high ? 1 : 0) }
    return total
  }

  /// Counts chosen values only, one by one, given as 64 bits per word, since most filters keep few values of a leaf.
  private func count(
    _ queries: [Query], of values: [Double], between low: Double, _ high: Double, among chosen: [UInt64]
  ) -> Int {
    let (span, values) = (cells.span, values.span)
    var total = 0
    for query in queries {
      let first = Int(query.leaf) << 6
      var word = chosen[Int(query.leaf)]
      while word != 0 {
        let index = first | word.trailingZeroBitCount
        word &= word &- 1
        let cell = span[index]
        if cell == query.below || cell == query.above {
          total &+= (values[index] >= low ? 1 : 0) & (values[index] <= high ? 1 : 0)
        } else {
          total &+= (cell > query.below ? 1 : 0) & (cell < query.above ? 1 : 0)
        }
      }
    }
    return total
  }

  private static func scale(from low: Double, to high: Double) -> Double { 253 / (high - low) }

  /// Returns a cell that never decreases as `value` rises, whatever the scale.
  ///
  /// A leaf that is too wide or too narrow to divide gives NaN, which becomes the lowest cell.
  private static func cell(_ value: Double, from low: Double, _ scale: Double) -> UInt8 {
    let place = (value - low) * scale
    return place >= 252 ? 253 : place > 0 ? UInt8(clamping: place) + 1 : 1
  }
}
