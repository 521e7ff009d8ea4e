import Foundation
import MapCairo
import MapDocuments
import MapDrawing
import MapGeometry
import MapImages
import MapJSON
import MapLayout
import MapModel
import MapState
import MapTestSupport
import Testing

/// Layers of tiles in documents: effects, blend modes, order and groups, compared with colours that are computed here.
@Suite struct TileLayerDrawingTests {
  /// A pixel of a tile at zoom level 0, in metres.
  private static let pixel = 2 * 20_037_508.342789244 / 256
  /// The colours of blocks of 16 by 16 pixels of the tile, from a fixed seed.
  private static let blocks: [[Int]] = {
    var random = SeededGenerator(seed: 26)
    return (0..<256).map { _ in (0..<3).map { _ in Int.random(in: 0...255, using: &random) } }
  }()

  /// Calls a function with a folder of one tile, drawn by `a` and `b` in documents.
  private static func withFolder(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tiles-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let place = folder.appending(path: "tiles/0/0")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    var pixels: [UInt8] = []
    for row in 0..<256 {
      for column in 0..<256 { pixels += blocks[row / 16 * 16 + column / 16].map { UInt8($0) } + [255] }
    }
    let tile = try Bitmap(width: 256, height: 256, pixels: pixels)
    try Data(try tile.pngData()).write(to: place.appending(path: "0.png"))
    try await body(folder.path)
  }

  private static func tiles(_ members: String = "", id: String = "t") -> String {
    "{\"id\":\"\(id)\",\"title\":\"\(id)\",\(members)\"layerType\":\"WebTiledLayer\",\"templateUrl\":\"tiles/{z}/{x}/{y}.png\"}"
  }

  /// Returns a layer that covers a part of the view of 120 by 80 pixels, from its left side on.
  private static func area(_ id: String, _ color: [Int], _ columns: ClosedRange<Int>, _ members: String = "")
    -> String
  {
    let (left, right) = (Double(columns.lowerBound - 60) * pixel, Double(columns.upperBound - 60) * pixel)
    let top = 60 * pixel
    return """
      {"id":"\(id)","title":"\(id)",\(members)"featureCollection":{"layers":[{"layerDefinition":{
      "geometryType":"esriGeometryPolygon","spatialReference":{"wkid":3857},
      "drawingInfo":{"renderer":{"type":"simple","symbol":{"type":"esriSFS","style":"esriSFSSolid",
      "color":[\(color[0]),\(color[1]),\(color[2]),255]}}},
      "fields":[{"name":"OBJECTID","type":"esriFieldTypeOID"}]},
      "featureSet":{"spatialReference":{"wkid":3857},"features":[{"attributes":{"OBJECTID":1},"geometry":{"rings":[[
      [\(left),\(-top)],[\(left),\(top)],[\(right),\(top)],[\(right),\(-top)],[\(left),\(-top)]]]}}]}}]}}
      """
  }

  private static func group(_ members: String, _ layers: [String], id: String = "g") -> String {
    "{\"id\":\"\(id)\",\"title\":\"\(id)\",\"layerType\":\"GroupLayer\",\(members)\"layers\":[\(layers.joined(separator: ","))]}"
  }

  private static func open(_ layers: [String], _ folder: String) async throws -> MapDocument {
    let json = "{\"operationalLayers\":[\(layers.joined(separator: ","))]}"
    let document = try await MapDocument.open(json: JSONValue(parsing: json), name: "map", folder: folder)
    // Several visible layers of an exclusive group are told.
    let others = document.warnings.filter { !$0.message.contains("layers of an exclusive group") }
    #expect(others.isEmpty, "\(others)")
    return document
  }

  private static func view(
    _ layers: [String], _ folder: String, width: Double = 120, height: Double = 80
  ) async throws -> ViewState {
    let map = try await open(layers, folder).map
    return ViewState(
      width: width, height: height, pixelRatio: 1,
      viewpoint: ResolvedViewpoint(
        center: Point(x: 0, y: 0, spatialReference: .webMercator), resolution: pixel, rotation: 0),
      background: .white, timeExtent: nil, layers: map.frozen.layers, tileLayers: map.frozen.tiles)
  }

  /// Compares each pixel of an image with a function of the tile's colour and the column.
  private static func compare(
    _ image: Bitmap, _ sourceLocation: SourceLocation = #_sourceLocation,
    _ expected: (_ tile: [Int], _ column: Int) -> [Double]
  ) {
    var wrong = 0
    for row in 0..<80 {
      for column in 0..<120 {
        let block = blocks[(row + 88) / 16 * 16 + (column + 68) / 16]
        let color = expected(block, column)
        for channel in 0..<3 {
          let found = Double(image.pixels[(row * 120 + column) * 4 + channel])
          if abs(found - color[channel]) > 1.6 { wrong += 1 }
        }
      }
    }
    #expect(wrong == 0, sourceLocation: sourceLocation)
  }

