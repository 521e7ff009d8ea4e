import MapDrawing
import MapFeatures
import MapFilter
import MapGeometry
import MapModel

/// The clusters of a layer's rows: a table with a row for each row of the layer.
///
/// Only the first row of each cluster has a geometry, the mean of the points, and values. So a row has one number in
/// both tables.
struct ClusterTable {
  /// The table, in the spatial reference of the map.
  let table: FeatureColumns
  /// The first row of each cluster of two and more features.
  let clusters: RowSet
  /// The rows that are alone in their cells.
  let singles: RowSet
  /// All rows of clusters.
  let members: RowSet

  /// The features of a cell.
  private struct Content {
    let first: Int
    var count = 0
    var x = 0.0
    var y = 0.0
    /// All rows, where statistics need them.
    var rows: [Int] = []
  }

  /// Groups rows of a table of points.
  ///
  /// - Cost: one lookup of a cell for each row.
  /// - Throws: ``RendererFieldError`` for a statistic of a field that the table lacks.
  init(
    _ rows: RowSet, of table: FeatureColumns, _ grid: ClusterGrid, _ aggregation: FeatureAggregation,
    view: ViewState
  ) throws(RendererFieldError) {
    let transform = ViewTransform(view, from: table.schema.spatialReference?.shown(on: view.spatialReference))
    var columns: [Column] = []
    for field in aggregation.fields {
      guard let index = table.schema.index(ofField: field.onField) else {
        throw RendererFieldError(
          reader: "a field of the clusters", field: field.onField,
          available: table.schema.fields.map(\.name))
      }
      columns.append(table.columns[index])
    }
    var places: [ClusterGrid.Cell: Int] = [:]
    var (contents, contentOfRow) = ([Content](), [(row: Int, content: Int)]())
    let keepsRows = !aggregation.fields.isEmpty
    if let geometry = table.geometry {
      for row in rows {
        guard let vertex = geometry.vertices(ofRow: row).first else { continue }
        let point = transform.mapPoint(x: geometry.x[vertex], y: geometry.y[vertex])
        guard let cell = grid.cell(x: point.x, y: point.y) else { continue }
        let place = places[cell] ?? contents.count
        if place == contents.count {
          places[cell] = place
          contents.append(Content(first: row))
        }
        contents[place].count += 1
        contents[place].x += point.x
        contents[place].y += point.y
        if keepsRows { contents[place].rows.append(row) }
        contentOfRow.append((row, place))
      }
    }
    let size = table.rowCount
    var (clusters, singles) = (RowSet(rowCount: size), RowSet(rowCount: size))
    var members = RowSet(rowCount: size)
    for (row, place) in contentOfRow {
      if contents[place].count > 1 { members.insert(row) } else { singles.insert(row) }
    }
    var counts = [Int64](repeating: 0, count: size)
    var values = aggregation.fields.map { _ in [AttributeValue](repeating: .null, count: size) }
    var points: [Int: (x: Double, y: Double)] = [:]
    for content in contents where content.count > 1 {
      clusters.insert(content.first)
      counts[content.first] = Int64(content.count)
      points[content.first] = (content.x / Double(content.count), content.y / Double(content.count))
      for (index, field) in aggregation.fields.enumerated() {
        values[index][content.first] = field.statistic.value(of: content.rows, in: columns[index])
      }
    }
    var geometry = CoordinateBuffer(kind: .point)
    geometry.reserve(rows: size, vertices: size)
    for row in 0..<size {
      if let point = points[row] {
        geometry.appendPoint(x: point.x, y: point.y)
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
        geometryKind: .point, spatialReference: view.spatialReference),
      columns: [Column(.integers(counts))] + zip(values, types).map { Column(of: $0, type: $1) },
      geometry: geometry, rowCount: size, objectIDs: table.objectIDs)
    (self.clusters, self.singles, self.members) = (clusters, singles, members)
  }
}

extension FeatureAggregation.Statistic {
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
