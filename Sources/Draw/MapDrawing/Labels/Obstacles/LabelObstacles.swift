package import MapGeometry
package import MapModel
import MapSystem

/// The drawn symbols of a view that labels avoid.
///
/// A label covers no marker of a layer that has labels. Only where a label of a point has no other position, it may
/// cover a few markers of lower priority, see ``LabelPlacement``. Markers of other layers, lines and outlines are
/// avoided where another position is free.
///
/// - Source: Esri's `static` and `dynamic` deconfliction avoid point symbols; the rules for other layers are a design
///   decision, because a map of many points would lose the labels of all other layers.
package struct LabelObstacles: Sendable {
  /// A marker that labels do not cover.
  struct Marker {
    var box: LabelBox
    /// Whether the marker is the circle in its box.
    var isRound = false
    /// The importance of the labels of its feature.
    let importance: LabelImportance

    /// Returns the distance between the marker and a rectangle; 0 when they meet.
    func distance(to letters: LabelBox) -> Double {
      isRound ? letters.distance(toCircleIn: box) : letters.distance(to: box)
    }

    /// Returns whether a rectangle shares area with the marker.
    func isOverlapped(by other: LabelBox) -> Bool {
      other.overlaps(box) && (!isRound || other.distance(toCircleIn: box) == 0)
    }
  }

  private let canvas: Envelope
  private let pixelRatio: Double
  private(set) var markers: [Marker] = []
  private(set) var ink: LabelInk
  private(set) var barriers: LabelBarriers
  /// The land that names of waters keep off.
  private(set) var land: LabelBarriers

  /// Creates obstacles for a view, without symbols.
  package init(_ view: ViewState) {
    canvas = ViewTransform(view, from: nil).canvas
    pixelRatio = view.pixelRatio
    ink = LabelInk(canvas: canvas, pixelRatio: view.pixelRatio)
    barriers = LabelBarriers(canvas: canvas)
    land = LabelBarriers(canvas: canvas)
  }

  /// Adds the land that names of waters keep off.
  package mutating func add(land layer: DisplayLayer) {
    for batch in layer.batches {
      guard case .paths(let paths) = batch else { continue }
      let rules = paths.row.map { ($0, LabelBarriers.Rule(interior: .exclude)) }
      land.add(paths, layerIndex: layer.index, Dictionary(rules) { first, _ in first })
    }
  }

  /// Adds the symbols of a drawn layer.
  ///
  /// - Parameter classes: the label classes of the layer that are shown; nil if it has no labels.
  /// - Cost: O(markers + vertices + rows). Of more than 2,000 markers, those less than a quarter of a pixel apart count
  ///   once.
  package mutating func add(_ layer: DisplayLayer, labelledBy classes: [LabelCandidates]?) {
    guard layer.opacity > 0 else { return }
    let priorities = classes.map(RowPriorities.init)
    let rules = Self.rules(classes ?? [])
    for batch in layer.batches {
      switch batch {
      case .markers(let markers): add(markers, priorities, rules)
      case .paths(let paths):
        ink.markEdges(of: paths, rules)
        if !rules.isEmpty { barriers.add(paths, layerIndex: layer.index, rules) }
      case .shapes(let shapes): add(shapes, priorities, rules)
      case .labels, .image: break
      }
    }
  }

  /// Returns the rules of the features whose classes restrict labels over them.
  private static func rules(_ classes: [LabelCandidates]) -> [Int32: LabelBarriers.Rule] {
    var rules: [Int32: LabelBarriers.Rule] = [:]
    for item in classes {
      let rule = LabelBarriers.Rule(
        interior: item.definition.featureInteriorOverlapStrategy,
        boundary: item.definition.featureBoundaryOverlapStrategy)
      guard rule != LabelBarriers.Rule() else { continue }
      for anchor in item.anchors { rules[anchor.row] = rule }
    }
    return rules
  }

  /// Adds a rectangle of the image that no label covers, such as a legend on the map.
  ///
  /// - Parameter box: the rectangle in output pixels.
  package mutating func add(covered box: Envelope) {
    markers.append(Marker(box: LabelBox(box), importance: .highest))
  }

  private mutating func add(
    _ batch: MarkerBatch, _ priorities: RowPriorities?, _ rules: [Int32: LabelBarriers.Rule]
  ) {
    let boxes = batch.styles.map { style in
      style.hasInk ? LabelBox(style.box) : LabelBox(xMin: .nan, yMin: .nan, xMax: .nan, yMax: .nan)
    }
    let areRound = batch.styles.map { $0.isLargeCircle(pixelRatio: pixelRatio) }
    var known = batch.x.count > Self.countedApart ? MarkerPositions(canvas) : nil
    for item in order(of: batch.row, priorities) {
      let (x, y, style) = (batch.x[item], batch.y[item], Int(batch.style[item]))
      add(
        boxes[style].moved(x: x, y: y), isRound: areRound[style], row: batch.row[item], x: x, y: y,
        group: style, priorities, rules, &known)
    }
  }

  private mutating func add(
    _ batch: ShapeBatch, _ priorities: RowPriorities?, _ rules: [Int32: LabelBarriers.Rule]
  ) {
    var known = batch.x.count > Self.countedApart ? MarkerPositions(canvas) : nil
    for item in order(of: batch.row, priorities) {
      let box = batch.box(ofItem: item)
      // Charts at one position differ in size only.
      let group = batch.hasCharts ? Int(clamping: box.width.rounded()) : Int(batch.symbol[item])
      add(
        LabelBox(box), row: batch.row[item], x: batch.x[item], y: batch.y[item], group: group, priorities,
        rules,
        &known)
    }
  }

  /// Returns the order in which markers are added: the most important first, because of several at one position only
  /// the first counts.
  private func order(of rows: [Int32], _ priorities: RowPriorities?) -> [Int] {
    guard let priorities, priorities.isRanked, rows.count > Self.countedApart else {
      return Array(rows.indices)
    }
    let keys = rows.map { priorities.importance(of: $0) }
    return rows.indices.sorted { keys[$0] == keys[$1] ? $0 < $1 : keys[$0] < keys[$1] }
  }

  /// The number of markers above which those at one position count once.
  private static let countedApart = 2000

  /// Adds a marker.
  ///
  /// - Parameters:
  ///   - box: its box; NaN without ink.
  ///   - isRound: whether it is the circle in the box.
  ///   - group: a number that markers of one shape share.
  ///   - known: the positions of markers so far; nil if all are added.
  private mutating func add(
    _ box: LabelBox, isRound: Bool = false, row: Int32, x: Double, y: Double, group: Int,
    _ priorities: RowPriorities?,
    _ rules: [Int32: LabelBarriers.Rule], _ known: inout MarkerPositions?
  ) {
    // False for a box that is NaN.
    guard box.overlaps(LabelBox(canvas)) else { return }
    guard let priorities else {
      ink.mark(box)
      return
    }
    let level = priorities.level(of: row)
    guard known?.insert(x, y, group: group * (priorities.levels.count + 1) + level) ?? true else { return }
    let isExcluded = rules[row]?.interior == .exclude
    markers.append(
      Marker(box: box, isRound: isRound, importance: isExcluded ? .highest : priorities.importance(of: row)))
  }
}

