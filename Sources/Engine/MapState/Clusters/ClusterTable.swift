import MapDrawing
import MapFeatures
import MapFilter
import MapGeometry
import MapModel

/// The clusters or bins of a layer's rows: a table with a row for each row of the layer.
///
/// Only the first row of each cluster has a geometry and values. So a row has one number in both tables. The geometry of
/// a cluster is the position nearest to the mean of its points at which its symbol stays in its cell, in the spatial
/// reference of the map; that of a bin is its cell, in the spatial reference of the cells.
struct ClusterTable {
  let table: FeatureColumns
  /// The first row of each cluster of two and more features, or of each bin.
  let clusters: RowSet
  /// The rows that are alone in their cells; none with bins.
  let singles: RowSet
  /// All rows of clusters.
  let members: RowSet
  /// The rows of each cluster, by its first row.
  let features: [Int: [Int]]

  /// The features of a cell.
  fileprivate struct Content {
    let cell: ClusterGrid.Cell
    let first: Int
    var x = 0.0
    var y = 0.0
    var rows: [Int] = []

    var count: Int { rows.count }
  }

  /// Groups rows of a table of points.
  ///
  /// - Parameters:
  ///   - renderer: the renderer of the clusters, whose size variable gives the sizes of their symbols.
  ///   - areBinned: whether features are binned; otherwise all are alone in their cells.
  /// - Cost: one lookup of a cell for each row.
  /// - Throws: ``RendererFieldError`` for a statistic of a field that the table lacks, and ``SpatialOperationError``.
  init(
    _ rows: RowSet, of table: FeatureColumns, _ grid: ClusterGrid, _ aggregation: FeatureAggregation,
    renderer: RendererForm, view: ViewState, areBinned: Bool = true
  ) throws {
    let transform = ViewTransform(view, from: table.schema.spatialReference?.shown(on: view.spatialReference))
    let columns = try aggregation.fields.map { field in
      try field.onField.flatMap { name in
        guard let index = table.schema.index(ofField: name) else {
          throw RendererFieldError(
            reader: "a field of the clusters", field: name, available: table.schema.fields.map(\.name))
        }
        return field.statistic?.column(of: table.columns[index])
      }
    }
    var places: [ClusterGrid.Cell: Int] = [:]
    var (contents, contentOfRow) = ([Content](), [(row: Int, content: Int)]())
    if let geometry = table.geometry {
      let degrees =
        grid.reference == .wgs84 && view.spatialReference != .wgs84
        ? try Self.degrees(geometry, table.schema.spatialReference) : nil
      for row in rows {
        guard let vertex = geometry.vertices(ofRow: row).first else { continue }
        let point =
          degrees.map { (x: $0.x[vertex], y: $0.y[vertex]) }
          ?? transform.mapPoint(x: geometry.x[vertex], y: geometry.y[vertex])
        guard let cell = grid.cell(x: point.x, y: point.y) else { continue }
        let place = places[cell] ?? contents.count
        if place == contents.count {
          places[cell] = place
          contents.append(Content(cell: cell, first: row))
        }
        contents[place].x += point.x
        contents[place].y += point.y
        contents[place].rows.append(row)
        contentOfRow.append((row, place))
      }
    }
    let size = table.rowCount
    var (clusters, singles) = (RowSet(rowCount: size), RowSet(rowCount: size))
    var members = RowSet(rowCount: size)
    let least = !areBinned ? Int.max : grid.isOfBins ? 1 : 2
    for (row, place) in contentOfRow {
      if contents[place].count >= least { members.insert(row) } else { singles.insert(row) }
    }
    var counts = [Int64](repeating: 0, count: size)
    var values = aggregation.fields.map { _ in [AttributeValue](repeating: .null, count: size) }
    var shapes: [Int: Content] = [:]
    var features: [Int: [Int]] = [:]
    for content in contents where content.count >= least {
      clusters.insert(content.first)
      counts[content.first] = Int64(content.count)
      features[content.first] = content.rows
      shapes[content.first] = content
      for (index, field) in aggregation.fields.enumerated() {
        guard let statistic = field.statistic else { continue }
        values[index][content.first] =
          columns[index].map { statistic.value(of: content.rows, in: $0) }
          ?? .real(Double(content.count))
      }
    }
    var geometry = CoordinateBuffer(kind: grid.isOfBins ? .polygon : .point)
    let sizes = renderer.visualVariables.size
    for row in 0..<size {
      if let content = shapes[row] {
        let size = sizes?.size(of: Double(content.count), scale: view.viewpoint.scale, byArea: true) ?? 0
        // Half an outline of 2 pixels belongs to the symbol.
        content.append(to: &geometry, grid, radius: (size / 2 + 1) * view.viewpoint.resolution)
      } else {
        geometry.appendEmptyRow()
      }
    }
    let types = values.map { values -> FieldType in
      values.contains { if case .text = $0 { true } else { false } } ? .text : .float64
    }
    self.table = FeatureColumns(
      schema: FeatureSchema(
        fields: [Field(name: FeatureAggregation.countField, type: .int64)]
          + zip(aggregation.fields, types).map { Field(name: $0.name, type: $1) },
        geometryKind: geometry.kind, spatialReference: grid.reference ?? view.spatialReference),
      columns: [Column(.integers(counts))] + zip(values, types).map { Column(of: $0, type: $1) },
      geometry: geometry, rowCount: size, objectIDs: table.objectIDs)
    (self.clusters, self.singles, self.members, self.features) = (clusters, singles, members, features)
  }

