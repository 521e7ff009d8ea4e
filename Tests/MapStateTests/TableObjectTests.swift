import Foundation
import MapState
import MapTestSupport
import Testing

/// Tables as objects: loading, editing and query results.
@Suite struct TableObjectTests {
  @Test("A missing file fails on loading, and the view is drawn without its layer")
  func loading() async throws {
    let url = URL(filePath: "/nonexistent/x.geojson")
    let missing = LocalFeatureTable(fileURL: url)
    let statuses = missing.loadStatuses
    await #expect(throws: MapStateError.self) { try await missing.load() }
    await #expect(throws: MapStateError.self) { try await missing.load() }
    #expect(missing.loadStatus == .failed)
    #expect(missing.loadError != nil)
    var iterator = statuses.makeAsyncIterator()
    #expect(await iterator.next() == .loading)
    #expect(await iterator.next() == .failed)
    await #expect(throws: MapStateError.self) { try await missing.retryLoad() }
    let layer = FeatureLayer(featureTable: missing)
    let map = Map()
    map.addOperationalLayer(layer)
    let view = try MapView(map: map, width: 50, height: 50)
    await view.load()
    #expect(layer.loadStatus == .failed)
    #expect(view.freeze().layers.count == 1)
    #expect(try await view.exportImage().width == 50)
  }

  @Test("A failed load gives the same error until it is retried")
  func failedOnce() async throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("mapstate-\(UUID()).csv")
    let table = LocalFeatureTable(fileURL: url)
    let first = await #expect(throws: MapStateError.self) { try await table.load() }
    try Data("longitude,latitude\n1,2\n".utf8).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    let second = await #expect(throws: MapStateError.self) { try await table.load() }
    #expect("\(second, default: "none")" == "\(first, default: "")")
    #expect(table.loadStatus == .failed)
    try await table.retryLoad()
    #expect(table.loadStatus == .loaded)
    #expect(table.loadError == nil)
    #expect(table.numberOfFeatures == 1)
  }

  @Test("A feature collection table accepts valid features and refuses others")
  func editing() async throws {
    let fields = [
      Field(name: "name", type: .text), Field(name: "n", type: .int16), Field(name: "when", type: .date),
    ]
    let table = FeatureCollectionTable(fields: fields, geometryType: .point, spatialReference: .webMercator)
    let now = Date(timeIntervalSince1970: 1_000_000)
    let first = table.makeFeature(
      attributes: ["name": "a", "n": Int16(1), "when": now],
      geometry: Point(x: 1, y: 2, spatialReference: .webMercator))
    try await table.add(first)
    try await table.add(table.makeFeature(attributes: ["name": "b"]))
    #expect(first.objectID == 1)
    #expect(table.numberOfFeatures == 2)
    #expect(table.fields[0].type == .oid)
    let read = try await table.queryFeatures(using: QueryParameters()).features()
    #expect(read[0].attributes["n"] as? Int16 == 1)
    #expect(read[0].attributes["when"] as? Date == now)
    #expect(read[1].attributes["n"] == nil)
    #expect(read[1].geometry == nil)
    first.setAttributeValue("z", forKey: "name")
    first.geometry = Point(x: 100, y: 2, spatialReference: .webMercator)
    #expect(table.extent.xMax == 1)
    try await table.update(first)
    #expect(table.extent.xMax == 100)
    try await table.delete(read[1])
    #expect(table.numberOfFeatures == 1)
    #expect(
      await cause { try await table.delete(read[1]) } as? FeatureEditError
        == FeatureEditError.notInTable(objectID: 2))
    #expect(
      await cause {
        try await table.add(table.makeFeature(attributes: ["x": 1]))
      } as? FeatureEditError == FeatureEditError.unknownField("x"))
    #expect(
      await cause {
        try await table.add(table.makeFeature(attributes: ["n": "1"]))
      } as? FeatureEditError == FeatureEditError.wrongType(field: "n", type: .int16))
    #expect(
      await cause {
        try await table.add(table.makeFeature(geometry: Polyline(parts: [])))
      } is FeatureEditError)
    let copy = try FeatureCollectionTable(geoElements: [first], fields: fields)
    #expect(copy.geometryType == .point)
    #expect(copy.spatialReference == .webMercator)
    #expect(copy.numberOfFeatures == 1)
  }

  @Test("Queried geometries are returned in the requested spatial reference and with fewer vertices")
  func output() async throws {
    let table = LocalFeatureTable(source: TableFixtures.roads)
    let asked = QueryParameters()
    asked.maxFeatures = 2
    asked.addOrderByField(OrderBy(fieldName: "ZI001_SDV", sortOrder: .descending))
    let own = try await table.queryFeatures(using: asked)
    #expect(own.spatialReference == .wgs84)
    // Null sorts after every value.
    #expect(own.features().map(\.objectID) == [4, 6])
    asked.outputSpatialReference = .webMercator
    let metres = try await table.queryFeatures(using: asked)
    #expect(metres.spatialReference == .webMercator)
    for (a, b) in zip(own.features(), metres.features()) {
      #expect((a.geometry?.extent.projected(to: .webMercator)?.xMin ?? 0) == b.geometry?.extent.xMin)
    }
    #expect(try await table.queryExtent(using: asked).spatialReference == .webMercator)
    let wide = FeatureCollectionTable(fields: [], geometryType: .polyline, spatialReference: .webMercator)
    let bent = Polyline(
      points: [(0, 0), (5, 0.5), (10, 0), (20, 8)].map {
        Point(x: $0.0, y: $0.1, spatialReference: .webMercator)
      })
    try await wide.add(wide.makeFeature(geometry: bent))
    let coarse = QueryParameters()
    func vertices() async throws -> Int {
      let feature = try await wide.queryFeatures(using: coarse).features()[0]
      return (feature.geometry as? Polyline)?.parts[0].count ?? 0
    }
    #expect(try await vertices() == 4)
    coarse.maxAllowableOffset = 1
    #expect(try await vertices() == 3)
    coarse.returnsGeometry = false
    #expect(try await wide.queryFeatures(using: coarse).features()[0].geometry == nil)
  }
}
