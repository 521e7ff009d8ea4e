import MapGeometry

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
  /// - Source: js: circle, square, diamond and picture by area, all others by length; ours: several as their largest.
  package var isComparedByArea: Bool {
    switch self {
    case .marker(let marker): [.circle, .square, .diamond].contains(marker.style)
    case .picture: true
    case .composite(let composite):
      composite.parts.max { ($0.ownSize ?? 0) < ($1.ownSize ?? 0) }?.isComparedByArea ?? false
    case .text, .line, .fill: false
    }
  }

  /// True when the symbol has a size that a variable can set: all but areas.
  package var hasSize: Bool { ownSize != nil }

  /// What a size variable sets, in pixels: a marker's or text's size, a picture's height, a line's width, of several the
  /// largest; nil for areas.
  private var ownSize: Double? {
    switch self {
    case .marker(let marker): marker.size
    case .picture(let picture): picture.drawnSize?.height ?? 0
    case .text(let text): text.size
    case .line(let line): line.width
    case .fill: nil
    case .composite(let composite): composite.parts.compactMap(\.ownSize).max()
    }
  }

  /// The symbol and its shift so many times as large.
  private func scaled(by factor: Double) -> SymbolForm {
    guard let ownSize else { return self }
    var larger = SymbolVariation()
    larger.size = ownSize * factor
    switch applying(larger) {
    case .marker(var marker):
      (marker.offsetX, marker.offsetY) = (marker.offsetX * factor, marker.offsetY * factor)
      return .marker(marker)
    case .picture(var picture):
      (picture.offsetX, picture.offsetY) = (picture.offsetX * factor, picture.offsetY * factor)
      return .picture(picture)
    case .text(var text):
      (text.offsetX, text.offsetY) = (text.offsetX * factor, text.offsetY * factor)
      return .text(text)
    case let scaled: return scaled
    }
  }

  /// The symbol with what varies set.
  ///
  /// A colour also fills a symbol that has none of its own; a width is set where there is an outline; of several the
  /// largest gets the size and the others keep their proportion to it.
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
      if let angle = variation.angle { (marker.angle, marker.angleAlignment) = (angle, .screen) }
      marker.outline = outlined(marker.outline)
      return .marker(marker)
    case .picture(var picture):
      if let size = variation.size, let own = picture.drawnSize {
        (picture.width, picture.height) = (SymbolNumber.ratio.bounded(own.width / own.height) * size, size)
      }
      picture.opacity *= variation.opacity ?? 1
      if let angle = variation.angle { (picture.angle, picture.angleAlignment) = (angle, .screen) }
      return .picture(picture)
    case .text(var text):
      text.color = (variation.color ?? text.color)?.multiplied(by: variation.opacity)
      text.haloColor = text.haloColor?.multiplied(by: variation.opacity)
      text.backgroundColor = text.backgroundColor?.multiplied(by: variation.opacity)
      text.outlineColor = text.outlineColor?.multiplied(by: variation.opacity)
      text.size = variation.size ?? text.size
      if let angle = variation.angle { (text.angle, text.angleAlignment) = (angle, .screen) }
      return .text(text)
    case .line(var line):
      line.color = (variation.color ?? line.color)?.multiplied(by: variation.opacity)
      line.width = variation.size ?? line.width
      return .line(line)
    case .fill(var fill):
      fill.color = (variation.color ?? fill.color)?.multiplied(by: variation.opacity)
      fill.outline = outlined(fill.outline)
      return .fill(fill)
    case .composite(var composite):
      let factor = variation.size.map { size in
        ownSize.map { $0 > 0 ? SymbolNumber.ratio.bounded(size / $0) : 0 } ?? 1
      }
      var others = variation
      others.size = nil
      composite.parts = composite.parts.map { part in
        (factor.map { part.scaled(by: $0) } ?? part).applying(others)
      }
      return .composite(composite)
    }
  }
}

extension Color {
  /// The colour with its alpha times a factor of 0 to 1, rounded.
  fileprivate func multiplied(by factor: Double?) -> Color {
    guard let factor else { return self }
    return Color(
      red: red, green: green, blue: blue, alpha: UInt8(clamping: (Double(alpha) * factor).rounded()))
  }
}
