import Foundation
import MapDrawing
import MapImages
import MapJSON
import MapModel
import MapStyleDrawing
import MapStyles
import MapText
import Testing

/// Lines, boxes and positions of the texts of symbols.
@Suite struct TextShapingTests {
  private static let fonts = SymbolFonts(measurer: .notoSans)

  /// Shapes a text of one section in Noto Sans.
  private static func shape(
    _ text: String, maxWidth: Double = 10, change: (inout TextShaping) -> Void = { _ in }
  ) -> ShapedText? {
    var shaping = TextShaping(
      sections: [FormattedSection(text)], fonts: ["Noto Sans Regular"], maxWidth: maxWidth)
    change(&shaping)
    return shaping.shaped(by: fonts)
  }

  /// The lines of a text, as the letters at each baseline.
  private static func lines(_ text: String, maxWidth: Double, _ fonts: SymbolFonts? = nil) -> [String] {
    let shaping = TextShaping(
      sections: [FormattedSection(text)], fonts: ["Noto Sans Regular"], maxWidth: maxWidth)
    guard let shaped = shaping.shaped(by: fonts ?? letters) else { return [] }
    let baselines = Set(shaped.glyphs.map(\.y)).sorted()
    return baselines.map { y in
      String(
        String.UnicodeScalarView(
          shaped.glyphs.filter { $0.y == y }.compactMap { Unicode.Scalar($0.key.glyph) }))
    }
  }

  /// Fonts whose letters are one em wide, and whose glyphs are the numbers of their characters.
  private static let letters = SymbolFonts(
    measurer: TextMeasurer(
      shapeSections: { sections in
        let scalars = sections.flatMap { Array($0.text.unicodeScalars) }
        return ShapedLine(
          glyphs: scalars.enumerated().map {
            ShapedLine.Glyph(glyph: $1.value, x: Double($0), y: 0, advance: 1, character: $0)
          }, advance: Double(scalars.count))
      }, outline: { _, _ in GlyphOutline(steps: []) }))

  @Test("A line of capitals is centred on the anchor point, with the baseline of glyph files")
  func oneLine() throws {
    let shaped = try #require(Self.shape("HELSINKI"))
    #expect(shaped.lineCount == 1)
    #expect(abs(shaped.box.height - 1.2) < 1e-12 && abs(shaped.box.top + 0.6) < 1e-12)
    #expect(abs(shaped.box.left + shaped.box.right) < 1e-12)
    #expect(shaped.glyphs.count == 8)
    #expect(shaped.glyphs.allSatisfy { abs($0.y - 9.0 / 24) < 1e-12 })
    let first = shaped.glyphs[0]
    #expect(abs(first.x - shaped.box.left) < 1e-12)
    #expect(first.x < first.middle && first.middle < shaped.glyphs[1].x)
    // Capitals are 0.714 em high, so their middle is within a pixel of a text of 40 pixels.
    #expect(abs(first.y - 0.714 / 2) < 0.025)
  }

  /// Expected lines were found by hand from the rule: least squares of the differences from the average length.
  @Test(
    "Lines have nearly equal lengths, and break after spaces, signs and ideographs",
    arguments: [
      ("aaaa bbbb", 10.0, ["aaaabbbb"]),
      ("aaaa bbbb", 5.0, ["aaaa", "bbbb"]),
      ("aaaa bbbb cccc dddd", 10.0, ["aaaabbbb", "ccccdddd"]),
      // Two lines of 8.5, not one of 10 and a rest.
      ("aaaaaaaa b cccccc", 12.0, ["aaaaaaaa", "bcccccc"]),
      ("aaaa-bbbb", 5.0, ["aaaa-", "bbbb"]),
      ("aaaa/bbbb", 5.0, ["aaaa/", "bbbb"]),
      ("aaaabbbbcccc", 5.0, ["aaaabbbbcccc"]),
      ("aa\nbbbbbb", 20.0, ["aa", "bbbbbb"]),
      ("日本国東京都", 3.0, ["日本国", "東京都"]),
      ("日本\u{200B}国東京都市", 4.0, ["日本\u{200B}", "国東京都市"]),
      ("aaaa(bbbb)", 5.0, ["aaaa", "(bbbb)"]),
      ("a b c", 0.0, ["a", "b", "c"]),
    ])
  func breaks(_ text: String, _ maxWidth: Double, _ expected: [String]) {
    #expect(Self.lines(text, maxWidth: maxWidth) == expected, "\(text)")
  }

  @Test("Blanks at the ends of lines have no width, and an empty line keeps its height")
  func blanks() throws {
    let shaped = try #require(Self.shape("  Oodi\u{A0}\n\n\u{3000}Rex  "))
    #expect(shaped.lineCount == 3)
    #expect(abs(shaped.box.height - 3.6) < 1e-12)
    let width = try #require(Self.shape("Oodi")).box.width
    #expect(abs(shaped.box.width - width) < 1e-12)
    #expect(Self.shape("   ") == nil && Self.shape("") == nil && Self.shape("\n") == nil)
  }

