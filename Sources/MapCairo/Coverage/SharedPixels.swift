internal import CCoverage

/// Pixels of a band that parts of one stroke may share, where what they cover must not be added up: the parts are set
/// apart there by 32 rows of 32 samples.
@safe struct SharedPixels: ~Copyable {
  /// Rows of samples in a pixel, a word each.
  static var rowsOfSamples: Int { Int(CCOVERAGE_ROWS) }

  private let width: Int
  private let height: Int
  /// For each pixel what the stroke under way knows of it: below ``base`` nothing; then the first segment that touched
  /// it; from the sheet's first slot on where its samples are.
  private let marks: Cells<UInt32>
  private var base: UInt32 = 1
  private var slotCount = 0
  /// For each row the number of its shared pixels that are not covered whole.
  private let open: Cells<Int32>
  /// The samples; its pointers are those of the cells above and its own, which are freed with it.
  private var sheet: ccoverage_sheet
  /// The rows and columns that have shared pixels.
  private var (rowStart, rowEnd, columnStart, columnEnd) = (Int.max, 0, Int.max, 0)

  init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    marks = Cells(count: width * height)
    open = Cells(count: height)
    unsafe sheet = ccoverage_sheet()
    unsafe sheet.width = Int32(clamping: width)
    unsafe (sheet.marks, sheet.open, sheet.first_slot) = (marks.start, open.start, 1)
  }

  deinit {
    var sheet = unsafe sheet
    unsafe ccoverage_free(&sheet)
  }

  /// True when the stroke under way has such pixels.
  var isNeeded: Bool { slotCount > 0 }

  /// Begins a stroke of some segments.
  mutating func begin(segments: Int) {
    let next = unsafe Int(sheet.first_slot) + max(slotCount, Int(sheet.count))
    if next + segments + width * height >= Int(UInt32.max) {
      for place in 0..<width * height { marks[place] = 0 }
      base = 1
    } else {
      base = UInt32(next)
    }
    // More segments than fit would share their last number.
    unsafe sheet.first_slot = base + UInt32(min(segments, Int(UInt32.max / 2)))
    unsafe (sheet.count, sheet.takes_all) = (0, 0)
    slotCount = 0
    for row in rowStart..<max(rowStart, rowEnd) { open[row] = 0 }
    (rowStart, rowEnd, columnStart, columnEnd) = (.max, 0, .max, 0)
  }

  /// Begins a stroke of which each pixel that a piece touches is shared.
  ///
  /// - Parameter rows: those of which the pieces are sampled.
  mutating func beginSharingAll(rows: Range<Int>) {
    begin(segments: 0)
    unsafe sheet.takes_all = 1
    (rowStart, rowEnd, columnStart, columnEnd) = (rows.lowerBound, rows.upperBound, 0, width)
    for row in rows { open[row] = Int32(clamping: width) }
    setBounds()
  }

  /// True when pieces can change nothing more, all being sampled.
  var isFull: Bool { (rowStart..<max(rowStart, rowEnd)).allSatisfy { open[$0] <= 0 } }

  /// The bytes of all samples that there is room for.
  var byteCount: Int { unsafe Int(sheet.capacity) * (Int(CCOVERAGE_ROWS) + 1) * 4 }

  /// Notes that an edge of a segment runs through pixels of a row; segments before `apartFrom` may lie over it, so where
  /// that is greater than the segment's own number the pixels are shared at once.
  @inline(__always)
  mutating func touch(_ row: Int, _ columns: Range<Int>, by segment: Int, apartFrom: Int) {
    for place in row * width + columns.lowerBound..<row * width + columns.upperBound {
      let mark = marks[place]
      if unsafe mark >= sheet.first_slot { continue }
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
    marks[place] = unsafe sheet.first_slot + UInt32(slotCount)
    slotCount += 1
    // Written out: the thread sanitizer's compiler (Swift 6.3) fails on `+=` here.
    open[row] = open[row] + 1
    (rowStart, rowEnd) = (min(rowStart, row), max(rowEnd, row + 1))
    let column = place - row * width
    (columnStart, columnEnd) = (min(columnStart, column), max(columnEnd, column + 1))
  }

  /// Makes room for the samples, once all edges are known; false when there is no memory.
  mutating func makeRoom() -> Bool {
    setBounds()
    return unsafe ccoverage_take_slots(&sheet, UInt32(slotCount)) != 0
  }

  private mutating func setBounds() {
    // Within the sheet, so within Int32.
    unsafe (sheet.first_row, sheet.end_row) = (Int32(clamping: rowStart), Int32(clamping: rowEnd))
    unsafe (sheet.first_column, sheet.end_column) = (Int32(clamping: columnStart), Int32(clamping: columnEnd))
  }

  /// Adds a convex piece of the stroke.
  ///
  /// - Cost: by its rows, and the shared pixels in it.
  @inline(__always)
  mutating func add(_ piece: StrokePiece) {
    // Five places are ten numbers one after the other.
    unsafe withUnsafeBytes(of: piece) { bytes in
      guard let corners = unsafe bytes.assumingMemoryBound(to: Double.self).baseAddress else { return }
      unsafe ccoverage_add(&sheet, corners)
    }
  }

  /// Hands out what is covered of each pixel when all are shared.
  @inline(__always)
  mutating func takeAll(_ body: (_ row: Int, _ column: Int, _ coverage: Float) -> Void) {
    for slot in unsafe 0..<sheet.count {
      let place = unsafe Int(sheet.places[Int(slot)])
      // A mark of a pixel that is covered whole would outlast the stroke.
      if marks[place] == CCOVERAGE_FULL { marks[place] = 0 }
      let (row, column) = place.quotientAndRemainder(dividingBy: width)
      body(row, column, coverage(ofSlot: slot))
    }
  }

  /// What is covered of a pixel that is shared; nil of others.
  @inline(__always)
  func coverage(_ row: Int, _ column: Int) -> Float? {
    let place = row * width + column
    let mark = marks[place]
    guard unsafe mark >= sheet.first_slot else { return nil }
    if mark == CCOVERAGE_FULL {
      marks[place] = 0
      return 1
    }
    let slot = unsafe mark - sheet.first_slot
    return unsafe slot < sheet.count ? coverage(ofSlot: slot) : nil
  }

  @inline(__always)
  private func coverage(ofSlot slot: UInt32) -> Float {
    Float(unsafe ccoverage_count(sheet.samples + Int(slot) * Int(CCOVERAGE_ROWS))) / 1024
  }
}
