import MapDrawing
import MapGeometry
import MapModel
import MapSystem

extension LegendBlock {
  func swatchWidth(_ legend: Legend, _ measurer: TextMeasurer) -> Double {
    let widest =
      legend.layers.flatMap(\.entries).map { entry -> Double in
        switch entry.graphic {
        case .symbol(let symbol, let kind): symbolSize(symbol, kind, measurer).width
        case .ramp: 16 * unit
        case .heading: 0
        }
      }.max() ?? 0
    return max(widest, 12 * unit)
  }

  /// Returns the size of a symbol's box, and the factor by which the symbol is reduced.
  private func symbolSize(
    _ symbol: SymbolForm, _ kind: GeometryKind, _ measurer: TextMeasurer
  ) -> (width: Double, height: Double, factor: Double) {
    let most = Self.largestSymbol * unit
    switch kind {
    case .point, .multipoint:
      let side = 2 * symbol.centred.reach(measurer: measurer)
      let shown = min(max(side, 1), most)
      return (shown, shown, side > most ? most / side : 1)
    case .polyline:
      let line =
        symbol.simpleParts.map { if case .line(let line) = $0 { line.width } else { 0.0 } }.max() ?? 0
      let shown = min(max(line, 2), Self.thickestLine * unit)
      var (wide, factor) = (28 * unit, line > shown ? shown / line : 1)
      if let dashes = symbol.dashes {
        // A period and the next dash, so that its gaps have an end; at least the period.
        let most = Self.longestDashes * unit
        factor *= min(1, most / (dashes.period * factor))
        let inset = max(symbol.arrowLength, symbol.capLength) * factor
        let period = dashes.period * factor
        wide = max(wide, min(period + dashes.first * factor, max(period, most)) + 2 * inset)
      }
      return (wide, max(shown, symbol.arrowLength), factor)
    case .polygon: return (22 * unit, 14 * unit, 1)
    }
  }

  private func geometry(
    of symbol: SymbolForm, _ kind: GeometryKind, in box: Envelope
  ) -> CoordinateBuffer {
    let center = box.center
    switch kind {
    case .point, .multipoint:
      var buffer = CoordinateBuffer(kind: .point)
      buffer.appendPoint(x: center.x, y: center.y)
      return buffer
    case .polyline:
      var buffer = CoordinateBuffer(kind: .polyline)
      // Arrows and caps end at the sides of the box.
      let inset = max(symbol.arrowLength, symbol.capLength)
      buffer.appendVertex(x: box.xMin + inset, y: center.y)
      buffer.appendVertex(x: box.xMax - inset, y: center.y)
      buffer.endPart()
      buffer.endRow()
      return buffer
    case .polygon:
      let edge = min((symbol.outlineWidth ?? 0) / 2, box.height / 4)
      var buffer = CoordinateBuffer(kind: .polygon)
      for (x, y) in [
        (box.xMin + edge, box.yMin + edge), (box.xMin + edge, box.yMax - edge),
        (box.xMax - edge, box.yMax - edge), (box.xMax - edge, box.yMin + edge),
        (box.xMin + edge, box.yMin + edge),
      ] { buffer.appendVertex(x: x, y: y) }
      buffer.endPart()
      buffer.endRow()
      return buffer
    }
  }

  /// Wraps a text, and warns if it is cut.
  private mutating func wrapped(
    _ text: String, _ style: TextStyle, width: Double, lines: Int, _ setter: inout TextSetter
  ) -> TextBlock {
    let block = setter.wrap(text, style, width: width, lines: lines)
    if block.isCut {
      warnings.append("the label \"\(TextSetter.clean(text).text.prefix(120))\" is cut in the legend")
    }
    return block
  }

  mutating func titleRow(
    _ text: String, _ style: TextStyle, limit: Double, gap: Double, _ setter: inout TextSetter
  ) -> Row {
    let block = wrapped(text, style, width: limit, lines: Self.mostTitleLines, &setter)
    var row = Row(width: block.width, height: block.height(style) + 2 * unit, isTitle: true, gap: gap)
    row.pieces = [
      Piece(
        content: .text(block, style),
        box: Envelope(left: 0, top: 0, width: block.width, height: block.height(style)))
    ]
    return row
  }

