import MapCairo
import MapState
import MapTestSupport
import Testing

/// Image and composite symbols: drawn, hit, selected and scaled.
@Suite struct PictureDrawingTests {
  /// An image of one colour.
  static func picture(_ color: Color, _ width: Int, _ height: Int) throws -> PictureMarkerSymbol {
    var bitmap = try Bitmap(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width { bitmap[x, y] = PixelColor(red: color.red, green: color.green, blue: color.blue) }
    }
    return PictureMarkerSymbol(image: bitmap)
  }

  static func place(_ x: Double, _ y: Double) -> Point { Point(x: x, y: y, spatialReference: .webMercator) }

  /// A view of one metre per pixel around 0, 0.
  static func view(
    _ graphics: [Graphic], side: Double = 100, rotation: Double = 0, scale: Double = 1, pixelRatio: Double = 1
  ) throws -> MapView {
    try MapView(
      map: Map(), width: side, height: side, pixelRatio: pixelRatio,
      viewpoint: Viewpoint(
        center: place(0, 0), scale: ResolvedViewpoint.scalePerResolution * scale, rotation: rotation),
      graphicsOverlays: [GraphicsOverlay(graphics: graphics)])
  }

  /// The columns and rows of all pixels that are not white.
  static func ink(_ image: Bitmap) -> (columns: ClosedRange<Int>, rows: ClosedRange<Int>)? {
    var (columns, rows): ([Int], [Int]) = ([], [])
    for y in 0..<image.height {
      for x in 0..<image.width where image[x, y] != PixelColor(red: 255, green: 255, blue: 255) {
        columns.append(x)
        rows.append(y)
      }
    }
    guard let left = columns.min(), let right = columns.max(), let top = rows.min(), let bottom = rows.max()
    else { return nil }
    return (left...right, top...bottom)
  }

  private static func color(_ image: Bitmap, _ x: Int, _ y: Int) -> Color {
    let pixel = image[x, y]
    return Color(red: pixel.red, green: pixel.green, blue: pixel.blue)
  }

  @Test("An image symbol is drawn on whole pixels with its size, rotation and offset")
  func placed() async throws {
    var red = try Self.picture(.red, 20, 10)
    func ink(x: Double = 0, pixelRatio: Double = 1) async throws -> [Int] {
      let view = try Self.view([Graphic(geometry: Self.place(x, 0), symbol: red)], pixelRatio: pixelRatio)
      let found = try #require(Self.ink(try await view.exportImage()))
      return [
        found.columns.lowerBound, found.columns.upperBound, found.rows.lowerBound, found.rows.upperBound,
      ]
    }
    #expect(try await ink() == [40, 59, 45, 54])
    #expect(try await ink(x: 0.3) == [40, 59, 45, 54])
    #expect(try await ink(x: 0.7) == [41, 60, 45, 54])
    red.angle = 90
    #expect(try await ink() == [45, 54, 40, 59])
    (red.offsetX, red.offsetY) = (10, 20)
    #expect(try await ink() == [55, 64, 20, 39])
    (red.angle, red.width, red.offsetX, red.offsetY) = (0, 40, 0, 0)
    #expect(try await ink(pixelRatio: 2) == [60, 139, 80, 119])
    red.opacity = 0.5
    let half = try await Self.view([Graphic(geometry: Self.place(0, 0), symbol: red)]).exportImage()[50, 50]
    #expect(half.red == 255)
    #expect(abs(Int(half.green) - 128) <= 1)
    red.opacity = 0
    let view = try Self.view([Graphic(geometry: Self.place(0, 0), symbol: red)])
    #expect(Self.ink(try await view.exportImage()) == nil)
  }

