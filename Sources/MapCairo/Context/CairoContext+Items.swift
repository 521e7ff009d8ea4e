internal import MapSystem
internal import MapDrawing
internal import MapGeometry
internal import MapModel

/// The paint for items.
enum Ink {
  /// The items' own colours, blended.
  case colors
  /// Numbers as 24-bit colours: the items of this range are numbered from 1, other items are skipped.
  case numbers(Range<Int>)
}

/// The part of an image that one band shows.
struct BandWindow {
  let width: Double
  let top: Double
  let bottom: Double
  /// The image row of the surface's first row.
  let origin: Double

  init(width: Int, band: PictureBand) {
    (self.width, top, bottom) = (Double(width), Double(band.top), Double(band.top + band.height))
    origin = Double(band.top - band.apron)
  }

  /// Returns whether any part of a rectangle, extended by `reach`, may be visible; false when a side is NaN.
  func shows(left: Double, right: Double, top: Double, bottom: Double, reach: Double) -> Bool {
    right + reach > 0 && left - reach < width && bottom + reach > self.top && top - reach < self.bottom
  }
}

/// Painting of items, one by one and in order.
///
/// Items are never joined into one path: that is slower (measured: 4264 against 3093 ns per circle), and wrong where
/// they overlap.
///
/// Items that cannot be visible in the band are skipped before Cairo gets them. In every band, items are skipped when
/// a coordinate is not finite or beyond ``coordinateLimit``, or when their size or width is not above 0. Sizes and
/// widths are limited to ``sizeLimit`` and ``widthLimit``.
extension CairoContext {
  /// The largest painted coordinate, in pixels from the origin: twice the longest side of an image.
  ///
  /// Cairo can represent 2^23. But it paints a line at the wrong position when both ends are 100,000 px or more
  /// outside. With 95,000 px the position is right (measured, Cairo 1.16). The corners of the widest stroke reach
  /// 20,480 px farther.
  static var coordinateLimit: Double { 65_536 }
  /// The maximum size of a marker.
  static var sizeLimit: Double { 65_536 }
  /// The maximum width of a stroke.
  static var widthLimit: Double { Stroke.widthLimit }
  /// The maximum distance between a circle and the chords drawn for it, in pixels.
  ///
  /// At Cairo's 0.1 a circle of 10 px consists of two half circles of one curve each, and is 1.2 % too large. At
  /// 0.025, circles of 2 px and more are within 1 % of their area and take a third more time (measured: 4.4 against
  /// 3.2 µs at 6 px).
  static var tolerance: Double { 0.025 }

  /// Sets the state that all items of a band share: tolerance, position and fill rule.
  func prepare(for window: BandWindow) {
    setTolerance(Self.tolerance)
    translate(x: 0, y: -window.origin)
    useEvenOddRule()
  }

  /// Paints the items of a layer that are visible in `window`.
  ///
  /// - Parameter prepared: the prepared batches of the fast method; when empty, Cairo paints everything.
  func paint(
    _ layer: DisplayLayer, prepared: [PreparedBatch] = [], ink: Ink, window: BandWindow,
    work: PaintingWork? = nil
  ) throws(CairoError) {
    var first = 0
    var raster: PathRaster?
    for (index, batch) in layer.batches.enumerated() {
      let items = ink.items(first: first, count: batch.itemCount)
      switch (batch, index < prepared.count ? prepared[index] : .plain) {
      case (.markers(let markers), .masks(let masks)):
        try paint(markers, masks: masks, origin: Int(clamping: window.origin))
      case (.markers(let markers), _):
        try paint(markers, items: items, first: first, ink: ink, window: window)
      case (.paths(let paths), .paths(let prepared)):
        try paint(paths, prepared: prepared, window: window, raster: &raster)
      case (.paths(let paths), _):
        try paint(paths, items: items, first: first, ink: ink, window: window, raster: &raster)
      case (.labels(let labels), _):
        paint(labels, items: items, first: first, ink: ink, window: window)
      }
      first += batch.itemCount
    }
    if let work, let counts = raster?.allWork { work.add(counts) }
  }

