import MapFeatures
import MapFilter
import MapGeometry
import MapReaders

/// Writes the statement that groups the points of a table by cells of an image and by class, and returns one point of each
/// group with the number of its points.
///
/// The database computes the cell with the formulas of `ViewTransform` and `CellGrid`, up to the last digits. So a point
/// that it finds near an edge of a cell or of the image is a group of its own, and MapState places one point of each other
/// group: all of them are in the same cell.
struct PointQuery {
  /// The columns of the answer; the last is the number of points.
  let table: TableDescription
  /// The text of the statement.
  let statement: String

  /// The first version of PostgreSQL with `asinh`.
  static let firstVersion = 120_000
  /// The number of rows of cells, above that of the columns; see `CellCounts.key(_:_:)`.
  private static let columnCount = 1 << 21
  /// The number that replaces a cell outside the image.
  private static let outside = -1e18
  private static let countName = "mapstate count"

  /// Creates the query; nil if the database groups the values of a field otherwise than MapState.
  init?(_ described: TableDescription, _ groups: PointGroups, conditions: String) {
    guard let geometry = described.geometry, geometry.kind == .point else { return nil }
    var table = described
    table.keep(FieldSelection(groups.classFields.map(\.name)))
    var classes: [String] = []
    for field in groups.classFields {
      guard let column = table.columns.first(where: { Self.names($0, field.name) }),
        let expression = Self.classExpression(column, field)
      else { return nil }
      classes.append(expression)
    }
    let cells = CellExpressions(groups, geometry)
    let names = classes.indices.map { "c\($0)" }
    let (copies, key) = (groups.copies.indices, TableName.quoted(table.key))
    // OFFSET keeps the planner from computing an expression for each of its uses.
    func step(_ values: [(expression: String, name: String)], from rows: String) -> String {
      let list = (["id"] + names + values.map { "\($0.expression) AS \($0.name)" }).joined(separator: ", ")
      return "(SELECT \(list) FROM \(rows) OFFSET 0) AS r"
    }
    let selected = zip(classes, names).map { "\($0) AS \($1)" }
    let places = ["\(cells.mapX) AS x", "\(cells.mapY) AS y"]
    let list = (["\(key) AS id"] + selected + places).joined(separator: ", ")
    var rows = "(SELECT \(list) FROM \(table.name)\(conditions) OFFSET 0) AS r"
    rows = step(copies.flatMap { cells.pixel(ofCopy: $0) }, from: rows)
    if case .hexagons(let hexagons) = groups.cells {
      rows = step(copies.flatMap { cells.hexagonPlace(hexagons, ofCopy: $0) }, from: rows)
    }
    rows = step(copies.map { (cells.cell(ofCopy: $0), "k\($0)") }, from: rows)
    var single = copies.map { "k\($0) IS NULL" }
    // The conditions have decided which points are in a view that is not rotated.
    if groups.sine == 0, groups.cosine == 1 {
      single.append("(\(copies.map { "k\($0) = \(Self.outside)" }.joined(separator: " AND ")))")
    }
    let grouped =
      copies.map { "k\($0)" } + names + ["CASE WHEN \(single.joined(separator: " OR ")) THEN id END"]
    let first = "\"mapstate first\""
    let count = TableName.quoted(Self.countName)
    table.columns.append(
      TableDescription.Column(
        copied: CopyColumn(Field(name: Self.countName, type: .int64), .int64), expression: count,
        condition: nil))
    statement = table.copy(
      " JOIN (SELECT min(id) AS \(first), count(*) AS \(count) FROM \(rows) GROUP BY "
        + grouped.joined(separator: ", ") + ") AS mapstate_groups ON \(key) = \(first) ORDER BY \(key)")
    self.table = table
  }

  private static func names(_ column: TableDescription.Column, _ name: String) -> Bool {
    column.copied.field.name.lowercased() == name.lowercased()
  }

