import MapGeometry

/// A choice of one position for each label, without overlaps.
///
/// A label takes its best free position when it is added. ``improve(_:)`` then makes room for labels that found none:
/// it moves placed labels to other positions, and replaces one label by two. It never removes a label of another
/// level, and the number of its steps is limited. The result depends on the order of the calls only.
///
/// - Source: design decision; chains of moves as in local search for map labelling (Christensen, Marks and Shieber
///   1995 compare such methods).
package struct LabelArrangement {
  /// A label and the positions that it may take, best first.
  package struct Label {
    /// The boxes that each position covers.
    package fileprivate(set) var positions: [[LabelBox]]
    /// Labels of the same level may replace each other.
    package let level: Int
    /// Whether the label may be moved to make room for others.
    package fileprivate(set) var isMovable: Bool
    /// Whether two other labels of its level may replace the label, if it may be moved.
    package let isReplaceable: Bool

    package init(
      positions: [[LabelBox]], level: Int = 0, isMovable: Bool = true, isReplaceable: Bool = true
    ) {
      (self.positions, self.level, self.isMovable) = (positions, level, isMovable)
      self.isReplaceable = isReplaceable
    }
  }

  /// The maximum number of labels moved one after the other to make room for one.
  private static let depth = 3
  /// The maximum number of labels moved to make room for one position.
  private static let width = 2
  /// The maximum number of positions examined by improvements, in total.
  static let probeLimit = 400_000

  package private(set) var labels: [Label] = []
  /// For each label, the index of its position; nil when it is not placed.
  package private(set) var chosen: [Int?] = []
  private var grid: LabelGrid
  /// The labels whose position must not change during a chain of moves.
  private var isLocked: [Bool] = []
  /// The moves of the current chain: a label and its former position.
  private var moves: [(label: Int, former: Int?)] = []
  private var probes = 0

  /// The number of boxes compared.
  package var comparisons: Int { grid.comparisons }

  package init(width: Double, height: Double) { grid = LabelGrid(width: width, height: height) }

  /// Returns whether a placed label covers a part of a rectangle.
  mutating func covers(_ box: LabelBox) -> Bool { grid.overlaps(box) }

  /// Returns the number of placed labels that some boxes overlap.
  mutating func overlapCount(_ boxes: [LabelBox]) -> Int {
    grid.owners(overlapping: boxes)?.count ?? 0
  }

  /// Adds a label and places it at its first free position.
  ///
  /// - Parameters:
  ///   - position: the position to take even if it is not free; nil for the first free one.
  ///   - lineBoxes: for each position, a box that should also be free; the first free position is taken if none is so.
  /// - Returns: the number of the label, whose position is nil in ``chosen`` when none is free.
  @discardableResult package mutating func add(
    _ label: Label, at position: Int? = nil, lineBoxes: [LabelBox?] = []
  ) -> Int {
    let number = labels.count
    labels.append(label)
    chosen.append(nil)
    isLocked.append(false)
    let free = position ?? firstFree(label.positions, lineBoxes)
    if let free { set(number, free) }
    return number
  }

  /// Returns the first position that is free with its further box, or else the first free one.
  private mutating func firstFree(_ positions: [[LabelBox]], _ lineBoxes: [LabelBox?]) -> Int? {
    var first: Int?
    for (index, boxes) in positions.enumerated() where isFree(boxes) {
      guard index < lineBoxes.count, let box = lineBoxes[index], covers(box) else { return index }
      first = first ?? index
    }
    return first
  }

  /// Returns whether no placed label covers some boxes.
  mutating func isFree(_ boxes: [LabelBox]) -> Bool { grid.isFree(boxes) }

  /// Adds a last position to a label and places it there.
  mutating func place(_ number: Int, atNew boxes: [LabelBox]) {
    labels[number].positions.append(boxes)
    set(number, labels[number].positions.count - 1)
  }

  /// Places a label at a position, whether or not it is free.
  mutating func force(_ number: Int, at position: Int) { set(number, position) }

  /// Tries to place labels that have no position, in order.
  package mutating func improve(_ waiting: [Int]) {
    guard !waiting.isEmpty else { return }
    var reach = LabelGrid(width: grid.size.width, height: grid.size.height)
    for number in waiting { reach.insert(labels[number].positions.flatMap { $0 }, owner: number) }
    for _ in 0..<2 {
      var placed = 0
      for number in waiting where chosen[number] == nil {
        if attempt({ $0.place(number, depth: Self.depth) }) || exchange(number, &reach) {
          placed += 1
        }
      }
      if placed == 0 || probes >= Self.probeLimit { return }
    }
  }

  /// Tries to place a label that has no position by moving others, which all stay placed.
  ///
  /// - Parameter isAllowed: whether the moved labels may stay; otherwise all of them return.
  mutating func makeRoom(for number: Int, where isAllowed: (LabelArrangement) -> Bool) -> Bool {
    probes < Self.probeLimit && attempt { $0.place(number, depth: Self.depth) && isAllowed($0) }
  }

  /// Keeps a label where it is.
  mutating func fix(_ number: Int) { labels[number].isMovable = false }

  /// Tries to place a label at a new position by moving others, which all stay placed.
  mutating func makeRoom(
    for number: Int, atNew boxes: [LabelBox], where isAllowed: (LabelArrangement) -> Bool
  ) -> Bool {
    guard probes < Self.probeLimit else { return false }
    labels[number].positions.append(boxes)
    let position = labels[number].positions.count - 1
    if attempt({ $0.place(number, depth: Self.depth, at: position...position) && isAllowed($0) }) {
      return true
    }
    labels[number].positions.removeLast()
    return false
  }

  /// Adds a position to which a label may be moved.
  mutating func allow(_ number: Int, at boxes: [LabelBox]) { labels[number].positions.append(boxes) }

  /// Runs a chain of moves, and undoes it when it fails.
  private mutating func attempt(_ chain: (inout LabelArrangement) -> Bool) -> Bool {
    moves = []
    let succeeded = chain(&self)
    if !succeeded { undo(to: 0) }
    for move in moves { isLocked[move.label] = false }
    moves = []
    return succeeded
  }

  /// Places a label at its first position that is free or can be cleared.
  ///
  /// - Parameter range: the positions that are tried; nil for all.
  private mutating func place(_ number: Int, depth: Int, at range: ClosedRange<Int>? = nil) -> Bool {
    let label = labels[number]
    var blocked: [(position: Int, others: [Int])] = []
    for position in label.positions.indices where range?.contains(position) ?? true {
      probes += 1
      guard let others = grid.owners(overlapping: label.positions[position], limit: Self.width) else {
        continue
      }
      if others.isEmpty {
        move(number, position)
        return true
      }
      if others.allSatisfy({ labels[$0].isMovable && !isLocked[$0] && labels[$0].positions.count > 1 }) {
        blocked.append((position, others))
      }
    }
    guard depth > 0 else { return false }
    for (position, others) in blocked where probes < Self.probeLimit {
      let mark = moves.count
      for other in others { move(other, nil) }
      move(number, position)
      isLocked[number] = true
      if others.allSatisfy({ place($0, depth: depth - 1) }) { return true }
      undo(to: mark)
      isLocked[number] = false
    }
    return false
  }

  /// Replaces a placed label of the same level by two that have no position.
  private mutating func exchange(_ number: Int, _ reach: inout LabelGrid) -> Bool {
    for position in labels[number].positions.indices where probes < Self.probeLimit {
      probes += 1
      guard let others = grid.owners(overlapping: labels[number].positions[position], limit: 1),
        let other = others.first, let former = chosen[other], labels[other].isMovable,
        labels[other].isReplaceable, labels[other].level == labels[number].level,
        let rivals = reach.owners(overlapping: labels[other].positions[former], limit: 20)
      else { continue }
      for rival in rivals where rival != number && chosen[rival] == nil {
        let succeeded = attempt { arrangement in
          arrangement.move(other, nil)
          arrangement.move(number, position)
          arrangement.isLocked[number] = true
          return arrangement.place(rival, depth: 1)
        }
        if succeeded { return true }
      }
    }
    return false
  }

  private mutating func move(_ number: Int, _ position: Int?) {
    moves.append((number, chosen[number]))
    set(number, position)
  }

  private mutating func undo(to mark: Int) {
    while moves.count > mark {
      let last = moves.removeLast()
      set(last.label, last.former)
      isLocked[last.label] = false
    }
  }

  private mutating func set(_ number: Int, _ position: Int?) {
    if let former = chosen[number] { grid.remove(labels[number].positions[former], owner: number) }
    chosen[number] = position
    if let position { grid.insert(labels[number].positions[position], owner: number) }
  }
}
