import MapGeometry

extension InMemorySource {
  /// Returns the note of ``FeatureColumns/longEdgeNote(_:)``, at no cost if the table is narrower than half of the world.
  package func longEdgeNote() -> String? {
    let isNarrow = table.otherGeometries.isEmpty && own.map { $0.extent.xMax - $0.extent.xMin <= 180 } ?? true
    return isNarrow ? nil : table.longEdgeNote(operations)
  }
}

extension FeatureColumns {
  /// Returns a note about lines and rings with an edge across more than half of the world; nil if there are none.
  ///
  /// Such an edge is mostly a geometry across the antimeridian that was not cut there. Edges along a pole, and edges from
  /// one side of the world to the other, are meant so.
  ///
  /// - Source: RFC 7946, 3.1.9: geometries across the antimeridian are cut.
  /// - Cost: a pass over the vertices of a table with coordinates in degrees.
  package func longEdgeNote(_ operations: SpatialOperations) -> String? {
    guard let reference = schema.spatialReference, case .angular? = operations.unit(of: reference) else {
      return nil
    }
    let found = ([geometry].compactMap { $0 } + otherGeometries).map(\.longEdges)
    let count = found.reduce(0) { $0 + $1.count }
    guard count > 0, let first = found.compactMap(\.first).min() else { return nil }
    let id = ObjectIDs(self).id(ofRow: first)
    let subject =
      count == 1
      ? "1 feature (id \(id)) has an edge" : "\(count) features (the first has id \(id)) have edges"
    return "\(subject) of more than 180 degrees of longitude, drawn as written across the map; "
      + "cut geometries at the antimeridian"
  }
}

extension CoordinateBuffer {
  /// The number of rows with an edge across more than half of the world in degrees, and the first of them.
  fileprivate var longEdges: (count: Int, first: Int?) {
    guard kind == .polyline || kind == .polygon else { return (0, nil) }
    let (x, y) = (x.span, y.span)
    var (count, first) = (0, Int?.none)
    for row in 0..<rowCount {
      let isLong = parts(ofRow: row).contains { part in
        let range = vertices(ofPart: part)
        for index in range.dropFirst() where abs(x[index] - x[index - 1]) > 180 {
          let isAlongPole = abs(y[index]) >= 90 && y[index] == y[index - 1]
          let isWhole = abs(x[index]) == 180 && abs(x[index - 1]) == 180
          if !isAlongPole, !isWhole { return true }
        }
        return false
      }
      guard isLong else { continue }
      count += 1
      if first == nil { first = row }
    }
    return (count, first)
  }
}
