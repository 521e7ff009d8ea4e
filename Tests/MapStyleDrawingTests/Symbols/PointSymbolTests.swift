import MapDrawing
import MapGeometry
import MapJSON
import MapModel
import MapStyleDrawing
import MapStyles
import Testing

/// Symbols at points: positions, anchors and the rules of overlap.
@Suite struct PointSymbolTests {
  /// Two points 20 pixels apart near the middle of the image, whose texts are 30 pixels wide.
  private static func pair(_ more: [[String: StyleValue]] = [[:], [:]]) -> SymbolScene {
    var scene = SymbolScene()
    scene.addPoint(700, 700, "first", more[0])
    scene.addPoint(720, 700, "other", more[1])
    return scene
  }

  private func names(_ drawing: StyleLayerDrawing) -> [String] { drawing.texts.map(\.text) }

  @Test("The first of two texts that overlap is shown, and the one with the lower key before it")
  func firstWins() throws {
    #expect(names(try Self.pair().drawing(["text-size": 12])) == ["first"])
    let ranked = Self.pair([["rank": .number(2)], ["rank": .number(1)]])
    #expect(names(try ranked.drawing(["text-size": 12, "symbol-sort-key": ["get", "rank"]])) == ["other"])
    let lower = Self.pair([["rank": .number(1)], ["rank": .number(1)]])
    #expect(names(try lower.drawing(["text-size": 12, "symbol-sort-key": ["get", "rank"]])) == ["first"])
  }

  @Test("Keys sort the symbols of all tiles")
  func keysOverTiles() throws {
    for (left, right, shown) in [(1.0, 2.0, "left"), (2, 1, "right")] {
      var scene = SymbolScene()
      scene.addPoint(505, 700, "left", ["rank": .number(left)])
      scene.addPoint(520, 700, "right", ["rank": .number(right)])
      #expect(names(try scene.drawing(["text-size": 12, "symbol-sort-key": ["get", "rank"]])) == [shown])
    }
  }

  @Test(
    "Texts may overlap by their modes",
    arguments: [
      (JSONObject(), JSONObject(), 1), (["text-allow-overlap": true], ["text-allow-overlap": true], 2),
      (["text-overlap": "cooperative"], ["text-overlap": "cooperative"], 2),
      (["text-overlap": "always"], ["text-overlap": "cooperative"], 2),
      (["text-overlap": "never"], ["text-overlap": "cooperative"], 1),
      (["text-overlap": "never"], ["text-overlap": "always"], 2), (["text-overlap": "always"], [:], 1),
      (["text-ignore-placement": true], [:], 2),
      (["text-overlap": "never", "text-allow-overlap": true], ["text-overlap": "never"], 1),
    ] as [(JSONObject, JSONObject, Int)])
  func overlapModes(above: JSONObject, below: JSONObject, count: Int) throws {
    let scene = Self.pair()
    var placement = scene.placement()
    var shown: [String] = []
    for (name, layout) in [("first", above), ("other", below)] {
      var layout = layout
      layout["text-size"] = 12
      let text: JSONValue = ["case", ["==", ["get", "name"], .string(name)], ["get", "name"], ""]
      let layer = try SymbolScene.layer(layout, id: name, text: text)
      shown += names(placement.place(scene.candidates(layer)))
    }
    #expect(shown.count == count)
    #expect(shown.first == "first")
  }

  @Test("Padding keeps texts apart")
  func padding() throws {
    var scene = SymbolScene()
    scene.addPoint(700, 700, "first")
    scene.addPoint(740, 700, "other")
    // Both are 30 pixels wide.
    #expect(names(try scene.drawing(["text-size": 12, "text-padding": 4.9])).count == 2)
    #expect(names(try scene.drawing(["text-size": 12, "text-padding": 5.1])) == ["first"])
  }

