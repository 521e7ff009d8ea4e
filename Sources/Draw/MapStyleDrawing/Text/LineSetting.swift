import MapDrawing

/// The positions of a line's glyphs and images, from the line's start.
///
/// - Source: MapLibre GL JS 5. Lengths are in ``TextUnits``.
struct LineSetting {
  private(set) var glyphs: [ShapedText.Glyph] = []
  private(set) var images: [ShapedText.InlineImage] = []
  /// The height by which images exceed the letters.
  private(set) var imageExcess = 0.0

  private let text: SectionedText
  private let metrics: LineMetrics
  private let direction: TextDirection
  private let spacing: Double
  private let y: Double
  private var x = 0.0

  /// Sets a line.
  ///
  /// - Parameters:
  ///   - line: the glyphs of the line.
  ///   - y: the height of the line below the text's top.
  init(
    _ line: TextLine, of text: SectionedText, _ metrics: LineMetrics, _ direction: TextDirection,
    spacing: Double, y: Double
  ) {
    (self.text, self.metrics, self.direction) = (text, metrics, direction)
    (self.spacing, self.y) = (spacing, y)
    for glyph in line.glyphs {
      if let image = text.section(glyph.character).image {
        add(image, at: glyph.character)
      } else {
        add(glyph)
      }
    }
  }

  /// The length of the line.
  var length: Double { x == 0 ? 0 : x - spacing }

  private mutating func add(_ glyph: TextLine.Glyph) {
    let character = text.characters[glyph.character]
    let section = text.section(glyph.character)
    let isUpright = direction.isUpright(character)
    let (scale, size) = (section.scale, section.scale * TextUnits.em)
    let free = isUpright ? metrics.width - size : (metrics.height - size) * section.alignment
    // A mark stays at its letter, before the space that follows the letter.
    let gap = glyph.followsLetter ? spacing : 0
    let (dx, dy) = (glyph.x * size - gap, glyph.y * size)
    // Rotated glyphs go up from their origin, with the middle of the letter at the middle of the line.
    let origin =
      isUpright
      ? (x: x + TextUnits.ascender * scale - 7 - dy, y: y + free + glyph.advance * size / 2 - dx)
      : (x: x + dx, y: y + free + TextUnits.topOffset + TextUnits.ascender * scale - dy)
    if !character.properties.isWhitespace {
      glyphs.append(
        ShapedText.Glyph(
          key: GlyphKey(font: text.font(glyph.character), glyph: glyph.glyph), character: glyph.character,
          x: origin.x, y: origin.y, middle: x - gap + glyph.middle * size, scale: scale,
          section: text.owners[glyph.character],
          isRotated: isUpright))
    }
    if glyph.advance != 0 { x += (isUpright ? size : glyph.advance * size) + spacing }
  }

  private mutating func add(_ image: TextSection.Image, at index: Int) {
    let isUpright = direction.isUpright(text.characters[index])
    let scale = metrics.imageScale
    let (width, height) = (image.width * scale, image.height * scale)
    let center: (x: Double, y: Double)
    if isUpright {
      center = (
        x: x + height / 2 + 3 * scale - 7, y: y + metrics.width - TextUnits.em / 2 - scale - width / 2
      )
    } else {
      let free = (metrics.height - height) * text.section(index).alignment
      center = (x: x + scale + width / 2, y: y + free + TextUnits.topOffset + 3 * scale + height / 2)
    }
    let box = SymbolBox(
      left: center.x - width / 2, top: center.y - height / 2, right: center.x + width / 2,
      bottom: center.y + height / 2)
    images.append(
      ShapedText.InlineImage(
        name: image.name, box: box, section: text.owners[index], isRotated: isUpright))
    imageExcess = max(imageExcess, (isUpright ? width : height) - TextUnits.em * metrics.scale)
    x += (isUpright ? height : width) + spacing
  }

  /// Moves all to the left by a share of the length.
  ///
  /// - Parameter isCentered: whether letters and images of all sizes get their middles on one line, as in vertical text
  ///   at a point.
  mutating func align(_ share: Double, isCentered: Bool) {
    let (left, rise) = (length * share, max(imageExcess, (metrics.scale - 1) * TextUnits.em) / 2)
    glyphs = glyphs.map { glyph in
      let up = isCentered ? rise - (glyph.scale - 1) * TextUnits.em : 0
      return glyph.moved(x: -left, y: -up)
    }
    images = images.map { image in
      let up = isCentered ? rise + (TextUnits.em - image.box.width) / 2 : 0
      return image.moved(x: -left, y: -up)
    }
  }
}

extension TextDirection {
  /// Whether a character is upright in vertical text.
  func isUpright(_ character: Unicode.Scalar) -> Bool {
    switch self {
    case .horizontal: false
    case .verticalAlongLine: character.isUprightInVerticalText
    case .verticalAtPoint: !character.isBlankInText && !character.isArabic
    }
  }
}

/// The sizes of a line's sections.
struct LineMetrics {
  /// The largest scale of a section.
  private(set) var scale = 0.0
  /// The height of the largest letter or image.
  let height: Double
  /// The width of the largest letter or image.
  let width: Double
  /// The factor from CSS pixels to units.
  let imageScale: Double

  /// Finds the sizes of a range of characters.
  init(_ range: Range<Int>, of text: SectionedText, imageScale: Double) {
    var (width, height, last) = (0.0, 0.0, -1)
    for index in range where text.owners[index] != last {
      last = text.owners[index]
      let section = text.sections[last]
      scale = max(scale, section.scale)
      if let image = section.image { (width, height) = (max(width, image.width), max(height, image.height)) }
    }
    self.height = max(scale * TextUnits.em, height * imageScale)
    self.width = max(scale * TextUnits.em, width * imageScale)
    self.imageScale = imageScale
  }
}

extension ShapedText.Glyph {
  /// Returns the glyph moved, then with all lengths multiplied by a factor.
  func moved(x dx: Double, y dy: Double, scale factor: Double = 1) -> Self {
    Self(
      key: key, character: character, x: (x + dx) * factor, y: (y + dy) * factor,
      middle: (middle + dx) * factor, scale: scale, section: section, isRotated: isRotated)
  }

  /// Returns the glyph of another character.
  func showing(_ character: Int) -> Self {
    Self(
      key: key, character: character, x: x, y: y, middle: middle, scale: scale, section: section,
      isRotated: isRotated)
  }
}

extension ShapedText.InlineImage {
  /// Returns the image moved, then with all lengths multiplied by a factor.
  func moved(x: Double, y: Double, scale factor: Double = 1) -> Self {
    Self(name: name, box: box.moved(x: x, y: y).scaled(by: factor), section: section, isRotated: isRotated)
  }
}
