import MapGeometry
import MapModel

/// Labels of areas that have no room for the whole text: shorter, wrapped and narrow texts inside, and whole texts outside.
extension LabelPlacement {
  /// The costs of a shorter text, of a wrapped one and of one in narrow letters, in steps around a symbol.
  ///
  /// - Source: design decision: less than that of a text that extends beyond its area.
  private static let (shortCost, wrappedCost, condensedCost) = (1.0, 1.5, 2.0)
  /// The largest number of labels that try positions far from their area.
  ///
  /// - Source: design decision; more lines make a map hard to read.
  private static let mostAway = 60

  /// Returns the positions of a shorter text inside an area; without any, those of a wrapped text, or else of one in narrow
  /// letters.
  mutating func shorterPositions(
    _ lines: [String], _ spots: [LabelSpot], _ anchor: LabelCandidates.Anchor, _ candidates: LabelCandidates,
    _ style: LabelStyle
  ) -> [LabelPosition] {
    guard !anchor.mustFit else { return [] }
    var tries: [(name: String, lines: [String], cost: Double, font: FontChoice?)] = []
    let short = candidates.shortText?.lines(ofRow: Int(anchor.row)) ?? []
    if !short.isEmpty, short != lines { tries.append(("short", short, Self.shortCost, nil)) }
    let wraps = candidates.definition.stacking != nil && lines.count == 1
    let wrapped = wraps ? Self.wrapped(lines[0]) : []
    tries += wrapped.map { ("wrapped", $0, Self.wrappedCost, nil) }
    if let condensed = candidates.definition.textSymbol.font.condensed {
      tries += ([lines] + wrapped).map { ("condensed", $0, Self.condensedCost, condensed) }
    }
    let room = candidates.areas.envelope(ofRow: Int(anchor.index))
    for (name, lines, cost, font) in tries {
      var layouts = LabelLayouts(lines, candidates, style, font: font)
      var found: [LabelPosition] = []
      for spot in spots {
        let layout = layouts.layout(for: spot, &shapes)
        guard layout.width <= room.width, layout.height <= room.height else { break }
        let (block, box) = layout.boxes(at: spot, style)
        guard canvas.contains(box), candidates.contains(block, in: anchor),
          !isBlocked(
            box, letters: block, symbol: spot.symbol, gap: MarkerGrid.Gap(own: 0), .highest, candidates),
          !isBarred([box], anchor, candidates)
        else { continue }
        var position = LabelPosition(
          name: name, x: block.xMin, y: block.yMin, boxes: [box],
          cost: spot.cost + cost + (ink?.share(of: box) ?? 0) * LabelSpot.inkCost, layout: layout)
        (position.text, position.isOverArea) = (lines.joined(separator: "\n"), true)
        found.append(position)
      }
      if !found.isEmpty { return found }
    }
    return []
  }

  /// Returns a text in two and in three lines at its blanks, each as narrow as possible.
  package static func wrapped(_ text: String) -> [[String]] {
    let words = text.split(separator: " ").map { String($0) }
    guard (2...12).contains(words.count) else { return [] }
    func line(_ range: Range<Int>) -> String { words[range].joined(separator: " ") }
    func longest(_ lines: [String]) -> Int { lines.map(\.count).max() ?? 0 }
    let two = (1..<words.count).map { [line(0..<$0), line($0..<words.count)] }
    let three = (1..<words.count).flatMap { first in
      (first + 1..<max(words.count, first + 1)).map { second in
        [line(0..<first), line(first..<second), line(second..<words.count)]
      }
    }
    return [two, three].compactMap { choices in
      // Of equal widths, the first line is the longest that it can be.
      choices.indices.min { (longest(choices[$0]), -$0) < (longest(choices[$1]), -$1) }.map { choices[$0] }
    }
  }

  /// Returns the positions of a label beyond its small area with a line to it, over no other area of its class.
  mutating func positionsAway(
    _ anchor: LabelCandidates.Anchor, _ candidates: LabelCandidates, _ style: LabelStyle,
    _ layouts: inout LabelLayouts
  ) -> [LabelPosition] {
    guard candidates.kind == .polygon, candidates.definition.triesPositions, !candidates.isNeverRemoved,
      !anchor.mustFit, candidates.definition.allowsOverrun != false, awayCount < Self.mostAway
    else { return [] }
    awayCount += 1
    let inside = LabelBox(xMin: anchor.x, yMin: anchor.y, xMax: anchor.x, yMax: anchor.y)
    var found: [LabelPosition] = []
    for spot in candidates.spots(awayFromArea: anchor) {
      let layout = layouts.layout(for: spot, &shapes)
      let (block, box) = layout.boxes(at: spot, style)
      // An area at the edge has a part that is out of view.
      guard canvas.contains(box), canvas.contains(spot.symbol.grown(by: 1)),
        areaOwners(of: candidates).shares(of: box.grown(by: 2 * candidates.pixelRatio), row: anchor.row)
          .others == 0,
        !isBlocked(
          box, letters: block, symbol: spot.symbol, gap: MarkerGrid.Gap(own: 0), .highest, candidates)
      else { continue }
      let leader = LabelLeader(from: inside.center, to: block, width: Self.leaderWidth * style.size)
      let line = leader.boxes(grownBy: Self.leaderGap * candidates.pixelRatio)
      guard !isBarred([box] + line, anchor, candidates) else { continue }
      let crossed = line.reduce(0.0) { sum, box in
        sum + areaOwners(of: candidates).shares(of: box, row: anchor.row).others
      }
      var position = LabelPosition(
        name: "withLine", x: block.xMin, y: block.yMin, boxes: [box] + line,
        cost: spot.cost + (ink?.share(of: box) ?? 0) * LabelSpot.inkCost + crossed, layout: layout)
      position.leader = leader
      found.append(position)
    }
    return found
  }
}
