internal import Glibc
internal import MapGeometry
internal import MapModel
internal import MapSystem

/// An edge of a stroke's outline.
struct StrokeEdge {
  let a: Place
  let b: Place
  /// The number of the segment to which the edge belongs, or ``inside``.
  let segment: Int

  /// The segment number of an edge inside the stroke, where two of its pieces overlap.
  static let inside = -1
}

/// A convex piece of a stroke with five corners; a piece with fewer corners repeats its last one.
struct StrokePiece {
  let a: Place, b: Place, c: Place, d: Place, e: Place

  init(_ a: Place, _ b: Place, _ c: Place, _ d: Place, _ e: Place) {
    (self.a, self.b, self.c, self.d, self.e) = (a, b, c, d, e)
  }
  init(_ a: Place, _ b: Place, _ c: Place, _ d: Place) { self.init(a, b, c, d, d) }
  init(_ a: Place, _ b: Place, _ c: Place) { self.init(a, b, c, c, c) }
}

/// The outline of a stroke: both sides of its segments, joins and caps, edge by edge.
///
/// All pieces have the same orientation, so that their coverages add up and do not cancel out.
struct StrokeOutline {
  /// The maximum distance between a round join or cap and its chords, in pixels.
  static let tolerance = 0.01

  let halfWidth: Double
  let cap: SimpleLineSymbol.Cap
  let join: SimpleLineSymbol.Join
  /// The cosine above which a turn is drawn as a miter for every join, because the difference is invisible.
  private let smooth: Double
  /// The cosine below which a miter join is beyond the miter limit.
  private let sharpest: Double
  /// The angle of a chord in radians, and of one of a part that is hardly longer than its stroke is wide.
  private let (step, shortStep): (Double, Double)
  /// The number of chords of a convex piece: up to three, and less than half a turn.
  private let chordsPerPiece: Int

  init(_ look: Look) {
    (halfWidth, cap, join) = (look.width / 2, look.cap, look.join)
    // With cos²(a/2) = (1 + cos a) / 2, a miter's tip lies halfWidth / cos(a/2) from its vertex.
    let ratio = halfWidth / (halfWidth + Self.tolerance / 2)
    smooth = 2 * ratio * ratio - 1
    sharpest = 2 / (look.miterLimit * look.miterLimit) - 1
    step = 2 * acos(max(0, 1 - Self.tolerance / halfWidth))
    // Of a small circle, the tolerance loses up to a twentieth of its area; a hundredth of the radius loses 1.3 %.
    shortStep = 2 * acos(1 - min(Self.tolerance / halfWidth, 0.01))
    chordsPerPiece = step < 1 ? 3 : step < 1.5 ? 2 : 1
  }

  /// Appends the edges of a part to a list.
  func appendEdges(
    of part: StrokeSegments.Part, _ segments: borrowing StrokeSegments, to edges: inout [StrokeEdge]
  ) {
    func edge(_ a: Place, _ b: Place, _ segment: Int) {
      edges.append(StrokeEdge(a: a, b: b, segment: segment))
    }
    let all = segments.segments.span
    let (first, last) = (part.segments.lowerBound, part.segments.upperBound - 1)
    if part.isDot { return forEachEdge(ofDot: all[first], first, edge) }
    var (left, right): (Place, Place)
    if part.isClosed {
      let corner = corner(all[last], all[first])
      (left, right) = (corner.leftOut, corner.rightOut)
    } else {
      let (start, along, side) = frame(all[first], atEnd: false)
      (left, right) = (start + side, start - side)
      switch cap {
      case .butt: edge(right, left, first)
      case .square:
        edge(right, right - along, first)
        edge(right - along, left - along, first)
        edge(left - along, left, first)
      case .round:
        forEachChord(about: start, from: -side, by: -.pi, isShort: isNearlyDot(part, segments)) {
          edge($0, $1, first)
        }
      }
    }
    for index in part.segments {
      guard index < last || part.isClosed else { break }
      let next = index < last ? index + 1 : first
      let corner = corner(all[index], all[next])
      edge(left, corner.leftIn, index)
      edge(corner.rightIn, right, index)
      if !corner.isSharp {
        (left, right) = (corner.leftIn, corner.rightIn)
      } else {
        forEachEdge(around: corner, all[next], max(index, next), edge)
        (left, right) = (corner.leftOut, corner.rightOut)
      }
    }
    guard !part.isClosed else { return }
    let (end, along, side) = frame(all[last], atEnd: true)
    edge(left, end + side, last)
    edge(end - side, right, last)
    switch cap {
    case .butt: edge(end + side, end - side, last)
    case .square:
      edge(end + side, end + side + along, last)
      edge(end + side + along, end - side + along, last)
      edge(end - side + along, end - side, last)
    case .round:
      forEachChord(about: end, from: side, by: -.pi, isShort: isNearlyDot(part, segments)) {
        edge($0, $1, last)
      }
    }
  }

