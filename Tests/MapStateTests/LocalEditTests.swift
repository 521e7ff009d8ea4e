import MapFeatures
import MapState
import Testing

/// Local edits of features fetched from a service.
@Suite struct LocalEditTests {
  private static func table(
    _ mode: FeatureRequestMode = .manualCache, standIns: StandInCatalog = TableFixtures.standIns
  ) throws -> ServiceFeatureTable {
    let table = ServiceFeatureTable(url: try #require(TableFixtures.citiesURL), standIns: standIns)
    table.featureRequestMode = mode
    return table
  }

  private static func place(_ x: Double) -> Point { Point(x: x, y: 0, spatialReference: .webMercator) }

  private static func names(_ table: ServiceFeatureTable, _ clause: String = "") async throws -> [String?] {
    let parameters = QueryParameters()
    parameters.whereClause = clause
    return try await table.queryFeatures(using: parameters).features().map {
      $0.attributes["NAME"] as? String
    }
  }

  @Test("Local edits change fetched features and leave the service unchanged")
  func edits() async throws {
    let table = try Self.table()
    #expect(!table.isEditable)
    let layer = FeatureLayer(featureTable: table)
    let map = Map()
    map.addOperationalLayer(layer)
    let view = try MapView(
      map: map, width: 60, height: 40, viewpoint: Viewpoint(center: Self.place(-30_000), scale: 100_000))
    let parameters = QueryParameters()
    parameters.whereClause = "POP_RANK = 1"
    let fetched = try await table.populateFromService(using: parameters).features()
    #expect(table.isEditable)
    #expect(fetched.map(\.objectID) == [1, 2, 3])
    let blank = try await view.exportImage()

    let added = table.makeFeature(
      attributes: ["NAME": "new", "POP": Int32(7), "POP_RANK": 5], geometry: Self.place(-30_000))
    let second = table.makeFeature(attributes: ["NAME": "bare"])
    try await table.add([added, second])
    // Added features have negative ids, which no service uses, so that fetches do not replace them.
    #expect(added.objectID == -1)
    #expect(second.objectID == -2)
    #expect(table.numberOfFeatures == 5)
    #expect(try await view.exportImage() != blank)
    fetched[0].setAttributeValue("changed", forKey: "NAME")
    try await table.update(fetched[0])
    try await table.delete(fetched[1])
    #expect(try await Self.names(table) == ["changed", "b", "new", "bare"])
    #expect(try await Self.names(table, "POP > 5") == ["changed", "new"])
    let sum = try await table.queryStatistics(
      using: StatisticsQueryParameters(
        statisticDefinitions: [StatisticDefinition(fieldName: "POP", statisticType: .sum)]))
    #expect(sum.statisticRecords().first?.statistics["SUM_POP"] as? Double == 107)
    added.setAttributeValue("newer", forKey: "NAME")
    try await table.update(added)
    try await table.delete(second)
    let copy = table.clone()
    let own = table.makeFeature(attributes: ["NAME": "own"])
    try await table.add(own)
    // The id of a deleted feature is not reused.
    #expect(own.objectID == -3)
    #expect(try await Self.names(copy) == ["changed", "b", "newer"])
    #expect(try await Self.names(table).count == 4)

    // Features fetched again are as in the service, and added ones stay.
    try await copy.populateFromService(using: parameters)
    #expect(try await Self.names(copy) == ["newer", "A", "B", "b"])
    try await copy.populateFromService(clearCache: true)
    #expect(try await Self.names(copy) == ["A", "B", "b", "O'Brien", "A", "é"])
    let other = try Self.table(.onInteractionCache)
    #expect(try await Self.names(other).count == 6)
  }

  @Test("A refused edit changes nothing")
  func refused() async throws {
    let table = try Self.table()
    let fetched = try await table.populateFromService().features()
    #expect(
      await cause {
        try await table.add([
          table.makeFeature(attributes: ["NAME": "a"]), table.makeFeature(attributes: ["NOSUCH": 1]),
        ])
      } as? FeatureEditError == FeatureEditError.unknownField("NOSUCH"))
    let degrees = Point(latitude: 1, longitude: 2)
    #expect(
      await cause {
        try await table.add(table.makeFeature(geometry: degrees))
      } as? FeatureEditError == FeatureEditError.wrongReference(.wgs84, table: .webMercator))
    #expect(
      await cause {
        try await table.delete([fetched[0], table.makeFeature()])
      } as? FeatureEditError == FeatureEditError.notInTable(objectID: nil))
    #expect(table.numberOfFeatures == 6)
    for mode in [FeatureRequestMode.onInteractionCache, .onInteractionNoCache] {
      let other = try Self.table(mode)
      #expect(
        await cause {
          try await other.add(other.makeFeature())
        } as? FeatureEditError == FeatureEditError.notEditable("SampleWorldCities"))
      #expect(!other.isEditable)
      #expect(other.numberOfFeatures == 6)
    }
    table.featureRequestMode = .onInteractionCache
    #expect(
      await message {
        try await table.add(table.makeFeature())
      } == MapStateError.impossibleMode(.onInteractionCache).description)
  }

  @Test("An unchanged value in another type is not an edit, and ids without a field are kept")
  func unchangedValues() async throws {
    let guid = "2f4a8c10-aaaa-bbbb-cccc-0123456789ab"
    let columns = FeatureColumns(
      schema: FeatureSchema(
        fields: [Field(name: "G", type: .globalID, isEditable: false), Field(name: "n", type: .int32)],
        geometryKind: nil, spatialReference: nil),
      columns: [
        Column(of: [.text(guid), .text("x")], type: .globalID),
        Column(of: [.integer(1), .integer(2)], type: .int32),
      ], geometry: nil, rowCount: 2, objectIDs: [40, 7])
    let table = try Self.table(
      standIns: StandInCatalog(
        sources: ["https://example.com/rest/services/SampleWorldCities/MapServer/0": InMemorySource(columns)])
    )
    let features = try await table.populateFromService().features()
    let feature = try #require(features.first { $0.objectID == 40 })
    feature.setAttributeValue(5, forKey: "n")
    try await table.update(feature)
    let parameters = QueryParameters()
    parameters.whereClause = "G = '\(guid)' AND n = 5"
    #expect(try await table.queryFeatures(using: parameters).features().map(\.objectID) == [40])
    feature.setAttributeValue("other", forKey: "G")
    #expect(
      await cause { try await table.update(feature) } as? FeatureEditError
        == FeatureEditError.fieldNotEditable("G"))
    let added = table.makeFeature(attributes: ["n": 9])
    try await table.add(added)
    let ids = try await table.queryFeatures(using: QueryParameters()).features().map(\.objectID)
    #expect(added.objectID == -1)
    #expect(Set(ids) == [40, 7, -1])
  }

  @Test("Concurrent fills and edits lose no edit of an added feature", arguments: 0..<8)
  func concurrent(round: Int) async throws {
    let table = try Self.table()
    try await table.populateFromService()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask {
          if number % 4 == round % 4 {
            try await table.populateFromService()
          } else {
            try await table.add(table.makeFeature(attributes: ["NAME": "\(number)"]))
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(table.numberOfFeatures == 21)
    let ids = try await table.queryFeatures(using: QueryParameters()).features().compactMap(\.objectID)
    #expect(Set(ids) == Set((-15)...(-1)).union(1...6))
  }
}
