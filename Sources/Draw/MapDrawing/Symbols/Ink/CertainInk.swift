import MapGeometry
import MapModel

/// A test of whether an item surely changes a pixel of the image, without painting it.
///
/// It compares the area of the item's ink with the number of pixels that the ink may touch: one of them has at least the
/// mean. Items that fail the test are painted alone to find out, see ``LayerDrawing/doubtful``.
struct CertainInk: Sendable {
  /// The mean alpha of the touched pixels from which an item is certain.
  ///
  /// - Source: design decision: four times the smallest step of 8 bits, which is more than a painter rounds off.
  private static let leastAlpha = 4.0
  /// The alpha of a fill from which a few tenths of a pixel are certain.
  private static let leastFill = 64.0

  /// The image, in pixels.
  let canvas: Envelope
  /// The opacity of the layer, 0 to 1.
  let opacity: Double

  /// Whether no item changes a pixel, because the opacity of the layer is rounded to 0.
  var isClear: Bool { !(opacity * 255 >= 0.5) }

  private func isCertain(_ color: Color, area: Double, pixels: Double) -> Bool {
    area / pixels * Double(color.alpha) * opacity >= Self.leastAlpha
  }

  /// Returns whether a stroke is certain where a piece of it has a length, in pixels.
  private func isCertain(_ stroke: Stroke, length: Double) -> Bool {
    // Of a longer piece, a part as long as this has the largest share of its pixels.
    let length = min(length, stroke.width + 2)
    let side = stroke.width + length + 2
    return isCertain(stroke.color, area: stroke.width * length, pixels: side * side)
  }

  // MARK: Markers

  /// Returns whether the markers of a style are certain where they lie inside the image.
  func isCertain(_ style: MarkerStyle) -> Bool {
    let side = 2 * style.radius + 2
    if let fill = style.fill, !style.isOpen, isCertain(fill, area: style.area, pixels: side * side) {
      return true
    }
    return style.outline.map { isCertain($0, length: 2 * style.size) } ?? false
  }

  /// Returns whether a marker at a point, to which its offset is added, is certain at the border of the image.
  func isCertain(_ style: MarkerStyle, atBorderX x: Double, y: Double) -> Bool {
    guard let fill = style.fill, !style.isOpen, Double(fill.alpha) * opacity >= Self.leastFill else {
      return false
    }
    let (dx, dy) = (max(canvas.xMin - x, 0, x - canvas.xMax), max(canvas.yMin - y, 0, y - canvas.yMax))
    // Half a pixel of a circle of this size covers a quarter of a pixel even at a corner of the image.
    let reach = style.innerRadius - 0.5
    return reach >= 0.5 && dx * dx + dy * dy <= reach * reach
  }

  // MARK: Shapes

  /// Returns whether a vector marker is certain where it lies inside the image.
  func isCertain(_ symbol: ShapeSymbol) -> Bool {
    symbol.shapes.contains { shape in
      var path = CoordinateBuffer(kind: .polygon)
      for part in shape.parts {
        for index in part { path.appendVertex(x: shape.x[index], y: shape.y[index]) }
        path.endPart()
      }
      path.endRow()
      guard !path.isEmpty(row: 0) else { return false }
      let everywhere = CertainInk(canvas: path.envelope(ofRow: 0), opacity: opacity)
      return everywhere.isCertain(
        PathStyle(fill: shape.fill, stroke: shape.stroke, classIndex: 0), path, row: 0)
    }
  }

  // MARK: Paths

  /// Returns the certainty of an item of a batch.
  func ink(ofItem item: Int, in batch: PathBatch) -> ItemInk {
    let (style, path) = (batch.styles[Int(batch.style[item])], batch.geometry)
    // A region may cut off any part of an item.
    if batch.region == nil, isCertain(style, path, row: item) { return .certain }
    guard style.fill == nil, style.hatch == nil else { return .doubtful }
    guard let stroke = style.stroke else { return .none }
    let reach = StrokeReach(canvas: canvas, stroke: stroke)
    let paints = path.parts(ofRow: item).contains { part in
      let range = path.vertices(ofPart: part)
      return reach.paints(
        x: path.x[range], y: path.y[range], closed: path.kind == .polygon && !style.isOpen)
    }
    return paints ? .doubtful : .none
  }

  private func isCertain(_ style: PathStyle, _ path: CoordinateBuffer, row: Int) -> Bool {
    if let stroke = style.stroke, isCertain(stroke, path, row: row) { return true }
    return style.certainFill.map { isCertain(fill: $0, path, row: row) } ?? false
  }

