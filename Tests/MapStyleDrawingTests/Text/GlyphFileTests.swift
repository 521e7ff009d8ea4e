import MapDrawing
import MapGeometry
import MapModel
import MapStyleDrawing
import MapStyles
import MapText
import Testing

/// Glyph files: reading, outlines traced from distance fields, and damaged bytes.
@Suite struct GlyphFileTests {
  /// A message of Protocol Buffers.
  struct Message {
    private(set) var bytes: [UInt8] = []

    mutating func add(_ field: UInt64, number: UInt64) {
      varint(field << 3)
      varint(number)
    }

    mutating func add(_ field: UInt64, signed number: Int64) {
      add(field, number: UInt64(bitPattern: (number << 1) ^ (number >> 63)))
    }

    mutating func add(_ field: UInt64, bytes content: [UInt8]) {
      varint(field << 3 | 2)
      varint(UInt64(content.count))
      bytes += content
    }

    private mutating func varint(_ value: UInt64) {
      var value = value
      while value > 127 {
        bytes.append(UInt8(value & 127) | 128)
        value >>= 7
      }
      bytes.append(UInt8(value))
    }
  }

  /// A file with one letter of 12 by 16 pixels, whose left and top are 2 and -9.
  ///
  /// - Parameter distance: the distance of a point in pixels from the edge, positive inside.
  static func file(
    isDamaged: Bool = false, distance: (Double, Double) -> Double = Self.ring
  ) -> [UInt8] {
    let (width, height) = (12, 16)
    var field: [UInt8] = []
    for y in -3..<height + 3 {
      for x in -3..<width + 3 {
        let value = 191.25 + 32 * distance(Double(x) + 0.5, Double(y) + 0.5)
        field.append(UInt8(min(max(value.rounded(), 0), 255)))
      }
    }
    var glyph = Message()
    glyph.add(1, number: 65)
    glyph.add(2, bytes: isDamaged ? Array(field.dropLast()) : field)
    glyph.add(3, number: UInt64(width))
    glyph.add(4, number: UInt64(height))
    glyph.add(5, signed: 2)
    glyph.add(6, signed: -9)
    glyph.add(7, number: 15)
    var stack = Message()
    stack.add(1, bytes: Array("Metropolis Regular".utf8))
    stack.add(2, bytes: Array("0-255".utf8))
    stack.add(3, bytes: glyph.bytes)
    var file = Message()
    file.add(1, bytes: stack.bytes)
    return file.bytes
  }

  /// A file with letters without ink, whose advance is 12 pixels; marks have none.
  static func file(characters: some Sequence<UInt32>) -> [UInt8] {
    var stack = Message()
    stack.add(1, bytes: Array("F".utf8))
    for character in characters {
      var glyph = Message()
      glyph.add(1, number: UInt64(character))
      glyph.add(7, number: (0x64B...0x652).contains(character) ? 0 : 12)
      stack.add(3, bytes: glyph.bytes)
    }
    var file = Message()
    file.add(1, bytes: stack.bytes)
    return file.bytes
  }

  /// The forms are those of Arabic Presentation Forms, from left to right.
  @Test(
    "Arabic letters in glyph files are joined and read from right to left",
    arguments: [
      // Three letters that join on both sides: start, middle, end.
      ("\u{628}\u{628}\u{628}", [0xFE90, 0xFE92, 0xFE91]),
      // Alef joins only the letter before it.
      ("\u{628}\u{627}\u{628}", [0xFE8F, 0xFE8E, 0xFE91]),
      ("\u{627}\u{628}", [0xFE8F, 0xFE8D]),
      // Lam and alef are one letter, alone and at the end.
      ("\u{644}\u{627}", [0xFEFB]), ("\u{628}\u{644}\u{623}\u{628}", [0xFE8F, 0xFEF8, 0xFE91]),
      // A mark does not interrupt the joining, and follows its letter.
      ("\u{628}\u{64E}\u{628}", [0xFE90, 0xFE91, 0x64E]),
      // A non-joiner does, and a tatweel joins.
      ("\u{628}\u{200C}\u{628}", [0xFE8F, 0xFE8F]), ("\u{640}\u{628}", [0xFE90, 0x640]),
      // Persian letters.
      ("\u{67E}\u{6CC}", [0xFBFD, 0xFB58]),
      // Digits read from left to right, brackets are mirrored, and Latin words keep their order.
      ("\u{628} 12", [0x31, 0x32, 0x20, 0xFE8F]),
      ("(\u{628})", [0x28, 0xFE8F, 0x29]),
      ("ab \u{628}\u{628}", [0x61, 0x62, 0x20, 0xFE90, 0xFE91]),
    ])
  func arabic(_ text: String, _ expected: [UInt32]) throws {
    let fonts = SymbolFonts(
      measurer: .notoSans,
      glyphs: { stack, range in
        guard stack == "F" else { return nil }
        return Self.file(characters: UInt32(range) << 8..<UInt32(range + 1) << 8)
      })
    let shaped = try #require(Self.shape(text, fonts, ["F"]))
    #expect(shaped.glyphs.map(\.key.glyph) == expected.filter { $0 != 0x20 })
    #expect(fonts.problems.isEmpty)
    let marks = expected.count { $0 == 0x64E }
    #expect(abs(shaped.box.width - Double(expected.count - marks) / 2) < 1e-12)
  }

