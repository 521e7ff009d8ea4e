import Foundation
import MapFeatures
import MapFilter
import MapGeospatial
import MapState
import Testing

/// Filters with independently computed counts, in text and in JSON; see Cases/CQL2/README.md.
@Suite struct CQL2ConformanceTests {
  struct Case: CustomStringConvertible {
    let id: String, layer: String, text: String, expected: Int?, json: String, differs: Bool
    var description: String { "\(id): \(text)" }

    init?(_ line: Substring) {
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard cells.count == 11 else { return nil }
      (id, layer, text, json, differs) = (cells[0], cells[3], cells[4], cells[10], cells[6] == "differs")
      expected = Int(differs ? cells[8] : cells[5])
    }
  }

  static let cases = Result {
    try String(contentsOfFile: Fixture.path("CQL2/predicates.tsv"), encoding: .utf8).split(separator: "\n")
      .dropFirst().compactMap(Case.init)
  }

  static let layers = [
    "ne_110m_admin_0_countries", "ne_110m_populated_places_simple", "ne_110m_rivers_lake_centerlines",
  ]

  static let sources = Result {
    try Dictionary(uniqueKeysWithValues: layers.map { ($0, try source($0)) })
  }

  private static func source(_ layer: String) throws -> InMemorySource {
    let table = try VectorFile.read(Fixture.path("CQL2/ne110m4cql2.gpkg"), layer: layer).table
    return try InMemorySource(table, operations: .libraries)
  }

  static func count(_ filter: String, _ source: InMemorySource) throws -> Int {
    var conditions = QueryConditions()
    conditions.question.cql2 = filter
    return try source.count(conditions.query(for: .query))
  }

  @Test("CQL2 filters in text and JSON give the counts of the conformance cases")
  func counts() throws {
    let (cases, sources) = (try Self.cases.get(), try Self.sources.get())
    #expect(cases.count == 256)
    #expect(sources.mapValues(\.rowCount).values.sorted() == [13, 177, 243])
    var (counted, refused, differing) = (0, 0, 0)
    for item in cases {
      let source = try #require(sources[item.layer])
      guard let expected = item.expected else {
        #expect(throws: QueryConditionError.self, "\(item)") { try Self.count(item.text, source) }
        refused += 1
        continue
      }
      for filter in [item.text, item.json] {
        do {
          let count = try Self.count(filter, source)
          #expect(count == expected, "\(item.id): \(filter)")
        } catch {
          Issue.record(error, "\(item.id): \(filter)")
        }
      }
      counted += 1
      differing += item.differs ? 1 : 0
    }
    #expect(counted == 232)
    #expect(refused == 24)
    #expect(differing == 1)
  }
}
