import Foundation
import MapFeatures
import MapFilter
import MapGeometry
import MapGeospatial
import MapJSON
import MapTestSupport
import Testing

/// The SQL of filters run by SpatiaLite over the standard's data gives the same counts as the in-memory
/// source.
///
/// Needs packages that a build does not; `Scripts/test --full` installs them and sets the variable.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["MAPSTATE_SPATIALITE"] == "1"))
struct SpatiaLiteDifferentialTests {
  private struct Item {
    let layer: String, filter: FilterExpression, sql: SQLFilter, count: Int
  }

  @Test("Filters written for SpatiaLite give the counts of the in-memory source")
  func countsAgree() throws {
    let sources = try CQL2ConformanceTests.sources.get()
    var (items, residuals) = ([Item](), [String: Int]())
    func add(_ filter: FilterExpression, _ layer: String, _ source: InMemorySource) throws {
      let sql = try filter.sql(
        for: .spatiaLite, fields: source.columns().filterFields(names: .ofCQL2))
      for loss in sql.losses { residuals[loss.part, default: 0] += 1 }
      guard sql.residual == nil else { return }
      let count: Int
      // SpatiaLite answers some filters that the in-memory source refuses, such as with a self-crossing area.
      do {
        count = try CQL2ConformanceTests.count(filter.text(in: .cql2JSON), source)
      } catch is SpatialOperationError {
        return
      }
      items.append(Item(layer: layer, filter: filter, sql: sql, count: count))
    }
    for item in try CQL2ConformanceTests.cases.get() where item.expected != nil {
      let source = try #require(sources[item.layer])
      try add(try #require(try CQL2TextParser.parse(item.text)), item.layer, source)
    }
    let conformanceCount = items.count
    for (number, layer) in CQL2ConformanceTests.layers.enumerated() {
      let source = try #require(sources[layer])
      var generator = DataFilterGenerator(seed: UInt64(60 + number), table: source.columns())
      for _ in 0..<1200 { try add(generator.condition(depth: 2), layer, source) }
    }
    let counts = try Self.ask(items)
    #expect(counts.count == items.count)
    var (none, all, differing) = (0, 0, 0)
    for (item, count) in zip(items, counts) {
      let total = sources[item.layer]?.rowCount ?? 0
      none += item.count == 0 ? 1 : 0
      all += item.count == total ? 1 : 0
      if count.integer != item.count {
        differing += 1
        if differing <= 10 {
          let text = try item.filter.text(in: .cql2Text)
          Issue.record(
            "\(item.layer): memory \(item.count), SpatiaLite \(count.text()): \(text)\n\(item.sql)")
        }
      }
    }
    #expect(differing == 0)
    #expect(conformanceCount > 190, "\(conformanceCount)")
    #expect(items.count > 2_500, "\(items.count) \(none) \(all)")
    #expect(none < items.count / 2, "\(items.count) \(none) \(all)")
    #expect(all < items.count / 3, "\(items.count) \(none) \(all)")
    print(
      "SpatiaLite: \(items.count) filters, \(none) of no row, \(all) of all rows; left for memory: \(residuals)"
    )
  }

  private static func ask(_ items: [Item]) throws -> [JSONValue] {
    let list = items.map { item -> JSONValue in
      [
        "layer": .string(item.layer), "sql": .string(item.sql.text ?? "1 = 1"),
        "parameters": .array(
          item.sql.parameters.map { parameter in
            switch parameter {
            case .integer(let number): .number(JSONNumber(number))
            case .real(let number): .number(number)
            case .text(let text): .string(text)
            case .boolean(let flag): .boolean(flag)
            }
          }),
      ]
    }
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "mapstate-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(JSONValue.array(list).text().utf8).write(to: file)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = [
      Fixture.path("CQL2/spatialite_counts.py"), Fixture.path("CQL2/ne110m4cql2.gpkg"), file.path,
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.start()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return try #require(try JSONValue(parsing: Array(data)).array)
  }
}

/// Random filters with literals from the rows of a table, so that some rows match.
private struct DataFilterGenerator {
  private var random: SeededGenerator
  private let table: FeatureColumns
  private let fields: [AttributeType: [String]]

