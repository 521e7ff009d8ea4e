import Foundation
import MapFeatures
import MapFilter
import Testing

/// Where clauses for which PostgreSQL and DuckDB give the same counts; see Cases/Where/README.md.
@Suite struct WhereConformanceFilterTests {
  struct Case: CustomTestStringConvertible {
    let id: String, layer: String, clause: String, expected: Int?
    var testDescription: String { "\(id): \(clause)" }
  }

  static func lines(_ name: String) throws -> [[String]] {
    let folder = try #require(Bundle.module.resourceURL)
    return try String(contentsOf: folder.appending(path: "Cases/Where/\(name)"), encoding: .utf8)
      .split(separator: "\n")
      .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
  }

  static let cases: [Case] =
    (try? lines("predicates.tsv"))?.dropFirst().map {
      Case(id: $0[0], layer: $0[2], clause: $0[3], expected: Int($0[4]))
    } ?? []

  static func table(_ name: String) throws -> FilterTable {
    let lines = try lines("\(name).tsv")
    let types = try lines[1].map { try #require(AttributeType(rawValue: $0)) }
    let rows = try lines.dropFirst(2).map { line in
      try zip(line, types).map { cell, type in try #require(value(cell, type), "\(cell)") }
    }
    return FilterTable(names: lines[0], types: types, rows: rows)
  }

  private static func value(_ cell: String, _ type: AttributeType) -> AttributeValue? {
    if cell == "\\N" { return .null }
    return switch type {
    case .integer: Int64(cell).map(AttributeValue.integer)
    case .real: Double(cell).map(AttributeValue.real)
    case .text: .text(cell)
    case .boolean: .boolean(cell == "1")
    case .date: CalendarDate(iso8601: cell).map(AttributeValue.date)
    case .instant: Instant(rfc3339: cell).map(AttributeValue.instant)
    case .duration, .geometry, .interval, .array: nil
    }
  }

  static let tables = Result {
    try [
      "ne_110m_admin_0_countries": table("ne_110m_admin_0_countries"),
      "ne_110m_populated_places_simple": table("ne_110m_populated_places_simple"),
    ]
  }

  @Test("Where clauses give the counts of the conformance table or are refused")
  func counts() throws {
    let tables = try Self.tables.get()
    #expect(
      tables.mapValues(\.rows.count) == [
        "ne_110m_admin_0_countries": 177, "ne_110m_populated_places_simple": 243,
      ])
    #expect(Self.cases.count == 138)
    var (counted, refused) = (0, 0)
    for item in Self.cases {
      let table = try #require(tables[item.layer])
      var count: Int?
      do {
        let read = try #require(try FilterText(where: item.clause))
        let filter = try CompiledFilter(
          read.expression, for: table.columns, now: Instant(rfc3339: "2026-11-21T12:00:00Z"),
          places: read.places)
        count = filter.rows(in: table.columns).count
        counted += 1
      } catch let error as FilterSyntaxError {
        #expect((0...item.clause.utf8.count).contains(error.offset))
        refused += 1
      } catch let error as FilterError {
        // Each has the offset of a character.
        #expect((0..<item.clause.utf8.count).contains(try #require(error.offset)), "\(item): \(error)")
        refused += 1
      }
      #expect(count == item.expected, "\(item)")
    }
    #expect(counted == 101)
    #expect(refused == 37)
  }
}