  /// Returns whether a piece of a path inside the image is long enough for its stroke.
  private func isCertain(_ stroke: Stroke, _ path: CoordinateBuffer, row: Int) -> Bool {
    guard isCertain(stroke, length: .infinity) else { return false }
    let (x, y) = (path.x.span, path.y.span)
    for part in path.parts(ofRow: row) {
      // The box of the vertices since the path entered the image.
      var (left, right, top, bottom) = (Double.infinity, -Double.infinity, Double.infinity, -Double.infinity)
      var last: (x: Double, y: Double, isInside: Bool)?
      for vertex in path.vertices(ofPart: part) {
        let own = (x: x[vertex], y: y[vertex], isInside: canvas.contains(x: x[vertex], y: y[vertex]))
        defer { last = own }
        if let last, !(last.isInside && own.isInside) {
          let length = canvas.length(from: (last.x, last.y), to: (own.x, own.y))
          if length > 0, isCertain(stroke, length: length) { return true }
        }
        guard own.isInside else {
          (left, right, top, bottom) = (.infinity, -.infinity, .infinity, -.infinity)
          continue
        }
        (left, right, top, bottom) = (
          min(left, own.x), max(right, own.x), min(top, own.y), max(bottom, own.y)
        )
        let length = max(right - left, bottom - top)
        if length > 0, isCertain(stroke, length: length) { return true }
      }
    }
    return false
  }

  /// Returns whether the inside of a path has enough area for its number of pixels.
  private func isCertain(fill: Color, _ path: CoordinateBuffer, row: Int) -> Bool {
    guard !path.isEmpty(row: row) else { return false }
    guard !canvas.contains(path.envelope(ofRow: row)) else {
      return isCertain(fill: fill, inside: path, row: row)
    }
    guard path.kind == .polygon else { return false }
    var shown = CoordinateBuffer(kind: .polygon)
    shown.appendRow(row, of: path, clippedTo: canvas)
    return !shown.isEmpty(row: 0) && isCertain(fill: fill, inside: shown, row: 0)
  }

  private func isCertain(fill: Color, inside path: CoordinateBuffer, row: Int) -> Bool {
    let rings = path.parts(ofRow: row).map { Ring(path, path.vertices(ofPart: $0)) }
    guard let largest = rings.indices.max(by: { rings[$0].area < rings[$1].area }) else { return false }
    var ring = rings[largest]
    // Holes, and parts that overlap the largest one, may take their area from it.
    for index in rings.indices where index != largest && rings[index].box.meets(ring.box) {
      ring.area -= rings[index].area
      ring.length += rings[index].length
    }
    // A curve enters one more pixel at each line of the pixel grid that it crosses.
    return isCertain(fill, area: ring.area, pixels: ring.area + ring.length + 2)
  }

  /// The size of a ring, in pixels.
  private struct Ring {
    var area: Double
    /// The sum of the lengths along both axes.
    var length = 0.0
    var box = Envelope.empty

    init(_ path: CoordinateBuffer, _ vertices: Range<Int>) {
      area = 0
      guard let first = vertices.first, let end = vertices.last else { return }
      let (x, y) = (path.x.span, path.y.span)
      let origin = (x: x[first], y: y[first])
      var last = (x: x[end] - origin.x, y: y[end] - origin.y)
      var (xMin, yMin, xMax, yMax) = (0.0, 0.0, 0.0, 0.0)
      for vertex in vertices {
        let own = (x: x[vertex] - origin.x, y: y[vertex] - origin.y)
        area += last.x * own.y - own.x * last.y
        length += abs(own.x - last.x) + abs(own.y - last.y)
        (xMin, xMax, yMin, yMax) = (min(xMin, own.x), max(xMax, own.x), min(yMin, own.y), max(yMax, own.y))
        last = own
      }
      area = abs(area) / 2
      box = Envelope(
        xMin: origin.x + xMin, yMin: origin.y + yMin, xMax: origin.x + xMax, yMax: origin.y + yMax)
    }
  }
}

extension MarkerStyle {
  /// The area of the shape or rectangle, in square pixels; 0 for strokes only.
  fileprivate var area: Double {
    if let box = block?.box { return box.width * box.height }
    return switch shape {
    case .circle: .pi / 4 * size * size
    case .square: size * size
    case .diamond: size * size / 2
    case .triangle: 0.577 * size * size
    case .cross, .x: 0
    }
  }

  /// The radius of a circle about the point inside the shape, in pixels; 0 for rectangles and strokes.
  fileprivate var innerRadius: Double {
    guard block == nil else { return 0 }
    return switch shape {
    case .circle, .square: size / 2
    case .diamond: size * 0.35
    case .triangle: size * 0.33
    case .cross, .x: 0
    }
  }
}

extension PathStyle {
  /// The colour of a fill that covers the whole inside, which for a gradient is its most transparent one.
  ///
  /// Nil for other hatches.
  fileprivate var certainFill: Color? {
    if let fill { return fill }
    guard case .gradient(let gradient)? = hatch?.pattern else { return nil }
    return gradient.stops.map(\.color).min { $0.alpha < $1.alpha }
  }
}

extension Envelope {
  /// Returns the larger length along an axis of the piece of a segment inside the envelope.
  fileprivate func length(
    from a: (x: Double, y: Double), to b: (x: Double, y: Double)
  ) -> Double {
    var (start, end) = (0.0, 1.0)
    for (from, delta, low, high) in [(a.x, b.x - a.x, xMin, xMax), (a.y, b.y - a.y, yMin, yMax)] {
      guard delta != 0 else {
        if from < low || from > high { return 0 }
        continue
      }
      let (first, second) = ((low - from) / delta, (high - from) / delta)
      (start, end) = (max(start, min(first, second)), min(end, max(first, second)))
    }
    return max(end - start, 0) * max(abs(b.x - a.x), abs(b.y - a.y))
  }
}
