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

  /// Creates a segment of a length above 0.
  @inline(__always)
  init(from start: Place, to end: Place, length: Double) {
    let direction = (end - start) / length
    (x0, y0, x1, y1) = (start.x, start.y, end.x, end.y)
    (dx, dy, self.length) = (direction.x, direction.y, length)
  }

  /// Creates a segment without length.
  init(dot: Place) { (x0, y0, x1, y1, dx, dy, length) = (dot.x, dot.y, dot.x, dot.y, 1, 0, 0) }
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

  private(set) var segments: [StrokeSegment] = []
  private(set) var parts: [Part] = []
  private(set) var halfWidth = 0.0
  /// The rows of the band that the stroke of the segments may reach.
  private(set) var rows = 0..<0
  private var cleanTurns = 0
  /// The width and height of the part that was read last, in pixels.
  private(set) var extent = SIMD2<Double>.zero

  /// Reads the parts that come within `reach` of a band's rows, without the vertices that ``StraightRun`` drops.
  ///
  /// `top` is the image row of the band's first row. `sides` are those of a single part, which must be in the band.
  /// Small parts are simplified as large ones are, unless `keepsSmall`.
  mutating func read(
    _ geometry: borrowing CoordinateBuffer, parts range: Range<Int>, isClosed: Bool, halfWidth: Double,
    reach: Double, top: Double, height: Double, sides: PathSides? = nil,
    keepsSmall: Bool = true
  ) {
    segments.removeAll(keepingCapacity: true)
    parts.removeAll(keepingCapacity: true)
    (self.halfWidth, cleanTurns) = (halfWidth, 0)
    let (x, y) = (geometry.x.span, geometry.y.span)
    var (least, most) = (Double.infinity, -Double.infinity)
    for part in range {
      let vertices = geometry.vertices(ofPart: part)
      let sides = sides ?? PathSides(x, y, vertices)
      let (highest, lowest) = (sides.top, sides.bottom)
      guard highest - reach < top + height, lowest + reach > top else { continue }
      (least, most) = (min(least, highest), max(most, lowest))
      extent = SIMD2(sides.right - sides.left, sides.bottom - sides.top)
      let tolerance = StraightRun.Tolerance(
        x, y, vertices, size: keepsSmall ? extent.max() : .infinity, isRing: geometry.kind == .polygon)
      let first = segments.count
      let start = Place(x[vertices.lowerBound], y[vertices.lowerBound] - top)
      segments.append(addingCapacity: vertices.count) { segments in
        // No closure may capture the run, because each access to it would be checked.
        var run = StraightRun(from: start, tolerance)
        for vertex in vertices.dropFirst() {
          let place = Place(x[vertex], y[vertex] - top)
          if run.take(place) { continue }
          if let segment = run.segment { segments.append(segment) }
          run.restart()
          _ = run.take(place)
        }
        if let segment = run.segment { segments.append(segment) }
        if isClosed {
          let way = start - run.end
          let length = (way.x * way.x + way.y * way.y).squareRoot()
          if length > 0 { segments.append(StrokeSegment(from: run.end, to: start, length: length)) }
        }
      }
      let isDot = segments.count == first
      if isDot {
        segments.append(StrokeSegment(dot: start))
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

  /// The number of segments up to which a ring may be painted as a convex one.
  private static let convexLimit = 64
  /// The size and the mean width, in pixels, up to which a ring may be painted as a convex one.
  ///
  /// - Source: design decision; the samples of larger rings are off by less than 1 % of their area.
  private static let (smallSize, thinWidth) = (6.0, 2.0)
  /// The greatest sine of a turn to the wrong side that counts as straight on.
  private static let straight = 1e-6

  /// Whether the first turn with an angle is to the right.
  var turnsRight: Bool { (segments.first { abs($0.turn.sine) > Self.straight }?.turn.sine ?? 0) > 0 }

  /// Whether the segments are one convex ring that is small or thin.
  var isSmallConvexRing: Bool {
    guard parts.count == 1, parts[0].isClosed, 3...Self.convexLimit ~= segments.count else { return false }
    let side: Double = turnsRight ? 1 : -1
    // A ring that turns around once changes its direction twice along each axis.
    var (changesX, changesY) = (0, 0)
    guard let last = segments.last else { return false }
    var (wasEast, wasSouth) = (last.dx > 0, last.dy > 0)
    var (area, length) = (0.0, 0.0)
    for segment in segments {
      guard segment.turn.sine * side > -Self.straight, segment.turn.cosine > -1 + Self.straight else {
        return false
      }
      if (segment.dx > 0) != wasEast { (changesX, wasEast) = (changesX + 1, !wasEast) }
      if (segment.dy > 0) != wasSouth { (changesY, wasSouth) = (changesY + 1, !wasSouth) }
      area += segment.x0 * segment.y1 - segment.x1 * segment.y0
      length += segment.length
    }
    guard changesX <= 2, changesY <= 2 else { return false }
    return extent.max() <= Self.smallSize || abs(area) < Self.thinWidth * length
  }

  /// Whether more than an eighth of the turns have no corner on their inner side, so that much of the stroke
  /// overlaps.
  var isDense: Bool { cleanTurns * 8 < segments.count * 7 }

  /// Determines the turns of a part, and for each segment the preceding segments that do not overlap it.
  private mutating func join(_ first: Int, isClosed: Bool) {
    // The segment with which the directions since `start` are compared.
    var (start, reference) = (first, first)
    let halfWidth = halfWidth
    var clean = 0
    var all = segments.mutableSpan
    all[first].apartFrom = first
    if isClosed { all[first].turn = all[all.count - 1].turn(to: all[first], halfWidth) }
    for index in first + 1..<all.count {
      let turn = all[index - 1].turn(to: all[index], halfWidth)
      all[index].turn = turn
      if turn.isClean { clean += 1 }
      if !turn.isClean {
        (start, reference) = (index, index)
      } else if !all[index].isAlong(all[reference]) {
        (start, reference) = (index, index)
        while start > first, all[start].turn.isClean, all[start - 1].isAlong(all[reference]) { start -= 1 }
      }
      all[index].apartFrom = start
    }
    cleanTurns += clean
  }
}

extension StrokeSegment {
  /// The cosine of 45 degrees.
  ///
  /// Directions within 45 degrees of one direction are within 90 degrees of each other. A path that keeps to them
  /// does not return to itself.
  private static let cone = 0.5.squareRoot()

  @inline(__always)
  fileprivate func isAlong(_ other: StrokeSegment) -> Bool { dx * other.dx + dy * other.dy >= Self.cone }

  /// Returns the turn from this segment to the next, for a stroke of half a width.
  @inline(__always)
  fileprivate func turn(to next: StrokeSegment, _ halfWidth: Double) -> StrokeTurn {
    let sine = dx * next.dy - dy * next.dx
    let cosine = dx * next.dx + dy * next.dy
    // The distance of the inner corner from the turn, back along the segment, is half the width times tan(angle / 2).
    let back = halfWidth * abs(sine)
    // A reversal has no such corner.
    let isClean = cosine > -0.999 && back <= 0.5 * min(length, next.length) * (1 + cosine)
    return StrokeTurn(sine: sine, cosine: cosine, isClean: isClean)
  }
}
