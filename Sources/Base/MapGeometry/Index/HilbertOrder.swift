import MapSystem

/// Returns rows in the order in which a Hilbert curve over their extent passes their points.
///
/// Each axis has 2¹⁶ cells. When more than `runLimit` rows share a cell, the cell gets its own curve, repeatedly, until
/// the rows separate. An outlier that stretches the extent is a typical cause. Rows at the same point keep their order.
/// Rows with a NaN coordinate are omitted. The order does not depend on the number of threads, since all keys are
/// different.
///
/// - Cost: O(n) for each level of cells, nearly always one or two, on all cores.
package func hilbertOrder(x: [Double], y: [Double], runLimit: Int) -> [Int32] {
  let curve = HilbertCurve()
  let pieces = x.indices.pieces(of: 1 << 16)
  let boxes = concurrentMap(pieces.count) { CellExtent(x: x.span, y: y.span, rows: pieces[$0]) }
  let cells = CellKeys(boxes.reduce(CellExtent()) { $0.union($1) }, curve)
  let keys = mergedKeys(
    concurrentMap(pieces.count) { piece in
      var keys: [UInt64] = []
      keys.reserveCapacity(pieces[piece].count)
      let (x, y) = (x.span, y.span)
      for row in pieces[piece] where !x[row].isNaN && !y[row].isNaN {
        keys.append(cells.key(of: Int32(truncatingIfNeeded: row), x: x[row], y: y[row]))
      }
      var spare: [UInt64] = []
      sortByUpperHalf(&keys, spare: &spare)
      return keys
    })
  var order = keys.map { Int32(truncatingIfNeeded: $0) }
  // Rows that share a cell are grouped into tasks of some runs each.
  var tasks: [[Range<Int>]] = []
  var held = 0
  forEachRun(of: keys, longerThan: runLimit) { run in
    if tasks.isEmpty || held > 1 << 14 {
      tasks.append([])
      held = 0
    }
    tasks[tasks.count - 1].append(run)
    held += run.count
  }
  let parted = concurrentMap(tasks.count) { [order, tasks] task in
    var sorter = RunSorter(curve: curve, runLimit: runLimit)
    return tasks[task].map { run in
      var rows = Array(order[run])
      sorter.sort(&rows, x: x.span, y: y.span)
      return rows
    }
  }
  for (runs, sorted) in zip(tasks, parted) {
    for (run, rows) in zip(runs, sorted) {
      for (step, row) in rows.enumerated() { order[run.lowerBound + step] = row }
    }
  }
  return order
}

/// Calls `body` for each range of keys that share a cell, when it has more keys than a limit but not all keys.
///
/// When all keys share a cell, they are one point, or as close as doubles allow.
private func forEachRun(of keys: [UInt64], longerThan limit: Int, _ body: (Range<Int>) -> Void) {
  let keys = keys.span
  var start = 0
  for index in 0..<keys.count where index + 1 == keys.count || keys[index + 1] >> 32 != keys[index] >> 32 {
    if index + 1 - start > limit, index + 1 - start < keys.count { body(start..<index + 1) }
    start = index + 1
  }
}

/// Sorts rows that share a cell, each cell along its own curve.
private struct RunSorter {
  let curve: HilbertCurve
  let runLimit: Int
  private var keys: [UInt64] = []
  private var spare: [UInt64] = []

  init(curve: HilbertCurve, runLimit: Int) { (self.curve, self.runLimit) = (curve, runLimit) }

  mutating func sort(_ rows: inout [Int32], x: Span<Double>, y: Span<Double>) {
    var pending = [0..<rows.count]
    while let range = pending.popLast() {
      keys.removeAll(keepingCapacity: true)
      let cells = CellKeys(CellExtent(x: x, y: y, rows: rows[range].lazy.map { Int($0) }), curve)
      for row in rows[range] { keys.append(cells.key(of: row, x: x[Int(row)], y: y[Int(row)])) }
      sortByUpperHalf(&keys, spare: &spare)
      for index in keys.indices { rows[range.lowerBound + index] = Int32(truncatingIfNeeded: keys[index]) }
      forEachRun(of: keys, longerThan: runLimit) {
        pending.append(range.lowerBound + $0.lowerBound..<range.lowerBound + $0.upperBound)
      }
    }
  }
}