  init(seed: UInt64, table: FeatureColumns) {
    (random, self.table) = (SeededGenerator(seed: seed), table)
    fields = Dictionary(grouping: zip(table.schema.fields, table.columns), by: { $0.1.type })
      .mapValues { $0.map(\.0.name) }
  }

  private mutating func chance(_ n: Int) -> Bool { Int.random(in: 0..<n, using: &random) == 0 }
  private mutating func pick<T>(_ values: [T]) -> T {
    values[Int.random(in: 0..<values.count, using: &random)]
  }

  private mutating func value(_ name: String) -> AttributeValue {
    let column = table.columns[table.schema.index(ofField: name) ?? 0]
    for _ in 0..<200 {
      let value = column.value(at: Int.random(in: 0..<table.rowCount, using: &random))
      if value != .null { return value }
    }
    return column.type == .text ? .text("a") : .integer(0)
  }

  private mutating func comparison() -> ComparisonOperator {
    pick([.equal, .notEqual, .less, .greater, .lessOrEqual, .greaterOrEqual])
  }

  mutating func condition(depth: Int) -> FilterExpression {
    switch Int.random(in: (depth > 0 ? 0 : 3)...13, using: &random) {
    case 0: return .and((0..<Int.random(in: 2...3, using: &random)).map { _ in condition(depth: depth - 1) })
    case 1: return .or((0..<Int.random(in: 2...3, using: &random)).map { _ in condition(depth: depth - 1) })
    case 2: return .not(condition(depth: depth - 1))
    case 3, 4:
      guard let names = fields[.integer] ?? fields[.real] else { return text() }
      let name = pick(names)
      switch Int.random(in: 0...2, using: &random) {
      case 0: return .comparison(comparison(), number(2, names), .literal(value(name)))
      case 1: return .between(.property(name), lower: .literal(value(name)), upper: number(1, names))
      default: return .isIn(number(1, names), (0..<4).map { _ in .literal(value(name)) })
      }
    case 5, 6: return text()
    case 7:
      let all = fields.values.flatMap { $0 }.sorted()
      return .isNull(.property(pick(all + ["geom"])))
    case 8, 9: return temporal()
    default: return spatial()
    }
  }

  private mutating func number(_ depth: Int, _ names: [String]) -> FilterExpression {
    switch Int.random(in: 0...(depth > 0 ? 6 : 2), using: &random) {
    case 0: return .literal(pick([.integer(0), .integer(7), .integer(-3), .real(2.5), .integer(1_000_000)]))
    case 1, 2: return .property(pick(names))
    case 3: return .arithmetic(.power, number(0, names), .literal(.integer(pick([0, 1, 2]))))
    case 4: return .call(pick(["FLOOR", "CEILING"]), [number(depth - 1, names)])
    default:
      return .arithmetic(
        pick([.add, .subtract, .multiply, .divide, .modulo, .divideWhole]), number(depth - 1, names),
        number(depth - 1, names))
    }
  }

