package import MapGeometry

/// The geometries of a table in another reference, cut at the rim of its projection.
package struct PlacedRows {
  /// The geometries, a row for each of the table.
  package let buffer: CoordinateBuffer
  /// The rows of which no place has an image.
  package let lostRows: Int
  /// The rows of which a part alone is shown, or nothing because they could not be cut.
  package let cutRows: Int
}

extension SpatialOperations {
  /// The geometries in another reference, as a map shows them.
  ///
  /// Lines and areas that cross the rim of the reference's projection are cut there. In WGS 84 and Web Mercator they run
  /// on past the antimeridian. Rows that do not reach the rim have a place for each of their own, as in
  /// ``projected(_:from:to:)``, and edges longer than 30 degrees are bent as the projection bends them.
  ///
  /// - Cost: one call of the library for all vertices; for a table in a reference that is not built in one more.
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
  /// The same rows over coordinates in a reference where the world repeats, each part running on past the antimeridian
  /// instead of leaping back; a ring around a pole is closed along it.
  ///
  /// Rows with a place that is not finite become empty.
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
      // All parts lie around the first, so that a hole stays in its ring.
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
        // The first part is written in the world that most of it lies in.
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
