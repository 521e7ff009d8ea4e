import MapSystem

/// The pixels of an image that the items of a batch may change: whole pixels, so that regions side by side show no seam.
///
/// The pixels of each row are stored as runs of columns.
package struct PixelRegion: Hashable, Sendable {
  /// The rows of the first to the last pixel.
  package let rows: Range<Int>
  /// The columns of the leftmost to the rightmost pixel.
  package let columns: Range<Int>
  /// The runs of all rows, from left to right; runs of a row do not touch.
  private let runs: [Range<Int>]
  /// For each row, the index after its last run.
  private let ends: [Int]
  /// Whether the region is a rectangle.
  package let isRectangle: Bool

  /// Creates a rectangle of pixels.
  package init(columns: Range<Int>, rows: Range<Int>) {
    self.init(firstRow: rows.lowerBound, rows.map { _ in columns.isEmpty ? [] : [columns] })
  }

  /// Creates the region of the pixels of an image whose centres are inside a ring, by the even-odd rule.
  ///
  /// A centre on an edge belongs to the side right of it, and on a horizontal edge to the side below it. So rings that
  /// have the vertices of their common border in common share no pixel and leave none out.
  ///
  /// - Parameters:
  ///   - x: the x coordinates of the vertices; the first may be repeated at the end.
  ///   - y: the y coordinates. A ring with a number that is not finite has no pixels.
  ///   - width: the width of the image.
  ///   - height: the height of the image.
  /// - Cost: proportional to the pixel rows that the edges cross.
  package init(ring x: [Double], y: [Double], width: Int, height: Int) {
    guard let top = y.min(), let bottom = y.max(), x.count == y.count, x.allSatisfy(\.isFinite),
      y.allSatisfy(\.isFinite)
    else {
      self.init(firstRow: 0, [])
      return
    }
    let rows = Self.centres(from: top, to: bottom, count: height)
    var crossings = [[Int]](repeating: [], count: rows.count)
    var last = x.count - 1
    for next in x.indices {
      // From top to bottom, so that both neighbours compute the same crossings.
      let (a, b) = y[last] < y[next] ? (last, next) : (next, last)
      last = next
      guard y[a] < y[b] else { continue }
      let slope = (x[b] - x[a]) / (y[b] - y[a])
      for row in Self.centres(from: y[a], to: y[b], count: height) {
        let crossing = x[a] + (Double(row) + 0.5 - y[a]) * slope
        crossings[row - rows.lowerBound].append(Self.firstCentre(from: crossing, count: width))
      }
    }
    self.init(
      firstRow: rows.lowerBound,
      crossings.map { crossings in
        var runs: [Range<Int>] = []
        let crossings = crossings.sorted()
        for pair in stride(from: 1, to: crossings.count, by: 2) where crossings[pair - 1] < crossings[pair] {
          let start = runs.last?.upperBound == crossings[pair - 1] ? runs.removeLast().lowerBound : nil
          runs.append((start ?? crossings[pair - 1])..<crossings[pair])
        }
        return runs
      })
  }

  /// Creates a region from the runs of consecutive rows; rows without pixels at the ends are left out.
  private init(firstRow: Int, _ rows: [[Range<Int>]]) {
    let first = rows.firstIndex { !$0.isEmpty } ?? 0
    let kept = rows[first..<(rows.lastIndex { !$0.isEmpty } ?? first - 1) + 1]
    self.rows = firstRow + first..<firstRow + first + kept.count
    runs = kept.flatMap { $0 }
    var ends: [Int] = []
    for row in kept { ends.append((ends.last ?? 0) + row.count) }
    self.ends = ends
    let columns = (runs.map(\.lowerBound).min() ?? 0)..<(runs.map(\.upperBound).max() ?? 0)
    isRectangle = runs.count == kept.count && runs.allSatisfy { $0 == columns }
    self.columns = columns
  }

  /// Returns the pixels of a row or column of an image whose centres are between two coordinates.
  private static func centres(from start: Double, to end: Double, count: Int) -> Range<Int> {
    let first = firstCentre(from: start, count: count)
    return first..<max(first, firstCentre(from: end, count: count))
  }

  /// Returns the first pixel of a row or column of an image whose centre is not before a coordinate.
  private static func firstCentre(from start: Double, count: Int) -> Int {
    min(max(Int(clamping: (start - 0.5).rounded(.up)), 0), max(count, 0))
  }

  /// Whether the region has no pixel.
  package var isEmpty: Bool { runs.isEmpty }
  /// The number of pixels.
  package var pixelCount: Int { runs.reduce(0) { $0 + $1.count } }

  /// Returns the runs of columns in a row, from left to right; none in a row outside ``rows``.
  package func runs(inRow row: Int) -> ArraySlice<Range<Int>> { runs[runIndices(inRow: row)] }

  /// Returns the indices of the runs in a row, from left to right, see ``run(at:)``; none in a row outside ``rows``.
  ///
  /// A slice of the runs would count references for each row.
  package func runIndices(inRow row: Int) -> Range<Int> {
    guard rows.contains(row) else { return 0..<0 }
    let index = row - rows.lowerBound
    return (index == 0 ? 0 : ends[index - 1])..<ends[index]
  }

  /// Returns the columns of a run.
  package func run(at index: Int) -> Range<Int> { runs[index] }

  /// Returns whether the region has a pixel.
  package func contains(column: Int, row: Int) -> Bool {
    guard rows.contains(row), columns.contains(column) else { return false }
    if isRectangle { return true }
    return runIndices(inRow: row).contains { runs[$0].contains(column) }
  }

  /// Returns whether the region has all pixels of a rectangle.
  ///
  /// - Cost: proportional to the runs in the rows if the region is not a rectangle.
  package func contains(columns: Range<Int>, rows: Range<Int>) -> Bool {
    if columns.isEmpty || rows.isEmpty { return true }
    func isInside(_ inner: Range<Int>, _ outer: Range<Int>) -> Bool { inner.clamped(to: outer) == inner }
    guard isInside(rows, self.rows), isInside(columns, self.columns) else { return false }
    return isRectangle
      || rows.allSatisfy { row in runIndices(inRow: row).contains { isInside(columns, runs[$0]) } }
  }
}
