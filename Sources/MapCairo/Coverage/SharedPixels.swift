/// Pixels of a band that parts of one stroke may share, where what they cover must not be added up: the parts are set
/// apart there by 16 rows of 64 samples.
struct SharedPixels: ~Copyable {
  /// Rows of samples in a pixel.
  private static let samples = 16
  /// Samples in a row of a pixel: the bits of a word.
  private static let across = 64.0
  /// Added to places of samples so that conversions to whole numbers round down; greater than any of them.
  private static let shift = Double(1 << 24)
  /// The mark of a pixel that is covered whole.
  private static let full = UInt32.max

  private let width: Int
  private let height: Int
  /// For each pixel what the stroke under way knows of it: below ``base`` nothing; then the first segment that touched
  /// it; from ``firstSlot`` on where its samples are.
  private let marks: Cells<UInt32>
  private var base: UInt32 = 1
  private var firstSlot: UInt32 = 1
  private var slotCount = 0
  /// The samples of all shared pixels.
  private var samples: [UInt64] = []
  /// Where they are, when all pixels of a stroke are shared.
  private var places: [(row: Int32, column: Int32)] = []
  private var sharesAll = false
  /// For each row the number of its shared pixels that are not covered whole.
  private let open: Cells<Int32>
  /// The rows and columns that have any.
  private var (rowStart, rowEnd, columnStart, columnEnd) = (Int.max, 0, Int.max, 0)
  /// For each row of samples where the piece under way begins and ends, in samples.
  private let begins: Cells<Int32>
  private let ends: Cells<Int32>

