internal import MapDrawing
internal import MapSystem

/// The coverage of each pixel of a band by all areas of a batch so far.
///
/// With it, areas that share a border leave nothing of what is below them. Where one area covers half of a pixel and its
/// neighbour the other half, painting one over the other would leave a quarter. Instead, the neighbour takes only what
/// the first has left open: its colour replaces that of the pixel below, by as much as it covers.
///
/// Two areas are neighbours in a pixel if together they cover no more than it, and no more than each of the four pixels
/// beside it. Where areas overlap, or one lies on the border of another on the same side, one is painted over the other.
///
/// - Source: "disjoint over" of the X Rendering Extension, for coverage only: the opacity of a colour is not coverage.
/// - Cost: 6 bytes per pixel; a few operations for each pixel that an area covers in part.
struct AreaUnion: ~Copyable {
  /// The difference from the whole up to which neighbours cover a pixel, and up to which overlapping areas are
  /// neighbours, in parts of 255.
  ///
  /// - Source: design decision. Vertices are rounded to 1/16 pixel; where one of two neighbours has a vertex that the
  ///   other lacks, or is small and not rounded, their borders rarely differ by more than this.
  private static let (openPart, sharedPart) = (12, 32)

  /// Pixels of a row that an area covers equally.
  private struct Run {
    let row: Int32
    /// The first pixel.
    let column: Int32
    let count: Int32
    /// The coverage in parts of 255.
    let part: UInt8
  }

  private let width: Int
  /// The number of rows in use, at most that of the allocated ones.
  private var height: Int
  private let rows: Int
  /// The number of cells in a row: one more on either side, which stays empty.
  private let stride: Int
  /// The coverage so far, in parts of 255, with a row above and below.
  private let covered: Cells<UInt8>
  /// The coverage by the current area.
  private let own: Cells<UInt8>
  /// The pixels that are covered in part, as they would be without the areas.
  private let ground: Cells<UInt32>
  private var runs: [Run] = []
  /// The cells that areas have covered.
  private var used = 0..<0

  init(width: Int, height: Int) {
    (self.width, self.height, rows, stride) = (width, height, height, width + 2)
    let count = stride * (height + 2)
    covered = Cells(count: count)
    own = Cells(count: count)
    ground = Cells(count: count)
  }

  /// Begins a batch without areas; returns false if the cells are too few.
  mutating func begin(width: Int, height: Int) -> Bool {
    covered.set(used, to: 0)
    used = 0..<0
    guard width == self.width, height <= rows else { return false }
    self.height = height
    return true
  }

  /// Adds pixels to the current area; row -1 is the one above the band, and row `height` the one below.
  @inline(__always)
  mutating func add(_ row: Int, _ columns: Range<Int>, _ coverage: Float) {
    let part = UInt8(clamping: UInt32(clamping: coverage * 255 + 0.5))
    if part == 0 { return }
    let run = Run(
      row: Int32(truncatingIfNeeded: row), column: Int32(truncatingIfNeeded: columns.lowerBound),
      count: Int32(truncatingIfNeeded: columns.count), part: part)
    runs.append(run)
    own.set(cells(run), to: part)
  }

  /// Paints the current area, whole or inside a region; `top` is the image row of the first pixel row.
  mutating func lay(_ ink: CoverageInk, inside region: PixelRegion?, top: Int, over pixels: PixelRows) {
    for run in region.map({ runs(inside: $0, top: top) }) ?? runs {
      let row = Int(run.row)
      guard row >= 0, row < height else { continue }
      let columns = Int(run.column)..<Int(run.column) + Int(run.count)
      let part = UInt32(run.part)
      if part == 255 {
        unsafe ink.lay(part: part, over: pixels, row: row, columns: columns)
        continue
      }
      let first = cell(row, 0)
      for column in columns {
        let place = first + column
        let before = covered[place]
        if before > 0, before < 255, isApart(place) {
          unsafe ink.lay(
            beside: UInt32(before), upTo: UInt32(Self.sum(before, run.part)), ground: ground[place],
            over: pixels, row: row, column: column)
        } else {
          if before == 0 { ground[place] = unsafe pixels.pixels[row &* pixels.width &+ column] }
          unsafe ink.lay(part: part, over: pixels, row: row, columns: column..<column + 1)
        }
      }
    }
  }

  /// Returns the pixels of the current area inside a region.
  private func runs(inside region: PixelRegion, top: Int) -> [Run] {
    var inside: [Run] = []
    for run in runs {
      let (row, column) = (Int(run.row), Int(run.column))
      for index in region.runIndices(inRow: row + top) {
        let columns = region.run(at: index).clamped(to: column..<column + Int(run.count))
        guard !columns.isEmpty else { continue }
        inside.append(
          Run(
            row: run.row, column: Int32(truncatingIfNeeded: columns.lowerBound),
            count: Int32(truncatingIfNeeded: columns.count), part: run.part))
      }
    }
    return inside
  }

  /// Ends the current area.
  mutating func endArea() {
    noteUse()
    for run in runs {
      let cells = cells(run)
      if run.part == 255 {
        covered.set(cells, to: 255)
      } else {
        for place in cells {
          let before = covered[place]
          covered[place] = before == 0 ? run.part : Self.sum(before, run.part)
        }
      }
      own.set(cells, to: 0)
    }
    runs.removeAll(keepingCapacity: true)
  }

  /// Leaves the pixels of the current area to be painted over, because something else than a colour fills them.
  mutating func close() {
    noteUse()
    for run in runs {
      let cells = cells(run)
      covered.set(cells, to: 255)
      own.set(cells, to: 0)
    }
    runs.removeAll(keepingCapacity: true)
  }

  private mutating func noteUse() {
    // Runs are in order.
    guard let first = runs.first, let last = runs.last else { return }
    let (start, end) = (cells(first).lowerBound, cells(last).upperBound)
    used = used.isEmpty ? start..<end : min(used.lowerBound, start)..<max(used.upperBound, end)
  }

  /// Paints a stroke also over what is below areas, where they cover a pixel in part.
  @inline(__always)
  func lay(_ ink: CoverageInk, _ coverage: Float, row: Int, columns: Range<Int>) {
    let start = cell(row, columns.lowerBound)
    for place in start..<start + columns.count {
      let before = covered[place]
      if before > 0, before < 255 { ground[place] = ink.laid(coverage, over: ground[place]) }
    }
  }

  /// The coverage of a pixel by an area and its neighbours; it is whole if nearly nothing is left.
  private static func sum(_ before: UInt8, _ part: UInt8) -> UInt8 {
    let sum = Int(before) + Int(part)
    return sum + openPart >= 255 ? 255 : UInt8(clamping: sum)
  }

  @inline(__always)
  private func cell(_ row: Int, _ column: Int) -> Int { (row + 1) * stride + column + 1 }

  @inline(__always)
  private func cells(_ run: Run) -> Range<Int> {
    let start = cell(Int(run.row), Int(run.column))
    return start..<start + Int(run.count)
  }

  /// Whether the current area and those before overlap neither in a pixel nor in the four beside it.
  @inline(__always)
  private func isApart(_ place: Int) -> Bool {
    func isOpen(_ place: Int) -> Bool { Int(covered[place]) + Int(own[place]) <= 255 + Self.sharedPart }
    return isOpen(place) && isOpen(place - 1) && isOpen(place + 1) && isOpen(place - stride)
      && isOpen(place + stride)
  }
}
