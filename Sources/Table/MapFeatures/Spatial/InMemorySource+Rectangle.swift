import MapGeometry
import MapSystem

extension InMemorySource {
  /// Returns those rows whose geometry meets a rotated rectangle, compared as the map of the rectangle shows them.
  ///
  /// Straight edges between projected vertices are compared, as they are drawn. The sides are included.
  ///
  /// - Cost: a test of each row, on all cores; 0.1 µs for a point in degrees.
  /// - Throws: ``SpatialOperationError``.
  func rows(
    _ candidates: RowSet, meeting rectangle: RotatedRectangle
  ) throws(SpatialOperationError) -> RowSet {
    guard own != nil else { return candidates }
    var found = RowSet(rowCount: rowCount)
    for other in others { found.formUnion(try other.rows(candidates, meeting: rectangle)) }
    let map = rectangle.envelope.spatialReference
    let shown = schema.spatialReference.flatMap { own in map.map { own.shown(on: $0) } }
    guard let geometries = try shown.map(geometries(in:)) ?? own else { return found }
    let projection = BuiltInProjection(from: shown, to: map)
    let places = copies(of: rectangle, meeting: projection.envelope(geometries.extent))
    let (geometry, rows) = (geometries.geometry, Array(candidates))
    let pieces = rows.indices.pieces(of: 1 << 14)
    let parts = concurrentMap(pieces.count) { piece -> [Int] in
      var placed = CoordinateBuffer(kind: geometry.kind)
      return rows[pieces[piece]].filter { row in
        guard !geometry.isEmpty(row: row) else { return false }
        if geometry.kind == .point {
          let point = projection.point(x: geometry.x[row], y: geometry.y[row])
          return places.contains { $0.contains(x: point.x, y: point.y) }
        }
        guard projection != .none else { return places.contains { geometry.row(row, meets: $0) } }
        placed.removeAll()
        placed.appendRow(row, of: geometry, projection)
        return places.contains { placed.row(0, meets: $0) }
      }
    }
    for part in parts { for row in part { found.insert(row) } }
    return found
  }

  /// Returns the rectangle in each world copy in which it may meet data of an extent, the nearest first.
  private func copies(of rectangle: RotatedRectangle, meeting data: Envelope) -> [RotatedRectangle] {
    let box = rectangle.envelope
    guard let world = Envelope.worldWidth(of: box.spatialReference) else { return [rectangle] }
    // The scale's upper limit keeps both values far inside the range of Int. One more copy at each end holds the data
    // that only touch the antimeridian.
    let first = worldsReached.lowerBound - Int(clamping: ((box.xMax + world / 2) / world).rounded(.down)) - 1
    let last = worldsReached.upperBound - Int(clamping: ((box.xMin + world / 2) / world).rounded(.down)) + 1
    guard !data.isEmpty, first <= last else { return [] }
    let nearest = (data.center.x - box.center.x) / world
    return (first...last).sorted { abs(Double($0) - nearest) < abs(Double($1) - nearest) }
      .map { rectangle.moved(east: Double($0) * world) }.filter { $0.envelope.meets(data) }
  }
}

extension CoordinateBuffer {
  /// Adds a copy of a row of another buffer of the same kind, not points, with its vertices projected.
  fileprivate mutating func appendRow(
    _ row: Int, of other: CoordinateBuffer, _ projection: BuiltInProjection
  ) {
    appendRow(row, of: other) { x, y, columns, rows in
      for vertex in x.indices {
        let point = projection.point(x: x[vertex], y: y[vertex])
        columns.append(point.x)
        rows.append(point.y)
      }
    }
  }
}
