import Foundation
import MapServices
import MapState
import Testing

/// The layer info that a table gets from its service.
@Suite struct LayerInfoTests {
  private static let address = "https://gis.example.com/rest/services/Trees/FeatureServer/7"

  private static func table(_ members: String) throws -> ServiceFeatureTable {
    let stub = StubTransport { request throws(ServiceError) in
      guard request.url.contains("/query") else {
        return HTTPResponse(
          json: """
            {"type":"Feature Layer","geometryType":"esriGeometryPoint","fields":[
              {"name":"OBJECTID","type":"esriFieldTypeOID"},{"name":"GID","type":"esriFieldTypeGlobalID"},
              {"name":"KIND","type":"esriFieldTypeString","length":30}],
             "extent":{"xmin":1,"ymin":2,"xmax":3,"ymax":4,"spatialReference":{"wkid":4326}}\(members)}
            """)
      }
      return HTTPResponse(json: "{\"count\":5}")
    }
    return ServiceFeatureTable(
      url: try #require(URL(string: address)), standIns: StandInCatalog(),
      services: ServiceAccess(transport: stub))
  }

  @Test("A loaded service table has the layer info that its service declares")
  func said() async throws {
    let table = try Self.table(
      """
      ,"id":9,"name":"Trees","description":"Of streets","copyrightText":"The city","currentVersion":11.2,
       "displayField":"KIND","typeIdField":"KIND","maxRecordCount":2000,"hasAttachments":true,"hasM":true,
       "minScale":50000,"maxScale":100,"capabilities":"Query, Create,Update,Editing","supportsStatistics":false,
       "advancedQueryCapabilities":{"supportsStatistics":true,"supportsOrderBy":true}
      """)
    table.featureRequestMode = .manualCache
    #expect(table.layerInfo == nil)
    try await table.load()
    let info = try #require(table.layerInfo)
    #expect(info.url.absoluteString == Self.address)
    #expect(info.serviceLayerName == "Trees")
    #expect(info.serviceLayerID == 9)
    #expect(info.description == "Of streets")
    #expect(info.attribution == "The city")
    #expect(info.version == "11.2")
    #expect(info.geometryType == .point)
    #expect(info.fields.map(\.name) == ["OBJECTID", "GID", "KIND"])
    #expect(info.objectIDFieldName == "OBJECTID")
    #expect(info.globalIDFieldName == "GID")
    #expect(info.displayFieldName == "KIND")
    #expect(info.typeIDFieldName == "KIND")
    #expect(info.extent.xMin == 1)
    #expect(info.extent.yMax == 4)
    #expect(info.extent.spatialReference == .wgs84)
    #expect(info.minScale == 50_000)
    #expect(info.maxScale == 100)
    #expect(info.maxRecordCount == 2000)
    #expect(info.hasAttachments)
    #expect(info.hasM)
    #expect(!info.hasZ)
    #expect(info.supportsStatistics)
    #expect(info.supportsAdvancedQueries)
    #expect(!info.supportsPagination)
    let can = info.capabilities
    #expect(can.supportsQuery)
    #expect(can.supportsCreate)
    #expect(can.supportsUpdate)
    #expect(can.supportsEditing)
    #expect(!can.supportsDelete)
    #expect(!can.supportsSync)
    // The table contains no fetched features yet, and a copy has the same layer info.
    #expect(table.extent.isEmpty)
    #expect(table.numberOfFeatures == 0)
    #expect(table.clone().layerInfo == info)
  }

  @Test("A capability that a service does not declare is absent, and the layer id comes from its address")
  func unsaid() async throws {
    let table = try Self.table("")
    try await table.load()
    let info = try #require(table.layerInfo)
    #expect(info.serviceLayerID == 7)
    #expect(info.serviceLayerName == "Trees")
    #expect(info.maxRecordCount == 0)
    #expect(!info.supportsStatistics)
    #expect(!info.supportsAdvancedQueries)
    #expect(!info.supportsPagination)
    #expect(info.capabilities.supportsQuery)
    #expect(!info.capabilities.supportsEditing)
    #expect(info.description.isEmpty)
    #expect(info.version.isEmpty)
    #expect(info.minScale == 0)
    #expect(try await table.queryFeatureCount() == 5)
  }
}
