/// The union of the pieces of a polygon that tiles cut, along the sides of the tiles.
///
/// Where pieces meet at a side, one runs along it upwards and the other downwards. These runs cancel out; what is left
/// is the outline of the union. Pieces whose sides differ by the rounding of their tiles leave steps of less than a unit.
struct RingJoin {
  /// The length of the side of a tile; sides are at its multiples.
  private let side: Double
  /// The parts of rings between runs along sides.
  private var chains: [[TileVertex]] = []
  /// The rings without such a run.
  private var whole: [[TileVertex]] = []
  /// The ends of the runs along each side: positions, and the change of direction there.
  private var runs: [TileSide: [(position: Double, change: Int)]] = [:]

  init(side: Double) { self.side = side }

  /// Adds a closed ring, whose interior is on the same side as that of the others.
  mutating func append(_ ring: [TileVertex]) {
    let open = ring.dropLast()
    let sides = open.indices.map { TileSide(ring[$0], ring[$0 + 1], length: side) }
    guard let first = sides.firstIndex(where: { $0 != nil }) else { return whole.append(ring) }
    var chain: [TileVertex] = []
    for offset in open.indices {
      let index = (first + offset) % open.count
      let (start, end) = (ring[index], ring[index + 1])
      guard let side = sides[index] else {
        if chain.isEmpty { chain = [start] }
        chain.append(end)
        continue
      }
      if !chain.isEmpty { chains.append(chain) }
      chain = []
      let (from, to) = (side.position(of: start), side.position(of: end))
      guard from != to else { continue }
      runs[side, default: []] += [
        (min(from, to), from < to ? 1 : -1), (max(from, to), from < to ? -1 : 1),
      ]
    }
    if !chain.isEmpty { chains.append(chain) }
  }

  /// Returns the rings of the union, closed, in an order that depends only on what was added.
  mutating func rings() -> [[TileVertex]] {
    for (side, ends) in runs.sorted(by: { $0.key < $1.key }) { appendRest(of: side, ends) }
    var starts: [TileVertex: [Int]] = [:]
    for index in chains.indices.reversed() { starts[chains[index][0], default: []].append(index) }
    var (rings, isUsed) = (whole, [Bool](repeating: false, count: chains.count))
    for first in chains.indices where !isUsed[first] {
      var path = chains[first]
      isUsed[first] = true
      // The first of all is the first of those that start where it does.
      _ = starts[path[0]]?.popLast()
      // The vertices at which chains meet, by their index in the path.
      var joints = [path[0]: 0]
      while let end = path.last {
        if let start = joints[end] {
          rings.append(Array(path[start...]))
          for vertex in path[(start + 1)...] where joints[vertex].map({ $0 > start }) == true {
            joints[vertex] = nil
          }
          path.removeLast(path.count - start - 1)
        } else {
          joints[end] = path.count - 1
        }
        guard let next = starts[end]?.popLast() else { break }
        isUsed[next] = true
        path += chains[next].dropFirst()
      }
    }
    return rings.compactMap(tidied)
  }

  /// Adds what is left of the runs along a side as chains.
  private mutating func appendRest(of side: TileSide, _ ends: [(position: Double, change: Int)]) {
    let ends = ends.sorted { $0.position < $1.position }
    var direction = 0
    for (end, next) in zip(ends, ends.dropFirst()) {
      direction += end.change
      guard direction != 0, end.position < next.position else { continue }
      let run = [side.vertex(at: end.position), side.vertex(at: next.position)]
      for _ in 0..<abs(direction) { chains.append(direction > 0 ? run : run.reversed()) }
    }
  }

  /// Returns a ring without vertices within a run along a side; nil for a ring without area.
  private func tidied(_ ring: [TileVertex]) -> [TileVertex]? {
    let open = Array(ring.dropLast())
    var kept: [TileVertex] = []
    for index in open.indices {
      let (before, after) = (open[(index + open.count - 1) % open.count], open[(index + 1) % open.count])
      let sides = (
        TileSide(before, open[index], length: side), TileSide(open[index], after, length: side)
      )
      if let first = sides.0, first == sides.1,
        (first.position(of: open[index]) - first.position(of: before))
          * (first.position(of: after) - first.position(of: open[index])) > 0
      {
        continue
      }
      kept.append(open[index])
    }
    return kept.count < 3 ? nil : kept + [kept[0]]
  }
}

/// A line between tiles: a column's or a row's.
struct TileSide: Hashable, Comparable {
  /// Whether all its positions have one x.
  let isVertical: Bool
  /// The x or the y that its positions have in common.
  let common: Double

  /// Returns the line between tiles that a vertex is on; of two, the vertical one; nil for none.
  init?(of vertex: TileVertex, length: Double) {
    if vertex.x.remainder(dividingBy: length) == 0 {
      (isVertical, common) = (true, vertex.x)
    } else if vertex.y.remainder(dividingBy: length) == 0 {
      (isVertical, common) = (false, vertex.y)
    } else {
      return nil
    }
  }

  /// Returns the line between tiles along which a segment runs; nil for none.
  init?(_ start: TileVertex, _ end: TileVertex, length: Double) {
    if start.x == end.x, start.x.remainder(dividingBy: length) == 0 {
      (isVertical, common) = (true, start.x)
    } else if start.y == end.y, start.y.remainder(dividingBy: length) == 0 {
      (isVertical, common) = (false, start.y)
    } else {
      return nil
    }
  }

  static func < (first: TileSide, second: TileSide) -> Bool {
    first.isVertical == second.isVertical ? first.common < second.common : first.isVertical
  }

  /// Returns the position of a vertex along the line.
  func position(of vertex: TileVertex) -> Double { isVertical ? vertex.y : vertex.x }

  /// Returns the vertex at a position along the line.
  func vertex(at position: Double) -> TileVertex {
    isVertical ? TileVertex(x: common, y: position) : TileVertex(x: position, y: common)
  }
}
