internal import MapGeometry

/// A straight piece of a path that is stroked.
struct StrokeSegment {
  /// Its two ends.
  let x0: Double, y0: Double, x1: Double, y1: Double
  /// Its direction, of length 1.
  let dx: Double, dy: Double
  let length: Double
  /// The first of the segments before it that it surely shares no area with, if all between count too.
  var apartFrom = 0
  /// How it follows on the one before, if one does.
  var turn = StrokeTurn()
}

/// A turn from one segment of a path into the next.
struct StrokeTurn {
  /// Sine and cosine of the angle; 0 and 1 is straight on, the sine is above 0 when the turn is to the right.
  var sine = 0.0
  var cosine = 1.0
  /// True when both segments are long enough for their inner sides to meet in one corner.
  var isClean = true
}

/// The segments of some parts of a path, in pixels of a band.
struct StrokeSegments {
  /// A part of a path.
  struct Part {
    /// Its segments; that of a dot is one without length.
    let segments: Range<Int>
    let isClosed: Bool
    let isDot: Bool
  }

  /// Directions up to 45 degrees from one of them are within 90 of each other: a path that turns no farther does not
  /// come back to itself.
  private static let cone = 0.5.squareRoot()

  private(set) var segments: [StrokeSegment] = []
  private(set) var parts: [Part] = []
  private(set) var halfWidth = 0.0
  private var cleanTurns = 0

  /// Takes over those of some parts that come within `reach` of the rows of a band, without the vertices that
  /// ``StraightRun`` leaves out; `top` is the band's first row of pixels.
  mutating func read(
    _ geometry: borrowing CoordinateBuffer, parts range: Range<Int>, isClosed: Bool, halfWidth: Double,
    reach: Double, top: Double, height: Double
  ) {
    segments.removeAll(keepingCapacity: true)
    parts.removeAll(keepingCapacity: true)
    (self.halfWidth, cleanTurns) = (halfWidth, 0)
    let (x, y) = (geometry.x.span, geometry.y.span)
    let tolerance = geometry.kind == .polygon ? 1.0 / 16 : 1.0 / 64
    for part in range {
      let vertices = geometry.vertices(ofPart: part)
      var (highest, lowest) = (Double.infinity, -Double.infinity)
      for vertex in vertices { (highest, lowest) = (min(highest, y[vertex]), max(lowest, y[vertex])) }
      guard highest - reach < top + height, lowest + reach > top else { continue }
      let first = segments.count
      let start = Place(x[vertices.lowerBound], y[vertices.lowerBound] - top)
      var run = StraightRun(from: start, tolerance: tolerance)
      for vertex in vertices.dropFirst() {
        let place = Place(x[vertex], y[vertex] - top)
        if run.take(place) { continue }
        append(from: run.start, to: run.end)
        run.restart()
        _ = run.take(place)
      }
      append(from: run.start, to: run.end)
      if isClosed { append(from: run.end, to: start) }
      let isDot = segments.count == first
      if isDot {
        segments.append(
          StrokeSegment(x0: start.x, y0: start.y, x1: start.x, y1: start.y, dx: 1, dy: 0, length: 0))
      }
      parts.append(
        Part(segments: first..<segments.count, isClosed: isClosed && !isDot, isDot: isDot))
      join(first, isClosed: isClosed && !isDot)
    }
  }

  /// The bytes that there is room for.
  var byteCount: Int {
    segments.capacity * MemoryLayout<StrokeSegment>.stride + parts.capacity * MemoryLayout<Part>.stride
  }

  /// True when no part of the stroke can lie over another.
  var isSimple: Bool {
    parts.count == 1 && !parts[0].isClosed && segments.last?.apartFrom == 0
  }

  /// True when more than an eighth of the turns have no corner on their inner side, so that much lies over something.
  var isDense: Bool { cleanTurns * 8 < segments.count * 7 }

  @inline(__always)
  private mutating func append(from start: Place, to end: Place) {
    let way = end - start
    let length = (way.x * way.x + way.y * way.y).squareRoot()
    guard length > 0 else { return }
    segments.append(
      StrokeSegment(
        x0: start.x, y0: start.y, x1: end.x, y1: end.y, dx: way.x / length, dy: way.y / length, length: length
      ))
  }

  /// Finds the turns of a part, and how far back each segment's neighbours keep apart.
  private mutating func join(_ first: Int, isClosed: Bool) {
    // The segment that the directions since `start` are held against.
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
    // The corner of the inner sides lies back from the turn by half the width times tan(angle / 2).
    let back = halfWidth * abs(sine)
    // Straight back there is no such corner.
    let isClean = cosine > -0.999 && back <= 0.5 * min(a.length, b.length) * (1 + cosine)
    return StrokeTurn(sine: sine, cosine: cosine, isClean: isClean)
  }
}
