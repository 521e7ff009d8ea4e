import MapDrawing
import MapGeometry
import MapJSON
import MapStyleDrawing
import MapStyles
import MapTestSupport
import Testing

/// Rules that hold for any features: generated ones with fixed seeds.
@Suite struct SymbolInvariantTests {
  private static let seeds: [UInt64] = [1, 2, 3]

  private static func scene(_ seed: UInt64, zoom: Double = 14, bearing: Double = 0) -> SymbolScene {
    var scene = SymbolScene()
    (scene.zoom, scene.bearing) = (zoom, bearing)
    scene.addRandom(points: 400, lines: 80, seed: seed)
    return scene
  }

  private static let points: JSONObject = ["text-size": 12]
  private static let lines: JSONObject = ["symbol-placement": "line", "text-size": 12, "symbol-spacing": 150]
  private static let onlyLines: JSONValue = ["==", ["geometry-type"], "LineString"]

  /// Returns the drawings of two layers, lines below points.
  private func drawings(_ scene: SymbolScene, tiles: [StyledTile]? = nil) throws -> [StyleLayerDrawing] {
    var placement = scene.placement()
    let layers = [
      try SymbolScene.layer(Self.lines, id: "lines"), try SymbolScene.layer(Self.points, id: "points"),
    ]
    return layers.reversed().map { placement.place(scene.candidates($0, tiles: tiles)) }
  }

  @Test("No letter of a text overlaps one of another text, over two layers", arguments: seeds)
  func texts(seed: UInt64) throws {
    for (zoom, bearing) in [(14.0, 0.0), (14.6, 0), (14, 33)] {
      let scene = Self.scene(seed, zoom: zoom, bearing: bearing)
      // Circles along lines leave the outermost corners of letters free.
      let drawings = try drawings(scene)
      let texts = drawings.flatMap { $0.letterBoxes(inset: 0.1) }
      let hulls = drawings.flatMap(\.texts).map(\.box)
      #expect(texts.count > 40)
      for (index, text) in texts.enumerated() {
        for (number, other) in texts[..<index].enumerated() where hulls[number].meets(hulls[index]) {
          let isApart = !text.boxes.contains { box in other.boxes.contains { overlap(box, $0) } }
          #expect(isApart, "\(text.text) and \(other.text) at \(zoom) \(bearing)")
        }
      }
    }
  }

  @Test("The order of the tiles changes nothing", arguments: seeds)
  func order(seed: UInt64) throws {
    for bearing in [0.0, 33] {
      let scene = Self.scene(seed, bearing: bearing)
      var random = SeededGenerator(seed: seed)
      let expected = try drawings(scene).map(\.batches)
      let shuffled = try drawings(scene, tiles: scene.tiles.shuffled(using: &random)).map(\.batches)
      #expect(shuffled == expected)
    }
  }

  @Test("Points in the buffers of tiles are shown once", arguments: seeds)
  func buffers(seed: UInt64) throws {
    var scene = Self.scene(seed)
    // On both sides of a common corner of four tiles.
    for (number, offset) in [-1.0, -0.125, 0, 0.125, 1].enumerated() {
      scene.addPoint(512 + offset, 512 - offset, "Corner \(number)")
    }
    let drawing = try scene.drawing(["text-allow-overlap": true, "text-size": 12])
    let names = drawing.texts.map(\.text).filter { !$0.hasPrefix("Street") }
    #expect(Set(names).count == names.count)
    let canvas = LabelBox(xMin: 0, yMin: 0, xMax: scene.width, yMax: scene.height)
    var shownCount = 0
    for feature in scene.features where feature.kind == .multipoint {
      let place = scene.pixel(feature.vertices[0].x, feature.vertices[0].y)
      guard place.x > canvas.xMin, place.x < canvas.xMax, place.y > canvas.yMin, place.y < canvas.yMax else {
        continue
      }
      shownCount += 1
      let name = feature.properties["name"]?.string ?? ""
      #expect(names.contains(name), "\(name) is not shown")
    }
    #expect(shownCount > 40)
  }

  @Test("Every text along a line reads from left to right", arguments: seeds)
  func upright(seed: UInt64) throws {
    for bearing in [0.0, 120, 200] {
      let scene = Self.scene(seed, bearing: bearing)
      let drawing = try scene.drawing(Self.lines)
      #expect(drawing.texts.count > 10)
      for text in drawing.texts {
        let (first, last) = (try #require(text.glyphs.first), try #require(text.glyphs.last))
        #expect(last.x >= first.x - 1e-6, "\(text.text)")
      }
    }
  }

  @Test("Texts along lines of one name keep half of the spacing in a tile", arguments: seeds)
  func spacing(seed: UInt64) throws {
    let scene = Self.scene(seed)
    let drawing = try scene.drawing(Self.lines)
    let middles = drawing.texts.map { text in
      (text.text, text.glyphs[text.glyphs.count / 2], text.glyphs[text.glyphs.count / 2 - 1])
    }
    let side = SymbolScene.tileSide
    let origin = scene.pixel(0, 0)
    for (index, own) in middles.enumerated() {
      for other in middles[..<index] where other.0 == own.0 {
        func tile(_ x: Double, _ y: Double) -> [Int] {
          [Int(((x - origin.x) / side).rounded(.down)), Int(((y - origin.y) / side).rounded(.down))]
        }
        guard tile(own.1.x, own.1.y) == tile(other.1.x, other.1.y) else { continue }
        let (dx, dy) = (own.1.x - other.1.x, own.1.y - other.1.y)
        // The middle letter is within a letter of the anchor.
        #expect((dx * dx + dy * dy).squareRoot() > 75 - 12, "\(own.0)")
      }
    }
  }

  @Test("No text overlaps an occupied box", arguments: seeds)
  func occupied(seed: UInt64) throws {
    let scene = Self.scene(seed)
    let box = LabelBox(xMin: 200, yMin: 150, xMax: 600, yMax: 450)
    let without = try scene.drawing(Self.points)
    let with = try scene.drawing(Self.points, occupied: [box])
    let corners = [(200.0, 150.0), (600, 150), (600, 450), (200, 450)].map { (x: $0.0, y: $0.1) }
    func count(_ drawing: StyleLayerDrawing) -> Int {
      drawing.letterBoxes().count { text in text.boxes.contains { overlap($0, corners) } }
    }
    #expect(count(without) > 10)
    #expect(count(with) == 0)
    #expect(with.featureCount > 10)
  }

  @Test("The place of a text in the image does not depend on the pixel ratio", arguments: seeds)
  func pixelRatio(seed: UInt64) throws {
    var scene = Self.scene(seed)
    let once = try drawings(scene)
    scene.pixelRatio = 2
    let twice = try drawings(scene)
    for (first, second) in zip(once, twice) {
      #expect(first.texts.map(\.text) == second.texts.map(\.text))
      for (a, b) in zip(first.texts, second.texts) {
        for (x, y) in zip(a.glyphs, b.glyphs) {
          #expect(abs(2 * x.x - y.x) < 1e-6 && abs(2 * x.y - y.y) < 1e-6)
        }
      }
    }
  }
}
