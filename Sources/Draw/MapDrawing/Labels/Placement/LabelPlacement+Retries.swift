import MapFeatures
import MapGeometry
import MapModel

/// Labels of points without a free position: positions farther from their symbol, and over less important markers.
extension LabelPlacement {
  /// The maximum number of labels that try positions farther from their symbol or over markers.
  private static let retryLimit = 5000
  /// The limits for the first labels of points without a free position: their number, the number and share of the
  /// markers that they may hide, the share of the markers' area that they may cover, and the markers that one may hide.
  ///
  /// - Source: design decision, so that the 20 largest cities of a crowded continent have names. Other labels hide no
  ///   marker.
  static let first = (count: 30, least: 2, hidden: 0.04, covered: 0.06, each: 6)
  /// The number of positions over markers at which others make room for a label, and to which it may be moved later.
  private static let mostMoved = 16
  /// The number of comparisons with markers after which no label of the image is tried again.
  ///
  /// - Source: design decision; these take some milliseconds.
  static let retryComparisonLimit = 2_000_000
  /// The costs of a hidden marker, of one that is covered in part, and of a covered square pixel, in steps around the symbol.
  ///
  /// - Source: design decision; a part of a marker above a letter looks like an accent, and beside a name it looks like its
  ///   marker.
  private static let (hiddenCost, partCost, coverCost) = (45.0, 90.0, 0.5)
  /// The most symbols whose positions are kept.
  private static let mostSpots = 64

  /// Returns whether a label without a free position may try others, because there are less important markers.
  func mayRetry(_ anchor: LabelCandidates.Anchor, _ candidates: LabelCandidates) -> Bool {
    candidates.isPoint && candidates.avoidsMarkers && !candidates.isNeverRemoved
      && !candidates.definition.avoidsAllMarkers
      && retryCount < Self.retryLimit
      && leastImportance.map { candidates.importance(of: anchor) < $0 } ?? false
  }

  /// Places a label before those of less important features of its class take the room.
  ///
  /// - Parameter isFirst: whether the label is one of the first without a free position.
  mutating func placeBeforeOthers(_ index: Int, isFirst: Bool) {
    if arrangement.makeRoom(for: index, where: staysAllowed(isFirst)) {
      let entry = entries[index]
      placedTexts.insert(entry.text, at: entry.anchor.place, of: byLayer[entry.number])
      return
    }
    guard retryComparisons < Self.retryComparisonLimit else { return }
    let before = markers.comparisons
    retry(index, hiding: isFirst ? Self.first.each : 0, isFirst: isFirst)
    retryComparisons += markers.comparisons - before
  }

  /// Places a label farther from its symbol or over less important markers, if that is possible.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of markers to hide.
  ///   - isFirst: whether the label is one of the first without a free position; other labels are moved to make room for it.
  mutating func retry(_ index: Int, hiding limit: Int, isFirst: Bool = false) {
    let entry = entries[index]
    let candidates = byLayer[entry.number]
    guard let style = candidates.style, candidates.directions == nil,
      !placedTexts.isDuplicate(entry.text, at: entry.anchor.place, of: candidates)
    else { return }
    let room =
      isFirst ? allowed.less(Self.cover(of: covering, entries, arrangement)) : MarkerGrid.Cover()
    var (found, best): ([Covering], Covering?) = ([], nil)
    var fine: [Covering]?
    let isThorough = isFirst && limit == Self.first.each
    let searches = isThorough ? [LabelSpot.Search.far, .fine] : [.far]
    // Others rather move than that a marker is covered, and rather than that a part of it stays visible above a letter.
    // Of ranked features, only the most important ones cover markers.
    var levels = [MarkerGrid.Cover.Level.nothing]
    if isFirst, candidates.ranks == nil || entry.isImportant {
      levels += prefersWholeMarkers ? [.whole, .parts] : [.parts]
    }
    let tries = levels.flatMap { level in searches.map { (level, $0) } }
    for (level, search) in tries where best == nil {
      let all: [Covering]
      if search == .fine {
        // The same for all levels, because no other label has moved.
        all = fine ?? coverings(of: entry, candidates, style, .fine, isFirst: isFirst)
        fine = all
      } else if isFirst {
        all = farPositions(of: index, candidates, style)
      } else {
        all = coverings(of: entry, candidates, style, .far, isFirst: false)
      }
      found = all.filter {
        let cover = $0.position.cover
        return cover.hidden <= min(limit, room.hidden) && cover.area <= room.area && cover.level <= level
      }
      best = found.first { $0.isFree && !($0.position.lineBox.map { arrangement.covers($0) } ?? false) }
      best = best ?? found.first { $0.isFree }
      if let best {
        arrangement.place(index, atNew: best.position.boxes)
      } else {
        best = found.prefix(Self.mostMoved).first {
          arrangement.makeRoom(
            for: index, atNew: $0.position.boxes, where: staysAllowed(isFirst, $0.position.cover))
        }
      }
    }
    guard let best else { return }
    entries[index].positions.append(best.position)
    covering.append(index)
    if isFirst {
      for other in found.prefix(Self.mostMoved) where other.position.boxes != best.position.boxes {
        arrangement.allow(index, at: other.position.boxes)
        entries[index].positions.append(other.position)
      }
    }
    placedTexts.insert(entry.text, at: entry.anchor.place, of: candidates)
  }

