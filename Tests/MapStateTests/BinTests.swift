import Foundation
import MapDrawing
import MapFeatures
import MapGeometry
import MapJSON
import MapModel
import MapState
import MapTestSupport
import Testing

/// Bins beside counts of their cells.
@Suite struct BinTests {
  /// A layer of points in degrees with bins.
  private static func map(
    _ places: [(x: Double, y: Double)], level: Int = 2, members: String = ""
  ) async throws -> MapDocument {
    let features = places.enumerated().map { index, place in
      "{\"attributes\":{\"OBJECTID\":\(index + 1),\"v\":\(index % 10)},\"geometry\":{\"x\":\(place.x),\"y\":\(place.y)}}"
    }
    let json = """
      {"operationalLayers":[{"id":"a","title":"A","featureCollection":{"layers":[{"layerDefinition":{
      "geometryType":"esriGeometryPoint","spatialReference":{"wkid":4326},
      "featureReduction":{"type":"binning","fixedBinLevel":\(level)\(members)},
      "drawingInfo":{"renderer":{"type":"simple","symbol":{"type":"esriSMS","style":"esriSMSCircle","size":6,
      "color":[200,40,40,255]}}},
      "fields":[{"name":"OBJECTID","type":"esriFieldTypeOID"},{"name":"v","type":"esriFieldTypeInteger"}]},
      "featureSet":{"spatialReference":{"wkid":4326},"features":[\(features.joined(separator: ","))]}}]}}]}
      """
    return try await MapDocument.open(json: JSONValue(parsing: json), name: "map", folder: ".")
  }

  private static func view(
    _ document: MapDocument, longitude: Double, latitude: Double, scale: Double
  ) -> ViewState {
    ViewState(
      width: 300, height: 200, pixelRatio: 1,
      viewpoint: ResolvedViewpoint(
        center: Point(
          x: WebMercator.x(longitude: longitude), y: WebMercator.y(latitude: latitude),
          spatialReference: .webMercator),
        resolution: scale / ResolvedViewpoint.scalePerResolution, rotation: 0),
      background: .white, timeExtent: nil,
      layers: document.map.operationalLayers.compactMap { ($0 as? FeatureLayer)?.frozen })
  }

  private static func table(_ view: ViewState) async throws -> (table: FeatureColumns, drawing: LayerDrawing)
  {
    let drawing = try await view.drawing(of: view.layers[0], index: 0)
    let bins = try #require(drawing.clusters)
    return (try await bins.layer.source.whole().columns(), drawing)
  }

  @Test("The numbers of the bins that meet a view are counts of features in the bins' boxes, in 300 views")
  func sums() async throws {
    var random = SeededGenerator(seed: 5)
    let places = (0..<600).map { index in
      let spread = index.isMultiple(of: 3) ? 60.0 : 4
      return (
        x: Double(index % 7) * 20 - 60 + .random(in: -spread...spread, using: &random),
        y: Double(index % 5) * 15 - 30 + .random(in: -spread / 2...spread / 2, using: &random)
      )
    }
    let document = try await Self.map(places)
    let (width, height) = (360.0 / 32, 180.0 / 32)
    var (compared, filled) = (0, 0)
    for _ in 0..<300 {
      let view = Self.view(
        document, longitude: .random(in: -60...60, using: &random),
        latitude: .random(in: -50...50, using: &random),
        scale: exp(Double.random(in: log(1e7)...log(1e8), using: &random)))
      let box = try #require(view.extent.projected(to: .wgs84))
      func low(_ place: Double, _ side: Double) -> Double { (place / side).rounded(.down) * side }
      let union = Envelope(
        xMin: low(box.xMin, width), yMin: low(box.yMin, height), xMax: low(box.xMax, width) + width,
        yMax: low(box.yMax, height) + height, spatialReference: .wgs84)
      let count = try await view.count(of: view.layers[0], FeatureQuestion(area: .envelope(union)))
      let table = try await Self.table(view).table
      var sum = 0
      for row in 0..<table.rowCount where union.contains(x: places[row].x, y: places[row].y) {
        guard case .integer(let number) = table.columns[0].value(at: row), number > 0 else { continue }
        sum += Int(number)
        filled += 1
      }
      #expect(sum == count)
      compared += 1
    }
    #expect(compared == 300)
    #expect(filled > 2000)
  }

