import MapGeometry
import MapModel

/// Labels of areas that have no room for the whole text where it is preferred: elsewhere, shorter, wrapped and narrow texts
/// inside, and texts outside.
extension LabelPlacement {
  /// The costs of a shorter text, of a wrapped one and of one in narrow letters, in steps around a symbol.
  ///
  /// - Source: design decision: less than that of a text that extends beyond its area.
  private static let (shortCost, wrappedCost, condensedCost) = (1.0, 1.5, 2.0)
  /// The costs of a text outside that is wrapped or shorter, and of one over another area, in steps around a symbol.
  ///
  /// - Source: design decision: less than that of a text that extends beyond its area.
  private static let (otherTextCost, neighborCost) = (4.0, 45.0)
  /// The least distance of a label from the point in its area where its line ends, the steps and the number of distances that
  /// are tried, in pixels, and the number of positions in one direction.
  private static let (leastLine, lineStep, lineCount, perRay) = (8.0, 6.0, 12, 2)
  /// The costs of a line, of each pixel of it, of each pixel outside its area, and of each pixel over another, in steps around
  /// a symbol.
  private static let (lineCost, lineLengthCost, lineOutsideCost, lineCrossCost) = (20.0, 0.1, 0.4, 2.0)
  /// The largest part of a line over areas other than those at its ends, in pixels.
  ///
  /// - Source: design decision; a line across an area seems to belong to it.
  private static let mostCrossed = 8.0
  /// The least lengths of a line outside its own area, in pixels: over open ground, and to a label in a neighbour.
  private static let (leastOpen, leastOutside) = (6.0, 10.0)
  /// The distance within which a label lies beside its area, and that from all other areas, in pixels.
  ///
  /// - Source: design decision, as for the names of points: others are at least five pixels farther.
  private static let (besideReach, besideClear) = (5.0, 10.0)
  /// The distance of points in an area from which positions with a line are tried, in pixels.
  private static let leastApart = 8.0
  /// The side of an area below which a line to it ends at its border, in pixels, so that it can be seen.
  private static let tinyArea = 8.0
  /// The distance of the end of a line from borders, the length of a line so far from them, and the cost of other lines.
  private static let (farBorder, farLine, borderEndCost) = (3.0, 2.0, 8.0)
  /// The length of a line inside its area; the longest line to a label in a neighbour, and the distance of such a label from
  /// others, in pixels.
  private static let (innerLine, neighborLine, neighborGap) = (7.0, 40.0, 10.0)
  /// The cost of a label that is not in the middle of a side of its area, in steps around a symbol.
  private static let cornerCost = 4.0
  /// The largest number of labels that try positions far from their area.
  ///
  /// - Source: design decision; more lines make a map hard to read.
  private static let mostAway = 60

  /// A way to write the name of an area.
  private struct Writing {
    /// The name in reports of a position inside; those outside have the name of their place.
    var name = ""
    let lines: [String]
    let cost: Double
    var font: FontChoice?
  }

  /// Returns the positions of a text inside its area: of the whole text where it has room, or else along the area, or else of
  /// a shorter text, of a wrapped one, or of one in narrow letters.
  ///
  /// - Parameter hasWhole: whether the whole text has a position inside already.
  mutating func positionsInside(
    _ lines: [String], _ spots: [LabelSpot], _ anchor: LabelCandidates.Anchor, _ candidates: LabelCandidates,
    _ style: LabelStyle, hasWhole: Bool
  ) -> [LabelPosition] {
    let room = AreaRoom(row: Int(anchor.index), of: candidates.areas)
    var found: [LabelPosition] = []
    if !anchor.mustFit {
      found = positions(
        of: Writing(name: "interior", lines: lines, cost: 0), [], room, anchor, candidates, style)
    }
    guard found.isEmpty, !hasWhole else { return found }
    let font = candidates.definition.textSymbol.font
    found = positionsAlongAxis(lines, font, anchor, candidates, style)
    guard found.isEmpty, !anchor.mustFit else { return found }
    var others: [Writing] = []
    if let short = shortLines(anchor, candidates), short != lines {
      others.append(Writing(name: "short", lines: short, cost: Self.shortCost))
    }
    let wrapped = wraps(lines, candidates) ? Self.wrapped(lines[0]) : []
    others += wrapped.map { Writing(name: "wrapped", lines: $0, cost: Self.wrappedCost) }
    if let condensed = font.condensed {
      others += ([lines] + wrapped).map {
        Writing(name: "condensed", lines: $0, cost: Self.condensedCost, font: condensed)
      }
    }
    for other in others where found.isEmpty {
      found = positions(of: other, spots, room, anchor, candidates, style)
    }
    if found.isEmpty, let condensed = font.condensed {
      found = positionsAlongAxis(lines, condensed, anchor, candidates, style)
    }
    return found
  }

  /// Returns the lines of the short text; nil without one.
  private func shortLines(
    _ anchor: LabelCandidates.Anchor, _ candidates: LabelCandidates
  ) -> [String]? {
    let lines = candidates.shortText?.lines(ofRow: Int(anchor.row)) ?? []
    return lines.isEmpty ? nil : lines
  }

