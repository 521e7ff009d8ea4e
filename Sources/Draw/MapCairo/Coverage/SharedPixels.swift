internal import CCoverage

/// The pixels of a band that several parts of one stroke may cover.
///
/// Their coverage must not be added up there. Instead, 32 rows of 32 samples per pixel record the covered area.
@safe struct SharedPixels: ~Copyable {
  /// The number of sample rows in a pixel, one word each.
  static var rowsOfSamples: Int { Int(CCOVERAGE_ROWS) }

  private let width: Int
  private let height: Int
  /// For each pixel, its state in the current stroke.
  ///
  /// Below ``base`` the pixel is untouched. From ``base`` on the value gives the first segment that touched it. From the
  /// sheet's first slot on it is the slot of the pixel's samples.
  private let marks: Cells<UInt32>
  private var base: UInt32 = 1
  private var slotCount = 0
  /// For each row, the number of its shared pixels that are not fully covered.
  private let open: Cells<Int32>
  /// The samples; its pointers are the cells above and memory of its own, which `deinit` frees.
  private var sheet: ccoverage_sheet
  /// The rows and columns that contain shared pixels.
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

  /// Whether the current stroke has shared pixels.
  var isNeeded: Bool { slotCount > 0 }

  /// Begins a stroke of a number of segments.
  mutating func begin(segments: Int) {
    let next = unsafe Int(sheet.first_slot) + max(slotCount, Int(sheet.count))
    if next + segments + width * height >= Int(UInt32.max) {
      for place in 0..<width * height { marks[place] = 0 }
      base = 1
    } else {
      base = UInt32(next)
    }
    // A stroke with more segments than fit would share the last number.
    unsafe sheet.first_slot = base + UInt32(min(segments, Int(UInt32.max / 2)))
    unsafe (sheet.count, sheet.takes_all) = (0, 0)
    slotCount = 0
    for row in rowStart..<max(rowStart, rowEnd) { open[row] = 0 }
    (rowStart, rowEnd, columnStart, columnEnd) = (.max, 0, .max, 0)
  }

  /// Begins a stroke in which each pixel that a piece touches is shared.
  ///
  /// - Parameter rows: the rows in which the pieces are sampled.
  mutating func beginSharingAll(rows: Range<Int>) {
    begin(segments: 0)
    unsafe sheet.takes_all = 1
    (rowStart, rowEnd, columnStart, columnEnd) = (rows.lowerBound, rows.upperBound, 0, width)
    for row in rows { open[row] = Int32(clamping: width) }
    setBounds()
  }

  /// Whether further pieces cannot change anything; only for strokes that share all pixels.
  var isFull: Bool { (rowStart..<max(rowStart, rowEnd)).allSatisfy { open[$0] <= 0 } }

  /// The bytes of memory allocated for samples.
  var byteCount: Int { unsafe Int(sheet.capacity) * (Int(CCOVERAGE_ROWS) + 1) * 4 }

  /// Records that an edge of a segment crosses pixels of a row.
  ///
  /// Segments before `apartFrom` may overlap the segment. When `apartFrom` is greater than the segment's own number,
  /// the pixels are shared at once.
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
    // Written out, because the thread sanitizer's compiler (Swift 6.3) fails on `+=` here.
    open[row] = open[row] + 1
    (rowStart, rowEnd) = (min(rowStart, row), max(rowEnd, row + 1))
    let column = place - row * width
    (columnStart, columnEnd) = (min(columnStart, column), max(columnEnd, column + 1))
  }

  /// Allocates the samples, once all edges are known; returns false when memory runs out.
  mutating func makeRoom() -> Bool {
    setBounds()
    return unsafe ccoverage_take_slots(&sheet, UInt32(slotCount)) != 0
  }

  private mutating func setBounds() {
    // The values are within the sheet, so within Int32.
    unsafe (sheet.first_row, sheet.end_row) = (Int32(clamping: rowStart), Int32(clamping: rowEnd))
    unsafe (sheet.first_column, sheet.end_column) = (Int32(clamping: columnStart), Int32(clamping: columnEnd))
  }

  /// Adds a convex piece of the stroke.
  ///
  /// - Cost: proportional to its rows and the shared pixels in it.
  @inline(__always)
  mutating func add(_ piece: StrokePiece) {
    // The five points are ten consecutive numbers.
    unsafe withUnsafeBytes(of: piece) { bytes in
      guard let corners = unsafe bytes.assumingMemoryBound(to: Double.self).baseAddress else { return }
      unsafe ccoverage_add(&sheet, corners)
    }
  }

  /// Calls `body` with the coverage of each pixel of a stroke that shares all pixels.
  @inline(__always)
  mutating func takeAll(_ body: (_ row: Int, _ column: Int, _ coverage: Float) -> Void) {
    for slot in unsafe 0..<sheet.count {
      let place = unsafe Int(sheet.places[Int(slot)])
      // The mark of a fully covered pixel would outlast the stroke.
      if marks[place] == CCOVERAGE_FULL { marks[place] = 0 }
      // A division of 32 bits takes less time.
      let row = Int(unsafe sheet.places[Int(slot)] / UInt32(truncatingIfNeeded: width))
      body(row, place - row * width, coverage(ofSlot: slot))
    }
  }

  /// Returns the first shared pixel of some columns of a row; the column after them if none is shared.
  @inline(__always)
  func nextShared(_ row: Int, _ columns: Range<Int>) -> Int {
    precondition(row >= 0 && columns.lowerBound >= 0 && row * width + columns.upperBound <= marks.count)
    let next = unsafe ccoverage_next_shared(
      sheet.marks + row * width, UInt32(columns.lowerBound), UInt32(columns.upperBound), sheet.first_slot)
    return Int(next)
  }

  /// Returns the coverage of a shared pixel; nil for other pixels.
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
