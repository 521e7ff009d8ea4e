import MapSystem

/// A static R-tree over the rows of a buffer, packed along a Hilbert curve, that finds or counts rows in an envelope.
///
/// The rows are in the order of the curve (``rows``), 64 per leaf, with 16 nodes below each inner node. A node
/// represents a range of that order. A node inside the envelope therefore adds its whole range without a visit below
/// it. Rows without geometry are omitted. Equal input gives an equal tree.
///
/// - Source: Kamel and Faloutsos, "On packing R-trees", CIKM 1993; flat arrays and adding whole subtrees as in
///   flatbush.
/// - Error: none; edges are tested with the exact coordinates, see ``CoordinateBuffer/row(_:meets:)``.
/// - Cost: O(n) to build, about 30 ns per row on two cores; 22 bytes per point, 36 per other row, and 2 % more.
package struct PackedRTree: Sendable {
  /// The greatest number of rows in a leaf, one per bit of a word.
  package static let leafCapacity = 64
  /// The greatest number of nodes below a node.
  package static let fanOut = 16

  /// The rows with geometry in packed order.
  package let rows: [Int32]
  /// The number of rows of the buffer, including those without geometry.
  package let rowCount: Int
  /// The envelopes of the rows, in packed order.
  let items: EnvelopeColumns
  /// The envelopes of the nodes, leaves first, then level by level.
  let nodes: EnvelopeColumns
  /// The index of the first node of every level, leaves first.
  let levelStarts: [Int]
  /// Whether each row is a single point, so that its envelope describes it completely.
  let holdsPoints: Bool
  /// For points, the x coordinates of the leaves as bytes.
  let xCells: LeafCells
  /// For points, the y coordinates of the leaves as bytes.
  let yCells: LeafCells

  /// Creates a tree over the rows of a buffer, which has at most 2³¹ - 1 rows.
  package init(of buffer: CoordinateBuffer) {
    precondition(buffer.rowCount <= Int32.max, "rows are numbered in 32 bits")
    rowCount = buffer.rowCount
    holdsPoints = buffer.kind == .point
    if holdsPoints {
      rows = hilbertOrder(x: buffer.x, y: buffer.y, runLimit: Self.leafCapacity)
      let places = concurrentMap(2) { [rows] axis in
        let values = axis == 0 ? buffer.x : buffer.y
        return rows.map { values[Int($0)] }
      }
      items = EnvelopeColumns(x: places[0], y: places[1])
    } else {
      let envelopes = EnvelopeColumns(of: buffer)
      // Two finite sides that are halved before they are added cannot overflow.
      let x = envelopes.xMin.indices.map { envelopes.xMin[$0] / 2 + envelopes.xMax[$0] / 2 }
      let y = envelopes.yMin.indices.map { envelopes.yMin[$0] / 2 + envelopes.yMax[$0] / 2 }
      rows = hilbertOrder(x: x, y: y, runLimit: Self.leafCapacity)
      items = envelopes.reordered(rows)
    }
    (nodes, levelStarts) = Self.levels(over: items)
    if holdsPoints {
      let leaves = 0..<(items.count + Self.leafCapacity - 1) / Self.leafCapacity
      let cells = concurrentMap(2) { [items, nodes] axis in
        axis == 0
          ? LeafCells(items.xMin, leavesFrom: nodes.xMin[leaves], to: nodes.xMax[leaves])
          : LeafCells(items.yMin, leavesFrom: nodes.yMin[leaves], to: nodes.yMax[leaves])
      }
      (xCells, yCells) = (cells[0], cells[1])
    } else {
      (xCells, yCells) = (LeafCells(), LeafCells())
    }
  }

  private static func levels(over items: EnvelopeColumns) -> (nodes: EnvelopeColumns, starts: [Int]) {
    var nodes = EnvelopeColumns()
    var starts = [0]
    for first in stride(from: 0, to: items.count, by: leafCapacity) {
      nodes.append(items.union(of: first..<min(items.count, first + leafCapacity)))
    }
    while nodes.count - starts[starts.count - 1] > 1 {
      let below = starts[starts.count - 1]..<nodes.count
      starts.append(below.upperBound)
      for first in stride(from: below.lowerBound, to: below.upperBound, by: fanOut) {
        nodes.append(nodes.union(of: first..<min(below.upperBound, first + fanOut)))
      }
    }
    return (nodes, starts)
  }

  /// The smallest envelope that contains all rows, without a spatial reference.
  package var extent: Envelope { nodes.count == 0 ? .empty : nodes[nodes.count - 1] }
}

