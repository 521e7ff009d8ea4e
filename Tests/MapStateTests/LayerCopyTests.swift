import Foundation
import MapJSON
import MapState
import Testing

/// Copies of layers and tables: equal at first and independent afterwards.
@Suite struct LayerCopyTests {
  private static func view(_ map: Map) throws -> MapView {
    try MapView(
      map: map, width: 120, height: 60,
      viewpoint: Viewpoint(
        center: Point(x: 20_000, y: 0, spatialReference: .webMercator), scale: 2_000_000))
  }

  private static func picture(_ layers: [any Layer]) async throws -> Bitmap {
    let map = Map()
    map.addOperationalLayers(layers)
    return try await view(map).exportImage()
  }

  private static func square(_ color: Color) -> SimpleRenderer {
    SimpleRenderer(symbol: SimpleMarkerSymbol(style: .square, color: color, size: 12))
  }

  private static func parameters(_ clause: String) -> QueryParameters {
    let parameters = QueryParameters()
    parameters.whereClause = clause
    return parameters
  }

  @Test("A copy of a layer has the same settings and a table of its own")
  func layer() async throws {
    let layer = FeatureLayer(source: TableFixtures.cities, id: "c", title: "Cities")
    layer.renderer = Self.square(.red)
    layer.definitionExpression = "POP > 50"
    (layer.opacity, layer.minScale, layer.maxScale) = (0.5, 5_000_000, 1000)
    (layer.scalesSymbols, layer.timeFilteringIsEnabled, layer.showsInLegend) = (false, false, false)
    (layer.renderingMode, layer.labelsAreEnabled) = (.static, true)
    layer.addLabelDefinition(
      LabelDefinition(
        labelExpression: SimpleLabelExpression(simpleExpression: "[NAME]"), textSymbol: TextSymbol()))
    let filter = DisplayFilter(name: "f", whereClause: "POP_RANK = 1 OR POP_RANK = 2")
    layer.displayFilterDefinition = ManualDisplayFilterDefinition(
      activeFilter: filter, availableFilters: [filter])
    let table = try #require(layer.featureTable)
    let features = try await table.queryFeatures(using: QueryParameters()).features()
    layer.selectFeature(features[0])
    layer.setVisible(false, for: features[1])
    let copy = layer.clone()
    #expect(copy.id == "c")
    #expect(copy.name == "Cities")
    #expect(copy.definitionExpression == "POP > 50")
    #expect((copy.opacity, copy.minScale, copy.maxScale) == (0.5, 5_000_000, 1000))
    #expect(!copy.scalesSymbols)
    #expect(!copy.timeFilteringIsEnabled)
    #expect(!copy.showsInLegend)
    #expect(copy.renderingMode == .static)
    #expect(copy.labelsAreEnabled)
    #expect(copy.labelDefinitions.count == 1)
    #expect(copy.selectedIDs == [1])
    #expect(copy.hiddenIDs == [2])
    #expect(copy.loadStatus == .loaded)
    let other = try #require(copy.featureTable)
    #expect(other !== table)
    #expect(other.featureLayer === copy)
    #expect(table.featureLayer === layer)
    #expect(other.tableName == table.tableName)
    let before = try await Self.picture([layer])
    #expect(try await Self.picture([copy]) == before)
    // Each changes independently, also the expression for its table's queries.
    copy.definitionExpression = ""
    copy.renderer = Self.square(.blue)
    copy.resetFeaturesVisible()
    copy.isVisible = false
    #expect(try await other.queryFeatureCount() == 6)
    #expect(try await table.queryFeatureCount() == 4)
    #expect(layer.isVisible)
    #expect(layer.hiddenIDs == [2])
    #expect(copy.selectedIDs == [1])
    // A copy of a layer whose table belongs to another layer has a table of its own.
    let second = FeatureLayer(featureTable: table)
    await #expect(throws: MapStateError.self) { try await second.load() }
    let third = second.clone()
    try await third.load()
    #expect(third.featureTable?.numberOfFeatures == 6)
  }

