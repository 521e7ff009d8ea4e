import MapDrawing
import MapGeometry
import MapModel
import MapSystem

/// The rows of a legend with a chart or a square of classes.
extension LegendBlock {
  /// The size of a chart, in view pixels at the normal size of text.
  ///
  /// - Source: design decision.
  private static let chart = (width: 150.0, bars: 40.0, strip: 8.0)

  /// Returns a chart with the least and the greatest number below it.
  mutating func chartRow(
    _ chart: ClassChart, _ opacity: Double, _ limit: Double, _ setter: inout TextSetter
  ) -> Row {
    let (wide, tall) = (min(Self.chart.width * unit, limit), (Self.chart.bars + Self.chart.strip + 1) * unit)
    let top = tall + 3 * unit
    var row = Row(width: wide, height: top + small.lineHeight, entries: 1)
    row.pieces = [
      Piece(
        content: .chart(chart, opacity: opacity), box: Envelope(left: 0, top: 0, width: wide, height: tall))
    ]
    let texts = LegendNumber.values([chart.range.lowerBound, chart.range.upperBound])
    for (index, text) in texts.enumerated()
    where index == 0 || chart.range.lowerBound < chart.range.upperBound {
      let block = wrapped(text, small, width: wide / 2, lines: 1, &setter)
      row.pieces.append(
        Piece(
          content: .text(block, small),
          box: Envelope(
            left: index == 0 ? 0 : wide - block.width, top: top, width: block.width, height: small.lineHeight)
        ))
    }
    return row
  }

  /// Draws the bars and the classes of a chart in its box.
  func draw(_ chart: ClassChart, _ opacity: Double, in box: Envelope, on canvas: inout PartCanvas) {
    func x(_ place: Double) -> Double { canvas.snapped(box.xMin + box.width * place) }
    let strip = Envelope(
      xMin: x(0), yMin: canvas.snapped(box.yMax - Self.chart.strip * unit), xMax: x(1),
      yMax: canvas.snapped(box.yMax))
    let base = strip.yMin - 1 / canvas.pixelRatio
    let (most, count) = (Double(chart.counts.max() ?? 1), Double(chart.counts.count))
    for (index, number) in chart.counts.enumerated() where number > 0 {
      let tall = max((base - box.yMin) * Double(number) / most, 1)
      // A free pixel separates two bars.
      let (left, right) = (x(Double(index) / count), x(Double(index + 1) / count) - 1 / canvas.pixelRatio)
      canvas.fill(Envelope(xMin: left, yMin: base - tall, xMax: right, yMax: base), tone.muted)
    }
    for segment in chart.segments {
      canvas.fill(
        Envelope(
          xMin: x(chart.place(of: segment.minimum)), yMin: strip.yMin,
          xMax: x(chart.place(of: segment.maximum)),
          yMax: strip.yMax),
        segment.color.withAlphaComponent(Double(segment.color.alpha) / 255 * opacity))
    }
    canvas.outline(strip, tone.hairline)
  }

  /// Returns a square with the bounds below and beside it, and the titles of both fields with arrows.
  mutating func squareRow(
    _ square: ClassSquare, _ opacity: Double, _ limit: Double, _ setter: inout TextSetter
  ) -> Row {
    func widths(_ texts: [String], _ style: TextStyle) -> Double {
      texts.map { setter.width($0, style) }.max() ?? 0
    }
    let count = square.colors.count
    // Bounds below the square do not touch each other.
    let cell = max(24 * unit, widths(square.bounds[0], small) + 6 * unit)
    let (left, side) = (10 * unit, cell * Double(count))
    let top = wrapped(square.titles[1], label, width: limit, lines: 2, &setter)
    let start = top.height(label) + 3 * unit
    var row = Row(entries: 1)
    func add(_ block: TextBlock, _ style: TextStyle, x: Double, y: Double) {
      row.pieces.append(
        Piece(
          content: .text(block, style),
          box: Envelope(left: x, top: y, width: block.width, height: block.height(style))))
      (row.width, row.height) = (max(row.width, x + block.width), max(row.height, y + block.height(style)))
    }
    add(top, label, x: 0, y: 0)
    for (index, colors) in square.colors.enumerated() {
      for (column, color) in colors.enumerated() {
        let box = Envelope(
          left: left + cell * Double(column), top: start + cell * Double(count - 1 - index), width: cell,
          height: cell)
        row.pieces.append(
          Piece(
            content: .ramp(
              [LegendEntry.RampStop(place: 0, color: color, label: "")], opacity: opacity, isHorizontal: true),
            box: box))
      }
    }
    row.width = max(row.width, left + side)
    let (right, bottom) = (left + side, start + side)
    for (index, text) in square.bounds[1].enumerated() {
      let block = TextBlock(lines: [text], width: setter.width(text, small))
      add(block, small, x: right + 4 * unit, y: bottom - cell * Double(index + 1) - small.lineHeight / 2)
    }
    for (index, text) in square.bounds[0].enumerated() {
      let block = TextBlock(lines: [text], width: setter.width(text, small))
      add(block, small, x: left + cell * Double(index + 1) - block.width / 2, y: bottom + 8 * unit)
    }
    let arrow = 3 * unit
    row.pieces += [
      [(left, start), (right, start), (right, bottom), (left, bottom), (left, start)],
      [(4 * unit, bottom), (4 * unit, start)],
      [(4 * unit - arrow, start + arrow), (4 * unit, start), (4 * unit + arrow, start + arrow)],
      [(left, bottom + 5 * unit), (right, bottom + 5 * unit)],
      [
        (right - arrow, bottom + 5 * unit - arrow), (right, bottom + 5 * unit),
        (right - arrow, bottom + 5 * unit + arrow),
      ],
    ].map { Piece(content: .leader($0), box: Envelope(left: 0, top: 0, width: 0, height: 0)) }
    let first = wrapped(square.titles[0], label, width: limit, lines: 2, &setter)
    add(first, label, x: max(right - first.width, 0), y: bottom + 9 * unit + small.lineHeight)
    row.height += 2 * unit
    return row
  }
}
