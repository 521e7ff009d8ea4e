import MapDrawing
import MapGeometry
import MapJSON
import MapModel
import MapStyleDrawing
import MapStyles
import Testing

@Suite struct FillTests {
  private static let square = [[(10.0, 10.0), (20, 10), (20, 20), (10, 20), (10, 10)]]

  @Test("Areas with the same values share one style, and transparent ones are not drawn")
  func sharedStyles() throws {
    var scene = Scene()
    for color in ["red", "blue", "red", "transparent"] {
      scene.add(.polygon, Self.square, ["color": .string(color)])
    }
    scene.add(.polyline, [[(0, 0), (50, 50)]], ["color": .string("red")])
    let drawing = try scene.drawing(
      "fill", paint: ["fill-color": ["get", "color"], "fill-opacity": 0.5])
    let batch = try #require(drawing.paths.first)
    #expect(
      batch.styles.map(\.fill) == [
        Color(red: 255, green: 0, blue: 0, alpha: 128), Color(red: 0, green: 0, blue: 255, alpha: 128),
      ])
    #expect(batch.style == [0, 1, 0])
    #expect(batch.row == [0, 1, 2])
    #expect(drawing.featureCount == 3)
    #expect(batch.region == scene.tile.region)
    #expect(drawing.opacity == 1)
    #expect(drawing.problems.isEmpty)
  }

  @Test("A failed value is reported with the number of features, which take the default")
  func failedValue() throws {
    var scene = Scene()
    scene.add(.polygon, Self.square, ["color": .string("red")])
    scene.add(.polygon, Self.square, ["color": .string("no colour")])
    scene.add(.polygon, Self.square, ["color": .string("nor this")])
    let drawing = try scene.drawing("fill", paint: ["fill-color": ["to-color", ["get", "color"]]])
    #expect(drawing.paths.first?.styles.map(\.fill) == [.red, .black])
    #expect(drawing.featureCount == 3)
    #expect(
      drawing.problems == [
        "fill-color: Could not parse color from value 'no colour'; the default is used (1 feature)",
        "fill-color: Could not parse color from value 'nor this'; the default is used (1 feature)",
      ])
  }

  @Test("Areas are drawn in the order of the sort key, then of the tile")
  func sortKey() throws {
    var scene = Scene()
    for key in [2.0, 1, 2, 0] { scene.add(.polygon, Self.square, ["key": .number(key)]) }
    let drawing = try scene.drawing("fill", layout: ["fill-sort-key": ["get", "key"]])
    #expect(drawing.paths.first?.row == [3, 1, 0, 2])
  }

  @Test("An offset follows the map's rotation unless its anchor is the viewport")
  func translation() throws {
    var scene = Scene(bearing: 90, pixelRatio: 2)
    scene.add(.polygon, Self.square)
    let map = try scene.drawing("fill", paint: ["fill-translate": [5, 0]])
    #expect(map.paths.first?.geometry.texts(row: 0) == ["10 20, 20 20, 20 30, 10 30, 10 20"])
    let viewport = try scene.drawing(
      "fill", paint: ["fill-translate": [5, 0], "fill-translate-anchor": "viewport"])
    #expect(viewport.paths.first?.geometry.texts(row: 0) == ["20 10, 30 10, 30 20, 20 20, 20 10"])
  }

  @Test("Outlines follow all areas and leave out the sides of the tile")
  func outlines() throws {
    var scene = Scene()
    scene.add(.polygon, [[(-2, 10), (20, 10), (20, 20), (-2, 20), (-2, 10)]])
    scene.add(.polygon, Self.square)
    let drawing = try scene.drawing(
      "fill", paint: ["fill-color": "red", "fill-outline-color": "blue", "fill-opacity": 0.5])
    #expect(drawing.paths.count == 2)
    let outline = try #require(drawing.paths.last)
    #expect(outline.styles.map(\.stroke?.color) == [Color(red: 0, green: 0, blue: 255, alpha: 128)])
    #expect(outline.geometry.texts(row: 0) == ["-2 10, 20 10, 20 20, -2 20"])
    #expect(outline.geometry.texts(row: 1) == ["10 10, 20 10, 20 20, 10 20, 10 10, 20 10"])
    let own = try scene.drawing("fill", paint: ["fill-color": "red"])
    #expect(own.paths.last?.styles.map(\.stroke?.color) == [.red])
    #expect(own.paths.last?.styles.map(\.stroke?.width) == [1])
    let plain = try scene.drawing(
      "fill", paint: ["fill-outline-color": "blue", "fill-antialias": false])
    #expect(plain.paths.count == 1)
    let hollow = try scene.drawing(
      "fill", paint: ["fill-color": "transparent", "fill-outline-color": "blue"])
    #expect(hollow.paths.count == 1 && hollow.featureCount == 2)
  }

  @Test("Problems beyond those that are listed are counted")
  func manyProblems() throws {
    var scene = Scene()
    for number in 0..<25 { scene.add(.polygon, Self.square, ["color": .string("none \(number)")]) }
    let drawing = try scene.drawing("fill", paint: ["fill-color": ["to-color", ["get", "color"]]])
    #expect(drawing.problems.count == 21)
    #expect(drawing.problems.last == "other problems (5 features)")
  }

  @Test("The opacity of an extrusion is that of the layer, and its footprint is drawn")
  func extrusion() throws {
    var scene = Scene()
    for height in [20.0, 5, 10, 5] { scene.add(.polygon, Self.square, ["height": .number(height)]) }
    let drawing = try scene.drawing(
      "fill-extrusion",
      paint: [
        "fill-extrusion-color": "rgb(58, 125, 68)", "fill-extrusion-opacity": 0.25,
        "fill-extrusion-height": ["get", "height"],
      ])
    #expect(drawing.opacity == 0.25)
    // The light of MapLibre Native on a roof.
    #expect(drawing.paths.first?.styles.map(\.fill) == [Color(red: 71, green: 143, blue: 82)])
    #expect(drawing.paths.first?.row == [3, 1, 2, 0])
    #expect(drawing.paths.count == 1)
  }

  @Test("Areas far larger than the image are clipped to it")
  func clipping() throws {
    var scene = Scene()
    scene.add(.polygon, [[(-1e9, -1e9), (1e9, -1e9), (1e9, 1e9), (-1e9, 1e9), (-1e9, -1e9)]])
    scene.add(.polygon, [[(200, 10), (220, 10), (220, 20), (200, 20), (200, 10)]])
    let drawing = try scene.drawing("fill")
    let batch = try #require(drawing.paths.first)
    #expect(batch.row == [0])
    #expect(batch.geometry.envelope(ofRow: 0) == Envelope(xMin: -8, yMin: -8, xMax: 108, yMax: 108))
  }

  @Test("A background covers the image with its colour and opacity")
  func background() throws {
    let drawing = try Scene().drawing(
      "background", paint: ["background-color": "lime", "background-opacity": 0.2])
    let batch = try #require(drawing.paths.first)
    #expect(batch.styles.map(\.fill) == [Color(red: 0, green: 255, blue: 0, alpha: 51)])
    #expect(batch.geometry.envelope(ofRow: 0).contains(x: 0, y: 100))
    #expect(drawing.featureCount == 0)
  }

  @Test("A layer that is hidden or outside its zooms has no items")
  func hidden() throws {
    var scene = Scene()
    scene.add(.polygon, Self.square)
    #expect(try scene.drawing("fill", layout: ["visibility": "none"]).batches.isEmpty)
    #expect(try scene.drawing("fill", members: ["minzoom": 14.5]).batches.isEmpty)
    #expect(try scene.drawing("fill", members: ["maxzoom": 14]).batches.isEmpty)
    #expect(try scene.drawing("fill", members: ["minzoom": 14]).paths.first?.row == [0])
  }
}