  @Test("A copy of a group has copies of its layers, and both may be in one map")
  func group() async throws {
    let a = FeatureLayer(source: TableFixtures.cities, title: "a", renderer: Self.square(.red))
    let b = FeatureLayer(source: TableFixtures.cities, title: "b", renderer: Self.square(.blue))
    b.definitionExpression = "POP_RANK = 2"
    let group = GroupLayer(layers: [a, GroupLayer(layers: [b], name: "inner")], name: "outer")
    (group.opacity, group.minScale, group.showsInLegend) = (0.7, 3_000_000, false)
    let map = Map()
    map.addOperationalLayer(group)
    let before = try await Self.view(map).exportImage()
    let copy = group.clone()
    #expect(copy.name == "outer")
    #expect(copy.opacity == 0.7)
    #expect(copy.minScale == 3_000_000)
    #expect(!copy.showsInLegend)
    #expect(copy.featureLayers.map(\.name) == ["a", "b"])
    #expect(copy.featureLayers.allSatisfy { $0 !== a && $0 !== b })
    #expect(try await Self.picture([copy]) == before)
    let further = copy.clone()
    map.addOperationalLayer(further)
    #expect(map.featureLayers.count == 4)
    #expect(group.layers.count == 2)
    // The copy of an exclusive group keeps its visible layer.
    let exclusive = GroupLayer(layers: [a.clone(), b.clone()])
    exclusive.visibilityMode = .exclusive
    exclusive.layers[0].isVisible = true
    let same = exclusive.clone()
    #expect(same.visibilityMode == .exclusive)
    #expect(same.layers.map(\.isVisible) == [true, false])
    same.layers[1].isVisible = true
    #expect(same.layers.map(\.isVisible) == [false, true])
    #expect(exclusive.layers.map(\.isVisible) == [true, false])
  }

  @Test("A copy of an in-memory table is edited independently")
  func editing() async throws {
    let table = FeatureCollectionTable(
      fields: [Field(name: "n", type: .int32)], geometryType: .point, spatialReference: .webMercator,
      tableName: "t")
    table.renderer = Self.square(.green)
    try await table.add(table.makeFeature(attributes: ["n": 1 as Int32]))
    let copy = table.clone()
    #expect(copy.tableName == "t")
    #expect(copy.renderer?.form == table.renderer?.form)
    try await copy.add([copy.makeFeature(attributes: ["n": 2 as Int32]), copy.makeFeature()])
    try await table.delete(try await table.queryFeatures(using: QueryParameters()).features())
    #expect(table.numberOfFeatures == 0)
    #expect(copy.numberOfFeatures == 3)
    // Ids continue from the last one.
    let ids = try await copy.queryFeatures(using: QueryParameters()).features().map(\.objectID)
    #expect(ids == [1, 2, 3])
  }