  /// Paints markers one by one.
  private func paint(
    _ batch: MarkerBatch, items: Range<Int>, first: Int, ink: Ink, window: BandWindow
  ) throws(CairoError) {
    let looks = batch.styles.map(Look.init)
    let (x, y, style) = (batch.x.span, batch.y.span, batch.style.span)
    for item in items {
      let look = looks[Int(style[item])]
      let (x, y) = (x[item] + look.offsetX, y[item] + look.offsetY)
      guard look.size > 0, window.shows(left: x, right: x, top: y, bottom: y, reach: look.radius + look.reach)
      else { continue }
      newPath()
      addMarker(look, x: x, y: y)
      fillPath(look, ink: ink, item: first + item, box: nil)
      if let block = look.block {
        try paint(block, angle: look.angle, x: x, y: y, ink: ink, window: window)
        newPath()
        addMarker(look, x: x, y: y)
      }
      if look.stroke != nil {
        prepareStroke(look, ink: ink)
        stroke()
      }
    }
  }

  private func addMarker(_ look: Look, x: Double, y: Double) {
    addMarker(look.chains, isOpen: look.isOpen, radius: look.size / 2, x: x, y: y)
  }

  /// Adds a marker's shape about a point: its chains, or a circle.
  func addMarker(_ chains: [[(x: Double, y: Double)]], isOpen: Bool, radius: Double, x: Double, y: Double) {
    guard !chains.isEmpty else { return circle(x: x, y: y, radius: radius) }
    for chain in chains {
      move(x: x + chain[0].x, y: y + chain[0].y)
      for vertex in chain.dropFirst() { line(x: x + vertex.x, y: y + vertex.y) }
      if !isOpen { close() }
    }
  }

  private func paint(
    _ batch: PathBatch, items: Range<Int>, first: Int, ink: Ink, window: BandWindow, raster: inout PathRaster?
  ) throws(CairoError) {
    let looks = batch.styles.map(Look.init)
    let geometry = batch.geometry
    let (x, y, style) = (geometry.x.span, geometry.y.span, batch.style.span)
    for item in items {
      let look = looks[Int(style[item])]
      if look.fill == nil && look.hatch == nil && look.stroke == nil { continue }
      let closed = geometry.kind == .polygon && !look.isOpen
      let sides = PathSides(x, y, geometry.vertices(ofRow: item))
      guard sides.isPaintable,
        window.shows(
          left: sides.left, right: sides.right, top: sides.top, bottom: sides.bottom, reach: look.reach)
      else { continue }
      let isLong = geometry.vertices(ofRow: item).count > Self.longRings
      func addPath() {
        newPath()
        for part in geometry.parts(ofRow: item) {
          addPart(x, y, geometry.vertices(ofPart: part), closed: closed)
        }
      }
      if isLong, case .numbers(let range) = ink {
        setNumber(first + item - range.lowerBound + 1)
        if look.fill != nil || look.hatch != nil {
          fillCentres(geometry, row: item, box: sides, window: window)
        }
        addPath()
      } else if isLong, let hatch = look.hatch {
        if raster == nil { raster = PathRaster(window) }
        try raster?.paint(hatch, geometry, row: item, box: sides, window: window, on: self)
        addPath()
      } else {
        addPath()
        fillPath(look, ink: ink, item: first + item, box: sides)
      }
      guard look.stroke != nil else { continue }
      prepareStroke(look, ink: ink)
      if !isCrowded(geometry, row: item, sides: sides, width: look.width) {
        stroke()
      } else {
        try strokeInPieces(
          geometry, row: item, closed: closed, look: look, isSoft: ink.isSoft, window: window)
      }
    }
  }

  func addPart(_ x: Span<Double>, _ y: Span<Double>, _ vertices: Range<Int>, closed: Bool) {
    guard let start = vertices.first else { return }
    var end = vertices.upperBound
    // `close` replaces the ring's repeated vertex, which makes a join there instead of two caps.
    if closed, end - start > 1, x[end - 1] == x[start], y[end - 1] == y[start] { end -= 1 }
    move(x: x[start], y: y[start])
    for vertex in start + 1..<max(end, start + 1) { line(x: x[vertex], y: y[vertex]) }
    if closed { close() }
  }