/// The label priorities of the rows of a layer.
private struct RowPriorities {
  /// The priorities of the classes, most important first.
  let levels: [Int]
  /// Whether features of one class differ in importance.
  let isRanked: Bool
  /// For each row, the index of its best priority; the number of levels for a row without a class.
  private var byRow: [UInt8] = []
  /// For each row, its rank in the class of its best priority; empty if no class has ranks.
  private var ranks: [Int32] = []

  init(_ classes: [LabelCandidates]) {
    levels = Array(Set(classes.map(\.priority)).sorted().prefix(Int(UInt8.max)))
    isRanked = classes.contains { $0.ranks != nil }
    for item in classes {
      guard let level = levels.firstIndex(of: item.priority) else { continue }
      for anchor in item.anchors {
        let row = Int(anchor.row)
        while byRow.count <= row { byRow.append(UInt8(clamping: levels.count)) }
        if isRanked {
          while ranks.count <= row { ranks.append(.max) }
          let rank = item.importance(of: anchor).rank
          ranks[row] = level < byRow[row] ? rank : level == byRow[row] ? min(ranks[row], rank) : ranks[row]
        }
        byRow[row] = min(byRow[row], UInt8(clamping: level))
      }
    }
  }

  func level(of row: Int32) -> Int {
    byRow.indices.contains(Int(row)) ? Int(byRow[Int(row)]) : levels.count
  }

