import MapDrawing
import MapGeometry
import MapJSON
import MapStyleDrawing
import MapStyles
import Testing

/// Symbols of features that are in no tiles, or in tiles of several zooms.
@Suite struct SymbolTileTests {
  /// The pixels of the world at zoom 14.
  private static let world = 512.0 * 16_384
  /// The position of the image's upper left corner in the world, on the corner of a tile of zoom 14.
  private static let origin = 512.0 * 8192 + 512

  /// Returns features of the whole world, with vertices in pixels of the image.
  private static func worldTile(
    _ features: [(kind: GeometryKind, vertices: [(x: Double, y: Double)], name: String)]
  ) -> StyledTile {
    var (units, pixels): ([CoordinateBuffer], [CoordinateBuffer]) = ([], [])
    for kind in [GeometryKind.multipoint, .polyline, .polygon] {
      var (tile, own) = (CoordinateBuffer(kind: kind), CoordinateBuffer(kind: kind))
      for feature in features {
        for vertex in feature.kind == kind ? feature.vertices : [] {
          tile.appendVertex(
            x: (vertex.x + origin) / world * 4096, y: (vertex.y + origin) / world * 4096)
          own.appendVertex(x: vertex.x, y: vertex.y)
        }
        tile.endPart()
        own.endPart()
        tile.endRow()
        own.endRow()
      }
      units.append(tile)
      pixels.append(own)
    }
    let kinds = features.map { feature -> StyleGeometryKind in
      feature.kind == .polygon ? .polygon : feature.kind == .polyline ? .line : .point
    }
    let names = (
      name: "name", codes: features.indices.map { Int32($0) },
      values: features.map { StyleValue.string($0.name) }
    )
    return StyledTile(
      index: StyleTile(zoom: 0, x: 0, y: 0), corner: (-origin, -origin),
      region: PixelRegion(columns: 0..<800, rows: 0..<600), unitsPerPixel: 4096 / world, bearing: 0,
      layers: [
        "": StyledTileLayer(
          features: StyleFeatures(kinds: kinds, coded: [names]), geometries: units, extent: 4096,
          pixels: pixels,
          ids: features.indices.map { Int32($0) })
      ])
  }

  /// Returns the texts of a layer of GeoJSON.
  private func texts(_ layout: JSONObject, _ tile: StyledTile) throws -> [LabelItem] {
    var own = layout
    own["text-field"] = ["get", "name"]
    let style = try StyleDocument([
      "version": 8,
      "sources": ["s": ["type": "geojson", "data": ["type": "FeatureCollection", "features": []]]],
      "layers": [["id": "a", "type": "symbol", "source": "s", "layout": .object(own)]],
    ])
    let layer = try #require(style.layers.first)
    let painter = StylePainter(context: StyleContext(zoom: 14), pixelRatio: 1, width: 800, height: 600)
    var placement = SymbolPlacement(width: 800, height: 600, pixelRatio: 1)
    let fonts = SymbolFonts(measurer: SymbolScene.measurer)
    return placement.place(painter.symbols(of: layer, tiles: [tile], fonts: fonts)).texts
  }

  @Test("Lines of features in no tiles have texts as if they were cut into tiles of the zoom")
  func lines() throws {
    let tile = Self.worldTile([(.polyline, [(-300, 100), (1500, 100)], "abcdefgh")])
    let texts = try texts(["symbol-placement": "line", "text-size": 12, "symbol-spacing": 60], tile)
    #expect(texts.count > 8)
    for text in texts {
      let (left, right) = (text.glyphs[0].x, text.glyphs[7].x + 6)
      #expect(!(left < 512 && right > 512), "\(left)")
    }
    // One text in the middle of each piece, which is a quarter of a tile longer on each side.
    let middles = try self.texts(["symbol-placement": "line-center", "text-size": 12], tile)
      .map { ($0.glyphs[0].x + $0.glyphs[7].x + 6) / 2 }.sorted()
    #expect(middles.count == 2)
    #expect(abs(middles[0] - 256) < 1e-3 && abs(middles[1] - 768) < 1e-3)
  }

