import Glibc
import MapDrawing
import MapGeometry
import MapModel
import MapStyles

/// The texts of a layer as labels, and the images between their letters.
///
/// A text of several sizes or colours, and one with a blurred halo, is several labels with the same box.
struct TextBatch {
  private let fonts: SymbolFonts
  private let pixelRatio: Double
  private var batch = LabelBatch(outlines: [], styles: [], items: [])
  private var outlines: [GlyphKey: UInt32] = [:]
  private var styles: [LabelStyle: UInt32] = [:]
  private var images: IconBatch
  private var imageKeys: [ImageKey: Int] = [:]

  private struct ImageKey: Hashable {
    let name: String
    let size: SIMD2<Double>
    let look: IconLook
  }

  init(fonts: SymbolFonts, pixelRatio: Double) {
    (self.fonts, self.pixelRatio) = (fonts, pixelRatio)
    images = IconBatch(pixelRatio: pixelRatio)
  }

  /// The number of images between letters that are left out.
  var leftOut: Int { images.leftOut }

  /// The texts, and the images above them.
  var batches: [DisplayBatch] { (batch.items.isEmpty ? [] : [.labels(batch)]) + images.batches }

  /// The glyphs of a text that are drawn in the same way.
  private struct Group {
    let scale: Double
    let color: StyleColor
    var glyphs: [LabelItem.Glyph]
  }

  /// Adds a text; returns false outside the image, and for one without paint.
  ///
  /// - Parameters:
  ///   - glyphs: the origins of the glyphs, with their directions.
  ///   - images: the upper left corners of the images.
  mutating func add(
    _ shape: ShapedText, _ look: TextLook, row: Int32, canvas: SymbolBox, glyphs: [LineText.Place],
    images places: [LineText.Place]
  ) -> Bool {
    let size = look.size * pixelRatio
    let halo = halo(look)
    let hasImages = addImages(shape, look, row: row, canvas: canvas, places)
    // Letters with their accents lie within an em and a half of their origin.
    let reach = 1.5 * size * (shape.glyphs.map(\.scale).max() ?? 0) + (halo.first?.width ?? 0)
    guard glyphs.contains(where: { canvas.grown(by: SIMD4(repeating: reach)).contains($0.x, $0.y) }) else {
      return hasImages
    }
    let groups = groups(shape, look, glyphs)
    let inks = groups.compactMap { group in self.ink(of: group, size: size * group.scale) }
    guard let ink = inks.dropFirst().reduce(inks.first, { $0?.union($1) }) else { return hasImages }
    let box = ink.grown(by: SIMD4(repeating: halo.first?.width ?? 0))
    guard box.right > canvas.left, box.left < canvas.right, box.bottom > canvas.top, box.top < canvas.bottom
    else { return hasImages }
    let envelope = Envelope(xMin: box.left, yMin: box.top, xMax: box.right, yMax: box.bottom)
    let before = batch.items.count
    for (style, group) in styles(groups, halo, look, size: size) {
      batch.items.append(
        LabelItem(
          text: shape.text, style: self.style(style), row: row, box: envelope, glyphs: groups[group].glyphs))
    }
    return batch.items.count > before || hasImages
  }

  /// Returns the glyphs of a text by their sizes and colours.
  private mutating func groups(
    _ shape: ShapedText, _ look: TextLook, _ places: [LineText.Place]
  ) -> [Group] {
    var groups: [Group] = []
    for (glyph, place) in zip(shape.glyphs, places) {
      let color =
        (shape.colors.indices.contains(glyph.section) ? shape.colors[glyph.section] : nil) ?? look.color
      let rotation = glyph.isRotated ? place.rotation.upright : place.rotation
      let item = LabelItem.Glyph(
        outline: outline(glyph.key), character: UInt32(clamping: glyph.character), x: place.x, y: place.y,
        directionX: rotation.cosine,
        directionY: rotation.sine)
      if let index = groups.firstIndex(where: { $0.scale == glyph.scale && $0.color == color }) {
        groups[index].glyphs.append(item)
      } else {
        groups.append(Group(scale: glyph.scale, color: color, glyphs: [item]))
      }
    }
    return groups
  }

  /// Returns the styles in which the groups of a text are painted, with the indexes of the groups.
  private func styles(
    _ groups: [Group], _ halo: [(color: Color, width: Double)], _ look: TextLook, size: Double
  ) -> [(LabelStyle, group: Int)] {
    let colors = groups.map { Color($0.color, opacity: look.opacity) }
    if groups.count == 1, halo.count <= 1 {
      guard colors[0] != nil || !halo.isEmpty else { return [] }
      let style = LabelStyle(
        size: size * groups[0].scale, color: colors[0], haloColor: halo.first?.color,
        haloWidth: halo.first?.width ?? 0, classIndex: LabelStyle.styledText)
      return [(style, 0)]
    }
    // All halos are below all letters.
    let halos = halo.flatMap { ring in
      groups.indices.map { index in
        (
          LabelStyle(
            size: size * groups[index].scale, color: nil, haloColor: ring.color, haloWidth: ring.width,
            classIndex: LabelStyle.styledText), group: index
        )
      }
    }
    let letters = groups.indices.compactMap { index in
      colors[index].map {
        (
          LabelStyle(size: size * groups[index].scale, color: $0, classIndex: LabelStyle.styledText),
          group: index
        )
      }
    }
    return halos + letters
  }

