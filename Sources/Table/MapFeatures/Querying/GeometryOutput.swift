package import MapGeometry

/// The options for geometries in an output.
package struct GeometryOutput: Hashable, Sendable {
  /// The spatial reference of the output; nil keeps the table's.
  package var reference: SpatialReference?
  /// The maximum deviation of a generalized geometry, in units of the output's spatial reference; 0 keeps every vertex.
  package var maxAllowableOffset = 0.0

  /// Creates options that keep geometries unchanged.
  package init() {}

  /// Creates options from a caller's request; nil if neither value is requested.
  ///
  /// - Parameters:
  ///   - reference: The spatial reference; WGS 84 if nil.
  ///   - maxAllowableOffset: The maximum deviation, in units of that spatial reference.
  package init?(reference: SpatialReference?, maxAllowableOffset: Double) {
    guard reference != nil || maxAllowableOffset > 0 else { return nil }
    self.reference = reference ?? .wgs84
    self.maxAllowableOffset = maxAllowableOffset
  }
}

extension FeatureColumns {
  /// Returns the table with the geometries of some rows in the requested form; the other rows have none.
  func givenOut(
    rows: [Int], _ output: GeometryOutput, _ operations: SpatialOperations
  ) throws(SpatialOperationError) -> FeatureColumns {
    let target = output.reference ?? schema.spatialReference
    guard geometry != nil, target != schema.spatialReference || output.maxAllowableOffset > 0 else {
      return self
    }
    let asked = RowSet(rowCount: rowCount, rows: rows)
    var (given, lostRows) = ([CoordinateBuffer](), 0)
    for geometry in geometries {
      var chosen = CoordinateBuffer(kind: geometry.kind)
      for row in 0..<rowCount {
        if asked.contains(row) { chosen.appendRow(row, of: geometry) } else { chosen.appendEmptyRow() }
      }
      if let source = schema.spatialReference, let target, target != source {
        let projected = try operations.projected(chosen, from: source, to: target)
        chosen = projected.buffer
        lostRows += projected.lostRows
      }
      given.append(chosen.generalized(tolerance: output.maxAllowableOffset))
    }
    var warnings = warnings
    if lostRows > 0 {
      warnings.append(
        "\(lostRows) geometries cannot be projected to EPSG:\(target?.wkid ?? 0) and are left out")
    }
    return FeatureColumns(
      schema: FeatureSchema(
        fields: schema.fields, geometryKind: schema.geometryKind, spatialReference: target),
      columns: columns, geometry: given.first, otherGeometries: Array(given.dropFirst()),
      rowCount: rowCount, warnings: warnings, objectIDs: objectIDs)
  }
}