  /// Returns the expression by which the values of a field are grouped.
  private static func classExpression(
    _ column: TableDescription.Column, _ field: PointGroups.ClassField
  ) -> String? {
    guard let value = column.condition else { return nil }
    let kind = column.copied.form.kind
    guard let bounds = field.bounds else {
      // -0 and 0 are one group there, and may be two texts here.
      return kind == .real ? nil : value
    }
    guard kind == .real || kind == .integer else { return nil }
    // Each bound is a group of its own, because it may belong to the class on either side.
    let steps = Set(bounds.flatMap { [$0, $0.nextUp] }.filter(\.isFinite)).sorted()
    guard !steps.isEmpty else { return "(\(value)) IS NULL" }
    let list = steps.map { "\($0)" }.joined(separator: ",")
    return "pg_catalog.width_bucket((\(value))::double precision, '{\(list)}'::double precision[])"
  }

  /// Returns the number of points of each row of the answer; nil for an answer without them.
  func counts(in points: FeatureColumns) -> [Int]? {
    guard let index = points.schema.index(ofField: Self.countName) else { return nil }
    var counts: [Int] = []
    counts.reserveCapacity(points.rowCount)
    for row in 0..<points.rowCount {
      guard case .integer(let count) = points.columns[index].value(at: row), count > 0 else { return nil }
      counts.append(Int(count))
    }
    return counts
  }

  // MARK: Cells

  /// The expressions of positions and cells.
  private struct CellExpressions {
    let groups: PointGroups
    private let (x, y): (String, String)

    /// The latitude and the y up to which positions are computed.
    ///
    /// - Source: design decision; both are beyond the square of Web Mercator.
    private static let (northernmost, farthest) = (89.9, 1e8)

    init(_ groups: PointGroups, _ geometry: GeometryColumn) {
      self.groups = groups
      let (column, schema) = (TableName.quoted(geometry.name), TableName.quoted(geometry.schema))
      (x, y) = ("\(schema).ST_X(\(column))", "\(schema).ST_Y(\(column))")
    }

    private func number(_ value: Double) -> String { "'\(value)'::double precision" }

    /// The position east of the centre, in the map's coordinates.
    var mapX: String {
      let factor: Double? =
        switch groups.projection {
        case .none: nil
        case .fromDegrees: WebMercator.halfWorld / 180
        case .toDegrees: 180 / WebMercator.halfWorld
        }
      return "\(x)\(factor.map { " * \(number($0))" } ?? "") - \(number(groups.centerX))"
    }

    /// The position north of the centre, in the map's coordinates; null far in the north and the south.
    var mapY: String {
      let radius = number(WebMercator.radius)
      let projected: String
      switch groups.projection {
      case .none: return "\(y) - \(number(groups.centerY))"
      case .fromDegrees:
        projected =
          "CASE WHEN abs(\(y)) < \(number(Self.northernmost)) THEN \(radius) * asinh(tan(\(y) * \(number(.pi / 180)))) END"
      case .toDegrees:
        projected =
          "CASE WHEN abs(\(y)) < \(number(Self.farthest)) THEN atan(sinh(\(y) / \(radius))) * \(number(180 / .pi)) END"
      }
      return "\(projected) - \(number(groups.centerY))"
    }

    /// The pixel in a world copy.
    func pixel(ofCopy copy: Int) -> [(expression: String, name: String)] {
      let move = groups.copies[copy]
      let east = move == 0 ? "x" : "(x + \(number(move)))"
      let scale = number(groups.pixelsPerUnit)
      let (right, down) =
        groups.sine == 0 && groups.cosine == 1
        ? (east, "y")
        : (
          "(\(east) * \(number(groups.cosine)) - y * \(number(groups.sine)))",
          "(\(east) * \(number(groups.sine)) + y * \(number(groups.cosine)))"
        )
      return [
        ("\(right) * \(scale) + \(number(groups.width / 2))", "px\(copy)"),
        ("\(number(groups.height / 2)) - \(down) * \(scale)", "py\(copy)"),
      ]
    }