  @Test("Points of features in no tiles are placed from the lowest tile up, and in a row from right to left")
  func points() throws {
    let tile = Self.worldTile([
      (.multipoint, [(505, 100)], "left"), (.multipoint, [(519, 100)], "right"),
      (.multipoint, [(100, 508)], "upper"), (.multipoint, [(100, 516)], "lower"),
      (.multipoint, [(300, 300)], "first"), (.multipoint, [(305, 300)], "other"),
    ])
    #expect(Set(try texts(["text-size": 12], tile).map(\.text)) == ["right", "lower", "first"])
  }

  @Test("An area over several tiles has a text in each of them")
  func areas() throws {
    let tile = Self.worldTile([
      (.polygon, [(-2000, -2000), (3000, -2000), (3000, 3000), (-2000, 3000), (-2000, -2000)], "area")
    ])
    let texts = try texts(["text-size": 12], tile)
    // The middles of the two lower tiles that meet the image are below it.
    #expect(texts.count == 2)
    for text in texts {
      let (x, y) = (text.glyphs[0].x + 12, text.glyphs[0].y)
      #expect(abs((x / 512).truncatingRemainder(dividingBy: 1) - 0.5) < 0.01)
      #expect(abs((y / 512).truncatingRemainder(dividingBy: 1) - 0.5) < 0.02)
    }
  }

  @Test("Each area of a feature has a text, whatever the directions of the rings")
  func directions() throws {
    for isReversed in [false, true] {
      let first = [(100.0, 100.0), (300, 100), (300, 300), (100, 300), (100, 100)]
      let second = first.map { ($0.0 + 250, $0.1) }
      let hole = [(110.0, 110.0), (290, 110), (290, 200), (110, 200), (110, 110)]
      var tile = Self.worldTile([(.polygon, first.map { (x: $0.0, y: $0.1) }, "area")])
      let rings = [first, hole, isReversed ? second.reversed() : second]
      var (units, pixels) = (CoordinateBuffer(kind: .polygon), CoordinateBuffer(kind: .polygon))
      for ring in rings {
        for (x, y) in ring {
          units.appendVertex(
            x: (x + Self.origin) / Self.world * 4096, y: (y + Self.origin) / Self.world * 4096)
          pixels.appendVertex(x: x, y: y)
        }
        units.endPart()
        pixels.endPart()
      }
      units.endRow()
      pixels.endRow()
      let layer = try #require(tile.layers[""])
      tile = StyledTile(
        index: tile.index, corner: tile.corner, region: tile.region, unitsPerPixel: tile.unitsPerPixel,
        bearing: 0,
        layers: [
          "": StyledTileLayer(
            features: layer.features, geometries: [units], extent: 4096, pixels: [pixels], ids: layer.ids)
        ])
      let places = try texts(["text-size": 12], tile).map { ($0.glyphs[0].x + 12, $0.glyphs[0].y) }
      #expect(places.count == 2)
      // Below the hole of the first, and in the middle of the other.
      #expect(places.contains { abs($0.0 - 450) < 3 && abs($0.1 - 200) < 8 }, "\(places)")
      #expect(places.contains { $0.0 < 300 && $0.1 > 230 }, "\(places)")
    }
  }

  @Test("With symbol-avoid-edges no symbol crosses a side of its tile", arguments: [0.0, 30])
  func avoidEdges(bearing: Double) throws {
    var scene = SymbolScene()
    scene.bearing = bearing
    for (x, name) in [(503.0, "left"), (495, "free"), (520, "right"), (540, "open")] {
      scene.addPoint(x, 700 + x / 10, name)
    }
    let all: JSONObject = ["text-size": 12, "text-padding": 0, "text-allow-overlap": true]
    #expect(try scene.drawing(all).texts.count == 4)
    var avoiding = all
    avoiding["symbol-avoid-edges"] = true
    // Half of a text is 12 or 15 pixels long.
    #expect(Set(try scene.drawing(avoiding).texts.map(\.text)) == ["free", "open"])
  }

