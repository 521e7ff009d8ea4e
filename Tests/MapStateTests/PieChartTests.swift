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

/// Painted pie charts beside the shares of their fields.
@Suite struct PieChartTests {
  /// Renders a layer of one feature with three numbers at the centre of an image of 100 by 100 pixels.
  private static func image(
    _ numbers: (Double, Double, Double), members: String = "",
    type: String = "Point", geometry: String = #"{"x":0,"y":0}"#
  ) async throws -> RenderedMap {
    let json = """
      {"operationalLayers":[{"id":"a","title":"A","featureCollection":{"layers":[{"layerDefinition":{
      "geometryType":"esriGeometry\(type)","spatialReference":{"wkid":3857},
      "drawingInfo":{"renderer":{"type":"pieChart","size":60\(members),
      "attributes":[{"field":"a","color":[255,0,0,255]},{"field":"b","color":[0,255,0,255]},
      {"field":"c","color":[0,0,255,255]}]}},
      "fields":[{"name":"OBJECTID","type":"esriFieldTypeOID"},{"name":"a","type":"esriFieldTypeDouble"},
      {"name":"b","type":"esriFieldTypeDouble"},{"name":"c","type":"esriFieldTypeDouble"}]},
      "featureSet":{"spatialReference":{"wkid":3857},"features":[{"attributes":
      {"OBJECTID":1,"a":\(numbers.0),"b":\(numbers.1),"c":\(numbers.2)},"geometry":\(geometry)}]}}]}}],
      "initialState":{"viewpoint":{"targetGeometry":{"xmin":-500,"ymin":-500,"xmax":500,"ymax":500,
      "spatialReference":{"wkid":3857}}}}}
      """
    let document = try await MapDocument.open(json: JSONValue(parsing: json), name: "map", folder: ".")
    #expect(document.warnings.isEmpty)
    return try await MapView(map: document.map, width: 100, height: 100).freeze().render()
  }

  /// The colour at an angle clockwise from the top, at a distance from the centre of the image.
  private static func color(_ image: RenderedMap, _ degrees: Double, _ distance: Double = 25) -> [UInt8] {
    let angle = degrees * .pi / 180
    let place = (x: Int(50 + distance * sin(angle)), y: Int(50 - distance * cos(angle)))
    return Array(image.bitmap.pixels[(place.y * 100 + place.x) * 4..<(place.y * 100 + place.x) * 4 + 3])
  }

  private static let (red, green, blue): ([UInt8], [UInt8], [UInt8]) = (
    [255, 0, 0], [0, 255, 0], [0, 0, 255]
  )

  @Test func `Slices follow each other clockwise from the top with their shares`() async throws {
    let image = try await Self.image((1, 1, 2))
    for degrees in stride(from: 2.5, to: 360, by: 5) {
      let wanted = degrees < 90 ? Self.red : degrees < 180 ? Self.green : Self.blue
      #expect(Self.color(image, degrees, 38) == wanted, "\(degrees)")
    }
    #expect(Self.color(image, 45, 42) == [255, 255, 255])
    #expect(image.report.layers[0].funnel?.drawn == 1)
    // Between two slices there are only mixtures of their colours.
    let seam = Self.color(image, 180, 25)
    #expect(Int(seam[1]) + Int(seam[2]) >= 254 && seam[0] == 0)
  }

  @Test func `A chart may have a hole, an outline, and a size by a field`() async throws {
    let ring = try await Self.image(
      (1, 1, 2),
      members: """
        ,"holePercentage":0.5,"outline":{"type":"esriSLS","style":"esriSLSSolid","color":[0,0,0,255],"width":3},
        "visualVariables":[{"type":"sizeInfo","field":"c","minDataValue":0,"maxDataValue":4,"minSize":0,
        "maxSize":60}]
        """)
    #expect(Self.color(ring, 45, 0) == [255, 255, 255])
    #expect(Self.color(ring, 45, 14) == Self.red)
    #expect(Self.color(ring, 135, 20).allSatisfy { $0 < 60 })
    #expect(Self.color(ring, 135, 10).allSatisfy { $0 < 60 })
    #expect(Self.color(ring, 45, 25) == [255, 255, 255])
  }

  @Test func `A feature without numbers above 0 has no chart, or one of the default colour`() async throws {
    let none = try await Self.image((0, -1, 0))
    #expect(none.report.layers[0].funnel?.drawn == 0)
    #expect(none.report.layers[0].warnings.count == 1)
    let plain = try await Self.image((0, -1, 0), members: ",\"defaultColor\":[90,90,90,255]")
    #expect(Self.color(plain, 200) == [90, 90, 90])
  }

