import MapGeometry
import MapModel

extension LabelPlacement {
  /// Returns the positions that a text may fit, and the reason if there are none.
  ///
  /// Most labels of a crowded layer have no room for even one letter, which can be tested without the text.
  ///
  /// - Parameter offset: the distance by which the positions are moved.
  mutating func sieve(
    _ spots: [LabelSpot], movedBy offset: (x: Double, y: Double), _ importance: LabelImportance,
    _ candidates: LabelCandidates, _ style: LabelStyle
  ) -> (free: [LabelSpot], outcome: LabelOutcome?) {
    guard style.size > 2 else { return (spots.map { $0.moved(x: offset.x, y: offset.y) }, nil) }
    var (isInside, hasRoom) = (false, candidates.isNeverRemoved || candidates.mayOverlap)
    var free: [LabelSpot] = []
    for spot in spots {
      let core = spot.core(size: style.size).moved(x: offset.x, y: offset.y)
      guard canvas.contains(core) else { continue }
      isInside = true
      if !candidates.isNeverRemoved,
        isBlocked(
          core, letters: core, symbol: spot.symbol.moved(x: offset.x, y: offset.y),
          gap: MarkerGrid.Gap(own: spot.distance), importance, candidates)
      {
        continue
      }
      free.append(spot.moved(x: offset.x, y: offset.y))
      if !hasRoom, !arrangement.covers(core) { hasRoom = true }
    }
    guard isInside else { return (free, .atEdge) }
    guard !free.isEmpty else { return (free, .atMarker) }
    let mayWait = candidates.definition.triesPositions && waitingCount < Self.waitingLimit
    return (free, hasRoom || mayWait ? nil : .collided)
  }

  /// Returns the possible positions of a label, best first, and the reason if there are none.
  mutating func positions(
    of lines: [String], at spots: [LabelSpot], _ anchor: LabelCandidates.Anchor,
    _ candidates: LabelCandidates, _ style: LabelStyle
  ) -> (positions: [LabelPosition], outcome: LabelOutcome) {
    var found: [LabelPosition] = []
    var (outcome, hasInside, hasRoom) = (LabelOutcome.atEdge, false, false)
    var layouts = LabelLayouts(lines, candidates, style)
    let direction = candidates.directions?.direction(ofRow: Int(anchor.row))
    for spot in spots {
      let layout = layouts.layout(for: spot, &shapes)
      let (block, box) = layout.boxes(at: spot, style)
      if let direction {
        let turned = layout.turned(
          at: (block.xMin, block.yMin), around: spot.symbol.center, to: direction, style,
          outlines: shapes.outlines)
        guard turned.boxes.allSatisfy({ canvas.contains($0) }) else { continue }
        let isTaken =
          turned.boxes.contains {
            isBlocked(
              $0, letters: $0, symbol: spot.symbol, gap: MarkerGrid.Gap(own: 0),
              candidates.importance(of: anchor), candidates)
          }
          || isBarred(turned.boxes, anchor, candidates)
        guard !isTaken || candidates.isNeverRemoved else {
          outcome = .atMarker
          continue
        }
        guard !turned.boxes.isEmpty else { continue }
        found.append(
          LabelPosition(
            name: spot.name, x: block.xMin, y: block.yMin, boxes: turned.boxes,
            cost: spot.cost + (isTaken ? LabelSpot.markerCost : 0), layout: layout,
            letters: .turned(turned.glyphs)))
        continue
      }
      guard canvas.contains(box) else { continue }
      let fits = candidates.contains(block, in: anchor)
      let isRoomy =
        fits
        && (!candidates.definition.triesPositions
          || candidates.contains(block.grown(by: style.reach), in: anchor))
      // Over a hatch, the halo must fit, too.
      let isInside = fits && (isRoomy || !candidates.isHatched(anchor.row))
      (hasInside, hasRoom) = (hasInside || isInside, hasRoom || isRoomy)
      guard
        isInside || (candidates.allowsOverrun && !anchor.mustFit && !liesElsewhere(block, anchor, candidates))
      else {
        outcome = .overrun
        continue
      }
      guard isInside || candidates.isNeverRemoved || !candidates.isCovered(anchor, by: [box]) else {
        outcome = .coversArea
        continue
      }
      let clear = candidates.definition.triesPositions ? LabelSpot.clearMargin * candidates.pixelRatio : 0
      let gap = MarkerGrid.Gap(own: spot.distance(to: block), more: candidates.clearance, inLine: clear)
      let margin =
        isBarred([box], anchor, candidates)
        ? nil
        : margin(
          of: box, letters: block, symbol: spot.symbol, gap: gap, candidates.importance(of: anchor),
          candidates, upTo: clear)
      guard margin != nil || candidates.isNeverRemoved else {
        outcome = .atMarker
        continue
      }
      let cost =
        spot.cost + (ink?.share(of: box) ?? 0) * LabelSpot.inkCost
        + (isRoomy ? 0 : isInside ? LabelSpot.tightCost : LabelSpot.overrunCost)
        + edgeCost(of: box, candidates)
        + (margin.map { clear > 0 ? LabelSpot.nearCost * (1 - $0 / clear) : 0 } ?? LabelSpot.markerCost)
      var position = LabelPosition(
        name: spot.name, x: block.xMin, y: block.yMin, boxes: [box], cost: cost, layout: layout)
      if candidates.kind == .polygon { (position.overRow, position.isTight) = (anchor.row, !isRoomy) }
      found.append(position)
    }
    if !hasRoom, candidates.kind == .polygon, candidates.definition.triesPositions {
      let inside = positionsInside(lines, spots, anchor, candidates, style, hasWhole: hasInside)
      found += inside
      // Names of other areas may have taken the room.
      if (!hasInside && inside.isEmpty) || !found.contains(where: { arrangement.isFree($0.boxes) }) {
        found += positionsOutside(lines, anchor, candidates, style)
      }
    }
    let order = found.indices.sorted { (found[$0].cost, $0) < (found[$1].cost, $1) }
    return (order.map { found[$0] }, outcome)
  }

