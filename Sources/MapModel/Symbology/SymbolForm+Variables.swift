/// What visual variables make of one feature's symbol; nil leaves what the symbol says.
package struct SymbolVariation: Hashable, Sendable {
  /// The colour inside, or of a line.
  package var color: Color?
  /// What alpha is multiplied by, 0 to 1.
  package var opacity: Double?
  /// The size of a marker or width of a line, in pixels of 1/96 inch.
  package var size: Double?
  /// The width of the outline, in pixels of 1/96 inch.
  package var outlineWidth: Double?
  /// The turn of a marker on the screen, clockwise in degrees.
  package var angle: Double?

  /// Nothing differs.
  package init() {}
}

extension SymbolForm {
  /// True for symbols that a proportional size compares by area.
  ///
  /// - Source: js: circle, square and diamond by area, all others by length.
  package var isComparedByArea: Bool {
    guard case .marker(let marker) = self else { return false }
    return [.circle, .square, .diamond].contains(marker.style)
  }

  /// True when the symbol has a size that a variable can set: markers and lines.
  package var hasSize: Bool {
    if case .fill = self { false } else { true }
  }

  /// The symbol with what varies set.
  ///
  /// A colour also fills a symbol that has none of its own; a width is set where there is an outline.
  package func applying(_ variation: SymbolVariation) -> SymbolForm {
    func outlined(_ outline: SimpleLineSymbol?) -> SimpleLineSymbol? {
      guard var outline else { return nil }
      outline.width = variation.outlineWidth ?? outline.width
      outline.color = outline.color?.multiplied(by: variation.opacity)
      return outline
    }
    switch self {
    case .marker(var marker):
      marker.color = (variation.color ?? marker.color)?.multiplied(by: variation.opacity)
      marker.size = variation.size ?? marker.size
      marker.angle = variation.angle ?? marker.angle
      marker.outline = outlined(marker.outline)
      return .marker(marker)
    case .line(var line):
      line.color = (variation.color ?? line.color)?.multiplied(by: variation.opacity)
      line.width = variation.size ?? line.width
      return .line(line)
    case .fill(var fill):
      fill.color = (variation.color ?? fill.color)?.multiplied(by: variation.opacity)
      fill.outline = outlined(fill.outline)
      return .fill(fill)
    }
  }
}

extension Color {
  /// The colour with its alpha times a factor of 0 to 1, rounded.
  fileprivate func multiplied(by factor: Double?) -> Color {
    guard let factor else { return self }
    return Color(red: red, green: green, blue: blue, alpha: UInt8((Double(alpha) * factor).rounded()))
  }
}
