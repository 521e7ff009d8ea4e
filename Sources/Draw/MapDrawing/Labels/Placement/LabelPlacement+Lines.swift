import MapGeometry
import MapModel
import MapSystem

/// Labels along lines and along the axes of areas.
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

  /// The possible positions of a label along a line, whether all its letters are in the image, and the cost with that of lines
  /// under them.
  private typealias Trials = [(run: LabelCandidates.Run, isInside: Bool, cost: Double)]

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
      let trials = concurrentMap(labels.count) { label -> Trials? in
        labels[label]?.runs(candidates)?.map { run in
          let isInside = run.boxes.allSatisfy { canvas.contains($0) }
          return (run, isInside, run.cost + (isInside ? Self.inkCost(of: run.boxes, ink) : 0))
        }
      }
      for (anchor, (label, trials)) in zip(candidates.anchors[batch], zip(labels, trials)) {
        examined += 1
        if let label, let trials {
          place(label, trials, number, candidates)
        } else {
          drop(anchor, number, label == nil ? .empty : .overrun)
        }
      }
    }
  }

  /// Places a label at the best of its possible positions.
  private mutating func place(
    _ label: LineLabel, _ trials: Trials, _ number: Int, _ candidates: LabelCandidates
  ) {
    let anchor = label.anchor
    var (found, outcome): ([(cost: Double, trial: Int)], LabelOutcome) = ([], .overrun)
    for (index, trial) in trials.enumerated() {
      let boxes = trial.run.boxes
      guard trial.isInside else {
        outcome = .atEdge
        continue
      }
      guard candidates.isNeverRemoved || !candidates.isCovered(anchor, by: boxes) else {
        outcome = .coversArea
        continue
      }
      let isTaken = isTaken(boxes, anchor, candidates)
      guard !isTaken || candidates.isNeverRemoved else {
        outcome = .atMarker
        continue
      }
      found.append((trial.cost + (isTaken ? LabelSpot.markerCost : 0), index))
    }
    if candidates.kind == .polyline, candidates.definition.duplicateRemoval != .none, !found.isEmpty {
      // The distance counts between the labels, which may lie anywhere on their lines.
      found.removeAll {
        placedTexts.isDuplicate(
          label.text, at: LabelBox(around: trials[$0.trial].run.boxes).center, of: candidates)
      }
      outcome = .duplicate
    }
    guard !found.isEmpty else { return drop(anchor, number, outcome) }
    found.sort { ($0.cost, $0.trial) < ($1.cost, $1.trial) }
    if candidates.kind == .polyline { keepNeeded(of: &found, trials, candidates) }
    let positions = found.map { cost, index in
      let run = trials[index].run
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
    of found: inout [(cost: Double, trial: Int)], _ trials: Trials, _ candidates: LabelCandidates
  ) {
    if candidates.labelsMayMove || candidates.isNeverRemoved, keptPositions < LabelArrangement.probeLimit {
      keptPositions += found.count
      return
    }
    let free = candidates.mayOverlap ? 0 : found.firstIndex { arrangement.isFree(trials[$0.trial].run.boxes) }
    let best = free ?? (candidates.isNeverRemoved ? 0 : nil)
    found = best.map { [found[$0]] } ?? []
  }
}
