import FoundationEssentials
import MapState

/// The sample "Query with CQL filters": an OGC API table, filled manually by a filter clause, a maximum and a time
/// span.
enum QueryWithCQL {
  private final class Model: Sendable {
    let map = Map(basemapStyle: .arcGISTopographic)
    let table: OGCFeatureCollectionTable
    let parameters = QueryParameters()
    let clauses = [
      "",
      "F_CODE = 'AP010'",
      #"{ "op": "=", "args": [ { "property": "F_CODE" }, "AP010" ] }"#,
      "F_CODE LIKE 'AQ%'",
      #"{"op": "and", "args": [{"op": "=", "args": [{"property": "F_CODE"}, "AP010"]}, "#
        + #"{"op": "t_before", "args": [{"property": "ZI001_SDV"}, "2013-01-01"]}]}"#,
    ]

    init() throws {
      guard let url = URL(string: "https://\(Services.daraa)") else {
        throw SampleError(address: Services.daraa)
      }
      table = OGCFeatureCollectionTable(
        url: url, collectionID: "TransportationGroundCrv", standIns: try Services.standIns)
      table.featureRequestMode = .manualCache
      parameters.maxFeatures = 1000
      map.initialViewpoint = Viewpoint(latitude: 32.62, longitude: 36.10, scale: 20_000)
      let layer = FeatureLayer(featureTable: table)
      layer.renderer = SimpleRenderer(symbol: SimpleLineSymbol(style: .solid, color: .red, width: 3))
      map.addOperationalLayer(layer)
    }
  }

  @Sendable static func run() async throws {
    let model = try Model()
    let view = try MapView(map: model.map, width: 390, height: 700)
    // From 2011-06-13 to 2012-01-07, in UTC.
    let span = TimeExtent(
      startDate: Date(timeIntervalSince1970: 1_307_923_200),
      endDate: Date(timeIntervalSince1970: 1_325_894_400))
    for (clause, time) in model.clauses.map({ ($0, TimeExtent?.none) }) + [("", span)] {
      (model.parameters.whereClause, model.parameters.timeExtent) = (clause, time)
      let result = try await model.table.populateFromService(using: model.parameters, clearCache: true)
      let features = result.features()
      print("\(clause.isEmpty ? "all" : clause)\(time == nil ? "" : " from 2011-06-13 to 2012-01-07")")
      print("  populated \(features.count) feature(s)")
      if let extent = GeometryEngine.combineExtents(of: features.compactMap(\.geometry)) {
        await view.setViewpointGeometry(extent, padding: 20)
        print("  the view shows them at 1:\(Int(exactly: view.viewpoint.scale.rounded()) ?? 0)")
      }
    }
  }
}
