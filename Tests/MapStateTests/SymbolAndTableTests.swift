import MapState
import Testing

/// Renderers, swatches and edits under the names of the map SDK.
@Suite struct SymbolAndTableTests {
  private static func row(_ a: String, _ b: Int, _ x: Double) -> Graphic {
    Graphic(
      geometry: Point(x: x, y: 0, spatialReference: .webMercator), attributes: ["a": a, "b": b])
  }

  private static func square(_ color: Color) -> SimpleMarkerSymbol {
    SimpleMarkerSymbol(style: .square, color: color, size: 10)
  }

  /// The colours in the middle of the markers of rows 40 m apart at one metre per pixel, from the left.
  private static func colors(_ rows: [Graphic], _ renderer: any Renderer) async throws -> [Color?] {
    let overlay = GraphicsOverlay(graphics: rows)
    overlay.renderer = renderer
    let view = try MapView(
      map: Map(), width: 200, height: 40,
      viewpoint: Viewpoint(
        center: Point(x: 80, y: 0, spatialReference: .webMercator),
        scale: ResolvedViewpoint.scalePerResolution), graphicsOverlays: [overlay])
    let image = try await view.exportImage()
    return rows.indices.map { index in
      let pixel = image[20 + 40 * index, 20]
      let color = Color(red: pixel.red, green: pixel.green, blue: pixel.blue)
      return color == .white ? nil : color
    }
  }

  @Test("Unique values of several fields match each field separately")
  func uniqueValues() async throws {
    let rows = [
      Self.row("1", 23, 0), Self.row("12", 3, 40), Self.row("1", 2, 80), Self.row("x", 0, 120),
    ]
    let classes = [
      UniqueValueRenderer.UniqueValue(
        description: "said", label: "one", symbol: Self.square(.red), values: ["1", 23]),
      UniqueValueRenderer.UniqueValue(label: "two", symbol: Self.square(.blue), values: ["12", 3.0]),
    ]
    let renderer = UniqueValueRenderer(fieldNames: ["a", "b"], uniqueValues: classes)
    #expect(try await Self.colors(rows, renderer) == [.red, .blue, nil, nil])
    let others = UniqueValueRenderer(
      fieldNames: ["a", "b"], uniqueValues: classes, defaultLabel: "other", defaultSymbol: Self.square(.black)
    )
    #expect(try await Self.colors(rows, others) == [.red, .blue, .black, .black])
    let single = UniqueValueRenderer(
      fieldNames: ["b"],
      uniqueValues: [
        .init(symbol: Self.square(.red), values: [23]), .init(symbol: Self.square(.blue), values: [3]),
      ])
    #expect(try await Self.colors(rows, single) == [.red, .blue, nil, nil])
    // The renderer survives a round trip.
    let map = Map()
    map.addOperationalLayer(
      FeatureLayer(source: TableFixtures.cities, title: "c", renderer: others))
    let again = try Map.fromJSON(map.toJSON())
    try await again.load()
    #expect(again.featureLayers.first?.renderer.form == others.form)
  }

  @Test("A class break excludes its lower bound and includes its upper bound")
  func classBreaks() async throws {
    let rows = [10, 11, 20, 21].enumerated().map { Self.row("", $1, Double($0) * 40) }
    let renderer = ClassBreaksRenderer(
      fieldName: "b",
      classBreaks: [
        .init(description: "d", label: "l", minValue: 10, maxValue: 20, symbol: Self.square(.red))
      ])
    #expect(renderer.classBreaks[0].minValue == 10)
    #expect(renderer.classBreaks[0].maxValue == 20)
    #expect(try await Self.colors(rows, renderer) == [nil, .red, .red, nil])
  }

  @Test("A swatch shows the whole symbol on a transparent background")
  func swatches() async throws {
    let outline = SimpleLineSymbol(color: .black, width: 2)
    var seen = 0
    for style in SimpleMarkerSymbol.Style.allCases {
      let marker = SimpleMarkerSymbol(
        style: style, color: .red, size: 40, outline: outline, angle: 30, offsetX: 300)
      let image = try await marker.makeSwatch(scale: 2)
      #expect(image.width == image.height)
      #expect(image.width >= 84)
      var ink = 0
      for y in 0..<image.height {
        for x in 0..<image.width where image[x, y].alpha > 0 { ink += 1 }
      }
      #expect(ink > 200, "\(style)")
      // The swatch is not cropped.
      for side in 0..<image.width {
        let edge = [
          image[side, 0], image[side, image.height - 1], image[0, side], image[image.width - 1, side],
        ]
        #expect(edge.allSatisfy { $0.alpha == 0 }, "\(style)")
      }
      seen += 1
    }
    #expect(seen == 6)
    let line = try await SimpleLineSymbol(color: .blue, width: 4).makeSwatch()
    #expect(line.width == 20)
    #expect(line[0, 10].blue == 255)
    #expect(line[10, 1].alpha == 0)
    let fill = try await SimpleFillSymbol(color: .green, outline: outline).makeSwatch(side: 30)
    #expect(fill.width == 30)
    #expect(fill[0, 15].alpha == 255)
    #expect(fill[15, 15].green == Color.green.green)
    await #expect(throws: MapStateError.self) { try await Self.square(.red).makeSwatch(scale: 9) }
  }