  @Test(
    "Symbols that stay inside the image are not cut by its edge",
    arguments: [[:], ["symbol-placement": "line"], ["text-variable-anchor": ["left", "right", "top"]]]
      as [JSONObject])
  func inside(layout: JSONObject) throws {
    var scene = SymbolScene()
    scene.addRandom(points: 300, lines: 40, seed: 11)
    var layout = layout
    layout["text-size"] = 12
    let image = Envelope(xMin: 0, yMin: 0, xMax: scene.width, yMax: scene.height)
    func texts(_ staysInside: Bool) throws -> (all: Int, cut: Int) {
      let boxes = try scene.drawing(layout, staysInside: staysInside).texts.map(\.box)
      return (boxes.count, boxes.count { $0.meets(image) && !image.contains($0) })
    }
    let (free, inside) = try (texts(false), texts(true))
    #expect(free.cut >= 5, "\(free)")
    #expect(inside.cut == 0 && inside.all >= 10 && inside.all < free.all, "\(inside) of \(free)")
  }

  @Test("A symbol in tiles of two zooms is shown once")
  func duplicates() throws {
    var scene = SymbolScene()
    scene.addPoint(700, 700, "same")
    let tiles = scene.tiles
    // The same features again, in tiles of a lower zoom.
    let lower = tiles.map { tile in
      StyledTile(
        index: StyleTile(zoom: 13, x: tile.index.x, y: tile.index.y), corner: tile.corner,
        region: tile.region,
        unitsPerPixel: tile.unitsPerPixel, bearing: 0, layers: tile.layers)
    }
    let layout: JSONObject = ["text-size": 12, "text-allow-overlap": true]
    #expect(try scene.drawing(layout, tiles: tiles + lower).texts.count == 1)
    scene.addPoint(703, 700, "same")
    #expect(try scene.drawing(layout).texts.count == 2)
  }

  @Test("A fitted icon moves with its text to a variable anchor")
  func fittedIcon() throws {
    var scene = SymbolScene()
    scene.images = try SymbolScene.images(["dot"])
    scene.addPoint(768, 768, "abcd")
    let drawing = try scene.drawing([
      "text-size": 20, "text-variable-anchor": ["left"], "text-radial-offset": 1, "icon-image": "dot",
      "icon-text-fit": "both", "text-padding": 0, "icon-padding": 0,
    ])
    let batch = try #require(drawing.markers.first)
    let box = try #require(batch.styles[0].block?.box)
    // The text is 40 pixels wide and begins 20 pixels beside the point.
    #expect(abs(batch.x[0] + box.xMin - 420) < 1.01 && abs(batch.x[0] + box.xMax - 460) < 1.01)
    let middle = try #require(drawing.middle(of: "abcd"))
    #expect(abs(middle.x - 440) < 1e-6)
  }

  @Test("Vertical texts at points and along lines have upright letters below each other")
  func verticalTexts() throws {
    var scene = SymbolScene()
    scene.addPoint(768, 768, "日本語")
    let point = try #require(
      try scene.drawing(["text-size": 20, "text-writing-mode": ["vertical"]]).texts.first)
    #expect(point.glyphs.allSatisfy { abs($0.directionX - 1) < 1e-9 && abs($0.directionY) < 1e-9 })
    let steps = zip(point.glyphs.dropFirst(), point.glyphs).map { ($0.x - $1.x, $0.y - $1.y) }
    #expect(steps.allSatisfy { abs($0.0) < 1e-6 && $0.1 > 5 })
    scene.features = []
    scene.addLine([(768, 980), (768, 600)], "日本語")
    let line = try #require(
      try scene.drawing(["text-size": 20, "symbol-placement": "line-center"]).texts.first)
    #expect(line.glyphs.allSatisfy { abs($0.directionX - 1) < 1e-9 && abs($0.directionY) < 1e-9 })
    #expect(zip(line.glyphs.dropFirst(), line.glyphs).allSatisfy { $0.y > $1.y })
  }
}
