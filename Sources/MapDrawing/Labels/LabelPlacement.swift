import MapFeatures
import MapGeometry
package import MapModel
import MapSystem

/// The placed labels of an image, and the result for each candidate.
package struct LabelDrawing: Sendable {
  /// The labels, one display layer for each layer that has labels, from the bottom.
  package let layers: [DisplayLayer]
  /// The label counts of each class.
  package let report: LabelReport
  /// The results for the one requested feature, in the order of placement.
  package let results: [LabelResult]
  /// The number of markers and boxes compared with labels.
  package let comparisons: Int
}

/// The result of placing one label of a feature.
package struct LabelResult: Hashable, Sendable {
  /// The index of the label class in the layer.
  package let classIndex: Int
  /// The name of the result in ``LabelReport/Class/counts``.
  package let name: String
  /// The text of the label.
  package let text: String
}

/// A placement of all labels of an image, in one pass.
///
/// Labels are placed by class priority, then from the top layer down, then in the drawing order of the features; those
/// of the areas of a `dynamic` class by size, the largest first. A label never covers one that was placed before it,
/// unless its class allows overlaps. It never extends beyond the image. `dynamic` classes try other positions than the
/// preferred one.
///
/// A label covers no marker of a layer with labels. Labels of points for which this leaves no position may cover a few
/// markers of lower priority: all labels together hide the centres of at most two, and cover at most 1.5 % of the
/// markers' area. The result depends on the candidates and obstacles only.
///
/// - Source: Esri web map specification, `deconflictionStrategy`; the order of equal priorities is a design decision.
package struct LabelPlacement {
  /// The maximum number of labels for which room is made by moving others.
  ///
  /// - Source: design decision; more labels than this never fit an image.
  private static let waitingLimit = 20_000
  /// The maximum number of labels that try positions farther from their symbol or over markers.
  private static let retryLimit = 5000
  /// The number of markers whose centre labels may hide, and the share of the markers' area that they may cover.
  ///
  /// - Source: design decision, so that an image loses hardly a marker and still names its largest cities.
  private static let (hiddenLimit, coveredLimit) = (2, 0.015)
  /// The number of comparisons with markers after which no label of the image is tried again.
  ///
  /// - Source: design decision; these take some milliseconds.
  private static let retryComparisonLimit = 2_000_000
  /// The costs of a hidden marker and of a covered square pixel, in steps around the symbol.
  private static let (hiddenCost, coverCost) = (20.0, 0.5)

  private let canvas: LabelBox
  private let byLayer: [LabelCandidates]
  private var shapes: ShapeCache
  private var arrangement: LabelArrangement
  private var markers: MarkerGrid
  private let ink: LabelInk?
  private let barriers: LabelBarriers?
  /// The labels of the arrangement.
  private var entries: [Entry] = []
  /// The labels of the present priority that found no position, by their numbers in `entries`.
  private var waiting: [Int] = []
  private var waitingCount = 0
  /// The labels of points of the present priority that may try more positions, by their numbers in `entries`.
  private var retries: [Int] = []
  private var retryCount = 0
  /// The number of comparisons made for labels that were tried again.
  private var retryComparisons = 0
  /// The number of markers that labels may still hide, and the area that they may still cover.
  private var allowed: MarkerGrid.Cover
  /// The lowest importance of a marker.
  private let leastPriority: Int
  private var placedTexts: [String: [PlacedText]] = [:]
  private var report = LabelReport()
  /// The feature whose results are kept; nil for none.
  private let watched: (layerIndex: Int, row: Int)?
  /// The results of that feature, with the order in which its labels were examined.
  private var results: [(order: Int, result: LabelResult)] = []
  private var examined = 0

  /// A label that has at least one position.
  private struct Entry {
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

  /// The text and position of a placed label.
  private struct PlacedText {
    let layerIndex: Int
    let classIndex: Int
    let kind: GeometryKind
    let center: (x: Double, y: Double)
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
    leastPriority = markers.leastPriority
    allowed = MarkerGrid.Cover(hidden: Self.hiddenLimit, area: Self.coveredLimit * markers.area)
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
          spots = sieve(ring.spots, movedBy: (anchor.x, anchor.y), candidates, style)
        }
      } else {
        spots = sieve(candidates.spots(inArea: anchor), movedBy: (0, 0), candidates, style)
      }
      let mayRetry = mayRetry(candidates)
      if let outcome = spots.outcome, outcome != .atMarker || !mayRetry {
        drop(anchor, number, outcome)
        continue
      }
      let lines = candidates.text.lines(ofRow: Int(anchor.row))
      let text = lines.joined(separator: "\n")
      let (positions, outcome) = positions(of: lines, at: spots.free, anchor, candidates, style)
      if positions.isEmpty, !mayRetry || (spots.outcome ?? outcome) != .atMarker {
        drop(anchor, number, outcome)
      } else if isDuplicate(text, candidates, anchor) {
        drop(anchor, number, .duplicate)
      } else {
        add(
          Entry(
            number: number, order: examined, anchor: anchor, text: text, lines: lines, positions: positions,
            reason: positions.isEmpty ? .atMarker : .collided), candidates)
      }
    }
  }

  /// Returns whether a label without a free position may try others, because there are less important markers.
  private func mayRetry(_ candidates: LabelCandidates) -> Bool {
    candidates.isPoint && candidates.avoidsMarkers && !candidates.isNeverRemoved
      && retryCount < Self.retryLimit
      && candidates.priority < leastPriority
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
      let isBlocked =
        candidates.avoidsMarkers
        && (run.boxes.contains { markers.covers($0, priority: candidates.priority) }
          || isBarred(run.boxes, anchor, candidates))
      guard !isBlocked || candidates.isNeverRemoved else {
        outcome = .atMarker
        continue
      }
      let shares = run.boxes.map { ink?.share(of: $0) ?? 0 }
      let cost =
        run.cost + shares.reduce(0, +) / Double(max(shares.count, 1)) * LabelSpot.inkCost / 2
        + (isBlocked ? LabelSpot.markerCost : 0)
      found.append(
        LabelPosition(
          name: run.name, x: 0, y: 0, boxes: run.boxes, cost: cost, layout: layout, glyphs: run.glyphs))
    }
    let order = found.indices.sorted { (found[$0].cost, $0) < (found[$1].cost, $1) }
    if found.isEmpty {
      drop(anchor, number, outcome)
    } else if isDuplicate(text, candidates, anchor) {
      drop(anchor, number, .duplicate)
    } else {
      add(
        Entry(
          number: number, order: examined, anchor: anchor, text: text, lines: [text],
          positions: order.map { found[$0] }, reason: .collided), candidates)
    }
  }

  private mutating func add(_ entry: Entry, _ candidates: LabelCandidates) {
    let removesDuplicates = candidates.definition.duplicateRemoval != .none
    let mayMove = candidates.definition.triesPositions && !removesDuplicates
    let index = arrangement.add(
      LabelArrangement.Label(
        positions: entry.positions.map(\.boxes), level: candidates.priority, isMovable: mayMove,
        // Two small areas do not replace a large one.
        isReplaceable: candidates.kind != .polygon),
      at: candidates.mayOverlap ? 0 : nil)
    entries.append(entry)
    if arrangement.chosen[index] != nil {
      remember(entry, candidates)
      return
    }
    if mayMove || candidates.isNeverRemoved {
      waiting.append(index)
      waitingCount += 1
    }
    if mayRetry(candidates) {
      retries.append(index)
      retryCount += 1
    }
  }

  /// Keeps the text and position of a placed label, which duplicates are compared with.
  private mutating func remember(_ entry: Entry, _ candidates: LabelCandidates) {
    placedTexts[entry.text, default: []].append(
      PlacedText(
        layerIndex: candidates.layerIndex, classIndex: candidates.classIndex, kind: candidates.kind,
        center: (entry.anchor.x, entry.anchor.y)))
  }

  /// Makes room for labels of a priority that found none, and places those that must not be removed.
  private mutating func endLevel() {
    arrangement.improve(waiting)
    // Labels that hide no marker first, so that they leave more for the others.
    for hidden in Set([0, allowed.hidden]).sorted() {
      for index in retries where arrangement.chosen[index] == nil {
        guard retryComparisons < Self.retryComparisonLimit else { break }
        let before = markers.comparisons
        retry(index, hiding: hidden)
        retryComparisons += markers.comparisons - before
      }
    }
    retries = []
    for index in waiting where arrangement.chosen[index] == nil {
      guard byLayer[entries[index].number].isNeverRemoved else { continue }
      let positions = entries[index].positions
      let costs = positions.map { Double(arrangement.overlapCount($0.boxes)) * 100 + $0.cost }
      guard let best = costs.indices.min(by: { (costs[$0], $0) < (costs[$1], $1) }) else { continue }
      arrangement.force(index, at: best)
    }
    waiting = []
  }

  /// Places a label farther from its symbol or over less important markers, if that is possible.
  ///
  /// - Parameter limit: the maximum number of markers to hide.
  private mutating func retry(_ index: Int, hiding limit: Int) {
    let entry = entries[index]
    let candidates = byLayer[entry.number]
    guard let style = candidates.style, candidates.directions == nil,
      !isDuplicate(entry.text, candidates, entry.anchor)
    else { return }
    var layouts = LabelLayouts(entry.lines, candidates, style)
    var best: (position: LabelPosition, cover: MarkerGrid.Cover)?
    for spot in candidates.spots(aroundSymbol: entry.anchor.index, isFar: true) {
      let spot = spot.moved(x: entry.anchor.x, y: entry.anchor.y)
      let layout = layouts.layout(for: spot, &shapes)
      let (block, box) = layout.boxes(at: spot, style)
      guard canvas.contains(box), arrangement.isFree([box]), !isBarred([box], entry.anchor, candidates)
      else { continue }
      let glyphs = layout.glyphBoxes(style, outlines: shapes.outlines).map {
        $0.moved(x: block.xMin, y: block.yMin)
      }
      let gap = MarkerGrid.Gap(own: block.distance(to: spot.symbol), more: candidates.pixelRatio)
      guard
        let cover = markers.cover(
          box, glyphs: glyphs, letters: block, own: spot.symbol, gap: gap, priority: candidates.priority),
        cover.hidden <= min(limit, allowed.hidden), cover.area <= allowed.area
      else { continue }
      let cost =
        spot.cost + (ink?.share(of: box) ?? 0) * LabelSpot.inkCost + Double(cover.hidden) * Self.hiddenCost
        + cover.area * Self.coverCost
      guard cost < best?.position.cost ?? .infinity else { continue }
      best = (
        LabelPosition(
          name: spot.name, x: block.xMin, y: block.yMin, boxes: [box], cost: cost, layout: layout),
        cover
      )
    }
    guard let best else { return }
    arrangement.place(index, atNew: best.position.boxes)
    entries[index].positions.append(best.position)
    allowed.hidden -= best.cover.hidden
    allowed.area -= best.cover.area
    remember(entry, candidates)
  }

  /// Returns the positions that a text may fit, and the reason if there are none.
  ///
  /// Most labels of a crowded layer have no room for even one letter, which can be tested without the text.
  ///
  /// - Parameter offset: the distance by which the positions are moved.
  private mutating func sieve(
    _ spots: [LabelSpot], movedBy offset: (x: Double, y: Double), _ candidates: LabelCandidates,
    _ style: LabelStyle
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
          gap: MarkerGrid.Gap(own: spot.distance), candidates)
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
  private mutating func positions(
    of lines: [String], at spots: [LabelSpot], _ anchor: LabelCandidates.Anchor,
    _ candidates: LabelCandidates, _ style: LabelStyle
  ) -> (positions: [LabelPosition], outcome: LabelOutcome) {
    var found: [LabelPosition] = []
    var outcome = LabelOutcome.atEdge
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
            isBlocked($0, letters: $0, symbol: spot.symbol, gap: MarkerGrid.Gap(own: 0), candidates)
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
            cost: spot.cost + (isTaken ? LabelSpot.markerCost : 0), layout: layout, glyphs: turned.glyphs))
        continue
      }
      guard canvas.contains(box) else { continue }
      let isInside = candidates.contains(block, in: anchor)
      guard isInside || (candidates.allowsOverrun && !anchor.mustFit) else {
        outcome = .overrun
        continue
      }
      let gap = MarkerGrid.Gap(own: block.distance(to: spot.symbol), more: candidates.pixelRatio)
      let isTaken =
        isBlocked(box, letters: block, symbol: spot.symbol, gap: gap, candidates)
        || isBarred([box], anchor, candidates)
      guard !isTaken || candidates.isNeverRemoved else {
        outcome = .atMarker
        continue
      }
      let cost =
        spot.cost + (ink?.share(of: box) ?? 0) * LabelSpot.inkCost + (isInside ? 0 : LabelSpot.overrunCost)
        + (isTaken ? LabelSpot.markerCost : 0)
      found.append(
        LabelPosition(name: spot.name, x: block.xMin, y: block.yMin, boxes: [box], cost: cost, layout: layout)
      )
    }
    let order = found.indices.sorted { (found[$0].cost, $0) < (found[$1].cost, $1) }
    return (order.map { found[$0] }, outcome)
  }

  /// Returns whether a marker that the label must not cover is under it or too close.
  private mutating func isBlocked(
    _ box: LabelBox, letters: LabelBox, symbol: LabelBox, gap: MarkerGrid.Gap, _ candidates: LabelCandidates
  ) -> Bool {
    guard candidates.avoidsMarkers else { return false }
    guard candidates.isPoint else { return markers.covers(box, priority: candidates.priority) }
    return markers.blocks(box, letters: letters, own: symbol, gap: gap)
  }

  /// Returns whether a label overlaps another feature that no label may overlap.
  private func isBarred(
    _ boxes: [LabelBox], _ anchor: LabelCandidates.Anchor, _ candidates: LabelCandidates
  ) -> Bool {
    guard let barriers, !barriers.isEmpty, candidates.avoidsMarkers else { return false }
    return boxes.contains {
      barriers.blocks($0, layerIndex: candidates.layerIndex, row: anchor.row)
    }
  }

  /// Returns whether a label with the same text is where the class's duplicate removal forbids another.
  private func isDuplicate(
    _ text: String, _ candidates: LabelCandidates, _ anchor: LabelCandidates.Anchor
  ) -> Bool {
    let removal = candidates.definition.duplicateRemoval
    guard removal != .none, let others = placedTexts[text] else { return false }
    let distance = candidates.definition.duplicateRemovalDistance * candidates.pixelRatio
    return others.contains { other in
      let isRelated =
        switch removal {
        case .none: false
        case .labelClass:
          other.layerIndex == candidates.layerIndex && other.classIndex == candidates.classIndex
        case .featureType: other.kind == candidates.kind
        case .all: true
        }
      let (dx, dy) = (anchor.x - other.center.x, anchor.y - other.center.y)
      return isRelated && (distance == 0 || dx * dx + dy * dy <= distance * distance)
    }
  }

  // MARK: Results

  private mutating func drop(_ anchor: LabelCandidates.Anchor, _ number: Int, _ outcome: LabelOutcome) {
    // A part without room for the label is no label that is missing.
    if anchor.mustFit, outcome == .overrun { return }
    count(outcome, number, order: examined, row: anchor.row)
  }

  /// Counts a result, and keeps it if its feature is watched.
  private mutating func count(_ outcome: LabelOutcome, _ number: Int, order: Int, row: Int32) {
    report.classes[number].add(outcome)
    guard let watched, watched == (byLayer[number].layerIndex, Int(row)) else { return }
    let candidates = byLayer[number]
    results.append(
      (
        order,
        LabelResult(
          classIndex: candidates.classIndex, name: outcome.rawValue,
          text: candidates.text.lines(ofRow: Int(row)).joined(separator: " "))
      ))
  }

  /// Returns the placed labels and the counts, after the last level.
  private consuming func drawing() -> LabelDrawing {
    var items = byLayer.map { _ in [LabelItem]() }
    var missing: Set<Unicode.Scalar> = []
    var problems: Set<String> = []
    for (index, entry) in entries.enumerated() {
      guard let chosen = arrangement.chosen[index] else {
        count(entry.reason, entry.number, order: entry.order, row: entry.anchor.row)
        continue
      }
      let position = entry.positions[chosen]
      count(.placed, entry.number, order: entry.order, row: entry.anchor.row)
      report.classes[entry.number].positions[position.name, default: 0] += 1
      missing.formUnion(position.layout.missing)
      if let problem = position.layout.problem { problems.insert(problem) }
      items[entry.number].append(position.item(text: entry.text, row: entry.anchor.row))
    }
    report.labels = items.enumerated().flatMap { number, items in
      items.map { item in
        LabelReport.Label(
          classNumber: number, objectID: byLayer[number].objectIDs.id(ofRow: Int(item.row)), text: item.text,
          box: item.box)
      }
    }
    report.problems = problems.sorted()
    report.missingGlyphs = missing.sorted { $0.value < $1.value }
    report.failures = byLayer.compactMap { candidates in
      candidates.text.failure.map { "layer \"\(candidates.layerName)\": a label expression fails: \($0)" }
    }
    return LabelDrawing(
      layers: layers(items), report: report, results: results.sorted { $0.order < $1.order }.map(\.result),
      comparisons: markers.comparisons + arrangement.comparisons)
  }

  /// Groups the labels by layer; within a layer the label placed first is painted last.
  private func layers(_ items: [[LabelItem]]) -> [DisplayLayer] {
    var layers: [DisplayLayer] = []
    for index in Set(byLayer.map(\.layerIndex)).sorted() {
      let own = byLayer.indices.filter { byLayer[$0].layerIndex == index }
      let byPriority = own.sorted { (byLayer[$0].priority, $0) < (byLayer[$1].priority, $1) }
      var batch = LabelBatch(outlines: shapes.outlines, styles: [], items: [])
      for number in byPriority.reversed() where !items[number].isEmpty {
        guard let style = byLayer[number].style else { continue }
        let styleIndex = UInt32(batch.styles.count)
        batch.styles.append(style)
        batch.items += items[number].reversed().map { $0.with(style: styleIndex) }
      }
      guard !batch.items.isEmpty else { continue }
      layers.append(
        DisplayLayer(
          index: index, name: byLayer[own[0]].layerName, opacity: byLayer[own[0]].opacity,
          batches: [.labels(batch)]))
    }
    return layers
  }
}

extension LabelItem {
  fileprivate func with(style: UInt32) -> LabelItem {
    LabelItem(text: text, style: style, row: row, box: box, glyphs: glyphs)
  }
}