  @Test func `An area has its chart at its centre`() async throws {
    let image = try await Self.image(
      (0, 0, 1), type: "Polygon",
      geometry: #"{"rings":[[[-400,-400],[-400,400],[400,400],[400,-400],[-400,-400]]]}"#)
    #expect(Self.color(image, 10, 0) == Self.blue)
    #expect(Self.color(image, 45, 46) == [255, 255, 255])
  }

  /// A point with two numbers, one metre a pixel from the top left corner.
  private struct Spot {
    var x: Double
    var y: Double
    var a: Double?
    var b: Double?
  }

  /// A view of one layer of points with two numbers.
  private static func view(
    _ places: [Spot], renderer: RendererForm, width: Double = 100,
    height: Double = 100, labels: [LabelDefinition] = []
  ) -> ViewState {
    var geometry = CoordinateBuffer(kind: .point)
    for place in places { geometry.appendPoint(x: place.x, y: -place.y) }
    func column(_ numbers: [Double?]) -> Column {
      Column(of: numbers.map { $0.map { .real($0) } ?? .null }, type: .float64)
    }
    let table = FeatureColumns(
      schema: FeatureSchema(
        fields: [Field(name: "a", type: .float64), Field(name: "b", type: .float64)], geometryKind: .point,
        spatialReference: .webMercator),
      columns: [column(places.map(\.a)), column(places.map(\.b))], geometry: geometry, rowCount: places.count)
    var layer = LayerState(id: "a", title: "A", source: InMemorySource(table), renderer: renderer)
    (layer.labelDefinitions, layer.labelsAreEnabled) = (labels, !labels.isEmpty)
    return ViewState(
      width: width, height: height, pixelRatio: 1,
      viewpoint: ResolvedViewpoint(
        center: Point(x: width / 2, y: -height / 2, spatialReference: .webMercator), resolution: 1,
        rotation: 0),
      background: .white, timeExtent: nil, layers: [layer])
  }

  private static func renderer(size: Double, defaultColor: Color? = nil) -> PieChartRenderer {
    PieChartRenderer(
      attributes: [
        RendererAttribute(fieldName: "a", color: Color(red: 200, green: 0, blue: 0)),
        RendererAttribute(fieldName: "b", color: Color(red: 0, green: 0, blue: 200)),
      ], size: size, defaultColor: defaultColor)
  }

  @Test func `All of 160,000 charts with shares of their own are drawn and counted`() async throws {
    var random = SeededGenerator(seed: 26)
    let places = (0..<160_000).map { index -> Spot in
      var spot = Spot(x: Double(index % 400) * 2 + 1, y: Double(index / 400) * 2 + 1)
      spot.a = Double.random(in: 1...9, using: &random)
      spot.b = Double.random(in: 1...9, using: &random)
      return spot
    }
    let view = Self.view(places, renderer: .pieChart(Self.renderer(size: 2)), width: 800, height: 800)
    let image = try await view.render()
    #expect(image.report.layers[0].funnel?.drawn == 160_000)
    #expect(image.report.layers[0].warnings.isEmpty)
    var (painted, purple) = (0, 0)
    for place in places {
      let pixel = (Int(place.y) * 800 + Int(place.x)) * 4
      let red = image.bitmap.pixels[pixel]
      let green = image.bitmap.pixels[pixel + 1]
      let blue = image.bitmap.pixels[pixel + 2]
      if green < 200 { painted += 1 }
      if red > green, blue > green { purple += 1 }
    }
    #expect(painted == 160_000)
    // The pixel below and at the right of a centre shows both slices if the first has 1/4 to 1/2: 41 of 100 charts.
    #expect(purple > 50_000)
    let batches = try await view.drawing(of: view.layers[0], index: 0).layer.batches
    let counts = batches.compactMap { batch -> Int? in
      guard case .shapes(let shapes) = batch else { return nil }
      return shapes.x.count
    }
    #expect(counts == [160_000])
  }

  @Test func `Pieces of paths together are the paths of all items, and an area needs those that meet it`()
    async throws
  {
    var random = SeededGenerator(seed: 5)
    let places = (0..<6000).map { _ -> Spot in
      var spot = Spot(
        x: Double.random(in: 0...100, using: &random), y: Double.random(in: 0...100, using: &random))
      spot.a = Double.random(in: 0...3, using: &random)
      spot.b = 1
      return spot
    }
    let view = Self.view(places, renderer: .pieChart(Self.renderer(size: 12)))
    let batches = try await view.drawing(of: view.layers[0], index: 0).layer.batches
    guard case .shapes(let shapes)? = batches.last else {
      Issue.record("no shapes")
      return
    }
    var (left, vertices, rows, pieces) = (shapes.x.indices, 0, [Int32](), 0)
    while let (paths, items) = shapes.nextPiece(&left) {
      vertices += paths.geometry.vertexCount
      rows += paths.row
      pieces += 1
      #expect(paths.row == items.map { shapes.row[$0] })
    }
    #expect(left.isEmpty)
    #expect(pieces > 2)
    #expect(rows == shapes.paths.row)
    #expect(vertices == shapes.paths.geometry.vertexCount)
    left = shapes.x.indices
    var near: Set<Int> = []
    while let (_, items) = shapes.nextPiece(&left, meeting: Envelope(xMin: 0, yMin: 40, xMax: 100, yMax: 50))
    {
      near.formUnion(items)
    }
    // The radius is 6, and anti-aliasing takes one more.
    #expect(near == Set(shapes.x.indices.filter { shapes.y[$0] >= 33 && shapes.y[$0] <= 57 }))
  }

  @Test func `A chart outside the view is at its edge if its circle reaches in, not its box`() async throws {
    let places = [
      Spot(x: -30, y: -30, a: 1, b: 1), Spot(x: -28, y: -28, a: 1, b: 1), Spot(x: -39, y: 50, a: 1, b: 1),
      Spot(x: -41, y: 50, a: 1, b: 1),
    ]
    let view = Self.view(places, renderer: .pieChart(Self.renderer(size: 80)))
    let drawing = try await view.drawing(of: view.layers[0], index: 0)
    #expect(drawing.drawn.isEmpty)
    #expect(Array(drawing.edge) == [1, 2])
  }

  @Test func `A feature without numbers above 0 has the default class, or none without a default colour`()
    async throws
  {
    let places = [
      Spot(x: 12, y: 50, a: 1, b: 2), Spot(x: 37, y: 50, a: 0, b: -1), Spot(x: 62, y: 50),
      Spot(x: 87, y: 50, b: 3),
    ]
    let cases: [(Color?, [Int32])] = [(.gray, [0, -1, -1, 0]), (nil, [0, -2, -2, 0])]
    for (color, wanted) in cases {
      let renderer = RendererForm.pieChart(Self.renderer(size: 20, defaultColor: color))
      let view = Self.view(places, renderer: renderer)
      let table = try await view.layers[0].source.whole().columns()
      let classes = try RowClassifier(renderer, table: table, view: view)
      #expect(classes.classes == wanted)
      let drawn = try await view.drawing(of: view.layers[0], index: 0).drawn
      let drawnRows: [Int] = color == nil ? [0, 3] : [0, 1, 2, 3]
      #expect(Array(drawn) == drawnRows)
      let counts = classes.counts(
        of: RowSet(rowCount: 4, all: true), drawn: drawn, renderer: renderer)
      let classIndexes: [Int?] = color == nil ? [0, nil] : [0, -1, nil]
      #expect(counts.map(\.classIndex) == classIndexes)
      #expect(counts.map(\.count) == (color == nil ? [2, 2] : [2, 2, 0]))
      let drawnCounts: [Int?] = color == nil ? [2, 0] : [2, 2, 0]
      #expect(counts.map(\.drawn) == drawnCounts)
      let legend = try await view.legend(counts: true)
      let labels: [String] = color == nil ? ["a", "b"] : ["a", "b", "No data"]
      #expect(legend.layers[0].entries.map(\.label) == labels)
    }
    // Without such a feature, the legend does not list its colour.
    let view = Self.view([places[0]], renderer: .pieChart(Self.renderer(size: 20, defaultColor: .gray)))
    #expect(try await view.legend().layers[0].entries.map(\.label) == ["a", "b"])
  }

  @Test func `A label beside a chart lies where it lies beside a circle of its size`() async throws {
    let places = [Spot(x: 30, y: 30, a: 2, b: 1), Spot(x: 70, y: 75, a: 2, b: 1)]
    let circle = SimpleMarkerSymbol(style: .circle, color: .gray, size: 24)
    let ring = (0...90).map { step -> VectorMarkerSymbol.Vertex in
      let angle = Double(step) * Double.pi / 45
      return VectorMarkerSymbol.Vertex(x: 12 * cos(angle), y: 12 * sin(angle))
    }
    let vector = VectorMarkerSymbol(
      shapes: [VectorMarkerSymbol.Shape(parts: [ring], color: .gray)], size: 24)
    let renderers: [RendererForm] = [
      .simple(SimpleRenderer(symbol: circle)), .pieChart(Self.renderer(size: 24)),
      .simple(SimpleRenderer(symbol: vector)),
    ]
    let placements: [LabelingPlacement] = [
      .pointAboveCenter, .pointCenterRight, .pointBelowLeft, .pointAboveRight,
    ]
    var compared = 0
    for placement in placements {
      var labels = LabelDefinition(labelExpression: SimpleLabelExpression(simpleExpression: "[a]"))
      labels.placement = placement
      var boxes: [[[Double]]] = []
      for renderer in renderers {
        let view = Self.view(places, renderer: renderer, labels: [labels])
        boxes.append(
          try await view.placedLabels().layers.flatMap(\.batches).flatMap { batch -> [[Double]] in
            guard case .labels(let labels) = batch else { return [] }
            return labels.items.map { item -> [Double] in
              let sides: [Double] = [item.box.xMin, item.box.yMin, item.box.xMax, item.box.yMax]
              return sides.map { ($0 * 100).rounded() }
            }
          })
      }
      #expect(boxes[0].count == 2)
      // At the corners of circles alone, labels lie nearer than to the box.
      if placement == .pointAboveCenter || placement == .pointCenterRight { #expect(boxes[1] == boxes[0]) }
      #expect(boxes[2] == boxes[1])
      compared += boxes[0].count
    }
    #expect(compared == 8)
  }

  @Test func `An area has the background fill below its chart or marker, and no other symbol has it`()
    async throws
  {
    let background = """
      "backgroundFillSymbol":{"type":"esriSFS","style":"esriSFSSolid","color":[250,230,120,255]}
      """
    let image = try await Self.image(
      (0, 0, 1), members: ",\(background)", type: "Polygon",
      geometry: #"{"rings":[[[-400,-400],[-400,400],[400,400],[400,-400],[-400,-400]]]}"#)
    #expect(Self.color(image, 10, 0) == Self.blue)
    #expect(Self.color(image, 45, 50) == [250, 230, 120])
    #expect(Self.color(image, 45, 60) == [255, 255, 255])
    #expect(image.report.layers[0].funnel?.drawn == 1)
    let json = try JSONValue(
      parsing: """
        {"operationalLayers":[{"id":"a","title":"A","featureCollection":{"layers":[{"layerDefinition":{
        "geometryType":"esriGeometryPolygon","spatialReference":{"wkid":3857},
        "drawingInfo":{"renderer":{"type":"uniqueValue","field1":"a",\(background),"uniqueValueInfos":[
        {"value":"1","symbol":{"type":"esriSMS","style":"esriSMSCircle","size":20,"color":[0,0,255,255]}},
        {"value":"2","symbol":{"type":"esriSFS","style":"esriSFSSolid","color":[0,255,0,255]}}],
        "visualVariables":[{"type":"colorInfo","field":"a","stops":[{"value":1,"color":[255,0,0,255]}]}]}},
        "fields":[{"name":"OBJECTID","type":"esriFieldTypeOID"},{"name":"a","type":"esriFieldTypeInteger"}]},
        "featureSet":{"spatialReference":{"wkid":3857},"features":[
        {"attributes":{"OBJECTID":1,"a":1},"geometry":{"rings":[[[-500,-500],[-500,500],[0,500],[0,-500],[-500,-500]]]}},
        {"attributes":{"OBJECTID":2,"a":2},"geometry":{"rings":[[[0,-500],[0,500],[500,500],[500,-500],[0,-500]]]}}]}}]}}],
        "initialState":{"viewpoint":{"targetGeometry":{"xmin":-500,"ymin":-500,"xmax":500,"ymax":500,
        "spatialReference":{"wkid":3857}}}}}
        """)
    let document = try await MapDocument.open(json: json, name: "map", folder: ".")
    #expect(document.warnings.isEmpty)
    let map = try await MapView(map: document.map, width: 100, height: 100).freeze().render()
    func pixel(_ x: Int, _ y: Int) -> [UInt8] {
      Array(map.bitmap.pixels[(y * 100 + x) * 4..<(y * 100 + x) * 4 + 3])
    }
    #expect(pixel(5, 5) == [250, 230, 120])
    #expect(pixel(25, 50) == Self.red)
    #expect(pixel(75, 50) == Self.red)
    #expect(pixel(95, 5) == Self.red)
  }
}
