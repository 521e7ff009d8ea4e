import MapDrawing
import MapGeometry
import MapModel
import MapSystem

/// The circles of a legend of sizes.
///
/// Circles are drawn in each other on a common base line, with lines from their tops to their numbers. Circles whose
/// tops are too close for that, because their sizes differ little, are side by side on a base line.
extension LegendBlock {
  /// The largest circle that is drawn in its own size, in view pixels at the normal size of text.
  ///
  /// - Source: design decision; larger ones leave little room for numbers.
  static let largestCircle = 160.0
  /// The width for circles and numbers, in the same unit.
  static let sizeWidth = 240.0

  /// A circle with its number.
  private struct Circle {
    let marker: SimpleMarkerSymbol
    let kind: GeometryKind
    let label: String
    let width: Double
    /// Half the size of the circle with its outline.
    var reach: Double { (marker.size + (marker.outline?.width ?? 0)) / 2 }
  }

  /// Returns the entries of sizes as one row; nil if they are not at least two circles that have room.
  func sizeRow(
    _ entries: ArraySlice<LegendEntry>, opacity: Double, swatch: Double, limit: Double,
    _ setter: inout TextSetter
  ) -> Row? {
    var circles: [Circle] = []
    for entry in entries {
      guard case .symbol(.marker(let marker), let kind) = entry.graphic, marker.style == .circle,
        marker.size > 0, !entry.label.isEmpty, entry.count == nil
      else { return nil }
      let label = TextSetter.clean(entry.label).text
      circles.append(Circle(marker: marker, kind: kind, label: label, width: setter.width(label, self.label)))
    }
    circles.sort { $0.marker.size > $1.marker.size }
    guard circles.count > 1, let largest = circles.first, 2 * largest.reach <= Self.largestCircle * unit
    else {
      return nil
    }
    let limit = min(limit, Self.sizeWidth * unit)
    return nested(circles, opacity: opacity, swatch: swatch, limit: limit, &setter)
      ?? sideBySide(circles, opacity: opacity, limit: limit)
  }

  /// Returns circles in each other; nil if a number would be farther than a line from the top of its circle.
  private func nested(
    _ circles: [Circle], opacity: Double, swatch: Double, limit: Double, _ setter: inout TextSetter
  ) -> Row? {
    let largest = circles[0]
    let line = label.lineHeight
    let tops = circles.map { 2 * largest.reach - 2 * $0.reach }
    let places = Self.spread(tops, apart: line)
    guard 2 * largest.reach > line, zip(tops, places).allSatisfy({ abs($0 - $1) <= line }) else { return nil }
    let isStraight = zip(tops, places).allSatisfy { abs($0 - $1) < 0.5 }
    let center = max(swatch / 2, largest.reach)
    let edge = center + largest.reach + 3 * unit
    let textEdge = edge + (isStraight ? 5 : 10) * unit
    let left = textEdge + 3 * unit
    let indents = indents(of: circles.map(\.label), &setter)
    let width = zip(circles, indents).map { left + $1 + $0.width }.max() ?? 0
    guard width <= limit else { return nil }
    let down = max(line / 2 - (places.first ?? 0), 0)
    let base = down + 2 * largest.reach
    var row = Row(
      width: width, height: max(base, down + (places.last ?? 0) + line / 2) + 2 * unit, entries: circles.count
    )
    for (index, circle) in circles.enumerated() {
      let symbol = SymbolForm.marker(
        index == 0 ? circle.marker : circle.marker.ring(on: largest.marker.color))
      row.pieces.append(
        piece(of: symbol, circle, x: center, y: base - circle.reach, opacity: opacity))
    }
    for (index, circle) in circles.enumerated() {
      let (top, place) = (down + tops[index], down + places[index])
      row.pieces.append(
        Piece(
          content: .leader([
            (center, top), (edge, top), (textEdge, place), (left - 2 * unit + indents[index], place),
          ]),
          box: Envelope(left: center, top: top, width: textEdge - center, height: 0)))
      row.pieces.append(text(circle, x: left + indents[index], y: place - line / 2))
    }
    return row
  }

  /// Returns circles side by side, the smallest first; nil without room.
  private func sideBySide(_ circles: [Circle], opacity: Double, limit: Double) -> Row? {
    let gap = 10 * unit
    let widths = circles.map { max(2 * $0.reach, $0.width) }
    let width = widths.reduce(0, +) + gap * Double(circles.count - 1)
    guard width <= limit else { return nil }
    let base = 2 * circles[0].reach
    var row = Row(width: width, height: base + 2 * unit + label.lineHeight, entries: circles.count)
    var left = 0.0
    for (circle, width) in zip(circles, widths).reversed() {
      row.pieces.append(
        piece(
          of: .marker(circle.marker), circle, x: left + width / 2, y: base - circle.reach, opacity: opacity))
      row.pieces.append(text(circle, x: left + (width - circle.width) / 2, y: base + 2 * unit))
      left += width + gap
    }
    return row
  }

  private func piece(
    of symbol: SymbolForm, _ circle: Circle, x: Double, y: Double, opacity: Double
  ) -> Piece {
    var buffer = CoordinateBuffer(kind: .point)
    buffer.appendPoint(x: x, y: y)
    return Piece(
      content: .symbol(symbol.centred, buffer, opacity: opacity),
      box: Envelope(
        left: x - circle.reach, top: y - circle.reach, width: 2 * circle.reach, height: 2 * circle.reach)
    )
  }

  private func text(_ circle: Circle, x: Double, y: Double) -> Piece {
    Piece(
      content: .text(TextBlock(lines: [circle.label], width: circle.width), label),
      box: Envelope(left: x, top: y, width: circle.width, height: label.lineHeight))
  }

  /// Returns positions that are at least some distance apart, in their order and as near as possible to those wanted.
  private static func spread(_ wanted: [Double], apart distance: Double) -> [Double] {
    // Groups of positions that touch; each lies around the mean of those that its members want.
    var groups: [(sum: Double, count: Int)] = []
    for (index, place) in wanted.enumerated() {
      groups.append((place - Double(index) * distance, 1))
      while groups.count > 1, let last = groups.last {
        let before = groups[groups.count - 2]
        guard last.sum / Double(last.count) < before.sum / Double(before.count) else { break }
        groups.removeLast(2)
        groups.append((before.sum + last.sum, before.count + last.count))
      }
    }
    let starts = groups.flatMap { Array(repeating: $0.sum / Double($0.count), count: $0.count) }
    return starts.enumerated().map { $1 + Double($0) * distance }
  }

  /// Returns the distances from the left at which labels with numbers stand in columns.
  func indents(of labels: [String], _ setter: inout TextSetter) -> [Double] {
    let widths = LabelColumn.starts(of: labels).map { $0.map { setter.width($0, label) } }
    let widest = widths.compactMap { $0 }.max() ?? 0
    return widths.map { $0.map { widest - $0 } ?? 0 }
  }
}

extension SimpleMarkerSymbol {
  /// The circle without a fill, with an outline that is visible on a larger circle.
  fileprivate func ring(on fill: Color?) -> SimpleMarkerSymbol {
    var ring = self
    ring.color = nil
    guard let fill else { return ring }
    if outline?.color.map({ $0.alpha < 128 || $0 == fill }) ?? true {
      let color = fill.isDark ? Color.white : Color(red: 28, green: 28, blue: 30)
      ring.outline = SimpleLineSymbol(color: color, width: max(outline?.width ?? 0, 0.75))
    }
    return ring
  }
}
