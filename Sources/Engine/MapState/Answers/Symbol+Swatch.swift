import MapDrawing
import MapGeometry
public import MapImages
package import MapLayout
public import MapModel

extension Symbol {
  /// Returns an image of the symbol on a transparent background, as in legends.
  ///
  /// A marker is drawn in its own size, a line across the image, an area as a filled rectangle. Of a composite
  /// symbol, only the parts that suit its first part are shown.
  /// - Parameters:
  ///   - scale: the number of output pixels per pixel of 1/96 inch, 1 to 4.
  ///   - side: the side of the image in pixels of 1/96 inch; nil fits the symbol, with at least 20.
  /// - Throws: ``MapStateError``, of kind usage for an impossible size.
  public func makeSwatch(scale: Double = 1, side: Double? = nil) async throws(MapStateError) -> Bitmap {
    // One more pixel on each side keeps the symbol inside the image.
    let side = side ?? max(20, extentInPixels.rounded(.up) + 2)
    let half = side / 2
    func place(_ x: Double, _ y: Double) -> Point { Point(x: x, y: y, spatialReference: .webMercator) }
    let shown = form.centred
    let geometry: any Geometry
    switch shown.swatchKind {
    case .point, .multipoint: geometry = place(0, 0)
    case .polyline:
      let end = half - shown.arrowLength
      geometry = Polyline(points: [place(-end, 0), place(end, 0)])
    case .polygon:
      let inner = half - (shown.outlineWidth ?? 0) / 2
      geometry = Envelope(
        xMin: -inner, yMin: -inner, xMax: inner, yMax: inner, spatialReference: .webMercator)
    }
    return try await swatch(
      of: [Graphic(geometry: geometry, symbol: shown.symbol)], width: side, height: side, scale: scale)
  }

  /// The width and height of the symbol.
  private var extentInPixels: Double { form.centred.extentInPixels }
}

extension LegendEntry.DotSample {
  /// Returns an image of the sample on a transparent background, as in legends.
  ///
  /// - Parameter scale: the number of output pixels per pixel of 1/96 inch, 1 to 4.
  /// - Throws: ``MapStateError``, of kind usage for an impossible size.
  package func makeSwatch(scale: Double = 1) async throws(MapStateError) -> Bitmap {
    let (width, height) = (Self.size.width, Self.size.height)
    let edge = (area.outlineWidth ?? 0) / 2
    let (right, top) = (width / 2 - edge, height / 2 - edge)
    let box = Envelope(
      xMin: -right, yMin: -top, xMax: right, yMax: top, spatialReference: .webMercator)
    let dots = points(width: width, height: height).map { x, y in
      Graphic(
        geometry: Point(x: x - width / 2, y: height / 2 - y, spatialReference: .webMercator),
        symbol: dot.symbol)
    }
    return try await swatch(
      of: [Graphic(geometry: box, symbol: area.symbol)] + dots, width: width, height: height, scale: scale)
  }
}

/// Returns an image of graphics around the origin, one metre per pixel.
private func swatch(
  of graphics: [Graphic], width: Double, height: Double, scale: Double
) async throws(MapStateError) -> Bitmap {
  let map = Map()
  map.backgroundColor = nil
  let center = Point(x: 0, y: 0, spatialReference: .webMercator)
  let view = try MapView(
    map: map, width: width, height: height, pixelRatio: scale,
    viewpoint: Viewpoint(center: center, scale: ResolvedViewpoint.scalePerResolution),
    graphicsOverlays: [GraphicsOverlay(graphics: graphics)])
  return try await view.exportImage()
}

extension SymbolForm {
  /// The width and height of the symbol.
  fileprivate var extentInPixels: Double {
    switch self {
    case .marker(let marker):
      // A triangle's corner is farthest from the centre: two thirds of its height, plus the mitre of its outline.
      (marker.style == .triangle
        ? 4 / 3 : marker.style == .x || marker.style == .square ? 2.0.squareRoot() : 1)
        * marker.size + 2 * (marker.outline?.width ?? 0)
    case .line(let line): 4 * line.width
    case .fill(let fill): 8 * (fill.outline?.width ?? 0)
    case .pattern: 32
    case .vector(let vector): 2 * vector.radius
    case .placed(let placed): 2 * (placed.parts.map(\.extentInPixels).max() ?? 0)
    case .picture, .text: 2 * reach(measurer: TextEngine.measurer)
    case .composite(let composite):
      composite.parts.filter { $0.suits(swatchKind) }.map { part in
        swatchKind == .point ? 2 * part.reach(measurer: TextEngine.measurer) : part.extentInPixels
      }.max() ?? 0
    }
  }
}
