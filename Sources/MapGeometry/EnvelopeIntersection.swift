extension CoordinateBuffer {
  /// True when the geometry of a row and the envelope share a place.
  ///
  /// Both are closed: touching a side, a corner or the edge of a polygon is enough. Polygons are filled by
  /// the even-odd rule, so an envelope that lies wholly in a hole does not meet. A row without geometry and
  /// an envelope with NaN sides or with `xMin` above `xMax` meet nothing; an envelope may be a segment or a
  /// place, and its sides may be infinite.
  ///
  /// Error: none, see ``orientation(_:_:_:_:_:_:)``.
  ///
  /// O(vertices of the row).
  public func row(_ row: Int, meets envelope: Envelope) -> Bool {
    guard envelope.xMin <= envelope.xMax, envelope.yMin <= envelope.yMax else { return false }
    switch kind {
    case .point:
      return envelope.contains(x: x[row], y: y[row])
    case .multipoint:
      for index in vertices(ofRow: row) where envelope.contains(x: x[index], y: y[index]) { return true }
      return false
    case .polyline:
      for part in parts(ofRow: row) where chain(vertices(ofPart: part), meets: envelope) { return true }
      return false
    case .polygon:
      var inside = false
      for part in parts(ofRow: row) {
        switch ring(vertices(ofPart: part), around: envelope) {
        case .meets: return true
        case .encloses: inside.toggle()
        case .apart: break
        }
      }
      return inside
    }
  }

  private func chain(_ range: Range<Int>, meets envelope: Envelope) -> Bool {
    // The first vertex stands for a segment of its own, so that a chain of one vertex is a place.
    var (ax, ay) = (Double.nan, Double.nan)
    for index in range {
      let (bx, by) = (x[index], y[index])
      if index == range.lowerBound { (ax, ay) = (bx, by) }
      if envelope.meetsSegment(ax, ay, bx, by) { return true }
      (ax, ay) = (bx, by)
    }
    return false
  }

  enum RingRelation { case meets, encloses, apart }

  /// How a ring lies to an envelope, by crossings of a ray to the east from its south-west corner.
  ///
  /// The corner is never on the ring when a crossing decides, since then the ring meets the envelope.
  func ring(_ range: Range<Int>, around envelope: Envelope) -> RingRelation {
    guard let last = range.last else { return .apart }
    let (px, py) = (envelope.xMin, envelope.yMin)
    // From the last vertex to the first: of no length when the ring is closed, its closing side otherwise.
    var (ax, ay) = (x[last], y[last])
    var inside = false
    for index in range {
      let (bx, by) = (x[index], y[index])
      if envelope.meetsSegment(ax, ay, bx, by) { return .meets }
      if (ay > py) != (by > py) {
        if ax > px && bx > px {
          inside.toggle()
        } else if ax > px || bx > px {
          let side = orientation(ax, ay, bx, by, px, py)
          if (by > ay) == (side > 0) { inside.toggle() }
        }
      }
      (ax, ay) = (bx, by)
    }
    return inside ? .encloses : .apart
  }
}

extension Envelope {
  /// True when the segment from `a` to `b`, ends included, shares a place with the envelope, sides included.
  ///
  /// Exact for finite ends; the sides may be infinite. A segment of no length is a place.
  public func meetsSegment(_ ax: Double, _ ay: Double, _ bx: Double, _ by: Double) -> Bool {
    let (x0, x1) = ax < bx ? (ax, bx) : (bx, ax)
    let (y0, y1) = ay < by ? (ay, by) : (by, ay)
    guard x0 <= xMax, x1 >= xMin, y0 <= yMax, y1 >= yMin else { return false }
    if contains(x: ax, y: ay) || contains(x: bx, y: by) { return true }
    // What the segment can meet lies in its own rectangle too, and that one's corners are finite.
    let (west, east) = (max(x0, xMin), min(x1, xMax))
    let (south, north) = (max(y0, yMin), min(y1, yMax))
    // The line misses when all corners lie on one side; two of them, those across its slope, tell.
    let rising = (ax < bx) == (ay < by)
    let first = orientation(ax, ay, bx, by, west, rising ? north : south)
    let second = orientation(ax, ay, bx, by, east, rising ? south : north)
    return first * second <= 0
  }
}