  /// Fills the path.
  func fillPath(_ look: Look, ink: Ink, item: Int, box: PathSides?) {
    if case .numbers(let range) = ink { setNumber(item - range.lowerBound + 1) }
    if let color = look.fill {
      if case .colors = ink { setColor(color) }
      fill()
    } else if look.block != nil, case .numbers = ink {
      // An image or text owns its whole rectangle.
      fill()
    }
    if let hatch = look.hatch, let box {
      // In an id image the whole area owns its pixels, not only the hatch lines.
      if case .colors = ink { paint(hatch, box: box) } else { fill() }
    }
  }

  /// Sets the colour, width and ends of a stroke.
  private func prepareStroke(_ look: Look, ink: Ink) {
    if case .colors = ink, let color = look.stroke { setColor(color) }
    setLineWidth(look.width)
    setLineEnds(cap: look.cap, join: look.join, miterLimit: look.miterLimit)
  }

  func setColor(_ color: Color) {
    setColor(
      red: Double(color.red) / 255, green: Double(color.green) / 255, blue: Double(color.blue) / 255,
      alpha: Double(color.alpha) / 255)
  }

  /// Sets a 24-bit number as paint; Cairo returns n for n / 255 exactly, as a test shows.
  func setNumber(_ number: Int) {
    setColor(
      red: Double(number >> 16 & 255) / 255, green: Double(number >> 8 & 255) / 255,
      blue: Double(number & 255) / 255)
  }
}

/// The style of a marker or path as painted: sizes within limits, without transparent colours.
struct Look {
  var shape = MarkerShape.circle
  /// The content of the marker's rectangle; nil for a shape.
  var block: MarkerBlock?
  /// The marker's chains relative to its point; none for a circle.
  var chains: [[(x: Double, y: Double)]] = []
  var size = 0.0
  /// The marker's clockwise rotation, in degrees.
  var angle = 0.0
  /// The distance from the marker's point to its farthest point, in pixels.
  var radius = 0.0
  var offsetX = 0.0
  var offsetY = 0.0
  var isOpen = false
  let fill: Color?
  let hatch: Hatch?
  let stroke: Color?
  let width: Double
  let cap: SimpleLineSymbol.Cap
  let join: SimpleLineSymbol.Join
  let miterLimit: Double
  /// The largest distance of paint from the path, in pixels: one for anti-aliasing, and the stroke.
  let reach: Double

  init(_ style: MarkerStyle) {
    self.init(fill: style.fill, hatch: nil, stroke: style.outline)
    (shape, size, angle) = (style.shape, min(style.size, CairoContext.sizeLimit), style.angle)
    chains = style.block == nil ? shape.outline(size: size, angle: angle) : style.chains
    radius = style.block == nil ? size * shape.radius : style.radius
    (block, offsetX, offsetY, isOpen) = (style.block, style.offsetX, style.offsetY, style.isOpen)
  }

  init(_ style: PathStyle) {
    self.init(fill: style.fill, hatch: style.hatch, stroke: style.stroke)
    isOpen = style.isOpen
  }

  private init(fill: Color?, hatch: Hatch?, stroke: Stroke?) {
    self.fill = fill.flatMap { $0.alpha > 0 ? $0 : nil }
    self.hatch = hatch.flatMap { $0.color.alpha > 0 ? $0 : nil }
    let stroke = stroke.flatMap { $0.width > 0 && $0.color.alpha > 0 ? $0 : nil }
    self.stroke = stroke?.color
    let width = min(stroke?.width ?? 0, CairoContext.widthLimit)
    self.width = width
    (cap, join) = (stroke?.cap ?? .butt, stroke?.join ?? .miter)
    miterLimit = stroke?.miterLimit ?? Stroke.miterLimit
    reach = 1 + (stroke.map { $0.reach * width / $0.width } ?? 0)
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

extension Ink {
  /// Whether edges are anti-aliased.
  fileprivate var isSoft: Bool { if case .colors = self { true } else { false } }

  /// Returns the items of a batch that are painted; `first` is the number of its first item within the layer.
  fileprivate func items(first: Int, count: Int) -> Range<Int> {
    switch self {
    case .colors: 0..<count
    case .numbers(let range):
      (range.lowerBound - first..<range.upperBound - first).clamped(to: 0..<count)
    }
  }
}
