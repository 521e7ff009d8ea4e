public import MapGeometry
public import MapModel

/// Labels: item `i` is drawn as `styles[items[i].style]`, its glyphs are `outlines[…]`.
public struct LabelBatch: Hashable, Sendable {
  /// The outlines in use, in ems.
  public var outlines: [GlyphOutline]
  /// The looks in use.
  public var styles: [LabelStyle]
  /// The labels, painted in this order.
  public var items: [LabelItem]

  /// A batch.
  public init(outlines: [GlyphOutline], styles: [LabelStyle], items: [LabelItem]) {
    (self.outlines, self.styles, self.items) = (outlines, styles, items)
  }
}

/// The look of a label, in pixels.
public struct LabelStyle: Hashable, Sendable {
  /// Pixels an em.
  public let size: Double
  /// How far a point one em above the baseline is moved to the right, in ems; 0 is upright.
  public let slant: Double
  /// The colour of the letters; nil paints none.
  public let color: Color?
  /// The colour of the halo; nil paints none.
  public let haloColor: Color?
  /// How far the halo reaches beyond the letters.
  public let haloWidth: Double
  /// The colour of the box behind the letters; nil paints none.
  public let ground: Color?
  /// The line around that box; nil paints none.
  public let frame: Stroke?
  /// The layer's class of labels.
  public let classIndex: Int

  /// A look.
  public init(
    size: Double, slant: Double = 0, color: Color?, haloColor: Color? = nil, haloWidth: Double = 0,
    ground: Color? = nil, frame: Stroke? = nil, classIndex: Int
  ) {
    (self.ground, self.frame) = (ground, frame)
    (self.size, self.slant, self.color) = (size, slant, color)
    (self.haloColor, self.haloWidth, self.classIndex) = (haloColor, haloWidth, classIndex)
  }

  /// The slant of oblique letters, about 11 degrees.
  ///
  /// - Source: ours; the angle of Noto Sans Italic is 12 degrees.
  public static let obliqueSlant = 0.2

  /// The look of a text symbol; nil when it paints nothing.
  init?(_ symbol: TextSymbol, pixelRatio: Double, classIndex: Int) {
    let size = SymbolNumber.size.bounded(symbol.size * pixelRatio)
    guard size > 0, size <= Self.sizeLimit else { return nil }
    func ink(_ color: Color?) -> Color? { color.flatMap { $0.alpha > 0 ? $0 : nil } }
    let haloWidth = SymbolNumber.width.bounded(2 * symbol.haloWidth * pixelRatio) / 2
    let halo = haloWidth > 0 ? ink(symbol.haloColor) : nil
    let frame = Stroke(
      SimpleLineSymbol(color: symbol.outlineColor, width: symbol.outlineWidth), pixelRatio: pixelRatio)
    guard ink(symbol.color) != nil || halo != nil || ink(symbol.backgroundColor) != nil || frame != nil else {
      return nil
    }
    self.init(
      size: size, slant: symbol.fontStyle == .normal ? 0 : Self.obliqueSlant, color: ink(symbol.color),
      haloColor: halo, haloWidth: halo == nil ? 0 : haloWidth,
      ground: ink(symbol.backgroundColor), frame: frame, classIndex: classIndex)
  }

  /// How far paint lies beyond the lines and ink of a label.
  var reach: Double { haloWidth + (frame?.width ?? 0) / 2 }

  /// The largest letters; larger ones fit no picture.
  ///
  /// - Source: the longest side of a picture.
  static let sizeLimit = 32_767.0
}

/// A label at its place.
public struct LabelItem: Hashable, Sendable {
  /// A glyph with its origin at a pixel.
  public struct Glyph: Hashable, Sendable {
    /// Index into the batch's outlines.
    public let outline: UInt32
    /// Pixels from the left.
    public let x: Double
    /// Pixels from the top.
    public let y: Double

    /// A glyph at a place.
    public init(outline: UInt32, x: Double, y: Double) { (self.outline, self.x, self.y) = (outline, x, y) }
  }

  /// What it says, lines parted by line feeds.
  public let text: String
  /// Index into the batch's styles.
  public let style: UInt32
  /// The row that it names.
  public let row: Int32
  /// What no other label may cover: lines, ink and halo, and the line around them, in pixels.
  public let box: Envelope
  /// The glyphs.
  public let glyphs: [Glyph]

  /// A label.
  public init(text: String, style: UInt32, row: Int32, box: Envelope, glyphs: [Glyph]) {
    (self.text, self.style, self.row, self.box, self.glyphs) = (text, style, row, box, glyphs)
  }
}
