import MapGeometry
public import MapModel
import MapSystem

/// The placed labels of an image, and the result for each candidate.
public struct LabelDrawing: Sendable {
  /// The labels, one display layer for each layer that has labels, from the bottom.
  public let layers: [DisplayLayer]
  /// The label counts of each class.
  public let report: LabelReport
  /// The results for the one requested feature, in the order of placement.
  public let results: [LabelResult]
  /// The number of markers and boxes compared with labels.
  package let comparisons: Int
}

/// The result of placing one label of a feature.
public struct LabelResult: Hashable, Sendable {
  /// The index of the label class in the layer.
  public let classIndex: Int
  /// The name of the result in ``LabelReport/Class/counts``.
  public let name: String
  /// The text of the label.
  public let text: String
}

/// A placement of all labels of an image, in one pass.
///
/// Labels are placed by class priority, then from the top layer down, then in the drawing order of the features. A
/// label never covers one that was placed before it, unless its class allows overlaps. It covers no marker of a layer
/// with labels, and never extends beyond the image. `dynamic` classes try other positions than the preferred one.
/// The result depends on the candidates and obstacles only.
///
/// - Source: Esri web map specification, `deconflictionStrategy`; the order of equal priorities is a design decision.
public struct LabelPlacement {
  /// The maximum number of labels for which room is made by moving others.
  ///
  /// - Source: design decision; more labels than this never fit an image.
  private static let waitingLimit = 20_000

  private let canvas: LabelBox
  private let byLayer: [LabelCandidates]
  private var shapes: ShapeCache
  private var arrangement: LabelArrangement
  private var markers: MarkerGrid
  private let ink: LabelInk?
  /// The labels of the arrangement.
  private var entries: [Entry] = []
  /// The labels of the present priority that found no position, by their numbers in `entries`.
  private var waiting: [Int] = []
  private var waitingCount = 0
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
    let row: Int32
    let text: String
    let layout: LabelLayout
    let positions: [LabelPosition]
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
  public static func labels(
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
    var ink = obstacles?.ink
    ink?.finish()
    self.ink = ink
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
    for anchor in candidates.anchors {
      examined += 1
      guard candidates.text.hasInk(row: Int(anchor.row)) else {
        drop(anchor, number, .empty)
        continue
      }
      if candidates.kind == .polyline {
        placeAlongLine(anchor, number, candidates, style)
        continue
      }
      var spots = candidates.spots(anchor)
      if let outcome = sieve(&spots, candidates, style) {
        drop(anchor, number, outcome)
        continue
      }
      let lines = candidates.text.lines(ofRow: Int(anchor.row))
      let text = lines.joined(separator: "\n")
      let layout = LabelLayout(
        lines, style: style, weight: candidates.definition.textSymbol.fontWeight,
        alignment: candidates.definition.textSymbol.horizontalAlignment, shapes: &shapes)
      let (positions, outcome) = positions(of: layout, at: spots, anchor, candidates, style)
      if positions.isEmpty {
        drop(anchor, number, outcome)
      } else if isDuplicate(text, candidates, anchor) {
        drop(anchor, number, .duplicate)
      } else {
        add(
          Entry(
            number: number, order: examined, row: anchor.row, text: text, layout: layout, positions: positions
          ),
          anchor, candidates)
      }
    }
  }

  /// Places a label on a stretch of a line.
  private mutating func placeAlongLine(
    _ anchor: LabelCandidates.Anchor, _ number: Int, _ candidates: LabelCandidates, _ style: LabelStyle
  ) {
    let text = candidates.text.lines(ofRow: Int(anchor.row)).joined(separator: " ")
    let layout = LabelLayout(
      [text], style: style, weight: candidates.definition.textSymbol.fontWeight, alignment: .left,
      shapes: &shapes)
    let runs = candidates.runs(
      of: LineText(layout, style: style, outlines: shapes.outlines),
      on: candidates.stretches[Int(anchor.index)])
    var (found, outcome): ([LabelPosition], LabelOutcome) = ([], .overrun)
    for run in runs {
      guard run.boxes.allSatisfy({ canvas.contains($0) }) else {
        outcome = .atEdge
        continue
      }
      let isBlocked =
        candidates.avoidsMarkers
        && run.boxes.contains { markers.covers($0, priority: candidates.priority) }
      guard !isBlocked || candidates.isNeverRemoved else {
        outcome = .atMarker
        continue
      }
      let shares = run.boxes.map { ink?.share(of: $0) ?? 0 }
      let cost =
        run.cost + shares.reduce(0, +) / Double(max(shares.count, 1)) * LabelSpot.inkCost / 2
        + (isBlocked ? LabelSpot.markerCost : 0)
      found.append(
        LabelPosition(name: run.name, x: 0, y: 0, boxes: run.boxes, cost: cost, glyphs: run.glyphs))
    }
    let order = found.indices.sorted { (found[$0].cost, $0) < (found[$1].cost, $1) }
    if found.isEmpty {
      drop(anchor, number, outcome)
    } else if isDuplicate(text, candidates, anchor) {
      drop(anchor, number, .duplicate)
    } else {
      add(
        Entry(
          number: number, order: examined, row: anchor.row, text: text, layout: layout,
          positions: order.map { found[$0] }), anchor, candidates)
    }
  }

