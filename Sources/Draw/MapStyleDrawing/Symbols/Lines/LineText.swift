/// A text along a line, glyph by glyph.
///
/// - Source: MapLibre GL JS 5.
struct LineText {
  /// A position on the line with its direction.
  typealias Place = (x: Double, y: Double, rotation: SymbolRotation)

  let shape: ShapedText
  /// The text size in output pixels.
  let size: Double
  private let path: GlyphPath
  /// The offset of all glyphs forward along the line.
  private let offset: Double
  /// The anchor point and the end of its segment.
  private let anchor: (x: Double, y: Double)
  private let end: (x: Double, y: Double)

  /// Creates a text around an anchor point on a line.
  ///
  /// - Parameter move: the translation of the text.
  init(
    _ shape: ShapedText, _ look: TextLook, _ line: SymbolLine, _ spot: LineSpot, _ symbol: Symbol,
    move: (x: Double, y: Double), pixelRatio: Double
  ) {
    self.shape = shape
    size = look.size * pixelRatio
    offset = look.lineOffset.x * size
    let glyphs = shape.glyphs.map { abs($0.middle) }.max() ?? 0
    let images = shape.images.map { max(abs($0.box.left), abs($0.box.right)) }.max() ?? 0
    path = GlyphPath(
      line, segment: spot.segment, point: (symbol.x, symbol.y), move: move, offset: look.lineOffset.y * size,
      reach: max(glyphs, images) * size + abs(offset))
    anchor = (symbol.x, symbol.y)
    end = (line.pixelX[spot.segment + 1], line.pixelY[spot.segment + 1])
  }

  /// The middles of the first and the last glyph or image, in ems.
  private var ends: (first: Double, last: Double)? {
    let images = shape.images.map { ($0.box.left + $0.box.right) / 2 }
    guard let first = shape.glyphs.first?.middle ?? images.first,
      let last = shape.glyphs.last?.middle ?? images.last
    else { return nil }
    return (images.reduce(first, min), images.reduce(last, max))
  }

  /// The path from the first glyph to the last; nil if the text does not fit on the line.
  var points: [(x: Double, y: Double)]? {
    guard let ends else { return nil }
    return path.points(
      from: min(ends.first, ends.last) * size + offset, to: max(ends.first, ends.last) * size + offset)
  }

  /// Returns the position of a distance from the anchor point in ems; nil beyond the line.
  func place(_ middle: Double, isReversed: Bool) -> Place? {
    guard isReversed else { return path.point(at: middle * size + offset) }
    guard let place = path.point(at: offset - middle * size) else { return nil }
    return (place.x, place.y, place.rotation.reversed)
  }

  /// The points from which the direction of the whole text is judged; nil if it does not fit on the line.
  var span: (first: (x: Double, y: Double), last: (x: Double, y: Double))? {
    guard shape.glyphs.count + shape.images.count > 1 else { return (anchor, end) }
    guard let ends, let first = place(ends.first, isReversed: false),
      let last = place(ends.last, isReversed: false)
    else { return nil }
    return ((first.x, first.y), (last.x, last.y))
  }
}
