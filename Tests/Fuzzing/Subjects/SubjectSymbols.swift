import MapDrawing
import MapGeometry
import MapImages
import MapJSON
import MapModel
import MapStyleDrawing
import MapStyles

/// Glyph files and sprites of styles: any bytes give outlines and images within the limits, or are refused.
enum SubjectSymbols {
  /// An engine without fonts, so that glyph files are used.
  private static let measurer = TextMeasurer(
    shapeSections: { sections in
      let missing = sections.flatMap { Array($0.text.unicodeScalars) }
      return ShapedLine(glyphs: [], advance: 0, missing: missing)
    }, outline: { _, _ in GlyphOutline(steps: []) })

  /// Sets a text in a glyph file, and traces its letters.
  static func glyphFile(_ bytes: [UInt8]) -> Bool {
    let fonts = SymbolFonts(measurer: measurer, glyphs: { $0 == "F" && $1 == 0 ? bytes : nil })
    let shaping = TextShaping(sections: [FormattedSection("AB ab\nÄ")], fonts: ["F"])
    guard let text = shaping.shaped(by: fonts) else { return false }
    precondition(text.glyphs.allSatisfy { $0.x.isFinite && $0.y.isFinite })
    for glyph in text.glyphs {
      let outline = fonts.outline(of: glyph.key)
      precondition(outline.bounds.map { abs($0.xMin) < 100 && abs($0.yMax) < 100 } ?? true)
    }
    return true
  }

  /// Reads the index of a sprite, and draws its first images alone and around a text.
  static func icons(_ bytes: [UInt8]) -> Bool {
    var sheet: Bitmap?
    if var bitmap = try? Bitmap(width: 64, height: 64) {
      for pixel in 0..<4096 {
        let byte = UInt8(truncatingIfNeeded: pixel &* 7)
        bitmap[pixel % 64, pixel / 64] = PixelColor(red: byte, green: 9, blue: 200, alpha: ~byte)
      }
      sheet = bitmap
    }
    guard let sheet, let json = try? JSONValue(parsing: bytes),
      let images = try? StyleImages(json: json, bitmap: sheet)
    else { return false }
    let text = ShapedText(
      text: "A", glyphs: [], box: SymbolBox(left: -1.5, top: -0.6, right: 1.5, bottom: 0.6))
    let paint = IconPaint(color: .black, haloColor: .white, haloWidth: 2, haloBlur: 1)
    for image in images.names.prefix(4).compactMap({ images[$0] }) {
      let icons = [
        ShapedIcon(image), ShapedIcon(image, around: text, fontSize: 16, fit: .both, padding: [1, 2, 3, 4]),
      ]
      for icon in icons {
        guard let pixels = icon.pixels(size: 1, pixelRatio: 1, paint: paint) else { continue }
        precondition(pixels.bitmap.width <= 512 && pixels.bitmap.height <= 512 && pixels.box.width.isFinite)
      }
    }
    return true
  }
}
