import MapCairo
import MapState
import MapTestSupport
import Testing

/// Arrows, map-aligned rotation and symbols by scale, as drawn.
@Suite struct SymbolMemberDrawingTests {
  private static func place(_ x: Double, _ y: Double) -> Point { PictureDrawingTests.place(x, y) }

  private static func ink(_ graphics: [Graphic], rotation: Double = 0) async throws -> [Int] {
    let view = try PictureDrawingTests.view(graphics, rotation: rotation)
    let found = try #require(PictureDrawingTests.ink(try await view.exportImage()))
    return [
      found.columns.lowerBound, found.columns.upperBound, found.rows.lowerBound, found.rows.upperBound,
    ]
  }

  @Test("A line's arrow is drawn at the named ends and points outwards")
  func arrows() async throws {
    var line = SimpleLineSymbol(color: .red, width: 4)
    line.markerStyle = .arrow
    func ink(_ placement: SimpleLineSymbol.MarkerPlacement) async throws -> [Int] {
      line.markerPlacement = placement
      let shape = Polyline(points: [Self.place(-20, 0), Self.place(20, 0)])
      return try await Self.ink([Graphic(geometry: shape, symbol: line)])
    }
    // The tip is 1.25 widths past the end; the head is 16 pixels wide.
    #expect(try await ink(.end) == [30, 74, 42, 57])
    #expect(try await ink(.begin) == [25, 69, 42, 57])
    #expect(try await ink(.beginAndEnd) == [25, 74, 42, 57])
    line.markerStyle = .none
    #expect(try await ink(.end) == [30, 69, 48, 51])
    // Both painters agree, and an area has no arrow.
    line.markerStyle = .arrow
    let shape = Polyline(points: [Self.place(-30, -30), Self.place(20, 0), Self.place(20.01, 0.4)])
    let state = try PictureDrawingTests.view([Graphic(geometry: shape, symbol: line)]).freeze()
    let (fast, reference) = (
      try await state.render().bitmap, try await state.render(method: .reference).bitmap
    )
    let apart = zip(fast.pixels, reference.pixels).map { abs(Int($0) - Int($1)) }.max() ?? 0
    #expect(apart <= 24, "\(apart)")
    let area = Envelope(xMin: -20, yMin: -20, xMax: 20, yMax: 20, spatialReference: .webMercator)
    let edge = SimpleFillSymbol(color: nil, outline: line)
    #expect(try await Self.ink([Graphic(geometry: area, symbol: edge)]) == [28, 71, 28, 71])
  }

  @Test("An arrow that reaches into the view is painted and counted as an edge feature")
  func arrowAtEdge() async throws {
    var line = SimpleLineSymbol(color: .red, width: 4)
    (line.markerStyle, line.markerPlacement) = (.arrow, .end)
    // The line ends just left of the view, which only the tip reaches.
    let shape = Polyline(points: [Self.place(-90, 0), Self.place(-53, 0)])
    let view = try PictureDrawingTests.view([Graphic(geometry: shape, symbol: line)])
    let image = try await view.exportImage()
    #expect(image[0, 49].green < 255 || image[0, 50].green < 255)
    let far = Polyline(points: [Self.place(-90, 0), Self.place(-56, 0)])
    let clear = try PictureDrawingTests.view([Graphic(geometry: far, symbol: line)])
    #expect(PictureDrawingTests.ink(try await clear.exportImage()) == nil)
    let state = view.freeze()
    let drawing = try await state.drawing(of: state.overlays[0], index: 0)
    #expect(Array(drawing.edge) == [0])
    #expect(drawing.drawn.isEmpty)
  }

  @Test("A symbol aligned to the map rotates with it")
  func alignment() async throws {
    var picture = try PictureDrawingTests.picture(.red, 20, 10)
    picture.angle = 90
    func ink() async throws -> [Int] {
      try await Self.ink([Graphic(geometry: Self.place(0, 0), symbol: picture)], rotation: 90)
    }
    #expect(try await ink() == [45, 54, 40, 59])
    picture.angleAlignment = .map
    #expect(try await ink() == [40, 59, 45, 54])
    // Rotated counter-clockwise by a quarter, a triangle that points up points left.
    var triangle = SimpleMarkerSymbol(style: .triangle, color: .red, size: 30)
    let up = try await Self.ink([Graphic(geometry: Self.place(0, 0), symbol: triangle)], rotation: 90)
    triangle.angleAlignment = .map
    let left = try await Self.ink([Graphic(geometry: Self.place(0, 0), symbol: triangle)], rotation: 90)
    #expect(up[2] <= 31)
    #expect(left[0] <= 31)
    #expect(left[1] < 62)
  }

  @Test("A class without a symbol at a scale is neither drawn nor counted as drawn")
  func scales() async throws {
    var value = UniqueValueRenderer.UniqueValue(
      symbol: SimpleMarkerSymbol(style: .square, color: .red, size: 10), values: ["a"],
      alternateSymbols: [
        SymbolReference(
          SimpleMarkerSymbol(style: .square, color: .blue, size: 20),
          SymbolReferenceProperties(minScale: 6 * ResolvedViewpoint.scalePerResolution))
      ])
    value.referenceProperties = SymbolReferenceProperties(minScale: 2 * ResolvedViewpoint.scalePerResolution)
    for (scale, side) in [(1.0, 10), (4.0, 20), (8.0, 0)] {
      let view = try PictureDrawingTests.view(
        [Graphic(geometry: Self.place(0, 0), attributes: ["k": "a"])], scale: scale)
      view.graphicsOverlays[0].renderer = UniqueValueRenderer(fieldNames: ["k"], uniqueValues: [value])
      #expect(PictureDrawingTests.ink(try await view.exportImage())?.columns.count ?? 0 == side)
      let state = view.freeze()
      let drawing = try await state.drawing(of: state.overlays[0], index: 0)
      #expect(drawing.drawn.isEmpty == (side == 0))
    }
  }
}
