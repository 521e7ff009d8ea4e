import MapGeometry
import MapSystem

/// The boxes of placed labels in a grid over the image, for fast overlap tests.
struct LabelGrid {
  /// The side of a cell in pixels.
  ///
  /// - Source: design decision: about the length of a short label.
  private static let cellSide = 64.0

  private struct Entry {
    let box: LabelBox
    let owner: Int32
  }

  /// The size of the image in pixels.
  let size: (width: Double, height: Double)
  private let columns: Int
  private let rows: Int
  private var cells: [[Entry]]
  /// The number of boxes compared.
  private(set) var comparisons = 0

  /// Creates a grid over an image of a size in pixels.
  init(width: Double, height: Double) {
    size = (width, height)
    columns = max(Int(clamping: (width / Self.cellSide).rounded(.up)), 1)
    rows = max(Int(clamping: (height / Self.cellSide).rounded(.up)), 1)
    cells = Array(repeating: [], count: columns * rows)
  }

  /// Returns whether a box shares area with this box; a shared side alone does not count.
  mutating func overlaps(_ box: LabelBox) -> Bool {
    for row in rowRange(of: box) {
      for column in columnRange(of: box) {
        for entry in cells[row * columns + column] {
          comparisons += 1
          if entry.box.overlaps(box) { return true }
        }
      }
    }
    return false
  }

  /// Returns whether no box shares area with some boxes.
  mutating func isFree(_ boxes: [LabelBox]) -> Bool {
    guard let hull = hull(of: boxes) else {
      for box in boxes where overlaps(box) { return false }
      return true
    }
    for row in rowRange(of: hull) {
      for column in columnRange(of: hull) {
        for entry in cells[row * columns + column] {
          comparisons += 1
          if entry.box.overlaps(hull), boxes.contains(where: { entry.box.overlaps($0) }) { return false }
        }
      }
    }
    return true
  }

  /// Returns the owners of the boxes that share area with some boxes, in ascending order; nil if they are more than
  /// a limit.
  mutating func owners(overlapping boxes: [LabelBox], limit: Int = .max) -> [Int]? {
    var owners: [Int] = []
    if let hull = hull(of: boxes) {
      // The letters of a label along a line are near each other: each entry is compared with all at once.
      for row in rowRange(of: hull) {
        for column in columnRange(of: hull) {
          for entry in cells[row * columns + column] {
            comparisons += 1
            guard entry.box.overlaps(hull), !owners.contains(Int(entry.owner)),
              boxes.contains(where: { entry.box.overlaps($0) })
            else { continue }
            owners.append(Int(entry.owner))
            if owners.count > limit { return nil }
          }
        }
      }
      return owners.sorted()
    }
    for box in boxes {
      for row in rowRange(of: box) {
        for column in columnRange(of: box) {
          for entry in cells[row * columns + column] {
            comparisons += 1
            guard entry.box.overlaps(box), !owners.contains(Int(entry.owner)) else { continue }
            owners.append(Int(entry.owner))
            if owners.count > limit { return nil }
          }
        }
      }
    }
    return owners.sorted()
  }

  /// Inserts the boxes of an owner.
  mutating func insert(_ boxes: [LabelBox], owner: Int) {
    for box in boxes {
      for row in rowRange(of: box) {
        for column in columnRange(of: box) {
          cells[row * columns + column].append(Entry(box: box, owner: Int32(clamping: owner)))
        }
      }
    }
  }

  /// Removes the boxes of an owner, which must be those that were inserted.
  mutating func remove(_ boxes: [LabelBox], owner: Int) {
    for box in hull(of: boxes).map({ [$0] }) ?? boxes {
      for row in rowRange(of: box) {
        for column in columnRange(of: box) {
          cells[row * columns + column].removeAll { $0.owner == Int32(clamping: owner) }
        }
      }
    }
  }

  /// Returns the box around several boxes that are near each other; nil for one box, or when it is much larger.
  private func hull(of boxes: [LabelBox]) -> LabelBox? {
    guard boxes.count > 1 else { return nil }
    let hull = boxes.dropFirst().reduce(boxes[0]) { $0.union($1) }
    return rowRange(of: hull).count * columnRange(of: hull).count <= 2 * boxes.count ? hull : nil
  }

  private func columnRange(of box: LabelBox) -> Range<Int> {
    let (left, right) = (Self.index(box.xMin, columns), Self.index(box.xMax, columns))
    return left..<max(left, right + 1)
  }

  private func rowRange(of box: LabelBox) -> Range<Int> {
    let (top, bottom) = (Self.index(box.yMin, rows), Self.index(box.yMax, rows))
    return top..<max(top, bottom + 1)
  }

  /// Returns the index of a cell; positions beyond the image belong to its outermost cells.
  private static func index(_ place: Double, _ count: Int) -> Int {
    Int(clamping: min(max(place / cellSide, 0), Double(count - 1)))
  }
}