  /// Returns the vertices of a table in degrees.
  private static func degrees(
    _ geometry: CoordinateBuffer, _ reference: SpatialReference?
  ) throws(SpatialOperationError) -> (x: [Double], y: [Double]) {
    var (x, y) = (geometry.x, geometry.y)
    switch reference {
    case nil, .some(.wgs84): break
    case .some(.webMercator): (x, y) = (x.map(WebMercator.longitude), y.map(WebMercator.latitude))
    case .some(let reference):
      try SpatialOperations.installed.project(x: &x, y: &y, from: reference, to: .wgs84)
    }
    return (x, y)
  }
}

extension ClusterTable.Content {
  /// Adds the position of a cluster with a radius, or the cell of a bin as a polygon.
  fileprivate func append(to geometry: inout CoordinateBuffer, _ grid: ClusterGrid, radius: Double) {
    guard grid.isOfBins else {
      let place = grid.place(x: x / Double(count), y: y / Double(count), radius: radius, in: cell)
      return geometry.appendPoint(x: place.x, y: place.y)
    }
    for corner in grid.corners(of: cell) { geometry.appendVertex(x: corner.x, y: corner.y) }
    geometry.endPart()
    geometry.endRow()
  }
}

extension FeatureAggregation.Statistic {
  /// The values that the statistic needs of a column, with numbers instead of texts for all but counts and modes.
  fileprivate func column(of column: Column) -> Column {
    switch self {
    case .count, .mode: column
    case .avg, .max, .min, .stddev, .sum, .variance: column.readingNumbers
    }
  }

  /// Returns the statistic of some rows; null without a value.
  fileprivate func value(of rows: [Int], in column: Column) -> AttributeValue {
    switch self {
    case .count: return .real(Double(rows.count { column.isValid($0) }))
    case .mode: return Self.mode(rows.map { column.value(at: $0) })
    case .avg, .max, .min, .stddev, .sum, .variance: break
    }
    let numbers = rows.compactMap { column.number(at: $0) }
    guard !numbers.isEmpty else { return .null }
    let (count, sum) = (Double(numbers.count), numbers.reduce(0, +))
    switch self {
    case .sum: return .real(sum)
    case .min: return .real(numbers.min() ?? 0)
    case .max: return .real(numbers.max() ?? 0)
    case .avg: return .real(sum / count)
    default:
      guard numbers.count > 1 else { return .null }
      let squares = numbers.reduce(0) { $0 + ($1 - sum / count) * ($1 - sum / count) }
      let variance = squares / (count - 1)
      return .real(self == .stddev ? variance.squareRoot() : variance)
    }
  }

  /// Returns the most frequent value, and of several the first; numbers as such, all others as text.
  private static func mode(_ values: [AttributeValue]) -> AttributeValue {
    var counts: [AttributeValue: (count: Int, first: Int)] = [:]
    for (index, value) in values.enumerated() where value != .null {
      counts[value, default: (0, index)].count += 1
    }
    let best = counts.max { ($0.value.count, $1.value.first) < ($1.value.count, $0.value.first) }
    switch best?.key {
    case nil, .null: return .null
    case .integer(let number): return .real(Double(number))
    case .real(let number): return .real(number)
    case let value?: return .text(value.rendererText(null: ""))
    }
  }
}
