/// A closed convex area that geometries are compared with: an envelope or a rotated rectangle.
package protocol ConvexArea: Sendable {
  /// A corner of the area.
  var corner: (x: Double, y: Double) { get }
  /// Returns whether the area contains a point, including its boundary.
  func contains(x: Double, y: Double) -> Bool
  /// Returns whether a segment and the area share a point; ends and sides count.
  func meetsSegment(_ ax: Double, _ ay: Double, _ bx: Double, _ by: Double) -> Bool
}

extension Envelope: ConvexArea {
  /// The south-west corner.
  package var corner: (x: Double, y: Double) { (xMin, yMin) }
}

/// A rectangle whose sides need not be parallel to the axes: the ground of a rotated view.
package struct RotatedRectangle: ConvexArea, Hashable {
  /// The corners, counterclockwise with y up.
  private let x, y: [Double]
  /// The envelope of the corners, in the rectangle's spatial reference.
  package let envelope: Envelope

  /// Creates a rectangle from its four corners, clockwise with y up.
  package init(clockwise corners: [Point], spatialReference: SpatialReference?) {
    (x, y) = (corners.reversed().map(\.x), corners.reversed().map(\.y))
    envelope = Envelope(of: corners, spatialReference: spatialReference)
  }

  private init(x: [Double], y: [Double], _ envelope: Envelope) {
    (self.x, self.y, self.envelope) = (x, y, envelope)
  }

  /// Returns the rectangle moved east by whole world widths; see ``Envelope/moved(x:by:)``.
  package func moved(east shift: Double) -> RotatedRectangle {
    guard shift != 0 else { return self }
    return RotatedRectangle(x: x.map { Envelope.moved(x: $0, by: shift) }, y: y, envelope.moved(east: shift))
  }

  /// The first corner.
  package var corner: (x: Double, y: Double) { (x[0], y[0]) }

  /// Returns whether the rectangle contains a point, including its sides.
  ///
  /// The test is exact for the corners as rounded to doubles.
  package func contains(x px: Double, y py: Double) -> Bool {
    guard envelope.contains(x: px, y: py) else { return false }
    for index in x.indices {
      let next = index + 1 == x.count ? 0 : index + 1
      if orientation(x[index], y[index], x[next], y[next], px, py) < 0 { return false }
    }
    return true
  }

  /// Returns whether a segment and the rectangle share a point; ends and sides count.
  ///
  /// The test is exact for finite ends. A segment of zero length is a point.
  ///
  /// - Source: the separating axis theorem: if two convex areas share no point, a line along a side of one of them
  ///   separates them.
  package func meetsSegment(_ ax: Double, _ ay: Double, _ bx: Double, _ by: Double) -> Bool {
    guard min(ax, bx) <= envelope.xMax, max(ax, bx) >= envelope.xMin, min(ay, by) <= envelope.yMax,
      max(ay, by) >= envelope.yMin
    else { return false }
    var (isLeft, isRight) = (true, true)
    for index in x.indices {
      let next = index + 1 == x.count ? 0 : index + 1
      if orientation(x[index], y[index], x[next], y[next], ax, ay) < 0,
        orientation(x[index], y[index], x[next], y[next], bx, by) < 0
      {
        return false
      }
      let side = orientation(ax, ay, bx, by, x[index], y[index])
      isLeft = isLeft && side > 0
      isRight = isRight && side < 0
    }
    return !isLeft && !isRight
  }
}
