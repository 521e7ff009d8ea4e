import MapDrawing
import MapGeometry
public import MapModel
import MapSystem

/// The classes of two fields as a square: the first field from left to right, and the second from bottom to top.
public struct ClassSquare: Hashable, Sendable {
  /// The colours of the classes by rows, from the lowest class of each field.
  public let colors: [[Color]]
  /// The titles of the two fields.
  public let titles: [String]
  /// The bounds between the classes of the two fields.
  public let bounds: [[String]]

  /// Arranges the classes of a renderer; nil unless it has a class with one colour for each combination.
  init?(_ renderer: UniqueValueRenderer, title: (String) -> String) {
    guard let relationship = renderer.relationship else { return nil }
    let classes = renderer.uniqueValues
    let letters = relationship.letters
    colors = letters.map { second in
      letters.compactMap { first in
        classes.first { $0.values.contains(first + second) }?.symbol.mainColor
      }
    }
    guard classes.count == letters.count * letters.count,
      colors.allSatisfy({ $0.count == letters.count })
    else { return nil }
    let axes = [relationship.first, relationship.second]
    titles = axes.map { $0.label.isEmpty ? title($0.fieldName) : $0.label }
    bounds = axes.map { LegendNumber.bounds(Array($0.upperBounds.dropLast())) }
  }
}

extension LegendBlock {
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
