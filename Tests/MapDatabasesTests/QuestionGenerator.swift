import MapFeatures
import MapFilter
import MapGeometry
import MapState
import MapTestSupport

/// Random questions about a table, the same for the same seed, with values of its rows, so that many rows match.
struct QuestionGenerator {
  private var random: SeededGenerator
  private let table: FeatureColumns
  /// Whether filters are CQL2, and not SQL.
  var isCQL2 = false

  init(_ table: FeatureColumns, seed: UInt64) { (self.table, random) = (table, SeededGenerator(seed: seed)) }

  mutating func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

  private mutating func chance(_ n: Int) -> Bool { number(below: n) == 0 }

  mutating func pick<T>(_ values: [T]) -> T { values[number(below: values.count)] }

  // MARK: Filters

  /// Returns a condition as text.
  mutating func filter(depth: Int = 2) -> String {
    switch number(below: depth > 0 ? 12 : 8) {
    case 8, 9:
      let terms = (0..<2 + number(below: 2)).map { _ in filter(depth: depth - 1) }
      return "(" + terms.joined(separator: chance(2) ? " AND " : " OR ") + ")"
    case 10, 11: return "NOT (\(filter(depth: depth - 1)))"
    case 7 where isCQL2 && table.geometry != nil: return spatial()
    case 0: return "\(field()) IS \(chance(2) ? "NOT " : "")NULL"
    case 1:
      let column = column()
      let list = (0..<1 + number(below: 4)).map { _ in literal(column) }
      return "\(value(column)) \(chance(3) ? "NOT " : "")IN (\(list.joined(separator: ", ")))"
    case 2:
      let column = column { [.integer, .real, .date, .instant].contains($0) }
      return "\(value(column)) \(chance(3) ? "NOT " : "")BETWEEN \(literal(column)) AND \(literal(column))"
    case 3: return like()
    case 4 where isCQL2: return temporal()
    default:
      let column = column()
      let other = chance(8) ? name(column) : literal(column)
      return "\(value(column)) \(pick(["=", "<>", "<", ">", "<=", ">="])) \(other)"
    }
  }

  /// Returns the index of a column with a type that filters can use.
  private mutating func column(_ accepts: (AttributeType) -> Bool = { _ in true }) -> Int {
    let fitting = table.columns.indices.filter { accepts(table.columns[$0].type) }
    return fitting.isEmpty ? 0 : pick(fitting)
  }

  private func name(_ column: Int) -> String {
    "\"" + table.schema.fields[column].name.replacing("\"", with: "\"\"") + "\""
  }

  private mutating func field() -> String { name(column()) }

  /// Returns a field, or a function of it with values of the same type.
  private mutating func value(_ column: Int) -> String {
    let name = name(column)
    guard chance(5) else { return name }
    switch table.columns[column].type {
    case .integer:
      return pick(["\(name) + 1", "COALESCE(\(name), 0)", "MOD(\(name), 7)", "NULLIF(\(name), 1)"])
    case .real:
      return pick([
        "\(name) * 2", "FLOOR(\(name))", "CEILING(\(name))", "ABS(\(name))", "COALESCE(\(name), 0)",
      ])
    case .text:
      return pick([
        "UPPER(\(name))", "LOWER(\(name))", "TRIM(\(name))", "CONCAT(\(name), 'b')",
        "SUBSTRING(\(name), 1, 3)",
        "COALESCE(\(name), 'a')",
      ])
    default: return name
    }
  }

  /// Returns a value of a row as a literal, rarely a near one.
  private mutating func literal(_ column: Int) -> String {
    switch table.columns[column].value(at: number(below: table.rowCount)) {
    case .integer(let number): return chance(6) ? "\(Double(number) + 0.5)" : "\(number)"
    case .real(let number): return "\(number)"
    case .text(let text): return "'" + text.prefix(20).replacing("'", with: "''") + "'"
    case .boolean(let flag): return isCQL2 ? (flag ? "TRUE" : "FALSE") : (flag ? "1" : "0")
    case .date(let date): return isCQL2 ? "DATE('\(date)')" : "DATE '\(date)'"
    case .instant(let instant):
      if chance(4) { return isCQL2 ? "DATE('\(instant.date)')" : "DATE '\(instant.date)'" }
      return isCQL2 ? "TIMESTAMP('\(instant)')" : "TIMESTAMP '\(instant.sqlTimestamp)'"
    case .null, .duration:
      switch table.columns[column].type {
      case .text: return "'a'"
      case .date, .instant: return isCQL2 ? "DATE('2001-02-03')" : "DATE '2001-02-03'"
      case .boolean: return isCQL2 ? "TRUE" : "1"
      default: return "1"
      }
    }
  }

