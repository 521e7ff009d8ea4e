/// A static R-tree over the rows of a buffer, packed along a Hilbert curve: rows that meet an envelope, and
/// how many.
///
/// The rows stand in the curve's order (``rows``), 64 to a leaf, 16 nodes to a node above. A node stands for
/// a range of that order, so one that lies inside the envelope adds its whole range without a look at what is
/// below. Rows without geometry are left out. Equal input gives an equal tree.
///
/// - Source: Kamel and Faloutsos, "On packing R-trees", CIKM 1993; flat arrays and the sweep of whole
///   subtrees as in flatbush.
/// - Error: none; edges are decided on the coordinates as they are, see ``CoordinateBuffer/row(_:meets:)``.
/// - Cost: O(n) to build, some 30 ns a row on two cores; 22 bytes a point, 36 any other row, and a fiftieth more.
public struct PackedRTree: Sendable {
  /// Most rows in a leaf: as many as a word has bits.
  public static let leafCapacity = 64
  /// Most nodes below a node.
  public static let fanOut = 16

  /// The rows with geometry in packed order.
  public let rows: [Int32]
  /// Number of rows of the buffer, those without geometry included.
  public let rowCount: Int
  /// Envelopes of the rows, in packed order.
  let items: EnvelopeColumns
  /// Envelopes of the nodes, leaves first, then level by level.
  let nodes: EnvelopeColumns
  /// For every level, leaves first, the index of its first node.
  let levelStarts: [Int]
  /// True when an envelope says all about its row, since it is one place.
  let holdsPoints: Bool
  /// For places, the leaves once more in bytes.
  let xCells: LeafCells
  /// The same of y.
  let yCells: LeafCells

  /// A tree over the rows of a buffer; of at most 2³¹ - 1.
  public init(of buffer: CoordinateBuffer) {
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
      // Halved before they are added, two finite sides cannot overflow.
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

  /// The smallest envelope that holds all rows, without a reference.
  public var extent: Envelope { nodes.count == 0 ? .empty : nodes[nodes.count - 1] }
}

extension PackedRTree {
  /// What a question cost, for tests and reports; added up over questions.
  public struct Counters: Hashable, Sendable {
    /// Nodes whose envelope was compared.
    public var nodes = 0
    /// Rows whose envelope was compared.
    public var rows = 0
    /// Rows whose vertices were looked at.
    public var exactTests = 0

    /// Nothing yet.
    public init() {}
  }

  /// How many rows meet the envelope, sides included; `buffer` is the one the tree was made of.
  ///
  /// O(√n) nodes and leaves along the envelope's sides, for points; for the rest, the vertices of the rows
  /// across a side besides.
  public func count(meeting envelope: Envelope, of buffer: CoordinateBuffer) -> Int {
    var counters = Counters()
    return count(meeting: envelope, of: buffer, counters: &counters)
  }

  /// How many rows meet the envelope, and what it cost.
  public func count(
    meeting envelope: Envelope, of buffer: CoordinateBuffer, counters: inout Counters
  ) -> Int {
    var visitor = CountVisitor(chosen: nil)
    visit(meeting: envelope, of: buffer, &visitor, &counters)
    return visitor.count + countPlaces(in: visitor, meeting: envelope)
  }

  /// How many rows meet the envelope and are among `chosen`, which ``packed(_:)`` gave.
  ///
  /// Whole nodes count at once; at the sides only chosen rows are looked at.
  public func count(
    meeting envelope: Envelope, of buffer: CoordinateBuffer, among chosen: PackedRows
  ) -> Int {
    var counters = Counters()
    return count(meeting: envelope, of: buffer, among: chosen, counters: &counters)
  }

  /// The same, and what it cost.
  public func count(
    meeting envelope: Envelope, of buffer: CoordinateBuffer, among chosen: PackedRows,
    counters: inout Counters
  ) -> Int {
    precondition(chosen.words.count == (rows.count + 63) / 64, "rows of another tree")
    var visitor = CountVisitor(chosen: chosen)
    visit(meeting: envelope, of: buffer, &visitor, &counters)
    return visitor.count + countPlaces(in: visitor, meeting: envelope)
  }

  /// Adds the rows that meet the envelope to a list, in packed order.
  public func appendRows(
    meeting envelope: Envelope, of buffer: CoordinateBuffer, to list: inout [Int32]
  ) {
    var counters = Counters()
    var visitor = ListVisitor(rows: rows, list: list)
    list = []  // so that the visitor owns the only copy
    visit(meeting: envelope, of: buffer, &visitor, &counters)
    list = visitor.list
  }

  /// Sets the bits of the rows that meet the envelope: row `r` is bit `r % 64` of word `r / 64`.
  ///
  /// Called for both halves of an envelope that crosses the antimeridian, it gives their union.
  public func insertRows(
    meeting envelope: Envelope, of buffer: CoordinateBuffer, into words: inout [UInt64]
  ) {
    precondition(words.count == (rowCount + 63) / 64, "words do not fit the rows")
    var counters = Counters()
    var visitor = BitVisitor(rows: rows, words: words)
    words = []  // so that the visitor owns the only copy
    visit(meeting: envelope, of: buffer, &visitor, &counters)
    words = visitor.words
  }

  /// Rows given as bits of words, as ``insertRows(meeting:of:into:)`` sets them, in the order of the tree.
  ///
  /// O(n).
  public func packed(_ words: [UInt64]) -> PackedRows {
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
