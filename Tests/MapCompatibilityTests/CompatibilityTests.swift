import MapCompatibility
import Testing

/// The names of version 100 of the map SDK, used as its samples use them.
@Suite struct CompatibilityTests {
  private final class Model: ObservableObject, Sendable {
    let map = AGSMap(basemapStyle: .arcGISStreets)
    let table: AGSFeatureCollectionTable

    init() throws {
      table = AGSFeatureCollectionTable(
        fields: [AGSField(name: "POP", type: .int32)], geometryType: .point, spatialReference: .webMercator)
      map.operationalLayers.add(AGSFeatureLayer(featureTable: table))
    }
  }

  @Test("The map of a view can be set, also to an optional map and to nil")
  func mapOfView() throws {
    let view = try AGSMapView(map: AGSMap(), width: 100, height: 100)
    let map: AGSMap? = AGSMap(basemapStyle: .arcGISStreets)
    view.map = map
    #expect(view.map === map)
    map?.operationalLayers.add(AGSFeatureLayer(featureTable: try Model().table.clone()))
    #expect(view.map?.operationalLayers.count == 1)
    #expect(view.map?.basemap != nil)
    view.map = nil
    #expect(view.map?.operationalLayers.count == 0)
    let other = AGSMap()
    view.map = other
    #expect(view.map === other)
  }

  @Test("Statistics are queried with a completion handler and with async calls")
  func statisticsByCompletionHandler() async throws {
    let model = try Model()
    #expect(model.map.operationalLayers.count == 1)
    for row in 0..<3 {
      try await model.table.add(
        model.table.makeFeature(
          attributes: ["POP": Int32(row + 1)],
          geometry: AGSPoint(x: Double(row) * 10, y: 0, spatialReference: .webMercator)))
    }
    let view = try AGSMapView(map: model.map, width: 100, height: 100)
    let definition = AGSStatisticDefinition(onFieldName: "POP", statisticType: .sum, outputAlias: nil)
    let parameters = AGSStatisticsQueryParameters(statisticDefinitions: [definition])
    parameters.geometry = view.visibleArea?.extent
    #expect(parameters.spatialRelationship == .intersects)
    let message: String = await withCheckedContinuation { continuation in
      model.table.queryStatistics(with: parameters) { result, error in
        var message = "\(error == nil)"
        if let records = result?.statisticRecordEnumerator() {
          while records.hasNextObject() {
            for (key, value) in records.nextObject()?.statistics ?? [:] { message += " \(key): \(value)" }
          }
        }
        continuation.resume(returning: message)
      }
    }
    #expect(message == "true SUM_POP: 6.0")
    // Without geometry and clause all features are included, under the same names as in the later version.
    parameters.geometry = nil
    let all = try await model.table.queryStatistics(using: parameters).statisticRecords()
    #expect(all.map { $0.statistics["SUM_POP"] as? Double } == [6])
    parameters.whereClause = "PAP > 1"
    let failure: Bool = await withCheckedContinuation { continuation in
      model.table.queryStatistics(with: parameters) { continuation.resume(returning: $0 == nil && $1 != nil) }
    }
    #expect(failure)
  }

  @Test("UIColor and CGRect names give the same colours and extents as the native types")
  func colorsAndRectangles() throws {
    #expect(UIColor.red == Color(red: 255, green: 0, blue: 0))
    #expect(
      UIColor(red: 0.5, green: 0, blue: 1.0, alpha: 0.25) == Color(red: 128, green: 0, blue: 255, alpha: 64))
    #expect(UIColor.blue.withAlphaComponent(2).alpha == 255)
    #expect(UIColor.blue.withAlphaComponent(.nan).alpha == 0)
    let view = try MapView(map: Map(), width: 200, height: 100)
    let frame = CGRect(x: 0, y: 0, width: 200, height: 100)
    #expect(view.envelope(fromViewRect: frame) == view.freeze().extent)
    #expect(view.location(fromScreenPoint: CGPoint(x: 100, y: 50)) == view.viewpoint.center)
  }

  @Test("Geometry builders and file tables work by their older names")
  func builders() async throws {
    let line = AGSPolylineBuilder(spatialReference: .wgs84)
    #expect(line.addPointWith(x: -119.992, y: 41.989))
    #expect(line.addPointWith(x: -114.62, y: 35))
    let built: AGSPolyline = line.toGeometry()
    #expect(built.parts.map(\.count) == [2])
    #expect(built.parts[0][1].x == -114.62)
    let area = AGSPolygonBuilder(points: built.parts[0])
    area.addPointWith(x: 0, y: 0)
    #expect(AGSGeometryEngine.area(of: area.toGeometry()) > 0)
    let missing = AGSGeoPackage(fileURL: URL(filePath: "/none.gpkg"))
    #expect(missing.geoPackageFeatureTables.isEmpty)
    let geodatabase = AGSGeodatabase(fileURL: URL(filePath: "/none.gdb"))
    #expect(geodatabase.geodatabaseFeatureTable(withName: "a") == nil)
    #expect(geodatabase.geodatabaseFeatureTables.isEmpty)
  }

  @Test("Screen points work as CGPoint values")
  func screenPoints() async throws {
    let place = AGSPoint(x: 0, y: 0, spatialReference: .webMercator)
    let graphic = AGSGraphic(geometry: place, symbol: AGSSimpleMarkerSymbol(style: .square, size: 20))
    let overlay = AGSGraphicsOverlay(graphics: [graphic])
    let table = AGSFeatureCollectionTable(
      fields: [], geometryType: .point, spatialReference: .webMercator, tableName: "t")
    try await table.add(table.makeFeature(geometry: place))
    let layer = AGSFeatureLayer(featureTable: table)
    let map = AGSMap()
    map.addOperationalLayer(layer)
    let view = try AGSMapView(
      map: map, width: 60, height: 40, viewpoint: AGSViewpoint(center: place, scale: 1000),
      graphicsOverlays: [overlay])
    let point = CGPoint(x: 30, y: 20)
    let own = try await view.identify(on: layer, screenPoint: point, tolerance: 1, maximumResults: 2)
    #expect(own.geoElements.count == 1)
    #expect(try await view.identifyLayers(screenPoint: point, tolerance: 1).count == 1)
    let hit = try await view.identify(on: overlay, screenPoint: point, tolerance: 1, returnPopupsOnly: false)
    #expect(hit.graphics.count == 1)
    let all = try await view.identifyGraphicsOverlays(screenPoint: point, tolerance: 1)
    #expect(all.first?.graphics.first === graphic)
    #expect(
      try await view.identifyLayers(screenPoint: point, tolerance: 1, returnPopupsOnly: true).isEmpty)
  }
}
