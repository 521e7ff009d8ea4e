/// Rows in the order in which a Hilbert curve over their extent passes their places.
///
/// Each axis has 2¹⁶ cells. Where more rows than `runLimit` share a cell, as when one outlier stretches the
/// extent, the cell gets a curve of its own, and so on until they part; rows at one same place keep their
/// order. A row with a NaN coordinate is left out. The order does not depend on the number of threads, since no
/// two keys are equal.
///
/// O(n) for each level of cells, nearly always one or two, on all cores.
func hilbertOrder(x: [Double], y: [Double], runLimit: Int) -> [Int32] {
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
  // Rows that share a cell, some runs a task.
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

/// Calls `body` for the ranges of keys that share a cell, if they are more than a limit and not all there are: all are
/// one place, or as near as doubles get.
private func forEachRun(of keys: [UInt64], longerThan limit: Int, _ body: (Range<Int>) -> Void) {
  let keys = keys.span
  var start = 0
  for index in 0..<keys.count where index + 1 == keys.count || keys[index + 1] >> 32 != keys[index] >> 32 {
    if index + 1 - start > limit, index + 1 - start < keys.count { body(start..<index + 1) }
    start = index + 1
  }
}

/// Sorts rows that share a cell along curves of their own.
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

/// An extent that is to be cut into cells.
private struct CellExtent: Sendable {
  private(set) var (x0, y0, x1, y1) = (Double.infinity, Double.infinity, -Double.infinity, -Double.infinity)

  /// The extent of nothing.
  init() {}

  /// The extent of rows; those with a NaN add nothing.
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

/// The keys of rows along a curve over an extent.
private struct CellKeys: Sendable {
  private let toColumn: CellScale
  private let toRow: CellScale
  private let curve: HilbertCurve

  init(_ extent: CellExtent, _ curve: HilbertCurve) {
    (toColumn, toRow) = (CellScale(from: extent.x0, to: extent.x1), CellScale(from: extent.y0, to: extent.y1))
    self.curve = curve
  }

  /// The key of a row: its cell on the curve in the upper half, the row in the lower.
  func key(of row: Int32, x: Double, y: Double) -> UInt64 {
    let cell = curve.index(x: toColumn.cell(x), y: toRow.cell(y))
    return UInt64(cell) << 32 | UInt64(UInt32(bitPattern: row))
  }
}

/// One axis of an extent cut into 2¹⁶ cells.
private struct CellScale {
  private let origin: Double
  private let half: Double
  private let scale: Double

  init(from low: Double, to high: Double) {
    // Halved, no difference of two finite doubles overflows; not halved, subnormal ones keep their last bit.
    half = high - low < .infinity ? 1 : 0.5
    origin = low * half
    let width = high * half - origin
    scale = width > 0 ? 65_535 / width : 0
  }

  func cell(_ value: Double) -> UInt32 {
    let place = (value * half - origin) * scale
    // False for NaN too, which 0 × infinity gives when the width is subnormal.
    return place >= 65_535 ? 65_535 : place > 0 ? UInt32(clamping: place) : 0
  }
}

/// A Hilbert curve of order 16, read four levels at a time.
///
/// A quarter's curve is the whole's, turned: with x and y exchanged, mirrored, or both. Those four states
/// with four bits of each axis give eight bits of the index and the state below.
package struct HilbertCurve {
  /// Eight bits of index, and above them the next state; at `state << 8 | x << 4 | y`.
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

  /// The place on the curve of a cell, both of 16 bits.
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

/// Sorts by the upper 32 bits, equal ones in the order they came, which must be that of the lower.
///
/// O(n): radix sort in three passes of 11 bits, of shorter lists in four of 8; the shortest by comparison.
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

/// Sorted lists of keys as one: cut at the same keys and merged pair by pair, each stretch on a core.
///
/// O(n log of the number of lists).
private func mergedKeys(_ lists: [[UInt64]]) -> [UInt64] {
  guard lists.count > 1 else { return lists.first ?? [] }
  // Cuts where a sample of all keys is.
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
  /// Where the first key that is not below another stands, by bisection.
  fileprivate func firstPlace(of key: UInt64) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
