import FoundationEssentials
import MapJSON
import MapState
import Testing

/// Wrong calls in each area of the library, and the error that each throws.
@Suite struct PublicErrorTests {
  /// A wrong call and its error.
  private struct WrongCall: Sendable {
    let area: String
    let kind: MapStateError.Kind
    let message: String
    var path: String?
    var suggestion: String?
    let call: @Sendable () async throws -> Void
  }

  private static func layer(_ expression: String = "") -> FeatureLayer {
    let layer = FeatureLayer(source: TableFixtures.cities, title: "cities")
    layer.definitionExpression = expression
    return layer
  }

  private static func view(_ layer: FeatureLayer = layer(), width: Double = 400) throws -> MapView {
    let map = Map()
    map.addOperationalLayer(layer)
    return try MapView(map: map, width: width, height: 300)
  }

  private static func parameters(_ clause: String) -> QueryParameters {
    let parameters = QueryParameters()
    parameters.whereClause = clause
    return parameters
  }

  private static func table() -> any FeatureTable { LocalFeatureTable(source: TableFixtures.cities) }

  private static let documents: [WrongCall] = [
    WrongCall(area: "open a file", kind: .input, message: "nowhere.json: no such file or directory") {
      _ = try await MapDocument.open("nowhere.json")
    },
    WrongCall(
      area: "open a document", kind: .input, message: "map: $.operationalLayers: expected",
      path: "$.operationalLayers"
    ) { _ = try await MapDocument.open(json: ["operationalLayers": 1], name: "map", folder: ".") },
    WrongCall(
      area: "read a document", kind: .input, message: "the document: $.operationalLayers: expected",
      path: "$.operationalLayers"
    ) { _ = try Map.fromJSON(#"{"operationalLayers": 1}"#) },
    WrongCall(
      area: "open a layer", kind: .input, message: "is outside the folder of the document",
      path: "$.operationalLayers[0].url"
    ) {
      let layer: JSONValue = ["layerType": "ArcGISFeatureLayer", "url": "../../cities.csv"]
      _ = try await MapDocument.open(json: ["operationalLayers": [layer]], name: "map", folder: "Styles/data")
    },
    WrongCall(area: "choose a layer", kind: .input, message: "no layer named", suggestion: "cities") {
      let layer: JSONValue = ["layerType": "ArcGISFeatureLayer", "url": "cities.csv", "title": "cities"]
      var choice = LayerChoice()
      choice.names = ["citys"]
      _ = try await MapDocument.open(
        json: ["operationalLayers": [layer]], name: "map", folder: ".", choice: choice)
    },
    WrongCall(area: "list of stand-ins", kind: .input, message: "nowhere.json: no such file") {
      _ = try StandInCatalog(file: "nowhere.json")
    },
  ]

  private static let tables: [WrongCall] = [
    WrongCall(area: "load", kind: .input, message: "nowhere.csv: no such file or directory") {
      try await LocalFeatureTable(fileURL: URL(filePath: "nowhere.csv")).load()
    },
    WrongCall(area: "load a second layer", kind: .input, message: "use a clone() of it") {
      let table = LocalFeatureTable(source: TableFixtures.cities)
      let first = FeatureLayer(featureTable: table)
      defer { withExtendedLifetime(first) {} }
      try await FeatureLayer(featureTable: table).load()
    },
    WrongCall(area: "query", kind: .input, message: "unknown field 'NAM'", suggestion: "NAME") {
      _ = try await table().queryFeatures(using: parameters("NAM = 'A'"))
    },
    WrongCall(area: "count", kind: .input, message: "where clause") {
      _ = try await table().queryFeatureCount(using: parameters("POP = = 1"))
    },
    WrongCall(area: "extent", kind: .usage, message: "must be 0 or more") {
      let wrong = parameters("")
      wrong.resultOffset = -1
      _ = try await table().queryFeatures(using: wrong)
    },
    WrongCall(area: "statistics", kind: .input, message: "unknown field 'POPS'", suggestion: "POP") {
      _ = try await table().queryStatistics(
        using: StatisticsQueryParameters(statisticDefinitions: [
          StatisticDefinition(fieldName: "POPS", statisticType: .sum)
        ]))
    },
    WrongCall(area: "select", kind: .input, message: "unknown field 'NAM'", suggestion: "NAME") {
      _ = try await layer().selectFeatures(withQuery: parameters("NAM = 'A'"), mode: .new)
    },
    WrongCall(area: "edit a fixed table", kind: .input, message: "is read-only") {
      let fixed = table()
      try await fixed.add(fixed.makeFeature())
    },
    WrongCall(area: "edit", kind: .input, message: "there is no field 'x'") {
      let table = FeatureCollectionTable(fields: [Field(name: "n", type: .int32)], geometryType: nil)
      try await table.add(table.makeFeature(attributes: ["x": 1]))
    },
    WrongCall(area: "fill by hand", kind: .usage, message: "only in the mode manualCache") {
      let table = ServiceFeatureTable(
        url: try #require(TableFixtures.incidentsURL), standIns: TableFixtures.standIns)
      _ = try await table.populateFromService()
    },
    WrongCall(area: "late mode", kind: .usage, message: "cannot use the request mode") {
      let table = ServiceFeatureTable(
        url: try #require(TableFixtures.incidentsURL), standIns: TableFixtures.standIns)
      try await table.load()
      table.featureRequestMode = .manualCache
      _ = try await table.queryFeatureCount()
    },
  ]

  private static let views: [WrongCall] = [
    WrongCall(area: "size", kind: .usage, message: "an image of 0 by 300 pixels is impossible") {
      _ = try view(width: 0)
    },
    WrongCall(area: "resize", kind: .usage, message: "an image of 40000 by 300 pixels") {
      try view().resize(width: 40_000, height: 300)
    },
    WrongCall(area: "zoom", kind: .usage, message: "a zoom factor of 0.0 is impossible") {
      try view().zoom(by: 0)
    },
    WrongCall(area: "pan", kind: .usage, message: "") { try view().pan(right: .infinity, down: 0) },
    WrongCall(area: "rotate", kind: .usage, message: "must be finite") { try view().rotate(by: .nan) },
    WrongCall(area: "viewpoint", kind: .usage, message: "") {
      try view().setViewpoint(Viewpoint(center: Point(x: .nan, y: 0, spatialReference: .wgs84), scale: 1000))
    },
    WrongCall(area: "identify", kind: .usage, message: "a tolerance of 101.0 is impossible") {
      _ = try await view().identifyLayers(screenPoint: ScreenPoint(x: 1, y: 1), tolerance: 101)
    },
    WrongCall(area: "identify elsewhere", kind: .usage, message: "layer \"cities\" is not in this view") {
      _ = try await view().identify(on: layer(), screenPoint: ScreenPoint(x: 1, y: 1), tolerance: 1)
    },
    WrongCall(area: "draw without a size", kind: .usage, message: "the view has no size") {
      _ = try await MapView(map: Map()).freeze().render()
    },
    WrongCall(area: "draw", kind: .input, message: "layer \"cities\": ", suggestion: "NAME") {
      _ = try await view(layer("NAM = 'A'")).freeze().render()
    },
    WrongCall(area: "display list", kind: .input, message: "layer \"cities\": ", suggestion: "NAME") {
      _ = try await view(layer("NAM = 'A'")).freeze().displayList()
    },
    WrongCall(area: "count in view", kind: .input, message: "layer \"cities\": ", suggestion: "NAME") {
      let state = try view(layer("NAM = 'A'")).freeze()
      _ = try await state.count(of: state.layers[0])
    },
    WrongCall(area: "explain", kind: .input, message: "no feature with id 9; ids are 1 to 6") {
      _ = try await view().freeze().explanation(of: 0, objectID: 9)
    },
    WrongCall(area: "explain no layer", kind: .usage, message: "no layer with index 3") {
      _ = try await view().freeze().explanation(of: 3, objectID: 9)
    },
    WrongCall(area: "swatch", kind: .usage, message: "a pixel ratio of 9.0 is impossible") {
      _ = try await SimpleMarkerSymbol(style: .circle, color: .red, size: 8).makeSwatch(scale: 9)
    },
  ]

  @Test("Each wrong call throws a MapStateError of its kind, with message, path and suggestion")
  func wrongCalls() async throws {
    for wrong in Self.documents + Self.tables + Self.views {
      let error = try #require(await fault(wrong.call), "\(wrong.area)")
      #expect(error.kind == wrong.kind, "\(wrong.area): \(error)")
      #expect(error.description.contains(wrong.message), "\(wrong.area): \(error)")
      #expect(!error.description.isEmpty && !error.description.contains("\n"), "\(wrong.area)")
      #expect(error.path == wrong.path, "\(wrong.area): \(error)")
      #expect(error.suggestion == wrong.suggestion, "\(wrong.area): \(error)")
    }
  }

  #if Services
    @Test("A service that does not answer is an error of kind service")
    func services() async throws {
      let url = try #require(URL(string: "https://127.0.0.1:9/rest/services/x/FeatureServer/0"))
      let table = ServiceFeatureTable(url: url, standIns: StandInCatalog())
      let error = try #require(await fault { try await table.load() })
      #expect(error.kind == .service)
      #expect(error.description.contains("127.0.0.1"))
    }
  #endif

  @Test("A cancelled load has the cancellation as its cause")
  func cancelled() async throws {
    let map = Map(open: {
      try await Task.sleep(for: .seconds(600))
      return Map()
    })
    let load = Task { try await map.load() }
    while map.loadStatus == .notLoaded { await Task.yield() }
    map.cancelLoad()
    let error = try #require(await fault { try await load.value })
    #expect(error.cause is CancellationError)
    #expect(map.loadError?.description == error.description)
  }
}