  /// Returns a segment's end, and vectors of half the width along it and to its side.
  ///
  /// The side would be the left one if y ran up. Because y runs down, it is the right one on screen.
  @inline(__always)
  private func frame(_ segment: StrokeSegment, atEnd: Bool) -> (end: Place, along: Place, side: Place) {
    let along = Place(segment.dx, segment.dy) * halfWidth
    return (
      atEnd ? Place(segment.x1, segment.y1) : Place(segment.x0, segment.y0), along,
      Place(-along.y, along.x)
    )
  }

  /// The ends of the sides of two segments at the turn between them.
  private struct Corner {
    let leftIn: Place, leftOut: Place
    let rightIn: Place, rightOut: Place
    /// Whether the side points differ; false when each side has one common point.
    let isSharp: Bool
  }

  @inline(__always)
  private func corner(_ a: StrokeSegment, _ b: StrokeSegment) -> Corner {
    let turn = b.turn
    let place = Place(b.x0, b.y0)
    let (sideA, sideB) = (Place(-a.dy, a.dx) * halfWidth, Place(-b.dy, b.dx) * halfWidth)
    let isTip = isTip(turn)
    // The corner of both sides; unused where the segments reverse.
    let tip = (sideA + sideB) / (1 + turn.cosine)
    if isTip && turn.isClean {
      return Corner(
        leftIn: place + tip, leftOut: place + tip, rightIn: place - tip, rightOut: place - tip, isSharp: false
      )
    }
    let isLeftInner = turn.sine >= 0
    let hasLeft = isLeftInner ? turn.isClean : isTip
    let hasRight = isLeftInner ? isTip : turn.isClean
    return Corner(
      leftIn: place + (hasLeft ? tip : sideA), leftOut: place + (hasLeft ? tip : sideB),
      rightIn: place - (hasRight ? tip : sideA), rightOut: place - (hasRight ? tip : sideB), isSharp: true)
  }

  /// Returns whether the outer sides of a turn meet in a tip.
  @inline(__always)
  private func isTip(_ turn: StrokeTurn) -> Bool {
    turn.cosine > smooth || (join == .miter && turn.cosine >= sharpest)
  }

  /// Calls `edge` with the edges of a join that are not sides of segments.
  private func forEachEdge(
    around corner: Corner, _ segment: StrokeSegment, _ index: Int, _ edge: (Place, Place, Int) -> Void
  ) {
    let place = Place(segment.x0, segment.y0)
    let turn = segment.turn
    let isLeftInner = turn.sine >= 0
    if corner.leftIn != corner.leftOut || corner.rightIn != corner.rightOut {
      // The inner sides pass through the vertex itself, where both segments end.
      if isLeftInner, !turn.isClean {
        edge(corner.leftIn, place, StrokeEdge.inside)
        edge(place, corner.leftOut, StrokeEdge.inside)
      }
      if !isLeftInner, !turn.isClean {
        edge(corner.rightOut, place, StrokeEdge.inside)
        edge(place, corner.rightIn, StrokeEdge.inside)
      }
      forEachOuterEdge(around: corner, segment, index, edge)
    }
  }