  mutating func row(
    _ entry: LegendEntry, opacity: Double, swatch: Double, limit: Double, isSequence: Bool,
    _ setter: inout TextSetter
  ) -> Row {
    let room = limit - swatch - 8 * unit
    let left = swatch + 8 * unit
    switch entry.graphic {
    case .heading:
      return titleRow(entry.label, small, limit: limit, gap: 4 * unit, &setter)
    case .ramp(let stops):
      return flow == .rows
        ? horizontalRamp(stops, opacity, limit, &setter) : verticalRamp(stops, opacity, limit, &setter)
    case .symbol(let symbol, let kind):
      let own = symbolSize(symbol, kind, setter.measurer)
      var drawn = symbol.centred
      if own.factor < 1 {
        drawn = drawn.reduced(by: own.factor)
        warnings.append(
          kind == .polyline
            ? "lines thicker than \(LegendNumber.text(Self.thickestLine)) pixels, or with dashes longer than \(LegendNumber.text(Self.longestDashes)), are drawn smaller in the legend"
            : "symbols larger than \(LegendNumber.text(Self.largestSymbol)) pixels are drawn smaller in the legend"
        )
      }
      let count = entry.count.map { count in
        let text = LegendNumber.text(Double(count))
        return TextBlock(lines: [text], width: setter.width(text, small))
      }
      var width = room
      // A label takes another line before its count stands alone.
      if let count, let last = setter.wrap(entry.label, label, width: room, lines: Self.mostLines).lines.last
      {
        let reserved = 8 * unit + count.width
        if setter.width(last, label) + reserved > room, room - reserved > room / 2 { width = room - reserved }
      }
      let block = wrapped(entry.label, label, width: width, lines: Self.mostLines, &setter)
      var pieces: [Piece] = []
      let textHeight = block.height(label)
      let gap = isSequence ? 0 : 4 * unit
      let swatchHeight = isSequence ? max(own.height, textHeight + 1) : own.height
      let tall = max(swatchHeight + gap, textHeight + (isSequence ? 0 : 2 * unit))
      let box = Envelope(
        left: (swatch - own.width) / 2, top: (tall - swatchHeight) / 2, width: own.width,
        height: swatchHeight)
      pieces.append(
        Piece(content: .symbol(drawn, geometry(of: drawn, kind, in: box), opacity: opacity), box: box))
      var row = Row(width: block.lines.isEmpty ? swatch : left + block.width, height: tall, entries: 1)
      let top = (tall - textHeight) / 2
      pieces.append(
        Piece(
          content: .text(block, label),
          box: Envelope(left: left, top: top, width: block.width, height: textHeight)))
      if let text = count {
        // The count follows the last line of the label, or else has a line of its own.
        let last = block.lines.last.map { setter.width($0, label) } ?? 0
        let fits = left + last + 8 * unit + text.width <= limit
        let x = fits ? left + last + (last > 0 ? 8 * unit : 0) : left
        let y = fits ? top + max(textHeight - label.lineHeight, 0) + 0.7 * unit : tall
        pieces.append(
          Piece(
            content: .text(text, small),
            box: Envelope(left: x, top: y, width: text.width, height: small.lineHeight)))
        row.width = max(row.width, x + text.width)
        if !fits { row.height += small.lineHeight }
      }
      row.pieces = pieces
      return row
    }
  }

  /// Returns a ramp with its numbers at the right, the lowest at the bottom.
  private mutating func verticalRamp(
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
    for stop in stops where !stop.label.isEmpty {
      let block = wrapped(stop.label, label, width: limit - 22 * unit, lines: 1, &setter)
      row.width = max(row.width, 22 * unit + block.width)
      row.pieces.append(
        Piece(
          content: .text(block, label),
          box: Envelope(
            left: 22 * unit, top: top + tall * (1 - stop.place) - half * 1.02, width: block.width,
            height: label.lineHeight)))
    }
    return row
  }

  /// Returns a ramp with its numbers below, the lowest at the left; numbers without room are left out.
  private mutating func horizontalRamp(
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

  mutating func rows(
    of layer: LegendLayer, after last: LegendLayer?, swatch: Double, limit: Double,
    _ setter: inout TextSetter
  ) -> [Row] {
    var rows: [Row] = []
    // Layers of a group follow each other, so its title is repeated only after another group.
    let known = zip(layer.groups, last?.groups ?? []).prefix { $0 == $1 }.count
    for title in layer.groups[known...] {
      rows.append(titleRow(title, group, limit: limit, gap: rows.isEmpty ? 12 * unit : 0, &setter))
    }
    let isFirst = last == nil
    // A layer with one entry without a label has its title as label.
    var entries = layer.entries
    var title = layer.showsTitle ? layer.title : ""
    if entries.count == 1, entries[0].label.isEmpty, case .symbol = entries[0].graphic {
      (entries[0].label, title) = (title, "")
    }
    if !title.isEmpty {
      rows.append(
        titleRow(title, self.title, limit: limit, gap: rows.isEmpty ? 10 * unit : 2 * unit, &setter))
    }
    if !layer.subtitle.isEmpty, !layer.showsTitle {
      // The name of the field replaces the title.
      rows.append(
        titleRow(
          layer.subtitle, self.title, limit: limit, gap: rows.isEmpty ? 10 * unit : 2 * unit, &setter))
    } else if !layer.subtitle.isEmpty {
      rows.append(titleRow(layer.subtitle, small, limit: limit, gap: title.isEmpty ? 10 * unit : 0, &setter))
    }
    for (number, entry) in entries.enumerated() {
      var row = row(
        entry, opacity: layer.opacity, swatch: swatch, limit: limit,
        isSequence: layer.isSequence && entry.classIndex.map { $0 >= 0 } ?? false, &setter)
      if number == 0, rows.isEmpty, !isFirst { row.gap = 6 * unit }
      // The symbol of other values is set apart from a sequence.
      if layer.isSequence, number > 0, entry.classIndex == -1 { row.gap = 5 * unit }
      rows.append(row)
    }
    return rows
  }
}

extension SymbolForm {
  /// The length of the caps of a line beyond its ends; 0 without round or square caps.
  fileprivate var capLength: Double {
    simpleParts.compactMap { part in
      if case .line(let line) = part, line.cap != .butt { line.width / 2 } else { nil }
    }.max() ?? 0
  }
}