  @Test("An image symbol is hit in its rotated rectangle, and a composite symbol in any part")
  func hits() async throws {
    var picture = try Self.picture(.red, 40, 10)
    picture.angle = 60
    var far = SimpleMarkerSymbol(color: .blue, size: 6)
    far.offsetX = 40
    let symbol = CompositeSymbol(symbols: [far, picture])
    let view = try Self.view([Graphic(geometry: Self.place(0, 0), symbol: symbol)])
    // Along its length, which points down to the right; across it; the marker beside it.
    let along = (x: 18 * 0.5, y: 18 * 0.866)
    let cases: [(Double, Double, Bool)] = [
      (0, 0, true), (along.x, along.y, true), (-along.x, -along.y, true), (along.x, -along.y, false),
      (18, 0, false),
      (40, 0, true), (44, 0, false),
    ]
    for (x, y, isHit) in cases {
      let found = try await view.identify(
        on: view.graphicsOverlays[0], screenPoint: ScreenPoint(x: 50 + x, y: 50 + y), tolerance: 0)
      #expect(found.graphics.count == (isHit ? 1 : 0), "\(x), \(y)")
    }
  }

  @Test("The parts of a composite symbol are painted in order")
  func composites() async throws {
    let line = Polyline(points: [Self.place(-40, 0), Self.place(40, 0)])
    let cased = CompositeSymbol(symbols: [
      SimpleLineSymbol(color: .black, width: 12), SimpleLineSymbol(color: .yellow, width: 6),
      // The symbol does not suit the geometry and is omitted.
      SimpleMarkerSymbol(color: .red, size: 30),
    ])
    let road = try await Self.view([Graphic(geometry: line, symbol: cased)]).exportImage()
    #expect(Self.color(road, 50, 50) == .yellow)
    #expect(Self.color(road, 50, 45) == .black)
    let under = CompositeSymbol(symbols: Array(cased.symbols.prefix(2).reversed()))
    let covered = try await Self.view([Graphic(geometry: line, symbol: under)]).exportImage()
    #expect(Self.color(covered, 50, 50) == .black)

    let area = Envelope(xMin: -30, yMin: -30, xMax: 30, yMax: 30, spatialReference: .webMercator)
    let dashed = SimpleLineSymbol(style: .dash, color: .black, width: 4)
    let filled = CompositeSymbol(symbols: [
      SimpleFillSymbol(color: .green), SimpleFillSymbol(color: nil, outline: dashed),
    ])
    let image = try await Self.view([Graphic(geometry: area, symbol: filled)]).exportImage()
    #expect(Self.color(image, 50, 50) == .green)
    let edge = Set((20..<80).map { Self.color(image, $0, 20) })
    #expect(edge.isSuperset(of: [.black, .green]))

    let pin = CompositeSymbol(symbols: [
      SimpleMarkerSymbol(style: .square, color: .blue, size: 20), try Self.picture(.red, 6, 6),
    ])
    let point = try await Self.view([Graphic(geometry: Self.place(0, 0), symbol: pin)]).exportImage()
    #expect(Self.color(point, 50, 50) == .red)
    #expect(Self.color(point, 42, 50) == .blue)
    #expect(
      Self.ink(try await Self.view([Graphic(geometry: area, symbol: CompositeSymbol())]).exportImage()) == nil
    )
  }

  @Test("A selected image symbol gets a frame in the selection colour")
  func selection() async throws {
    let graphic = Graphic(geometry: Self.place(0, 0), symbol: try Self.picture(.red, 20, 20))
    let view = try Self.view([graphic])
    graphic.isSelected = true
    let image = try await view.exportImage()
    #expect(Self.color(image, 50, 50) == .red)
    #expect(view.selectionColor == Color(red: 230, green: 0, blue: 126))
    #expect(Self.color(image, 50, 40) == view.selectionColor)
    #expect(Self.color(image, 39, 50) == view.selectionColor)
    // Each part of a composite symbol is marked as it would be alone.
    graphic.symbol = CompositeSymbol(symbols: [
      SimpleMarkerSymbol(style: .square, color: .blue, size: 40), try Self.picture(.red, 20, 20),
    ])
    let pin = try await view.exportImage()
    #expect(Self.color(pin, 33, 50) == view.selectionColor)
    #expect(Self.color(pin, 50, 40) == view.selectionColor)
    #expect(Self.color(pin, 50, 50) == .red)
  }

  @Test("With a reference scale image symbols keep their size on the ground")
  func referenceScale() async throws {
    let view = try Self.view(
      [Graphic(geometry: Self.place(0, 0), symbol: try Self.picture(.red, 20, 10))], scale: 0.5)
    view.map.referenceScale = ResolvedViewpoint.scalePerResolution
    let plain = try #require(Self.ink(try await view.exportImage()))
    view.graphicsOverlays[0].scalesSymbols = true
    let scaled = try #require(Self.ink(try await view.exportImage()))
    #expect(plain.columns.count == 20)
    #expect(scaled.columns.count == 40)
    #expect(scaled.rows.count == 20)
  }

  @Test("A swatch shows the whole image and all parts of a composite symbol")
  func swatches() async throws {
    var picture = try Self.picture(.red, 40, 10)
    (picture.angle, picture.offsetX) = (30, 500)
    let image = try await picture.makeSwatch(scale: 2)
    var alpha = 0
    for side in 0..<image.width {
      #expect(image[side, 0].alpha == 0)
      #expect(image[0, side].alpha == 0)
      for other in 0..<image.height { alpha += Int(image[side, other].alpha) }
    }
    #expect(abs(alpha - 255 * 80 * 20) < 255 * 40)
    let ring = CompositeSymbol(symbols: [
      SimpleMarkerSymbol(color: nil, size: 50, outline: SimpleLineSymbol(color: .blue, width: 2)),
      try Self.picture(.red, 10, 10),
    ])
    let ringed = try await ring.makeSwatch()
    #expect(ringed.width >= 52)
    #expect(ringed[ringed.width / 2, ringed.width / 2].red == 255)
    let road = try await CompositeSymbol(symbols: [
      SimpleLineSymbol(color: .black, width: 8), SimpleLineSymbol(color: .white, width: 4),
    ]).makeSwatch()
    #expect(road.width == 34)
    #expect(road[0, 17].red == 255)
    #expect(road[0, 14].red == 0)
    #expect(road[0, 14].alpha == 255)
  }

  @Test("A missing image is replaced by the default symbol with a warning")
  func missing() async throws {
    let symbol = PictureMarkerSymbol(picture: .failure(SymbolPictureError("lost at sea")))
    let view = try Self.view([Graphic(geometry: Self.place(0, 0), symbol: symbol)])
    let rendered = try await view.freeze().render()
    #expect(rendered.report.warnings.count == 1)
    #expect(rendered.report.warnings.first?.contains("lost at sea") == true)
    let standard = try await Self.view([
      Graphic(geometry: Self.place(0, 0), symbol: SymbolForm.standard(for: .point).symbol)
    ]).exportImage()
    #expect(rendered.bitmap == standard)
  }

  @Test("A size by field sets an image's height and scales a composite symbol in proportion")
  func sizes() async throws {
    let picture = try Self.picture(.red, 10, 5)
    var outer = SimpleMarkerSymbol(style: .square, color: .blue, size: 10)
    outer.offsetX = 20
    let renderers: [(any Symbol, ClosedRange<Int>, ClosedRange<Int>)] = [
      (picture, 30...69, 40...59), (CompositeSymbol(symbols: [picture, outer]), 40...99, 40...59),
    ]
    for (symbol, columns, rows) in renderers {
      var renderer = SimpleRenderer(symbol: symbol)
      renderer.visualVariables.size = SizeVariable(
        input: .field("n"), rule: .stops([VariableStop(0, 20), VariableStop(1, 20)]))
      let view = try Self.view([Graphic(geometry: Self.place(0, 0), attributes: ["n": 1])])
      view.graphicsOverlays[0].renderer = renderer
      let ink = try #require(Self.ink(try await view.exportImage()))
      #expect(ink.columns == columns)
      #expect(ink.rows == rows)
    }
  }
}