  func importance(of row: Int32) -> LabelImportance {
    let level = level(of: row)
    guard level < levels.count else { return .lowest }
    return LabelImportance(priority: levels[level], rank: isRanked ? ranks[Int(row)] : 0)
  }
}

/// The positions that have a marker, by group, in quarters of a pixel; in larger steps for a very large image.
private struct MarkerPositions {
  /// The maximum number of positions of a group, and of the words of all groups with bits, 32 MB.
  private static let (limit, wordLimit) = (32e6, 4_000_000)

  private let step: Double
  private let columns: Int
  private let words: Int
  /// One bit for each position of a group; positions up to 64 pixels outside the image have bits, too.
  private var bits: [[UInt64]] = []
  /// The index of each group in `bits`, and the group that was asked for last.
  private var indices: [Int: Int] = [:]
  private var last = (group: -1, index: 0)
  /// The positions of groups without bits.
  private var others: Set<[Int]> = []
  private static let margin = 64.0

  init(_ canvas: Envelope) {
    let (width, height) = (canvas.width + 2 * Self.margin, canvas.height + 2 * Self.margin)
    step = max(0.25, (width * height / Self.limit).squareRoot())
    columns = Int(clamping: (width / step).rounded(.up)) + 1
    words = (columns * (Int(clamping: (height / step).rounded(.up)) + 1) + 63) / 64
  }

  /// Inserts a position, and returns whether it is new; positions far outside the image are always new.
  mutating func insert(_ x: Double, _ y: Double, group: Int) -> Bool {
    let (column, row) = ((x + Self.margin) / step, (y + Self.margin) / step)
    guard column >= 0, row >= 0, column < Double(columns), row < Double(words * 64 / columns) else {
      return true
    }
    let index = Int(clamping: row) * columns + Int(clamping: column)
    guard index / 64 < words else { return true }
    guard let own = slot(of: group) else { return others.insert([group, index]).inserted }
    let bit = UInt64(1) << UInt64(index % 64)
    guard bits[own][index / 64] & bit == 0 else { return false }
    bits[own][index / 64] |= bit
    return true
  }

  /// Returns the index of a group in `bits`; nil if there are too many groups.
  private mutating func slot(of group: Int) -> Int? {
    if last.group == group { return last.index }
    if indices[group] == nil {
      guard (bits.count + 1) * words <= Self.wordLimit else { return nil }
      indices[group] = bits.count
      bits.append(Array(repeating: 0, count: words))
    }
    guard let index = indices[group] else { return nil }
    last = (group, index)
    return index
  }
}

/// A coarse image of the lines, outlines and unlabelled markers, which answers how much of a rectangle they cover.
struct LabelInk: Sendable {
  /// The side of a cell in pixels at a pixel ratio of 1.
  ///
  /// - Source: design decision: about a third of the height of a label.
  private static let cellSide = 4.0
  /// The maximum number of cells; larger images have larger cells.
  private static let cellLimit = 4e6
  /// The weight of a marker, relative to that of a line or outline.
  private static let markerWeight: UInt8 = 4

  private let side: Double
  private let columns: Int
  private let rows: Int
  private var cells: [UInt8] = []
  /// For each cell, the weight of the rectangle from the first cell to it; one more row and column than `cells`.
  private var sums: [Int32] = []

  init(canvas: Envelope, pixelRatio: Double) {
    let side = max(Self.cellSide * pixelRatio, (canvas.width * canvas.height / Self.cellLimit).squareRoot())
    self.side = side.isFinite ? max(side, 1) : Self.cellSide
    columns = max(Int(clamping: (canvas.width / self.side).rounded(.up)), 1)
    rows = max(Int(clamping: (canvas.height / self.side).rounded(.up)), 1)
  }

