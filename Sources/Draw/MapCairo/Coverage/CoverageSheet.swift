internal import MapDrawing
internal import MapGeometry
internal import MapSystem

/// A point in pixels.
typealias Place = SIMD2<Double>

/// The coverage of each pixel of a band by a shape, accumulated edge by edge: exact areas, not samples.
///
/// Each edge adds the area to its right, as changes from one pixel to the next. Their sum from the left is the
/// average winding number of a pixel. It is the shape's coverage wherever no two of its parts share a pixel.
///
/// - Source: Levien, font-rs (2016), after Kallio, "Scanline edge-flag algorithm for antialiasing", 2007.
struct CoverageSheet: ~Copyable {
  let width: Int
  /// The number of rows in use, at most that of the allocated ones.
  private(set) var height: Int
  /// The number of allocated rows.
  let rows: Int
  /// The tolerance of winding numbers, for vertices on a grid and for rounding.
  private static let tolerance: Float = 1.0 / 32
  /// The changes of each pixel, with extra columns for edges at the right side.
  private let changes: Cells<Float>
  private let stride: Int
  /// For each row, the first pixel that an edge touched, and the one after the last.
  private let starts: Cells<Int32>
  private let ends: Cells<Int32>
  /// The rows that edges touched.
  private var (rowStart, rowEnd) = (Int.max, 0)
  /// The number of added edges, and of the pixel rows that they cross.
  private(set) var (edgeCount, spanCount) = (0, 0)

  init(width: Int, height: Int) {
    (self.width, self.height, rows, stride) = (width, height, height, width + 2)
    changes = Cells(count: stride * height)
    starts = Cells(count: height)
    ends = Cells(count: height)
    for row in 0..<height { starts[row] = Int32(width) }
  }

  /// Begins to use an empty sheet for another number of rows; returns false if there are not enough.
  mutating func begin(height: Int) -> Bool {
    (edgeCount, spanCount) = (0, 0)
    self.height = min(height, rows)
    return height <= rows
  }

  /// Adds an edge; calls `touch` with each row and the pixels in it that the edge crosses.
  ///
  /// - Cost: proportional to the crossed rows and pixels on the sheet.
  @inline(__always)
  mutating func addEdge(_ a: Place, _ b: Place, touch: (Int, Range<Int>) -> Void) {
    let sign: Double = a.y < b.y ? 1 : -1
    var (x0, y0, x1, y1) = a.y < b.y ? (a.x, a.y, b.x, b.y) : (b.x, b.y, a.x, a.y)
    let (bottom, limit) = (Double(height), Double(width))
    guard y1 > 0, y0 < bottom else { return }
    guard y0 < y1 else {
      rowStart = min(rowStart, Int(clamping: max(y0, 0)))
      rowEnd = max(rowEnd, Int(clamping: max(y0, 0)) + 1)
      // The edge has no area, but its pixels may be partly covered.
      let (left, right) = (max(min(x0, x1), 0), min(max(x0, x1), limit))
      if left < right, y0 >= 0 {
        addInside(Int(clamping: y0), left, min(right, limit.nextDown), 0, touch: touch)
      }
      return
    }
    // Most edges lie within a row, and need no slope.
    let isInside = y0 >= 0 && y1 <= bottom
    var slope = isInside ? 0 : (x1 - x0) / (y1 - y0)
    if y0 < 0 { (x0, y0) = (x0 - y0 * slope, 0) }
    if y1 > bottom { (x1, y1) = (x1 - (y1 - bottom) * slope, bottom) }
    let (first, last) = (Int(clamping: y0), min(Int(clamping: y1), height - 1))
    if first < rowStart { rowStart = first }
    if last >= rowEnd { rowEnd = last + 1 }
    edgeCount &+= 1
    spanCount &+= last &- first &+ 1
    if first == last { return addSpan(first, x0, x1, (y1 - y0) * sign, touch: touch) }
    if isInside { slope = (x1 - x0) / (y1 - y0) }
    var x = x0 + (Double(first + 1) - y0) * slope
    addSpan(first, x0, x, (Double(first + 1) - y0) * sign, touch: touch)
    for row in first + 1..<last {
      let next = x + slope
      addSpan(row, x, next, sign, touch: touch)
      x = next
    }
    addSpan(last, x, x1, (y1 - Double(last)) * sign, touch: touch)
  }

