import MapGeometry
import MapSystem

/// The markers that labels do not cover, in a uniform grid.
struct MarkerGrid {
  /// The bounds of a cell's side in pixels.
  private static let sides = 8.0...64.0

  private let markers: [LabelObstacles.Marker]
  private let counts: [MarkerCounts]
  private let side: Double
  private let columns: Int
  private let rows: Int
  /// The markers of cell `i` are `items[starts[i]..<starts[i + 1]]`.
  private var starts: [Int32]
  private var items: [Int32]
  /// The number of markers compared with labels.
  private(set) var comparisons = 0

  /// Sorts markers into the cells that they overlap.
  ///
  /// - Cost: O(markers + cells).
  init(_ markers: [LabelObstacles.Marker], canvas: Envelope) {
    self.markers = markers
    counts = MarkerCounts.levels(of: markers, canvas: canvas)
    let spacing = 2 * (canvas.width * canvas.height / Double(max(markers.count, 1))).squareRoot()
    side = min(max(spacing, Self.sides.lowerBound), Self.sides.upperBound)
    columns = max(Int(clamping: (canvas.width / side).rounded(.up)), 1)
    rows = max(Int(clamping: (canvas.height / side).rounded(.up)), 1)
    (starts, items) = ([], [])
    guard !markers.isEmpty else { return }
    var starts = Array(repeating: Int32(0), count: columns * rows + 1)
    for marker in markers { forEachCell(of: marker.box) { starts[$0 + 1] += 1 } }
    for cell in 1..<starts.count { starts[cell] += starts[cell - 1] }
    var items = Array(repeating: Int32(0), count: Int(starts[starts.count - 1]))
    var next = starts
    for (index, marker) in markers.enumerated() {
      forEachCell(of: marker.box) { cell in
        items[Int(next[cell])] = Int32(clamping: index)
        next[cell] += 1
      }
    }
    (self.starts, self.items) = (starts, items)
  }

  /// The distance between labels, their own marker and others.
  struct Gap {
    /// The distance of the letters from their own marker.
    let own: Double
    /// The distance by which all other markers are farther from the letters.
    ///
    /// Of two markers that lie nearly on each other, half their distance is enough.
    var more = 0.0

    /// Returns whether a marker lies under a label or is too near to its letters.
    ///
    /// - Parameters:
    ///   - box: the box of the label with its halo.
    ///   - letters: the box of its lines.
    ///   - symbol: the symbol of the label's feature.
    func isBroken(by marker: LabelBox, _ box: LabelBox, letters: LabelBox, symbol: LabelBox) -> Bool {
      if box.overlaps(marker) { return true }
      let distance = letters.distance(to: marker)
      guard distance >= own else { return true }
      guard distance < own + more else { return false }
      let (a, b) = (symbol.center, marker.center)
      let (x, y) = (a.x - b.x, a.y - b.y)
      return distance < own + min(more, (x * x + y * y).squareRoot() / 2)
    }
  }

  /// The distance by which markers at the same position may differ, in pixels.
  private static let tolerance = 0.3

  /// Whether so many markers are in the image that ``surelyBlocks(_:own:gap:reach:)`` may be true.
  var isCrowded: Bool { !counts.isEmpty }

  /// Returns whether a marker is certainly in the way of a label wherever it is moved; false when that is not certain.
  ///
  /// - Parameters:
  ///   - letters: the box of its lines.
  ///   - own: the symbol of the label's feature, whose markers do not count.
  ///   - gap: the least distance of all other markers from the letters.
  ///   - reach: the distance to the right and down by which the label and its symbol are moved.
  func surelyBlocks(_ letters: LabelBox, own: LabelBox, gap: Double, reach: Double) -> Bool {
    guard let fine = counts.last else { return false }
    return fine.surelyBlocks(letters, own: own.grown(by: Self.tolerance), apart: 0, gap: gap, reach: reach)
  }

