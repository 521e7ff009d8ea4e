import MapCairo
import MapGeometry
import MapState
import Testing

/// Text as a symbol: position, rotation, hit test and colours.
@Suite struct TextSymbolTests {
  private static func place(_ x: Double, _ y: Double) -> Point {
    Point(x: x, y: y, spatialReference: .webMercator)
  }

  /// A view of one metre per pixel with a text in its centre.
  private static func view(
    _ text: TextSymbol, at place: Point = Self.place(0, 0), pixelRatio: Double = 1, rotation: Double = 0
  ) throws -> MapView {
    try MapView(
      map: Map(), width: 200, height: 120, pixelRatio: pixelRatio,
      viewpoint: Viewpoint(
        center: Self.place(0, 0), scale: ResolvedViewpoint.scalePerResolution, rotation: rotation),
      graphicsOverlays: [GraphicsOverlay(graphics: [Graphic(geometry: place, symbol: text)])])
  }

  /// The box of all pixels that are not white: left, top, right, bottom.
  private static func ink(
    _ text: TextSymbol, pixelRatio: Double = 1, rotation: Double = 0
  ) async throws -> [Int] {
    let image = try await view(text, pixelRatio: pixelRatio, rotation: rotation).exportImage()
    var (columns, rows): ([Int], [Int]) = ([], [])
    for y in 0..<image.height {
      for x in 0..<image.width where image[x, y] != PixelColor(red: 255, green: 255, blue: 255) {
        columns.append(x)
        rows.append(y)
      }
    }
    return [columns.min() ?? -1, rows.min() ?? -1, columns.max() ?? -1, rows.max() ?? -1]
  }

  @Test("A text's alignments place it relative to its point")
  func alignments() async throws {
    func ink(_ across: TextSymbol.HorizontalAlignment, _ down: TextSymbol.VerticalAlignment) async throws
      -> [Int]
    {
      try await Self.ink(
        TextSymbol(text: "HHH", size: 20, horizontalAlignment: across, verticalAlignment: down))
    }
    let middle = try await ink(.center, .middle)
    #expect(abs(middle[0] + middle[2] + 1 - 200) <= 1)
    #expect(middle[1] < 60)
    #expect(middle[3] > 60)
    let left = try await ink(.left, .baseline)
    #expect((100...103).contains(left[0]))
    #expect(left[3] == 59)
    #expect(try await ink(.justify, .baseline) == left)
    let right = try await ink(.right, .bottom)
    #expect((97...99).contains(right[2]))
    #expect(right[3] < 59)
    let top = try await ink(.center, .top)
    #expect(top[1] >= 60)
    #expect(top[2] - top[0] == middle[2] - middle[0])
  }

  @Test("Text rotates clockwise about its point, shifts and scales with the pixel ratio")
  func turned() async throws {
    var text = TextSymbol(text: "HHHH", size: 16, horizontalAlignment: .left)
    let level = try await Self.ink(text)
    text.angle = 90
    let down = try await Self.ink(text)
    // Before, it was to the right of its point; now it is below.
    #expect(down[1] >= 60)
    #expect(abs((down[3] - down[1]) - (level[2] - level[0])) <= 1)
    // The map's rotation has no effect unless the text is aligned to the map.
    #expect(try await Self.ink(text, rotation: 90) == down)
    text.angleAlignment = .map
    #expect(try await Self.ink(text, rotation: 90) == level)
    text.angleAlignment = .screen
    (text.angle, text.offsetX, text.offsetY) = (0, 30, 20)
    let shifted = try await Self.ink(text)
    #expect(zip(shifted, level).map { $0 - $1 } == [30, -20, 30, -20])
    (text.offsetX, text.offsetY) = (0, 0)
    let twice = try await Self.ink(text, pixelRatio: 2)
    #expect(zip(twice, level).allSatisfy { abs($0 - 2 * $1) <= 3 })
  }

