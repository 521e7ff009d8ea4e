extension PackedRTree {
  /// Sets the bits of the points inside a polygon and of those on its boundary, in a tree of points.
  ///
  /// Bits are numbered as in ``insertRows(meeting:of:into:)``. A node that no edge touches lies entirely inside or
  /// outside, so only the points of leaves along the boundary are tested. The polygon is moved east by `shift`.
  ///
  /// - Error: none, see ``PointLocator``.
  /// - Cost: O(√n) points for each edge's length in leaves, plus the bits of the points inside.
  package func insertPlaces(
    in locator: PointLocator, movedEast shift: Double, inside: inout [UInt64], boundary: inout [UInt64]
  ) {
    var counters = Counters()
    insertPlaces(in: locator, movedEast: shift, inside: &inside, boundary: &boundary, counters: &counters)
  }

  /// Sets the same bits and adds the cost; an exact test compares one point with the edges of its strip.
  package func insertPlaces(
    in locator: PointLocator, movedEast shift: Double, inside: inout [UInt64], boundary: inout [UInt64],
    counters: inout Counters
  ) {
    precondition(holdsPoints, "a tree of places")
    precondition(inside.count == (rowCount + 63) / 64 && boundary.count == inside.count, "words do not fit")
    guard nodes.count > 0 else { return }
    var search = PolygonSearch(
      tree: self, locator: locator, shift: shift, inside: BitVisitor(rows: rows, words: inside),
      boundary: BitVisitor(rows: rows, words: boundary), counters: counters)
    (inside, boundary) = ([], [])  // so that the search owns the only copies
    search.visit(nodes.count - 1..<nodes.count, level: levelStarts.count - 1, edges: locator.allEdges)
    (inside, boundary, counters) = (search.inside.words, search.boundary.words, search.counters)
  }
}

/// A traversal of the tree with its results.
private struct PolygonSearch {
  let tree: PackedRTree
  let locator: PointLocator
  let shift: Double
  var inside: BitVisitor
  var boundary: BitVisitor
  var counters: PackedRTree.Counters

  /// Visits neighbouring nodes of one level; `edges` are those that touch the node above.
  mutating func visit(_ range: Range<Int>, level: Int, edges: [Int32]) {
    counters.nodes &+= range.count
    for node in range {
      let box = tree.nodes[node]
      // Rounding is monotonic, so the rounded box still contains the points as rounded below.
      let moved = Envelope(
        xMin: box.xMin - shift, yMin: box.yMin, xMax: box.xMax - shift, yMax: box.yMax)
      let edges = locator.edges(edges, meeting: moved)
      let place = node - tree.levelStarts[level]
      let first = place << (6 + 4 * level)
      let rows = first..<min(tree.items.count, first + 1 << (6 + 4 * level))
      if edges.isEmpty {
        if locator.location(x: moved.xMin, y: moved.yMin) == .inside { inside.take(rows) }
      } else if level == 0 {
        visit(rows)
      } else {
        let below = tree.levelStarts[level - 1] + place * PackedRTree.fanOut
        visit(
          below..<min(tree.levelStarts[level], below + PackedRTree.fanOut), level: level - 1, edges: edges)
      }
    }
  }

  private mutating func visit(_ rows: Range<Int>) {
    counters.rows &+= rows.count
    counters.exactTests &+= rows.count
    var (inner, edge): (UInt64, UInt64) = (0, 0)
    for index in rows {
      switch locator.location(x: tree.items.xMin[index] - shift, y: tree.items.yMin[index]) {
      case .inside: inner |= 1 << UInt64(index & 63)
      case .boundary: edge |= 1 << UInt64(index & 63)
      case .outside: break
      }
    }
    inside.take(leaf: rows.lowerBound >> 6, bits: inner)
    boundary.take(leaf: rows.lowerBound >> 6, bits: edge)
  }
}