  @Test("A copy of an unloaded table loads independently, and a copy of a service table keeps its features")
  func tables() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "copy-\(UUID()).csv")
    defer { try? FileManager.default.removeItem(at: file) }
    let table = LocalFeatureTable(fileURL: file)
    await #expect(throws: MapStateError.self) { try await table.load() }
    try Data("N,X,Y\n1,2,3\n2,3,4\n".utf8).write(to: file)
    let copy = table.clone()
    #expect(copy.loadStatus == .notLoaded)
    #expect(try await copy.queryFeatureCount() == 2)
    #expect(table.loadStatus == .failed)

    let url = try #require(TableFixtures.citiesURL)
    let service = ServiceFeatureTable(url: url, standIns: TableFixtures.standIns)
    service.featureRequestMode = .manualCache
    let early = service.clone()
    #expect(early.featureRequestMode == .manualCache)
    #expect(early.loadStatus == .notLoaded)
    #expect(early.url == url)
    try await service.populateFromService(using: Self.parameters("POP_RANK = 1"))
    let late = service.clone()
    #expect(late.loadStatus == .loaded)
    #expect(late.numberOfFeatures == 3)
    #expect(early.numberOfFeatures == 0)
    try await late.populateFromService(using: Self.parameters("POP_RANK = 2"))
    #expect(late.numberOfFeatures == 5)
    #expect(service.numberOfFeatures == 3)
    try await service.populateFromService(using: Self.parameters("POP_RANK = 3"), clearCache: true)
    #expect(late.numberOfFeatures == 5)
    #expect(service.numberOfFeatures == 1)
    try await early.populateFromService()
    #expect(early.numberOfFeatures == 6)

    let api = try #require(TableFixtures.apiURL)
    let collection = OGCFeatureCollectionTable(
      url: api, collectionID: "TransportationGroundCrv", standIns: TableFixtures.standIns)
    try await collection.populateFromService(using: Self.parameters("F_CODE = 'AP010'"))
    let roads = collection.clone()
    #expect(roads.numberOfFeatures == 3)
    #expect(roads.tableName == "TransportationGroundCrv")
    #expect(try await roads.queryFeatureCount(using: Self.parameters("CASEI(F_CODE) = CASEI('ap010')")) == 3)
  }

  @Test("A copy of a document's layer is written completely in any map")
  func document() async throws {
    let map = try Map.fromJSON(
      """
      {"operationalLayers":[{"id":"p","title":"P","showLegend":false,"featureCollection":{"layers":[
        {"layerDefinition":{"geometryType":"esriGeometryPoint","definitionExpression":"N < 3",
          "fields":[{"name":"N","type":"esriFieldTypeInteger"}],"featureReduction":{"type":"cluster","x":1}},
         "featureSet":{"features":[{"attributes":{"N":1},"geometry":{"x":0,"y":0}},
          {"attributes":{"N":5},"geometry":{"x":0.1,"y":0}}]}}]}}]}
      """)
    try await map.load()
    let layer = map.featureLayers[0]
    #expect(!layer.showsInLegend)
    #expect(layer.featureReduction?.kind == "cluster")
    let before = try JSONValue(parsing: map.toJSON())
    let copy = layer.clone()
    copy.opacity = 0.5
    layer.featureReduction?.isEnabled = false
    #expect(copy.featureReduction?.isEnabled == true)
    layer.featureReduction?.isEnabled = true
    #expect(try JSONValue(parsing: map.toJSON()) == before)
    map.addOperationalLayer(copy)
    let other = Map()
    other.addOperationalLayer(copy.clone())
    for map in [map, other] {
      let again = try Map.fromJSON(map.toJSON())
      try await again.load()
      #expect(again.featureLayers.map(\.opacity) == map.featureLayers.map(\.opacity))
      #expect(again.featureLayers.allSatisfy { $0.definitionExpression == "N < 3" && !$0.showsInLegend })
      #expect(again.featureLayers.allSatisfy { $0.featureReduction?.isEnabled == true })
      #expect(again.featureLayers.allSatisfy { $0.featureTable?.numberOfFeatures == 2 })
    }
    copy.showsInLegend = true
    #expect(try JSONValue(parsing: map.toJSON())["operationalLayers"]?[1]?["showLegend"] == nil)
  }

  @Test("Square bins are not drawn and give a warning state until they are disabled")
  func reduction() async throws {
    let map = try Map.fromJSON(
      """
      {"operationalLayers":[{"title":"P","featureCollection":{"layers":[
        {"layerDefinition":{"geometryType":"esriGeometryPoint",
          "featureReduction":{"type":"binning","binType":"flatTriangle"}},
         "featureSet":{"spatialReference":{"wkid":3857},
           "features":[{"attributes":{},"geometry":{"x":0,"y":0}}]}}]}}]}
      """)
    try await map.load()
    #expect(map.warnings.map { $0.path?.steps.last } == [.member("binType")])
    let layer = map.featureLayers[0]
    let view = try MapView(map: map, width: 100, height: 100)
    func state() async -> LayerViewState {
      let state = view.freeze()
      return await state.viewState(of: state.layers[0], loadError: nil)
    }
    let shown = await state()
    #expect(shown.status == [.active, .warning])
    #expect(shown.error?.contains("binning") == true)
    layer.featureReduction?.isEnabled = false
    #expect(view.drawStatus == .inProgress)
    #expect(await state().status == .active)
    let written = try JSONValue(parsing: map.toJSON())
    let again = try Map.fromJSON(written.text())
    try await again.load()
    #expect(again.featureLayers[0].featureReduction?.isEnabled == false)
    #expect(again.warnings.isEmpty)
    layer.featureReduction = nil
    #expect(!map.toJSON().contains("eatureReduction"))
  }

  @Test("The attribution names each shown source once")
  func attribution() async throws {
    func layer(_ name: String) -> FeatureLayer {
      var source = TableFixtures.cities
      source.metadata.attribution = name
      return FeatureLayer(source: source)
    }
    let (town, land, same, nobody) = (layer("The town"), layer("The land"), layer("The town"), layer(""))
    let group = GroupLayer(layers: [town, land, same, nobody])
    #expect(town.attribution == "The town")
    #expect(group.attribution == "The town | The land")
    let map = Map(basemapStyle: .arcGISOceans)
    map.addOperationalLayer(group)
    land.isVisible = false
    let report = try await Self.view(map).freeze().render().report
    #expect(report.attribution == "Made with Natural Earth | The town")
    #expect(nobody.attribution.isEmpty)
  }
}