  private mutating func text() -> FilterExpression {
    let names = fields[.text] ?? []
    let (name, other) = (pick(names), pick(names))
    guard case .text(let sample) = value(name) else { return .literal(.boolean(true)) }
    let literal = FilterExpression.literal(.text(sample))
    switch Int.random(in: 0...6, using: &random) {
    case 0, 1: return .comparison(comparison(), .property(name), literal)
    case 2:
      let start = String(sample.unicodeScalars.prefix(Int.random(in: 0...3, using: &random)))
      let pattern = pick([
        start + "%", "%" + start + "%", "_" + String(sample.unicodeScalars.dropFirst()), "%a_", "_____",
        "%\\%%", "%[%", "*",
      ])
      return .like(.property(name), pattern: .literal(.text(pattern)), escape: "\\")
    case 3: return .isIn(.property(name), [literal, .literal(.text("x")), .property(other)])
    case 4: return .comparison(comparison(), .property(name), .property(other))
    case 5:
      return .comparison(
        comparison(), .call("CHAR_LENGTH", [.property(name)]),
        .literal(.integer(Int64.random(in: 1...12, using: &random))))
    default:
      return .comparison(
        comparison(),
        .call("SUBSTRING", [.property(name), .literal(.integer(pick([1, 2, 3]))), .literal(.integer(2))]),
        .literal(.text(String(sample.unicodeScalars.prefix(2)))))
    }
  }

  private mutating func moment(_ isDay: Bool) -> FilterExpression {
    let day = pick(["2021-04-16", "2022-04-16", "2022-04-17", "2023-04-16", "2024-02-22", "2022-12-16"])
    let time = pick(["00:00:00Z", "10:13:19Z", "10:15:59Z", "10:15:10Z", "09:37:52Z", "10:16:06.5Z"])
    let instant = Instant(rfc3339: "\(day)T\(time)")
    guard !isDay, let instant else { return .literal(CalendarDate(iso8601: day).map { .date($0) } ?? .null) }
    return .literal(.instant(instant))
  }

  private mutating func temporal() -> FilterExpression {
    guard let days = fields[.date], let instants = fields[.instant] else { return spatial() }
    let predicate = pick(TemporalPredicate.allCases)
    let isDay = chance(3)
    let names = isDay ? days : instants
    let literal = chance(4) ? isDay : !isDay || chance(2)
    let own = FilterExpression.interval(
      start: chance(6) ? nil : .property(pick(names)), end: chance(6) ? nil : .property(pick(names)))
    let other = FilterExpression.interval(
      start: chance(5) ? nil : moment(literal), end: chance(5) ? nil : moment(chance(5) ? !literal : literal))
    if predicate.takesIntervalsOnly || chance(2) {
      return chance(2) ? .temporal(predicate, own, other) : .temporal(predicate, other, own)
    }
    return chance(2)
      ? .temporal(predicate, .property(pick(names)), chance(2) ? other : moment(literal))
      : .comparison(comparison(), .property(pick(names)), moment(chance(2)))
  }

  private mutating func spatial() -> FilterExpression {
    guard let buffer = table.geometry else { return .literal(.boolean(true)) }
    // Around a vertex of the data, and sometimes exactly at it, so that something matches.
    let vertex = Int.random(in: 0..<buffer.x.count, using: &random)
    let (x, y) = (buffer.x[vertex], buffer.y[vertex])
    let (w, h) = (pick([1.0, 5, 20, 60]), pick([1.0, 5, 20, 40]))
    func clamped(_ x: Double, _ y: Double) -> Point {
      Point(x: max(-180, min(180, x)), y: max(-90, min(90, y)))
    }
    let (a, b) = (clamped(x - w, y - h), clamped(x + w / 2, y + h / 3))
    let literal: GeometryLiteral =
      switch Int.random(in: 0...6, using: &random) {
      case 0: .point(Point(x: x, y: y))
      case 1: .line([Point(x: x, y: y), b])
      case 2: .line([a, b])
      case 3: .polygon([[a, Point(x: b.x, y: a.y), b, a]])
      case 4: .box(west: 180 - w, south: a.y, east: -180 + w, north: b.y)
      case 5: .multipoint([Point(x: x, y: y), a])
      default: .box(west: a.x, south: a.y, east: b.x, north: b.y)
      }
    let predicate = pick(SpatialPredicate.allCases)
    return chance(3)
      ? .spatial(predicate, .geometry(literal), .property("geom"))
      : .spatial(predicate, .property("geom"), .geometry(literal))
  }
}
