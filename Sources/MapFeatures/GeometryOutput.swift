public import MapGeometry

/// How geometries are given out.
public struct GeometryOutput: Hashable, Sendable {
  /// The reference; nil leaves them in the table's.
  public var reference: SpatialReference?
  /// How far the geometry may lie from what it is, in units of the output's reference; 0 leaves every vertex.
  public var maxAllowableOffset = 0.0

  /// As they are.
  public init() {}

  /// What a caller asks for who names a reference by its number, WGS 84 where none is named, and an offset in its units;
  /// nil when neither is asked for.
  package init?(wkid: Int?, maxAllowableOffset: Double) {
    guard wkid != nil || maxAllowableOffset > 0 else { return nil }
    reference = wkid.map { SpatialReference(wkid: $0) } ?? .wgs84
    self.maxAllowableOffset = maxAllowableOffset
  }
}

extension FeatureSource {
  /// The features that answer a query, their geometries given out as asked.
  ///
  /// - Cost: beside the query, a projection of the vertices of the features given out.
  /// - Throws: as ``features(_:page:fieldNames:hasGeometry:)``; ``SpatialOperationError`` for a reference that is not
  ///   known.
  public func features(
    _ query: FeatureQuery, page: FeaturePage, fieldNames: [String] = [], hasGeometry: Bool = true,
    output: GeometryOutput
  ) async throws -> FeatureRows {
    let source = try await fetched(for: query, page: page)
    let table = try await source.columns()
    let rows = try page.rows(try await source.rows(query), of: table)
    return try FeatureRows(
      hasGeometry ? try table.givenOut(rows: rows, output, operations) : table, rows: rows,
      fieldNames: fieldNames, hasGeometry: hasGeometry)
  }
}

extension FeatureColumns {
  /// The same table with the geometries of some rows as asked; the others have none.
  fileprivate func givenOut(
    rows: [Int], _ output: GeometryOutput, _ operations: SpatialOperations
  ) throws(SpatialOperationError) -> FeatureColumns {
    let target = output.reference ?? schema.spatialReference
    guard let geometry, target != schema.spatialReference || output.maxAllowableOffset > 0 else {
      return self
    }
    var chosen = CoordinateBuffer(kind: geometry.kind)
    let asked = RowSet(rowCount: rowCount, rows: rows)
    for row in 0..<rowCount {
      if asked.contains(row) { chosen.appendRow(row, of: geometry) } else { chosen.appendEmptyRow() }
    }
    var warnings = warnings
    if let source = schema.spatialReference, let target, target != source {
      let projected = try operations.projected(chosen, from: source, to: target)
      chosen = projected.buffer
      if projected.lostRows > 0 {
        warnings.append(
          "\(projected.lostRows) geometries have no image in EPSG:\(target.wkid) and are left out")
      }
    }
    return FeatureColumns(
      schema: FeatureSchema(
        fields: schema.fields, geometryKind: schema.geometryKind, spatialReference: target),
      columns: columns, geometry: chosen.generalized(tolerance: output.maxAllowableOffset),
      rowCount: rowCount, warnings: warnings, objectIDs: objectIDs)
  }
}