  @Test("A layer of tiles without effects is its tile")
  func plain() async throws {
    try await Self.withFolder { folder in
      Self.compare(try await Self.view([Self.tiles()], folder).render().bitmap) { tile, _ in
        tile.map(Double.init)
      }
    }
  }

  @Test("Groups of a basemap hold layers of tiles and areas, in order")
  func basemapGroups() async throws {
    try await Self.withFolder { folder in
      for (members, share) in [("", 1.0), ("\"opacity\":0.5,", 0.5)] {
        let group = Self.group(members, [Self.tiles(), Self.area("x", [40, 80, 120], 30...90)])
        let json = "{\"operationalLayers\":[],\"baseMap\":{\"title\":\"b\",\"baseMapLayers\":[\(group)]}}"
        let document = try await MapDocument.open(
          json: JSONValue(parsing: json), name: "map", folder: folder)
        #expect(document.warnings.isEmpty, "\(document.warnings)")
        let view = try MapView(
          map: document.map, width: 120, height: 80,
          viewpoint: Viewpoint(
            center: Point(x: 0, y: 0, spatialReference: .webMercator),
            scale: ResolvedViewpoint.scalePerResolution * Self.pixel))
        Self.compare(try await view.freeze().render().bitmap) { tile, column in
          let top = (30..<90).contains(column) ? [40.0, 80, 120] : tile.map(Double.init)
          return top.map { $0 * share + 255 * (1 - share) }
        }
      }
    }
  }

