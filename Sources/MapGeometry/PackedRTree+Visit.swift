/// What is done with the rows found; all in packed order.
protocol PackedRowVisitor {
  /// True when a number is enough for rows of a leaf.
  static var countsOnly: Bool { get }
  /// Rows of whole nodes; starts at a word's first bit.
  mutating func take(_ range: Range<Int>)
  /// A number of rows of one leaf; asked only of those that count only.
  mutating func take(count: Int)
  /// Rows of one leaf, as the bits of one word.
  mutating func take(leaf: Int, bits: UInt64)
  /// The rows of a leaf that are worth a look.
  func wanted(leaf: Int) -> UInt64
}

extension PackedRowVisitor {
  static var countsOnly: Bool { false }
  mutating func take(count: Int) {}
  func wanted(leaf: Int) -> UInt64 { .max }
}

extension PackedRTree {
  /// Shows the visitor every row that meets the envelope, once.
  func visit(
    meeting envelope: Envelope, of buffer: CoordinateBuffer, _ visitor: inout some PackedRowVisitor,
    _ counters: inout Counters
  ) {
    precondition(buffer.rowCount == rowCount, "not the buffer of the tree")
    guard envelope.xMin <= envelope.xMax, envelope.yMin <= envelope.yMax, nodes.count > 0 else { return }
    visit(
      node: nodes.count - 1, level: levelStarts.count - 1, meeting: envelope, of: buffer, &visitor, &counters)
  }

  /// One node and what is below; as deep as there are levels, at most 8.
  private func visit(
    node: Int, level: Int, meeting envelope: Envelope, of buffer: CoordinateBuffer,
    _ visitor: inout some PackedRowVisitor, _ counters: inout Counters
  ) {
    counters.nodes &+= 1
    guard nodes.xMin[node] <= envelope.xMax, nodes.xMax[node] >= envelope.xMin,
      nodes.yMin[node] <= envelope.yMax, nodes.yMax[node] >= envelope.yMin
    else { return }
    let acrossX = nodes.xMin[node] < envelope.xMin || nodes.xMax[node] > envelope.xMax
    let acrossY = nodes.yMin[node] < envelope.yMin || nodes.yMax[node] > envelope.yMax
    let place = node - levelStarts[level]
    if !acrossX && !acrossY {
      // A leaf is 2⁶ rows, each level above 2⁴ times the one below.
      let first = place << (6 + 4 * level)
      visitor.take(first..<min(items.count, first + 1 << (6 + 4 * level)))
    } else if level == 0 {
      visit(
        leaf: place, acrossX: acrossX, acrossY: acrossY, meeting: envelope, of: buffer, &visitor, &counters)
    } else {
      let first = levelStarts[level - 1] + place * Self.fanOut
      for child in first..<min(levelStarts[level], first + Self.fanOut) {
        visit(node: child, level: level - 1, meeting: envelope, of: buffer, &visitor, &counters)
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
      // Most leaves lie across one side only: half the coordinates need not be read.
      if !acrossY {
        visitor.take(count: Self.count(items.xMin, range, from: envelope.xMin, to: envelope.xMax))
      } else if !acrossX {
        visitor.take(count: Self.count(items.yMin, range, from: envelope.yMin, to: envelope.yMax))
      } else {
        visitor.take(count: items.count(range, meeting: envelope))
      }
      return
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

  /// How many values of a range lie between two bounds, both included.
  private static func count(_ values: [Double], _ range: Range<Int>, from low: Double, to high: Double) -> Int
  {
    let span = values.span
    var count = 0
    for index in range { count &+= (span[index] >= low ? 1 : 0) & (span[index] <= high ? 1 : 0) }
    return count
  }
}

extension Envelope {
  /// True when a whole side lies in `other`: then so does a vertex of what the envelope was drawn around.
  fileprivate func hasSide(inside other: Envelope) -> Bool {
    let (west, east) = (xMin >= other.xMin && xMin <= other.xMax, xMax >= other.xMin && xMax <= other.xMax)
    let (south, north) = (yMin >= other.yMin && yMin <= other.yMax, yMax >= other.yMin && yMax <= other.yMax)
    return (west && east && (south || north)) || (south && north && (west || east))
  }
}

struct CountVisitor: PackedRowVisitor {
  static var countsOnly: Bool { true }
  var count = 0

  mutating func take(_ range: Range<Int>) { count &+= range.count }
  mutating func take(count: Int) { self.count &+= count }
  mutating func take(leaf: Int, bits: UInt64) { count &+= bits.nonzeroBitCount }
}

struct FilteredCountVisitor: PackedRowVisitor {
  let words: [UInt64]
  var count = 0

  mutating func take(_ range: Range<Int>) {
    for word in range.lowerBound >> 6..<(range.upperBound + 63) >> 6 { count &+= words[word].nonzeroBitCount }
  }
  mutating func take(leaf: Int, bits: UInt64) { count &+= bits.nonzeroBitCount }
  func wanted(leaf: Int) -> UInt64 { words[leaf] }
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