  @Test("Text is hit anywhere in its box and not beside it")
  func hits() async throws {
    var text = TextSymbol(text: "I    I", size: 30)
    let box = try await Self.ink(text)
    func isHit(_ x: Double, _ y: Double) async throws -> Bool {
      let view = try Self.view(text)
      return try await view.identify(
        on: view.graphicsOverlays[0], screenPoint: ScreenPoint(x: x, y: y), tolerance: 0
      ).graphics.count == 1
    }
    #expect(try await isHit(100, 60))
    #expect(try await isHit(Double(box[0]) + 1, Double(box[1]) + 1))
    #expect(try await !isHit(Double(box[0]) - 8, 60))
    #expect(try await !isHit(100, 100))
    text.angle = 90
    #expect(try await isHit(100, 60 + Double(box[2] - box[0]) / 2 - 2))
    #expect(try await !isHit(Double(box[0]) + 1, 60))
  }

  @Test("Text is drawn in renderers, composite symbols, selections and swatches")
  func rendered() async throws {
    let overlay = GraphicsOverlay(graphics: [
      Graphic(geometry: Self.place(-50, 0), attributes: ["k": "a"]),
      Graphic(geometry: Self.place(50, 0), attributes: ["k": "b"]),
    ])
    let pin = CompositeSymbol(symbols: [
      SimpleMarkerSymbol(color: .blue, size: 40), TextSymbol(text: "H", color: .yellow, size: 30),
    ])
    overlay.renderer = UniqueValueRenderer(
      fieldNames: ["k"],
      uniqueValues: [
        .init(symbol: TextSymbol(text: "HH", color: .red, size: 30), values: ["a"]),
        .init(symbol: pin, values: ["b"]),
      ])
    let view = try MapView(
      map: Map(), width: 200, height: 120,
      viewpoint: Viewpoint(center: Self.place(0, 0), scale: ResolvedViewpoint.scalePerResolution),
      graphicsOverlays: [overlay])
    func colors(_ columns: Range<Int>) async throws -> Set<Color> {
      let image = try await view.exportImage()
      return Set(
        columns.flatMap { x in
          (0..<120).map { y in Color(red: image[x, y].red, green: image[x, y].green, blue: image[x, y].blue) }
        })
    }
    #expect(try await colors(0..<100).isSuperset(of: [.red, .white]))
    #expect(try await colors(100..<200).isSuperset(of: [.yellow, .blue, .white]))
    let image = try await view.exportImage()
    #expect(try await view.freeze().render(threads: 3).bitmap == image)
    // Cairo samples the coverage of letters otherwise.
    let reference = try await view.freeze().render(threads: 3, method: .reference).bitmap
    #expect(zip(image.pixels, reference.pixels).allSatisfy { abs(Int($0) - Int($1)) <= 40 })
    overlay.graphics[0].isSelected = true
    let marked = try await colors(0..<100)
    #expect(marked.contains(view.selectionColor))

    let swatch = try await TextSymbol(text: "HÅg", size: 40, horizontalAlignment: .left).makeSwatch()
    var ink = 0
    for side in 0..<swatch.width {
      #expect(swatch[side, 0].alpha == 0)
      #expect(swatch[0, side].alpha == 0)
      #expect(swatch[swatch.width - 1, side].alpha == 0)
      for other in 0..<swatch.height where swatch[side, other].alpha > 0 { ink += 1 }
    }
    #expect(ink > 300)
  }