  private mutating func add(
    _ entry: Entry, _ anchor: LabelCandidates.Anchor, _ candidates: LabelCandidates
  ) {
    let removesDuplicates = candidates.definition.duplicateRemoval != .none
    let mayMove = candidates.definition.triesPositions && !removesDuplicates
    let index = arrangement.add(
      LabelArrangement.Label(
        positions: entry.positions.map(\.boxes), level: candidates.priority, isMovable: mayMove),
      at: candidates.mayOverlap ? 0 : nil)
    entries.append(entry)
    if arrangement.chosen[index] != nil {
      placedTexts[entry.text, default: []].append(
        PlacedText(
          layerIndex: candidates.layerIndex, classIndex: candidates.classIndex,
          kind: candidates.kind, center: (anchor.x, anchor.y)))
    } else if mayMove || candidates.isNeverRemoved {
      waiting.append(index)
      waitingCount += 1
    }
  }

  /// Makes room for labels of a priority that found none, and places those that must not be removed.
  private mutating func endLevel() {
    arrangement.improve(waiting)
    for index in waiting where arrangement.chosen[index] == nil {
      guard byLayer[entries[index].number].isNeverRemoved else { continue }
      let positions = entries[index].positions
      let costs = positions.map { Double(arrangement.overlapCount($0.boxes)) * 100 + $0.cost }
      guard let best = costs.indices.min(by: { (costs[$0], $0) < (costs[$1], $1) }) else { continue }
      arrangement.force(index, at: best)
    }
    waiting = []
  }

  /// Removes the positions that no text fits, and returns the reason if none is left.
  ///
  /// Most labels of a crowded layer have no room for even one letter, which can be tested without the text.
  private mutating func sieve(
    _ spots: inout [LabelSpot], _ candidates: LabelCandidates, _ style: LabelStyle
  ) -> LabelOutcome? {
    guard style.size > 2 else { return nil }
    var (isInside, isClear, hasRoom) = (false, false, candidates.isNeverRemoved || candidates.mayOverlap)
    spots.removeAll { spot in
      let core = spot.core(size: style.size)
      guard canvas.contains(core) else { return true }
      isInside = true
      if !candidates.isNeverRemoved, isBlocked(core, letters: core, spot, gap: spot.distance, candidates) {
        return true
      }
      isClear = true
      if !hasRoom, !arrangement.covers(core) { hasRoom = true }
      return false
    }
    guard isInside else { return .atEdge }
    guard isClear else { return .atMarker }
    let mayWait = candidates.definition.triesPositions && waitingCount < Self.waitingLimit
    return hasRoom || mayWait ? nil : .collided
  }