    /// The place of a pixel in the two grids of the centres of hexagons; see `CellGrid.cell(x:y:)`.
    func hexagonPlace(
      _ hexagons: PointGroups.Hexagons, ofCopy copy: Int
    ) -> [(expression: String, name: String)] {
      let right = "(px\(copy) - \(number(hexagons.originX)))"
      let up = "(\(number(hexagons.originY)) - py\(copy))"
      let (cosine, sine) = (number(groups.cosine), number(groups.sine))
      let (east, north) =
        groups.sine == 0 && groups.cosine == 1
        ? (right, up)
        : ("(\(right) * \(cosine) + \(up) * \(sine))", "(\(up) * \(cosine) - \(right) * \(sine))")
      return [
        ("px\(copy)", "px\(copy)"), ("py\(copy)", "py\(copy)"),
        ("\(east) / \(number(hexagons.side))", "u\(copy)"),
        ("\(north) / \(number(hexagons.side * 3.0.squareRoot()))", "v\(copy)"),
      ]
    }

    /// The number of the cell of a pixel; null near an edge.
    func cell(ofCopy copy: Int) -> String {
      let (px, py) = ("px\(copy)", "py\(copy)")
      let margin = groups.margin
      func between(_ value: String, _ low: Double, _ high: Double) -> String {
        "\(value) BETWEEN \(number(low)) AND \(number(high))"
      }
      let isInside =
        "\(between(px, margin, groups.width - margin)) AND \(between(py, margin, groups.height - margin))"
      let isNear =
        "\(between(px, -margin, groups.width + margin)) AND \(between(py, -margin, groups.height + margin))"
      let inner: String
      switch groups.cells {
      case .squares(let side):
        let (column, row) = side == 1 ? (px, py) : ("\(px) / \(number(side))", "\(py) / \(number(side))")
        inner =
          "CASE WHEN \(between("\(column) - floor(\(column))", margin, 1 - margin)) "
          + "AND \(between("\(row) - floor(\(row))", margin, 1 - margin)) THEN \(key("floor(\(column))", "floor(\(row))")) END"
      case .hexagons(let hexagons):
        let (u, v) = ("u\(copy)", "v\(copy)")
        let near = margin / hexagons.side
        // The distances from the even centre are a in columns and b in rows, those from the odd one 1/2 - a and 1/2 - b. So
        // a² + 3b² is less than (1/2 - a)² + 3(1/2 - b)² if a + 3b < 1. The vertical sides are where a is 0 or 1/2.
        let (a, b) = ("abs(\(u) - round(\(u)))", "abs(\(v) - round(\(v)))")
        let difference = "\(a) + 3 * \(b) - 1"
        inner =
          "CASE WHEN \(between(a, 4 * near, 0.5 - 4 * near)) "
          + "AND abs(\(difference)) > \(number(16 * near)) THEN CASE WHEN \(difference) < 0 "
          + "THEN \(key("2 * round(\(u))", "2 * round(\(v))")) "
          + "ELSE \(key("(2 * floor(\(u)) + 1)", "(2 * floor(\(v)) + 1)")) END END"
      }
      return "CASE WHEN \(isInside) THEN \(inner) WHEN NOT (\(isNear)) THEN \(number(PointQuery.outside)) END"
    }

    private func key(_ column: String, _ row: String) -> String {
      "\(row) * \(PointQuery.columnCount) + \(column)"
    }
  }
}

extension PointGroups {
  /// The number of cells in the image, about.
  var cellCount: Double {
    switch cells {
    case .squares(let side): width * height / (side * side)
    case .hexagons(let hexagons): width * height / (hexagons.side * hexagons.side * 3.0.squareRoot() / 2)
    }
  }
}
