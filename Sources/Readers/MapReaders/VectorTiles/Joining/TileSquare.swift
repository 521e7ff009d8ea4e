import MapGeometry

/// A vertex in units of tiles, to the right and downwards from the corner of the world.
struct TileVertex: Hashable {
  var x: Double
  var y: Double
}

/// The square of a tile, which cuts off the buffer that tiles have around it.
struct TileSquare {
  let xMin: Double
  let yMin: Double
  /// The length of a side.
  let side: Double
  /// The number of steps per unit to which new vertices are rounded, so that both sides of an edge compute the same.
  private let steps: Double

  /// Creates the square of a tile by its column and row.
  init(column: Int, row: Int, extent: Int) {
    side = Double(extent)
    (xMin, yMin) = (Double(column) * side, Double(row) * side)
    // Positions of the whole world at level 30 still fit a double.
    steps = Double(sign: .plus, exponent: max(0, 20 - Int(side.exponent)), significand: 1)
  }

  /// Returns whether a vertex is in the square or on its sides.
  func contains(_ vertex: TileVertex) -> Bool {
    vertex.x >= xMin && vertex.x <= xMin + side && vertex.y >= yMin && vertex.y <= yMin + side
  }

  /// Returns whether a vertex is on a side.
  func isOnSide(_ vertex: TileVertex) -> Bool {
    vertex.x == xMin || vertex.x == xMin + side || vertex.y == yMin || vertex.y == yMin + side
  }

  // MARK: Rings

  /// Returns the part of a closed ring in the square, closed; empty for none.
  ///
  /// Parts that are apart in the square are connected along its sides, there and back; ``RingJoin`` removes that.
  ///
  /// - Source: Sutherland and Hodgman, Reentrant polygon clipping (1974).
  func clipped(ring: [TileVertex]) -> [TileVertex] {
    if ring.allSatisfy(contains) { return ring }
    var open = Array(ring.dropLast())
    for edge in sides {
      guard !open.isEmpty else { return [] }
      open = clipped(open, edge)
    }
    var kept: [TileVertex] = []
    for vertex in open where vertex != kept.last { kept.append(vertex) }
    while kept.count > 1, kept.last == kept[0] { kept.removeLast() }
    // A ring in the buffer may touch the square.
    return kept.count < 3
      || sides.contains { edge in kept.allSatisfy { $0[keyPath: edge.axis] == edge.limit } }
      ? [] : kept + [kept[0]]
  }

  /// A side: the coordinate that it bounds, its position, and whether smaller coordinates are inside.
  private struct Side {
    let axis: WritableKeyPath<TileVertex, Double>
    let across: WritableKeyPath<TileVertex, Double>
    let limit: Double
    let keepsLess: Bool

    func contains(_ vertex: TileVertex) -> Bool {
      keepsLess ? vertex[keyPath: axis] <= limit : vertex[keyPath: axis] >= limit
    }
  }

  private var sides: [Side] {
    [
      Side(axis: \.x, across: \.y, limit: xMin, keepsLess: false),
      Side(axis: \.x, across: \.y, limit: xMin + side, keepsLess: true),
      Side(axis: \.y, across: \.x, limit: yMin, keepsLess: false),
      Side(axis: \.y, across: \.x, limit: yMin + side, keepsLess: true),
    ]
  }

  private func clipped(_ ring: [TileVertex], _ edge: Side) -> [TileVertex] {
    var result: [TileVertex] = []
    guard var last = ring.last else { return [] }
    for vertex in ring {
      if edge.contains(vertex) != edge.contains(last) { result.append(crossing(last, vertex, edge)) }
      if edge.contains(vertex) { result.append(vertex) }
      last = vertex
    }
    return result
  }

  /// Returns the crossing of a segment and a side, the same for both directions of the segment.
  private func crossing(_ first: TileVertex, _ second: TileVertex, _ edge: Side) -> TileVertex {
    let isOrdered = (first.x, first.y) < (second.x, second.y)
    let (a, b) = isOrdered ? (first, second) : (second, first)
    let share = (edge.limit - a[keyPath: edge.axis]) / (b[keyPath: edge.axis] - a[keyPath: edge.axis])
    let (start, end) = (a[keyPath: edge.across], b[keyPath: edge.across])
    var vertex = a
    vertex[keyPath: edge.axis] = edge.limit
    vertex[keyPath: edge.across] = min(
      max(((start + (end - start) * share) * steps).rounded() / steps, min(start, end)), max(start, end))
    return vertex
  }

  // MARK: Lines

  /// Returns the parts of a line in the square; those along a side belong to it.
  func clipped(line: [TileVertex]) -> [[TileVertex]] {
    if line.allSatisfy(contains) { return [line] }
    var (parts, open): ([[TileVertex]], [TileVertex]) = ([], [])
    func end() {
      if open.count > 1 { parts.append(open) }
      open = []
    }
    for (first, second) in zip(line, line.dropFirst()) {
      guard let (start, stop) = clipped(first, second) else {
        end()
        continue
      }
      if open.last != start {
        end()
        open = [start]
      }
      if stop != start { open.append(stop) }
      if stop != second { end() }
    }
    end()
    return parts
  }

  /// Returns the part of a segment in the square; nil for none.
  private func clipped(_ first: TileVertex, _ second: TileVertex) -> (TileVertex, TileVertex)? {
    var (start, stop) = (first, second)
    for edge in sides {
      switch (edge.contains(start), edge.contains(stop)) {
      case (true, true): continue
      case (false, false): return nil
      case (true, false): stop = crossing(start, stop, edge)
      case (false, true): start = crossing(start, stop, edge)
      }
    }
    return (start, stop)
  }
}