  @Test("A table creates features, and a batch of edits is applied completely or not at all")
  func editing() async throws {
    let memory = FeatureCollectionTable(
      fields: [Field(name: "n", type: .int32)], geometryType: .point, spatialReference: .webMercator)
    let table: any FeatureTable = memory
    #expect(table.isEditable)
    let features = (0..<4).map { number in
      table.makeFeature(
        attributes: ["n": number],
        geometry: Point(x: Double(number), y: 0, spatialReference: .webMercator))
    }
    try await table.add(features)
    #expect(table.numberOfFeatures == 4)
    #expect(features.map(\.objectID) == [1, 2, 3, 4])
    for feature in features.prefix(2) { feature.setAttributeValue(10, forKey: "n") }
    try await table.update(Array(features.prefix(2)))
    let asked = QueryParameters()
    asked.whereClause = "n = 10"
    #expect(try await table.queryFeatureCount(using: asked) == 2)
    let stranger = table.makeFeature()
    #expect(
      await cause {
        try await table.delete([features[0], stranger])
      } as? FeatureEditError == FeatureEditError.notInTable(objectID: nil))
    #expect(table.numberOfFeatures == 4)
    try await table.delete([features[0], features[3]])
    #expect(table.numberOfFeatures == 2)
    // An id is not reused.
    let next = table.makeFeature(attributes: ["n": 5])
    try await table.add(next)
    #expect(next.objectID == 5)
    let fixed: any FeatureTable = LocalFeatureTable(source: TableFixtures.cities, tableName: "c")
    #expect(!fixed.isEditable)
    #expect(
      await cause { try await fixed.add(fixed.makeFeature()) } as? FeatureEditError
        == FeatureEditError.notEditable("c"))
    let element: any GeoElement = features[1]
    element.setAttributeValue(7, forKey: "n")
    element.geometry = Point(x: 9, y: 9, spatialReference: .webMercator)
    #expect(features[1].attributes["n"] as? Int == 7)
    #expect(features[1].geometry?.extent.xMin == 9)
  }
  @Test("Each table of a feature collection is drawn with its own renderer")
  func collections() async throws {
    func place(_ x: Double, _ y: Double) -> Point { Point(x: x, y: y, spatialReference: .webMercator) }
    let areas = FeatureCollectionTable(
      fields: [], geometryType: .polygon, spatialReference: .webMercator, tableName: "areas")
    let points = FeatureCollectionTable(
      fields: [], geometryType: .point, spatialReference: .webMercator, tableName: "points")
    try await areas.add(
      areas.makeFeature(
        geometry: Polygon(points: [place(-30, -30), place(-30, 30), place(30, 30), place(30, -30)])))
    try await points.add(points.makeFeature(geometry: place(0, 0)))
    areas.renderer = SimpleRenderer(symbol: SimpleFillSymbol(color: .yellow))
    points.renderer = SimpleRenderer(symbol: Self.square(.red))
    let layer = FeatureCollectionLayer(
      featureCollection: FeatureCollection(featureCollectionTables: [areas, points]))
    let map = Map()
    map.addOperationalLayer(layer)
    #expect(map.featureLayers.map(\.name) == ["areas", "points"])
    let view = try MapView(
      map: map, width: 100, height: 100,
      viewpoint: Viewpoint(center: place(0, 0), scale: ResolvedViewpoint.scalePerResolution))
    func color(_ x: Int) async throws -> Color {
      let pixel = try await view.exportImage()[x, 50]
      return Color(red: pixel.red, green: pixel.green, blue: pixel.blue)
    }
    #expect(try await color(50) == .red)
    #expect(try await color(30) == .yellow)
    #expect(try await color(10) == .white)
    points.renderer = SimpleRenderer(symbol: Self.square(.blue))
    #expect(view.drawStatus == .inProgress)
    #expect(try await color(50) == .blue)
    // The layer's own renderer wins.
    map.featureLayers[1].renderer = SimpleRenderer(symbol: Self.square(.black))
    #expect(try await color(50) == .black)
    map.featureLayers[1].resetRenderer()
    #expect(try await color(50) == .blue)
    layer.isVisible = false
    #expect(try await color(50) == .white)
  }
}
