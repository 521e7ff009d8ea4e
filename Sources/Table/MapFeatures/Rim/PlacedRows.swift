package import MapGeometry

/// A table's geometries in another spatial reference, cut at the rim of its projection.
package struct PlacedRows {
  /// The geometries, one row per row of the table.
  package let buffer: CoordinateBuffer
  /// The number of rows without any position in the spatial reference.
  package let lostRows: Int
  /// The number of rows that are only partly shown, or not at all because they could not be cut.
  package let cutRows: Int
}

extension SpatialOperations {
  /// Projects geometries to another spatial reference, as a map shows them.
  ///
  /// Lines and areas that cross the rim of the projection are cut there. In WGS 84 and Web Mercator they continue
  /// beyond the antimeridian. Rows that do not reach the rim keep their vertices, as in ``projected(_:from:to:)``.
  /// Edges longer than 30 degrees follow the curve of the projection.
  ///
  /// - Cost: one call of the library for all vertices; a second call for a table in a spatial reference that is not
  ///   built in.
  /// - Throws: ``SpatialOperationError``.
  package func placed(
    _ buffer: CoordinateBuffer, from source: SpatialReference, to target: SpatialReference
  ) throws(SpatialOperationError) -> PlacedRows {
    var (x, y) = (buffer.x, buffer.y)
    try project(x: &x, y: &y, from: source, to: target)
    if buffer.kind == .point, let shape = shape(of: target), shape.kind == .transverse {
      var (longitude, latitude) = (buffer.x, buffer.y)
      try project(x: &longitude, y: &latitude, from: source, to: .wgs84)
      for row in x.indices where shape.isSingular(longitude: longitude[row], latitude: latitude[row]) {
        x[row] = .infinity
      }
    }
    if source == target || (source.isBuiltIn && target.isBuiltIn) || buffer.kind == .point {
      let (moved, lost) = buffer.moved(x: x, y: y)
      return PlacedRows(buffer: moved, lostRows: lost, cutRows: 0)
    }
    if let width = Envelope.worldWidth(of: target), buffer.kind != .multipoint {
      return buffer.runningOn(x: x, y: y, width: width, poleY: target == .wgs84 ? 90 : width / 2)
    }
    var cutter = try RimCutter(buffer, from: source, to: target, x: x, y: y, self)
    return try cutter.rows()
  }
}

extension CoordinateBuffer {
  /// Returns the rows with projected coordinates, with each part continuing beyond the antimeridian instead of jumping
  /// back.
  ///
  /// A ring around a pole is closed along the pole. Rows with a position that is not finite become empty.
  fileprivate func runningOn(x: [Double], y: [Double], width: Double, poleY: Double) -> PlacedRows {
    var result = CoordinateBuffer(kind: kind)
    result.reserve(rows: rowCount, vertices: vertexCount)
    var lost = 0
    for row in 0..<rowCount {
      let vertices = vertices(ofRow: row)
      guard !isEmpty(row: row), vertices.allSatisfy({ x[$0].isFinite && y[$0].isFinite }) else {
        if !isEmpty(row: row) { lost += 1 }
        result.appendEmptyRow()
        continue
      }
      // All parts lie near the first, so that a hole stays inside its ring.
      var middle: Double?
      for part in parts(ofRow: row) {
        var chain: [(x: Double, y: Double)] = []
        for vertex in self.vertices(ofPart: part) {
          var east = x[vertex]
          if let last = chain.last?.x, abs(east - last) > width / 2 {
            east -= ((east - last) / width).rounded() * width
          }
          chain.append((east, y[vertex]))
        }
        if kind == .polygon, let first = chain.first, let last = chain.last, abs(first.x - last.x) > width / 2
        {
          let pole = chain.reduce(0) { $0 + $1.y } < 0 ? -poleY : poleY
          chain += [(last.x, pole), (first.x, pole), first]
        }
        let (low, high) = chain.reduce((Double.infinity, -Double.infinity)) {
          (min($0.0, $1.x), max($0.1, $1.x))
        }
        let own = low / 2 + high / 2
        // The first part is written in the world copy that contains most of it.
        let shift = ((own - (middle ?? 0)) / width).rounded() * width
        middle = middle ?? own - shift
        for place in chain { result.appendVertex(x: shift == 0 ? place.x : place.x - shift, y: place.y) }
        result.endPart()
      }
      result.endRow()
    }
    return PlacedRows(buffer: result, lostRows: lost, cutRows: 0)
  }
}
