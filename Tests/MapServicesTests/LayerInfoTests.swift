import Foundation
import MapServices
import MapState
import Testing

/// What a table tells of its service's layer.
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

  @Test("As the service says it, from loading on, in every mode")
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
    #expect(info.serviceLayerName == "Trees" && info.serviceLayerID == 9)
    #expect(info.description == "Of streets" && info.attribution == "The city" && info.version == "11.2")
    #expect(info.geometryType == .point && info.fields.map(\.name) == ["OBJECTID", "GID", "KIND"])
    #expect(info.objectIDFieldName == "OBJECTID" && info.globalIDFieldName == "GID")
    #expect(info.displayFieldName == "KIND" && info.typeIDFieldName == "KIND")
    #expect(info.extent.xMin == 1 && info.extent.yMax == 4 && info.extent.spatialReference == .wgs84)
    #expect(info.minScale == 50_000 && info.maxScale == 100 && info.maxRecordCount == 2000)
    #expect(info.hasAttachments && info.hasM && !info.hasZ)
    #expect(info.supportsStatistics && info.supportsAdvancedQueries && !info.supportsPagination)
    let can = info.capabilities
    #expect(can.supportsQuery && can.supportsCreate && can.supportsUpdate && can.supportsEditing)
    #expect(!can.supportsDelete && !can.supportsSync)
    // The table itself holds nothing by hand yet, and a copy knows what it knows.
    #expect(table.extent.isEmpty && table.numberOfFeatures == 0)
    #expect(table.clone().layerInfo == info)
  }

  @Test("What a service does not say it cannot do, and its number is the address's")
  func unsaid() async throws {
    let table = try Self.table("")
    try await table.load()
    let info = try #require(table.layerInfo)
    #expect(info.serviceLayerID == 7 && info.serviceLayerName == "Trees" && info.maxRecordCount == 0)
    #expect(!info.supportsStatistics && !info.supportsAdvancedQueries && !info.supportsPagination)
    #expect(info.capabilities.supportsQuery && !info.capabilities.supportsEditing)
    #expect(info.description.isEmpty && info.version.isEmpty && info.minScale == 0)
    #expect(try await table.queryFeatureCount() == 5)
  }
}