  /// Returns the box around the ink of a group; nil without ink.
  private func ink(of group: Group, size: Double) -> SymbolBox? {
    var box: SymbolBox?
    for glyph in group.glyphs {
      guard let ink = batch.outlines[Int(glyph.outline)].bounds else { continue }
      for (x, y) in [(ink.xMin, ink.yMin), (ink.xMax, ink.yMin), (ink.xMax, ink.yMax), (ink.xMin, ink.yMax)] {
        let px = glyph.x + size * (x * glyph.directionX + y * glyph.directionY)
        let py = glyph.y + size * (x * glyph.directionY - y * glyph.directionX)
        let corner = SymbolBox(left: px, top: py, right: px, bottom: py)
        box = box?.union(corner) ?? corner
      }
    }
    return box
  }

  /// Returns the halos of a text over each other, the widest first; none without a colour.
  ///
  /// - Source: MapLibre GL JS 5: a halo is at most a quarter of the text size wide, and its edge is a smooth step whose
  ///   half length is 1.19 times the blur.
  private func halo(_ look: TextLook) -> [(color: Color, width: Double)] {
    let width = min(look.haloWidth, look.size / 4) * pixelRatio
    guard width > 0, let color = Color(look.haloColor, opacity: look.opacity) else { return [] }
    let blur = 1.19 * look.haloBlur * pixelRatio
    // Antialiasing is one pixel wide.
    guard blur > 0.75 else { return [(color, width)] }
    let steps = BlurSteps(length: 2 * blur - 1)
    var halos: [(color: Color, width: Double)] = []
    for (step, color) in steps.colors(color).enumerated() where color.alpha > 0 {
      let level = (Double(step) + 0.5) / Double(steps.count)
      let share = 0.5 - sin(asin(1 - 2 * level) / 3)
      let own = width + blur - 2 * blur * share
      if own > 0 { halos.append((color, own)) }
    }
    return halos
  }

  private mutating func outline(_ key: GlyphKey) -> UInt32 {
    if let index = outlines[key] { return index }
    let index = UInt32(clamping: batch.outlines.count)
    batch.outlines.append(fonts.outline(of: key))
    outlines[key] = index
    return index
  }

  private mutating func style(_ style: LabelStyle) -> UInt32 {
    if let index = styles[style] { return index }
    let index = UInt32(clamping: batch.styles.count)
    batch.styles.append(style)
    styles[style] = index
    return index
  }

  /// Adds the images between the letters; returns whether one is in the image.
  private mutating func addImages(
    _ shape: ShapedText, _ look: TextLook, row: Int32, canvas: SymbolBox, _ places: [LineText.Place]
  ) -> Bool {
    var isShown = false
    for (image, place) in zip(shape.images, places) {
      guard let sprite = fonts.engine.images[image.name], sprite.width > 0 else { continue }
      let color = shape.colors.indices.contains(image.section) ? shape.colors[image.section] : nil
      let own = IconLook(
        size: image.box.width * look.size / sprite.width, layoutSize: 1, rotation: 0,
        padding: SIMD4(0, 0, 0, 0),
        paint: IconPaint(
          color: Color(color ?? look.color), haloColor: Color(look.haloColor), haloWidth: look.haloWidth,
          haloBlur: look.haloBlur), opacity: min(max(look.opacity, 0), 1))
      let key = ImageKey(name: image.name, size: SIMD2(image.box.width, image.box.height), look: own)
      let index = imageKeys[key] ?? imageKeys.count
      imageKeys[key] = index
      // The middle of the image is its anchor point, so that a rotated one stays where it is.
      let (width, height) = (
        image.box.width * look.size * pixelRatio, image.box.height * look.size * pixelRatio
      )
      let middle = place.rotation.applied(width / 2, height / 2)
      let rotation = image.isRotated ? place.rotation.upright : place.rotation
      let angle = atan2(rotation.sine, rotation.cosine) * 180 / .pi
      let isAdded = images.add(
        ShapedIcon(sprite), key: index, own, at: (place.x + middle.x, place.y + middle.y), angle: angle,
        row: row,
        canvas: canvas)
      isShown = isAdded || isShown
    }
    return isShown
  }
}
