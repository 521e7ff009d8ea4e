package import MapFeatures
package import MapGeometry

extension FeatureColumns {
  /// Returns the outlines of areas as lines, without the edges along the window that the areas were cut to.
  package func shores(cutTo window: Envelope) -> FeatureColumns {
    var lines = CoordinateBuffer(kind: .polyline)
    if let areas = geometry, areas.kind == .polygon {
      for row in 0..<areas.rowCount {
        for part in areas.parts(ofRow: row) {
          lines.appendShore(areas.vertices(ofPart: part), of: areas, window)
        }
        lines.endRow()
      }
    }
    return FeatureColumns(
      schema: schema.with(.polyline), columns: columns, geometry: lines, rowCount: rowCount)
  }
}

extension FeatureSchema {
  /// Returns the same schema with another geometry kind.
  package func with(_ kind: GeometryKind) -> FeatureSchema {
    FeatureSchema(fields: fields, geometryKind: kind, spatialReference: spatialReference)
  }
}

extension CoordinateBuffer {
  fileprivate mutating func appendShore(
    _ ring: Range<Int>, of areas: CoordinateBuffer, _ window: Envelope
  ) {
    func isCut(_ a: Int, _ b: Int) -> Bool {
      let (ax, bx) = (areas.x[a], areas.x[b])
      return ax == bx && (ax == window.xMin || ax == window.xMax)
        || areas.y[a] == window.yMin && areas.y[b] == window.yMin
    }
    var isOpen = false
    for index in ring.dropLast() {
      if isCut(index, index + 1) {
        endPart()
        isOpen = false
        continue
      }
      if !isOpen { appendVertex(x: areas.x[index], y: areas.y[index]) }
      appendVertex(x: areas.x[index + 1], y: areas.y[index + 1])
      isOpen = true
    }
    endPart()
  }
}
