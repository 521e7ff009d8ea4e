import Foundation
import MapState
import Testing

/// Maps created from an address.
@Suite struct MapURLTests {
  private static let styles = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Styles")

  @Test("A map from a document file is empty before loading and complete afterwards")
  func document() async throws {
    let url = Self.styles.appending(path: "san-francisco-incidents.json")
    let opened = try await MapDocument.open(url.path)
    let map = Map(url: url)
    let view = try MapView(map: map, width: 400, height: 300)
    #expect(map.loadStatus == .notLoaded)
    #expect(map.operationalLayers.isEmpty)
    let statuses = map.loadStatuses
    let image = try await view.exportImage()
    var iterator = statuses.makeAsyncIterator()
    #expect(await iterator.next() == .loading)
    #expect(await iterator.next() == .loaded)
    #expect(map.featureLayers.map(\.title) == ["Land", "Incidents"])
    let own = try MapView(map: opened.map, width: 400, height: 300)
    // A view without a viewpoint uses the document's.
    #expect(view.viewpoint == own.viewpoint)
    #expect(view.timeExtent == own.timeExtent)
    #expect(try await own.exportImage() == image)
    #expect(map.initialViewpoint == opened.map.initialViewpoint)
    // Loading again changes nothing.
    try await map.load()
    #expect(map.operationalLayers.count == 2)
  }

  @Test("Layers and viewpoints set before loading are kept")
  func before() async throws {
    let map = Map(url: Self.styles.appending(path: "san-francisco-incidents.json"))
    let mine = FeatureLayer(source: TableFixtures.cities, title: "mine")
    map.addOperationalLayer(mine)
    map.initialViewpoint = Viewpoint(latitude: 1, longitude: 2, scale: 3000)
    let moved = try MapView(map: map, width: 100, height: 100)
    await moved.setViewpointScale(7000)
    await moved.load()
    #expect(map.featureLayers.map(\.title) == ["Land", "Incidents", "mine"])
    #expect(map.initialViewpoint?.targetScale == 3000)
    #expect(moved.viewpoint.scale == 7000)
  }

  @Test("Settings made before loading override those of the document")
  func held() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "held-\(UUID()).json")
    defer { try? FileManager.default.removeItem(at: file) }
    let text =
      #"{"baseMap":{"style":"arcGISDarkGray","baseMapLayers":[]},"operationalLayers":[],"referenceScale":7000}"#
    try Data(text.utf8).write(to: file)
    let (plain, map) = (Map(url: file), Map(url: file))
    let table = LocalFeatureTable(source: TableFixtures.counties, tableName: "counties")
    map.addTable(table)
    let extent = Envelope(xMin: 0, yMin: 0, xMax: 9, yMax: 9, spatialReference: .webMercator)
    (map.minScale, map.maxScale, map.referenceScale, map.maxExtent) = (9000, 2000, 5000, extent)
    map.basemap = Basemap(style: .arcGISOceans)
    try await plain.load()
    try await map.load()
    #expect(plain.basemap?.style == .arcGISDarkGray)
    #expect(plain.referenceScale == 7000)
    #expect(map.basemap?.style == .arcGISOceans)
    #expect(map.tables.map { $0 === table } == [true])
    #expect((map.minScale, map.maxScale, map.referenceScale) == (9000, 2000, 5000))
    #expect(map.maxExtent == extent)
  }

  @Test("A view takes the time extent of a document that is loaded later, once")
  func time() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "time-\(UUID()).json")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(#"{"operationalLayers":[],"initialState":{"timeExtent":[1000,null]}}"#.utf8).write(to: file)
    let map = Map(url: file)
    let view = try MapView(map: map, width: 100, height: 100)
    let mine = try MapView(map: map, width: 100, height: 100)
    let span = TimeExtent(startDate: nil, endDate: Date(timeIntervalSince1970: 5))
    mine.timeExtent = span
    #expect(view.timeExtent == nil)
    await view.load()
    await mine.load()
    #expect(view.timeExtent == TimeExtent(startDate: Date(timeIntervalSince1970: 1), endDate: nil))
    #expect(mine.timeExtent == span)
    view.timeExtent = nil
    await view.load()
    #expect(view.timeExtent == nil)
  }

  @Test("A data file or stand-in becomes a map of one layer, and a fault is an error on loading")
  func data() async throws {
    let cities = Map(url: Self.styles.appending(path: "data/world-cities.csv"))
    let view = try MapView(map: cities, width: 300, height: 200)
    await view.load()
    #expect(cities.featureLayers.map(\.title) == ["world-cities"])
    let layer = try #require(cities.operationalLayers.first)
    #expect(view.visibleArea?.extent.contains(layer.fullExtent.projected(to: .webMercator) ?? .empty) == true)
    let service = Map(
      url: try #require(TableFixtures.incidentsURL), catalog: SourceCatalog(standIns: TableFixtures.standIns))
    try await service.load()
    #expect(service.featureLayers.map(\.source.rowCount) == [100])
    let missing = Map(url: URL(filePath: "/nonexistent/map.json"))
    await #expect(throws: MapStateError.self) { try await missing.load() }
    #expect(missing.loadStatus == .failed)
    #expect(missing.loadError != nil)
    let shown = try MapView(map: missing, width: 20, height: 20)
    #expect(try await shown.exportImage().width == 20)
  }
}
