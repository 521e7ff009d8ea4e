import MapFeatures
import MapFilter
import MapGeometry
import MapModel
import MapState
import MapSystem

/// A table with columns for the measures, cells and steps of time of its rows.
struct DerivedColumns {
  let table: FeatureColumns
  let rows: RowSet
  /// The corners of each cell in degrees, by its name.
  let corners: [String: [(x: Double, y: Double)]]

  /// Computes the columns of some rows.
  ///
  /// - Parameters:
  ///   - time: the field with the time of a row; nil if the layer has none.
  ///   - reference: the spatial reference of the map, in which hexagons and squares lie.
  init(
    _ request: StatisticsRequest, _ table: FeatureColumns, rows: RowSet, time: String?,
    reference: SpatialReference
  ) throws {
    var (fields, columns) = (table.schema.fields, table.columns)
    for measure in request.measures {
      fields.append(Field(name: measure.rawValue, type: .float64))
      columns.append(Column(of: try Self.values(of: measure, table, rows: rows), type: .float64))
    }
    var corners: [String: [(x: Double, y: Double)]] = [:]
    if let bins = request.bins {
      let target = bins.shape == .geohash ? SpatialReference.wgs84 : reference
      let names = try Self.names(of: bins, table, rows: rows, in: target, &corners)
      fields.append(Field(name: StatisticsRequest.bin, type: .text))
      columns.append(Column(of: names, type: .text))
    }
    if let step = request.timeStep {
      fields.append(Field(name: StatisticsRequest.time, type: .text))
      columns.append(Column(of: try Self.names(of: step, table, rows: rows, field: time), type: .text))
    }
    self.table = FeatureColumns(
      schema: FeatureSchema(
        fields: fields, geometryKind: table.schema.geometryKind,
        spatialReference: table.schema.spatialReference, geometryName: table.schema.geometryName),
      columns: columns, geometry: table.geometry, otherGeometries: table.otherGeometries,
      rowCount: table.rowCount, objectIDs: table.objectIDs, isComplete: table.isComplete)
    (self.rows, self.corners) = (rows, corners)
  }

  /// Returns the measure of each row; null for rows without such a geometry, and for those that are not asked.
  private static func values(
    of measure: StatisticsRequest.Measure, _ table: FeatureColumns, rows: RowSet
  ) throws(MapStateError) -> [AttributeValue] {
    let kinds = Set(table.geometries.map(\.kind))
    let needed: Set<GeometryKind> = measure == .area ? [.polygon] : [.polyline, .polygon]
    guard !kinds.isDisjoint(with: needed) else {
      throw MapStateError(
        .usage,
        "\(measure.rawValue) needs \(measure == .area ? "areas" : "lines or areas"), which the layer lacks")
    }
    #if Geospatial
      var values = [AttributeValue](repeating: .null, count: table.rowCount)
      for row in rows {
        guard let buffer = table.buffer(ofRow: row), needed.contains(buffer.kind),
          let geometry = buffer.geometry(
            ofRow: row, spatialReference: table.schema.spatialReference ?? .wgs84)
        else { continue }
        let number =
          measure == .area
          ? GeometryEngine.geodeticArea(of: geometry) : GeometryEngine.geodeticLength(of: geometry)
        if let number, number.isFinite { values[row] = .real(number) }
      }
      return values
    #else
      throw MapStateError(.usage, "\(measure.rawValue) needs the package trait Geospatial")
    #endif
  }

  /// Returns the name of the cell of each point; null for rows without a position.
  private static func names(
    of bins: StatisticsBins, _ table: FeatureColumns, rows: RowSet, in target: SpatialReference,
    _ corners: inout [String: [(x: Double, y: Double)]]
  ) throws -> [AttributeValue] {
    guard let geometry = table.geometry, geometry.kind == .point, table.otherGeometries.isEmpty else {
      throw MapStateError(.usage, "only points can be counted in bins")
    }
    let vertices = rows.compactMap { row in geometry.vertices(ofRow: row).first.map { (row: row, vertex: $0) }
    }
    var (x, y) = (vertices.map { geometry.x[$0.vertex] }, vertices.map { geometry.y[$0.vertex] })
    try SpatialOperations.installed.project(
      x: &x, y: &y, from: table.schema.spatialReference ?? .wgs84, to: target)
    var extent = Envelope.empty
    for (x, y) in zip(x, y) where x.isFinite && y.isFinite {
      extent = extent.union(Envelope(xMin: x, yMin: y, xMax: x, yMax: y))
    }
    var values = [AttributeValue](repeating: .null, count: table.rowCount)
    guard !extent.isEmpty else { return values }
    // Without a spatial reference, cells beyond the antimeridian stay where they are.
    let grid = bins.grid(meeting: extent)
    var names: [ClusterGrid.Cell: String] = [:]
    for (index, item) in vertices.enumerated() {
      guard let cell = grid.cell(x: x[index], y: y[index]) else { continue }
      let name = names[cell] ?? bins.name(of: cell)
      names[cell] = name
      values[item.row] = .text(name)
    }
    for (cell, name) in names {
      let points = grid.corners(of: cell)
      var (x, y) = (points.map(\.x), points.map(\.y))
      try SpatialOperations.installed.project(x: &x, y: &y, from: target, to: .wgs84)
      corners[name] = zip(x, y).map { (x: $0, y: $1) }
    }
    return values
  }

  /// Returns the name of the step of each time; null for rows without a time.
  private static func names(
    of step: TimeStep, _ table: FeatureColumns, rows: RowSet, field: String?
  ) throws(MapStateError) -> [AttributeValue] {
    guard let field, let index = table.schema.index(ofField: field) else {
      let names = table.schema.timeFieldNames
      throw MapStateError(
        .usage,
        names.count > 1
          ? "the layer has several time fields (\(names.joined(separator: ", "))), and statistics by time need the one "
            + "that a document names in timeInfo"
          : "the layer has no time field, which statistics by time need")
    }
    var values = [AttributeValue](repeating: .null, count: table.rowCount)
    for row in rows {
      switch table.columns[index].value(at: row) {
      case .instant(let instant): values[row] = .text(step.name(of: step.start(of: instant)))
      case .date(let date): values[row] = .text(step.name(of: step.start(of: date.start)))
      default: break
      }
    }
    return values
  }
}