  @Test("Letters of other scripts that change beside others are reported in glyph files")
  func otherScripts() {
    let fonts = SymbolFonts(
      measurer: .notoSans,
      glyphs: { $0 == "F" && $1 == 9 ? Self.file(characters: 0x900...0x97F) : $1 == 0 ? [] : nil })
    _ = Self.shape("\u{915}\u{93F}", fonts, ["F"])
    #expect(
      fonts.problems == [
        "text-field: letters of F that other letters change are drawn unchanged; add a font file"
      ])
  }

  /// The distance from the edge of a box of 12 by 16 pixels with a round hole.
  static func ring(_ x: Double, _ y: Double) -> Double {
    let box = min(min(x, 12 - x), min(y, 16 - y))
    let hole = ((x - 6) * (x - 6) + (y - 8) * (y - 8)).squareRoot() - 2.5
    return min(box, hole)
  }

  @Test(
    "A stroke that is thinner than a pixel is whole, wherever it lies", arguments: [0, 0.25, 0.5, 0.75, 0.9])
  func thinStrokes(_ shift: Double) throws {
    // Rows 7.6 to 8.4 of 12 columns, moved down.
    let bytes = Self.file { x, y in min(0.4 - abs(y - 8 - shift), min(x, 12 - x)) }
    let fonts = Self.fonts(bytes)
    let outline = fonts.outline(of: GlyphKey(font: .glyphFiles("Metropolis Regular"), glyph: 65))
    #expect(outline.steps.count { $0 == .close } == 1)
    let expected = 12 * 0.8 / 576
    #expect(abs(abs(Self.area(outline)) - expected) < 0.15 * expected)
  }

  private static func fonts(_ bytes: [UInt8]) -> SymbolFonts {
    SymbolFonts(
      measurer: .notoSans, glyphs: { $0 == "Metropolis Regular" && $1 == 0 ? bytes : nil })
  }

  private static func shape(
    _ text: String, _ fonts: SymbolFonts, _ stack: [String] = ["Metropolis Regular"]
  ) -> ShapedText? {
    TextShaping(sections: [FormattedSection(text)], fonts: stack).shaped(by: fonts)
  }

  @Test("A stack without a font file is set in its glyph files, with outlines traced from their fields")
  func outlines() throws {
    let fonts = Self.fonts(Self.file())
    let shaped = try #require(Self.shape("AA", fonts, ["Metropolis Regular", "Missing"]))
    #expect(fonts.problems.isEmpty)
    #expect(
      shaped.glyphs.map(\.key)
        == Array(repeating: GlyphKey(font: .glyphFiles("Metropolis Regular"), glyph: 65), count: 2))
    #expect(abs(shaped.box.width - 30.0 / 24) < 1e-12)
    #expect(abs(shaped.glyphs[1].x - shaped.glyphs[0].x - 15.0 / 24) < 1e-12)
    let outline = fonts.outline(of: shaped.glyphs[0].key)
    let bounds = try #require(outline.bounds)
    // The baseline is 26 pixels below the top of an em.
    #expect(abs(bounds.xMin - 2.0 / 24) < 0.1 / 24 && abs(bounds.xMax - 14.0 / 24) < 0.1 / 24)
    #expect(abs(bounds.yMax - 17.0 / 24) < 0.1 / 24 && abs(bounds.yMin - 1.0 / 24) < 0.1 / 24)
    // Two rings of opposite direction; the area is that of the box without the hole.
    #expect(outline.steps.count { $0 == .close } == 2)
    let expected = (12.0 * 16 - .pi * 2.5 * 2.5) / 576
    #expect(abs(abs(Self.area(outline)) - expected) < 0.02 * expected)
  }

  private static func area(_ outline: GlyphOutline) -> Double {
    var (area, start, last) = (0.0, (x: 0.0, y: 0.0), (x: 0.0, y: 0.0))
    for step in outline.steps {
      var next = start
      switch step {
      case .move(let x, let y):
        (start, last, next) = ((x, y), (x, y), (x, y))
      case .line(let x, let y): next = (x, y)
      default: break
      }
      area += (last.x * next.y - next.x * last.y) / 2
      last = next
    }
    return area
  }

  @Test("Font files precede glyph files, and characters that a file lacks are reported")
  func order() throws {
    let fonts = Self.fonts(Self.file())
    #expect(
      Self.shape("A", fonts, ["Noto Sans Bold"])?.glyphs[0].key.font == .file(FontChoice(weight: .bold)))
    #expect(
      Self.shape("A", fonts, ["Metropolis Bold"])?.glyphs[0].key.font == .file(FontChoice(weight: .bold)))
    #expect(fonts.problems == ["text-font: no font 'Metropolis Bold'; Noto Sans Bold is used"])
    let view = fonts.forView()
    let shaped = try #require(Self.shape("A ÄĀ", view))
    #expect(shaped.glyphs.count == 1)
    #expect(view.problems == ["text-field: no glyph for \"Ä\", \"Ā\" in the fonts; they are left out"])
  }

  @Test(
    "A glyph file that cannot be read is reported with the reason, and its font is not missing",
    arguments: ["Metropolis Regular", "Noto Sans Regular"])
  func unreadable(_ stack: String) {
    struct Fault: Error, CustomStringConvertible { let description = "fonts/0.pbf: is larger than 4 MiB" }
    let fonts = SymbolFonts(measurer: .notoSans, glyphs: { _, _ in throw Fault() })
    // No bundled font has the second character.
    _ = Self.shape("A東", fonts, [stack])
    #expect(fonts.problems.contains("text-field: glyph file fonts/0.pbf: is larger than 4 MiB"))
    #expect(!fonts.problems.contains { $0.contains("no font") }, "\(fonts.problems)")
  }

  @Test("Characters that a font file lacks come from the glyph files of the stack")
  func fallback() throws {
    let fonts = SymbolFonts(
      measurer: TextMeasurer(
        shapeSections: { sections in
          // A font without the letter A.
          let line = TextMeasurer.notoSans.shapeSections(sections)
          let missing = sections.flatMap(\.text.unicodeScalars).filter { $0 == "A" }
          return ShapedLine(glyphs: line.glyphs, advance: line.advance, missing: missing)
        }, outline: TextMeasurer.notoSans.outline),
      glyphs: { $0 == "Noto Sans Regular" && $1 == 0 ? Self.file() : nil })
    let shaped = try #require(Self.shape("xAx", fonts, ["Noto Sans Regular"]))
    let file = SymbolFont.glyphFiles("Noto Sans Regular")
    #expect(shaped.glyphs.map(\.key.font) == [.file(FontChoice()), file, .file(FontChoice())])
    #expect(fonts.problems.isEmpty)
    let x = try #require(Self.shape("x", fonts, ["Noto Sans Regular"]))
    #expect(abs(shaped.box.width - 2 * x.box.width - 15.0 / 24) < 1e-12)
    let other = try #require(Self.shape("xAx", fonts.forView(), ["Noto Sans Bold"]))
    #expect(other.glyphs.count == 2)
  }

  @Test(
    "Files are only read for names of folders",
    arguments: [
      "../Metropolis Regular", "/etc", "a/b", ".", "..", "a\\b", "a\0b", String(repeating: "a", count: 501),
    ])
  func names(_ name: String) {
    let fonts = SymbolFonts(
      measurer: .notoSans,
      glyphs: { stack, _ in
        Issue.record("\(stack) is read")
        return nil
      })
    let shaped = Self.shape("A東", fonts, [name])
    #expect(shaped?.glyphs.count == 1)
  }

  @Test(
    "Glyphs with sizes and positions beyond the limits are reported as damage",
    arguments: [3, 4, 5, 6, 7] as [UInt64], [1 << 31, .max] as [UInt64])
  func sizes(field: UInt64, number: UInt64) {
    var (glyph, stack, file) = (Message(), Message(), Message())
    glyph.add(1, number: 65)
    glyph.add(field, number: number)
    stack.add(3, bytes: glyph.bytes)
    file.add(1, bytes: stack.bytes)
    let fonts = Self.fonts(file.bytes)
    #expect(Self.shape("A", fonts)?.glyphs.map(\.key.font) == [.file(FontChoice())])
    #expect(fonts.problems.contains("text-field: the glyph file Metropolis Regular/0-255 is damaged"))
  }

  @Test("The bundled font replaces damaged glyph files, which are reported, wherever they are cut or changed")
  func damage() {
    let bytes = Self.file()
    let line = "text-field: the glyph file Metropolis Regular/0-255 is damaged"
    for length in stride(from: 1, to: bytes.count, by: 7) {
      let fonts = Self.fonts(Array(bytes.prefix(length)))
      let shaped = Self.shape("A", fonts)
      #expect(shaped?.glyphs.map(\.key.font) == [.file(FontChoice())], "\(length)")
      #expect(fonts.problems.contains(line), "\(length)")
    }
    let other = Self.fonts(Self.file(isDamaged: true))
    let replaced = Self.shape("A A\nA", other)
    #expect(replaced?.glyphs.count { $0.key.font == .file(FontChoice()) } == replaced?.glyphs.count)
    #expect(replaced?.lineCount == 2)
    // Neither the blank nor the line feed is a missing glyph.
    #expect(
      other.problems == [
        "text-font: glyphs of 'Metropolis Regular' cannot be read; Noto Sans Regular is used", line,
      ])
    // Other changes may give another glyph, but never a crash.
    for index in bytes.indices {
      var changed = bytes
      changed[index] ^= 0xFF
      let fonts = Self.fonts(changed)
      if let shaped = Self.shape("A", fonts) {
        for glyph in shaped.glyphs { _ = fonts.outline(of: glyph.key) }
      }
    }
  }
}
