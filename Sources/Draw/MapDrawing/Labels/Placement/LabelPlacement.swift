import MapFeatures
import MapGeometry
import MapSystem
package import MapModel

/// A placement of all labels of an image, in one pass.
///
/// Labels are placed by class priority, then from the top layer down, then by the rank of the feature if the class ranks
/// them, then in the drawing order of the features; those of the areas of a `dynamic` class by size, the largest first.
/// A label never covers one that was placed before it, unless its class allows overlaps. It never extends beyond the
/// image. `dynamic` classes try other positions than the preferred one.
///
/// A label covers no marker of a layer with labels. No marker is nearer to a label than its own; in `dynamic` classes,
/// all others are at least three pixels farther, so that the label can be taken for that of no other. Labels of points for
/// which this leaves no position may be farther from their marker. The first 30 of them may also cover a few less
/// important markers, which are those of classes with lower priority and, in a class that ranks its features, of features
/// with a lower rank: together they hide the centres of at most 4 % of the markers, six each, and cover 6 % of their area.
/// The result depends on the candidates and obstacles only.
///
/// - Source: Esri web map specification, `deconflictionStrategy`; the order of equal priorities is a design decision.
package struct LabelPlacement {
  /// The maximum number of labels for which room is made by moving others.
  ///
  /// - Source: design decision; more labels than this never fit an image.
  static let waitingLimit = 20_000
  /// The maximum number of labels that try positions farther from their symbol or over markers.
  private static let retryLimit = 5000
  /// The limits for the first labels of points without a free position: their number, the number and share of the
  /// markers that they may hide, the share of the markers' area that they may cover, and the markers that one may hide.
  ///
  /// - Source: design decision, so that the 20 largest cities of a crowded continent have names. Other labels hide no
  ///   marker.
  private static let first = (count: 30, least: 2, hidden: 0.04, covered: 0.06, each: 6)
  /// The number of positions over markers at which others make room for a label, and to which it may be moved later.
  private static let mostMoved = 16
  /// The number of comparisons with markers after which no label of the image is tried again.
  ///
  /// - Source: design decision; these take some milliseconds.
  private static let retryComparisonLimit = 2_000_000
  /// The costs of a hidden marker, of one that is covered in part, and of a covered square pixel, in steps around the symbol.
  ///
  /// - Source: design decision; a part of a marker above a letter looks like an accent, and beside a name it looks like its
  ///   marker.
  private static let (hiddenCost, partCost, coverCost) = (20.0, 60.0, 0.5)

  let canvas: LabelBox
  let byLayer: [LabelCandidates]
  var shapes: ShapeCache
  var arrangement: LabelArrangement
  var markers: MarkerGrid
  let ink: LabelInk?
  let barriers: LabelBarriers?
  /// The areas of classes whose labels do not all fit, by layer and class.
  var owners: [[Int]: AreaOwners] = [:]
  /// The labels of the arrangement.
  var entries: [Entry] = []
  /// The labels of the present priority that found no position, by their numbers in `entries`.
  private var waiting: [Int] = []
  var waitingCount = 0
  /// The labels of points of the present priority that may try more positions, by their numbers in `entries`.
  private var retries: [(index: Int, isFirst: Bool)] = []
  private var retryCount = 0
  /// The number of comparisons made for labels that were tried again.
  private var retryComparisons = 0
  /// The number of markers that the first labels without a free position may hide, and the area that they may cover.
  private let allowed: MarkerGrid.Cover
  /// The number of labels that may still use it.
  private var firstCount = Self.first.count
  /// The labels over markers, by their numbers in `entries`; those of the first ones may move until all are placed.
  private var covering: [Int] = []
  /// The importance of the least important marker; nil without markers.
  private let leastImportance: LabelImportance?
  private var placedTexts = PlacedTexts()
  var report = LabelReport()
  /// The feature whose results are kept; nil for none.
  let watched: (layerIndex: Int, row: Int)?
  /// The results of that feature, with the order in which its labels were examined.
  var results: [(order: Int, result: LabelResult)] = []
  var examined = 0

  /// The class and the symbol of a label, and how positions are searched for it.
  private struct SpotKey: Hashable {
    let number: Int
    let symbol: Int32
    let search: LabelSpot.Search
  }

  /// The positions around the last symbols for labels that are tried again, and the most symbols that are kept.
  private static let mostSpots = 64
  private var spots: [SpotKey: [LabelSpot]] = [:]
  /// The far positions of the first labels of the present priority, by their numbers in `entries`.
  private var far: [Int: [Covering]] = [:]

  /// A label that has at least one position.
  struct Entry {
    let number: Int
    let order: Int
    let anchor: LabelCandidates.Anchor
    let text: String
    /// The lines of the text.
    let lines: [String]
    var positions: [LabelPosition]
    /// The reason if the label finds no position.
    let reason: LabelOutcome
  }

  /// Places the labels of a view.
  ///
  /// - Parameters:
  ///   - obstacles: the drawn symbols, with all markers added; nil for none.
  ///   - watched: a feature whose results are kept, by layer and row; nil for none.
  /// - Cost: shaping each distinct line once; each label is compared with the labels and markers in the grid cells
  ///   around it. Improvements are limited.
  package static func labels(
    of candidates: [LabelCandidates], avoiding obstacles: LabelObstacles? = nil, view: ViewState,
    measurer: TextMeasurer, watching watched: (layerIndex: Int, row: Int)? = nil
  ) -> LabelDrawing {
    let byLayer = candidates.sorted {
      ($0.layerIndex, $0.classIndex) < ($1.layerIndex, $1.classIndex)
    }
    var placement = LabelPlacement(
      byLayer, avoiding: obstacles, view: view, measurer: measurer, watching: watched)
    // Offsets break ties, because the standard sort does not promise to be stable.
    let order = byLayer.indices.sorted { a, b in
      let (first, second) = (byLayer[a], byLayer[b])
      return (first.priority, -first.layerIndex, first.classIndex)
        < (second.priority, -second.layerIndex, second.classIndex)
    }
    for (position, index) in order.enumerated() {
      placement.place(index)
      let isLast = position + 1 == order.count
      if isLast || byLayer[order[position + 1]].priority != byLayer[index].priority { placement.endLevel() }
    }
    return placement.drawing()
  }

  private init(
    _ byLayer: [LabelCandidates], avoiding obstacles: LabelObstacles?, view: ViewState,
    measurer: TextMeasurer,
    watching watched: (layerIndex: Int, row: Int)?
  ) {
    (self.byLayer, self.watched) = (byLayer, watched)
    let canvas = ViewTransform(view, from: nil).canvas
    self.canvas = LabelBox(canvas)
    shapes = ShapeCache(measurer)
    arrangement = LabelArrangement(width: canvas.width, height: canvas.height)
    markers = MarkerGrid(obstacles?.markers ?? [], canvas: canvas)
    leastImportance = markers.leastImportance
    let share = Int(clamping: Double(obstacles?.markers.count ?? 0) * Self.first.hidden)
    allowed = MarkerGrid.Cover(
      hidden: max(share, Self.first.least), area: Self.first.covered * markers.area)
    var ink = obstacles?.ink
    ink?.finish()
    self.ink = ink
    barriers = obstacles?.barriers
    report.classes = byLayer.map { item in
      LabelReport.Class(
        layerIndex: item.layerIndex, layer: item.layerName, classIndex: item.classIndex,
        name: item.definition.name)
    }
  }

  // MARK: Placing

  /// Places the labels of a class, each at its best free position.
  private mutating func place(_ number: Int) {
    let candidates = byLayer[number]
    guard let style = candidates.style else { return }
    /// The positions around each symbol, and the cells of the image where markers block them all.
    var rings: [Int32: LabelRing] = [:]
    var crowded = CrowdedCells(canvas: canvas)
    let mayBeCrowded =
      markers.isCrowded && candidates.avoidsMarkers && !candidates.isNeverRemoved && style.size > 2
    for anchor in candidates.anchors {
      examined += 1
      guard candidates.text.hasInk(row: Int(anchor.row)) else {
        drop(anchor, number, .empty)
        continue
      }
      if candidates.kind == .polyline || (candidates.kind == .polygon && candidates.definition.followsAxis) {
        placeAlongLine(anchor, number, candidates, style)
        continue
      }
      let spots: (free: [LabelSpot], outcome: LabelOutcome?)
      if candidates.isPoint {
        let ring =
          rings[anchor.index]
          ?? LabelRing(candidates.spots(aroundSymbol: anchor.index), size: style.size)
        if rings[anchor.index] == nil { rings[anchor.index] = ring }
        if candidates.directions != nil {
          spots = (ring.spots.map { $0.moved(x: anchor.x, y: anchor.y) }, nil)
        } else if mayBeCrowded,
          crowded.surelyBlock(ring.positions, ofSymbol: anchor.index, x: anchor.x, y: anchor.y, markers)
        {
          spots = ([], .atMarker)
        } else {
          let importance = candidates.importance(of: anchor)
          spots = sieve(ring.spots, movedBy: (anchor.x, anchor.y), importance, candidates, style)
        }
      } else {
        spots = sieve(candidates.spots(inArea: anchor), movedBy: (0, 0), .highest, candidates, style)
      }
      let mayRetry = mayRetry(anchor, candidates)
      if let outcome = spots.outcome, outcome != .atMarker || !mayRetry {
        drop(anchor, number, outcome)
        continue
      }
      let lines = candidates.text.lines(ofRow: Int(anchor.row))
      let text = lines.joined(separator: "\n")
      let (positions, outcome) = positions(of: lines, at: spots.free, anchor, candidates, style)
      if positions.isEmpty, !mayRetry || (spots.outcome ?? outcome) != .atMarker {
        drop(anchor, number, outcome)
      } else {
        add(
          Entry(
            number: number, order: examined, anchor: anchor, text: text, lines: lines, positions: positions,
            reason: positions.isEmpty ? .atMarker : .collided), candidates)
      }
    }
  }

  /// Returns whether a label without a free position may try others, because there are less important markers.
  private func mayRetry(_ anchor: LabelCandidates.Anchor, _ candidates: LabelCandidates) -> Bool {
    candidates.isPoint && candidates.avoidsMarkers && !candidates.isNeverRemoved
      && !candidates.definition.avoidsAllMarkers
      && retryCount < Self.retryLimit
      && leastImportance.map { candidates.importance(of: anchor) < $0 } ?? false
  }

  /// Places a label on a stretch of a line, or along the axis of an area.
  private mutating func placeAlongLine(
    _ anchor: LabelCandidates.Anchor, _ number: Int, _ candidates: LabelCandidates, _ style: LabelStyle
  ) {
    let text = candidates.text.lines(ofRow: Int(anchor.row)).joined(separator: " ")
    let layout = LabelLayout(
      [text], style: style, font: candidates.definition.textSymbol.font, alignment: .left,
      shapes: &shapes)
    let letters = LineText(layout, style: style, outlines: shapes.outlines)
    if anchor.mustFit, candidates.kind == .polyline {
      let stretch = candidates.stretches[Int(anchor.index)]
      guard letters.width <= stretch.to - stretch.from else { return drop(anchor, number, .overrun) }
    }
    let runs =
      candidates.kind == .polygon
      ? candidates.runs(of: letters, alongAxisOf: anchor)
      : candidates.runs(of: letters, on: candidates.stretches[Int(anchor.index)])
    var (found, outcome): ([LabelPosition], LabelOutcome) = ([], .overrun)
    for run in runs {
      guard run.boxes.allSatisfy({ canvas.contains($0) }) else {
        outcome = .atEdge
        continue
      }
      guard candidates.isNeverRemoved || !candidates.isCovered(anchor, by: run.boxes) else {
        outcome = .coversArea
        continue
      }
      let isTaken = isTaken(run.boxes, anchor, candidates)
      guard !isTaken || candidates.isNeverRemoved else {
        outcome = .atMarker
        continue
      }
      let cost = run.cost + inkCost(of: run.boxes) + (isTaken ? LabelSpot.markerCost : 0)
      found.append(
        LabelPosition(
          name: run.name, x: 0, y: 0, boxes: run.boxes, cost: cost, layout: layout, glyphs: run.glyphs))
    }
    if candidates.kind == .polyline, candidates.definition.duplicateRemoval != .none, !found.isEmpty {
      // The distance counts between the labels, which may lie anywhere on their lines.
      found.removeAll { placedTexts.isDuplicate(text, at: $0.center, of: candidates) }
      outcome = .duplicate
    }
    let order = found.indices.sorted { (found[$0].cost, $0) < (found[$1].cost, $1) }
    if found.isEmpty {
      drop(anchor, number, outcome)
    } else {
      add(
        Entry(
          number: number, order: examined, anchor: anchor, text: text, lines: [text],
          positions: order.map { found[$0] }, reason: .collided), candidates)
    }
  }

  /// Adds a label with its positions, unless it is a duplicate.
  private mutating func add(_ entry: Entry, _ candidates: LabelCandidates) {
    guard
      candidates.kind == .polyline
        || !placedTexts.isDuplicate(entry.text, at: entry.anchor.place, of: candidates)
    else { return drop(entry.anchor, entry.number, .duplicate) }
    let removesDuplicates = candidates.definition.duplicateRemoval != .none
    let mayMove = candidates.definition.triesPositions && !removesDuplicates
    let index = arrangement.add(
      LabelArrangement.Label(
        positions: entry.positions.map(\.boxes), level: candidates.priority, isMovable: mayMove,
        // Two small areas do not replace a large one, and two features no more important one.
        isReplaceable: candidates.kind != .polygon && candidates.ranks == nil),
      at: candidates.mayOverlap ? 0 : nil)
    entries.append(entry)
    if let chosen = arrangement.chosen[index] {
      let place = candidates.kind == .polyline ? entry.positions[chosen].center : entry.anchor.place
      placedTexts.insert(entry.text, at: place, of: candidates)
      return
    }
    if mayMove || candidates.isNeverRemoved {
      waiting.append(index)
      waitingCount += 1
    }
    guard mayRetry(entry.anchor, candidates) else { return }
    retryCount += 1
    let isFirst = firstCount > 0
    if isFirst {
      firstCount -= 1
    } else if firstCount == 0 {
      fixCovering()
      firstCount = -1
    }
    if candidates.ranks == nil {
      retries.append((index, isFirst))
    } else if mayMove {
      placeBeforeOthers(index, isFirst: isFirst)
    }
  }

  /// Places a label before those of less important features of its class take the room.
  ///
  /// - Parameter isFirst: whether the label is one of the first without a free position.
  private mutating func placeBeforeOthers(_ index: Int, isFirst: Bool) {
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

  /// Makes room for labels of a priority that found none, and places those that must not be removed.
  private mutating func endLevel() {
    fixCovering()
    arrangement.improve(waiting)
    // Labels that hide no marker first, so that they leave more for the others.
    for hidden in [0, Self.first.least, Self.first.each] {
      for (index, isFirst) in retries
      where arrangement.chosen[index] == nil && (isFirst || hidden == 0) {
        guard retryComparisons < Self.retryComparisonLimit else { break }
        let before = markers.comparisons
        retry(index, hiding: hidden, isFirst: isFirst)
        retryComparisons += markers.comparisons - before
      }
    }
    (retries, far) = ([], [:])
    for index in waiting where arrangement.chosen[index] == nil {
      guard byLayer[entries[index].number].isNeverRemoved else { continue }
      let positions = entries[index].positions
      let costs = positions.map { Double(arrangement.overlapCount($0.boxes)) * 100 + $0.cost }
      guard let best = costs.indices.min(by: { (costs[$0], $0) < (costs[$1], $1) }) else { continue }
      arrangement.force(index, at: best)
    }
    waiting = []
  }

  /// A position over less important markers.
  private struct Covering {
    let position: LabelPosition
    /// Whether no label is there.
    let isFree: Bool
  }

  /// Places a label farther from its symbol or over less important markers, if that is possible.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of markers to hide.
  ///   - isFirst: whether the label is one of the first without a free position; other labels are moved to make room for it.
  private mutating func retry(_ index: Int, hiding limit: Int, isFirst: Bool = false) {
    let entry = entries[index]
    let candidates = byLayer[entry.number]
    guard let style = candidates.style, candidates.directions == nil,
      !placedTexts.isDuplicate(entry.text, at: entry.anchor.place, of: candidates)
    else { return }
    let room =
      isFirst ? allowed.less(Self.cover(of: covering, entries, arrangement)) : MarkerGrid.Cover()
    var (found, best): ([Covering], Covering?) = ([], nil)
    let isThorough = isFirst && limit == Self.first.each
    for search in isThorough ? [LabelSpot.Search.far, .fine] : [.far] where best == nil {
      let all =
        search == .far && isFirst
        ? farPositions(of: index, candidates, style)
        : coverings(of: entry, candidates, style, search, isFirst: isFirst)
      found = all.filter {
        $0.position.cover.hidden <= min(limit, room.hidden) && $0.position.cover.area <= room.area
      }
      best = found.first { $0.isFree }
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
      let found = coverings(of: entries[index], candidates, style, .far, isFirst: true)
      far[index] = found
      return found
    }
    return known.map { Covering(position: $0.position, isFree: arrangement.isFree($0.position.boxes)) }
  }

  /// Returns the positions around the symbol of a label at (0, 0); features with one symbol share them.
  private mutating func spots(
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
  private mutating func fixCovering() {
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
    for spot in spots(of: entry, candidates, search) {
      let spot = spot.moved(x: entry.anchor.x, y: entry.anchor.y)
      let layout = layouts.layout(for: spot, &shapes)
      let (block, box) = layout.boxes(at: spot, style)
      guard canvas.contains(box), !isBarred([box], entry.anchor, candidates) else { continue }
      let isFree = arrangement.isFree([box])
      guard isFree || isFirst else { continue }
      let gap = MarkerGrid.Gap(
        own: spot.distance(to: block), more: isFirst ? candidates.pixelRatio : candidates.clearance)
      let outlines = shapes.outlines
      let found = markers.cover(
        box, letters: block, own: spot.symbol, gap: gap, importance: candidates.importance(of: entry.anchor)
      ) {
        layout.glyphBoxes(style, outlines: outlines).map { $0.moved(x: block.xMin, y: block.yMin) }
      }
      guard let cover = found else { continue }
      let cost =
        spot.cost + (ink?.share(of: box) ?? 0) * LabelSpot.inkCost + cost(of: cover)
        + edgeCost(of: box, candidates)
      let position = LabelPosition(
        name: spot.name, x: block.xMin, y: block.yMin, boxes: [box], cost: cost, layout: layout, cover: cover)
      covering.append(Covering(position: position, isFree: isFree))
    }
    let order = covering.indices.sorted {
      (covering[$0].position.cost, $0) < (covering[$1].position.cost, $1)
    }
    return order.map { covering[$0] }
  }
}