  @Test("Each anchor moves the text to its side of the point")
  func anchors() throws {
    for anchor in SymbolAnchor.allCases {
      let shaped = try #require(
        Self.shape("Töölö") {
          $0.anchor = anchor
          ($0.offsetX, $0.offsetY) = (1, -2)
        })
      let box = shaped.box
      #expect(abs(box.left - (1 - anchor.horizontal * box.width)) < 1e-12)
      #expect(abs(box.top - (-2 - anchor.vertical * 1.2)) < 1e-12)
      let center = try #require(Self.shape("Töölö"))
      for (glyph, other) in zip(shaped.glyphs, center.glyphs) {
        #expect(abs(glyph.x - other.x - (box.left - center.box.left)) < 1e-12)
        #expect(abs(glyph.y - other.y - (box.top - center.box.top)) < 1e-12)
      }
    }
    #expect(SymbolAnchor.topLeft.justification == .left)
    #expect(SymbolAnchor.bottomRight.justification == .right)
    #expect(SymbolAnchor.top.justification == .center)
  }

  @Test("Lines are aligned at the left, in the middle or at the right of their block")
  func justification() throws {
    func ends(_ justification: TextJustification) throws -> [Double] {
      let shaped = try #require(Self.shape("Lauttasaari\nOodi") { $0.justification = justification })
      let last = try #require(shaped.glyphs.map(\.y).max())
      let line = shaped.glyphs.filter { $0.y == last }
      let width = try #require(Self.shape("Oodi")).box.width
      return [line[0].x - shaped.box.left, shaped.box.right - line[0].x - width]
    }
    #expect(try ends(.left)[0] < 1e-12)
    #expect(try ends(.right)[1] < 1e-12)
    let middle = try ends(.center)
    #expect(abs(middle[0] - middle[1]) < 1e-12)
  }

  @Test("Letter spacing widens a line between its letters only, and not between joined letters")
  func spacing() throws {
    let plain = try #require(Self.shape("Rex"))
    let wide = try #require(Self.shape("Rex") { $0.letterSpacing = 0.5 })
    #expect(abs(wide.box.width - plain.box.width - 1) < 1e-12)
    #expect(abs(wide.glyphs[2].x - wide.glyphs[1].x - (plain.glyphs[2].x - plain.glyphs[1].x) - 0.5) < 1e-12)
    // A mark stays at its letter.
    let marked = try #require(Self.shape("q\u{301}q") { $0.letterSpacing = 0.5 })
    let own = try #require(Self.shape("q\u{301}q"))
    #expect(own.glyphs.count == 3)
    #expect(abs((marked.glyphs[1].x - marked.glyphs[0].x) - (own.glyphs[1].x - own.glyphs[0].x)) < 1e-12)
    #expect(marked.glyphs[1].middle == marked.glyphs[0].middle)
    let shaping = TextShaping(sections: [FormattedSection("سلام")], letterSpacing: 0.5)
    let joined = try #require(shaping.shaped(by: Self.letters))
    #expect(abs(joined.box.width - 4) < 1e-12)
  }

  @Test("Text is changed to capitals or small letters")
  func transforms() {
    func glyphs(_ text: String, _ transform: TextTransform) -> [UInt32]? {
      Self.shape(text) { $0.transform = transform }?.glyphs.map(\.key.glyph)
    }
    #expect(glyphs("Käpylä straße", .uppercase) == glyphs("KÄPYLÄ STRASSE", .none))
    #expect(glyphs("KÄPYLÄ", .lowercase) == glyphs("käpylä", .none))
  }

  @Test("Sections have their own font, size, colour and vertical alignment")
  func sections() throws {
    var large = FormattedSection("Helsinki")
    large.scale = 2
    large.fonts = "Noto Sans Bold"
    large.color = StyleColor(1, 0, 0)
    var small = FormattedSection(" 642")
    func shape(_ align: String?) throws -> ShapedText {
      small.verticalAlign = align
      let shaping = TextShaping(sections: [large, small], fonts: ["Noto Sans Regular"], maxWidth: 20)
      return try #require(shaping.shaped(by: Self.fonts))
    }
    let shaped = try shape(nil)
    #expect(shaped.colors == [StyleColor(1, 0, 0), nil])
    #expect(shaped.glyphs.map(\.scale) == Array(repeating: 2, count: 8) + Array(repeating: 1, count: 3))
    #expect(shaped.glyphs[0].key.font == .file(FontChoice(weight: .bold)))
    #expect(shaped.glyphs[9].key.font == .file(FontChoice()))
    // The line is as high as its largest letters. Smaller ones are lower by the difference of their boxes.
    #expect(abs(shaped.box.height - 2.4) < 1e-12)
    func drop(_ text: ShapedText) -> Double { text.glyphs[9].y - text.glyphs[0].y }
    #expect(abs(drop(shaped) - (1 + (26 - 52) / 24.0)) < 1e-12)
    #expect(abs(drop(try shape("center")) - (0.5 + (26 - 52) / 24.0)) < 1e-12)
    #expect(abs(drop(try shape("top")) - (26 - 52) / 24.0) < 1e-12)
  }

  @Test("Images between letters have the size of the sprite, and widen the line")
  func images() throws {
    let sprite = try StyleImages(
      json: ["shield": ["x": 0, "y": 0, "width": 32, "height": 16, "pixelRatio": 2]],
      bitmap: Bitmap(width: 32, height: 16))
    let fonts = SymbolFonts(measurer: .notoSans, images: sprite)
    var image = FormattedSection("")
    image.image = StyleImage(name: "shield")
    var missing = image
    missing.image = StyleImage(name: "none")
    let shaping = TextShaping(
      sections: [FormattedSection("Tie "), image, missing], fonts: ["Noto Sans Regular"], size: 16)
    let shaped = try #require(shaping.shaped(by: fonts))
    #expect(shaped.images.map(\.name) == ["shield"])
    let box = shaped.images[0].box
    #expect(abs(box.width - 1) < 1e-12 && abs(box.height - 0.5) < 1e-12)
    let text = TextMeasurer.notoSans.shape("Tie ", FontChoice())
    #expect(abs(shaped.box.width - text.advance - 1) < 1e-9)
    #expect(fonts.problems == ["text-field: the sprite has no image 'none'"])
    // An image alone is a text.
    let alone = TextShaping(sections: [image]).shaped(by: fonts)
    #expect(alone?.images.count == 1 && alone?.glyphs.isEmpty == true)
  }

  @Test(
    "In vertical text ideographs are upright, Latin letters are only at a point, and signs have vertical forms"
  )
  func vertical() throws {
    func shape(_ text: String, _ direction: TextDirection) throws -> ShapedText {
      let shaping = TextShaping(
        sections: [FormattedSection(text)], maxWidth: .infinity, direction: direction)
      return try #require(shaping.shaped(by: Self.letters))
    }
    let line = try shape("A東（京）", .verticalAlongLine)
    #expect(line.isVertical)
    #expect(line.glyphs.map { Unicode.Scalar($0.key.glyph) } == ["A", "東", "︵", "京", "︶"])
    #expect(line.glyphs.map(\.isRotated) == [false, true, true, true, true])
    #expect(abs(line.box.width - 5) < 1e-12)
    // The letter goes up from its origin, around the middle of the line.
    let first = line.glyphs[1]
    #expect(abs(first.y - 0.5) < 1e-12)
    #expect(abs(first.x - (line.box.left + 1 + 19.0 / 24)) < 1e-12)
    // A sign beside a letter that is rotated keeps its form.
    #expect(try shape("東（A", .verticalAlongLine).glyphs[1].key.glyph == 0xFF08)
    #expect(try shape("A東", .verticalAtPoint).glyphs.map(\.isRotated) == [true, true])
    #expect(TextShaping(sections: [FormattedSection("東京")]).allowsVertical)
    #expect(!TextShaping(sections: [FormattedSection("Tokyo")]).allowsVertical)
  }

  @Test("A text that is too long is cut and reported, whatever its length")
  func limits() throws {
    let fonts = Self.letters.forView()
    let shaping = TextShaping(
      sections: [FormattedSection(String(repeating: "a ", count: 500_000))], maxWidth: 10)
    let shaped = try #require(shaping.shaped(by: fonts))
    #expect(shaped.glyphs.count == 1000)
    #expect(fonts.problems.contains("text-field: texts are cut after 2000 characters and images"))
    let many = TextShaping(
      sections: Array(repeating: FormattedSection("\n"), count: 100_000) + [FormattedSection("x")])
    #expect(many.shaped(by: fonts) == nil)
    let numbers = TextShaping(
      sections: [FormattedSection("a b")], size: .nan, maxWidth: .nan, lineHeight: .infinity,
      letterSpacing: -.infinity, offsetX: .nan, offsetY: 1e300)
    let odd = try #require(numbers.shaped(by: fonts))
    #expect([odd.box.left, odd.box.top, odd.box.right, odd.box.bottom].allSatisfy { abs($0) < 1e6 })
    #expect(odd.glyphs.allSatisfy { abs($0.x) < 1e6 && abs($0.y) < 1e6 })
  }
}
