import MapDrawing
import MapGeometry
import MapModel
import MapSystem

extension LegendBlock {
  /// Wraps a text, and warns if it is cut.
  mutating func wrapped(
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

  /// The position of the labels and counts of a layer's entries.
  struct Columns {
    /// The distance of a label from the others, so that numbers stand in columns.
    var indent = 0.0
    /// The right end of the counts; nil if counts follow their labels.
    var counts: Double?
  }

  /// Returns the positions of the labels and counts of entries, in columns from one heading or ramp to the next.
  private func columns(
    _ entries: [LegendEntry], swatch: Double, limit: Double, _ setter: inout TextSetter
  ) -> [Columns] {
    guard flow == .columns else { return entries.map { _ in Columns() } }
    let left = swatch + 8 * unit
    var columns: [Columns] = []
    // A heading or a ramp ends a column, and sizes are one of their own.
    while columns.count < entries.count {
      let first = entries[columns.count]
      let run = entries[columns.count...].prefix { $0.hasSwatch && $0.isSize == first.isSize }
      guard !run.isEmpty else {
        columns.append(Columns())
        continue
      }
      let labels = run.map { TextSetter.clean($0.label).text }
      var indents = indents(of: labels, &setter)
      let ends = zip(labels, indents).map { left + $1 + setter.width($0, label) }
      if let last = ends.max(), last > limit { indents = labels.map { _ in 0 } }
      let counts = run.map { $0.count.map { setter.width(LegendNumber.text(Double($0)), small) } }
      let widest = counts.compactMap { $0 }.max() ?? 0
      let right = (ends.max() ?? 0) + 8 * unit + widest
      columns += indents.map { Columns(indent: $0, counts: right <= limit && widest > 0 ? right : nil) }
    }
    return columns
  }

  mutating func row(
    _ entry: LegendEntry, opacity: Double, swatch: Double, limit: Double, isSequence: Bool,
    _ columns: Columns, _ setter: inout TextSetter
  ) -> Row {
    let left = swatch + 8 * unit + columns.indent
    let room = limit - left
    switch entry.graphic {
    case .heading:
      return titleRow(entry.label, small, limit: limit, gap: 4 * unit, &setter)
    case .ramp(let stops):
      return flow == .rows
        ? horizontalRamp(stops, opacity, limit, &setter) : verticalRamp(stops, opacity, limit, &setter)
    case .chart(let chart): return chartRow(chart, opacity, limit, &setter)
    case .square(let square): return squareRow(square, opacity, limit, &setter)
    case .symbol, .dots:
      let own = swatchSize(entry.graphic, setter.measurer)
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
      let textHeight = block.height(label)
      let gap = isSequence ? 0 : 4 * unit
      let swatchHeight = isSequence ? max(own.height, textHeight + 1) : own.height
      let tall = max(swatchHeight + gap, textHeight + (isSequence ? 0 : 2 * unit))
      let box = Envelope(
        left: (swatch - own.width) / 2, top: (tall - swatchHeight) / 2, width: own.width,
        height: swatchHeight)
      var pieces = self.swatch(entry.graphic, reducedBy: own.factor, in: box, opacity: opacity)
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
        let x =
          columns.counts.map { $0 - text.width } ?? (fits ? left + last + (last > 0 ? 8 * unit : 0) : left)
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
    // The layers of one file, each with one kind of geometries, have one title.
    let isTitled =
      rows.isEmpty && !layer.showsTitle
      && last.map { !$0.showsTitle && $0.subtitle == layer.subtitle } ?? false
    if !layer.subtitle.isEmpty, !isTitled {
      // Without a title, the name of the field replaces it.
      let gap = title.isEmpty ? (rows.isEmpty ? 10 : 2) * unit : 0
      let style = layer.showsTitle ? small : self.title
      rows.append(titleRow(layer.subtitle, style, limit: limit, gap: gap, &setter))
    }
    let columns = columns(entries, swatch: swatch, limit: limit, &setter)
    var place = 0
    while place < entries.count {
      let entry = entries[place]
      // Only all sizes together are drawn as circles in one row.
      let isStart = place == 0 || !entries[place - 1].isSize
      let sizes = isStart ? entries[place...].prefix { $0.isSize } : entries[place..<place]
      var row: Row
      if let circles = sizeRow(sizes, opacity: layer.opacity, swatch: swatch, limit: limit, &setter) {
        row = circles
      } else {
        row = self.row(
          entry, opacity: layer.opacity, swatch: swatch, limit: limit,
          isSequence: layer.isSequence && entry.classIndex.map { $0 >= 0 } ?? false, columns[place], &setter)
      }
      if place == 0, rows.isEmpty, !isFirst { row.gap = 6 * unit }
      // The symbol of other values is set apart from a sequence.
      if layer.isSequence, place > 0, entry.classIndex == -1 { row.gap = 5 * unit }
      // So are circles that follow classes.
      if sizes.count > 1, place > 0, entries[place - 1].hasSwatch, !entries[place - 1].isSize {
        row.gap = 5 * unit
      }
      rows.append(row)
      place += max(row.isTitle ? 1 : row.entries, 1)
    }
    return rows
  }
}

extension LegendEntry {
  /// Whether the entry has a symbol beside its label.
  fileprivate var hasSwatch: Bool {
    switch graphic {
    case .symbol, .dots: true
    case .ramp, .heading, .chart, .square: false
    }
  }
}
