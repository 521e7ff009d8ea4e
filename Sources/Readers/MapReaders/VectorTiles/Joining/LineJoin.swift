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
    var (next, hasPrevious) = ([Int?](repeating: nil, count: parts.count), parts.map { _ in false })
    func join(_ exit: Int, _ entry: Int) {
      (next[exit], hasPrevious[entry]) = (entry, true)
    }
    joinEqualEnds(join)
    joinNearEnds(
      exits: parts.indices.filter { next[$0] == nil }, entries: parts.indices.filter { !hasPrevious[$0] },
      join)
    var (lines, isUsed): ([[TileVertex]], [Bool]) = ([], parts.map { _ in false })
    // Lines that are closed by joining have no first part.
    for first in parts.indices.filter({ !hasPrevious[$0] }) + Array(parts.indices) where !isUsed[first] {
      var line = parts[first].vertices
      isUsed[first] = true
      var current = first
      while let following = next[current], !isUsed[following] {
        line += parts[following].vertices.dropFirst()
        isUsed[following] = true
        current = following
      }
      if let start = next[current], start == first, current != first, let vertex = line.first {
        line[line.count - 1] = vertex
      }
      lines.append(line)
    }
    return lines
  }

  /// Joins the parts of different tiles where one ends and one starts.
  private func joinEqualEnds(_ join: (Int, Int) -> Void) {
    var ends: [TileVertex: (exits: [Int], entries: [Int])] = [:]
    for (index, part) in parts.enumerated() {
      guard let start = part.vertices.first, let end = part.vertices.last else { continue }
      if TileSide(of: end, length: side) != nil { ends[end, default: ([], [])].exits.append(index) }
      if TileSide(of: start, length: side) != nil { ends[start, default: ([], [])].entries.append(index) }
    }
    for (exits, entries) in ends.values where exits.count == 1 && entries.count == 1 {
      if parts[exits[0]].tile != parts[entries[0]].tile { join(exits[0], entries[0]) }
    }
  }

  /// Joins the parts of different tiles whose ends are near each other on a side.
  private func joinNearEnds(exits: [Int], entries: [Int], _ join: (Int, Int) -> Void) {
    var sides: [TileSide: (exits: [Int], entries: [Int])] = [:]
    func end(_ index: Int) -> TileVertex { parts[index].vertices[parts[index].vertices.count - 1] }
    func start(_ index: Int) -> TileVertex { parts[index].vertices[0] }
    for index in exits {
      if let line = TileSide(of: end(index), length: side) {
        sides[line, default: ([], [])].exits.append(index)
      }
    }
    for index in entries {
      if let line = TileSide(of: start(index), length: side) {
        sides[line, default: ([], [])].entries.append(index)
      }
    }
    for (line, ends) in sides {
      let exits = ends.exits.map { (line.position(of: end($0)), $0) }.sorted(by: <)
      let entries = ends.entries.map { (line.position(of: start($0)), $0) }.sorted(by: <)
      var (i, j) = (0, 0)
      while i < exits.count, j < entries.count {
        let distance = exits[i].0 - entries[j].0
        if abs(distance) <= Self.tolerance, parts[exits[i].1].tile != parts[entries[j].1].tile {
          join(exits[i].1, entries[j].1)
          (i, j) = (i + 1, j + 1)
        } else if distance < 0 {
          i += 1
        } else {
          j += 1
        }
      }
    }
  }
}
