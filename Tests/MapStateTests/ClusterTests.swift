import Foundation
import MapDrawing
import MapFeatures
import MapGeometry
import MapJSON
import MapLayout
import MapModel
import MapState
import MapTestSupport
import Testing

/// Clusters beside counts of their cells.
@Suite struct ClusterTests {
  struct Place {
    let x: Double
    let y: Double
  }

  /// Crowds and scattered points in Web Mercator.
  private static func places(_ count: Int, seed: UInt64) -> [Place] {
    var random = SeededGenerator(seed: seed)
    let crowds = (0..<12).map { _ in
      Place(x: .random(in: -9e6...9e6, using: &random), y: .random(in: -7e6...7e6, using: &random))
    }
    return (0..<count).map { index in
      let crowd = crowds[index % crowds.count]
      let spread = index.isMultiple(of: 3) ? 8e6 : 4e5
      return Place(
        x: crowd.x + .random(in: -spread...spread, using: &random),
        y: crowd.y + .random(in: -spread...spread, using: &random))
    }
  }

  static func map(
    _ places: [Place], reduction: String = "", definition: String = "",
    type: String = "\"cluster\",\"clusterRadius\":30", renderer: String? = nil
  ) async throws -> MapDocument {
    let features = places.enumerated().map { index, place in
      "{\"attributes\":{\"OBJECTID\":\(index + 1),\"v\":\(index % 10)},\"geometry\":{\"x\":\(place.x),\"y\":\(place.y)}}"
    }
    let circle =
      renderer
        ?? """
        {"type":"simple","symbol":{"type":"esriSMS","style":"esriSMSCircle","size":6,"color":[200,40,40,255]}}
        """
    let json = """
      {"operationalLayers":[{"id":"a","title":"A","featureCollection":{"layers":[{"layerDefinition":{
      "geometryType":"esriGeometryPoint","spatialReference":{"wkid":3857},\(definition)
      "featureReduction":{"type":\(type)\(reduction)},
      "drawingInfo":{"renderer":\(circle)},
      "fields":[{"name":"OBJECTID","type":"esriFieldTypeOID"},{"name":"v","type":"esriFieldTypeInteger"}]},
      "featureSet":{"spatialReference":{"wkid":3857},"features":[\(features.joined(separator: ","))]}}]}}]}
      """
    return try await MapDocument.open(json: JSONValue(parsing: json), name: "map", folder: ".")
  }

  static func view(
    _ document: MapDocument, x: Double, y: Double, scale: Double, width: Double = 300, height: Double = 200,
    rotation: Double = 0
  ) -> ViewState {
    ViewState(
      width: width, height: height, pixelRatio: 1,
      viewpoint: ResolvedViewpoint(
        center: Point(x: x, y: y, spatialReference: .webMercator),
        resolution: scale / ResolvedViewpoint.scalePerResolution, rotation: rotation),
      background: .white, timeExtent: nil,
      layers: document.map.operationalLayers.compactMap {
        ($0 as? FeatureLayer)?.frozen
      })
  }

  /// The clusters of a view: their numbers by row, and the features alone in their cells.
  private static func clusters(_ view: ViewState) async throws -> (counts: [Int: Int], singles: [Int]) {
    let layer = view.layers[0]
    let drawing = try await view.drawing(of: layer, index: 0)
    let clusters = try #require(drawing.clusters)
    let table = try await clusters.layer.source.whole().columns()
    var counts: [Int: Int] = [:]
    for row in 0..<table.rowCount {
      guard case .integer(let count) = table.columns[0].value(at: row), count > 0 else { continue }
      counts[row] = Int(count)
    }
    return (counts, Array(drawing.painted))
  }

