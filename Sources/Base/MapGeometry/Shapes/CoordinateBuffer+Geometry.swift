extension CoordinateBuffer {
  /// Returns a row as a geometry of its own; nil when the row has none.
  ///
  /// - Cost: O(vertices of the row).
  package func geometry(ofRow row: Int, spatialReference: SpatialReference?) -> (any Geometry)? {
    guard !isEmpty(row: row) else { return nil }
    if kind == .point { return Point(x: x[row], y: y[row], spatialReference: spatialReference) }
    let parts = parts(ofRow: row).map { part in
      vertices(ofPart: part).map { Point(x: x[$0], y: y[$0], spatialReference: spatialReference) }
    }
    return switch kind {
    case .point, .multipoint:
      Multipoint(points: Array(parts.joined()), spatialReference: spatialReference)
    case .polyline: Polyline(vertices: parts, of: spatialReference)
    case .polygon: Polygon(vertices: parts, of: spatialReference)
    }
  }
}

extension CoordinateBuffer {
  /// Returns the same rows with other coordinates; rows with a coordinate that is not finite become empty.
  package func moved(x: [Double], y: [Double]) -> (buffer: CoordinateBuffer, lostRows: Int) {
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
      guard kind != .point else {
        result.appendPoint(x: x[row], y: y[row])
        continue
      }
      for part in parts(ofRow: row) {
        for vertex in self.vertices(ofPart: part) { result.appendVertex(x: x[vertex], y: y[vertex]) }
        result.endPart()
      }
      result.endRow()
    }
    return (result, lost)
  }
}
