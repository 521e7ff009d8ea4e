import Foundation
import MapState
import Testing

/// Tables by the addresses of services that something stands in for.
@Suite struct ServiceTableTests {
  @Test("What a stand-in tells of itself: it does all that is asked and takes no edits")
  func layerInfo() async throws {
    let table = ServiceFeatureTable(
      url: try #require(TableFixtures.citiesURL), standIns: TableFixtures.standIns)
    #expect(table.layerInfo == nil)
    try await table.load()
    let info = try #require(table.layerInfo)
    #expect(info.serviceLayerName == "SampleWorldCities" && info.serviceLayerID == 0)
    #expect(info.geometryType == .point && info.fields == table.fields && info.extent == table.extent)
    #expect(info.objectIDFieldName == "OBJECTID" && info.globalIDFieldName.isEmpty)
    #expect(info.supportsStatistics && info.supportsAdvancedQueries && info.supportsPagination)
    #expect(info.maxRecordCount == 0 && !info.hasAttachments && info.timeInfo == nil)
    #expect(info.capabilities.supportsQuery && !info.capabilities.supportsEditing)
  }
}
