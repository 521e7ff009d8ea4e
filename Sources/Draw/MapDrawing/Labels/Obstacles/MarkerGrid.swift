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
  /// - Parameter prefersWhole: whether markers with a visible tip count as covered in part.
  /// - Cost: O(markers + cells).
  init(_ markers: [LabelObstacles.Marker], canvas: Envelope, prefersWhole: Bool = true) {
    self.markers = markers
    wholeShare = prefersWhole ? 0.95 : 0.7
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
    /// The same distance for markers in front of the letters and behind them, for which a name is taken rather than for one
    /// above or below.
    var inLine = 0.0

    /// The distance from the letters from which on other markers are far enough.
    var reach: Double { own + max(more, inLine) }

    /// Returns by how much a marker is farther from a label's letters than its own; nil if it lies under the label or
    /// is too near.
    ///
    /// - Parameters:
    ///   - box: the box of the label with its halo.
    ///   - letters: the box of its lines.
    ///   - symbol: the symbol of the label's feature.
    func margin(
      of marker: LabelObstacles.Marker, _ box: LabelBox, letters: LabelBox, symbol: LabelBox
    ) -> Double? {
      if marker.isOverlapped(by: box) { return nil }
      let margin = marker.distance(to: letters) - own
      guard margin >= 0 else { return nil }
      let (a, b) = (symbol.center, marker.box.center)
      let more = b.y > letters.yMin && b.y < letters.yMax ? max(more, inLine) : more
      guard margin < more else { return margin }
      let (x, y) = (a.x - b.x, a.y - b.y)
      return margin < min(more, (x * x + y * y).squareRoot() / 2) ? nil : margin
    }
  }

  /// The distance by which markers at the same position may differ, in pixels.
  private static let tolerance = 0.3
  /// The number of times that a symbol is larger than a less important marker at its edge that no label is taken for.
  ///
  /// - Source: design decision; the suburbs around a large city do not take its name.
  private static let muchLarger = 3.0

  /// The share of a marker's area from which it is covered as a whole.
  ///
  /// - Source: design decision; with less than 0.95, a tip stays that looks like an accent.
  private let wholeShare: Double

  /// Returns whether a marker at the edge of a symbol is so much smaller and less important that the name of the symbol
  /// is not taken for its own.
  private static func isMinor(
    _ marker: LabelObstacles.Marker, beside symbol: LabelBox, _ importance: LabelImportance
  ) -> Bool {
    marker.importance > importance && marker.box.overlaps(symbol)
      && marker.box.area * muchLarger <= symbol.area
  }

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

  /// Returns by how much all other markers are farther from a label's letters than its own; nil if one lies under the
  /// label, or is not far enough.
  ///
  /// - Parameters:
  ///   - box: the box of the label with its halo.
  ///   - letters: the box of its lines.
  ///   - own: the symbol of the label's feature, whose markers do not count.
  ///   - gap: the distances of its own and of all other markers from the letters.
  ///   - importance: the importance of the label.
  ///   - limit: the largest margin that counts.
  mutating func margin(
    _ box: LabelBox, letters: LabelBox, own: LabelBox, gap: Gap, importance: LabelImportance,
    upTo limit: Double = 0
  ) -> Double? {
    // Markers at the same position, and those inside a larger symbol, cannot be told from the label's own.
    let near = own.grown(by: Self.tolerance)
    let whole = gap.own + gap.more
    if counts.contains(where: { $0.surelyBlocks(letters, own: near, apart: 2 * gap.more, gap: whole) }) {
      comparisons += 1
      return nil
    }
    let reach = max(gap.reach, gap.own + limit)
    var margin = limit
    let isBlocked = contains(in: box.union(letters.grown(by: reach))) { _, marker in
      if near.contains(marker.box) { return false }
      if Self.isMinor(marker, beside: own, importance) { return marker.isOverlapped(by: box) }
      guard let found = gap.margin(of: marker, box, letters: letters, symbol: own) else { return true }
      margin = min(margin, found)
      return false
    }
    return isBlocked ? nil : margin
  }

  /// Returns whether a marker of at least a given importance lies under a rectangle.
  ///
  /// - Parameter own: a symbol whose markers do not count, nor those that it touches; nil for none.
  mutating func covers(_ box: LabelBox, importance: LabelImportance, except own: LabelBox? = nil) -> Bool {
    contains(in: box) {
      $1.importance <= importance && $1.isOverlapped(by: box) && !(own?.overlaps($1.box) ?? false)
    }
  }

  /// Returns whether another marker lies under a rectangle.
  ///
  /// - Parameter own: a symbol whose markers do not count.
  mutating func hasOther(under box: LabelBox, than own: LabelBox) -> Bool {
    let near = own.grown(by: Self.tolerance)
    return contains(in: box) { $1.isOverlapped(by: box) && !near.contains($1.box) }
  }

  /// The less important markers that labels hide.
  struct Cover {
    /// The number of markers whose centre is hidden.
    var hidden = 0
    /// The area that is covered, in square pixels.
    var area = 0.0
    /// The number of markers that are covered in part.
    var partly = 0

    /// The part of markers that is covered.
    enum Level: Comparable {
      case nothing
      case whole
      case parts
    }

    /// Whether markers are covered at all, as a whole or in part.
    var level: Level { partly > 0 ? .parts : hidden > 0 || area > 0 ? .whole : .nothing }

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
  /// - Parameters: as for ``margin(_:letters:own:gap:importance:upTo:)``.
  ///   - glyphs: returns the boxes of the label's letters with their halos.
  mutating func cover(
    _ box: LabelBox, letters: LabelBox, own: LabelBox, gap: Gap, importance: LabelImportance,
    glyphs: () -> [LabelBox]
  ) -> Cover? {
    let near = own.grown(by: Self.tolerance)
    var under: [Int32] = []
    var isBlocked = false
    _ = contains(in: box.union(letters.grown(by: gap.reach))) { index, marker in
      if near.contains(marker.box) || under.contains(index) { return false }
      // Only a marker under the letters may be nearer than the label's own, not one that touches their halo.
      guard marker.importance > importance, marker.isOverlapped(by: letters) else {
        isBlocked =
          Self.isMinor(marker, beside: own, importance)
          ? marker.isOverlapped(by: box) : gap.margin(of: marker, box, letters: letters, symbol: own) == nil
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
      let area = min(glyphs.reduce(0.0) { $0 + $1.sharedArea(with: marker) }, marker.area)
      cover.area += area
      if area < wholeShare * marker.area { cover.partly += 1 }
      let center = marker.center
      let middle = LabelBox(xMin: center.x, yMin: center.y, xMax: center.x, yMax: center.y).grown(by: 1)
      if glyphs.contains(where: { $0.overlaps(middle) }) { cover.hidden += 1 }
    }
    return cover
  }

  /// Returns whether a marker that meets a box has a property.
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
          let marker = markers[Int(items[place])]
          guard marker.box.meets(box) else { continue }
          if condition(items[place], marker) { return true }
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

/// The numbers of markers in the cells of a grid, which show in constant time that a marker is in the way.
struct MarkerCounts {
  /// The smallest number of markers for which counts are made, the smallest side of a fine cell in pixels, the largest
  /// number of fine cells, and the side of a coarse cell in pixels.
  ///
  /// - Source: design decision; fewer markers are compared faster one by one. The coarse cells of an image of usual size
  ///   fit into the cache of a processor core and tell most crowds.
  private static let (leastMarkers, leastSide, cellLimit, coarseSide) = (1000, 0.5, 2e6, 4.0)

  /// The number of cells in a pixel along each axis.
  private let perPixel: Double
  private let columns: Int
  private let rows: Int
  /// The number of marker centres above and to the left of each corner of a cell.
  private var sums: [Int32]
  /// Half the shortest side of a marker, or of the square in a round one.
  private let half: Double

  /// Returns the counts in coarse cells and in fine ones; none for few markers.
  static func levels(of markers: [LabelObstacles.Marker], canvas: Envelope) -> [MarkerCounts] {
    guard markers.count >= leastMarkers else { return [] }
    let side = max((canvas.width * canvas.height / cellLimit).squareRoot(), leastSide)
    return (side < coarseSide ? [coarseSide, side] : [side]).map {
      MarkerCounts(markers, canvas: canvas, side: $0)
    }
  }

  private init(_ markers: [LabelObstacles.Marker], canvas: Envelope, side: Double) {
    let columns = max(Int(clamping: (canvas.width / side).rounded(.up)), 1)
    let rows = max(Int(clamping: (canvas.height / side).rounded(.up)), 1)
    let perPixel = 1 / side
    var sums = Array(repeating: Int32(0), count: (columns + 1) * (rows + 1))
    var half = Double.infinity
    for marker in markers {
      let side = min(marker.box.xMax - marker.box.xMin, marker.box.yMax - marker.box.yMin) / 2
      half = min(half, marker.isRound ? side / 2.0.squareRoot() : side)
      let (x, y) = (marker.box.center.x * perPixel, marker.box.center.y * perPixel)
      guard x >= 0, y >= 0, x < Double(columns), y < Double(rows) else { continue }
      sums[(Int(clamping: y) + 1) * (columns + 1) + Int(clamping: x) + 1] += 1
    }
    for row in 1...rows {
      var sum: Int32 = 0
      for column in 1...columns {
        sum += sums[row * (columns + 1) + column]
        sums[row * (columns + 1) + column] = sum + sums[(row - 1) * (columns + 1) + column]
      }
    }
    (self.perPixel, self.columns, self.rows, self.sums, self.half) = (
      perPixel, columns, rows, sums, max(half, 0)
    )
  }

  /// Returns whether a marker is certainly nearer to a box than a gap; false when that is not certain.
  ///
  /// - Parameters:
  ///   - own: the symbol of the label, whose markers do not count.
  ///   - apart: the distance from the middle of `own`, along both axes, within which markers do not count either.
  ///   - reach: the distance to the right and down by which both boxes may be moved; the answer holds for all of them.
  func surelyBlocks(
    _ letters: LabelBox, own: LabelBox, apart: Double, gap: Double, reach: Double = 0
  ) -> Bool {
    guard gap > 0 else { return false }
    // A marker is at least a square around its centre. With this much of the gap along both axes, the diagonal is
    // shorter than the gap.
    let near = letters.grown(by: half + 0.7 * gap)
    let left = edge(after: near.xMin + reach, columns)
    let right = edge(before: near.xMax, columns)
    let top = edge(after: near.yMin + reach, rows)
    let bottom = edge(before: near.yMax, rows)
    guard left < right, top < bottom else { return false }
    let all = count(left, top, right, bottom)
    guard all > 0 else { return false }
    // The centres of the markers that do not count.
    let middle = own.center
    let (ownWidth, ownHeight) = ((own.xMax - own.xMin) / 2, (own.yMax - own.yMin) / 2)
    // Much smaller markers at the edge of the symbol, which do not count, have their centres within this distance.
    let minor = half < 0.6 * max(ownWidth, ownHeight) ? 1.6 * max(ownWidth, ownHeight) : 0
    let (width, height) = (max(ownWidth - half, apart, minor), max(ownHeight - half, apart, minor))
    let ownLeft = max(edge(before: middle.x - width, columns), left)
    let ownRight = min(edge(before: middle.x + width + reach, columns) + 1, right)
    let ownTop = max(edge(before: middle.y - height, rows), top)
    let ownBottom = min(edge(before: middle.y + height + reach, rows) + 1, bottom)
    guard ownLeft < ownRight, ownTop < ownBottom else { return true }
    return all > count(ownLeft, ownTop, ownRight, ownBottom)
  }

  private func count(_ left: Int, _ top: Int, _ right: Int, _ bottom: Int) -> Int32 {
    let width = columns + 1
    return sums[bottom * width + right] - sums[top * width + right] - sums[bottom * width + left]
      + sums[top * width + left]
  }

  /// Returns the first edge of a cell at a position or after it.
  private func edge(after place: Double, _ count: Int) -> Int {
    let position = min(max(place * perPixel, 0), Double(count))
    let edge = Int(clamping: position)
    return Double(edge) < position ? edge + 1 : edge
  }

  /// Returns the last edge of a cell at a position or before it.
  private func edge(before place: Double, _ count: Int) -> Int {
    Int(clamping: min(max(place * perPixel, 0), Double(count)))
  }
}
