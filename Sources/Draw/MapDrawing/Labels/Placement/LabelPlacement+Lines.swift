import MapGeometry
import MapModel
import MapSystem

extension LabelPlacement {
  /// The number of labels whose positions are found at once, on all cores.
  private static let batchSize = 256

  /// A label along a line or the axis of an area, before its positions are found.
  private struct LineLabel {
    let anchor: LabelCandidates.Anchor
    let text: String
    let layout: LabelLayout
    let letters: LineText

    /// Returns the possible positions; nil for a line that is too short.
    func runs(_ candidates: LabelCandidates) -> [LabelCandidates.Run]? {
      guard candidates.kind == .polyline else { return candidates.runs(of: letters, alongAxisOf: anchor) }
      let stretch = candidates.stretches[Int(anchor.index)]
      if anchor.mustFit, letters.width > stretch.to - stretch.from { return nil }
      return candidates.runs(of: letters, on: stretch)
    }
  }

  /// Places the labels of a class along lines or along the axes of areas.
  mutating func placeAlongLines(_ number: Int, _ candidates: LabelCandidates, _ style: LabelStyle) {
    for batch in candidates.anchors.indices.pieces(of: Self.batchSize) {
      let labels = candidates.anchors[batch].map { anchor -> LineLabel? in
        guard candidates.text.hasInk(row: Int(anchor.row)) else { return nil }
        let text = candidates.text.lines(ofRow: Int(anchor.row)).joined(separator: " ")
        let layout = LabelLayout(
          [text], style: style, font: candidates.definition.textSymbol.font, alignment: .left,
          shapes: &shapes)
        return LineLabel(
          anchor: anchor, text: text, layout: layout,
          letters: LineText(layout, style: style, outlines: shapes.outlines))
      }
      let (canvas, ink) = (canvas, ink)
      let runs = concurrentMap(labels.count) { label in
        var runs = labels[label]?.runs(candidates)
        for index in runs?.indices ?? 0..<0 { runs?[index].judge(canvas, ink) }
        return runs
      }
      for (anchor, (label, runs)) in zip(candidates.anchors[batch], zip(labels, runs)) {
        examined += 1
        if let label, let runs {
          place(label, runs, number, candidates)
        } else {
          drop(anchor, number, label == nil ? .empty : .overrun)
        }
      }
    }
  }

  /// Places a label at the best of its possible positions.
  private mutating func place(
    _ label: LineLabel, _ runs: [LabelCandidates.Run], _ number: Int, _ candidates: LabelCandidates
  ) {
    let anchor = label.anchor
    var (found, outcome): ([(cost: Double, run: Int)], LabelOutcome) = ([], .overrun)
    for (index, run) in runs.enumerated() {
      guard run.isInside else {
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
      found.append((run.cost + (isTaken ? LabelSpot.markerCost : 0), index))
    }
    if candidates.kind == .polyline, candidates.definition.duplicateRemoval != .none, !found.isEmpty {
      // The distance counts between the labels, which may lie anywhere on their lines.
      found.removeAll {
        placedTexts.isDuplicate(label.text, at: LabelBox(around: runs[$0.run].boxes).center, of: candidates)
      }
      outcome = .duplicate
    }
    guard !found.isEmpty else { return drop(anchor, number, outcome) }
    found.sort { ($0.cost, $0.run) < ($1.cost, $1.run) }
    if candidates.kind == .polyline { keepNeeded(of: &found, runs, candidates) }
    let positions = found.map { cost, index in
      let run = runs[index]
      var position = LabelPosition(
        name: run.name, x: 0, y: 0, boxes: run.boxes, cost: cost, layout: label.layout,
        letters: .along(run.letters))
      if candidates.kind == .polygon { position.overRow = anchor.row }
      return position
    }
    add(
      Entry(
        number: number, order: examined, anchor: anchor, text: label.text, lines: [label.text],
        positions: positions, reason: .collided), candidates)
  }

  /// Keeps only one position, the first free one, of a label that needs no others.
  ///
  /// All positions of 20,000 streets take a gigabyte. They serve labels that may move or must not be removed, up to the number
  /// that improvements examine.
  private mutating func keepNeeded(
    of found: inout [(cost: Double, run: Int)], _ runs: [LabelCandidates.Run], _ candidates: LabelCandidates
  ) {
    if candidates.labelsMayMove || candidates.isNeverRemoved, keptPositions < LabelArrangement.probeLimit {
      keptPositions += found.count
      return
    }
    let free = candidates.mayOverlap ? 0 : found.firstIndex { arrangement.isFree(runs[$0.run].boxes) }
    let best = free ?? (candidates.isNeverRemoved ? 0 : nil)
    found = best.map { [found[$0]] } ?? []
  }
}
