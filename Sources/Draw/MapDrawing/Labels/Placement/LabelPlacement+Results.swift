import MapFeatures
import MapGeometry
import MapModel

extension LabelPlacement {
  mutating func drop(_ anchor: LabelCandidates.Anchor, _ number: Int, _ outcome: LabelOutcome) {
    // A part without room for the label is no label that is missing.
    if anchor.mustFit, outcome == .overrun { return }
    count(outcome, number, order: examined, row: anchor.row)
  }

  /// Counts a result, and keeps it if its feature is watched.
  mutating func count(_ outcome: LabelOutcome, _ number: Int, order: Int, row: Int32) {
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
  consuming func drawing() -> LabelDrawing {
    var items = byLayer.map { _ in [PlacedLabel]() }
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
      items[entry.number].append(
        PlacedLabel(
          item: position.item(text: entry.text, row: entry.anchor.row),
          ground: byLayer[entry.number].ground(under: position),
          lineHalo: byLayer[entry.number].lineHalo(ofRow: entry.anchor.row, under: position)))
    }
    report.labels = items.enumerated().flatMap { number, items in
      items.map { placed in
        LabelReport.Label(
          classNumber: number, objectID: byLayer[number].objectIDs.id(ofRow: Int(placed.item.row)),
          text: placed.item.text, box: placed.item.box)
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
  private func layers(_ items: [[PlacedLabel]]) -> [DisplayLayer] {
    var layers: [DisplayLayer] = []
    for index in Set(byLayer.map(\.layerIndex)).sorted() {
      let own = byLayer.indices.filter { byLayer[$0].layerIndex == index }
      let byPriority = own.sorted { (byLayer[$0].priority, $0) < (byLayer[$1].priority, $1) }
      var batch = LabelBatch(outlines: shapes.outlines, styles: [], items: [])
      for number in byPriority.reversed() where !items[number].isEmpty {
        guard let style = byLayer[number].style else { continue }
        let first = UInt32(batch.styles.count)
        batch.styles.append(style)
        var onGrounds: [LabelGround: UInt32] = [:]
        for placed in items[number].reversed() {
          var index = first
          if let ground = placed.ground {
            if let known = onGrounds[ground] {
              index = known
            } else if let own = byLayer[number].style(over: ground) {
              index = UInt32(batch.styles.count)
              batch.styles.append(own)
              onGrounds[ground] = index
            }
          }
          if let leader = placed.item.leader {
            let style = batch.styles[Int(index)].ofLine(halo: placed.lineHalo)
            batch.items.append(
              LabelItem(
                text: "", style: UInt32(batch.styles.count), row: placed.item.row, box: leader.box,
                glyphs: [], leader: leader))
            batch.styles.append(style)
          }
          batch.items.append(placed.item.withoutLine(style: index))
        }
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

/// A label at its position.
private struct PlacedLabel {
  let item: LabelItem
  /// The ground of the area below it; nil for other labels.
  let ground: LabelGround?
  /// The width of the halo of the line to it, in pixels.
  let lineHalo: Double
}

extension LabelItem {
  fileprivate func withoutLine(style: UInt32) -> LabelItem {
    LabelItem(text: text, style: style, row: row, box: box, glyphs: glyphs)
  }
}