  private func wraps(_ lines: [String], _ candidates: LabelCandidates) -> Bool {
    candidates.definition.stacking != nil && lines.count == 1
  }

  /// Returns the positions of a text inside its area, at spots and where it has room.
  private mutating func positions(
    of writing: Writing, _ spots: [LabelSpot], _ room: AreaRoom, _ anchor: LabelCandidates.Anchor,
    _ candidates: LabelCandidates, _ style: LabelStyle
  ) -> [LabelPosition] {
    var layouts = LabelLayouts(writing.lines, candidates, style, font: writing.font)
    let size = layouts.layout(for: candidates.spot(at: anchor.place), &shapes)
    let box = candidates.areas.envelope(ofRow: Int(anchor.index))
    guard size.width <= box.width, size.height <= box.height else { return [] }
    let roomy = room.places(width: size.width, height: size.height, near: anchor.place)
    var found: [LabelPosition] = []
    for spot in spots + candidates.spots(inArea: roomy) {
      let layout = layouts.layout(for: spot, &shapes)
      let (block, box) = layout.boxes(at: spot, style)
      guard canvas.contains(box), candidates.contains(block, in: anchor),
        !isBlocked(
          box, letters: block, symbol: spot.symbol, gap: MarkerGrid.Gap(own: 0), .highest, candidates),
        !isBarred([box], anchor, candidates)
      else { continue }
      let isRoomy = candidates.contains(block.grown(by: style.reach), in: anchor)
      guard isRoomy || !candidates.isHatched(anchor.row) else { continue }
      var position = LabelPosition(
        name: writing.name, x: block.xMin, y: block.yMin, boxes: [box],
        cost: spot.cost + writing.cost + (isRoomy ? 0 : LabelSpot.tightCost)
          + (ink?.share(of: box) ?? 0) * LabelSpot.inkCost, layout: layout)
      (position.text, position.overRow) = (writing.lines.joined(separator: "\n"), anchor.row)
      position.isTight = !isRoomy
      found.append(position)
    }
    return found
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

  /// Returns the positions of a label outside its area: beside it or farther away with a line to it, over no other area of
  /// its class, or else inside one; none for a class that keeps its labels where they are preferred.
  mutating func positionsOutside(
    _ lines: [String], _ anchor: LabelCandidates.Anchor, _ candidates: LabelCandidates, _ style: LabelStyle
  ) -> [LabelPosition] {
    guard candidates.kind == .polygon, candidates.definition.triesPositions, !candidates.isNeverRemoved,
      !anchor.mustFit, candidates.definition.allowsOverrun != false
    else { return [] }
    // An area at the edge has a part that is out of view.
    let area = LabelBox(candidates.areas.envelope(ofRow: Int(anchor.index)))
    guard canvas.contains(area.grown(by: 1)) else { return [] }
    var writings = [Writing(lines: lines, cost: 0)]
    if wraps(lines, candidates) {
      writings += Self.wrapped(lines[0]).prefix(1).map {
        Writing(lines: $0, cost: Self.otherTextCost)
      }
    }
    if let short = shortLines(anchor, candidates), short != lines {
      writings.append(Writing(lines: short, cost: 2 * Self.otherTextCost))
    }
    var found = writings.flatMap { positionsBeside($0, anchor, candidates, style) }
    guard awayCount < Self.mostAway else { return found }
    awayCount += 1
    // From the widest part alone, a line may have to cross a neighbour.
    let ends = AreaRoom(row: Int(anchor.index), of: candidates.areas).ends(
      apart: Self.leastApart * candidates.pixelRatio)
    for place in [anchor.place] + ends {
      let away = writings.flatMap { positionsAway($0, from: place, anchor, candidates, style) }
      found += away
      if away.contains(where: { $0.overRow == nil && !$0.crossesOthers }) { break }
    }
    return found
  }

  /// Returns the positions of a label beside a small area, over no other area of its class.
  private mutating func positionsBeside(
    _ writing: Writing, _ anchor: LabelCandidates.Anchor, _ candidates: LabelCandidates, _ style: LabelStyle
  ) -> [LabelPosition] {
    var layouts = LabelLayouts(writing.lines, candidates, style)
    let ratio = candidates.pixelRatio
    var found: [LabelPosition] = []
    for spot in candidates.spots(besideArea: anchor) {
      // Not in the middle of a side, a name may be taken for that of a neighbour.
      let corner = spot.side.x != 0 && spot.side.y != 0 ? Self.cornerCost : 0
      let layout = layouts.layout(for: spot, &shapes)
      let (block, box) = layout.boxes(at: spot, style)
      // Beside a larger area, a name may be far from it.
      guard canvas.contains(box), spot.symbol.xMax - spot.symbol.xMin <= layout.width,
        spot.symbol.yMax - spot.symbol.yMin <= 2 * layout.height
      else { continue }
      // Nearer to its own area than to all others, as the names of points.
      let clear = box.union(block.grown(by: Self.besideClear * ratio))
      guard !candidates.contains(block.grown(by: Self.besideReach * ratio), in: anchor),
        areaOwners(of: candidates).shares(of: clear, row: anchor.row).others == 0,
        !isBlocked(
          box, letters: block, symbol: spot.symbol, gap: MarkerGrid.Gap(own: 0), .highest, candidates),
        !isBarred([box], anchor, candidates)
      else { continue }
      var position = LabelPosition(
        name: spot.name, x: block.xMin, y: block.yMin, boxes: [box],
        cost: spot.cost + corner + LabelSpot.besideCost + writing.cost
          + (ink?.share(of: box) ?? 0) * LabelSpot.inkCost, layout: layout)
      position.text = writing.lines.joined(separator: "\n")
      found.append(position)
    }
    return found
  }

  /// Returns the positions of a label beyond its area with a line to it, over no other area of its class, or inside one.
  ///
  /// - Parameter place: the point in the area that the line leads to.
  private mutating func positionsAway(
    _ writing: Writing, from place: (x: Double, y: Double), _ anchor: LabelCandidates.Anchor,
    _ candidates: LabelCandidates, _ style: LabelStyle
  ) -> [LabelPosition] {
    var layouts = LabelLayouts(writing.lines, candidates, style)
    let ratio = candidates.pixelRatio
    let distances = (0..<Self.lineCount).map { (Self.leastLine + Double($0) * Self.lineStep) * ratio }
    var found: [LabelPosition] = []
    let owners = areaOwners(of: candidates)
    let area = candidates.areas.envelope(ofRow: Int(anchor.index))
    let isTiny = max(area.width, area.height) < Self.tinyArea * ratio
    let size = layouts.layout(for: candidates.spot(at: place), &shapes)
    for ray in LabelSpot.rays(from: place, distances: distances, width: size.width, height: size.height) {
      var count = 0
      for spot in ray where count < Self.perRay {
        let layout = layouts.layout(for: spot, &shapes)
        let (block, box) = layout.boxes(at: spot, style)
        guard canvas.contains(box) else { break }
        guard let under = owners.owner(of: box.grown(by: 2 * ratio)), under != anchor.row,
          !isBlocked(
            box, letters: block, symbol: spot.symbol, gap: MarkerGrid.Gap(own: 0), .highest, candidates)
        else { continue }
        if under >= 0, !candidates.mayLie(overRow: under) { continue }
        // Beside the name of the neighbour, it would seem to belong to it.
        if under >= 0, arrangement.covers(box.grown(by: Self.neighborGap * ratio)) { continue }
        // The line ends away from the border, or else at the border of an area that is not larger than the end of a line.
        let whole = LabelLeader(from: place, to: block, width: Self.leaderWidth * style.size)
        let far = whole.ending(Self.farLine * ratio) {
          owners.owner(of: LabelBox(around: $0, reach: Self.farBorder * ratio)) == anchor.row
        }
        let inner = isTiny ? 0 : Self.innerLine * ratio
        let leader = (far ?? whole.ending(inner) { owners.owner(at: $0) == anchor.row } ?? whole).onPixels
        let line = leader.boxes(grownBy: Self.leaderGap * ratio)
        guard under < 0 || leader.length <= Self.neighborLine * ratio,
          !isBarred([box] + line, anchor, candidates)
        else { continue }
        let part = leader.length / Double(line.count)
        let along = line.map { owners.owner(at: $0.center) }
        let crossed = part * Double(along.count { $0 >= 0 && $0 != anchor.row && $0 != under })
        let outside = part * Double(along.count { $0 != anchor.row })
        // Near the border, a name in a neighbour would seem to name it.
        guard crossed <= Self.mostCrossed * ratio,
          outside >= (under < 0 ? Self.leastOpen : Self.leastOutside) * ratio
        else { continue }
        var position = LabelPosition(
          name: "withLine", x: block.xMin, y: block.yMin, boxes: [box] + line,
          cost: spot.cost + writing.cost + (ink?.share(of: box) ?? 0) * LabelSpot.inkCost + Self.lineCost
            + (leader.length * Self.lineLengthCost + outside * Self.lineOutsideCost
              + crossed * Self.lineCrossCost) / ratio
            + (under < 0 ? 0 : Self.neighborCost) + (far == nil ? Self.borderEndCost : 0), layout: layout)
        (position.leader, position.text) = (leader, writing.lines.joined(separator: "\n"))
        if under >= 0 { position.overRow = under }
        position.crossesOthers = crossed > 0
        found.append(position)
        count += 1
      }
    }
    return found
  }

  /// Places labels that found no position where their line crosses other areas, and moves others to make room for them.
  mutating func placeLast(_ waiting: [Int]) {
    for index in waiting where arrangement.chosen[index] == nil {
      for position in entries[index].lastPositions
      where arrangement.makeRoom(for: index, atNew: position.boxes, where: { _ in true }) {
        entries[index].positions.append(position)
        break
      }
    }
  }
}
