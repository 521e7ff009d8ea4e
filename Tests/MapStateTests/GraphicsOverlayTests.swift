import MapState
import Testing

/// Overlays as a whole: opacity, scale range and order.
@Suite struct GraphicsOverlayTests {
  private static var square: Graphic {
    Graphic(
      geometry: PictureDrawingTests.place(0, 0),
      symbol: SimpleMarkerSymbol(style: .square, color: .red, size: 20))
  }

  @Test("An overlay has one opacity and is drawn and found within its scales")
  func showing() async throws {
    let view = try PictureDrawingTests.view([Self.square])
    let (overlay, scale) = (view.graphicsOverlays[0], view.viewpoint.scale)
    overlay.opacity = 0.5
    let faded = try await view.exportImage()[50, 50]
    #expect(faded.red == 255)
    #expect(abs(Int(faded.green) - 128) <= 1)
    overlay.opacity = 1
    let ranges: [(Double, Double, Bool)] = [
      (0, 0, true), (scale, 0, true), (0, scale, true), (scale - 1, 0, false), (0, scale + 1, false),
    ]
    for (minScale, maxScale, isDrawn) in ranges {
      (overlay.minScale, overlay.maxScale) = (minScale, maxScale)
      #expect(try await view.exportImage()[50, 50].green == (isDrawn ? 0 : 255))
      let found = try await view.identify(
        on: overlay, screenPoint: ScreenPoint(x: 50, y: 50), tolerance: 0)
      #expect(found.graphics.isEmpty != isDrawn)
    }
  }

  @Test("Identify returns overlays from bottom to top")
  func order() async throws {
    let view = try PictureDrawingTests.view([Self.square])
    view.graphicsOverlays += [GraphicsOverlay(), GraphicsOverlay(graphics: [Self.square])]
    let found = try await view.identifyGraphicsOverlays(screenPoint: ScreenPoint(x: 50, y: 50), tolerance: 0)
    let overlays = view.graphicsOverlays
    #expect(found.map { $0.graphicsOverlay === overlays[0] } == [true, false])
    #expect(found.last?.graphicsOverlay === overlays[2])
  }
}