  @Test("The effect of a layer of tiles is that on its image")
  func effects() async throws {
    try await Self.withFolder { folder in
      let inverted = try await Self.view([Self.tiles(#""effect":"invert(1)","#)], folder).render().bitmap
      Self.compare(inverted) { tile, _ in tile.map { 255 - Double($0) } }
      let objects = #""effect":[{"type":"brightness","amount":0.4}],"opacity":0.5,"#
      let dark = try await Self.view([Self.tiles(objects)], folder).render().bitmap
      Self.compare(dark) { tile, _ in tile.map { Double($0) * 0.4 * 0.5 + 255 * 0.5 } }
      // The luminance of the W3C Filter Effects Module.
      let gray = try await Self.view([Self.tiles(#""effect":"grayscale(100%)","#)], folder).render().bitmap
      Self.compare(gray) { tile, _ in
        let value = 0.2126 * Double(tile[0]) + 0.7152 * Double(tile[1]) + 0.0722 * Double(tile[2])
        return [value, value, value]
      }
    }
  }

  @Test("A blurred layer of tiles takes the tiles beyond the sides of the view, also in a group")
  func margin() async throws {
    try await Self.withFolder { folder in
      for layer in [
        Self.tiles(#""effect":"blur(6px)","#), Self.group(#""effect":"blur(6px)","#, [Self.tiles()]),
      ] {
        let small = try await Self.view([layer], folder).render().bitmap
        let large = try await Self.view([layer], folder, width: 220, height: 180).render().bitmap
        var different = 0
        for row in 0..<80 {
          for byte in 0..<120 * 4 {
            let (own, other) = (
              small.pixels[row * 480 + byte], large.pixels[((row + 50) * 220 + 50) * 4 + byte]
            )
            if abs(Int(own) - Int(other)) > 1 { different += 1 }
          }
        }
        #expect(different == 0)
        #expect(try await Self.view([Self.tiles()], folder).render().bitmap != small)
      }
    }
  }

  @Test("The blend mode of a layer of tiles mixes it with the layers below, and not with those above")
  func blending() async throws {
    try await Self.withFolder { folder in
      let below = Self.area("below", [120, 60, 200], 0...60)
      let above = Self.area("above", [10, 20, 30], 100...120)
      let image = try await Self.view([below, Self.tiles(#""blendMode":"multiply","#), above], folder)
        .render().bitmap
      Self.compare(image) { tile, column in
        if column >= 100 { return [10, 20, 30] }
        let base = column < 60 ? [120.0, 60, 200] : [255, 255, 255]
        return zip(tile, base).map { Double($0) * $1 / 255 }
      }
      // Without a mode, the tiles hide what is below them.
      let plain = try await Self.view([below, Self.tiles(), above], folder).render().bitmap
      Self.compare(plain) { tile, column in column >= 100 ? [10, 20, 30] : tile.map(Double.init) }
      let cut = try await Self.view([below, Self.tiles(#""blendMode":"source-in","#)], folder).render().bitmap
      Self.compare(cut) { tile, column in column < 60 ? tile.map(Double.init) : [255, 255, 255] }
    }
  }

  @Test("Layers of tiles in groups of documents are drawn at their place, with the properties of the groups")
  func groups() async throws {
    try await Self.withFolder { folder in
      let below = Self.area("below", [120, 60, 200], 0...60)
      let above = Self.area("above", [10, 20, 30], 100...120)
      let inner = Self.group(#""opacity":0.5,"#, [below, Self.tiles(), above])
      let image = try await Self.view([Self.group(#""effect":"invert(1)","#, [inner])], folder).render()
        .bitmap
      Self.compare(image) { tile, column in
        (column >= 100 ? [10, 20, 30] : tile).map { (255 - Double($0)) / 2 + 255 / 2 }
      }
      // A mode in a group concerns the layers of the group.
      let base = Self.area("base", [0, 0, 0], 0...120)
      let mode = Self.group("", [below, Self.tiles(#""blendMode":"multiply","#)])
      Self.compare(try await Self.view([base, mode], folder).render().bitmap) { tile, column in
        column < 60 ? zip(tile, [120.0, 60, 200]).map { Double($0) * $1 / 255 } : tile.map(Double.init)
      }
      for hidden in [
        #""visibility":false,"#, #""minScale":1000,"#, #""opacity":0,"#,
      ] {
        let image = try await Self.view([below, Self.group(hidden, [Self.tiles()])], folder).render().bitmap
        Self.compare(image) { _, column in column < 60 ? [120, 60, 200] : [255, 255, 255] }
      }
    }
  }

  private static func shown(_ mode: String, _ layers: [String], _ folder: String) async throws -> [Bool] {
    let document = try await open([group("\"visibilityMode\":\"\(mode)\",", layers)], folder)
    return document.map.operationalLayers.map(\.isVisible)
  }

  @Test("Layers of tiles count as layers of exclusive and inherited groups")
  func modes() async throws {
    try await Self.withFolder { folder in
      let area = Self.area("a", [1, 2, 3], 0...120)
      let hidden = Self.tiles(#""visibility":false,"#, id: "u")
      let exclusive = try await Self.shown("exclusive", [area, Self.tiles(), hidden], folder)
      #expect(exclusive == [false, true, false])
      let exclusive2 = try await Self.shown("exclusive", [Self.tiles(), area, hidden], folder)
      #expect(exclusive2 == [false, true, false])
      let inherited = try await Self.shown("inherited", [area, Self.tiles(), hidden], folder)
      #expect(inherited == [true, true, true])
      let independent = try await Self.shown("independent", [area, Self.tiles(), hidden], folder)
      #expect(independent == [true, true, false])
    }
  }

  @Test(
    "A group with tiles is saved as it was read; tiles beside a changed layer keep what the group gave them")
  func saving() async throws {
    try await Self.withFolder { folder in
      let layers = [Self.area("a", [1, 2, 3], 0...120), Self.tiles(#""opacity":0.5,"#)]
      let text = Self.group(#""opacity":0.5,"minScale":9e9,"#, layers)
      let document = try await Self.open([text], folder)
      let saved = try JSONValue(parsing: document.map.toJSON())["operationalLayers"]
      #expect(saved == (try JSONValue(parsing: "[\(text)]")))
      document.map.featureLayers[0].opacity = 1
      let changed = try JSONValue(parsing: document.map.toJSON())["operationalLayers"]?[0]
      #expect(changed?["opacity"] == nil)
      #expect(changed?["layers"]?[0]?["opacity"]?.double == 1)
      let tiles = changed?["layers"]?[1]
      #expect(tiles?["opacity"]?.double == 0.25 && tiles?["minScale"]?.double == 9e9)
      #expect(tiles?["visibility"]?.boolean == true)
    }
  }

  @Test("SVG and PDF show the same colours, and each layer that is an image there is reported")
  func vectors() async throws {
    try await Self.withFolder { folder in
      let below = Self.area("below", [120, 60, 200], 0...60)
      let cases: [(layers: [String], warnings: [String])] = [
        ([below, Self.tiles(#""effect":"invert(1)","#)], []),
        ([below, Self.tiles(#""blendMode":"multiply","#)], []),
        (
          [below, Self.tiles(#""blendMode":"destination-out","#)],
          [
            "layer \"t\": SVG has no blend mode \"destination-out\", so an image of the layer and all below it is drawn"
          ]
        ),
        (
          [Self.group("", [below, Self.tiles(#""blendMode":"plus","#)])],
          ["layer \"t\": SVG has no blend mode \"plus\", so an image of the group around the layer is drawn"]
        ),
        (
          [
            Self.area("below", [120, 60, 200], 0...60, #""effect":"invert(1)","#),
            Self.tiles(#""opacity":0.5,"#),
          ],
          ["layer \"below\": SVG has no effects, so an image of the layer is drawn"]
        ),
        (
          [Self.group(#""effect":"invert(1)","#, [below])],
          ["layer \"below\": SVG has no effects, so an image of the group around the layer is drawn"]
        ),
      ]
      for (layers, warnings) in cases {
        let view = try await Self.view(layers, folder)
        let page = try await view.page(PageLayout())
        #expect(page.formatWarnings(for: "x.svg") == warnings)
        #expect(page.formatWarnings(for: "x.png").isEmpty)
        #expect(page.vectorWarnings.count == warnings.count)
        #expect(try await page.render(for: "x.svg").report.allWarnings == warnings)
        #expect(try await page.render().report.allWarnings.isEmpty)
        let image = try await view.render().bitmap
        let drawn = try CairoPainter.bitmap(of: try await view.displayList().applyingEffects())
        #expect(zip(image.pixels, drawn.pixels).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
      }
    }
  }
}
