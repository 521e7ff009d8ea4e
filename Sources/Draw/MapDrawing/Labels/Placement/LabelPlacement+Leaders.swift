import MapGeometry

extension LabelPlacement {
  /// The width of a line from a name to its symbol, in sizes of letters, and the distance that it keeps, in pixels.
  ///
  /// - Source: design decision; about the strokes of the letters.
  static let (leaderWidth, leaderGap) = (0.07, 1.0)
  /// Half the side of the square at the end of a line that other markers should not cover, in pixels.
  private static let endReach = 1.5
  /// The costs of a line over a marker that touches the symbol, and of one that ends on such a marker, in steps around a
  /// symbol.
  private static let (touchingCost, coveredEndCost) = (25.0, 40.0)

  /// Returns the positions of a label that a line joins to its symbol, over no marker; the line crosses none, but those of the
  /// most important features may cross a marker that touches the symbol.
  mutating func positionsWithLeaders(
    of entry: Entry, _ candidates: LabelCandidates, _ style: LabelStyle
  ) -> [Covering] {
    var layouts = LabelLayouts(entry.lines, candidates, style)
    let ratio = candidates.pixelRatio
    var found: [Covering] = []
    for spot in spots(of: entry, candidates, .leader) {
      let spot = spot.moved(x: entry.anchor.x, y: entry.anchor.y)
      let layout = layouts.index(for: spot, &shapes)
      let (block, box) = layouts.known[layout].boxes(at: spot, style)
      // The label is tried before its line, because most of them cover a marker.
      guard canvas.contains(box), !markers.covers(box.grown(by: candidates.clearance), importance: .lowest)
      else { continue }
      let leader = spot.leader(to: block, width: Self.leaderWidth * style.size)
      let line = leader.boxes(grownBy: Self.leaderGap * ratio)
      let boxes = [box] + line
      guard !isBarred(boxes, entry.anchor, candidates) else { continue }
      let end = LabelBox(around: (leader.startX, leader.startY), reach: Self.endReach * ratio)
      let crosses = line.contains { markers.hasOther(under: $0, than: spot.symbol) }
      guard
        !crosses
          || entry.isImportant
            && !line.contains(where: { markers.covers($0, importance: .lowest, except: spot.symbol) })
      else { continue }
      let cost =
        spot.cost + (ink?.share(of: box) ?? 0) * LabelSpot.inkCost + edgeCost(of: box, candidates)
        + (crosses ? Self.touchingCost : 0)
        + (markers.hasOther(under: end, than: spot.symbol) ? Self.coveredEndCost : 0)
      var position = LabelPosition(
        name: "withLine", x: block.xMin, y: block.yMin, boxes: boxes, cost: cost,
        layout: layouts.known[layout])
      position.leader = leader
      found.append(Covering(position: position, isFree: arrangement.isFree(boxes)))
    }
    return found
  }
}
