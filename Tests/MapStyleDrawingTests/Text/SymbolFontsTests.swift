import MapDrawing
import MapModel
import MapStyleDrawing
import MapStyles
import MapText
import Synchronization
import Testing

/// Font stacks, what fonts lack, and the caches of views.
@Suite struct SymbolFontsTests {
  /// Returns the font of a stack.
  private static func font(_ stack: [String], families: [String] = []) -> (font: SymbolFont?, lines: [String])
  {
    let fonts = SymbolFonts(measurer: .notoSans, families: families)
    let shaped = TextShaping(sections: [FormattedSection("a")], fonts: stack).shaped(by: fonts)
    return (shaped?.glyphs.first?.key.font, fonts.problems)
  }

  @Test(
    "Names of Noto Sans are the bundled fonts, without a report",
    arguments: [
      ("Noto Sans Regular", FontChoice()), ("Noto Sans", FontChoice()),
      ("Noto Sans Bold", FontChoice(weight: .bold)), ("NotoSans-Bold", FontChoice(weight: .bold)),
      ("Noto Sans Italic", FontChoice(isItalic: true)),
      ("Noto Sans Bold Italic", FontChoice(weight: .bold, isItalic: true)),
      ("Noto Sans Condensed Bold", FontChoice(family: "Noto Sans Condensed", weight: .bold)),
    ])
  func bundled(_ name: String, _ choice: FontChoice) {
    let found = Self.font([name])
    #expect(found.font == .file(choice))
    #expect(found.lines.isEmpty)
  }

  @Test(
    "Other fonts are replaced by Noto Sans of their weight and slant, each once in the report",
    arguments: [
      (["Open Sans Regular", "Arial Unicode MS Regular"], FontChoice(), "Open Sans Regular", "Regular"),
      (["Arial Bold Italic"], FontChoice(weight: .bold, isItalic: true), "Arial Bold Italic", "Bold Italic"),
      (["Roboto Medium"], FontChoice(), "Roboto Medium", "Regular"),
      (["Open Sans Semibold"], FontChoice(weight: .bold), "Open Sans Semibold", "Bold"),
      (
        ["Roboto Condensed Light Italic"], FontChoice(family: "Noto Sans Condensed", isItalic: true),
        "Roboto Condensed Light Italic", "Condensed Italic"
      ),
      (["Noto Sans Medium"], FontChoice(), "Noto Sans Medium", "Regular"),
      (["Noto Serif Bold"], FontChoice(weight: .bold), "Noto Serif Bold", "Bold"),
    ])
  func replaced(_ stack: [String], _ choice: FontChoice, _ name: String, _ style: String) {
    let found = Self.font(stack)
    #expect(found.font == .file(choice))
    #expect(found.lines == ["text-font: no font '\(name)'; Noto Sans \(style) is used"])
  }

  @Test("A family of the user precedes the bundled fonts, and the first available name of a stack is used")
  func users() {
    let fira = Self.font(["Fira Sans Bold"], families: ["Other", "fira sans"])
    #expect(fira.font == .file(FontChoice(family: "fira sans", weight: .bold)))
    #expect(fira.lines.isEmpty)
    let second = Self.font(["Metropolis Regular", "Noto Sans Italic"])
    #expect(second.font == .file(FontChoice(isItalic: true)))
    #expect(second.lines.isEmpty)
    let width = Self.font(["Fira Sans Condensed Bold"], families: ["Fira Sans Condensed", "Fira Sans"])
    #expect(width.font == .file(FontChoice(family: "Fira Sans Condensed", weight: .bold)))
    #expect(Self.font([]).font == .file(FontChoice()))
  }

  @Test("Characters without a glyph are left out and reported once, also for a text that was shaped before")
  func missing() throws {
    let fonts = SymbolFonts(measurer: .notoSans)
    let shaping = TextShaping(sections: [FormattedSection("Tokyo 東京 東")], fonts: ["Noto Sans Regular"])
    let plain = TextShaping(sections: [FormattedSection("Tokyo")], fonts: ["Noto Sans Regular"])
    let shaped = try #require(shaping.shaped(by: fonts))
    #expect(shaped.glyphs.map(\.key) == plain.shaped(by: fonts)?.glyphs.map(\.key))
    let line = "text-field: no glyph for \"京\", \"東\" in the fonts; they are left out"
    #expect(fonts.problems == [line])
    let view = fonts.forView()
    #expect(view.problems.isEmpty)
    #expect(shaping.shaped(by: view) == shaped)
    #expect(view.problems == [line])
    let nothing = TextShaping(sections: [FormattedSection("東京")], fonts: ["Noto Sans Regular"])
    #expect(nothing.shaped(by: fonts) == nil)
  }

  @Test("Views share shapes and outlines, which are requested once each")
  func caches() throws {
    let calls = CallCounts()
    let fonts = SymbolFonts(
      measurer: TextMeasurer(
        shapeSections: { sections in
          calls.shapes.withLock { $0 += 1 }
          return TextMeasurer.notoSans.shapeSections(sections)
        },
        outline: { glyph, font in
          calls.outlines.withLock { $0 += 1 }
          return TextMeasurer.notoSans.outline(glyph, font)
        }))
    for _ in 0..<3 {
      let view = fonts.forView()
      let shaped = try #require(TextShaping(sections: [FormattedSection("Oodi")]).shaped(by: view))
      for glyph in shaped.glyphs { #expect(!view.outline(of: glyph.key).steps.isEmpty) }
    }
    // A text of one line is shaped once.
    #expect(calls.shapes.withLock { $0 } == 1)
    #expect(calls.outlines.withLock { $0 } == 4)
  }

  private final class CallCounts: Sendable {
    let shapes = Mutex(0)
    let outlines = Mutex(0)
  }
}
