/// The lines that tiles cut, joined at the sides of the tiles.
///
/// A line that leaves a tile continues with the one that enters the next tile at the same position, or within a unit of
/// it, since tiles round. Lines within a tile stay as they are.
struct LineJoin {
  /// The length of the side of a tile.
  private let side: Double
  private var parts: [(vertices: [TileVertex], tile: Int)] = []
  private var partsAlongSides: Set<[TileVertex]> = []

  /// The greatest distance between the ends of a cut line.
  private static let tolerance = 1.0

  /// Creates a join of no lines.
  init(side: Double) { self.side = side }

  /// Adds a part of a line in a tile.
  mutating func append(_ vertices: [TileVertex], tile: Int) {
    // Both tiles have a line along their common side.
    let isAlongSide = zip(vertices, vertices.dropFirst()).allSatisfy { TileSide($0, $1, length: side) != nil }
    if isAlongSide, !partsAlongSides.insert(vertices).inserted { return }
    parts.append((vertices, tile))
  }

  /// Returns the joined lines, in the order of their first parts.
  func lines() -> [[TileVertex]] {
    var links = Links(count: parts.count)
    // Equal ends first: a nearer line of the same feature must not take the place of the line itself.
    link(&links, within: 0)
    link(&links, within: Self.tolerance)
    // Lines that are closed by joining have no first part.
    let firsts = parts.indices.filter { !links.hasPrevious[$0] } + Array(parts.indices)
    var isUsed = parts.map { _ in false }
    return firsts.compactMap { isUsed[$0] ? nil : line(from: $0, links, &isUsed) }
  }

  /// The parts that continue others; each continues at most one and is continued by at most one.
  private struct Links {
    private(set) var next: [Int?]
    private(set) var hasPrevious: [Bool]

    init(count: Int) {
      (next, hasPrevious) = (Array(repeating: nil, count: count), Array(repeating: false, count: count))
    }

    mutating func join(_ exit: Int, _ entry: Int) { (next[exit], hasPrevious[entry]) = (entry, true) }
  }

  /// The parts that end and those that start on a side, with their positions along it.
  private struct Ends {
    var exits: [(position: Double, part: Int)] = []
    var entries: [(position: Double, part: Int)] = []
  }

  /// Returns the ends on each side that are not linked yet.
  private func openEnds(_ links: Links) -> [TileSide: Ends] {
    var ends: [TileSide: Ends] = [:]
    for (part, (vertices, _)) in parts.enumerated() {
      if links.next[part] == nil, let end = vertices.last, let line = TileSide(of: end, length: side) {
        ends[line, default: Ends()].exits.append((line.position(of: end), part))
      }
      if !links.hasPrevious[part], let start = vertices.first, let line = TileSide(of: start, length: side) {
        ends[line, default: Ends()].entries.append((line.position(of: start), part))
      }
    }
    return ends
  }

  /// Links each part to one of another tile that starts where it ends, or at most a distance beside that.
  private func link(_ links: inout Links, within distance: Double) {
    for ends in openEnds(links).values {
      let (exits, entries) = (ends.exits.sorted(by: <), ends.entries.sorted(by: <))
      var (i, j) = (0, 0)
      while i < exits.count, j < entries.count {
        let (exit, entry) = (exits[i], entries[j])
        if abs(exit.position - entry.position) <= distance, parts[exit.part].tile != parts[entry.part].tile {
          links.join(exit.part, entry.part)
          (i, j) = (i + 1, j + 1)
        } else if exit.position < entry.position {
          i += 1
        } else {
          j += 1
        }
      }
    }
  }

  /// Returns the line that starts with a part; a line whose last part leads to its first ends exactly where it starts.
  private func line(from first: Int, _ links: Links, _ isUsed: inout [Bool]) -> [TileVertex] {
    var (line, current) = (parts[first].vertices, first)
    isUsed[first] = true
    while let next = links.next[current], !isUsed[next] {
      line += parts[next].vertices.dropFirst()
      isUsed[next] = true
      current = next
    }
    if links.next[current] == first { line[line.count - 1] = line[0] }
    return line
  }
}