  /// Adds the part of an edge within a row, between two x coordinates, with a signed height.
  @inline(__always)
  private func addSpan(
    _ row: Int, _ a: Double, _ b: Double, _ height: Double, touch: (Int, Range<Int>) -> Void
  ) {
    let (left, right) = a < b ? (a, b) : (b, a)
    if left >= 0, right < Double(width) {
      addInside(row, left, right, height, touch: touch)
    } else {
      addAcross(row, left, right, height, touch: touch)
    }
  }

  /// Adds a span that extends beyond a side of the sheet.
  ///
  /// The part left of the sheet counts in the first pixel, the part right of it is ignored.
  private func addAcross(
    _ row: Int, _ left: Double, _ right: Double, _ height: Double, touch: (Int, Range<Int>) -> Void
  ) {
    let limit = Double(width)
    let perPixel = right > left ? height / (right - left) : 0
    if right >= limit { ends[row] = max(ends[row], Int32(width)) }
    if left < 0 {
      changes[row * stride] += Float(right <= 0 ? height : -left * perPixel)
      starts[row] = 0
      ends[row] = max(ends[row], 1)
    }
    let (from, to) = (max(left, 0), min(right, limit))
    guard from < to else { return }
    // Slightly smaller, so that the last pixel is on the sheet.
    addInside(row, from, min(to, limit.nextDown), perPixel * (to - from), touch: touch)
  }

  @inline(__always)
  private func addInside(
    _ row: Int, _ left: Double, _ right: Double, _ height: Double, touch: (Int, Range<Int>) -> Void
  ) {
    let first = Int(clamping: left)
    let last = Int(clamping: right)
    let at = row * stride + first
    touch(row, first..<last + 1)
    if Int32(truncatingIfNeeded: first) < starts[row] { starts[row] = Int32(truncatingIfNeeded: first) }
    if Int32(truncatingIfNeeded: last) &+ 2 > ends[row] { ends[row] = Int32(truncatingIfNeeded: last) &+ 2 }
    let into = left - Double(first)
    if first == last {
      let spilled = Float(height * (into + right - Double(first)) / 2)
      changes[at] += Float(height) - spilled
      changes[at + 1] += spilled
      return
    }
    let perPixel = height / (right - left)
    // Triangles in the first and last pixels, a constant height between them.
    let (head, tail) = (1 - into, right - Double(last))
    let (headArea, tailArea) = (perPixel * head * head / 2, perPixel * tail * tail / 2)
    changes[at] += Float(headArea)
    if last == first + 1 {
      changes[at + 1] += Float(height - headArea - tailArea)
      changes[at + 2] += Float(tailArea)
      return
    }
    changes[at + 1] += Float(perPixel * (head + 0.5) - headArea)
    for column in first + 2..<last { changes[row * stride + column] += Float(perPixel) }
    changes[row * stride + last] += Float(perPixel * (tail + 0.5) - tailArea)
    changes[row * stride + last + 1] += Float(tailArea)
  }

  /// Adds the coverage of a horizontal stripe within a row, between two x coordinates.
  func addStripe(_ row: Int, from: Double, to: Double, height: Double) {
    addSpan(row, from, from, height) { _, _ in }
    addSpan(row, to, to, -height) { _, _ in }
  }

  /// Removes the rows where the shape may overlap itself from the sheet, and returns them.
  ///
  /// These are rows with pixels of both winding directions or with winding numbers above 1, rows where the direction
  /// changes, and the rows beside them. Further rows are taken if they are not empty.
  mutating func takeCrossedRows(and others: [Range<Int>] = []) -> [Int] {
    let rows = rowStart..<max(rowStart, rowEnd)
    var crossed: [Int] = []
    // The last row with a winding number other than 0, and its direction.
    var last: (row: Int, isRight: Bool)?
    func add(_ found: Range<Int>) {
      let first = max(found.lowerBound - 1, rows.lowerBound, (crossed.last ?? -1) + 1)
      for row in first..<max(first, min(found.upperBound + 1, rows.upperBound)) { crossed.append(row) }
    }
    for row in rows {
      let (least, most) = windings(row)
      let (isLeft, isRight) = (least < -Self.tolerance, most > Self.tolerance)
      guard isLeft || isRight else { continue }
      let isCrossed = isLeft && isRight || most - least > 1 + Self.tolerance
      if isCrossed || others.contains(where: { $0.contains(row) }) {
        add(row..<row + 1)
      } else if let last, isRight != last.isRight {
        add(last.row..<row + 1)
      }
      last = (row, isRight)
    }
    for row in crossed {
      for column in Int(starts[row])..<max(Int(starts[row]), Int(ends[row])) {
        changes[row * stride + column] = 0
      }
      (starts[row], ends[row]) = (Int32(width), 0)
    }
    return crossed
  }