  /// Returns whether a marker lies under a label, or is not farther from its letters than the label's own marker.
  ///
  /// - Parameters:
  ///   - box: the box of the label with its halo.
  ///   - letters: the box of its lines.
  ///   - own: the symbol of the label's feature, whose markers do not count.
  ///   - gap: the distances of its own and of all other markers from the letters.
  mutating func blocks(_ box: LabelBox, letters: LabelBox, own: LabelBox, gap: Gap) -> Bool {
    // Markers at the same position, and those inside a larger symbol, cannot be told from the label's own.
    let near = own.grown(by: Self.tolerance)
    let whole = gap.own + gap.more
    if counts.contains(where: { $0.surelyBlocks(letters, own: near, apart: 2 * gap.more, gap: whole) }) {
      comparisons += 1
      return true
    }
    return contains(in: box.union(letters.grown(by: whole))) { _, marker in
      gap.isBroken(by: marker.box, box, letters: letters, symbol: own) && !near.contains(marker.box)
    }
  }

  /// Returns whether a marker of at least a given importance lies under a rectangle.
  mutating func covers(_ box: LabelBox, importance: LabelImportance) -> Bool {
    contains(in: box) { $1.importance <= importance && box.overlaps($1.box) }
  }

  /// The less important markers that labels hide.
  struct Cover {
    /// The number of markers whose centre is hidden.
    var hidden = 0
    /// The area that is covered, in square pixels.
    var area = 0.0

    /// Returns what is left of a limit.
    func less(_ used: Cover) -> Cover {
      Cover(hidden: max(hidden - used.hidden, 0), area: max(area - used.area, 0))
    }
  }

  /// The total area of the markers in square pixels.
  var area: Double { markers.reduce(0) { $0 + $1.box.area } }

  /// The importance of the least important marker; nil without markers.
  var leastImportance: LabelImportance? { markers.lazy.map(\.importance).max() }

  /// Returns what a label hides of less important markers; nil if it covers one of at least its importance, or if its
  /// own marker is not nearer than that one.
  ///
  /// - Parameters: as for ``blocks(_:letters:own:gap:)``.
  ///   - importance: the importance of the label.
  ///   - glyphs: returns the boxes of the label's letters with their halos.
  mutating func cover(
    _ box: LabelBox, letters: LabelBox, own: LabelBox, gap: Gap, importance: LabelImportance,
    glyphs: () -> [LabelBox]
  ) -> Cover? {
    let near = own.grown(by: Self.tolerance)
    var under: [Int32] = []
    var isBlocked = false
    _ = contains(in: box.union(letters.grown(by: gap.own + gap.more))) { index, marker in
      if near.contains(marker.box) || under.contains(index) { return false }
      // Only a marker under the letters may be nearer than the label's own, not one that touches their halo.
      guard marker.importance > importance, letters.overlaps(marker.box) else {
        isBlocked = gap.isBroken(by: marker.box, box, letters: letters, symbol: own)
        return isBlocked
      }
      under.append(index)
      return false
    }
    guard !isBlocked else { return nil }
    var cover = Cover()
    guard !under.isEmpty else { return cover }
    let glyphs = glyphs()
    for marker in under.map({ markers[Int($0)].box }) {
      cover.area += min(glyphs.reduce(0.0) { $0 + $1.sharedArea(with: marker) }, marker.area)
      let center = marker.center
      let middle = LabelBox(xMin: center.x, yMin: center.y, xMax: center.x, yMax: center.y).grown(by: 1)
      if glyphs.contains(where: { $0.overlaps(middle) }) { cover.hidden += 1 }
    }
    return cover
  }

  private mutating func contains(
    in box: LabelBox, where condition: (Int32, LabelObstacles.Marker) -> Bool
  ) -> Bool {
    guard !items.isEmpty else { return false }
    let (left, right) = (column(box.xMin), column(box.xMax))
    let (top, bottom) = (row(box.yMin), row(box.yMax))
    guard left <= right, top <= bottom else { return false }
    for row in top...bottom {
      for cell in row * columns + left...row * columns + right {
        for place in Int(starts[cell])..<Int(starts[cell + 1]) {
          comparisons += 1
          if condition(items[place], markers[Int(items[place])]) { return true }
        }
      }
    }
    return false
  }

  private func forEachCell(of box: LabelBox, _ body: (Int) -> Void) {
    let (left, right) = (column(box.xMin), column(box.xMax))
    for row in row(box.yMin)...row(box.yMax) {
      for column in left...right { body(row * columns + column) }
    }
  }

  private func column(_ x: Double) -> Int { Int(clamping: min(max(x / side, 0), Double(columns - 1))) }
  private func row(_ y: Double) -> Int { Int(clamping: min(max(y / side, 0), Double(rows - 1))) }
}