  /// Returns the possible positions of a label, best first, and the reason if there are none.
  private mutating func positions(
    of layout: LabelLayout, at spots: [LabelSpot], _ anchor: LabelCandidates.Anchor,
    _ candidates: LabelCandidates, _ style: LabelStyle
  ) -> (positions: [LabelPosition], outcome: LabelOutcome) {
    var found: [LabelPosition] = []
    var outcome = LabelOutcome.atEdge
    for spot in spots {
      let corner = spot.corner(of: layout, size: style.size)
      let block = LabelBox(
        xMin: corner.x, yMin: corner.y, xMax: corner.x + layout.width, yMax: corner.y + layout.height)
      let inked =
        layout.ink.isEmpty ? block : block.union(LabelBox(layout.ink).moved(x: corner.x, y: corner.y))
      let box = inked.grown(by: style.reach)
      guard canvas.contains(box) else { continue }
      let isInside = candidates.contains(block, in: anchor)
      guard isInside || (candidates.allowsOverrun && spot.mayOverrun) else {
        outcome = .overrun
        continue
      }
      let gap = block.distance(to: spot.symbol) + candidates.pixelRatio
      let isBlocked = isBlocked(box, letters: block, spot, gap: gap, candidates)
      guard !isBlocked || candidates.isNeverRemoved else {
        outcome = .atMarker
        continue
      }
      let cost =
        spot.cost + (ink?.share(of: box) ?? 0) * LabelSpot.inkCost + (isInside ? 0 : LabelSpot.overrunCost)
        + (isBlocked ? LabelSpot.markerCost : 0)
      found.append(LabelPosition(name: spot.name, x: corner.x, y: corner.y, boxes: [box], cost: cost))
    }
    let order = found.indices.sorted { (found[$0].cost, $0) < (found[$1].cost, $1) }
    return (order.map { found[$0] }, outcome)
  }

  /// Returns whether a marker that the label must not cover is under it or too close.
  private mutating func isBlocked(
    _ box: LabelBox, letters: LabelBox, _ spot: LabelSpot, gap: Double, _ candidates: LabelCandidates
  ) -> Bool {
    guard candidates.avoidsMarkers else { return false }
    guard candidates.isPoint else { return markers.covers(box, priority: candidates.priority) }
    // A label with one position may cover less important markers; a label with several covers none.
    let priority = candidates.definition.triesPositions ? Int.max : candidates.priority
    return markers.blocks(box, letters: letters, own: spot.symbol, gap: gap, priority: priority)
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
    count(outcome, number, order: examined, row: anchor.row)
  }

  /// Counts a result, and keeps it if its feature is watched.
  private mutating func count(_ outcome: LabelOutcome, _ number: Int, order: Int, row: Int32) {
    report.classes[number].add(outcome)
    let candidates = byLayer[number]
    guard let watched, watched == (candidates.layerIndex, Int(row)) else { return }
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
    for (index, entry) in entries.enumerated() {
      guard let chosen = arrangement.chosen[index] else {
        count(.collided, entry.number, order: entry.order, row: entry.row)
        continue
      }
      let position = entry.positions[chosen]
      count(.placed, entry.number, order: entry.order, row: entry.row)
      report.classes[entry.number].positions[position.name, default: 0] += 1
      missing.formUnion(entry.layout.missing)
      items[entry.number].append(position.item(text: entry.text, row: entry.row, layout: entry.layout))
    }
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

extension LabelCandidates {
  /// The placement priority of the class; lower numbers are placed first.
  fileprivate var priority: Int { definition.priority ?? LabelDefinition.priority(of: kind) }

  /// Whether the labels may overlap others.
  fileprivate var mayOverlap: Bool {
    definition.deconflictionStrategy == .none
      || (!isNeverRemoved && definition.labelOverlapStrategy == .allow)
  }

  /// Whether the labels keep off markers.
  fileprivate var avoidsMarkers: Bool { definition.deconflictionStrategy != .none }

  /// Whether all labels are drawn.
  fileprivate var isNeverRemoved: Bool { definition.deconflictionStrategy == .dynamicNeverRemove }

  fileprivate var style: LabelStyle? {
    LabelStyle(definition.textSymbol, pixelRatio: pixelRatio, classIndex: classIndex)
  }

  /// Returns whether a block lies inside its area; true for points and for areas that are not kept.
  fileprivate func contains(_ block: LabelBox, in anchor: Anchor) -> Bool {
    guard keepsAreas else { return true }
    let (row, block) = (Int(anchor.index), block.envelope)
    return !areas.parts(ofRow: row).contains { part in
      let vertices = areas.vertices(ofPart: part)
      return vertices.dropFirst().contains { vertex in
        block.meetsSegment(areas.x[vertex - 1], areas.y[vertex - 1], areas.x[vertex], areas.y[vertex])
      }
    }
  }
}

extension LabelItem {
  fileprivate func with(style: UInt32) -> LabelItem {
    LabelItem(text: text, style: style, row: row, box: box, glyphs: glyphs)
  }
}
