extension CoordinateBuffer {
  /// A row as a geometry of its own; nil when it has none.
  ///
  /// O(vertices of the row).
  public func geometry(ofRow row: Int, spatialReference: SpatialReference?) -> (any Geometry)? {
    guard !isEmpty(row: row) else { return nil }
    if kind == .point { return Point(x: x[row], y: y[row], spatialReference: spatialReference) }
    let parts = parts(ofRow: row).map { part in
      vertices(ofPart: part).map { Point(x: x[$0], y: y[$0], spatialReference: spatialReference) }
    }
    return switch kind {
    case .point, .multipoint:
      Multipoint(points: Array(parts.joined()), spatialReference: spatialReference)
    case .polyline: Polyline(parts: parts, spatialReference: spatialReference)
    case .polygon: Polygon(parts: parts, spatialReference: spatialReference)
    }
  }
}