  /// Returns the far positions of one of the first labels, which are the same for all numbers of markers to hide.
  private mutating func farPositions(
    of index: Int, _ candidates: LabelCandidates, _ style: LabelStyle
  ) -> [Covering] {
    guard let known = far[index] else {
      var found = coverings(of: entries[index], candidates, style, .far, isFirst: true)
      if candidates.ranks != nil {
        found += positionsWithLeaders(of: entries[index], candidates, style)
        let order = found.indices.sorted { (found[$0].position.cost, $0) < (found[$1].position.cost, $1) }
        found = order.map { found[$0] }
      }
      far[index] = found
      return found
    }
    return known.map { Covering(position: $0.position, isFree: arrangement.isFree($0.position.boxes)) }
  }

  /// Returns the positions around the symbol of a label at (0, 0); features with one symbol share them.
  mutating func spots(
    of entry: Entry, _ candidates: LabelCandidates, _ search: LabelSpot.Search
  ) -> [LabelSpot] {
    let key = SpotKey(number: entry.number, symbol: entry.anchor.index, search: search)
    if let known = spots[key] { return known }
    let made = candidates.spots(aroundSymbol: entry.anchor.index, search)
    if spots.count == Self.mostSpots { spots.removeAll() }
    spots[key] = made
    return made
  }

  /// Keeps the labels over markers where they are.
  mutating func fixCovering() {
    for index in covering { arrangement.fix(index) }
  }

  /// Returns whether all labels together, with one that covers more, stay within the limits after others moved.
  private func staysAllowed(
    _ isFirst: Bool, _ more: MarkerGrid.Cover = MarkerGrid.Cover()
  ) -> (LabelArrangement) -> Bool {
    // Others move no label over markers.
    guard isFirst else { return { _ in true } }
    let (covering, entries, limit) = (covering, entries, allowed)
    return { arrangement in
      let used = Self.cover(of: covering, entries, arrangement)
      return used.hidden + more.hidden <= limit.hidden && used.area + more.area <= limit.area
    }
  }

  /// Returns what labels hide at their positions.
  private static func cover(
    of covering: [Int], _ entries: [Entry], _ arrangement: LabelArrangement
  ) -> MarkerGrid.Cover {
    covering.reduce(into: MarkerGrid.Cover()) { sum, index in
      guard let chosen = arrangement.chosen[index] else { return }
      sum.hidden += entries[index].positions[chosen].cover.hidden
      sum.area += entries[index].positions[chosen].cover.area
    }
  }

  private func cost(of cover: MarkerGrid.Cover) -> Double {
    Double(cover.hidden) * Self.hiddenCost + Double(cover.partly) * Self.partCost + cover.area
      * Self.coverCost
  }

  /// Returns the positions of a label over less important markers, best first.
  ///
  /// - Parameter isFirst: whether the label is one of the first without a free position, for which positions where
  ///   another label is count, and other markers may be nearly as near.
  private mutating func coverings(
    of entry: Entry, _ candidates: LabelCandidates, _ style: LabelStyle, _ search: LabelSpot.Search,
    isFirst: Bool
  ) -> [Covering] {
    var layouts = LabelLayouts(entry.lines, candidates, style)
    var covering: [Covering] = []
    // The most important names may be nearly as near to another marker as to their own.
    let clearance = isFirst ? candidates.pixelRatio : candidates.clearance
    let isClose = isFirst && (candidates.ranks == nil || entry.isImportant)
    let inLine = isClose ? candidates.clearance : LabelSpot.clearMargin * candidates.pixelRatio
    for spot in spots(of: entry, candidates, search) {
      let spot = spot.moved(x: entry.anchor.x, y: entry.anchor.y)
      let layout = layouts.index(for: spot, &shapes)
      let (block, box) = layouts.known[layout].boxes(at: spot, style)
      guard canvas.contains(box) else { continue }
      let boxes = [box]
      guard !isBarred(boxes, entry.anchor, candidates) else { continue }
      let isFree = arrangement.isFree(boxes)
      guard isFree || isFirst else { continue }
      let gap = MarkerGrid.Gap(own: spot.distance(to: block), more: clearance, inLine: inLine)
      let importance = candidates.importance(of: entry.anchor)
      let outlines = shapes.outlines
      let found: MarkerGrid.Cover?
      if isFirst {
        found = markers.cover(box, letters: block, own: spot.symbol, gap: gap, importance: importance) {
          layouts.known[layout].glyphBoxes(style, outlines: outlines)
            .map { $0.moved(x: block.xMin, y: block.yMin) }
        }
      } else {
        // Other labels may hide no marker, so that the faster search for one in the way is enough.
        let margin = markers.margin(
          box, letters: block, own: spot.symbol, gap: gap, importance: importance)
        found = margin.map { _ in MarkerGrid.Cover() }
      }
      guard let cover = found else { continue }
      let cost =
        spot.cost + (ink?.share(of: box) ?? 0) * LabelSpot.inkCost + cost(of: cover)
        + edgeCost(of: box, candidates)
      let position = LabelPosition(
        name: spot.name, x: block.xMin, y: block.yMin, boxes: boxes, cost: cost,
        layout: layouts.known[layout], cover: cover)
      covering.append(Covering(position: position, isFree: isFree))
    }
    let order = covering.indices.sorted {
      (covering[$0].position.cost, $0) < (covering[$1].position.cost, $1)
    }
    return order.map { covering[$0] }
  }
}

/// Labels of points with a line to their symbol.
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
