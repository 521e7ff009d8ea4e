import Foundation
import MapDrawing
import MapModel
import MapText
import Testing

/// Shapes and outlines of Noto Sans compared with other programs.
@Suite struct ShapeTests {
  private struct Case {
    let weight: TextSymbol.FontWeight
    let text: String
    /// Number, x, y and advance of every glyph, in thousandths of an em.
    let glyphs: [[Int]]
    let area: Double
  }

  private static func cases() throws -> [Case] {
    let url = try #require(Bundle.module.url(forResource: "Cases/shapes", withExtension: "tsv"))
    return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
      .map { line in
        let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        return Case(
          weight: try #require(TextSymbol.FontWeight(rawValue: parts[0])), text: parts[1],
          glyphs: try parts[2].split(separator: " ").map { glyph in
            try glyph.split(whereSeparator: { "@,+".contains($0) }).map { try #require(Int($0)) }
          }, area: try #require(Double(parts[3])))
      }
  }

  @Test("Glyphs and advances equal those of hb-shape, and outline areas those of fontTools")
  func recorded() throws {
    let cases = try Self.cases()
    #expect(cases.count == 46)
    for item in cases {
      let line = TextMeasurer.notoSans.shape(item.text, FontChoice(weight: item.weight))
      var pen = 0
      var expected: [ShapedLine.Glyph] = []
      try #require(line.glyphs.count == item.glyphs.count, "\(item.text)")
      for glyph in item.glyphs {
        expected.append(
          ShapedLine.Glyph(
            glyph: UInt32(glyph[0]), x: Double(pen + glyph[1]) / 1000, y: Double(glyph[2]) / 1000,
            advance: Double(glyph[3]) / 1000, character: line.glyphs[expected.count].character))
        pen += glyph[3]
      }
      #expect(line.glyphs == expected, "\(item.weight) \(item.text)")
      #expect(line.advance == Double(pen) / 1000, "\(item.weight) \(item.text)")
      #expect(line.missing.isEmpty, "\(item.text)")
      let area = line.glyphs.reduce(0) {
        $0 + Self.area(TextMeasurer.notoSans.outline($1.glyph, FontChoice(weight: item.weight)))
      }
      #expect(abs(abs(area) - item.area) < 1e-5, "\(item.text): \(area), not \(item.area)")
    }
  }

  /// The signed area, with curves cut into enough chords that the error is below fontTools' digits.
  private static func area(_ outline: GlyphOutline) -> Double {
    var (area, x, y, startX, startY) = (0.0, 0.0, 0.0, 0.0, 0.0)
    func line(_ ax: Double, _ ay: Double, _ bx: Double, _ by: Double) { area += (ax * by - bx * ay) / 2 }
    for step in outline.steps {
      switch step {
      case .move(let px, let py): (x, y, startX, startY) = (px, py, px, py)
      case .line(let px, let py):
        line(x, y, px, py)
        (x, y) = (px, py)
      case .curve(let x1, let y1, let x2, let y2, let px, let py):
        let (ax, ay) = (x, y)
        for part in 1...256 {
          let t = Double(part) / 256, u = 1 - t
          let nx = u * u * u * ax + 3 * u * u * t * x1 + 3 * u * t * t * x2 + t * t * t * px
          let ny = u * u * u * ay + 3 * u * u * t * y1 + 3 * u * t * t * y2 + t * t * t * py
          line(x, y, nx, ny)
          (x, y) = (nx, ny)
        }
      case .close: line(x, y, startX, startY)
      }
    }
    return area
  }

  @Test("A line of several scripts is shaped as its parts in a row")
  func scripts() {
    let shape = { TextMeasurer.notoSans.shape($0, FontChoice()) }
    let whole = shape("Αθήνα Athens 12 Москва")
    let parts = [shape("Αθήνα "), shape("Athens 12 "), shape("Москва")]
    #expect(whole.glyphs.map(\.glyph) == parts.flatMap { $0.glyphs.map(\.glyph) })
    #expect(abs(whole.advance - parts.reduce(0) { $0 + $1.advance }) < 1e-12)
    #expect(shape("").glyphs.isEmpty)
    #expect(shape("").advance == 0)
  }

  @Test(
    "Characters without a glyph are reported and shown as a box",
    arguments: [
      ("東京", "東京"), ("a東b東", "東東"), ("שלום", "שלום"), ("مكة", "مكة"), ("กรุงเทพ", "กรุงเทพ"), ("🏙", "🏙"),
      ("Zürich", ""), ("e\u{301}\u{1F3FB}", "\u{1F3FB}"), ("a\u{200D}b\u{200B}\u{2060}\u{AD}", ""), ("", ""),
    ])
  func missing(_ text: String, _ expected: String) {
    let line = TextMeasurer.notoSans.shape(text, FontChoice(weight: .bold))
    #expect(Set(line.missing) == Set(expected.unicodeScalars), "\(text): \(line.missing)")
    #expect(line.missing.isEmpty == !line.glyphs.contains { $0.glyph == 0 })
  }

  @Test("Control characters, lone marks and NUL give a finite line")
  func hostile() {
    let texts = [
      "\u{0}", "a\u{0}b", "\u{301}", "\u{301}\u{301}\u{301}", "\u{1}\u{1F}\u{7F}\u{9F}",
      "\u{202E}abc\u{2066}", "\u{FEFF}",
      "\u{FFFF}\u{10FFFF}", String(repeating: "e\u{301}", count: 100),
      String(repeating: "\u{302}", count: 10_000),
      "\u{E0001}\u{E007F}", "\u{FE0F}\u{FE0E}",
    ]
    for text in texts {
      let line = TextMeasurer.notoSans.shape(text, FontChoice())
      #expect(line.advance.isFinite)
      #expect(line.glyphs.allSatisfy { $0.x.isFinite && $0.y.isFinite })
      for glyph in line.glyphs { _ = TextMeasurer.notoSans.outline(glyph.glyph, FontChoice()) }
    }
    #expect(TextMeasurer.notoSans.outline(.max, FontChoice()).steps.isEmpty)
  }

  @Test("A text repeated 7,000 times is shaped the same in every repetition")
  func long() {
    let text = "Llanfair AV é "
    let (once, often) = (
      TextMeasurer.notoSans.shape(text, FontChoice()),
      TextMeasurer.notoSans.shape(String(repeating: text, count: 7000), FontChoice())
    )
    #expect(once.glyphs.count > 10)
    #expect(often.glyphs.count == 7000 * once.glyphs.count)
    #expect(abs(often.advance / once.advance - 7000) < 0.01)
    let pairs = zip(often.glyphs.suffix(once.glyphs.count), once.glyphs)
    #expect(pairs.allSatisfy { abs($0.x - $1.x - 6999 * once.advance) < 0.01 && $0.glyph == $1.glyph })
  }

  @Test("Concurrent shaping gives the same result")
  func threads() async {
    let text = "Nguyễn AVATAR Θεσσαλονίκη"
    @Sendable func shaped() -> (ShapedLine, [GlyphOutline]) {
      let line = TextMeasurer.notoSans.shape(text, FontChoice(weight: .bold))
      return (line, line.glyphs.map { TextMeasurer.notoSans.outline($0.glyph, FontChoice(weight: .bold)) })
    }
    let alone = shaped()
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 { group.addTask { (0..<100).allSatisfy { _ in shaped() == alone } } }
      for await same in group { #expect(same) }
    }
  }
}
