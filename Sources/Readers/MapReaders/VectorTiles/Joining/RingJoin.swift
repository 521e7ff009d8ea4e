/// The union of the pieces of a polygon that tiles cut, along the sides of the tiles.
///
/// Two pieces that meet at a side run along it in opposite directions. These runs cancel out, and the outline of the
/// union is left. Pieces whose sides differ by the rounding of their tiles leave steps of less than a unit.
///
/// Each position is the end of as many runs and chains as start there, because rings are closed; a run that is left out
/// has an opposite one. Therefore, what is left can always be connected to closed rings.
struct RingJoin {
  /// The length of the side of a tile; sides are at its multiples.
  private let side: Double
  /// The parts of rings between runs along sides.
  private var chains: [[TileVertex]] = []
  /// The rings without such a run.
  private var whole: [[TileVertex]] = []
  /// The runs along each side: 1 at the position where one starts, and -1 where it ends.
  private var runs: [TileSide: [(position: Double, change: Int)]] = [:]

  /// Creates a union of no pieces.
  init(side: Double) { self.side = side }

  /// Adds a closed ring, whose interior is on the same side as that of the others.
  mutating func append(_ ring: [TileVertex]) {
    let sides = ring.indices.dropLast().map { TileSide(ring[$0], ring[$0 + 1], length: side) }
    guard let first = sides.firstIndex(where: { $0 != nil }) else { return whole.append(ring) }
    var chain: [TileVertex] = []
    // A ring that begins with a run has whole chains between its runs.
    for index in Array(sides.indices[first...]) + sides.indices[..<first] {
      let (start, end) = (ring[index], ring[index + 1])
      if let side = sides[index] {
        if !chain.isEmpty { chains.append(chain) }
        chain = []
        runs[side, default: []] += [(side.position(of: start), 1), (side.position(of: end), -1)]
      } else {
        chain += chain.isEmpty ? [start, end] : [end]
      }
    }
    if !chain.isEmpty { chains.append(chain) }
  }

  /// Returns the rings of the union, closed, in an order that depends only on what was added.
  func rings() -> [[TileVertex]] {
    let rest = runs.sorted { $0.key < $1.key }.flatMap { Self.rest(of: $0.value, along: $0.key) }
    return (whole + Self.rings(of: chains + rest)).compactMap(tidied)
  }

  /// Returns the runs along a side without those that cancel out; at most as many as were added.
  ///
  /// A run ends at each position where another begins or ends. Only of several that go on together, each stays whole.
  private static func rest(
    of changes: [(position: Double, change: Int)], along side: TileSide
  ) -> [[TileVertex]] {
    let changes = changes.sorted { $0.position < $1.position }
    // The starts of the runs so far, and the number of those to larger positions without that of those to smaller ones.
    var (runs, starts, surplus) = ([[TileVertex]](), [Double](), 0)
    var index = 0
    while index < changes.count {
      let (position, before) = (changes[index].position, surplus)
      while index < changes.count, changes[index].position == position {
        surplus += changes[index].change
        index += 1
      }
      let areSeveral = abs(before) > 1 && before.signum() == surplus.signum()
      let kept = areSeveral ? min(abs(before), abs(surplus)) : 0
      while starts.count > kept {
        let run = [side.vertex(at: starts.removeLast()), side.vertex(at: position)]
        runs.append(before > 0 ? run : run.reversed())
      }
      while starts.count < abs(surplus) { starts.append(position) }
    }
    return runs
  }

  /// Connects chains to rings; each ring ends as soon as it comes back to a position where chains meet.
  private static func rings(of chains: [[TileVertex]]) -> [[TileVertex]] {
    // The chains from each position that are left, the last first.
    var starting = Dictionary(grouping: chains.indices.reversed()) { chains[$0][0] }
    var rings: [[TileVertex]] = []
    for first in chains.indices {
      // The chains that are followed and not part of a ring yet; no two of them start at one position.
      var (trail, places): ([Int], [TileVertex: Int]) = ([], [:])
      var position = chains[first][0]
      while let next = starting[position]?.popLast() {
        places[position] = trail.count
        trail.append(next)
        position = chains[next][chains[next].count - 1]
        guard let start = places[position] else { continue }
        rings.append([position] + trail[start...].flatMap { chains[$0].dropFirst() })
        for chain in trail[start...] { places[chains[chain][0]] = nil }
        trail.removeSubrange(start...)
      }
    }
    return rings
  }

  /// Returns a ring without the vertices at which two runs along a side continue each other; nil for a ring without area.
  private func tidied(_ ring: [TileVertex]) -> [TileVertex]? {
    let open = ring.dropLast()
    let kept = open.indices.filter { index in
      let (before, after) = (index == 0 ? open[open.count - 1] : open[index - 1], ring[index + 1])
      return !isWithinRun(open[index], before, after)
    }.map { open[$0] }
    return kept.count < 3 ? nil : kept + [kept[0]]
  }

  /// Returns whether a vertex is between two others on one side.
  private func isWithinRun(_ vertex: TileVertex, _ before: TileVertex, _ after: TileVertex) -> Bool {
    guard let line = TileSide(before, vertex, length: side), line == TileSide(vertex, after, length: side)
    else { return false }
    let position = line.position(of: vertex)
    return (position - line.position(of: before)) * (line.position(of: after) - position) > 0
  }
}
