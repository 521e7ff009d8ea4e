import MapGeometry
import MapModel
import MapSystem

/// Ramps of colours with their numbers.
extension LegendBlock {
  /// Returns a ramp with its numbers at the right, the lowest at the bottom.
  mutating func verticalRamp(
    _ stops: [LegendEntry.RampStop], _ opacity: Double, _ limit: Double, _ setter: inout TextSetter
  ) -> Row {
    let tall = max(84 * unit, 1.15 * label.lineHeight * Double(Self.closestLabels(stops)))
    let half = label.lineHeight / 2
    func edge(_ stop: LegendEntry.RampStop?) -> Double { stop?.label.isEmpty ?? true ? 2 * unit : half }
    let top = edge(stops.last)
    var row = Row(height: top + tall + edge(stops.first), entries: 1)
    row.pieces = [
      Piece(
        content: .ramp(stops, opacity: opacity, isHorizontal: false),
        box: Envelope(left: 0, top: top, width: 14 * unit, height: tall))
    ]
    row.width = 14 * unit
    let labelled = stops.filter { !$0.label.isEmpty }
    let indents = indents(of: labelled.map { TextSetter.clean($0.label).text }, &setter)
    for (stop, indent) in zip(labelled, indents) {
      let left = 22 * unit + indent
      let block = wrapped(stop.label, label, width: limit - left, lines: 1, &setter)
      row.width = max(row.width, left + block.width)
      row.pieces.append(
        Piece(
          content: .text(block, label),
          box: Envelope(
            left: left, top: top + tall * (1 - stop.place) - half * 1.02, width: block.width,
            height: label.lineHeight)))
    }
    return row
  }

  /// Returns a ramp with its numbers below, the lowest at the left; numbers without room are left out.
  mutating func horizontalRamp(
    _ stops: [LegendEntry.RampStop], _ opacity: Double, _ limit: Double, _ setter: inout TextSetter
  ) -> Row {
    let (tall, gap) = (12 * unit, 10 * unit)
    let labelled = stops.filter { !$0.label.isEmpty }
    let widest = labelled.map { setter.width($0.label, label) }.max() ?? 0
    let edge = labelled.contains { $0.place == 0 || $0.place == 1 } ? widest / 2 : 0
    let wide = min(
      max(220 * unit, (widest + gap) * Double(Self.closestLabels(stops))), limit - 2 * edge)
    guard wide > 0 else { return verticalRamp(stops, opacity, limit, &setter) }
    var row = Row(
      width: wide + 2 * edge, height: tall + 5 * unit + label.lineHeight, entries: 1)
    row.pieces = [
      Piece(
        content: .ramp(stops, opacity: opacity, isHorizontal: true),
        box: Envelope(left: edge, top: 0, width: wide, height: tall))
    ]
    var free = -Double.infinity
    for stop in labelled {
      let width = setter.width(stop.label, label)
      let left = edge + wide * stop.place - width / 2
      guard left >= free else { continue }
      free = left + width + gap / 2
      row.pieces.append(
        Piece(
          content: .text(TextBlock(lines: [stop.label], width: width), label),
          box: Envelope(left: left, top: tall + 5 * unit, width: width, height: label.lineHeight)))
    }
    return row
  }

  /// The number of labels that would fill a ramp if all were as close as the closest two.
  private static func closestLabels(_ stops: [LegendEntry.RampStop]) -> Int {
    let places = stops.filter { !$0.label.isEmpty }.map(\.place)
    let closest = zip(places, places.dropFirst()).map { $1 - $0 }.min() ?? 1
    return closest > 0 ? Int(clamping: min((1 / closest).rounded(), 100)) : 1
  }
}