  /// Returns the lowest and highest winding number of the pixels in a row.
  private func windings(_ row: Int) -> (least: Float, most: Float) {
    var (least, most, winding) = (Float.zero, Float.zero, Float.zero)
    let (first, end) = (row * stride, Int(ends[row]))
    var column = Int(starts[row])
    while column < end {
      winding += changes[first + column]
      least = min(least, winding)
      most = max(most, winding)
      column = nextChange(in: first, after: column, before: end)
    }
    return (least, most)
  }

  /// Returns the first column after another whose change is not 0; `end` if there is none before it.
  ///
  /// - Parameter first: the place of the row's first change.
  /// - Cost: large areas have few changes in a row, so eight are tested at once.
  @inline(__always)
  private func nextChange(in first: Int, after column: Int, before end: Int) -> Int {
    let limit = first + end
    var place = first + column + 1
    precondition(place >= 0 && limit <= changes.count)
    if place < limit, unsafe changes.start[place] != 0 { return place - first }
    while place + 8 <= limit {
      // The sign of a 0 is no change.
      let words = unsafe UnsafeRawPointer(changes.start + place)
      let some =
        unsafe words.loadUnaligned(as: UInt64.self) | words.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        | words.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
        | words.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
      if some & 0x7FFF_FFFF_7FFF_FFFF != 0 { break }
      place += 8
    }
    while place < limit, unsafe changes.start[place] == 0 { place += 1 }
    return place - first
  }

  /// Removes the shape outside a region; `top` is the image row of the first row.
  ///
  /// The winding numbers of the pixels inside stay the same, to the bit.
  mutating func clip(to region: PixelRegion, top: Int) {
    for row in rowStart..<max(rowStart, rowEnd) {
      let (start, end) = (Int(starts[row]), Int(ends[row]))
      guard start < end else { continue }
      let first = row * stride
      var (column, winding) = (start, Float.zero)
      // Adds the change of the next pixel, and makes it the given one.
      func pass(_ change: (Float) -> Float) {
        let own = changes[first + column]
        let next = winding + own
        changes[first + column] = change(own)
        (column, winding) = (column + 1, next)
      }
      for index in region.runIndices(inRow: top + row) {
        let run = region.run(at: index)
        while column < min(run.lowerBound, end) { pass { _ in 0 } }
        guard column < min(run.upperBound, end) else { continue }
        let before = column == run.lowerBound ? winding : 0
        pass { $0 + before }
        while column < min(run.upperBound, end) { pass { $0 } }
        let inside = winding
        if column < end { pass { _ in -inside } }
      }
      while column < end { pass { _ in 0 } }
    }
  }

  /// Empties the sheet, and calls `body` with the runs of equally covered pixels of each row and their winding
  /// number.
  @inline(__always)
  mutating func takeAll(_ body: (_ row: Int, _ columns: Range<Int>, _ winding: Float) -> Void) {
    for row in rowStart..<max(rowStart, rowEnd) {
      let (start, end) = (Int(starts[row]), Int(ends[row]))
      starts[row] = Int32(width)
      ends[row] = 0
      let first = row * stride
      var winding: Float = 0
      var column = start
      while column < end {
        winding += changes[first + column]
        changes[first + column] = 0
        let start = column
        column = nextChange(in: first, after: column, before: end)
        if start < width { body(row, start..<min(column, width), winding) }
      }
    }
    (rowStart, rowEnd) = (.max, 0)
  }
}