  /// The share of a label over its own area below which it names others, the share over others that it may have then,
  /// and the share that it may have anyway.
  ///
  /// - Source: design decision.
  private static let (leastOwn, mostOthers, mostOver) = (0.5, 0.25, 0.35)

  /// Returns whether a label that does not fit into its area lies too far over others.
  ///
  /// It may if its class says that labels may overrun.
  private mutating func liesElsewhere(
    _ block: LabelBox, _ anchor: LabelCandidates.Anchor, _ candidates: LabelCandidates
  ) -> Bool {
    guard candidates.kind == .polygon, candidates.definition.allowsOverrun == nil,
      candidates.definition.triesPositions, !candidates.isNeverRemoved
    else { return false }
    if candidates.definition.followsGround {
      // The colours of the letters and of the halo suit one ground alone.
      let near = block.grown(by: candidates.pixelRatio)
      return areaOwners(of: candidates).shares(of: near, row: anchor.row).others > 0
        || !candidates.isReadableOutside(anchor.row)
    }
    let shares = areaOwners(of: candidates).shares(of: block, row: anchor.row)
    return shares.others > (shares.own < Self.leastOwn ? Self.mostOthers : Self.mostOver)
  }

  /// The number of characters of the shortest text that is turned.
  ///
  /// - Source: design decision; a turned abbreviation is hard to read, and has room beside its area.
  private static let leastTurned = 4

  /// Returns the positions of a label along the longest axis of its area, where it lies inside; for areas that are too
  /// narrow for horizontal text.
  mutating func positionsAlongAxis(
    _ lines: [String], _ font: FontChoice, _ anchor: LabelCandidates.Anchor, _ candidates: LabelCandidates,
    _ style: LabelStyle
  ) -> [LabelPosition] {
    let text = lines.joined(separator: " ")
    guard text.count >= Self.leastTurned else { return [] }
    let layout = LabelLayout([text], style: style, font: font, alignment: .left, shapes: &shapes)
    let letters = LineText(layout, style: style, outlines: shapes.outlines)
    return candidates.runs(of: letters, alongAxisOf: anchor, inside: true).compactMap { run in
      guard run.boxes.allSatisfy({ canvas.contains($0) }), !isTaken(run.boxes, anchor, candidates) else {
        return nil
      }
      var position = LabelPosition(
        name: run.name, x: 0, y: 0, boxes: run.boxes, cost: run.cost + Self.inkCost(of: run.boxes, ink),
        layout: layout,
        letters: .along(run.letters))
      position.overRow = anchor.row
      position.isTight = !run.boxes.allSatisfy { candidates.contains($0, in: anchor) }
      return position.isTight && candidates.isHatched(anchor.row) ? nil : position
    }
  }

