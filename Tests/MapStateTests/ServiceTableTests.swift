import Foundation
import MapState
import Testing

/// Tables by the addresses of services that have stand-ins.
@Suite struct ServiceTableTests {
  @Test("The layer info of a stand-in supports queries and no editing")
  func layerInfo() async throws {
    let table = ServiceFeatureTable(
      url: try #require(TableFixtures.citiesURL), standIns: TableFixtures.standIns)
    #expect(table.layerInfo == nil)
    try await table.load()
    let info = try #require(table.layerInfo)
    #expect(info.serviceLayerName == "SampleWorldCities")
    #expect(info.serviceLayerID == 0)
    #expect(info.geometryType == .point)
    #expect(info.fields == table.fields)
    #expect(info.extent == table.extent)
    #expect(info.objectIDFieldName == "OBJECTID")
    #expect(info.globalIDFieldName.isEmpty)
    #expect(info.supportsStatistics)
    #expect(info.supportsAdvancedQueries)
    #expect(info.supportsPagination)
    #expect(info.maxRecordCount == 0)
    #expect(!info.hasAttachments)
    #expect(info.timeInfo == nil)
    #expect(info.capabilities.supportsQuery)
    #expect(!info.capabilities.supportsEditing)
  }

  private static let wfs = "https://example.com/geo/WFSServer"

  @Test("A WFS feature type is queried through its stand-in")
  func webFeatureService() async throws {
    let url = try #require(URL(string: Self.wfs + "?service=wfs&request=getcapabilities"))
    let standIns = StandInCatalog(sources: ["\(Self.wfs)#city:Big": TableFixtures.cities])
    let table = WFSFeatureTable(url: url, tableName: "city:Big", standIns: standIns)
    table.featureRequestMode = .manualCache
    #expect(table.tableName == "city:Big")
    #expect(table.numberOfFeatures == 0)
    // Clauses are SQL, unlike those of collections.
    let parameters = QueryParameters()
    parameters.whereClause = "NAME LIKE 'O''B%' OR POP_RANK = 3"
    let fetched = try await table.populateFromService(using: parameters)
    #expect(fetched.features().count == 2)
    #expect(table.numberOfFeatures == 2)
    #expect(table.tableName == "city:Big")
    let copy = table.clone()
    try await copy.populateFromService()
    #expect(table.numberOfFeatures == 2)
    #expect(copy.numberOfFeatures == 6)
    #expect(copy.tableName == "city:Big")
    let direct = WFSFeatureTable(url: url, tableName: "city:Big", standIns: standIns)
    #expect(try await direct.queryFeatureCount() == 6)
    #expect(direct.featureRequestMode == .onInteractionCache)
    // A document refers to it by the same address.
    let map = Map()
    map.addOperationalLayer(FeatureLayer(featureTable: direct))
    let again = try Map.fromJSON(map.toJSON(), catalog: SourceCatalog(standIns: standIns))
    try await again.load()
    #expect(again.featureLayers.map(\.source.rowCount) == [6])
  }

  @Test(
    "A WFS whose address has a password is an error without it, and the stand-in of its service is not its own"
  )
  func webFeatureServiceRefused() async throws {
    let url = try #require(URL(string: "https://me:secret@example.com/geo/WFSServer?token=secretsecret"))
    let standIns = StandInCatalog(sources: [Self.wfs: TableFixtures.cities])
    for mode in [FeatureRequestMode.manualCache, .onInteractionCache, .onInteractionNoCache] {
      let table = WFSFeatureTable(url: url, tableName: "Trees", standIns: standIns)
      table.featureRequestMode = mode
      let error = await #expect(throws: MapStateError.self) { try await table.load() }
      #expect(error?.kind == .service)
      #expect(error?.description.contains("contains a user name or password") == true)
      #expect(error?.description.contains("secret") == false)
    }
  }
}
