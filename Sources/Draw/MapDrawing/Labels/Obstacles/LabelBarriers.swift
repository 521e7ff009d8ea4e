import MapGeometry
import MapModel
import MapSystem

/// The features that labels of other features must not overlap, in a coarse image of their owners.
///
/// - Source: Esri web map specification, `allowOverlapOfFeatureInterior` and `allowOverlapOfFeatureBoundary`.
struct LabelBarriers: Sendable {
  /// The parts of a feature that labels of others keep off.
  struct Rule: Hashable {
    var interior = LabelDefinition.OverlapStrategy.allow
    var boundary = LabelDefinition.OverlapStrategy.allow
  }

  private struct Owner: Hashable {
    let layerIndex: Int
    let row: Int32
  }

  /// The side of a cell in pixels, which is the precision, and the maximum number of cells.
  ///
  /// - Source: design decision; larger images have larger cells.
  private static let (cellSide, cellLimit) = (2.0, 4e6)
  /// The value of a cell with several owners, and that of an empty one.
  private static let (several, none): (Int32, Int32) = (-1, 0)

  private let side: Double
  private let columns: Int
  private let rows: Int
  private var cells: [Int32] = []
  private var numbers: [Owner: Int32] = [:]

  init(canvas: Envelope) {
    side = max(Self.cellSide, (canvas.width * canvas.height / Self.cellLimit).squareRoot())
    columns = max(Int(clamping: (canvas.width / side).rounded(.up)), 1)
    rows = max(Int(clamping: (canvas.height / side).rounded(.up)), 1)
  }

  /// Whether no feature is in the way of labels.
  var isEmpty: Bool { cells.isEmpty }

  /// Adds the features whose rule excludes labels.
  ///
  /// - Cost: O(vertices + cells under edges and inside areas).
  mutating func add(_ batch: PathBatch, layerIndex: Int, _ rules: [Int32: Rule]) {
    let isArea = batch.geometry.kind == .polygon
    for item in batch.row.indices {
      guard let rule = rules[batch.row[item]] else { continue }
      let excludesInterior = rule.interior == .exclude
      guard excludesInterior || (rule.boundary == .exclude && isArea) else { continue }
      if cells.isEmpty { cells = Array(repeating: Self.none, count: columns * rows) }
      let owner = Owner(layerIndex: layerIndex, row: batch.row[item])
      let number = numbers[owner] ?? Int32(clamping: numbers.count + 1)
      numbers[owner] = number
      if excludesInterior, isArea {
        batch.geometry.forEachCell(insideRow: item, side: side, columns: columns, rows: rows) {
          mark($0, number)
        }
      }
      // The interior of a line is the line itself; only areas have a boundary.
      if rule.boundary == .exclude || !isArea { trace(item, of: batch.geometry, number) }
    }
  }

  /// Returns whether a box overlaps a feature other than that of its label.
  func blocks(_ box: LabelBox, layerIndex: Int, row: Int32) -> Bool {
    guard !cells.isEmpty else { return false }
    let own = numbers[Owner(layerIndex: layerIndex, row: row)] ?? Self.none
    let (left, right) = (index(box.xMin, columns), index(box.xMax, columns))
    let (top, bottom) = (index(box.yMin, rows), index(box.yMax, rows))
    for row in top...max(top, bottom) {
      for column in left...max(left, right) {
        let cell = cells[row * columns + column]
        if cell != Self.none, cell != own { return true }
      }
    }
    return false
  }

  /// Returns the share of the cells under a box that have a feature.
  func share(of box: LabelBox) -> Double {
    guard !cells.isEmpty else { return 0 }
    let (left, right) = (index(box.xMin, columns), index(box.xMax, columns))
    let (top, bottom) = (index(box.yMin, rows), index(box.yMax, rows))
    var count = 0
    for row in top...max(top, bottom) {
      for column in left...max(left, right) where cells[row * columns + column] != Self.none { count += 1 }
    }
    return Double(count) / Double((max(bottom, top) - top + 1) * (max(right, left) - left + 1))
  }

  private mutating func mark(_ cell: Int, _ number: Int32) {
    cells[cell] = cells[cell] == Self.none || cells[cell] == number ? number : Self.several
  }

  /// Marks the cells along the edges of a feature.
  private mutating func trace(_ item: Int, of geometry: CoordinateBuffer, _ number: Int32) {
    for part in geometry.parts(ofRow: item) {
      for vertex in geometry.vertices(ofPart: part).dropFirst() {
        let (ax, ay) = (geometry.x[vertex - 1], geometry.y[vertex - 1])
        let (dx, dy) = (geometry.x[vertex] - ax, geometry.y[vertex] - ay)
        let steps = min((2 * max(abs(dx), abs(dy)) / side).rounded(.up), Double(columns + rows) * 8)
        guard steps.isFinite else { continue }
        for step in 0...Int(clamping: steps) {
          let share = steps > 0 ? Double(step) / steps : 0
          let (column, row) = ((ax + share * dx) / side, (ay + share * dy) / side)
          guard column >= 0, row >= 0, column < Double(columns), row < Double(rows) else { continue }
          mark(Int(clamping: row) * columns + Int(clamping: column), number)
        }
      }
    }
  }

  private func index(_ place: Double, _ count: Int) -> Int {
    Int(clamping: min(max(place / side, 0), Double(count - 1)))
  }
}

extension CoordinateBuffer {
  /// Calls a function with the index of each cell of a grid whose centre is inside an area (even-odd rule).
  ///
  /// - Cost: O(vertices + rows of cells that edges cross + cells inside).
  func forEachCell(insideRow item: Int, side: Double, columns: Int, rows: Int, _ body: (Int) -> Void) {
    /// For each row of cells, the positions where edges cross the line through their centres.
    var crossings: [Int: [Double]] = [:]
    for part in parts(ofRow: item) {
      for vertex in vertices(ofPart: part).dropFirst() {
        let (ax, ay, bx, by) = (x[vertex - 1], y[vertex - 1], x[vertex], y[vertex])
        let first = Int(clamping: max((min(ay, by) / side - 0.5).rounded(.up), 0))
        let last = Int(clamping: min((max(ay, by) / side - 0.5).rounded(.up), Double(rows)))
        guard first < last else { continue }
        for row in first..<last {
          let line = (Double(row) + 0.5) * side
          crossings[row, default: []].append(ax + (line - ay) / (by - ay) * (bx - ax))
        }
      }
    }
    for (row, places) in crossings {
      let places = places.sorted()
      for pair in stride(from: 0, to: places.count - 1, by: 2) {
        let first = Int(clamping: max((places[pair] / side - 0.5).rounded(.up), 0))
        let last = Int(clamping: min((places[pair + 1] / side - 0.5).rounded(.up), Double(columns)))
        guard first < last else { continue }
        for column in first..<last { body(row * columns + column) }
      }
    }
  }
}
