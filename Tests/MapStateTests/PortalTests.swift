import Foundation
import MapState
import Testing

/// Portal items and their stand-ins.
@Suite struct PortalTests {
  private static let id = "0123456789abcdef0123456789ABCDEF"
  private static let styles = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Styles")

  private static func address(_ end: String = "") -> String {
    "https://www.arcgis.com/sharing/rest/content/items/\(id)\(end)"
  }

  private static func item(_ standIns: StandInCatalog) throws -> PortalItem {
    PortalItem(
      portal: .arcGISOnline(connection: .anonymous), id: try #require(PortalItem.ID(id)), standIns: standIns)
  }

  @Test("A portal item id has 32 hexadecimal digits")
  func ids() {
    #expect(PortalItem.ID(Self.id)?.rawValue == Self.id)
    for text in ["", "0123", Self.id + "0", String(Self.id.dropLast()) + "g"] {
      #expect(PortalItem.ID(text) == nil)
    }
  }

  @Test("A web map, a layer and a table of a portal load from their stand-ins")
  func found() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "portal-\(UUID()).json")
    defer { try? FileManager.default.removeItem(at: file) }
    let document = Self.styles.appending(path: "world-cities.json").path
    try Data("{\"\(Self.address())\": \"\(document)\"}".utf8).write(to: file)
    let item = try Self.item(StandInCatalog(file: file.path))
    try await item.load()
    let map = Map(item: item)
    #expect(map.loadStatus == .notLoaded)
    try await map.load()
    #expect(
      map.featureLayers.map(\.title) == ["Land", "Cities"]
        || map.featureLayers.contains { $0.title == "Cities" })

    let layers = try Self.item(
      StandInCatalog(sources: [Self.address(): TableFixtures.cities, Self.address("/2"): TableFixtures.roads])
    )
    let first = FeatureLayer(item: layers)
    try await first.load()
    #expect(first.featureTable?.numberOfFeatures == 6)
    #expect(try await ServiceFeatureTable(item: layers, layerID: 2).queryFeatureCount() == 8)
    let plain = Map(item: layers)
    try await plain.load()
    #expect(plain.featureLayers.map { $0.featureTable?.numberOfFeatures } == [6])
  }

  @Test("A portal item without a stand-in is an error that says what to do")
  func notFound() async throws {
    let item = try Self.item(StandInCatalog())
    let loads: [any Loadable] = [
      item, Map(item: item), FeatureLayer(item: item), ServiceFeatureTable(item: item, layerID: 0),
    ]
    for object in loads {
      let error = await #expect(throws: MapStateError.self) { try await object.load() }
      #expect(error?.kind == .service)
      #expect(error?.description.contains("map this address to a file with --services") == true)
      #expect(error?.description.contains(Self.id) == true)
    }
    let own = try #require(URL(string: "https://gis.example.com/portal/"))
    let other = PortalItem(portal: Portal(url: own), id: item.id, standIns: StandInCatalog())
    let error = await #expect(throws: MapStateError.self) { try await other.load() }
    #expect(
      error?.description.hasPrefix("https://gis.example.com/portal/sharing/rest/content/items/") == true)
  }
}
