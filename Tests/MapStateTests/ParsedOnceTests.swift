import MapJSON
import MapModel
import MapScript
import MapState
import Testing

/// Each filter text is parsed when it is set, and not again by the queries that use it.
@Suite struct ParsedOnceTests {
  private static let document = """
    {"operationalLayers":[{"id":"a","title":"A",
    "featureCollection":{"layers":[{"layerDefinition":{"geometryType":"esriGeometryPoint","objectIdField":"OBJECTID",
    "fields":[{"name":"OBJECTID","type":"esriFieldTypeOID"},{"name":"name","type":"esriFieldTypeString"},
    {"name":"pop","type":"esriFieldTypeInteger"}]},"featureSet":{"spatialReference":{"wkid":4326},"features":[
    {"attributes":{"OBJECTID":1,"name":"a","pop":5},"geometry":{"x":1,"y":1}},
    {"attributes":{"OBJECTID":2,"name":"b","pop":0},"geometry":{"x":2,"y":2}},
    {"attributes":{"OBJECTID":3,"name":"c","pop":9},"geometry":{"x":3,"y":1}}]}}]},
    "layerDefinition":{"definitionExpression":"pop > 1","displayFilterInfo":{"filterMode":"manual",
    "activeFilterId":"f","filters":[{"id":"f","where":"pop < 90"}]},
    "drawingInfo":{"labelingInfo":[{"labelExpression":"[name]","where":"name <> 'x'"}]}},"showLabels":true}]}
    """

  private static func opened() async throws -> MapDocument {
    try await MapDocument.open(json: JSONValue(parsing: document), name: "map", folder: ".")
  }

  @Test("A funnel, an image with labels and a count parse each text once")
  func questions() async throws {
    let parsed = ParsedTexts()
    try await ParsedTexts.$current.withValue(parsed) { () async throws in
      let state = try await Self.opened().view(ViewRequest()).freeze()
      var options = CountOptions()
      (options.question.whereClause, options.question.cql2) = ("pop <> 7", "pop < 80")
      #expect(try await state.counts(options).layers[0].count == 2)
      options.funnel = true
      #expect(try await state.counts(options).layers[0].funnel?.drawn == 2)
      #expect(try await state.render().report.labels.classes.map(\.placed) == [2])
      options.question.area = .everywhere
      #expect(try await state.counts(options).layers[0].funnel?.display == 2)
      let explanation = try await state.explanation(of: 0, objectID: 2)
      #expect(explanation.failure?.reason == "definition expression is not true: pop > 1 (pop = 0)")
    }
    for text in ["pop > 1", "pop < 90", "name <> 'x'", "pop <> 7", "pop < 80"] {
      #expect(parsed[text] == 1, "\(text)")
    }
  }

  @Test("Options that replace filters parse each reading of their text once")
  func options() async throws {
    let parsed = ParsedTexts()
    try await ParsedTexts.$current.withValue(parsed) { () async throws in
      var options = ViewRequest()
      (options.definitions, options.displayFilters) = (["A: pop > 2"], ["pop < 8"])
      let state = try await Self.opened().view(options).freeze()
      var count = CountOptions()
      count.funnel = true
      #expect(try await state.counts(count).layers[0].funnel?.drawn == 1)
    }
    for text in ["A: pop > 2", "pop > 2", "pop < 8", "pop > 1"] { #expect(parsed[text] == 1, "\(text)") }
  }

  @Test("Properties of layers and of query parameters parse a text when it is set")
  func properties() async throws {
    let layer = try await Self.opened().map.featureLayers[0]
    let table = try #require(layer.featureTable)
    let parsed = ParsedTexts()
    try await ParsedTexts.$current.withValue(parsed) { () async throws in
      let statistics = StatisticsQueryParameters(statisticDefinitions: [
        StatisticDefinition(fieldName: "pop", statisticType: .sum, outputAlias: "s")
      ])
      let parameters = QueryParameters()
      layer.definitionExpression = "pop > 3"
      (parameters.whereClause, statistics.whereClause) = ("pop < 7", "pop < 77")
      #expect([parsed["pop > 3"], parsed["pop < 7"], parsed["pop < 77"]] == [1, 1, 1])
      for _ in 0..<2 {
        #expect(try await table.queryFeatureCount(using: parameters) == 1)
        #expect(try await table.queryStatistics(using: statistics).statisticRecords().count == 1)
      }
      // A text that does not parse is an error when it is used, each time.
      parameters.whereClause = "pop <"
      for _ in 0..<2 {
        #expect(
          await cause {
            try await table.queryFeatureCount(using: parameters)
          } is QueryConditionError)
      }
    }
    for text in ["pop > 3", "pop < 7", "pop < 77", "pop <"] { #expect(parsed[text] == 1, "\(text)") }
  }
}
