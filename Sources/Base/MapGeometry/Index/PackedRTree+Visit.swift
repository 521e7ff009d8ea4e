/// A receiver of the rows that a search finds, all in packed order.
protocol PackedRowVisitor {
  /// Whether the visitor needs only the number of rows.
  static var countsOnly: Bool { get }
  /// Receives the rows of whole nodes; the range starts at a word's first bit.
  mutating func take(_ range: Range<Int>)
  /// Receives a leaf that crosses sides, to be counted later; called only when ``countsOnly`` is true.
  mutating func take(leaf: Int, acrossX: Bool, acrossY: Bool)
  /// Receives rows of one leaf, as the bits of one word.
  mutating func take(leaf: Int, bits: UInt64)
  /// Returns the rows of a leaf that the visitor needs, as bits.
  func wanted(leaf: Int) -> UInt64
}

extension PackedRowVisitor {
  static var countsOnly: Bool { false }
  mutating func take(leaf: Int, acrossX: Bool, acrossY: Bool) {}
  func wanted(leaf: Int) -> UInt64 { .max }
}

extension PackedRTree {
  /// Passes every row that intersects the envelope to the visitor, once.
  func visit(
    meeting envelope: Envelope, of buffer: CoordinateBuffer, _ visitor: inout some PackedRowVisitor,
    _ counters: inout Counters
  ) {
    precondition(buffer.rowCount == rowCount, "not the buffer of the tree")
    guard envelope.xMin <= envelope.xMax, envelope.yMin <= envelope.yMax, nodes.count > 0 else { return }
    visit(
      nodes.count - 1..<nodes.count, level: levelStarts.count - 1, meeting: envelope, of: buffer, &visitor,
      &counters)
  }

  /// Visits neighbouring nodes of one level and those below; recursion is as deep as the tree, at most 8 levels.
  private func visit(
    _ range: Range<Int>, level: Int, meeting envelope: Envelope, of buffer: CoordinateBuffer,
    _ visitor: inout some PackedRowVisitor, _ counters: inout Counters
  ) {
    counters.nodes &+= range.count
    let (x0, y0, x1, y1) = (nodes.xMin.span, nodes.yMin.span, nodes.xMax.span, nodes.yMax.span)
    for node in range {
      guard x0[node] <= envelope.xMax, x1[node] >= envelope.xMin, y0[node] <= envelope.yMax,
        y1[node] >= envelope.yMin
      else { continue }
      let acrossX = x0[node] < envelope.xMin || x1[node] > envelope.xMax
      let acrossY = y0[node] < envelope.yMin || y1[node] > envelope.yMax
      let place = node - levelStarts[level]
      if !acrossX && !acrossY {
        // A leaf has 2⁶ rows, and each level above 2⁴ times as many as the level below.
        let first = place << (6 + 4 * level)
        visitor.take(first..<min(items.count, first + 1 << (6 + 4 * level)))
      } else if level == 0 {
        visit(
          leaf: place, acrossX: acrossX, acrossY: acrossY, meeting: envelope, of: buffer, &visitor, &counters)
      } else {
        let first = levelStarts[level - 1] + place * Self.fanOut
        visit(
          first..<min(levelStarts[level], first + Self.fanOut), level: level - 1, meeting: envelope,
          of: buffer,
          &visitor, &counters)
      }
    }
  }

  private func visit<Visitor: PackedRowVisitor>(
    leaf: Int, acrossX: Bool, acrossY: Bool, meeting envelope: Envelope, of buffer: CoordinateBuffer,
    _ visitor: inout Visitor, _ counters: inout Counters
  ) {
    let range = leaf << 6..<min(items.count, leaf << 6 + 64)
    counters.rows &+= range.count
    if holdsPoints && Visitor.countsOnly {
      return visitor.take(leaf: leaf, acrossX: acrossX, acrossY: acrossY)
    }
    var bits = items.mask(range, meeting: envelope) & visitor.wanted(leaf: leaf)
    if !holdsPoints {
      var open = bits
      while open != 0 {
        let bit = open.trailingZeroBitCount
        open &= open &- 1
        let index = leaf << 6 | bit
        if items[index].hasSide(inside: envelope) { continue }
        counters.exactTests &+= 1
        if !buffer.row(Int(rows[index]), meets: envelope) { bits &= ~(1 << UInt64(bit)) }
      }
    }
    visitor.take(leaf: leaf, bits: bits)
  }
}