  @Test("A bin is the cell of a geohash, also with one feature, and all features count as aggregated")
  func cell() async throws {
    // The geohash of the first point begins with u4pru.
    let document = try await Self.map([(10.40744, 57.64911), (10.41, 57.65), (10.5, 57.65)], level: 5)
    let view = Self.view(document, longitude: 10.43, latitude: 57.64, scale: 500_000)
    let (table, drawing) = try await Self.table(view)
    let geometry = try #require(table.geometry)
    #expect(table.columns[0].value(at: 0) == .integer(2))
    #expect(table.columns[0].value(at: 2) == .integer(1))
    #expect(geometry.isEmpty(row: 1))
    let corners = geometry.vertices(ofRow: 0).map { (geometry.x[$0], geometry.y[$0]) }
    #expect(corners.map(\.0).min() == 10.37109375 && corners.map(\.0).max() == 10.4150390625)
    #expect(corners.map(\.1).min() == 57.6123046875 && corners.map(\.1).max() == 57.65625)
    let funnel = try await view.funnel(of: view.layers[0], drawing: drawing)
    #expect((funnel.display, funnel.aggregated, funnel.drawn) == (3, 3, 0))
    #expect(try await view.render().report.layers.flatMap(\.warnings).isEmpty)
  }

  @Test("Bins have statistics of their features, at the poles and the antimeridian too")
  func statistics() async throws {
    let document = try await Self.map(
      [(180, 90), (179, 89), (-180, -90)], level: 1,
      members: """
        ,"fields":[{"name":"aggregateCount","statisticType":"count"},
        {"name":"s","onStatisticField":"v","statisticType":"sum"}]
        """)
    let table = try await Self.table(Self.view(document, longitude: 0, latitude: 0, scale: 1e9)).table
    #expect(table.schema.fields.map(\.name) == ["cluster_count", "aggregateCount", "s"])
    #expect((0..<3).map { table.columns[1].value(at: $0) } == [.real(2), .null, .real(1)])
    #expect(table.columns[2].value(at: 0) == .real(1))
  }

  @Test("A legend lists the areas of bins, and not the symbol of the points")
  func legend() async throws {
    let document = try await Self.map([(10, 20), (11, 21)])
    for viewOnly in [false, true] {
      let view = Self.view(document, longitude: 10, latitude: 20, scale: 3e7)
      let legend = try await view.legend(viewOnly: viewOnly, counts: viewOnly)
      let entry = try #require(legend.layers.first?.entries.first)
      guard case .symbol(_, .polygon) = entry.graphic else {
        Issue.record("\(entry.graphic)")
        continue
      }
      #expect(entry.count == nil)
    }
  }

  @Test(
    "A file of clusters is read with the fields of their statistics, and classes by scale are counted as drawn"
  )
  func files() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "bins-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("x,y,a\n10,20,3\n10,20,4\n".utf8).write(to: folder.appending(path: "points.csv"))
    let expression = "IIf($view.scale > 1000, 'near', 'far')"
    let json: JSONValue = [
      "operationalLayers": [
        [
          "id": "a", "title": "A", "layerType": "CSV", "url": "points.csv",
          "layerDefinition": [
            "featureReduction": [
              "type": "cluster",
              "fields": [["name": "sa", "onStatisticField": "a", "statisticType": "sum"]],
            ],
            "drawingInfo": [
              "renderer": [
                "type": "uniqueValue", "valueExpression": .string(expression),
                "uniqueValueInfos": .array(
                  ["near", "far"].map { name in
                    [
                      "value": .string(name), "label": .string(name),
                      "symbol": ["type": "esriSMS", "size": 6],
                    ]
                  }),
              ]
            ],
          ],
        ]
      ]
    ]
    let document = try await MapDocument.open(json: json, name: "map", folder: folder.path)
    let view = Self.view(document, longitude: 10, latitude: 20, scale: 1e6)
    #expect(document.layers[0].layer.source.schema.fields.map(\.name).contains("a"))
    let (table, _) = try await Self.table(view)
    #expect(table.schema.fields.map(\.name).contains("sa"))
    let counts = try await view.countsByClass(of: view.layers[0])
    #expect(counts.first { $0.label == "near" }?.count == 2)
  }
}
