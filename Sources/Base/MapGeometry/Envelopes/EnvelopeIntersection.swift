extension CoordinateBuffer {
  /// Returns whether the geometry of a row and an envelope share a point.
  ///
  /// Both include their boundaries: touching a side, a corner or the edge of a polygon is enough. Polygons are filled
  /// by the even-odd rule, so an envelope entirely inside a hole does not intersect. The result is false for a row
  /// without geometry. It is also false for an envelope with NaN sides or with `xMin` greater than `xMax`. An envelope
  /// may be a segment or a point, and its sides may be infinite.
  ///
  /// - Error: none, see `orientation(_:_:_:_:_:_:)`.
  /// - Cost: O(vertices of the row).
  public func row(_ row: Int, meets envelope: Envelope) -> Bool {
    guard envelope.xMin <= envelope.xMax, envelope.yMin <= envelope.yMax else { return false }
    return meets(row, envelope)
  }

  /// Returns whether the geometry of a row and a rotated rectangle share a point, by the same rules.
  ///
  /// - Error: none for the corners as rounded to doubles.
  /// - Cost: O(vertices of the row).
  package func row(_ row: Int, meets rectangle: RotatedRectangle) -> Bool { meets(row, rectangle) }

  private func meets(_ row: Int, _ area: some ConvexArea) -> Bool {
    switch kind {
    case .point:
      return area.contains(x: x[row], y: y[row])
    case .multipoint:
      for index in vertices(ofRow: row) where area.contains(x: x[index], y: y[index]) { return true }
      return false
    case .polyline:
      for part in parts(ofRow: row) where chain(vertices(ofPart: part), meets: area) { return true }
      return false
    case .polygon:
      var inside = false
      for part in parts(ofRow: row) {
        switch ring(vertices(ofPart: part), around: area) {
        case .meets: return true
        case .encloses: inside.toggle()
        case .apart: break
        }
      }
      return inside
    }
  }

  private func chain(_ range: Range<Int>, meets area: some ConvexArea) -> Bool {
    // The first vertex is tested as a segment of its own, so that a chain of one vertex is tested as a point.
    var (ax, ay) = (Double.nan, Double.nan)
    for index in range {
      let (bx, by) = (x[index], y[index])
      if index == range.lowerBound { (ax, ay) = (bx, by) }
      if area.meetsSegment(ax, ay, bx, by) { return true }
      (ax, ay) = (bx, by)
    }
    return false
  }

  enum RingRelation { case meets, encloses, apart }

  /// Returns the relation of a ring to an area, by crossings of a ray to the east from a corner of the area.
  ///
  /// When crossings decide, the corner is not on the ring, since otherwise the ring intersects the area.
  func ring(_ range: Range<Int>, around area: some ConvexArea) -> RingRelation {
    guard let last = range.last else { return .apart }
    let (px, py) = area.corner
    // The loop starts with the edge from the last vertex to the first: zero length for a closed ring, else its closing
    // edge.
    var (ax, ay) = (x[last], y[last])
    var inside = false
    for index in range {
      let (bx, by) = (x[index], y[index])
      if area.meetsSegment(ax, ay, bx, by) { return .meets }
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
  /// Returns whether a segment and the envelope share a point; ends and sides count.
  ///
  /// The test is exact for finite ends; the sides may be infinite. A segment of zero length is a point.
  public func meetsSegment(_ ax: Double, _ ay: Double, _ bx: Double, _ by: Double) -> Bool {
    let (x0, x1) = ax < bx ? (ax, bx) : (bx, ax)
    let (y0, y1) = ay < by ? (ay, by) : (by, ay)
    guard x0 <= xMax, x1 >= xMin, y0 <= yMax, y1 >= yMin else { return false }
    if contains(x: ax, y: ay) || contains(x: bx, y: by) { return true }
    // Any shared point also lies in the segment's own rectangle, whose corners are finite.
    let (west, east) = (max(x0, xMin), min(x1, xMax))
    let (south, north) = (max(y0, yMin), min(y1, yMax))
    // The line misses when all corners lie on one side of it. The two corners across its slope are sufficient.
    let rising = (ax < bx) == (ay < by)
    let first = orientation(ax, ay, bx, by, west, rising ? north : south)
    let second = orientation(ax, ay, bx, by, east, rising ? south : north)
    return first * second <= 0
  }
}
