import Glibc
import MapDrawing
import MapGeometry
import MapJSON
import MapStyleDrawing
import MapStyles
import Testing

/// Symbols along lines.
@Suite struct LineSymbolTests {
  private static let along: JSONObject = ["symbol-placement": "line", "text-size": 12]

  @Test("The letters of a text follow its line")
  func letters() throws {
    var scene = SymbolScene()
    scene.addLine([(560, 700), (980, 700)], "abcdef")
    let text = try #require(try scene.drawing(Self.along).texts.first)
    for glyph in text.glyphs { #expect((glyph.directionX, glyph.directionY) == (1, 0)) }
    let steps = zip(text.glyphs.dropFirst(), text.glyphs).map { $0.x - $1.x }
    #expect(steps.allSatisfy { abs($0 - 6) < 1e-9 })
    scene.features = []
    scene.addLine([(560, 600), (760, 800), (980, 1020)], "abcdef")
    let slanted = try #require(try scene.drawing(Self.along).texts.first)
    for glyph in slanted.glyphs {
      #expect(abs(glyph.directionX - 0.5.squareRoot()) < 1e-9)
      #expect(abs(glyph.directionY - 0.5.squareRoot()) < 1e-9)
    }
  }

  @Test("Texts repeat after the spacing, from a distance from the start of the line")
  func spacing() throws {
    var scene = SymbolScene()
    scene.addLine([(520, 700), (1020, 700)], "abcd")
    var layout = Self.along
    layout["symbol-spacing"] = 100
    let texts = try scene.drawing(layout).texts
    // Half the length and twice the size from the start: 12 + 24.
    let middles = texts.map { ($0.glyphs[0].x + $0.glyphs[3].x + 6) / 2 }
    #expect(middles.count == 5)
    let start = scene.pixel(520, 700).x
    for (index, middle) in middles.enumerated() {
      #expect(abs(middle - start - 36 - 100 * Double(index)) < 1e-6)
    }
  }

  @Test("A text is in one tile only, and does not cross the sides of tiles")
  func tileSides() throws {
    var scene = SymbolScene()
    scene.addLine([(300, 700), (1300, 700)], "abcdefgh")
    var layout = Self.along
    layout["symbol-spacing"] = 60
    let side = scene.pixel(1024, 0).x
    let other = scene.pixel(512, 0).x
    let texts = try scene.drawing(layout).texts
    #expect(texts.count > 6)
    for text in texts {
      let (left, right) = (text.glyphs[0].x, text.glyphs[7].x + 6)
      #expect(!(left < side && right > side) && !(left < other && right > other))
    }
  }

  @Test("Lines of equal names that meet carry a text over both")
  func merging() throws {
    var scene = SymbolScene()
    // Too short for the text, each.
    scene.addLine([(600, 700), (630, 700)], "abcdefgh")
    scene.addLine([(660, 700), (690, 700)], "abcdefgh")
    #expect(try scene.drawing(Self.along).texts.isEmpty)
    scene.addLine([(630, 700), (660, 700)], "abcdefgh")
    #expect(try scene.drawing(Self.along).texts.count == 1)
    scene.features[2].properties["name"] = .string("another name")
    #expect(try scene.drawing(Self.along).texts.isEmpty)
  }

  @Test("A line that bends more than text-max-angle has no text")
  func maxAngle() throws {
    var scene = SymbolScene()
    scene.addLine([(600, 700), (640, 700), (640, 740)], "abcdefghij")
    #expect(try scene.drawing(Self.along).texts.isEmpty)
    var layout = Self.along
    layout["text-max-angle"] = 120
    #expect(try scene.drawing(layout).texts.count == 1)
  }

  @Test("A text stays upright unless it may not be reversed")
  func keepUpright() throws {
    var scene = SymbolScene()
    scene.addLine([(980, 700), (560, 700)], "abcdef")
    let upright = try #require(try scene.drawing(Self.along).texts.first)
    #expect(upright.glyphs[0].directionX == 1 && upright.glyphs[0].x < upright.glyphs[5].x)
    var layout = Self.along
    layout["text-keep-upright"] = false
    let reversed = try #require(try scene.drawing(layout).texts.first)
    #expect(reversed.glyphs[0].directionX == -1 && reversed.glyphs[0].x > reversed.glyphs[5].x)
  }

  @Test("An offset moves a text beside its line, to the right of its direction")
  func offset() throws {
    var scene = SymbolScene()
    scene.addLine([(560, 700), (980, 700)], "abcdef")
    let plain = try #require(try scene.drawing(Self.along).texts.first).glyphs[0]
    var layout = Self.along
    layout["text-offset"] = [0.5, 1]
    let moved = try #require(try scene.drawing(layout).texts.first).glyphs[0]
    #expect(abs(moved.x - plain.x - 6) < 1e-9 && abs(moved.y - plain.y - 12) < 1e-9)
  }

  @Test("Beside a bend an offset text keeps its distance from the line")
  func offsetBend() throws {
    var scene = SymbolScene()
    scene.addLine([(560, 700), (760, 700), (920, 820)], "abcdefghijklmnopqrstuvwx")
    var layout = Self.along
    (layout["symbol-placement"], layout["text-offset"]) = ("line-center", [0, 1])
    let text = try #require(try scene.drawing(layout).texts.first)
    let (a, b, c) = (scene.pixel(560, 700), scene.pixel(760, 700), scene.pixel(920, 820))
    // The baseline is 9/24 em below the middle of the line.
    for glyph in text.glyphs {
      let isFirst = glyph.directionY == 0
      let (p, q) = isFirst ? (a, b) : (b, c)
      let length = hypot(q.x - p.x, q.y - p.y)
      let distance = ((q.x - p.x) * (glyph.y - p.y) - (q.y - p.y) * (glyph.x - p.x)) / length
      #expect(abs(distance - 12 - 4.5) < 1e-6)
    }
    #expect(Set(text.glyphs.map { $0.directionY == 0 }).count == 2)
  }

  @Test("line-center shows one text at the middle of the line")
  func lineCenter() throws {
    var scene = SymbolScene()
    scene.addLine([(560, 700), (960, 700)], "abcd")
    var layout = Self.along
    layout["symbol-placement"] = "line-center"
    let texts = try scene.drawing(layout).texts
    #expect(texts.count == 1)
    #expect(abs((texts[0].glyphs[0].x + texts[0].glyphs[3].x + 6) / 2 - scene.pixel(760, 700).x) < 1e-6)
  }

  @Test("Texts on lines with the alignment of the view are horizontal, and letters too by viewport-glyph")
  func alignment() throws {
    var scene = SymbolScene()
    scene.addLine([(560, 600), (760, 800)], "abcd")
    var layout = Self.along
    layout["text-rotation-alignment"] = "viewport"
    let horizontal = try #require(try scene.drawing(layout).texts.first)
    #expect(horizontal.glyphs[0].directionX == 1 && horizontal.glyphs[0].y == horizontal.glyphs[3].y)
    layout["text-rotation-alignment"] = "viewport-glyph"
    let stairs = try #require(try scene.drawing(layout).texts.first)
    #expect(stairs.glyphs[0].directionX == 1 && stairs.glyphs[0].y < stairs.glyphs[3].y)
  }

  @Test("Icons along lines have their direction, and are reversed by icon-keep-upright")
  func icons() throws {
    var scene = SymbolScene()
    scene.images = try SymbolScene.images(["dot"])
    scene.addLine([(960, 900), (760, 700)], "abcd")
    var layout: JSONObject = ["symbol-placement": "line-center", "icon-image": "dot"]
    let batch = try #require(try scene.drawing(layout, text: nil).markers.first)
    #expect(abs(batch.styles[0].angle - 225) < 1e-9)
    layout["icon-keep-upright"] = true
    let upright = try #require(try scene.drawing(layout, text: nil).markers.first)
    #expect(abs(upright.styles[0].angle - 45) < 1e-9)
    layout["icon-rotation-alignment"] = "viewport"
    let horizontal = try #require(try scene.drawing(layout, text: nil).markers.first)
    #expect(horizontal.styles[0].angle == 0)
  }

  @Test("At points, lines have symbols at their first vertices and areas at their poles")
  func pointsOfShapes() throws {
    var scene = SymbolScene()
    scene.addLine([(700, 650), (900, 900)], "line")
    // A hammer, whose middle is not in its head.
    scene.features.append(
      SymbolScene.Feature(
        kind: .polygon,
        vertices: [
          (600, 600), (700, 600), (700, 640), (900, 640), (900, 660), (700, 660), (700, 700), (600, 700),
          (600, 600),
        ], properties: ["name": .string("area")]))
    let drawing = try scene.drawing(["text-size": 12])
    let line = try #require(drawing.middle(of: "line"))
    let area = try #require(drawing.middle(of: "area"))
    let (first, pole) = (scene.pixel(700, 650), scene.pixel(650, 650))
    #expect(abs(line.x - first.x) < 1e-6 && abs(line.y - first.y) < 6)
    #expect(abs(area.x - pole.x) < 3 && abs(area.y - pole.y) < 6)
  }

  @Test("Hostile lines end in time")
  func hostileLines() throws {
    var scene = SymbolScene()
    for number in 0..<2000 {
      // In reverse, so that each line is put before the last.
      let x = 600 - Double(number) * 0.125
      scene.addLine([(x, 700), (x + 0.125, 700)], "abcd")
    }
    var zigzag: [(Double, Double)] = []
    for number in 0..<5000 {
      zigzag.append((number.isMultiple(of: 2) ? 600 : 900, 600 + Double(number) * 0.01))
    }
    scene.addLine(zigzag, "zigzag")
    var layout = Self.along
    layout["symbol-spacing"] = 1
    layout["text-allow-overlap"] = true
    layout["text-size"] = 0.001
    let drawing = try scene.drawing(layout)
    #expect(drawing.texts.count > 100)
  }
}