  /// Calls `edge` with the edges of a join on its outer side that are not sides of segments.
  private func forEachOuterEdge(
    around corner: Corner, _ segment: StrokeSegment, _ index: Int, isShort: Bool = false,
    _ edge: (Place, Place, Int) -> Void
  ) {
    let place = Place(segment.x0, segment.y0)
    let turn = segment.turn
    guard !isTip(turn) else { return }
    let angle = angle(turn)
    if turn.sine >= 0 {
      if join != .round { return edge(corner.rightOut, corner.rightIn, index) }
      forEachChord(about: place, from: corner.rightOut - place, by: -angle, isShort: isShort) {
        edge($0, $1, index)
      }
    } else {
      if join != .round { return edge(corner.leftIn, corner.leftOut, index) }
      forEachChord(about: place, from: corner.leftIn - place, by: angle, isShort: isShort) {
        edge($0, $1, index)
      }
    }
  }

  /// Returns whether a part is hardly longer than the stroke is wide.
  private func isNearlyDot(_ part: StrokeSegments.Part, _ segments: borrowing StrokeSegments) -> Bool {
    part.segments.count == 1 && segments.segments[part.segments.lowerBound].length < 4 * halfWidth
  }

  /// Returns the signed angle of a turn; a reversal counts as a turn to the right.
  private func angle(_ turn: StrokeTurn) -> Double { atan2(turn.sine == 0 ? 0 : turn.sine, turn.cosine) }

  private func forEachChord(
    about center: Place, from start: Place, by angle: Double, isShort: Bool = false,
    _ chord: (Place, Place) -> Void
  ) {
    // At most 2π divided by the angle of a chord, which is above 0.005 at the greatest width.
    let count = max(1, Int(clamping: (abs(angle) / (isShort ? shortStep : step)).rounded(.up)))
    let (sine, cosine) = (sin(angle / Double(count)), cos(angle / Double(count)))
    var spoke = start
    for _ in 0..<count {
      let next = Place(spoke.x * cosine - spoke.y * sine, spoke.x * sine + spoke.y * cosine)
      chord(center + spoke, center + next)
      spoke = next
    }
  }

  /// Calls `edge` with the edges of a part without length, which has caps only.
  private func forEachEdge(ofDot dot: StrokeSegment, _ index: Int, _ edge: (Place, Place, Int) -> Void) {
    let place = Place(dot.x0, dot.y0)
    switch cap {
    case .butt: break
    case .square:
      let corners = [Place(-1, -1), Place(-1, 1), Place(1, 1), Place(1, -1)].map { place + $0 * halfWidth }
      for corner in 0..<4 { edge(corners[corner], corners[(corner + 1) % 4], index) }
    case .round:
      forEachChord(about: place, from: Place(halfWidth, 0), by: -2 * .pi, isShort: true) {
        edge($0, $1, index)
      }
    }
  }