/// An extent to be divided into cells.
private struct CellExtent: Sendable {
  private(set) var (x0, y0, x1, y1) = (Double.infinity, Double.infinity, -Double.infinity, -Double.infinity)

  /// Creates an empty extent.
  init() {}

  /// Creates the extent of rows; rows with a NaN coordinate are ignored.
  init(x: Span<Double>, y: Span<Double>, rows: some Sequence<Int>) {
    for row in rows where !x[row].isNaN && !y[row].isNaN {
      x0 = x[row] < x0 ? x[row] : x0
      x1 = x[row] > x1 ? x[row] : x1
      y0 = y[row] < y0 ? y[row] : y0
      y1 = y[row] > y1 ? y[row] : y1
    }
  }

  func union(_ other: CellExtent) -> CellExtent {
    var union = self
    (union.x0, union.y0) = (min(x0, other.x0), min(y0, other.y0))
    (union.x1, union.y1) = (max(x1, other.x1), max(y1, other.y1))
    return union
  }
}

/// The sort keys of rows along a curve over an extent.
private struct CellKeys: Sendable {
  private let toColumn: CellScale
  private let toRow: CellScale
  private let curve: HilbertCurve

  init(_ extent: CellExtent, _ curve: HilbertCurve) {
    (toColumn, toRow) = (CellScale(from: extent.x0, to: extent.x1), CellScale(from: extent.y0, to: extent.y1))
    self.curve = curve
  }

  /// Returns the key of a row: its cell on the curve in the upper half, the row in the lower half.
  func key(of row: Int32, x: Double, y: Double) -> UInt64 {
    let cell = curve.index(x: toColumn.cell(x), y: toRow.cell(y))
    return UInt64(cell) << 32 | UInt64(UInt32(bitPattern: row))
  }
}

/// An axis of an extent, divided into 2¹⁶ cells.
private struct CellScale {
  private let origin: Double
  private let half: Double
  private let scale: Double

  init(from low: Double, to high: Double) {
    // Halving avoids overflow in the difference of two finite doubles. Without halving, subnormal numbers keep their
    // last bit.
    half = high - low < .infinity ? 1 : 0.5
    origin = low * half
    let width = high * half - origin
    scale = width > 0 ? 65_535 / width : 0
  }

  func cell(_ value: Double) -> UInt32 {
    let place = (value * half - origin) * scale
    // Both comparisons are false for NaN, the product of 0 and infinity when the width is subnormal.
    return place >= 65_535 ? 65_535 : place > 0 ? UInt32(clamping: place) : 0
  }
}

/// A Hilbert curve of order 16, computed four levels at a time.
///
/// The curve of a quarter is the whole curve with x and y exchanged, mirrored, or both. One of these four states and
/// four bits per axis give eight bits of the index and the next state.
package struct HilbertCurve {
  /// Eight bits of the index with the next state above them; at `state << 8 | x << 4 | y`.
  private let steps: [UInt16]

  package init() {
    steps = (0..<1024).map { entry in
      var (exchanged, mirrored) = (entry & 256 != 0, entry & 512 != 0)
      var index = 0
      for bit in (0..<4).reversed() {
        var (x, y) = (entry >> (4 + bit) & 1, entry >> bit & 1)
        if mirrored { (x, y) = (1 - x, 1 - y) }
        if exchanged { (x, y) = (y, x) }
        index = index << 2 | (3 * x) ^ y
        if y == 0 {
          exchanged.toggle()
          if x == 1 { mirrored.toggle() }
        }
      }
      return UInt16(index | (exchanged ? 256 : 0) | (mirrored ? 512 : 0))
    }
  }

  /// Returns the position of a cell on the curve; `x` and `y` have 16 bits.
  package func index(x: UInt32, y: UInt32) -> UInt32 {
    var index: UInt32 = 0
    var state: UInt32 = 0
    var shift: UInt32 = 16
    while shift > 0 {
      shift -= 4
      let step = steps[Int(state | (x >> shift & 15) << 4 | y >> shift & 15)]
      index = index << 8 | UInt32(step & 255)
      state = UInt32(step & 768)
    }
    return index
  }
}