extension PackedRTree {
  /// Returns the number of points that intersect the envelope in the leaves that a visitor postponed.
  func countPlaces(in visitor: CountVisitor, meeting envelope: Envelope) -> Int {
    let chosen = visitor.chosen
    let acrossX = visitor.leavesAcrossX.map { leaf in
      LeafCells.query(
        leaf: leaf, from: nodes.xMin[Int(leaf)], to: nodes.xMax[Int(leaf)], between: envelope.xMin,
        envelope.xMax)
    }
    let acrossY = visitor.leavesAcrossY.map { leaf in
      LeafCells.query(
        leaf: leaf, from: nodes.yMin[Int(leaf)], to: nodes.yMax[Int(leaf)], between: envelope.yMin,
        envelope.yMax)
    }
    var count = xCells.count(acrossX, of: items.xMin, between: envelope.xMin, envelope.xMax, among: chosen)
    count += yCells.count(acrossY, of: items.yMin, between: envelope.yMin, envelope.yMax, among: chosen)
    for leaf in visitor.corners {
      let first = Int(leaf) << 6
      let range = first..<min(items.count, first + 64)
      if let chosen {
        count += (items.mask(range, meeting: envelope) & chosen.words[Int(leaf)]).nonzeroBitCount
      } else {
        count += items.count(range, meeting: envelope)
      }
    }
    return count
  }
}

extension Envelope {
  /// Whether a whole side lies in `other`; then a vertex of the enclosed geometry lies there too.
  fileprivate func hasSide(inside other: Envelope) -> Bool {
    let (west, east) = (xMin >= other.xMin && xMin <= other.xMax, xMax >= other.xMin && xMax <= other.xMax)
    let (south, north) = (yMin >= other.yMin && yMin <= other.yMax, yMax >= other.yMin && yMax <= other.yMax)
    return (west && east && (south || north)) || (south && north && (west || east))
  }
}

struct CountVisitor: PackedRowVisitor {
  static var countsOnly: Bool { true }
  /// The rows that may be counted; nil for all rows.
  let chosen: PackedRows?
  var count = 0
  /// Leaves of points that cross sides of the envelope along one axis.
  var leavesAcrossX: [Int32] = []
  var leavesAcrossY: [Int32] = []
  /// Leaves of points that cross sides along both axes.
  var corners: [Int32] = []

  init(chosen: PackedRows?) { self.chosen = chosen }

  mutating func take(_ range: Range<Int>) { count &+= chosen?.count(range) ?? range.count }
  mutating func take(leaf: Int, bits: UInt64) { count &+= bits.nonzeroBitCount }
  func wanted(leaf: Int) -> UInt64 { chosen?.words[leaf] ?? .max }
  mutating func take(leaf: Int, acrossX: Bool, acrossY: Bool) {
    let leaf = Int32(truncatingIfNeeded: leaf)
    if acrossX && acrossY {
      corners.append(leaf)
    } else if acrossX {
      leavesAcrossX.append(leaf)
    } else {
      leavesAcrossY.append(leaf)
    }
  }
}

struct ListVisitor: PackedRowVisitor {
  let rows: [Int32]
  var list: [Int32]

  mutating func take(_ range: Range<Int>) { list.append(contentsOf: rows[range]) }
  mutating func take(leaf: Int, bits: UInt64) {
    var open = bits
    while open != 0 {
      list.append(rows[leaf << 6 | open.trailingZeroBitCount])
      open &= open &- 1
    }
  }
}

struct BitVisitor: PackedRowVisitor {
  let rows: [Int32]
  var words: [UInt64]

  private mutating func insert(_ row: Int32) { words[Int(row) >> 6] |= 1 << UInt64(row & 63) }
  mutating func take(_ range: Range<Int>) { for index in range { insert(rows[index]) } }
  mutating func take(leaf: Int, bits: UInt64) {
    var open = bits
    while open != 0 {
      insert(rows[leaf << 6 | open.trailingZeroBitCount])
      open &= open &- 1
    }
  }
}
