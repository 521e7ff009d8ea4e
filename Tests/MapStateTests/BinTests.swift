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
    document.view(
      width: 300, height: 200, x: WebMercator.x(longitude: longitude), y: WebMercator.y(latitude: latitude),
      resolution: scale / ResolvedViewpoint.scalePerResolution)
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

  /// The nearest centre of hexagons to a point, by comparing all that may be, in units of their width.
  ///
  /// Written from the geometry of hexagons, without looking at the grid.
  private static func nearestHexagon(x: Double, y: Double, side: Double, isPointy: Bool) -> String {
    let (a, b) = isPointy ? (x / side, y / side) : (y / side, x / side)
    let rows = 3.0.squareRoot() / 2
    var best = (distance: Double.infinity, name: "")
    let near = Int((b / rows).rounded())
    for row in near - 2...near + 2 {
      let shift = row.isMultiple(of: 2) ? 0.0 : 0.5
      let first = Int((a - shift).rounded())
      for column in first - 2...first + 2 {
        let (dx, dy) = (a - Double(column) - shift, b - Double(row) * rows)
        if dx * dx + dy * dy < best.distance { best = (dx * dx + dy * dy, "\(column) \(row)") }
      }
    }
    return best.name
  }

  @Test(
    "Squares and hexagons hold the features of their cells, also outside the view, in 300 views",
    arguments: ["square", "flatHexagon", "pointyHexagon"])
  func cells(_ shape: String) async throws {
    var random = SeededGenerator(seed: 8)
    let places = (0..<500).map { index in
      let spread = index.isMultiple(of: 3) ? 50.0 : 3
      return (
        x: Double(index % 5) * 20 - 50 + .random(in: -spread...spread, using: &random),
        y: Double(index % 4) * 15 - 30 + .random(in: -spread / 2...spread / 2, using: &random)
      )
    }
    let document = try await Self.map(places, level: 5, members: ",\"binType\":\"\(shape)\"")
    #expect(document.warnings.isEmpty)
    let side = 2 * WebMercator.halfWorld / 32
    let meters = places.map { (x: WebMercator.x(longitude: $0.x), y: WebMercator.y(latitude: $0.y)) }
    let cells = meters.map { place in
      shape == "square"
        ? "\((place.x / side).rounded(.down)) \((place.y / side).rounded(.down))"
        : Self.nearestHexagon(x: place.x, y: place.y, side: side, isPointy: shape == "pointyHexagon")
    }
    let counts = cells.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
    var (compared, inside) = (0, 0)
    for _ in 0..<100 {
      let view = Self.view(
        document, longitude: .random(in: -60...60, using: &random),
        latitude: .random(in: -50...50, using: &random),
        scale: exp(Double.random(in: log(1e7)...log(8e7), using: &random)))
      let (table, _) = try await Self.table(view)
      let geometry = try #require(table.geometry)
      var found: Set<String> = []
      for row in 0..<table.rowCount {
        guard case .integer(let number) = table.columns[0].value(at: row), number > 0 else { continue }
        #expect(Int(number) == counts[cells[row]])
        #expect(found.insert(cells[row]).inserted)
        compared += 1
        // The area is that of the shape, and the first feature lies in it.
        let corners = geometry.vertices(ofRow: row).map { (x: geometry.x[$0], y: geometry.y[$0]) }
        let area = zip(corners, corners.dropFirst()).reduce(0) { $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y } / 2
        let whole = shape == "square" ? side * side : side * side * 3.0.squareRoot() / 2
        #expect(abs(abs(area) / whole - 1) < 1e-9)
        let place = meters[row]
        var crossings = 0
        for (a, b) in zip(corners, corners.dropFirst()) where (a.y <= place.y) != (b.y <= place.y) {
          if a.x + (place.y - a.y) / (b.y - a.y) * (b.x - a.x) > place.x { crossings += 1 }
        }
        #expect(crossings == 1)
      }
      // Every feature in the view is in a bin.
      for (index, place) in meters.enumerated() where view.extent.contains(x: place.x, y: place.y) {
        #expect(found.contains(cells[index]))
        inside += 1
      }
    }
    #expect(compared > 500 && inside > 500)
  }

  @Test("An unknown shape of bins is reported, and levels have limits")
  func unknownShape() async throws {
    let document = try await Self.map([(1, 2)], members: ",\"binType\":\"flatHexagn\"")
    #expect(document.warnings.map(\.description).contains { $0.contains("did you mean \"flatHexagon\"?") })
    await #expect(throws: MapStateError.self) {
      try await Self.map([(1, 2)], level: 31, members: ",\"binType\":\"square\"")
    }
  }

  /// The renderer of a map service with bins of at least 100 pixels.
  private static func aggregation(_ members: String = "") -> String {
    """
    {"type":"aggregation","style":"Grid","featureThreshold":0,"lodOffset":0,"minBinSizeInPixels":100,
     "labels":{"color":[255,255,255,255],"font":"Arial","size":12,"style":"BOLD","format":"###.#KMB"},
     "geoHashStyle":{"style":"square","sr":"102100"},"featureRenderer":{"type":"simple","symbol":{"type":"esriSMS",
     "style":"esriSMSCircle","color":[0,152,255,255],"size":8}},"binRenderer":{"type":"Continuous",
     "minColor":[0,0,0,255],"maxColor":[200,100,0,255],"minOutlineColor":[0,0,0,0],"maxOutlineColor":[0,0,0,0],
     "minOutlineWidth":0.5,"maxOutlineWidth":0.5,"minValue":null,"maxValue":null}\(members)}
    """
  }

  private static func aggregated(_ renderer: String) async throws -> MapDocument {
    // One, three and two features in three cells, one of them in no view.
    let places = [(1, 1), (12, 1), (13, 1), (14, 1), (-70, -70), (-71, -70)]
    let features = places.enumerated().map { index, place in
      "{\"attributes\":{\"OBJECTID\":\(index + 1),\"v\":\(index)},\"geometry\":{\"x\":\(place.0),\"y\":\(place.1)}}"
    }
    let json = """
      {"operationalLayers":[{"id":"a","title":"A","showLabels":true,"featureCollection":{"layers":[{"layerDefinition":{
      "geometryType":"esriGeometryPoint","spatialReference":{"wkid":4326},"drawingInfo":{"renderer":\(renderer)},
      "fields":[{"name":"OBJECTID","type":"esriFieldTypeOID"},{"name":"v","type":"esriFieldTypeInteger"}]},
      "featureSet":{"spatialReference":{"wkid":4326},"features":[\(features.joined(separator: ","))]}}]}}]}
      """
    return try await MapDocument.open(json: JSONValue(parsing: json), name: "map", folder: ".")
  }

  @Test("An aggregation renderer draws bins between two colours, ranging over the numbers in the view")
  func aggregationRenderer() async throws {
    let document = try await Self.aggregated(Self.aggregation())
    #expect(document.warnings.allSatisfy { $0.description.contains("labelingInfo") }, "\(document.warnings)")
    // 1/32 of the world is 106 pixels wide at this scale, and 1/64 is too small.
    let view = Self.view(document, longitude: 11.25, latitude: 1, scale: 591_657_527.591555 * 256 / 106 / 32)
    let image = try await view.render().bitmap
    func pixel(_ x: Int, _ y: Int) -> [UInt8] {
      let start = (y * image.width + x) * 4
      return Array(image.pixels[start..<start + 3])
    }
    // The cells lie on both sides of 11.25 degrees, which is the middle of the view.
    #expect(pixel(75, 60) == [0, 0, 0])
    #expect(pixel(245, 60) == [200, 100, 0])
    let (table, _) = try await Self.table(view)
    #expect(table.schema.fields.map(\.name) == ["cluster_count"])
    // With a threshold of four features in the view, these are drawn one by one.
    let few = try await Self.aggregated(
      Self.aggregation().replacing("\"featureThreshold\":0", with: "\"featureThreshold\":4"))
    let single = Self.view(few, longitude: 11.25, latitude: 1, scale: 591_657_527.591555 * 256 / 106 / 32)
    let drawing = try await single.drawing(of: single.layers[0], index: 0)
    #expect(drawing.drawn.count == 4)
  }

  @Test("An aggregation renderer may show a statistic, and reports what it does not draw")
  func aggregationStatistic() async throws {
    let document = try await Self.aggregated(
      Self.aggregation(#","fieldStatistic":{"fieldName":"v","statisticType":"Maximum"},"fullLodGrid":true"#))
    let view = Self.view(document, longitude: 11.25, latitude: 1, scale: 591_657_527.591555 * 256 / 106 / 32)
    let (table, _) = try await Self.table(view)
    #expect(table.schema.fields.map(\.name) == ["cluster_count", "bin_value"])
    #expect(table.columns[1].value(at: 1) == .real(3))
    #expect(document.warnings.contains { $0.description.contains("fullLodGrid: not drawn") })
    let triangles = try await Self.aggregated(
      Self.aggregation().replacing("\"style\":\"square\"", with: "\"style\":\"flatTriangle\""))
    #expect(triangles.warnings.contains { $0.description.contains("features are drawn one by one") })
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
