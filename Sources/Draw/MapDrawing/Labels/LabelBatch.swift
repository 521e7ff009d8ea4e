package import MapGeometry
package import MapModel

/// Labels in arrays: item `i` is drawn as `styles[items[i].style]`, with glyphs from ``outlines``.
package struct LabelBatch: Hashable, Sendable {
  /// The outlines in use, in ems.
  package var outlines: [GlyphOutline]
  /// The label styles in use.
  package var styles: [LabelStyle]
  /// The labels in painting order.
  package var items: [LabelItem]

  /// Creates a batch.
  package init(outlines: [GlyphOutline], styles: [LabelStyle], items: [LabelItem]) {
    (self.outlines, self.styles, self.items) = (outlines, styles, items)
  }
}

/// The style of a label, in pixels.
package struct LabelStyle: Hashable, Sendable {
  /// The size of an em in pixels.
  package let size: Double
  /// The shift to the right of a point one em above the baseline, in ems; 0 is upright.
  package let slant: Double
  /// The colour of the letters; nil paints none.
  package let color: Color?
  /// The colour of the halo; nil paints none.
  package let haloColor: Color?
  /// The distance that the halo extends beyond the letters.
  package let haloWidth: Double
  /// The colour of the box behind the letters; nil paints none.
  package let ground: Color?
  /// The line around that box; nil paints none.
  package let frame: Stroke?
  /// The index of the label class in the layer; negative for other text.
  package let classIndex: Int

  /// The class index of letters that may show their text otherwise, such as in capitals.
  package static let styledText = -2

  /// Creates a style.
  package init(
    size: Double, slant: Double = 0, color: Color?, haloColor: Color? = nil, haloWidth: Double = 0,
    ground: Color? = nil, frame: Stroke? = nil, classIndex: Int
  ) {
    (self.ground, self.frame) = (ground, frame)
    (self.size, self.slant, self.color) = (size, slant, color)
    (self.haloColor, self.haloWidth, self.classIndex) = (haloColor, haloWidth, classIndex)
  }

  /// The slant of oblique letters, about 11 degrees.
  ///
  /// - Source: design decision; the angle of Noto Sans Italic is 12 degrees.
  package static let obliqueSlant = 0.2

  /// Creates the style of a text symbol; nil when it paints nothing.
  init?(_ symbol: TextSymbol, pixelRatio: Double, classIndex: Int) {
    let size = SymbolNumber.size.bounded(symbol.size * pixelRatio)
    guard size > 0, size <= Self.sizeLimit else { return nil }
    let haloWidth = SymbolNumber.width.bounded(2 * symbol.haloWidth * pixelRatio) / 2
    let halo = haloWidth > 0 ? symbol.haloColor?.ifNotClear : nil
    let (color, ground) = (symbol.color?.ifNotClear, symbol.backgroundColor?.ifNotClear)
    let frame = Stroke(
      SimpleLineSymbol(color: symbol.outlineColor, width: symbol.outlineWidth), pixelRatio: pixelRatio)
    guard color != nil || halo != nil || ground != nil || frame != nil else { return nil }
    self.init(
      size: size, slant: symbol.fontStyle == .oblique ? Self.obliqueSlant : 0, color: color,
      haloColor: halo, haloWidth: halo == nil ? 0 : haloWidth, ground: ground, frame: frame,
      classIndex: classIndex)
  }

  /// Returns the style of a line to a label, with a halo that is not wider than a limit.
  func ofLine(halo limit: Double) -> LabelStyle {
    LabelStyle(
      size: size, color: color, haloColor: haloColor, haloWidth: min(haloWidth, limit), classIndex: classIndex
    )
  }

  /// The largest distance of paint beyond the lines and ink of a label.
  var reach: Double { haloWidth + (frame?.width ?? 0) / 2 }

  /// The maximum size of letters; larger letters do not fit any image, so they are not drawn.
  ///
  /// - Source: the longest side of an image.
  static let sizeLimit = 32_767.0
}

/// A label at its position.
package struct LabelItem: Hashable, Sendable {
  /// A glyph and the pixel position of its origin.
  package struct Glyph: Hashable, Sendable {
    /// The index into the batch's outlines.
    package let outline: UInt32
    /// The index of the first character that the glyph shows, in the Unicode scalars of the label's text.
    package let character: UInt32
    /// The x coordinate in pixels from the left.
    package let x: Double
    /// The y coordinate in pixels from the top.
    package let y: Double
    /// The direction of the baseline, y down, with the length 1; (1, 0) for horizontal text.
    package let directionX: Double
    /// The y coordinate of that direction.
    package let directionY: Double

    /// Creates a glyph at a position, horizontal by default.
    package init(
      outline: UInt32, character: UInt32 = 0, x: Double, y: Double, directionX: Double = 1,
      directionY: Double = 0
    ) {
      (self.outline, self.character, self.x, self.y) = (outline, character, x, y)
      (self.directionX, self.directionY) = (directionX, directionY)
    }
  }

  /// The text of the label, empty for the line to one; lines are separated by line feeds.
  package let text: String
  /// The index into the batch's styles.
  package let style: UInt32
  /// The table row of the label.
  package let row: Int32
  /// The box around lines, ink, halo and frame, in pixels; labels along lines may share parts of their boxes.
  package let box: Envelope
  /// The glyphs of the label.
  package let glyphs: [Glyph]
  /// The line from the symbol of the label's feature to its text, which is an item of its own, painted before; nil for others.
  package let leader: LabelLeader?

  /// Creates a label.
  package init(
    text: String, style: UInt32, row: Int32, box: Envelope, glyphs: [Glyph], leader: LabelLeader? = nil
  ) {
    (self.text, self.style, self.row, self.box, self.glyphs) = (text, style, row, box, glyphs)
    self.leader = leader
  }

  /// The box around all that is painted, in pixels.
  package func reach(_ style: LabelStyle) -> Envelope {
    leader.map { box.union($0.box.grown(by: style.haloWidth)) } ?? box
  }
}