  @Test(
    "A text is beside its point by its anchor",
    arguments: [
      ("center", 0.0, 0.0), ("left", 1, 0), ("right", -1, 0), ("top", 0, 1), ("bottom", 0, -1),
      ("top-left", 1, 1),
      ("bottom-right", -1, -1),
    ])
  func anchors(anchor: String, x: Double, y: Double) throws {
    var scene = SymbolScene()
    scene.addPoint(768, 768, "abcd")
    let center = try #require(try scene.drawing(["text-size": 20]).middle(of: "abcd"))
    #expect(abs(center.x - 400) < 1e-6)
    let moved = try #require(
      try scene.drawing(["text-size": 20, "text-anchor": .string(anchor)]).middle(of: "abcd"))
    // The text is 40 pixels wide and a line 24 pixels high.
    #expect(abs(moved.x - center.x - 20 * x) < 1e-6)
    #expect(abs(moved.y - center.y - 12 * y) < 1e-6)
  }

  @Test("Offsets are in ems and rotate with the text")
  func offsets() throws {
    var scene = SymbolScene()
    scene.addPoint(768, 768, "abcd")
    let plain = try #require(try scene.drawing(["text-size": 20]).middle(of: "abcd"))
    let moved = try #require(
      try scene.drawing(["text-size": 20, "text-offset": [1, -2]]).middle(of: "abcd"))
    #expect(abs(moved.x - plain.x - 20) < 1e-6 && abs(moved.y - plain.y + 40) < 1e-6)
    let turned = try #require(
      try scene.drawing(["text-size": 20, "text-offset": [1, 0], "text-rotate": 90]).middle(of: "abcd"))
    #expect(abs(turned.y - 300 - 20) < 1e-6)
    let translated = try #require(
      try scene.drawing(["text-size": 20], paint: ["text-translate": [7, 8]]).middle(of: "abcd"))
    #expect(abs(translated.x - plain.x - 7) < 1e-6 && abs(translated.y - plain.y - 8) < 1e-6)
  }

  @Test("A rotated map moves points; texts stay horizontal unless they are aligned with the map")
  func bearing() throws {
    var scene = SymbolScene()
    scene.bearing = 90
    scene.addPoint(868, 768, "abcd")
    let upright = try scene.drawing(["text-size": 20])
    let glyph = try #require(upright.texts.first?.glyphs.first)
    #expect((glyph.directionX, glyph.directionY) == (1, 0))
    // East is down.
    let middle = try #require(upright.middle(of: "abcd"))
    #expect(abs(middle.x - 400) < 1e-6 && abs(middle.y - 400) < 10)
    let aligned = try scene.drawing(["text-size": 20, "text-rotation-alignment": "map"])
    let rotated = try #require(aligned.texts.first?.glyphs.first)
    #expect(abs(rotated.directionX) < 1e-9 && abs(rotated.directionY - 1) < 1e-9)
    let translated = try scene.drawing(["text-size": 20], paint: ["text-translate": [10, 0]])
    let other = try #require(translated.middle(of: "abcd"))
    #expect(abs(other.x - middle.x) < 1e-6 && abs(other.y - middle.y - 10) < 1e-6)
    let fixed = try scene.drawing(
      ["text-size": 20], paint: ["text-translate": [10, 0], "text-translate-anchor": "viewport"])
    #expect(abs(try #require(fixed.middle(of: "abcd")).x - middle.x - 10) < 1e-6)
  }

  @Test("A text with variable anchors takes the first with room")
  func variableAnchors() throws {
    let layout: JSONObject = [
      "text-size": 20, "text-variable-anchor": ["left", "right"], "text-radial-offset": 0.5,
      "text-padding": 0,
    ]
    var scene = SymbolScene()
    scene.addPoint(768, 768, "abcd")
    let alone = try #require(try scene.drawing(layout).middle(of: "abcd"))
    #expect(abs(alone.x - 400 - 10 - 20) < 1e-6)
    let box = LabelBox(xMin: 420, yMin: 280, xMax: 430, yMax: 320)
    let pushed = try #require(try scene.drawing(layout, occupied: [box]).middle(of: "abcd"))
    #expect(abs(pushed.x - 400 + 10 + 20) < 1e-6)
    let full = [box, LabelBox(xMin: 370, yMin: 280, xMax: 380, yMax: 320)]
    #expect(try scene.drawing(layout, occupied: full).texts.isEmpty)
    var always = layout
    always["text-allow-overlap"] = true
    let first = try #require(try scene.drawing(always, occupied: full).middle(of: "abcd"))
    #expect(abs(first.x - alone.x) < 1e-6)
    let own: JSONObject = [
      "text-size": 20, "text-padding": 0,
      "text-variable-anchor-offset": ["top", [0, 1], "bottom", [2, -1]],
    ]
    let above = LabelBox(xMin: 390, yMin: 315, xMax: 410, yMax: 330)
    let placed = try #require(try scene.drawing(own, occupied: [above]).middle(of: "abcd"))
    #expect(abs(placed.x - 440) < 1e-6 && placed.y < 300)
  }

  @Test("A text and its icon are shown together unless one is optional")
  func optionalParts() throws {
    var scene = SymbolScene()
    scene.images = try SymbolScene.images(["dot"])
    scene.addPoint(768, 768, "abcd")
    let layout: JSONObject = [
      "text-size": 12, "text-anchor": "top", "text-offset": [0, 1], "icon-image": "dot",
    ]
    let onText = [LabelBox(xMin: 395, yMin: 315, xMax: 405, yMax: 330)]
    let onIcon = [LabelBox(xMin: 395, yMin: 295, xMax: 405, yMax: 305)]
    func counts(_ more: JSONObject, _ occupied: [LabelBox]) throws -> [Int] {
      var layout = layout
      for member in more.members { layout[member.name] = member.value }
      let drawing = try scene.drawing(layout, occupied: occupied)
      return [drawing.texts.count, drawing.markers.reduce(0) { $0 + $1.row.count }]
    }
    #expect(try counts([:], []) == [1, 1])
    #expect(try counts([:], onText) == [0, 0])
    #expect(try counts([:], onIcon) == [0, 0])
    #expect(try counts(["text-optional": true], onText) == [0, 1])
    #expect(try counts(["text-optional": true], onIcon) == [0, 0])
    #expect(try counts(["icon-optional": true], onIcon) == [1, 0])
    #expect(try counts(["icon-allow-overlap": true], onIcon) == [1, 1])
    #expect(try counts(["icon-allow-overlap": true], onText) == [0, 0])
    #expect(try counts(["icon-allow-overlap": true, "text-optional": true], onText) == [0, 1])
  }

  @Test("Icons have their size, anchor, offset, rotation and opacity")
  func icons() throws {
    var scene = SymbolScene()
    scene.images = try SymbolScene.images(["dot"])
    scene.addPoint(768, 768, "abcd")
    let drawing = try scene.drawing(
      [
        "icon-image": "dot", "icon-size": 2, "icon-anchor": "top-left", "icon-offset": [3, 4],
        "icon-rotate": 30,
      ],
      paint: ["icon-opacity": 0.25, "icon-translate": [5, 6]], text: nil)
    let batch = try #require(drawing.markers.first)
    #expect((batch.x, batch.y) == ([405], [306]))
    let block = try #require(batch.styles[0].block)
    #expect(
      [block.box.xMin, block.box.yMin, block.box.xMax, block.box.yMax] == [6, 8, 38, 40])
    #expect(batch.styles[0].angle == 30)
    guard case .picture(_, opacity: 0.25) = block.content else {
      Issue.record("\(block.content)")
      return
    }
  }

  @Test("An icon that is drawn pixel by pixel begins at whole pixels")
  func wholePixels() throws {
    var scene = SymbolScene()
    scene.images = try SymbolScene.images(["dot"])
    scene.addPoint(768.25, 768.25, "abcd")
    let batch = try #require(try scene.drawing(["icon-image": "dot"], text: nil).markers.first)
    #expect((batch.x, batch.y) == ([400], [300]))
  }

  @Test("Images that no sprite has are counted, and the text is shown")
  func missingImage() throws {
    var scene = SymbolScene()
    scene.addPoint(768, 768, "abcd")
    scene.addPoint(868, 768, "efgh")
    let drawing = try scene.drawing(["icon-image": "none", "text-size": 12])
    #expect(drawing.problems == ["icon-image: the sprite has no image 'none' (2 features)"])
    #expect(drawing.texts.count == 2)
  }

  @Test("Symbols that may overlap are painted from the top down, others by their keys")
  func paintingOrder() throws {
    var scene = SymbolScene()
    scene.addPoint(700, 710, "low", ["rank": .number(1)])
    scene.addPoint(700, 700, "high", ["rank": .number(2)])
    scene.addPoint(700, 705, "middle", ["rank": .number(0)])
    let all: JSONObject = ["text-size": 12, "text-allow-overlap": true]
    #expect(names(try scene.drawing(all)) == ["high", "middle", "low"])
    var sorted = all
    sorted["symbol-sort-key"] = ["get", "rank"]
    #expect(names(try scene.drawing(sorted)) == ["middle", "low", "high"])
    var source = all
    source["symbol-z-order"] = "source"
    #expect(names(try scene.drawing(source)) == ["low", "high", "middle"])
  }

  @Test("Sizes between whole zooms are interpolated; boxes use those of the next zoom")
  func sizes() throws {
    var scene = SymbolScene()
    scene.zoom = 14.5
    scene.addPoint(768, 768, "abcd")
    let size: JSONValue = ["interpolate", ["linear"], ["zoom"], 14, 10, 15, 20]
    let drawing = try scene.drawing(["text-size": size])
    guard case .labels(let batch)? = drawing.batches.first else {
      Issue.record("no labels")
      return
    }
    #expect(batch.styles.map(\.size) == [15])
    // The box is 40 pixels wide, and 2 more on each side, though the text is 30 pixels wide.
    let near = LabelBox(xMin: 421, yMin: 290, xMax: 430, yMax: 310)
    #expect(try scene.drawing(["text-size": size], occupied: [near]).texts.isEmpty)
  }

  @Test("A halo is painted below the letters, in steps if it is blurred, with the opacity of the text")
  func halo() throws {
    var scene = SymbolScene()
    scene.addPoint(768, 768, "abcd")
    func styles(_ paint: JSONObject) throws -> [LabelStyle] {
      try scene.drawing(["text-size": 20], paint: paint).batches.flatMap { batch -> [LabelStyle] in
        guard case .labels(let labels) = batch else { return [] }
        return labels.items.map { labels.styles[Int($0.style)] }
      }
    }
    let sharp = try styles(["text-halo-width": 2, "text-halo-color": "#fff", "text-opacity": 0.5])
    #expect(sharp.count == 1)
    #expect(sharp[0].haloWidth == 2 && sharp[0].haloColor?.alpha == 128 && sharp[0].color?.alpha == 128)
    #expect(try styles(["text-halo-width": 50, "text-halo-color": "#fff"])[0].haloWidth == 5)
    let blurred = try styles(["text-halo-width": 3, "text-halo-color": "#fff", "text-halo-blur": 2])
    #expect(blurred.count > 3)
    #expect(blurred.last?.color != nil && blurred.last?.haloColor == nil)
    let widths = blurred.dropLast().map(\.haloWidth)
    #expect(widths == widths.sorted(by: >))
    #expect(try #require(widths.first) > 4 && (try #require(widths.last)) < 2)
    #expect(try styles(["text-color": "transparent"]).isEmpty)
  }
}
