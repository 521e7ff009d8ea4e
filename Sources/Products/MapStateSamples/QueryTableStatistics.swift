import MapState

/// The sample "Query table statistics": statistics of the population of all cities or the largest ones.
///
/// The statistics are taken within the view or everywhere.
enum QueryTableStatistics {
  /// A map of a table of cities, and the one set of parameters that every query uses.
  private final class Model: Sendable {
    let map = Map(basemapStyle: .arcGISStreets)
    private let table: ServiceFeatureTable
    private let parameters: StatisticsQueryParameters

    init() throws {
      table = try Services.table(Services.cities)
      let kinds: [StatisticDefinition.StatisticType] = [
        .average, .count, .maximum, .minimum, .standardDeviation, .sum, .variance,
      ]
      parameters = StatisticsQueryParameters(
        statisticDefinitions: kinds.map { StatisticDefinition(fieldName: "POP", statisticType: $0) })
      map.initialViewpoint = Viewpoint(
        boundingGeometry: Envelope(
          xRange: -14_803_800...5_233_700, yRange: -15_950_300...17_262_800, spatialReference: .webMercator))
      map.addOperationalLayer(FeatureLayer(featureTable: table))
    }

    func statistics(within extent: (any Geometry)?, smallOnesToo: Bool) async throws -> [StatisticRecord] {
      parameters.geometry = extent
      parameters.whereClause = smallOnesToo ? "" : "POP_RANK = 1"
      return Array(try await table.queryStatistics(using: parameters).statisticRecords())
    }
  }

  @Sendable static func run() async throws {
    let model = try Model()
    let view = try MapView(map: model.map, width: 390, height: 700)
    let extent = view.currentViewpoint(kind: .boundingGeometry)?.targetGeometry
    for (title, geometry) in [("everywhere", nil), ("in the view", extent)] as [(String, (any Geometry)?)] {
      for smallOnesToo in [false, true] {
        print("\(smallOnesToo ? "all cities" : "cities of 5 million or more") \(title)")
        for record in try await model.statistics(within: geometry, smallOnesToo: smallOnesToo) {
          print(record.statistics.lines)
        }
      }
    }
  }
}
