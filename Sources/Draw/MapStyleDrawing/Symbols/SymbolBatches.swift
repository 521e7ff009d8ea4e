import Glibc
import MapDrawing
import MapGeometry
import MapImages
import MapModel
import MapStyles

/// The icons of a layer as markers.
struct IconBatch {
  private struct Key: Hashable {
    let icon: Int
    let angle: Double
  }

  private let pixelRatio: Double
  private var batch = MarkerBatch(styles: [])
  /// The style of each icon, and the pixels from its left and upper sides to whole pixels; nil for one without pixels.
  private var styles: [Key: (style: Int, corner: (x: Double, y: Double)?)?] = [:]
  private var pictures: [Int: (picture: SymbolPicture, box: SymbolBox, isExact: Bool)?] = [:]
  /// The pixels of all images so far, and the images that are left out because they are too many.
  private var pixelCount = 0
  private(set) var leftOut = 0

  /// The largest number of pixels of all images.
  ///
  /// - Source: design decision; a sprite has some hundred thousand.
  private static let limit = 1 << 24

  init(pixelRatio: Double) { self.pixelRatio = pixelRatio }

  /// The icons; none for a layer without icons in the image.
  var batches: [DisplayBatch] { batch.row.isEmpty ? [] : [.markers(batch)] }

  /// Adds an icon; returns false outside the image.
  mutating func add(
    _ shape: ShapedIcon, key index: Int, _ look: IconLook, at point: (x: Double, y: Double), angle: Double,
    row: Int32, canvas: SymbolBox
  ) -> Bool {
    let reach = [shape.box.left, shape.box.top, shape.box.right, shape.box.bottom].map(abs).max() ?? 0
    let radius = (reach * look.size + look.paint.haloWidth) * 1.5 * pixelRatio + 2
    guard look.opacity > 0, point.x + radius > canvas.left, point.x - radius < canvas.right,
      point.y + radius > canvas.top, point.y - radius < canvas.bottom,
      let (style, corner) = style(shape, index, look, angle: angle)
    else { return false }
    var (x, y) = point
    if let corner {
      // Pixels of the image are drawn as they are.
      x += (x + corner.x).rounded() - (x + corner.x)
      y += (y + corner.y).rounded() - (y + corner.y)
    }
    batch.x.append(x)
    batch.y.append(y)
    batch.style.append(UInt32(clamping: style))
    batch.row.append(row)
    return true
  }

  private mutating func style(
    _ shape: ShapedIcon, _ index: Int, _ look: IconLook, angle: Double
  ) -> (style: Int, corner: (x: Double, y: Double)?)? {
    let key = Key(icon: index, angle: angle)
    if let known = styles[key] { return known }
    guard let picture = picture(shape, index, look) else {
      styles[key] = .some(nil)
      return nil
    }
    let box = picture.box
    let block = MarkerBlock(
      .picture(picture.picture, opacity: look.opacity),
      box: Envelope(xMin: box.left, yMin: box.top, xMax: box.right, yMax: box.bottom))
    let found = (
      style: batch.styles.count,
      corner: picture.isExact && angle.truncatingRemainder(dividingBy: 360) == 0 ? (box.left, box.top) : nil
    )
    batch.styles.append(MarkerStyle(block: block, angle: angle, ground: nil, frame: nil, classIndex: -1))
    styles[key] = .some(found)
    return found
  }

  /// Returns the pixels of an icon with their box in output pixels around the anchor point.
  private mutating func picture(
    _ shape: ShapedIcon, _ index: Int, _ look: IconLook
  ) -> (picture: SymbolPicture, box: SymbolBox, isExact: Bool)? {
    if let known = pictures[index] { return known }
    guard let pixels = shape.pixels(size: look.size, pixelRatio: pixelRatio, paint: look.paint) else {
      pictures[index] = .some(nil)
      return nil
    }
    guard pixelCount + pixels.bitmap.width * pixels.bitmap.height <= Self.limit else {
      pictures[index] = .some(nil)
      leftOut += 1
      return nil
    }
    pixelCount += pixels.bitmap.width * pixels.bitmap.height
    let box = pixels.box.scaled(by: pixelRatio)
    let isExact =
      abs(box.width - Double(pixels.bitmap.width)) < 1e-6
      && abs(box.height - Double(pixels.bitmap.height)) < 1e-6
    let found = (SymbolPicture(pixels.bitmap), box, isExact)
    pictures[index] = .some(found)
    return found
  }
}

/// The texts of a layer as labels, and the images between their letters.
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
  private struct Group: Hashable {
    let scale: Double
    let color: StyleColor
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
    var box = SymbolBox(left: .infinity, top: .infinity, right: -.infinity, bottom: -.infinity)
    for (glyph, place) in zip(shape.glyphs, glyphs) {
      // Letters with their accents lie within an em and a half of their origin.
      let reach = 1.5 * size * glyph.scale
      box = box.union(
        SymbolBox(
          left: place.x - reach, top: place.y - reach, right: place.x + reach, bottom: place.y + reach))
    }
    let hasImages = addImages(shape, look, row: row, canvas: canvas, places)
    let reach = halo.map(\.width).max() ?? 0
    box = box.grown(by: SIMD4(repeating: reach))
    guard box.right > canvas.left, box.left < canvas.right, box.bottom > canvas.top, box.top < canvas.bottom,
      box.width.isFinite
    else { return hasImages }
    var groups: [Group] = []
    var members: [[LabelItem.Glyph]] = []
    for (glyph, place) in zip(shape.glyphs, glyphs) {
      let color = shape.colors.indices.contains(glyph.section) ? shape.colors[glyph.section] : nil
      let group = Group(scale: glyph.scale, color: color ?? look.color)
      let rotation = glyph.isRotated ? place.rotation.upright : place.rotation
      let item = LabelItem.Glyph(
        outline: outline(glyph.key), x: place.x, y: place.y, directionX: rotation.cosine,
        directionY: rotation.sine)
      if let index = groups.firstIndex(of: group) {
        members[index].append(item)
      } else {
        groups.append(group)
        members.append([item])
      }
    }
    let envelope = Envelope(xMin: box.left, yMin: box.top, xMax: box.right, yMax: box.bottom)
    func append(_ style: LabelStyle, _ index: Int) {
      batch.items.append(
        LabelItem(
          text: shape.text, style: self.style(style), row: row, box: envelope, glyphs: members[index]))
    }
    let before = batch.items.count
    if groups.count == 1, halo.count <= 1 {
      let color = Color(groups[0].color, opacity: look.opacity)
      if color != nil || !halo.isEmpty {
        append(
          LabelStyle(
            size: size * groups[0].scale, color: color, haloColor: halo.first?.color,
            haloWidth: halo.first?.width ?? 0, classIndex: 0), 0)
      }
    } else {
      // All halos are below all letters.
      for ring in halo {
        for (index, group) in groups.enumerated() {
          append(
            LabelStyle(
              size: size * group.scale, color: nil, haloColor: ring.color, haloWidth: ring.width,
              classIndex: 0),
            index)
        }
      }
      for (index, group) in groups.enumerated() {
        guard let color = Color(group.color, opacity: look.opacity) else { continue }
        append(LabelStyle(size: size * group.scale, color: color, classIndex: 0), index)
      }
    }
    return batch.items.count > before || hasImages
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
    let steps = BlurSteps(length: 2 * blur)
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