  @Test(
    "The numbers of the cells that meet a view are counts of features in the cells' boxes, in 1,000 views")
  func sums() async throws {
    let places = Self.places(800, seed: 3)
    let document = try await Self.map(places)
    var random = SeededGenerator(seed: 11)
    var (compared, clustered) = (0, 0)
    for _ in 0..<1000 {
      let scale = exp(Double.random(in: log(2e7)...log(1.5e8), using: &random))
      let view = Self.view(
        document, x: .random(in: -8e6...8e6, using: &random), y: .random(in: -6e6...6e6, using: &random),
        scale: scale)
      let side = 80 * scale / ResolvedViewpoint.scalePerResolution
      // The whole cells around the view, and no other.
      let box = view.extent
      func low(_ place: Double) -> Double { (place / side).rounded(.down) * side }
      func high(_ place: Double) -> Double { ((place / side).rounded(.down) + 1) * side }
      let union = Envelope(
        xMin: low(box.xMin), yMin: low(box.yMin), xMax: high(box.xMax), yMax: high(box.yMax),
        spatialReference: .webMercator)
      let count = try await view.count(
        of: view.layers[0], FeatureQuestion(area: .envelope(union)))
      let found = try await Self.clusters(view)
      func isInside(_ row: Int) -> Bool {
        let place = places[row]
        return union.contains(x: place.x, y: place.y)
      }
      let sum = found.counts.filter { isInside($0.key) }.reduce(0) { $0 + $1.value }
      let table = try await view.layers[0].source.whole().columns()
      let alone = places.indices.filter { row in
        guard isInside(row) else { return false }
        let (column, line) = ((places[row].x / side).rounded(.down), (places[row].y / side).rounded(.down))
        return places.count {
          ($0.x / side).rounded(.down) == column && ($0.y / side).rounded(.down) == line
        } == 1
      }.count
      #expect(sum + alone == count)
      #expect(table.rowCount == places.count)
      compared += 1
      clustered += found.counts.count
    }
    #expect(compared == 1000)
    #expect(clustered > 5000)
  }

  @Test("Panning changes no number")
  func panning() async throws {
    let document = try await Self.map(Self.places(500, seed: 4))
    let scale = 6e7
    let first = try await Self.clusters(Self.view(document, x: 0, y: 0, scale: scale))
    var same = 0
    for step in 1...8 {
      let moved = try await Self.clusters(
        Self.view(document, x: Double(step) * 333_333, y: Double(step) * -77_777, scale: scale))
      for (row, count) in first.counts {
        guard let other = moved.counts[row] else { continue }
        #expect(other == count)
        same += 1
      }
    }
    #expect(same > 20)
  }

  @Test("The funnel has a stage for features in clusters, and a layer without clusters has none")
  func funnel() async throws {
    let places = (0..<5).map { Place(x: Double($0) * 1000, y: 0) } + [Place(x: 2.5e6, y: 0)]
    let document = try await Self.map(places)
    let view = Self.view(document, x: 1e6, y: 1e5, scale: 5e7)
    let drawing = try await view.drawing(of: view.layers[0], index: 0)
    let funnel = try await view.funnel(of: view.layers[0], drawing: drawing)
    #expect(funnel.aggregated == 5)
    #expect(funnel.drawn == 1)
    #expect(funnel.stages.map(\.name).suffix(4) == ["aggregated", "invisible", "drawn", "edge"])
    let plain = try await Self.map(places, definition: "\"disableFeatureReduction\":true,")
    let ungrouped = Self.view(plain, x: 1e6, y: 1e5, scale: 5e7)
    let all = try await ungrouped.funnel(
      of: ungrouped.layers[0], drawing: ungrouped.drawing(of: ungrouped.layers[0], index: 0))
    #expect(all.aggregated == nil)
    #expect(all.drawn == 6)
  }

  @Test("Clusters have statistics of their features, and the filters limit them")
  func statistics() async throws {
    let places = (0..<20).map { Place(x: Double($0) * 1000, y: 10) }
    let document = try await Self.map(
      places,
      reduction: """
        ,"fields":[{"name":"cluster_count","statisticType":"count"},
        {"name":"a","onStatisticField":"v","statisticType":"avg"},
        {"name":"s","onStatisticField":"v","statisticType":"sum"},
        {"name":"m","onStatisticField":"v","statisticType":"mode"},
        {"name":"d","onStatisticField":"v","statisticType":"var"}]
        """, definition: "\"definitionExpression\":\"v < 5\",")
    let view = Self.view(document, x: 0, y: 0, scale: 5e7)
    let clusters = try #require(try await view.drawing(of: view.layers[0], index: 0).clusters)
    let table = try await clusters.layer.source.whole().columns()
    #expect(table.schema.fields.map(\.name) == ["cluster_count", "a", "s", "m", "d"])
    #expect(table.columns[0].value(at: 0) == .integer(10))
    #expect(table.columns[1].value(at: 0) == .real(2))
    #expect(table.columns[2].value(at: 0) == .real(20))
    #expect(table.columns[3].value(at: 0) == .real(0))
    #expect(table.columns[4].value(at: 0) == .real(20.0 / 9))
  }

