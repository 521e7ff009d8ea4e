import MapGeometry
import MapModel

/// The visible chains of lines that have the same text, joined at shared ends.
struct LabelLines {
  /// A chain of vertices in pixels.
  struct Chain {
    var x: [Double]
    var y: [Double]
    /// The table row of the first line.
    let row: Int
    /// Half the width of the widest line.
    var halfWidth: Double
  }

  /// An end of a chain.
  private struct End: Hashable {
    let x: Double
    let y: Double
  }

  /// The cosine of the largest angle between lines that are joined, 90 degrees.
  private static let joinLimit = 0.0

  private(set) var chains: [Chain] = []

  /// Joins chains with equal ends where at most two of them meet, or those two that continue straightest.
  ///
  /// A class that joins no lines at junctions has only the first rule. One that follows the direction of lines does
  /// not reverse lines: it joins an end to a start only.
  ///
  /// - Cost: O(chains + vertices), where few chains share an end.
  init(joining parts: [Chain], _ definition: LabelDefinition) {
    let keepsDirection = definition.textOrientation == .direction || definition.lineOrientation == .direction
    var ends: [End: [(chain: Int, isStart: Bool)]] = [:]
    var order: [End] = []
    for (index, part) in parts.enumerated() where part.x.count > 1 {
      for isStart in [true, false] {
        let vertex = isStart ? 0 : part.x.count - 1
        let end = End(x: part.x[vertex], y: part.y[vertex])
        if ends[end] == nil { order.append(end) }
        ends[end, default: []].append((index, isStart))
      }
    }
    /// For the start and end of each chain, the chain that continues it, and whether by its start.
    var next: [[(chain: Int, isStart: Bool)?]] = Array(repeating: [nil, nil], count: parts.count)
    for end in order {
      guard let all = ends[end], definition.joinsLinesAtJunctions || all.count == 2 else { continue }
      var free = Array(all.prefix(8))
      while free.count > 1 {
        var best: (a: Int, b: Int, value: Double)?
        for a in free.indices {
          for b in free.indices.dropFirst(a + 1) where free[a].chain != free[b].chain {
            if keepsDirection, free[a].isStart == free[b].isStart { continue }
            let (first, second) = (Self.direction(parts, free[a]), Self.direction(parts, free[b]))
            let value = -(first.x * second.x + first.y * second.y)
            if value > best?.value ?? Self.joinLimit { best = (a, b, value) }
          }
        }
        guard let best else { break }
        let (a, b) = (free[best.a], free[best.b])
        next[a.chain][a.isStart ? 0 : 1] = b
        next[b.chain][b.isStart ? 0 : 1] = a
        free.remove(at: best.b)
        free.remove(at: best.a)
      }
    }
    var isUsed = Array(repeating: false, count: parts.count)
    // Chains with a free end first, then rings of chains.
    for needsEnd in [true, false] {
      for index in parts.indices where !isUsed[index] && parts[index].x.count > 1 {
        guard !needsEnd || next[index][0] == nil || (!keepsDirection && next[index][1] == nil) else {
          continue
        }
        var place = (chain: index, isStart: next[index][0] == nil || next[index][1] != nil)
        var chain = Chain(x: [], y: [], row: parts[index].row, halfWidth: 0)
        while !isUsed[place.chain] {
          isUsed[place.chain] = true
          let part = parts[place.chain]
          let skip = chain.x.isEmpty ? 0 : 1
          chain.x += (place.isStart ? part.x : part.x.reversed()).dropFirst(skip)
          chain.y += (place.isStart ? part.y : part.y.reversed()).dropFirst(skip)
          chain.halfWidth = max(chain.halfWidth, part.halfWidth)
          guard let following = next[place.chain][place.isStart ? 1 : 0] else { break }
          place = following
        }
        chains.append(chain)
      }
    }
  }

  /// Returns the longest chain of each feature, in order.
  static func longest(_ chains: [Chain]) -> [Chain] {
    let lengths = chains.map { LabelBaseline(x: $0.x, y: $0.y).length }
    var best: [Int: Int] = [:]
    for index in chains.indices {
      let row = chains[index].row
      if lengths[index] > best[row].map({ lengths[$0] }) ?? -1 { best[row] = index }
    }
    return best.values.sorted().map { chains[$0] }
  }

  /// Returns the direction from an end into its chain.
  private static func direction(
    _ parts: [Chain], _ end: (chain: Int, isStart: Bool)
  ) -> (x: Double, y: Double) {
    let part = parts[end.chain]
    let count = part.x.count
    let (from, to) = end.isStart ? (0, 1) : (count - 1, count - 2)
    let (dx, dy) = (part.x[to] - part.x[from], part.y[to] - part.y[from])
    let length = (dx * dx + dy * dy).squareRoot()
    return length > 0 ? (dx / length, dy / length) : (0, 0)
  }
}
