import MapGeometry
import MapSystem

/// The properties that visual variables set for one feature; nil keeps those of the symbol.
package struct SymbolVariation: Hashable, Sendable {
  /// The colour of the fill, the letters or a line.
  package var color: Color?
  /// The factor for alpha, 0 to 1.
  package var opacity: Double?
  /// The size of a marker or width of a line, in pixels of 1/96 inch.
  package var size: Double?
  /// The width of the outline, in pixels of 1/96 inch.
  package var outlineWidth: Double?
  /// The angle of a marker on the screen, clockwise in degrees.
  package var angle: Double?

  /// Creates a variation that changes nothing.
  package init() {}
}

extension SymbolForm {
  /// Whether a proportional size compares the symbol by area.
  ///
  /// - Source: the JavaScript SDK compares circles, squares, diamonds and images by area, all others by length.
  ///   Design decision: a composite symbol counts as its largest part.
  package var isComparedByArea: Bool {
    switch self {
    case .marker(let marker): [.circle, .square, .diamond].contains(marker.style)
    case .picture, .vector: true
    case .composite(let composite):
      Self.isComparedByArea(composite.parts)
    case .placed(let placed): Self.isComparedByArea(placed.parts)
    case .text, .line, .fill, .pattern: false
    }
  }

  private static func isComparedByArea(_ parts: [SymbolForm]) -> Bool {
    parts.max { ($0.ownSize ?? 0) < ($1.ownSize ?? 0) }?.isComparedByArea ?? false
  }

  /// Whether a variable can set the size of the symbol; true for all but fills.
  package var hasSize: Bool { ownSize != nil }

  /// The property that a size variable sets, in pixels; nil for fills.
  ///
  /// For a marker or text it is the size, for an image the height, and for a line the width. For a composite symbol
  /// it is the largest of these.
  package var ownSize: Double? {
    switch self {
    case .marker(let marker): marker.size
    case .picture(let picture): picture.drawnSize?.height ?? 0
    case .text(let text): text.size
    case .line(let line): line.width
    case .vector(let vector): vector.size
    case .fill, .pattern: nil
    case .composite(let composite): composite.parts.compactMap(\.ownSize).max()
    case .placed(let placed): placed.parts.compactMap(\.ownSize).max()
    }
  }

  /// Returns the symbol with its size and offset multiplied by a factor below 1; for fills, the symbol itself.
  package func reduced(by factor: Double) -> SymbolForm { scaled(by: factor) }

  /// Returns the symbol with its size and offset multiplied by a factor.
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
    case .vector(var vector):
      (vector.offsetX, vector.offsetY) = (vector.offsetX * factor, vector.offsetY * factor)
      return .vector(vector)
    case let scaled: return scaled
    }
  }

  /// Returns the symbol with the varied properties set.
  ///
  /// A colour also fills a symbol without a colour of its own. A width is set only where there is an outline. In a
  /// composite symbol the largest part gets the size, and the topmost outline of an area the width; the others keep their
  /// proportion to it.
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
    case .vector(var vector):
      if let size = variation.size {
        vector = vector.scaled(by: vector.size > 0 ? SymbolNumber.ratio.bounded(size / vector.size) : 0)
      }
      if let angle = variation.angle { (vector.angle, vector.angleAlignment) = (angle, .screen) }
      if let color = variation.color {
        for index in vector.shapes.indices where vector.shapes[index].color != nil {
          vector.shapes[index].color = color
        }
      }
      return .vector(vector.recolored { $0.multiplied(by: variation.opacity) })
    case .pattern(let pattern):
      var changed = pattern.recolored { (variation.color ?? $0).multiplied(by: variation.opacity) }
      changed.outline = outlined(changed.outline)
      if case .picture(var picture) = changed.pattern {
        picture.opacity *= variation.opacity ?? 1
        changed.pattern = .picture(picture)
      }
      return .pattern(changed)
    case .composite(var composite):
      composite.parts = applying(variation, to: composite.parts)
      return .composite(composite)
    case .placed(var placed):
      placed.parts = applying(variation, to: placed.parts)
      return .placed(placed)
    }
  }

  /// The widths of the outlines of an area, in pixels, starting at the bottom.
  package var outlineWidths: [Double] {
    simpleParts.compactMap { part in
      switch part {
      case .fill(let fill): fill.outline?.width
      case .pattern(let pattern): pattern.outline?.width
      default: nil
      }
    }
  }

  /// The width of the topmost outline of an area, in pixels; nil for none.
  package var topOutlineWidth: Double? { outlineWidths.last }

  /// Returns the parts with the varied properties set: the largest part gets the size, and the topmost outline the width.
  private func applying(_ variation: SymbolVariation, to parts: [SymbolForm]) -> [SymbolForm] {
    let factor = variation.size.map { size in
      ownSize.map { $0 > 0 ? SymbolNumber.ratio.bounded(size / $0) : 0 } ?? 1
    }
    var others = variation
    others.size = nil
    let top = parts.compactMap(\.topOutlineWidth).last
    return parts.map { part in
      var own = others
      if let width = variation.outlineWidth, let top, top > 0, let outline = part.topOutlineWidth {
        own.outlineWidth = width * (outline / top)
      }
      return (factor.map { part.scaled(by: $0) } ?? part).applying(own)
    }
  }
}

extension Color {
  /// Returns the colour with its alpha multiplied by a factor of 0 to 1, rounded.
  fileprivate func multiplied(by factor: Double?) -> Color {
    guard let factor else { return self }
    return Color(
      red: red, green: green, blue: blue, alpha: UInt8(clamping: (Double(alpha) * factor).rounded()))
  }
}