  private mutating func like() -> String {
    let column = column { $0 == .text }
    guard case .text(let text) = table.columns[column].value(at: number(below: table.rowCount)) else {
      return "\(name(column)) IS NULL"
    }
    let part = String(text.dropFirst(number(below: 3)).prefix(1 + number(below: 4))).replacing(
      "'", with: "''")
    let pattern = pick(["%\(part)%", "\(part)%", "%\(part)", "_\(part)%", part])
    let operand = isCQL2 && chance(5) ? "CASEI(\(name(column)))" : name(column)
    return "\(operand) \(chance(3) ? "NOT " : "")LIKE "
      + (operand.hasPrefix("CASEI") ? "CASEI('\(pattern)')" : "'\(pattern)'")
  }

  private mutating func temporal() -> String {
    let column = column { $0 == .instant || $0 == .date }
    guard [.instant, .date].contains(table.columns[column].type) else { return "\(name(column)) IS NULL" }
    let word = pick(["T_BEFORE", "T_AFTER", "T_EQUALS", "T_INTERSECTS", "T_DISJOINT", "T_DURING"])
    let (first, last) = (literal(column), literal(column))
    let interval = "INTERVAL(\(bound(first)), \(bound(last)))"
    return "\(word)(\(name(column)), \(word == "T_DURING" || chance(2) ? interval : first))"
  }

  private func bound(_ literal: String) -> String {
    literal.split(separator: "'").dropFirst().first.map { "'\($0)'" } ?? "'..'"
  }

  private mutating func spatial() -> String {
    // Boxes of CQL2 are in WGS 84.
    guard let place = place()?.envelope,
      let box = try? SpatialOperations.installed.box(around: place, in: .wgs84)
    else { return "1 = 1" }
    let word = pick(["S_INTERSECTS", "S_WITHIN", "S_DISJOINT"])
    return
      "\(word)(\"\(table.schema.geometryName)\", BBOX(\(box.xMin), \(box.yMin), \(box.xMax), \(box.yMax)))"
  }

  // MARK: Places

  /// Returns an envelope in WGS 84, and whether its sides are coordinates of rows.
  mutating func place(nearBy margin: Double? = nil) -> (envelope: Envelope, isAtCoordinate: Bool)? {
    guard let buffer = table.geometry, !buffer.x.isEmpty else { return nil }
    func vertex(_ index: Int) -> Point? {
      let point = Point(x: buffer.x[index], y: buffer.y[index])
      return point.x.isFinite ? point : nil
    }
    guard let first = vertex(number(below: buffer.x.count)), let other = vertex(number(below: buffer.x.count))
    else {
      return place(nearBy: margin)
    }
    func shifted() -> Double { Double.random(in: -1...1, using: &random) }
    let shift = (0..<4).map { _ in margin.map { $0 * shifted() } ?? 0 }
    let (x, y) = (
      [first.x + shift[0], other.x + shift[1]].sorted(), [first.y + shift[2], other.y + shift[3]].sorted()
    )
    return (
      Envelope(
        xMin: x[0], yMin: y[0], xMax: x[1], yMax: y[1], spatialReference: table.schema.spatialReference),
      margin == nil
    )
  }

  /// Returns a geometry around some rows, in the table's spatial reference.
  mutating func geometry() -> (any Geometry)? {
    guard let box = place()?.envelope else { return nil }
    let (a, b, c) = (
      Point(x: box.xMin, y: box.yMin), Point(x: box.xMax, y: box.yMin + box.height / 3),
      Point(x: box.xMin, y: box.yMax)
    )
    switch number(below: 4) {
    case 0: return box
    case 1: return Point(x: box.xMin, y: box.yMin, spatialReference: box.spatialReference)
    case 2: return Polyline(points: [a, b, c], spatialReference: box.spatialReference)
    default: return Polygon(points: [a, b, c], spatialReference: box.spatialReference)
    }
  }

  // MARK: Statistics

  /// Returns statistics of some fields, mostly by groups.
  mutating func statistics() -> StatisticsQuery {
    let types: [StatisticDefinition.StatisticType] = [
      .average, .count, .distinct, .maximum, .minimum, .standardDeviation, .sum, .variance, .median,
    ]
    var definitions = [StatisticDefinition(fieldName: "*", statisticType: .count)]
    for index in 0..<1 + number(below: 4) {
      let type = pick(types)
      let column = column {
        [.count, .distinct, .maximum, .minimum].contains(type) || [.integer, .real].contains($0)
      }
      guard [.count, .distinct].contains(type) || [.integer, .real].contains(table.columns[column].type)
      else {
        continue
      }
      definitions.append(
        StatisticDefinition(
          fieldName: table.schema.fields[column].name, statisticType: type, outputAlias: "s\(index)"))
    }
    let groups = (0..<number(below: 3)).map { _ in table.schema.fields[column()].name }
    return StatisticsQuery(definitions: definitions, groupByFieldNames: groups)
  }
}
