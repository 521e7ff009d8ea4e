import MapCompatibility
import MapState

/// The same sample in the API of version 100: a completion handler, an enumerator, the visible area.
enum StatisticalQuery {
  @Sendable static func run() async throws {
    let map = AGSMap(basemapStyle: .arcGISStreets)
    let table: AGSServiceFeatureTable = try Services.table(Services.cities)
    map.operationalLayers.add(AGSFeatureLayer(featureTable: table))
    let view = try AGSMapView(map: map, width: 390, height: 700)
    // Without an initial viewpoint the view shows all cities, once their table is loaded.
    await view.load()
    let kinds: [AGSStatisticType] = [
      .average, .minimum, .maximum, .sum, .standardDeviation, .variance, .count,
    ]
    for isInViewOnly in [true, false] {
      let parameters = AGSStatisticsQueryParameters(
        statisticDefinitions: kinds.map {
          AGSStatisticDefinition(onFieldName: "POP", statisticType: $0, outputAlias: nil)
        })
      if isInViewOnly { parameters.geometry = view.visibleArea?.extent }
      let message: String = await withCheckedContinuation { continuation in
        table.queryStatistics(with: parameters) { result, error in
          var message = error.map { "\($0)" } ?? ""
          if let records = result?.statisticRecordEnumerator() {
            while records.hasNextObject() { message += records.nextObject()?.statistics.lines ?? "" }
          }
          continuation.resume(returning: message)
        }
      }
      print(isInViewOnly ? "in the view" : "everywhere")
      print(message)
    }
  }
}