/// Sorts by the upper 32 bits; equal keys keep their order, which must already be that of the lower bits.
///
/// - Cost: O(n): radix sort in three passes of 11 bits, or four of 8 bits for shorter lists; the shortest are sorted by
///   comparison.
private func sortByUpperHalf(_ keys: inout [UInt64], spare: inout [UInt64]) {
  guard keys.count > 128 else { return keys.sort() }
  spare.removeAll(keepingCapacity: true)
  spare.append(contentsOf: repeatElement(0, count: keys.count))
  let bits: UInt64 = keys.count > 1 << 12 ? 11 : 8
  for shift in stride(from: 32 as UInt64, to: 64, by: Int(bits)) {
    var starts = [Int](repeating: 0, count: 1 << bits)
    let mask: UInt64 = 1 << bits - 1
    for key in keys { starts[Int(key &>> shift & mask)] &+= 1 }
    var total = 0
    for digit in starts.indices {
      let count = starts[digit]
      starts[digit] = total
      total += count
    }
    for key in keys {
      let digit = Int(key &>> shift & mask)
      spare[starts[digit]] = key
      starts[digit] &+= 1
    }
    swap(&keys, &spare)
  }
}

/// Merges sorted lists of keys: all are cut at the same keys, and each stretch is merged pairwise on one core.
///
/// - Cost: O(n log of the number of lists).
private func mergedKeys(_ lists: [[UInt64]]) -> [UInt64] {
  guard lists.count > 1 else { return lists.first ?? [] }
  // The cuts are taken from a sample of all keys.
  let sample = lists.flatMap { list in stride(from: 0, to: list.count, by: 1 << 10).map { list[$0] } }
    .sorted()
  let cuts = stride(from: 0, to: sample.count, by: 1 << 5).dropFirst().map { sample[$0] }
  let stretches = concurrentMap(cuts.count + 1) { stretch in
    var parts = lists.map { list in
      let start = stretch == 0 ? 0 : list.firstPlace(of: cuts[stretch - 1])
      return list[start..<(stretch == cuts.count ? list.count : list.firstPlace(of: cuts[stretch]))]
    }.filter { !$0.isEmpty }
    while parts.count > 1 {
      parts = stride(from: 0, to: parts.count, by: 2).map { index in
        index + 1 < parts.count ? merged(parts[index], parts[index + 1])[...] : parts[index]
      }
    }
    return parts.first ?? []
  }
  var keys: [UInt64] = []
  keys.reserveCapacity(lists.reduce(0) { $0 + $1.count })
  for stretch in stretches { keys += stretch }
  return keys
}

private func merged(_ first: ArraySlice<UInt64>, _ second: ArraySlice<UInt64>) -> [UInt64] {
  let (a, b) = (first.span, second.span)
  var keys: [UInt64] = []
  keys.reserveCapacity(a.count + b.count)
  var (i, j) = (0, 0)
  while i < a.count, j < b.count {
    if a[i] < b[j] {
      keys.append(a[i])
      i += 1
    } else {
      keys.append(b[j])
      j += 1
    }
  }
  keys += first[(first.startIndex + i)...]
  keys += second[(second.startIndex + j)...]
  return keys
}

extension [UInt64] {
  /// Returns the index of the first key that is not less than another, by bisection.
  fileprivate func firstPlace(of key: UInt64) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