  @Test("Below the scale of its visibility info, a layer is drawn feature by feature")
  func maxScale() async throws {
    let places = (0..<5).map { Place(x: Double($0) * 1000, y: 0) }
    let document = try await Self.map(
      places, reduction: ",\"visibilityInfo\":{\"type\":\"scale\",\"maxScale\":1000000}")
    for (scale, isClustered) in [(1_000_000.0, true), (999_999, false)] {
      let view = Self.view(document, x: 0, y: 0, scale: scale)
      let drawing = try await view.drawing(of: view.layers[0], index: 0)
      #expect((drawing.clusters != nil) == isClustered)
    }
  }

  @Test("A view in which all features are in clusters has no warning")
  func noWarning() async throws {
    let places = (0..<5).map { Place(x: Double($0) * 1000, y: 0) }
    let view = Self.view(try await Self.map(places), x: 1e6, y: 1e5, scale: 5e7)
    let report = try await view.render().report
    #expect(report.layers.map(\.funnel?.drawn) == [0])
    #expect(report.layers.map(\.funnel?.aggregated) == [5])
    #expect(report.layers.flatMap(\.warnings).isEmpty)
    let empty = Self.view(try await Self.map(places), x: 1e7, y: 8e6, scale: 1e6)
    #expect(try await empty.render().report.layers.flatMap(\.warnings).count == 1)
  }

  @Test("Identify finds all features of a cluster, and a feature that is alone")
  func identify() async throws {
    let places = (0..<5).map { Place(x: Double($0) * 1000, y: 0) } + [Place(x: 2.5e6, y: 0)]
    let view = Self.view(try await Self.map(places), x: 1e6, y: 0, scale: 5e7)
    let pixel = view.viewpoint.resolution
    func rows(x: Double, maximum: Int = 100) async throws -> [Int] {
      try await view.rows(
        of: view.layers[0], hitAt: ScreenPoint(x: 150 + (x - 1e6) / pixel, y: 100), tolerance: 2,
        maximum: maximum)
    }
    // The cluster of 19 pixels is above and to the right of the corner of four cells.
    #expect(try await rows(x: 11 * pixel) == [0, 1, 2, 3, 4])
    #expect(try await rows(x: 11 * pixel, maximum: 2) == [0, 1])
    #expect(try await rows(x: 2.5e6) == [5])
    #expect(try await rows(x: 1.5e6).isEmpty)
  }

  @Test("A legend lists the sizes of the clusters in view")
  func legend() async throws {
    let places = (0..<5).map { Place(x: Double($0) * 1000, y: 0) } + [Place(x: 2.5e6, y: 0)]
    let document = try await Self.map(places)
    let shown = try await Self.view(document, x: 1e6, y: 1e5, scale: 5e7).legend()
    let entries = try #require(shown.layers.first).entries
    let heading = try #require(entries.firstIndex { $0.graphic == .heading })
    #expect(entries[heading].label == "Number of features")
    let sizes = entries[(heading + 1)...].map { entry -> Double? in
      if case .symbol(.marker(let marker), .point) = entry.graphic { marker.size } else { nil }
    }
    // Sizes are those of 2 features, 16 pixels, to 10,000 features, 50 pixels; the only cluster has 5.
    let size: Double = 16 + 8.5 * 3 / 8
    #expect(sizes == [size])
    let crowd = try await Self.view(document, x: 0, y: 0, scale: 2e7).legend()
    #expect(crowd.layers.map(\.title) == ["A"] && crowd.layers.allSatisfy(\.showsTitle))
    #expect(crowd.layers.first?.entries.map(\.label) == ["Number of features", "5"])
    #expect(entries.last?.label == "5")
    // Five features in one place are features, not a cluster, when the view shows other places.
    let alone = try await Self.view(document, x: 2.6e6, y: 0, scale: 1e6).legend()
    #expect(alone.layers.first?.entries.count == 1)
    #expect(shown.warnings.isEmpty && alone.warnings.isEmpty)
  }