extension PackedRTree {
  /// The cost of searches, added up, for tests and reports.
  package struct Counters: Hashable, Sendable {
    /// The number of nodes whose envelope was compared.
    package var nodes = 0
    /// The number of rows whose envelope was compared.
    package var rows = 0
    /// The number of rows whose vertices were tested.
    package var exactTests = 0

    /// Creates counters at zero.
    package init() {}
  }

  /// Returns the number of rows that intersect an envelope, including its sides; `buffer` is the one the tree was built
  /// from.
  ///
  /// - Cost: O(√n) nodes and leaves along the envelope's sides for points; for other rows also the vertices of the rows
  ///   that cross a side.
  package func count(meeting envelope: Envelope, of buffer: CoordinateBuffer) -> Int {
    var counters = Counters()
    return count(meeting: envelope, of: buffer, counters: &counters)
  }

  /// Returns the number of rows that intersect an envelope, and adds the cost.
  package func count(
    meeting envelope: Envelope, of buffer: CoordinateBuffer, counters: inout Counters
  ) -> Int {
    var visitor = CountVisitor(chosen: nil)
    visit(meeting: envelope, of: buffer, &visitor, &counters)
    return visitor.count + countPlaces(in: visitor, meeting: envelope)
  }

  /// Returns the number of rows that intersect an envelope and are in `chosen`, a result of ``packed(_:)``.
  ///
  /// Whole nodes are counted at once; along the sides only chosen rows are tested.
  package func count(
    meeting envelope: Envelope, of buffer: CoordinateBuffer, among chosen: PackedRows
  ) -> Int {
    var counters = Counters()
    return count(meeting: envelope, of: buffer, among: chosen, counters: &counters)
  }

  /// Returns the same number and adds the cost.
  package func count(
    meeting envelope: Envelope, of buffer: CoordinateBuffer, among chosen: PackedRows,
    counters: inout Counters
  ) -> Int {
    precondition(chosen.words.count == (rows.count + 63) / 64, "rows of another tree")
    var visitor = CountVisitor(chosen: chosen)
    visit(meeting: envelope, of: buffer, &visitor, &counters)
    return visitor.count + countPlaces(in: visitor, meeting: envelope)
  }

  /// Adds the rows that intersect an envelope to a list, in packed order.
  package func appendRows(
    meeting envelope: Envelope, of buffer: CoordinateBuffer, to list: inout [Int32]
  ) {
    var counters = Counters()
    var visitor = ListVisitor(rows: rows, list: list)
    list = []  // so that the visitor owns the only copy
    visit(meeting: envelope, of: buffer, &visitor, &counters)
    list = visitor.list
  }

  /// Sets the bits of the rows that intersect an envelope: row `r` is bit `r % 64` of word `r / 64`.
  ///
  /// Called for both halves of an envelope that crosses the antimeridian, it gives their union.
  package func insertRows(
    meeting envelope: Envelope, of buffer: CoordinateBuffer, into words: inout [UInt64]
  ) {
    precondition(words.count == (rowCount + 63) / 64, "words do not fit the rows")
    var counters = Counters()
    var visitor = BitVisitor(rows: rows, words: words)
    words = []  // so that the visitor owns the only copy
    visit(meeting: envelope, of: buffer, &visitor, &counters)
    words = visitor.words
  }

  /// Returns rows given as bits, in the form of ``insertRows(meeting:of:into:)``, in the order of the tree.
  ///
  /// - Cost: O(n).
  package func packed(_ words: [UInt64]) -> PackedRows {
    precondition(words.count == (rowCount + 63) / 64, "words do not fit the rows")
    let (rows, span) = (rows.span, words.span)
    return PackedRows(
      words: stride(from: 0, to: rows.count, by: 64).map { first in
        var word: UInt64 = 0
        for bit in 0..<min(64, rows.count - first) {
          let row = rows[first + bit]
          word |= (span[Int(row) >> 6] &>> UInt64(row & 63) & 1) &<< UInt64(bit)
        }
        return word
      })
  }
}
