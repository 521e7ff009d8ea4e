import MapDocuments
import MapFeatures
import MapFilter
import MapJSON
import MapModel
import Testing

@Suite struct DisplayFilterTests {
  private static func filter(_ name: String, _ clause: String) -> DisplayFilter {
    DisplayFilter(name: name, whereClause: clause)
  }

  @Test("The active filter applies only when it is among the available ones")
  func activeClause() throws {
    let (a, b) = (Self.filter("a", "A = 1"), Self.filter("b", "B = 2"))
    func clause(_ active: DisplayFilter?, _ available: [DisplayFilter]) -> String {
      ManualDisplayFilterDefinition(activeFilter: active, availableFilters: available).activeClause
    }
    #expect(clause(a, [a, b]) == "A = 1")
    #expect(clause(b, [a, b]) == "B = 2")
    #expect(clause(nil, [a, b]).isEmpty)
    #expect(clause(b, [a]).isEmpty)
    #expect(clause(a, []).isEmpty)
  }

  @Test(
    "A filter created without a clause is an error when it is used for drawing", arguments: ["", "  \n\t"])
  func refusesBlankClause(clause: String) throws {
    let filter = Self.filter("x", clause)
    let definition = ManualDisplayFilterDefinition(activeFilter: filter, availableFilters: [filter])
    #expect(definition.form.activeFilter(atScale: 1)?.lacksClause == true)
    var conditions = QueryConditions()
    conditions.lacksDisplayFilter = true
    let error = #expect(throws: QueryConditionError.self) { try conditions.query(for: .drawing) }
    #expect(error?.kind == .display)
    #expect(error?.description.contains("expected a condition") == true)
    #expect(throws: Never.self) { try conditions.query(for: .query) }
    // A blank filter read from a document matches everything.
    let read = DisplayFilter(filterID: "x", name: "x", anyClause: clause)
    #expect(!read.lacksClause)
  }

  private static func read(_ info: String, _ more: String = "") throws -> (
    clause: String?, warnings: [String]
  ) {
    let map = try DocumentReading.map(definition: "{\"displayFilterInfo\":\(info)\(more)}")
    return (map.layers[0].displayFilter?.activeClause(atScale: 1000), map.warnings.map(\.description))
  }

  @Test("A display filter is read from a document, and a fault in it is an error")
  func documents() throws {
    let filters = """
      "filters":[{"id":"f1","title":"Tall","where":"HEIGHT > 10"},{"id":"f2","where":""},{"id":"f3"}]
      """
    #expect(
      try Self.read("{\"filterMode\":\"manual\",\"activeFilterId\":\"f1\",\(filters)}").clause
        == "HEIGHT > 10")
    for id in ["f2", "f3", ""] {
      let (clause, warnings) = try Self.read(
        "{\"filterMode\":\"manual\",\"activeFilterId\":\"\(id)\",\(filters)}")
      #expect(clause?.isEmpty == true)
      #expect(warnings.count == 1)
      #expect(warnings.first?.contains(".filters[2].where: missing") == true)
    }
    let unknown = #expect(throws: JSONDecodingError.self) {
      try Self.read("{\"filterMode\":\"manual\",\"activeFilterId\":\"f9\",\(filters)}")
    }
    #expect(
      unknown?.description.contains(".activeFilterId: no filter has the id \"f9\"; did you mean") == true)
    #expect(try Self.read("{\"filterMode\":\"manual\",\(filters)}").clause?.isEmpty == true)
    let disabled = try Self.read(
      "{\"filterMode\":\"manual\",\"activeFilterId\":\"f1\",\(filters)}", ",\"disableDisplayFilter\":true")
    #expect(disabled.clause == nil)
    let odd = #expect(throws: JSONDecodingError.self) {
      try Self.read("{\"filterMode\":\"odd\",\(filters)}")
    }
    #expect(odd?.description.contains(".displayFilterInfo.filterMode: unknown value \"odd\"") == true)
    // A disabled display filter is ignored.
    let off = try Self.read("{\"filterMode\":\"odd\",\(filters)}", ",\"disableDisplayFilter\":true")
    #expect(off.clause == nil)
  }

  @Test("Filters, scales and time settings survive a round trip through a document")
  func roundTrip() throws {
    var layer = WebMapLayer(id: "a", title: "A", url: "a.geojson")
    let (a, b) = (Self.filter("a", "A = 'é'"), Self.filter("b", "B = 2"))
    layer.displayFilter = .manual(ManualDisplayFilterDefinition(activeFilter: b, availableFilters: [a, b]))
    layer.definitionExpression = "C IS NULL"
    layer.opacity = 0.25
    layer.isVisible = false
    (layer.minScale, layer.maxScale) = (5000, 100)
    layer.timeInfo = TimeInfo(startField: "s", endField: "e")
    var map = WebMap(layers: [layer], viewpoint: Viewpoint(latitude: 0, longitude: 0, scale: 5, rotation: 30))
    map.timeExtent = TimeExtent(start: Instant(microseconds: -1500), end: nil)
    (map.minScale, map.maxScale) = (1e6, 500)
    map.background = Color(red: 1, green: 2, blue: 3, alpha: 4)
    let again = try WebMap(JSONValue(parsing: map.json.text()))
    let read = try #require(again.layers.first)
    #expect(read.displayFilter == layer.displayFilter)
    #expect(read.definitionExpression == "C IS NULL")
    #expect(read.opacity == 0.25)
    #expect(!read.isVisible)
    #expect(read.minScale == 5000)
    #expect(read.maxScale == 100)
    #expect(read.timeInfo == layer.timeInfo)
    #expect(again.viewpoint?.rotation == 30)
    #expect(again.timeExtent == TimeExtent(start: Instant(microseconds: -2000), end: nil))
    #expect(again.background == map.background)
    #expect(again.minScale == 1e6)
    #expect(again.maxScale == 500)
    #expect(again.warnings.isEmpty)
  }
}
