import MapGeometry
import MapSystem

/// The boxes of placed labels in a grid over the image, for fast overlap tests.
struct LabelGrid {
  /// The side of a cell in pixels.
  ///
  /// - Source: design decision: about the length of a short label.
  private static let cellSide = 64.0

  private let columns: Int
  private let rows: Int
  private var cells: [[Int32]]
  private var boxes: [Envelope] = []

  /// Creates a grid over an image of a size in pixels.
  init(width: Int, height: Int) {
    columns = max(Int(clamping: (Double(width) / Self.cellSide).rounded(.up)), 1)
    rows = max(Int(clamping: (Double(height) / Self.cellSide).rounded(.up)), 1)
    cells = Array(repeating: [], count: columns * rows)
  }

  /// Returns whether a placed box shares area with this box; a shared side alone does not count.
  func overlaps(_ box: Envelope) -> Bool {
    for cell in cells(of: box) where cells[cell].contains(where: { boxes[Int($0)].overlaps(box) }) {
      return true
    }
    return false
  }

  /// Inserts a box.
  mutating func insert(_ box: Envelope) {
    let number = Int32(clamping: boxes.count)
    boxes.append(box)
    for cell in cells(of: box) { cells[cell].append(number) }
  }

  private func cells(of box: Envelope) -> [Int] {
    let (left, right) = (Self.index(box.xMin, columns), Self.index(box.xMax, columns))
    let (top, bottom) = (Self.index(box.yMin, rows), Self.index(box.yMax, rows))
    guard left <= right, top <= bottom else { return [] }
    return (top...bottom).flatMap { row in (left...right).map { row * columns + $0 } }
  }

  /// Returns the index of a cell; positions beyond the image belong to its outermost cells.
  private static func index(_ place: Double, _ count: Int) -> Int {
    Int(clamping: min(max(place / cellSide, 0), Double(count - 1)))
  }
}

extension Envelope {
  /// Returns whether the two envelopes share area, not only a side.
  func overlaps(_ other: Envelope) -> Bool {
    xMin < other.xMax && xMax > other.xMin && yMin < other.yMax && yMax > other.yMin
  }
}
