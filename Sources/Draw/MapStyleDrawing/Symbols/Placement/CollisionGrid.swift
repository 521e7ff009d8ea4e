import MapDrawing
import MapSystem

/// The boxes and circles of placed symbols in a grid, for fast tests of overlap.
///
/// - Source: MapLibre GL JS 5 for the area: the image and 100 CSS pixels on each side.
struct CollisionGrid {
  /// A shape that collides.
  enum Shape {
    case box(SymbolBox)
    case circle(x: Double, y: Double, radius: Double)
  }

  /// The side of a cell in CSS pixels.
  private static let cellSide = 32.0
  /// The part of the plane in which symbols are placed.
  let area: SymbolBox
  private let side: Double
  private let columns: Int
  private let rows: Int
  private var entries: [Shape] = []
  /// The shapes that are in so many cells that lists of them would fill memory, with their overlap modes.
  private var large: [(shape: Shape, overlap: OverlapMode)] = []
  /// The greatest number of cells with a shape.
  ///
  /// - Source: design decision; a name is in some ten cells.
  private static let cellLimit = 1024
  /// The indexes of the entries in each cell that no other may overlap, and of those that some may.
  private var closed: [[Int32]]
  private var open: [[Int32]]

  /// Creates a grid over an image of a size in output pixels.
  init(width: Double, height: Double, pixelRatio: Double) {
    let margin = 100 * pixelRatio
    area = SymbolBox(left: -margin, top: -margin, right: width + margin, bottom: height + margin)
    // At most a few thousand cells along a side, however large the image is.
    side = max(Self.cellSide * pixelRatio, max(area.width, area.height) / 2048)
    columns = max(Int(clamping: (area.width / side).rounded(.up)), 1)
    rows = max(Int(clamping: (area.height / side).rounded(.up)), 1)
    closed = Array(repeating: [], count: columns * rows)
    open = closed
  }

  /// Returns whether a box is at least partly in the area; false for one that is not finite.
  func contains(_ box: SymbolBox) -> Bool {
    box.right >= area.left && box.left < area.right && box.bottom >= area.top && box.top < area.bottom
  }

  /// Returns whether a shape overlaps another one that it may not overlap.
  ///
  /// A shape that always may overlap others overlaps none; one that may by agreement overlaps those that allow it.
  func collides(_ shape: Shape, _ overlap: OverlapMode) -> Bool {
    guard overlap != .always else { return false }
    if large.contains(where: { ($0.overlap == .never || overlap == .never) && shape.overlaps($0.shape) }) {
      return true
    }
    let box = shape.box
    for row in range(box.top - area.top, box.bottom - area.top, rows) {
      for column in range(box.left - area.left, box.right - area.left, columns) {
        let cell = row * columns + column
        for index in closed[cell] where shape.overlaps(entries[Int(index)]) { return true }
        guard overlap == .never else { continue }
        for index in open[cell] where shape.overlaps(entries[Int(index)]) { return true }
      }
    }
    return false
  }

  /// Inserts a shape, which no other may overlap unless both overlap modes allow it.
  mutating func insert(_ shape: Shape, _ overlap: OverlapMode) {
    let box = shape.box
    // A shape without area is not seen.
    guard contains(box), box.width > 0, box.height > 0 else { return }
    let lines = range(box.top - area.top, box.bottom - area.top, rows)
    let places = range(box.left - area.left, box.right - area.left, columns)
    guard lines.count * places.count <= Self.cellLimit else { return large.append((shape, overlap)) }
    let index = Int32(clamping: entries.count)
    entries.append(shape)
    for row in lines {
      for column in places {
        let cell = row * columns + column
        if overlap == .never { closed[cell].append(index) } else { open[cell].append(index) }
      }
    }
  }

  /// Returns the cells between two positions; those beyond the area belong to its outermost cells.
  private func range(_ start: Double, _ end: Double, _ count: Int) -> ClosedRange<Int> {
    func cell(_ position: Double) -> Int {
      Int(clamping: min(max(position / side, 0), Double(count - 1)).rounded(.down))
    }
    let first = cell(start)
    return first...max(first, cell(end))
  }
}

extension CollisionGrid.Shape {
  var box: SymbolBox {
    switch self {
    case .box(let box): box
    case .circle(let x, let y, let radius):
      SymbolBox(left: x - radius, top: y - radius, right: x + radius, bottom: y + radius)
    }
  }

  /// Returns whether the shapes share area; a common side alone does not count.
  func overlaps(_ other: CollisionGrid.Shape) -> Bool {
    switch (self, other) {
    case (.box(let a), .box(let b)):
      return a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top
    case (.circle(let x, let y, let radius), .circle(let otherX, let otherY, let otherRadius)):
      let (dx, dy, reach) = (x - otherX, y - otherY, radius + otherRadius)
      return dx * dx + dy * dy < reach * reach
    case (.circle(let x, let y, let radius), .box(let box)),
      (.box(let box), .circle(let x, let y, let radius)):
      let dx = max(box.left - x, 0, x - box.right)
      let dy = max(box.top - y, 0, y - box.bottom)
      return dx * dx + dy * dy < radius * radius
    }
  }
}