  init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    marks = Cells(count: width * height)
    open = Cells(count: height)
    begins = Cells(count: height * Self.samples)
    ends = Cells(count: height * Self.samples)
  }

  /// True when the stroke under way has such pixels.
  var isNeeded: Bool { slotCount > 0 }

  /// Begins a stroke of some segments.
  mutating func begin(segments: Int) {
    let next = Int(firstSlot) + slotCount
    if next + segments + width * height >= Int(Self.full) {
      for place in 0..<width * height { marks[place] = 0 }
      base = 1
    } else {
      base = UInt32(next)
    }
    // More segments than fit would share their last number.
    firstSlot = base + UInt32(min(segments, Int(Self.full / 2)))
    slotCount = 0
    sharesAll = false
    for row in rowStart..<max(rowStart, rowEnd) { open[row] = 0 }
    (rowStart, rowEnd, columnStart, columnEnd) = (.max, 0, .max, 0)
  }

  /// Begins a stroke of which each pixel that a piece touches is shared.
  mutating func beginSharingAll() {
    begin(segments: 0)
    samples.removeAll(keepingCapacity: samples.capacity <= 1 << 18)
    places.removeAll(keepingCapacity: true)
    sharesAll = true
    (rowStart, rowEnd, columnStart, columnEnd) = (0, height, 0, width)
  }

  /// Notes that an edge of a segment runs through pixels of a row; segments before `apartFrom` may lie over it, so where
  /// that is greater than the segment's own number the pixels are shared at once.
  @inline(__always)
  mutating func touch(_ row: Int, _ columns: Range<Int>, by segment: Int, apartFrom: Int) {
    for place in row * width + columns.lowerBound..<row * width + columns.upperBound {
      let mark = marks[place]
      if mark >= firstSlot { continue }
      if mark >= base {
        if mark &- base < UInt32(truncatingIfNeeded: apartFrom) { share(row, place) }
      } else if apartFrom <= segment {
        marks[place] = base &+ UInt32(truncatingIfNeeded: segment)
      } else {
        share(row, place)
      }
    }
  }

  private mutating func share(_ row: Int, _ place: Int) {
    marks[place] = firstSlot + UInt32(slotCount)
    slotCount += 1
    open[row] += 1
    (rowStart, rowEnd) = (min(rowStart, row), max(rowEnd, row + 1))
    let column = place - row * width
    (columnStart, columnEnd) = (min(columnStart, column), max(columnEnd, column + 1))
  }

  /// Makes room for the samples, once all edges are known.
  mutating func makeRoom() {
    samples.removeAll(keepingCapacity: samples.capacity <= 1 << 18)
    samples.append(contentsOf: repeatElement(0, count: slotCount * Self.samples))
  }

  /// Adds a convex piece of the stroke.
  ///
  /// - Cost: by its rows of samples, and the shared pixels in it.
  @inline(__always)
  mutating func add(_ piece: StrokePiece) {
    let (top, bottom) = (
      min(piece.a.y, piece.b.y, piece.c.y, piece.d.y), max(piece.a.y, piece.b.y, piece.c.y, piece.d.y)
    )
    guard top < Double(rowEnd), bottom > Double(rowStart) else { return }
    let (left, right) = (
      min(piece.a.x, piece.b.x, piece.c.x, piece.d.x), max(piece.a.x, piece.b.x, piece.c.x, piece.d.x)
    )
    guard left < Double(columnEnd), right > Double(columnStart) else { return }
    addInside(piece, top, bottom)
  }

  private mutating func addInside(_ piece: StrokePiece, _ top: Double, _ bottom: Double) {
    let limits = rowStart * Self.samples..<rowEnd * Self.samples
    let shown = sampleRows(top, bottom).clamped(to: limits)
    guard !shown.isEmpty else { return }
    for row in shown {
      begins[row] = 1 << 28
      ends[row] = -1 << 28
    }
    cross(piece.a, piece.b, limits)
    cross(piece.b, piece.c, limits)
    if piece.c != piece.d { cross(piece.c, piece.d, limits) }
    cross(piece.d, piece.a, limits)
    for row in shown.lowerBound / Self.samples..<(shown.upperBound - 1) / Self.samples + 1
    where sharesAll || open[row] > 0 {
      let first = row * Self.samples
      fill(row, (first..<first + Self.samples).clamped(to: shown))
    }
  }

  /// Notes where an edge of the piece under way crosses rows of samples.
  @inline(__always)
  private mutating func cross(_ from: Place, _ to: Place, _ limits: Range<Int>) {
    let (a, b) = from.y < to.y ? (from, to) : (to, from)
    let crossed = sampleRows(a.y, b.y).clamped(to: limits)
    if crossed.isEmpty { return }
    let slope = (b.x - a.x) / (b.y - a.y)
    // The first sample whose middle is at x or right of it, made positive so that the conversion rounds down.
    let step = slope / Double(Self.samples) * Self.across
    var x = (a.x + ((Double(crossed.lowerBound) + 0.5) / Double(Self.samples) - a.y) * slope) * Self.across
    x += 0.5 + Self.shift
    for row in crossed {
      let place = Int32(truncatingIfNeeded: Int(x)) &- 1 << 24
      x += step
      if place < begins[row] { begins[row] = place }
      if place > ends[row] { ends[row] = place }
    }
  }

  /// The rows of samples between two heights.
  @inline(__always)
  private func sampleRows(_ top: Double, _ bottom: Double) -> Range<Int> {
    let first = Int(top * Double(Self.samples) + (0.5 + Self.shift))
    let end = Int(bottom * Double(Self.samples) + (0.5 + Self.shift))
    return first - 1 << 24..<max(first, end) - 1 << 24
  }

  /// Sets the samples of the piece under way in a row of pixels.
  private mutating func fill(_ row: Int, _ sampleRows: Range<Int>) {
    var (left, right) = (Int32.max, Int32.min)
    for row in sampleRows { (left, right) = (min(left, begins[row]), max(right, ends[row])) }
    guard left < right else { return }
    let columns = (Int(left) >> 6..<(Int(right) + 63) >> 6).clamped(to: 0..<width)
    for column in columns {
      let place = row * width + column
      var mark = marks[place]
      if mark < firstSlot, sharesAll { mark = shareNow(row, column) }
      guard mark >= firstSlot, mark != Self.full else { continue }
      let slot = Int(mark - firstSlot) * Self.samples - row * Self.samples
      let origin = Int32(truncatingIfNeeded: column << 6)
      for row in sampleRows {
        let (begin, end) = (max(begins[row] &- origin, 0), min(ends[row] &- origin, 64))
        guard begin < end else { continue }
        samples[slot + row] |= (~0 &<< UInt64(begin)) & (~0 &>> UInt64(64 - end))
      }
      let first = slot + row * Self.samples
      var all: UInt64 = ~0
      for index in first..<first + Self.samples { all &= samples[index] }
      if all == ~0 {
        marks[place] = Self.full
        open[row] -= 1
      }
    }
  }

  @inline(__always)
  private mutating func shareNow(_ row: Int, _ column: Int) -> UInt32 {
    let mark = firstSlot &+ UInt32(truncatingIfNeeded: slotCount)
    marks[row * width + column] = mark
    slotCount += 1
    places.append((Int32(truncatingIfNeeded: row), Int32(truncatingIfNeeded: column)))
    samples.append(contentsOf: repeatElement(0, count: Self.samples))
    return mark
  }

  /// Hands out what is covered of each pixel when all are shared.
  @inline(__always)
  mutating func takeAll(_ body: (_ row: Int, _ column: Int, _ coverage: Float) -> Void) {
    for (row, column) in places {
      if let coverage = coverage(Int(row), Int(column)) { body(Int(row), Int(column), coverage) }
    }
  }

  /// What is covered of a pixel that is shared; nil of others.
  @inline(__always)
  func coverage(_ row: Int, _ column: Int) -> Float? {
    let place = row * width + column
    let mark = marks[place]
    guard mark >= firstSlot else { return nil }
    if mark == Self.full {
      marks[place] = 0
      return 1
    }
    let first = Int(mark - firstSlot) * Self.samples
    var count = 0
    for index in first..<first + Self.samples { count &+= samples[index].nonzeroBitCount }
    return Float(count) / Float(Self.samples * 64)
  }
}
