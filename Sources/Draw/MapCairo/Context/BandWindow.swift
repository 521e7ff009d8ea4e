internal import MapDrawing
internal import MapGeometry
internal import MapSystem

/// The part of an image that one band shows.
struct BandWindow {
  private(set) var width: Double
  private(set) var top: Double
  private(set) var bottom: Double
  /// The image row of the surface's first row.
  let origin: Double
  /// A request to leave the rest unpainted; nil for none.
  var stop: PaintingStop?

  /// Whether the rest stays unpainted.
  var isStopped: Bool { stop?.isGiven ?? false }

  init(width: Int, band: PictureBand) {
    (self.width, top, bottom) = (Double(width), Double(band.top), Double(band.top + band.height))
    origin = Double(band.top - band.apron)
  }

  /// Creates the window of an image that is painted as a whole.
  init(width: Double, height: Double) {
    (self.width, top, bottom, origin) = (width, 0, height, 0)
  }

  /// Returns the window whose bounds leave out pixels outside a region, with the same origin; nil for all pixels.
  func within(_ region: PixelRegion?) -> BandWindow {
    guard let region else { return self }
    var window = self
    window.width = min(width, Double(region.columns.upperBound))
    (window.top, window.bottom) = (
      max(top, Double(region.rows.lowerBound)), min(bottom, Double(region.rows.upperBound))
    )
    return window
  }

  /// Returns whether all pixels of the window within `reach` of a path's sides are in a region.
  func isInside(_ region: PixelRegion, _ sides: PathSides, reach: Double) -> Bool {
    func pixels(_ start: Double, _ end: Double, _ limits: Range<Int>) -> Range<Int> {
      let first = Int(clamping: (start - reach).rounded(.down))
      return (first..<max(first, Int(clamping: (end + reach).rounded(.up)))).clamped(to: limits)
    }
    return region.contains(
      columns: pixels(sides.left, sides.right, 0..<Int(clamping: width)),
      rows: pixels(sides.top, sides.bottom, Int(clamping: origin)..<Int(clamping: bottom)))
  }

  /// Whether the bounds leave out all pixels.
  var isEmpty: Bool { top >= bottom || width <= 0 }

  /// The window as an envelope.
  var area: Envelope { Envelope(xMin: 0, yMin: top, xMax: width, yMax: bottom) }

  /// Returns whether any part of a rectangle, extended by `reach`, may be visible; false when a side is NaN.
  func shows(left: Double, right: Double, top: Double, bottom: Double, reach: Double) -> Bool {
    right + reach > 0 && left - reach < width && bottom + reach > self.top && top - reach < self.bottom
  }
}

/// The bounding sides of a path's vertices.
struct PathSides {
  private(set) var left = Double.infinity
  private(set) var right = -Double.infinity
  private(set) var top = Double.infinity
  private(set) var bottom = -Double.infinity
  /// Whether all coordinates are finite and within Cairo's range.
  let isPaintable: Bool

  /// Creates the sides of all vertices.
  init(_ geometry: CoordinateBuffer) {
    self.init(geometry.x.span, geometry.y.span, 0..<geometry.vertexCount)
  }

  init(_ x: Span<Double>, _ y: Span<Double>, _ vertices: Range<Int>) {
    let limit = CairoContext.coordinateLimit
    var within = true
    for vertex in vertices {
      let (x, y) = (x[vertex], y[vertex])
      // These comparisons are false for NaN.
      within = within && abs(x) <= limit && abs(y) <= limit
      (left, right) = (min(left, x), max(right, x))
      (top, bottom) = (min(top, y), max(bottom, y))
    }
    isPaintable = within
  }
}

extension CairoContext {
  /// Sets the state that all items of a band share: tolerance, position and fill rule.
  func prepare(for window: BandWindow) {
    setTolerance(Self.tolerance)
    translate(x: 0, y: -window.origin)
    useEvenOddRule()
  }
}
