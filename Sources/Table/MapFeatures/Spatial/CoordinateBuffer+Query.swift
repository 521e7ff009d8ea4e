package import MapGeometry

extension CoordinateBuffer {
  /// Creates a buffer whose only row is a query geometry; an envelope without width or height becomes a line or a
  /// point.
  package init(query: GeometryForm) throws(SpatialOperationError) {
    var builder = CoordinateBuilder()
    do {
      switch query {
      case .point(let point): try builder.add(.point, [[point]])
      case .multipoint(let multipoint): try builder.add(.multipoint, [multipoint.points])
      case .polyline(let polyline): try builder.add(.polyline, polyline.parts)
      case .polygon(let polygon): try builder.add(.polygon, polygon.parts)
      case .envelope(let envelope): try builder.add(envelope)
      }
    } catch {
      throw SpatialOperationError("the query geometry: \(error)")
    }
    self = builder.result ?? CoordinateBuffer(kind: .point)
  }
}

extension CoordinateBuilder {
  fileprivate mutating func add(_ kind: GeometryKind, _ parts: [[Point]]) throws(GeometryFault) {
    try beginRow(kind)
    for part in parts {
      for point in part { try addVertex(x: point.x, y: point.y) }
      try endPart()
    }
    endRow()
  }

  fileprivate mutating func add(_ envelope: Envelope) throws(GeometryFault) {
    var xMax = envelope.xMax
    // A west edge east of the east edge crosses the antimeridian.
    if xMax < envelope.xMin, let world = envelope.spatialReference?.world {
      xMax += world.upperBound - world.lowerBound
    }
    func corner(_ x: Double, _ y: Double) -> Point { Point(x: x, y: y) }
    let (west, south, north) = (envelope.xMin, envelope.yMin, envelope.yMax)
    switch (west == xMax, south == north) {
    case (true, true): try add(.point, [[corner(west, south)]])
    case (false, false):
      try add(
        .polygon, [[corner(west, south), corner(xMax, south), corner(xMax, north), corner(west, north)]])
    default: try add(.polyline, [[corner(west, south), corner(xMax, north)]])
    }
  }
}