  /// Marks the cells that a marker covers.
  mutating func mark(_ box: LabelBox) {
    reserve()
    let (left, right) = (column(box.xMin), column(box.xMax))
    let (top, bottom) = (row(box.yMin), row(box.yMax))
    for row in top...max(top, bottom) {
      for column in left...max(left, right) { cells[row * columns + column] = Self.markerWeight }
    }
  }

  /// Marks the cells that the strokes of lines and areas cross.
  ///
  /// - Parameter rules: the rules of features whose edges weigh as much as markers.
  mutating func markEdges(of batch: PathBatch, _ rules: [Int32: LabelBarriers.Rule]) {
    let geometry = batch.geometry
    for item in batch.style.indices {
      let rule = rules[batch.row[item]]
      let isArea = geometry.kind == .polygon
      let isAvoided = isArea ? rule?.boundary == .avoid : rule?.interior == .avoid
      if isArea, rule?.interior == .avoid {
        reserve()
        geometry.forEachCell(insideRow: item, side: side, columns: columns, rows: rows) {
          cells[$0] = max(cells[$0], Self.markerWeight)
        }
      }
      guard isAvoided || batch.styles[Int(batch.style[item])].stroke != nil else { continue }
      reserve()
      for part in geometry.parts(ofRow: item) {
        let vertices = geometry.vertices(ofPart: part)
        for vertex in vertices.dropFirst() {
          markSegment(
            geometry.x[vertex - 1], geometry.y[vertex - 1], geometry.x[vertex], geometry.y[vertex],
            weight: isAvoided ? Self.markerWeight : 1)
        }
      }
    }
  }

  private mutating func markSegment(
    _ ax: Double, _ ay: Double, _ bx: Double, _ by: Double, weight: UInt8
  ) {
    let (dx, dy) = (bx - ax, by - ay)
    let steps = min((max(abs(dx), abs(dy)) / side).rounded(.up), Double(columns + rows) * 4)
    guard steps.isFinite else { return }
    for step in 0...Int(clamping: steps) {
      let share = steps > 0 ? Double(step) / steps : 0
      let (column, row) = ((ax + share * dx) / side, (ay + share * dy) / side)
      guard column >= 0, row >= 0, column < Double(columns), row < Double(rows) else { continue }
      let index = Int(clamping: row) * columns + Int(clamping: column)
      cells[index] = max(cells[index], weight)
    }
  }

  private mutating func reserve() {
    if cells.isEmpty { cells = Array(repeating: 0, count: columns * rows) }
  }

  /// Computes the sums that ``share(of:)`` uses; call it after the last mark.
  mutating func finish() {
    guard !cells.isEmpty else { return }
    sums = Array(repeating: 0, count: (columns + 1) * (rows + 1))
    for row in 0..<rows {
      var sum: Int32 = 0
      for column in 0..<columns {
        sum += Int32(cells[row * columns + column])
        sums[(row + 1) * (columns + 1) + column + 1] = sums[row * (columns + 1) + column + 1] + sum
      }
    }
  }

  /// Returns the mean weight of the cells of a rectangle: 0 without ink, 1 for a line in every cell.
  func share(of box: LabelBox) -> Double {
    guard !sums.isEmpty else { return 0 }
    let (left, right) = (column(box.xMin), column(box.xMax) + 1)
    let (top, bottom) = (row(box.yMin), row(box.yMax) + 1)
    guard left < right, top < bottom else { return 0 }
    let width = columns + 1
    let sum =
      sums[bottom * width + right] - sums[top * width + right] - sums[bottom * width + left]
      + sums[top * width + left]
    return Double(sum) / Double((right - left) * (bottom - top))
  }

  /// Returns whether a marker covers a cell of a rectangle.
  func hasMarker(in box: LabelBox) -> Bool {
    guard !cells.isEmpty else { return false }
    let (left, right) = (column(box.xMin), column(box.xMax))
    return (row(box.yMin)...max(row(box.yMax), row(box.yMin))).contains { row in
      cells[row * columns + left...row * columns + max(left, right)].contains(Self.markerWeight)
    }
  }

  private func column(_ x: Double) -> Int { Int(clamping: min(max(x / side, 0), Double(columns - 1))) }
  private func row(_ y: Double) -> Int { Int(clamping: min(max(y / side, 0), Double(rows - 1))) }
}