  /// Returns whether letters that do not lie around a symbol are over what they must not cover.
  mutating func isTaken(
    _ letters: [LabelBox], _ anchor: LabelCandidates.Anchor, _ candidates: LabelCandidates
  ) -> Bool {
    candidates.avoidsMarkers
      && (letters.contains {
        isBlocked($0, letters: $0, symbol: $0, gap: MarkerGrid.Gap(own: 0), .highest, candidates)
      } || isBarred(letters, anchor, candidates))
  }

  /// Returns the cost of lines under the letters of a label along a line.
  static func inkCost(of letters: [LabelBox], _ ink: LabelInk?) -> Double {
    let sum = letters.reduce(0.0) { sum, box in sum + (ink?.share(of: box) ?? 0) }
    return sum / Double(max(letters.count, 1)) * LabelSpot.inkCost / 2
  }

  /// Returns whose areas lie where, which is found out once for each class.
  mutating func areaOwners(of candidates: LabelCandidates) -> AreaOwners {
    let key = [candidates.layerIndex, candidates.classIndex]
    if let known = owners[key] { return known }
    let made = AreaOwners(candidates, canvas: canvas)
    owners[key] = made
    return made
  }

  /// Returns the cost of a label that is near the edge of the image.
  func edgeCost(of box: LabelBox, _ candidates: LabelCandidates) -> Double {
    let room = min(
      box.xMin - canvas.xMin, box.yMin - canvas.yMin, canvas.xMax - box.xMax, canvas.yMax - box.yMax)
    let clear = LabelSpot.clearEdge * candidates.pixelRatio
    return room < clear && candidates.isPoint ? LabelSpot.edgeCost * (1 - room / clear) : 0
  }

  /// Returns whether a marker that the label must not cover is under it or too close.
  mutating func isBlocked(
    _ box: LabelBox, letters: LabelBox, symbol: LabelBox, gap: MarkerGrid.Gap, _ importance: LabelImportance,
    _ candidates: LabelCandidates
  ) -> Bool {
    margin(of: box, letters: letters, symbol: symbol, gap: gap, importance, candidates, upTo: 0) == nil
  }

  /// Returns by how much other markers are farther from the letters than the label's own, at most a limit; nil if one
  /// that the label must not cover is under it or too close.
  private mutating func margin(
    of box: LabelBox, letters: LabelBox, symbol: LabelBox, gap: MarkerGrid.Gap,
    _ importance: LabelImportance, _ candidates: LabelCandidates, upTo limit: Double
  ) -> Double? {
    guard candidates.avoidsMarkers else { return limit }
    if candidates.definition.avoidsAllMarkers, ink?.hasMarker(in: box) ?? false { return nil }
    guard candidates.isPoint else {
      return markers.covers(box, importance: candidates.leastImportance) ? nil : limit
    }
    return markers.margin(
      box, letters: letters, own: symbol, gap: gap, importance: importance, upTo: limit)
  }

  /// The share of a name of a water that may lie over land, such as small islands.
  private static let mostLand = 0.04
  /// The distance around a position in pixels, and the share of land there from which on it is in a lake; lakes are a part of
  /// the land.
  private static let (lakeReach, leastLakeLand) = (6.0, 0.999)

  /// Returns whether too much of a name of a sea lies over land; names of lakes may.
  private func liesOnLand(_ boxes: [LabelBox], _ anchor: LabelCandidates.Anchor) -> Bool {
    let place = LabelBox(xMin: anchor.x, yMin: anchor.y, xMax: anchor.x, yMax: anchor.y)
      .grown(by: Self.lakeReach)
    guard let land, !boxes.isEmpty, land.share(of: place) < Self.leastLakeLand else { return false }
    let share = boxes.reduce(0.0) { $0 + land.share(of: $1) } / Double(boxes.count)
    return share > Self.mostLand
  }

  /// Returns whether a label overlaps another feature that no label may overlap.
  func isBarred(
    _ boxes: [LabelBox], _ anchor: LabelCandidates.Anchor, _ candidates: LabelCandidates
  ) -> Bool {
    if candidates.definition.avoidsLand, liesOnLand(boxes, anchor) { return true }
    guard let barriers, !barriers.isEmpty, candidates.avoidsMarkers else { return false }
    return boxes.contains {
      barriers.blocks($0, layerIndex: candidates.layerIndex, row: anchor.row)
    }
  }
}
