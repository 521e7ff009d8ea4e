/// The lines of a tile, joined where lines with equal names meet.
///
/// - Source: MapLibre GL JS 5, which joins the first part of each feature.
struct MergedLines {
  /// A line with the position of the feature whose values it has.
  struct Line {
    let feature: Int
    let line: SymbolLine
  }

  /// Pieces that are joined, by the first and the last one.
  private struct Chain {
    let feature: Int
    var first: Int
    var last: Int
  }

  /// An end of a line.
  private struct End: Hashable {
    let name: String
    let x: Double
    let y: Double
  }

  private var pieces: [SymbolLine] = []
  /// The piece after each piece; nil after the last of a chain.
  private var next: [Int?] = []
  /// The chains; nil for one that became a part of another.
  private var chains: [Chain?] = []
  /// The chains that start and that end at a point.
  private var starts: [End: Int] = [:]
  private var ends: [End: Int] = [:]

  /// The lines in the order of their first features.
  var lines: [Line] {
    chains.compactMap { chain in
      guard let chain else { return nil }
      var line = pieces[chain.first]
      var piece = next[chain.first]
      while let index = piece {
        line.append(pieces[index])
        piece = next[index]
      }
      return Line(feature: chain.feature, line: line)
    }
  }

  /// Adds a line that is not joined.
  mutating func add(_ line: SymbolLine, feature: Int) {
    chains.append(Chain(feature: feature, first: pieces.count, last: pieces.count))
    pieces.append(line)
    next.append(nil)
  }

  /// Adds a line, joined with those of the same name at its ends.
  mutating func add(_ line: SymbolLine, feature: Int, name: String) {
    guard let firstX = line.x.first, let firstY = line.y.first, let lastX = line.x.last,
      let lastY = line.y.last
    else { return }
    let start = End(name: name, x: firstX, y: firstY)
    let end = End(name: name, x: lastX, y: lastY)
    let (own, before, after) = (chains.count, ends[start], starts[end])
    add(line, feature: feature)
    guard before != nil || after != nil else {
      (starts[start], ends[end]) = (own, own)
      return
    }
    var whole = own
    if let before {
      link(before, own)
      ends[start] = nil
      ends[end] = before
      whole = before
    }
    guard let after, after != before else { return }
    starts[end] = nil
    if before == nil {
      // The values are those of the line that was first.
      guard let tail = chains[after] else { return }
      chains[after]?.first = pieces.count - 1
      next[pieces.count - 1] = tail.first
      chains[own] = nil
      starts[start] = after
    } else if let tail = chains[after] {
      ends[end] = nil
      link(whole, after)
      let last = pieces[tail.last]
      if let x = last.x.last, let y = last.y.last { ends[End(name: name, x: x, y: y)] = whole }
    }
  }

  /// Appends a chain to another one.
  private mutating func link(_ first: Int, _ second: Int) {
    guard let head = chains[first], let tail = chains[second] else { return }
    next[head.last] = tail.first
    chains[first]?.last = tail.last
    chains[second] = nil
  }
}