  @Test("Text symbols and labels are drawn with a background box and an outline")
  func boxes() async throws {
    var text = TextSymbol(text: "HH", color: .black, size: 20)
    let letters = try await Self.ink(text)
    text.backgroundColor = .yellow
    let boxed = try await Self.ink(text)
    (text.outlineColor, text.outlineWidth) = (.red, 4)
    let framed = try await Self.ink(text)
    #expect(boxed[0] < letters[0])
    #expect(boxed[1] < letters[1])
    #expect(boxed[2] > letters[2])
    #expect(boxed[3] > letters[3])
    #expect(zip(framed, boxed).map { abs($0 - $1) }.allSatisfy { (1...3).contains($0) })
    // A box without letters is still drawn.
    text.color = nil
    #expect(try await Self.ink(text) == framed)

    let points = FeatureCollectionTable(
      fields: [Field(name: "n", type: .text)], geometryType: .point, spatialReference: .webMercator)
    try await points.add(points.makeFeature(attributes: ["n": "HH"], geometry: Self.place(0, 0)))
    text.color = .black
    var definition = LabelDefinition(
      labelExpression: SimpleLabelExpression(simpleExpression: "[n]"), textSymbol: text)
    definition.placement = .pointCenterCenter
    let layer = FeatureLayer(featureTable: points)
    layer.renderer = SimpleRenderer(symbol: SimpleMarkerSymbol(color: nil, size: 1))
    (layer.labelDefinitions, layer.labelsAreEnabled) = ([definition], true)
    let map = Map()
    map.addOperationalLayer(layer)
    let view = try MapView(
      map: map, width: 200, height: 120,
      viewpoint: Viewpoint(center: Self.place(0, 0), scale: ResolvedViewpoint.scalePerResolution))
    let image = try await view.exportImage()
    let colors = Set(image.pixels.indices.filter { $0 % 4 == 0 }.map { Array(image.pixels[$0..<$0 + 3]) })
    #expect(colors.isSuperset(of: [[255, 0, 0], [255, 255, 0], [0, 0, 0]]))
  }

  @Test("Text that reaches into the view is painted, and text without letters is not")
  func edges() async throws {
    let view = try Self.view(
      TextSymbol(text: "HHHHHH", size: 30, horizontalAlignment: .left), at: Self.place(-140, 0))
    let image = try await view.exportImage()
    #expect((0..<1200).contains { image[$0 % 10, $0 / 10] != PixelColor(red: 255, green: 255, blue: 255) })
    for empty in [
      TextSymbol(text: " \n\t"), TextSymbol(text: "H", color: nil), TextSymbol(text: "H", size: 0),
    ] {
      #expect(try await Self.ink(empty) == [-1, -1, -1, -1])
    }
    let report = try await Self.view(TextSymbol(text: "日本 H")).freeze().render().report
    #expect(report.warnings.count == 1)
    #expect(report.warnings.first?.contains("\"日\"") == true)
  }

  @Test("Random texts that are painted are drawn or edge features and are hit where they show")
  func reach() async throws {
    var hits = 0
    for turn in stride(from: 0.0, to: 360, by: 24) {
      var text = TextSymbol(text: "Ag\nl'Île", color: .blue, size: 14 + turn / 30)
      (text.angle, text.offsetX, text.haloColor, text.haloWidth) = (turn, turn / 20, .yellow, 2)
      let far = 75 + turn / 10
      for (x, y) in [(far + 25, 0), (-far - 25, 10), (0, far - 15), (20, -far + 15)] {
        let view = try Self.view(text, at: Self.place(x, y))
        let state = view.freeze()
        let drawing = try await state.drawing(of: state.overlays[0], index: 0)
        let list = DisplayList(width: 200, height: 120, background: .white, layers: [drawing.layer])
        let image = try IDPainter.image(of: list)
        let isEdge = !drawing.edge.isEmpty, isDrawn = !drawing.drawn.isEmpty
        let picture = try CairoPainter.bitmap(of: list)
        let isClear =
          picture == (try CairoPainter.bitmap(of: DisplayList(width: 200, height: 120, background: .white)))
        #expect(isClear || isEdge || isDrawn)
        for (x, y) in [(1, 60), (198, 60), (100, 1), (120, 118)] {
          let found = try await view.identify(
            on: view.graphicsOverlays[0],
            screenPoint: ScreenPoint(x: Double(x) + 0.5, y: Double(y) + 0.5), tolerance: 0)
          let owner = image[x, y]
          #expect(found.graphics.isEmpty == (owner == nil))
          if owner != nil { hits += 1 }
        }
      }
    }
    #expect(hits > 5, "\(hits)")
  }
}