  /// Calls `piece` with the convex pieces whose union is the stroke of a part: segments, joins and caps.
  @inline(__always)
  func forEachPiece(
    of part: StrokeSegments.Part, _ segments: borrowing StrokeSegments, _ piece: (StrokePiece) -> Void
  ) {
    let all = segments.segments.span
    let isShort = isNearlyDot(part, segments)
    func fan(about center: Place, from start: Place, by angle: Double) {
      // The places on the arc of the next piece, with up to three chords.
      var (a, b, c) = (start, start, start)
      var count = 0
      forEachChord(about: center, from: start, by: angle, isShort: isShort) { from, to in
        count += 1
        if count == chordsPerPiece {
          switch count {
          case 1: piece(StrokePiece(center, from, to))
          case 2: piece(StrokePiece(center, a, from, to))
          default: piece(StrokePiece(center, a, b, from, to))
          }
          count = 0
        } else if count == 1 {
          (a, b) = (from, to)
        } else {
          c = to
        }
      }
      if count == 1 { piece(StrokePiece(center, a, b)) }
      if count == 2 { piece(StrokePiece(center, a, b, c)) }
    }
    let (first, last) = (part.segments.lowerBound, part.segments.upperBound - 1)
    if part.isDot {
      let place = Place(all[first].x0, all[first].y0)
      forEachEdge(ofDot: all[first], first) { a, b, _ in piece(StrokePiece(place, a, b)) }
      return
    }
    for index in part.segments {
      let (start, along, side) = frame(all[index], atEnd: false)
      let end = Place(all[index].x1, all[index].y1)
      let isStart = index == first && !part.isClosed, isEnd = index == last && !part.isClosed
      let after = isEnd && cap == .square ? end + along : end
      if isEnd, cap == .round { fan(about: end, from: side, by: -.pi) }
      guard !isStart else {
        let before = cap == .square ? start - along : start
        piece(StrokePiece(before + side, after + side, after - side, before - side))
        if cap == .round { fan(about: start, from: -side, by: -.pi) }
        continue
      }
      let turn = all[index].turn
      let segmentBefore = all[index > first ? index - 1 : last]
      let outer: Double = turn.sine >= 0 ? -1 : 1
      let (a, b) = (frame(segmentBefore, atEnd: true).side * outer, side * outer)
      if isTip(turn) {
        let tip = start + (a + b) / (1 + turn.cosine)
        // One piece with the join; it includes a corner of the segment before.
        if turn.cosine >= 0, segmentBefore.length >= halfWidth * abs(turn.sine) {
          piece(StrokePiece(start + a, tip, after + b, after - b, start - b))
          continue
        }
        piece(StrokePiece(start, start + a, tip, start + b))
      } else if join == .round {
        fan(about: start, from: a, by: angle(turn))
      } else {
        piece(StrokePiece(start, start + a, start + b))
      }
      piece(StrokePiece(start + side, after + side, after - side, start - side))
    }
  }
}

extension StrokeOutline {
  /// Appends those edges of the stroke of a convex ring that do not lie inside the stroke.
  ///
  /// The stroke covers everything between its outer side and the places that are farther from the ring than half the
  /// width. So these edges give its exact coverage, however small the ring is.
  func appendEdges(
    ofConvex part: StrokeSegments.Part, _ segments: borrowing StrokeSegments, to edges: inout [StrokeEdge]
  ) {
    func edge(_ a: Place, _ b: Place, _ segment: Int) {
      edges.append(StrokeEdge(a: a, b: b, segment: segment))
    }
    let all = segments.segments.span
    let (first, last) = (part.segments.lowerBound, part.segments.upperBound - 1)
    var before = corner(all[last], all[first])
    let isLeftInner = segments.turnsRight
    for index in part.segments {
      let next = index < last ? index + 1 : first
      let after = corner(all[index], all[next])
      if isLeftInner {
        edge(after.rightIn, before.rightOut, index)
      } else {
        edge(before.leftOut, after.leftIn, index)
      }
      if after.isSharp { forEachOuterEdge(around: after, all[next], next, isShort: true, edge) }
      before = after
    }
    let inner = inside(of: part, segments)
    for index in inner.indices {
      let (a, b) = (inner[index], inner[index + 1 < inner.count ? index + 1 : 0])
      if isLeftInner { edge(a, b, first) } else { edge(b, a, first) }
    }
  }

  /// Returns the corners of the area inside a convex ring that its stroke leaves open, in the order of the ring; none if
  /// the stroke covers the inside.
  private func inside(of part: StrokeSegments.Part, _ segments: borrowing StrokeSegments) -> [Place] {
    let all = segments.segments.span
    guard segments.extent.min() > 2 * halfWidth else { return [] }
    var (corners, kept): ([Place], [Place]) = ([], [])
    for index in part.segments { corners.append(Place(all[index].x0, all[index].y0)) }
    for index in part.segments {
      let (start, _, side) = frame(all[index], atEnd: false)
      let normal = segments.turnsRight ? side : -side
      // The distance from the inner side of the segment, in half widths squared; above 0 inside.
      func depth(_ place: Place) -> Double { ((place - start - normal) * normal).sum() }
      kept.removeAll(keepingCapacity: true)
      guard var last = corners.last else { return [] }
      for corner in corners {
        let (a, b) = (depth(last), depth(corner))
        if (a > 0) != (b > 0) { kept.append(last + (corner - last) * (a / (a - b))) }
        if b > 0 { kept.append(corner) }
        last = corner
      }
      swap(&corners, &kept)
    }
    return corners
  }
}
