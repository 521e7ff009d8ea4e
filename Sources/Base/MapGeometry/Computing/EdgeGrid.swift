import MapSystem

/// A grid over edges, which finds the pairs of edges that may meet.
struct EdgeGrid {
  /// An edge between two points, with the number of its polygon.
  struct Edge: Hashable {
    var (ax, ay, bx, by): (Double, Double, Double, Double)
    let polygon: Int32

    /// Whether the envelopes of two edges share a point.
    func isNear(_ other: Edge) -> Bool {
      min(ax, bx) <= max(other.ax, other.bx) && max(ax, bx) >= min(other.ax, other.bx)
        && min(ay, by) <= max(other.ay, other.by) && max(ay, by) >= min(other.ay, other.by)
    }
  }

  private let envelope: Envelope
  private let side: Int
  /// For every cell the index after its last entry in ``entries``.
  private var ends: [Int] = []
  /// The edges of each cell, by their index.
  private var entries: [Int32] = []

  /// Creates a grid; nil where the edges are in too many cells.
  ///
  /// - Parameter limit: the greatest number of entries.
  init?(_ edges: [Edge], limit: Int) {
    var box = Envelope.empty
    for edge in edges {
      box = box.union(
        Envelope(
          xMin: min(edge.ax, edge.bx), yMin: min(edge.ay, edge.by), xMax: max(edge.ax, edge.bx),
          yMax: max(edge.ay, edge.by)))
    }
    envelope = box
    side = max(1, min(1024, Int(clamping: Double(edges.count).squareRoot())))
    var counts = [Int](repeating: 0, count: side * side)
    var total = 0
    for edge in edges {
      let (columns, rows) = cells(of: edge)
      total += columns.count * rows.count
      guard total <= limit else { return nil }
      for row in rows { for column in columns { counts[row * side + column] += 1 } }
    }
    var start = 0
    for index in counts.indices {
      ends.append(start)
      start += counts[index]
    }
    entries = [Int32](repeating: 0, count: total)
    for (index, edge) in edges.enumerated() {
      let (columns, rows) = cells(of: edge)
      for row in rows {
        for column in columns {
          entries[ends[row * side + column]] = Int32(truncatingIfNeeded: index)
          ends[row * side + column] += 1
        }
      }
    }
  }

  private func cells(of edge: Edge) -> (columns: ClosedRange<Int>, rows: ClosedRange<Int>) {
    func cell(_ value: Double, _ low: Double, _ length: Double) -> Int {
      let share = (value - low) / length * Double(side)
      return share > 0 ? Int(clamping: min(share, Double(side - 1))) : 0
    }
    let (west, south) = (envelope.xMin, envelope.yMin)
    let columns = (
      cell(min(edge.ax, edge.bx), west, envelope.width), cell(max(edge.ax, edge.bx), west, envelope.width)
    )
    let rows = (
      cell(min(edge.ay, edge.by), south, envelope.height), cell(max(edge.ay, edge.by), south, envelope.height)
    )
    return (columns.0...columns.1, rows.0...rows.1)
  }

  /// Calls a function with each pair of edges whose envelopes meet, some more than once, until it returns false.
  ///
  /// - Parameter budget: the number of pairs that may still be compared; below 0 if they did not suffice.
  func forEachPair(_ edges: [Edge], budget: inout Int, _ body: (Int, Int) -> Bool) {
    var start = 0
    for end in ends {
      for first in start..<end {
        let a = Int(entries[first])
        budget -= end - first
        guard budget >= 0 else { return }
        for second in first + 1..<max(first + 1, end) {
          let b = Int(entries[second])
          if edges[a].isNear(edges[b]), !body(a, b) { return }
        }
      }
      start = end
    }
  }
}