  @Test("Each cluster has its number, also where clusters overlap", arguments: [nil, "static"])
  func numbers(_ strategy: String?) async throws {
    // Two clusters of 200 pixels in neighbouring cells of 80 pixels.
    let places = [
      Place(x: -1, y: 5), Place(x: -1, y: 5), Place(x: 1, y: 5), Place(x: 1, y: 5), Place(x: 1, y: 5),
    ]
    let stated = strategy.map { ",\"deconflictionStrategy\":\"\($0)\"" } ?? ""
    let document = try await Self.map(
      places,
      reduction: """
        ,"clusterMinSize":150,"clusterMaxSize":150,"drawingInfo":{"labelingInfo":[{"labelExpressionInfo":{
        "expression":"$feature.cluster_count"},"labelPlacement":"esriServerPointLabelPlacementCenterCenter",
        "symbol":{"type":"esriTS","color":[0,0,0,255],"font":{"size":14}}\(stated)}]}
        """)
    let view = Self.view(document, x: 0, y: 0, scale: ResolvedViewpoint.scalePerResolution)
    let texts = try await view.placedLabels().layers.flatMap(\.batches).flatMap { batch -> [String] in
      guard case .labels(let labels) = batch else { return [] }
      return labels.items.map(\.text)
    }
    #expect(texts.sorted() == (strategy == nil ? ["2", "3"] : texts.sorted()))
    #expect(strategy == nil || texts.count < 2)
  }

  @Test("Symbols of clusters in neighbouring cells do not overlap, in 300 views")
  func noOverlaps() async throws {
    let document = try await Self.map(
      Self.places(900, seed: 7), reduction: ",\"clusterMinSize\":14,\"clusterMaxSize\":29")
    var random = SeededGenerator(seed: 5)
    var compared = 0
    for _ in 0..<300 {
      let scale = exp(Double.random(in: log(2e7)...log(1.5e8), using: &random))
      let view = Self.view(
        document, x: .random(in: -8e6...8e6, using: &random), y: .random(in: -6e6...6e6, using: &random),
        scale: scale, rotation: .random(in: 0...90, using: &random))
      let clusters = try #require(try await view.drawing(of: view.layers[0], index: 0).clusters)
      let table = try await clusters.layer.source.whole().columns()
      let sizes = try #require(clusters.layer.renderer.visualVariables.size)
      var circles: [(x: Double, y: Double, radius: Double)] = []
      for row in 0..<table.rowCount {
        guard case .integer(let count) = table.columns[0].value(at: row), count > 0,
          let vertex = table.geometry?.vertices(ofRow: row).first,
          let size = sizes.size(of: Double(count), scale: scale, byArea: true)
        else { continue }
        circles.append(
          (
            table.geometry?.x[vertex] ?? 0, table.geometry?.y[vertex] ?? 0,
            size / 2 * view.viewpoint.resolution
          ))
      }
      for (index, a) in circles.enumerated() {
        for b in circles[..<index] {
          let (dx, dy) = (a.x - b.x, a.y - b.y)
          #expect((dx * dx + dy * dy).squareRoot() > a.radius + b.radius)
          compared += 1
        }
      }
    }
    #expect(compared > 10_000)
  }

  @Test("A cluster in the middle of its cell is at the mean of its points")
  func mean() async throws {
    // The cell has 80 metres.
    let places = [Place(x: 38, y: 37), Place(x: 44, y: 41)]
    let view = Self.view(
      try await Self.map(places), x: 0, y: 0, scale: ResolvedViewpoint.scalePerResolution)
    let clusters = try #require(try await view.drawing(of: view.layers[0], index: 0).clusters)
    let geometry = try #require(try await clusters.layer.source.whole().columns().geometry)
    let vertex = try #require(geometry.vertices(ofRow: 0).first)
    #expect(geometry.x[vertex] == 41 && geometry.y[vertex] == 39)
  }
}
