/// Rows in the order in which a Hilbert curve over their extent passes their places.
///
/// Each axis has 2¹⁶ cells. Where more rows than `runLimit` share a cell, as when one outlier stretches the
/// extent, the cell gets a curve of its own, and so on until they part; rows at one same place keep their
/// order. A row with a NaN coordinate is left out.
///
/// O(n) for each level of cells, nearly always one or two.
func hilbertOrder(x: [Double], y: [Double], runLimit: Int) -> [Int32] {
  var order: [Int32] = []
  order.reserveCapacity(x.count)
  for row in x.indices where !x[row].isNaN && !y[row].isNaN { order.append(Int32(row)) }
  let curve = HilbertCurve()
  var keys: [UInt64] = []
  var spare: [UInt64] = []
  var pending = [0..<order.count]
  while let range = pending.popLast() {
    fillKeys(&keys, curve, x: x, y: y, rows: order[range])
    sortByUpperHalf(&keys, spare: &spare)
    let whole = range.count
    var runStart = 0
    for index in 0..<whole {
      order[range.lowerBound + index] = Int32(truncatingIfNeeded: keys[index])
      let runEnds = index + 1 == whole || keys[index + 1] >> 32 != keys[index] >> 32
      guard runEnds else { continue }
      let run = runStart..<index + 1
      runStart = index + 1
      // A run as long as the whole is one place, or as near as doubles get.
      if run.count > runLimit && run.count < whole {
        pending.append(range.lowerBound + run.lowerBound..<range.lowerBound + run.upperBound)
      }
    }
  }
  return order
}

/// Keys of rows: cell on the curve over their extent in the upper half, row in the lower.
private func fillKeys(
  _ keys: inout [UInt64], _ curve: HilbertCurve, x: [Double], y: [Double], rows: ArraySlice<Int32>
) {
  keys.removeAll(keepingCapacity: true)
  keys.reserveCapacity(rows.count)
  var (x0, y0, x1, y1) = (Double.infinity, Double.infinity, -Double.infinity, -Double.infinity)
  for row in rows {
    let (px, py) = (x[Int(row)], y[Int(row)])
    x0 = px < x0 ? px : x0
    x1 = px > x1 ? px : x1
    y0 = py < y0 ? py : y0
    y1 = py > y1 ? py : y1
  }
  let (toColumn, toRow) = (CellScale(from: x0, to: x1), CellScale(from: y0, to: y1))
  for row in rows {
    let cell = curve.index(x: toColumn.cell(x[Int(row)]), y: toRow.cell(y[Int(row)]))
    keys.append(UInt64(cell) << 32 | UInt64(UInt32(bitPattern: row)))
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
    return place >= 65_535 ? 65_535 : place > 0 ? UInt32(place) : 0
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

/// Sorts by the upper 32 bits, equal ones in the order they came.
///
/// O(n): radix sort in three passes of 11 bits; short lists by comparison, which the lower half makes as
/// stable.
private func sortByUpperHalf(_ keys: inout [UInt64], spare: inout [UInt64]) {
  guard keys.count > 1 << 12 else { return keys.sort() }
  spare.removeAll(keepingCapacity: true)
  spare.append(contentsOf: repeatElement(0, count: keys.count))
  for shift: UInt64 in [32, 43, 54] {
    var starts = [Int](repeating: 0, count: 2048)
    for key in keys { starts[Int(key &>> shift & 2047)] &+= 1 }
    var total = 0
    for digit in starts.indices {
      let count = starts[digit]
      starts[digit] = total
      total += count
    }
    for key in keys {
      let digit = Int(key &>> shift & 2047)
      spare[starts[digit]] = key
      starts[digit] &+= 1
    }
    swap(&keys, &spare)
  }
}
