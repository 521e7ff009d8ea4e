internal import MapGeometry
internal import MapSystem

/// A straight segment of a path that is stroked.
struct StrokeSegment {
  /// The two ends of the segment.
  let x0: Double, y0: Double, x1: Double, y1: Double
  /// The direction of the segment, of length 1.
  let dx: Double, dy: Double
  let length: Double
  /// The lowest segment number from which on no segment before this one can share area with it.
  var apartFrom = 0
  /// The turn from the previous segment; straight on if there is none.
  var turn = StrokeTurn()
}

/// A turn from one segment of a path into the next.
struct StrokeTurn {
  /// The sine and cosine of the angle: 0 and 1 for straight on; the sine is above 0 for a turn to the right.
  var sine = 0.0
  var cosine = 1.0
  /// Whether both segments are long enough for their inner sides to meet in one corner.
  var isClean = true
}

/// The segments of some parts of a path, in pixels of a band.
struct StrokeSegments {
  /// A part of a path.
  struct Part {
    /// The range of its segments; a dot has one segment without length.
    let segments: Range<Int>
    let isClosed: Bool
    let isDot: Bool
  }

  /// The cosine of 45 degrees.
  ///
  /// Directions within 45 degrees of one direction are within 90 degrees of each other. A path that keeps to them
  /// does not return to itself.
  private static let cone = 0.5.squareRoot()

  private(set) var segments: [StrokeSegment] = []
  private(set) var parts: [Part] = []
  private(set) var halfWidth = 0.0
  /// The rows of the band that the stroke of the segments may reach.
  private(set) var rows = 0..<0
  private var cleanTurns = 0

  /// Reads the parts that come within `reach` of a band's rows, without the vertices that ``StraightRun`` drops.
  ///
  /// `top` is the image row of the band's first row. `sides` are those of a single part, which must be in the band.
  mutating func read(
    _ geometry: borrowing CoordinateBuffer, parts range: Range<Int>, isClosed: Bool, halfWidth: Double,
    reach: Double, top: Double, height: Double, sides: PathSides? = nil
  ) {
    segments.removeAll(keepingCapacity: true)
    parts.removeAll(keepingCapacity: true)
    (self.halfWidth, cleanTurns) = (halfWidth, 0)
    let (x, y) = (geometry.x.span, geometry.y.span)
    let tolerance = geometry.kind == .polygon ? 1.0 / 16 : 1.0 / 64
    var (least, most) = (Double.infinity, -Double.infinity)
    for part in range {
      let vertices = geometry.vertices(ofPart: part)
      var (highest, lowest) = (Double.infinity, -Double.infinity)
      if let sides {
        (highest, lowest) = (sides.top, sides.bottom)
      } else {
        for vertex in vertices { (highest, lowest) = (min(highest, y[vertex]), max(lowest, y[vertex])) }
      }
      guard highest - reach < top + height, lowest + reach > top else { continue }
      (least, most) = (min(least, highest), max(most, lowest))
      let first = segments.count
      let start = Place(x[vertices.lowerBound], y[vertices.lowerBound] - top)
      var run = StraightRun(from: start, tolerance: tolerance)
      for vertex in vertices.dropFirst() {
        let place = Place(x[vertex], y[vertex] - top)
        if run.take(place) { continue }
        append(from: run.start, to: run.end, length: run.length)
        run.restart()
        _ = run.take(place)
      }
      append(from: run.start, to: run.end, length: run.length)
      if isClosed {
        let way = start - run.end
        append(from: run.end, to: start, length: (way.x * way.x + way.y * way.y).squareRoot())
      }
      let isDot = segments.count == first
      if isDot {
        segments.append(
          StrokeSegment(x0: start.x, y0: start.y, x1: start.x, y1: start.y, dx: 1, dy: 0, length: 0))
      }
      parts.append(
        Part(segments: first..<segments.count, isClosed: isClosed && !isDot, isDot: isDot))
      join(first, isClosed: isClosed && !isDot)
    }
    // One more row on either side covers rounding.
    let (first, last) = ((least - reach - top).rounded(.down) - 1, (most + reach - top).rounded(.up) + 1)
    rows =
      parts.isEmpty
      ? 0..<0 : (Int(clamping: first)..<Int(clamping: last)).clamped(to: 0..<Int(clamping: height))
  }

  /// The bytes of allocated memory.
  var byteCount: Int {
    segments.capacity * MemoryLayout<StrokeSegment>.stride + parts.capacity * MemoryLayout<Part>.stride
  }

  /// Whether no part of the stroke can overlap another.
  var isSimple: Bool {
    parts.count == 1 && !parts[0].isClosed && segments.last?.apartFrom == 0
  }

  /// Whether more than an eighth of the turns have no corner on their inner side, so that much of the stroke
  /// overlaps.
  var isDense: Bool { cleanTurns * 8 < segments.count * 7 }

  @inline(__always)
  private mutating func append(from start: Place, to end: Place, length: Double) {
    guard length > 0 else { return }
    let way = end - start
    segments.append(
      StrokeSegment(
        x0: start.x, y0: start.y, x1: end.x, y1: end.y, dx: way.x / length, dy: way.y / length, length: length
      ))
  }

  /// Determines the turns of a part, and for each segment the preceding segments that do not overlap it.
  private mutating func join(_ first: Int, isClosed: Bool) {
    // The segment with which the directions since `start` are compared.
    var (start, reference) = (first, first)
    segments[first].apartFrom = first
    if isClosed { segments[first].turn = turn(segments[segments.count - 1], segments[first]) }
    for index in first + 1..<segments.count {
      let turn = turn(segments[index - 1], segments[index])
      segments[index].turn = turn
      if turn.isClean { cleanTurns += 1 }
      if !turn.isClean {
        (start, reference) = (index, index)
      } else if !isAlong(index, reference) {
        (start, reference) = (index, index)
        while start > first, segments[start].turn.isClean, isAlong(start - 1, reference) { start -= 1 }
      }
      segments[index].apartFrom = start
    }
  }

  private func isAlong(_ a: Int, _ b: Int) -> Bool {
    segments[a].dx * segments[b].dx + segments[a].dy * segments[b].dy >= Self.cone
  }

  @inline(__always)
  private func turn(_ a: StrokeSegment, _ b: StrokeSegment) -> StrokeTurn {
    let sine = a.dx * b.dy - a.dy * b.dx
    let cosine = a.dx * b.dx + a.dy * b.dy
    // The distance of the inner corner from the turn, back along the segment, is half the width times tan(angle / 2).
    let back = halfWidth * abs(sine)
    // A reversal has no such corner.
    let isClean = cosine > -0.999 && back <= 0.5 * min(a.length, b.length) * (1 + cosine)
    return StrokeTurn(sine: sine, cosine: cosine, isClean: isClean)
  }
}
