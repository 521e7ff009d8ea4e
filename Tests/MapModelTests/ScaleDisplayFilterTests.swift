import MapDocuments
import MapJSON
import MapModel
import Testing

/// Source of the rules: Esri web map specification, `displayFilterInfo` with `filterMode` "scale".
@Suite struct ScaleDisplayFilterTests {
  private static func definition(_ ranges: [(Double, Double)]) -> ScaleDisplayFilterDefinition {
    ScaleDisplayFilterDefinition(
      filters: ranges.enumerated().map { index, range in
        ScaleRangeDisplayFilter(
          name: "ABC".map(String.init)[index], whereClause: "n = \(index)", minScale: range.0,
          maxScale: range.1)
      })
  }

  /// Ranges as (minScale, maxScale) in order A, B, C, and the filter at each scale; "" means none.
  static let cases: [(ranges: [(Double, Double)], answers: [(Double, String)])] = [
    // The specification's own example.
    ([(0, 20000), (20000, 0)], [(20000, "B"), (20001, "A"), (19999, "B")]),
    ([(20000, 5000)], [(20001, ""), (20000, "A"), (19999, "A"), (5001, "A"), (5000, ""), (4999, "")]),
    // There is no tolerance: the next double is another scale.
    ([(20000, 5000)], [(20000.0.nextUp, ""), (5000.0.nextUp, "A")]),
    ([(0, 0)], [(0.001, "A"), (1e10, "A")]),
    // The first in the list wins where ranges overlap.
    (
      [(20000, 5000), (30000, 10000)], [(15000, "A"), (20000, "A"), (25000, "B"), (10000, "A"), (30001, "")]
    ),
    ([(30000, 10000), (20000, 5000)], [(15000, "A"), (20000, "A"), (10000, "B"), (5000, "")]),
    // A maxScale that is not below the minScale matches no scale.
    ([(5000, 20000), (0, 30000)], [(4999, ""), (5000, ""), (12000, ""), (20000, ""), (30001, "B")]),
    ([(5000, 5000)], [(5000, ""), (4999, ""), (5001, "")]),
    ([], [(1, "")]),
  ]

  @Test("The scale decides the active display filter", arguments: 0..<9)
  func active(_ index: Int) throws {
    #expect(Self.cases.count == 9)
    let (ranges, answers) = Self.cases[index]
    let definition = Self.definition(ranges)
    for (scale, name) in answers {
      #expect(definition.activeFilter(atScale: scale)?.name ?? "" == name, "1:\(scale)")
      let clause = definition.form.activeClause(atScale: scale)
      #expect(clause == (name.isEmpty ? "" : "n = \(name == "A" ? 0 : 1)"))
    }
  }

  @Test("Overlapping scale ranges are detected, and touching ones do not overlap")
  func overlap() throws {
    for (ranges, overlaps) in [
      ([(0.0, 20000.0), (20000, 0)], false), ([(0, 20000), (20001, 0)], true), ([(0, 0), (0, 0)], true),
      ([(10, 5), (100, 50), (60, 20)], true), ([(10, 5), (100, 50), (50, 20)], false),
      ([(5, 10), (0, 0)], false), ([(100, 1), (3, 2), (200, 99)], true), ([(100, 1), (0, 100)], false),
    ] {
      #expect(Self.definition(ranges).hasOverlap == overlaps, "\(ranges)")
    }
  }

  @Test("A scale display filter survives a round trip through a document")
  func documents() throws {
    let info = """
      {"displayFilterInfo":{"filterMode":"scale","filters":[
      {"id":"a","title":"Large","where":"HEIGHT > 10","minScale":0,"maxScale":20000},
      {"id":"b","title":"All","where":"","minScale":20000}]}}
      """
    let map = try DocumentReading.map(definition: info)
    #expect(map.warnings.isEmpty, "\(map.warnings)")
    let form = try #require(map.layers[0].displayFilter)
    guard case .scale(let definition) = form else { throw DocumentReading.Unexpected() }
    #expect(definition.filters.map(\.filterID) == ["a", "b"])
    #expect(definition.filters.map(\.name) == ["Large", "All"])
    #expect(definition.filters.map(\.minScale) == [0, 20000])
    #expect(definition.filters.map(\.maxScale) == [20000, 0])
    #expect(form.activeClause(atScale: 20001) == "HEIGHT > 10")
    #expect(form.activeClause(atScale: 20000).isEmpty)
    let again = try WebMap(JSONValue(parsing: map.json.text()))
    #expect(again.layers[0].displayFilter == form)
    let overlapping = try DocumentReading.map(
      definition: info.replacing("\"maxScale\":20000", with: "\"maxScale\":10000"))
    #expect(
      overlapping.warnings.map { $0.path?.description } == [
        "$.operationalLayers[0].layerDefinition.displayFilterInfo.filters"
      ])
  }
}
