import Foundation
import MapDrawing
import MapGeometry
import MapModel
import MapText
import Testing

/// Fonts of the user, styles of the bundled family, and right-to-left text.
@Suite struct UserFontTests {
  private static func font(_ name: String) throws -> FontFile {
    let url = try #require(
      Bundle.module.url(forResource: "Cases/Fonts/NotoSans\(name)", withExtension: "ttf"))
    return try #require(FontFile(name: name, bytes: Array(try Data(contentsOf: url))))
  }

  private static func rows(_ name: String) throws -> [[String]] {
    let url = try #require(Bundle.module.url(forResource: "Cases/\(name)", withExtension: "tsv"))
    return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
      .map { $0.components(separatedBy: "\t") }
  }

  @Test("Hebrew, Arabic and Devanagari in fonts of the user have the glyphs of HarfBuzz's own program")
  func shapes() throws {
    let rows = try Self.rows("user-fonts")
    #expect(rows.count == 11)
    for row in rows {
      let font = try Self.font(row[0])
      #expect(font.family == "Noto Sans \(row[0])")
      let line = TextMeasurer(fonts: [font]).shape(row[1], FontChoice(family: font.family))
      #expect(line.problem == nil)
      #expect(line.missing.isEmpty)
      var pen = 0
      var expected: [[Int]] = []
      for glyph in row[2].split(separator: " ") {
        let numbers = try glyph.split(whereSeparator: { "@,+".contains($0) }).map { try #require(Int($0)) }
        expected.append([numbers[0], pen + numbers[1], numbers[2]])
        pen += numbers[3]
      }
      let found = line.glyphs.map {
        [Int($0.glyph & 0xFF_FFFF), Int(($0.x * 1000).rounded()), Int(($0.y * 1000).rounded())]
      }
      #expect(found == expected, "\(row[1])")
      #expect(abs(line.advance - Double(pen) / 1000) < 1e-9)
    }
  }

  @Test("Lines of mixed direction are in the order of another bidirectional algorithm")
  func order() throws {
    let measurer = TextMeasurer(fonts: [try Self.font("Hebrew")])
    let rows = try Self.rows("bidirectional")
    #expect(rows.count == 9)
    // A blank comes from the font of the letter before it.
    let blank = measurer.shape(" ", FontChoice()).glyphs[0].glyph
    let hebrewBlank = measurer.shape("א א", FontChoice()).glyphs[1].glyph
    func glyphs(_ text: String) -> [UInt32] {
      measurer.shape(text, FontChoice()).glyphs.map { $0.glyph == hebrewBlank ? blank : $0.glyph }
    }
    #expect(blank != hebrewBlank)
    for row in rows {
      #expect(glyphs(row[0]) == row[1].flatMap { glyphs(String($0)) }, "\(row[0])")
    }
  }

  @Test("A character comes from the font of the family, then from Noto Sans, then from the other fonts")
  func fallback() throws {
    let fonts = [try Self.font("Hebrew"), try Self.font("Devanagari")]
    let measurer = TextMeasurer(fonts: fonts)
    let mixed = measurer.shape("Aא", FontChoice())
    #expect(mixed.missing.isEmpty)
    // Left to right: the Latin letter of Noto Sans is first in the chain, the Hebrew font second.
    #expect(mixed.glyphs.map { $0.glyph >> 24 } == [0, 1])
    #expect(
      measurer.shape("Aא", FontChoice(family: "noto sans hebrew")).glyphs.map { $0.glyph >> 24 } == [1, 0])
    #expect(measurer.shape("द", FontChoice()).glyphs.map { $0.glyph >> 24 } == [2])
    #expect(measurer.shape("漢", FontChoice()).missing == ["漢"])
    #expect(TextMeasurer.notoSans.shape("א", FontChoice()).missing == ["א"])
    for glyph in mixed.glyphs { #expect(measurer.outline(glyph.glyph, FontChoice()).bounds != nil) }
    #expect(measurer.outline(99 << 24, FontChoice()).steps.isEmpty)
  }

  @Test("Italic, condensed and bold letters have their own outlines, and a font without italics is slanted")
  func styles() throws {
    let choices = [
      FontChoice(), FontChoice(weight: .bold), FontChoice(isItalic: true),
      FontChoice(weight: .bold, isItalic: true),
      FontChoice(family: "Noto Sans Condensed"), FontChoice(family: "noto sans condensed", weight: .bold),
      FontChoice(family: "Noto Sans Condensed", isItalic: true),
      FontChoice(family: "Noto Sans Condensed", weight: .bold, isItalic: true),
    ]
    let measurer = TextMeasurer.notoSans
    let lines = choices.map { measurer.shape("Hamburgefonstiv", $0) }
    #expect(Set(lines.map(\.advance)).count == choices.count)
    #expect(lines[4].advance < 0.9 * lines[0].advance)
    let outlines = zip(choices, lines).map { measurer.outline($1.glyphs[0].glyph, $0) }
    #expect(Set(outlines).count == choices.count)
    for (condensed, normal) in zip(4..., 0..<4) {
      #expect(lines[condensed].advance < 0.9 * lines[normal].advance)
    }
    // A font of the user without italics is slanted.
    let font = try Self.font("Arabic")
    let (arabic, italic) = (FontChoice(family: font.family), FontChoice(family: font.family, isItalic: true))
    let user = TextMeasurer(fonts: [font])
    let line = user.shape("ا", arabic)
    let (upright, slanted) = (
      user.outline(line.glyphs[0].glyph, arabic), user.outline(line.glyphs[0].glyph, italic)
    )
    let (a, b) = (try #require(upright.bounds), try #require(slanted.bounds))
    #expect(a.yMax > 0.5 && b.xMax > a.xMax + LabelStyle.obliqueSlant * a.yMax / 2)
    #expect(a.yMax == b.yMax)
  }

  @Test("Bytes that are no font are refused, and damaged fonts are read without a fault")
  func damaged() throws {
    for bytes: [UInt8] in [[], [0], Array("no font".utf8), Array(repeating: 0xFF, count: 5000)] {
      #expect(FontFile(name: "x", bytes: bytes) == nil)
    }
    let url = try #require(Bundle.module.url(forResource: "Cases/Fonts/NotoSansArabic", withExtension: "ttf"))
    let whole = Array(try Data(contentsOf: url))
    var read = 0
    for seed in 0..<300 {
      var bytes = whole
      if seed % 3 == 0 { bytes.removeLast(bytes.count * seed / 300) }
      for step in 0..<8 {
        if !bytes.isEmpty { bytes[(seed * 7919 + step * 104_729) % bytes.count] ^= UInt8(seed % 255 + 1) }
      }
      guard let font = FontFile(name: "x", bytes: bytes) else { continue }
      read += 1
      let measurer = TextMeasurer(fonts: [font])
      let choice = FontChoice(family: font.family, isItalic: seed % 2 == 0)
      for glyph in measurer.shape("القاهرة محمد", choice).glyphs {
        let steps = measurer.outline(glyph.glyph, choice).steps
        #expect(steps.count < 100_000)
      }
    }
    #expect(read > 100)
  }

  @Test("Sections of a line in several fonts are in one reading order")
  func sections() throws {
    let measurer = TextMeasurer(fonts: [try Self.font("Hebrew")])
    let (normal, bold) = (FontChoice(), FontChoice(weight: .bold))
    let whole = measurer.shape("Jerusalem ירושלים 12", normal)
    let divided = measurer.shapeSections([
      LineSection("Jerusalem יר", normal), LineSection("ושלים 1", bold), LineSection("2", normal),
    ])
    #expect(divided.glyphs.map(\.character) == whole.glyphs.map(\.character))
    #expect(divided.missing.isEmpty && divided.problem == nil)
    let order = measurer.shapeSections([LineSection("אב", normal), LineSection("גד", bold)])
    #expect(order.glyphs.map(\.character) == [3, 2, 1, 0])
    let advances = order.glyphs.map(\.advance)
    #expect(advances.allSatisfy { $0 > 0 } && abs(advances.reduce(0, +) - order.advance) < 1e-12)
  }
}
