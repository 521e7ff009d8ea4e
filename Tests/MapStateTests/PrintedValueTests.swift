import Foundation
import MapState
import MapTestSupport
import Testing

@Suite("Printed values")
struct PrintedValueTests {
  private static let line = SimpleLineSymbol(color: .black, width: 1.5)
  private static let marker = SimpleMarkerSymbol(color: .red, size: 8, outline: line)
  private static let envelope = Envelope(xMin: 5, yMin: 45, xMax: 15, yMax: 55, spatialReference: .wgs84)
  private static let ring = [
    Point(latitude: 0, longitude: 0), Point(latitude: 0, longitude: 2.5),
    Point(latitude: 1, longitude: 2.5), Point(latitude: 0, longitude: 0),
  ]

  /// Values and the text that `print` shows of each.
  private static var table: [(Any, String)] {
    get throws {
      let filter = DisplayFilter(name: "Open", whereClause: "status = 'open'")
      let json = try JSONValue(parsing: Array(#"{"a": [1, true]}"#.utf8))
      let start = try #require(Instant(rfc3339: "2020-01-01T00:00:00Z"))
      return [
        (SpatialReference.wgs84, "WKID 4326"), (Point(x: 1.5, y: -2), "Point(1.5, -2)"),
        (Point(latitude: 45, longitude: 5), "Point(5, 45, WKID 4326)"),
        (Point(x: 1, y: 2, z: 3, m: 4), "Point(1, 2, z: 3, m: 4)"),
        (Point(x: .nan, y: .nan), "Point(empty)"), (envelope, "Envelope(5, 45, 15, 55, WKID 4326)"),
        (Envelope(xRange: 0...1, yRange: 0...1, zRange: 2...3), "Envelope(0, 0, 1, 1, z: 2...3)"),
        (Envelope.empty, "Envelope(empty)"),
        (Multipoint(points: ring), "Multipoint(4 points, extent 0, 0, 2.5, 1, WKID 4326)"),
        (Polyline(points: ring), "Polyline(1 part, 4 points, extent 0, 0, 2.5, 1, WKID 4326)"),
        (Polygon(points: ring), "Polygon(1 part, 4 points, extent 0, 0, 2.5, 1, WKID 4326)"),
        (envelope.form, "Envelope(5, 45, 15, 55, WKID 4326)"),
        (Quantity(value: 5, unit: LinearUnit.kilometers), "5 kilometers"),
        (AreaUnit.hectares, "hectares"), (AngularUnit.degrees, "degrees"),
        (
          Viewpoint(latitude: 50, longitude: 12, scale: 2e7),
          "Viewpoint(latitude: 50, longitude: 12, scale: 20000000)"
        ),
        (
          Viewpoint(boundingGeometry: envelope, rotation: 30),
          "Viewpoint(Envelope(5, 45, 15, 55, WKID 4326), rotation: 30)"
        ),
        (Color(red: 215, green: 48, blue: 39), "#d73027"), (Color.clear, "#00000000"),
        (line, "SimpleLineSymbol(solid, #000000, width 1.5)"),
        (
          marker,
          "SimpleMarkerSymbol(circle, #ff0000, size 8, outline solid, #000000, width 1.5)"
        ),
        (SimpleFillSymbol(color: nil), "SimpleFillSymbol(solid, no color)"),
        (TextSymbol(text: "Bern", size: 12), "TextSymbol(\"Bern\", #000000, size 12)"),
        (
          CompositeSymbol(symbols: [line]), "CompositeSymbol(SimpleLineSymbol(solid, #000000, width 1.5))"
        ),
        (
          SimpleRenderer(symbol: line), "SimpleRenderer(SimpleLineSymbol(solid, #000000, width 1.5))"
        ),
        (
          ClassBreaksRenderer(
            fieldName: "POP",
            classBreaks: [.init(minimum: 0, maximum: 10, label: "", symbol: marker.form)]),
          "ClassBreaksRenderer(POP: 0 to 10)"
        ),
        (
          UniqueValueRenderer(
            fieldNames: ["kind"],
            uniqueValues: [.init(values: ["road"], label: "", symbol: line.form)]),
          "UniqueValueRenderer(kind: road)"
        ),
        (filter, "DisplayFilter(\"Open\", status = 'open')"),
        (
          ManualDisplayFilterDefinition(activeFilter: filter, availableFilters: [filter]),
          "ManualDisplayFilterDefinition(active: DisplayFilter(\"Open\", status = 'open'), 1 available)"
        ),
        (TimeExtent(start: start, end: nil), "2020-01-01T00:00:00Z/.."),
        (TimeValue(duration: 5, unit: .days), "5 days"),
        (Field(name: "POP", type: .int32), "Field(POP, int32)"),
        (OrderBy(fieldName: "POP", sortOrder: .descending), "POP descending, nulls first"),
        (StatisticDefinition(fieldName: "POP", statisticType: .sum), "sum:POP:SUM_POP"),
        (AttributeValue.text("Bern"), "Bern"), (AttributeValue.real(2), "2"), (AttributeValue.null, "null"),
        (json, #"{"a":[1,true]}"#),
        (try #require(try FilterText(where: "POP > 10")).expression, "POP > 10"),
        (try Bitmap(width: 8, height: 6), "Bitmap(8x6)"), (ScreenPoint(x: 4, y: 3.5), "ScreenPoint(4, 3.5)"),
        (EdgeInsets(top: 1), "EdgeInsets(1, 0, 0, 0)"), (InteractionModes.all, "pan, zoom, rotate"),
        (
          DocumentWarning(path: nil, message: "the key \"x\" is unknown"), "the key \"x\" is unknown"
        ),
        (
          Graphic(geometry: ring[1], attributes: ["NAME": "A"]),
          "Graphic(NAME: A, Point(2.5, 0, WKID 4326))"
        ),
        (GraphicsOverlay(graphics: [Graphic()]), "GraphicsOverlay(1 graphic)"),
        (GroupLayer(layers: [], name: "Roads"), "GroupLayer(\"Roads\", 0 layers)"), (Map(), "Map()"),
      ]
    }
  }

  @Test("Values print as people write or read them")
  func values() throws {
    for (value, text) in try Self.table { #expect("\(value)" == text) }
  }

  @Test("No printed value shows a module")
  func modules() throws {
    for (value, _) in try Self.table {
      // A collection prints the debug description.
      let texts = ["\(value)", "\([value])"]
      for text in texts { #expect(text.firstMatch(of: /Map[A-Z]\w+\./) == nil, "\(text)") }
    }
  }

  @Test("Tables, layers, maps, views and answers print their names and counts")
  func objects() async throws {
    let table = FeatureCollectionTable(
      fields: [Field(name: "NAME", type: .text), Field(name: "POP", type: .int32)], geometryType: .point,
      spatialReference: .wgs84, tableName: "cities")
    let feature = table.makeFeature(
      attributes: ["NAME": "Bern", "POP": Int32(134)], geometry: Point(latitude: 46.9, longitude: 7.4))
    try await table.add(feature)
    #expect("\(feature)" == "Feature(1, NAME: Bern, POP: 134, Point(7.4, 46.9, WKID 4326))")
    #expect("\(table)" == "FeatureCollectionTable(\"cities\", 1 feature)")
    let parameters = QueryParameters()
    #expect("\(parameters)" == "QueryParameters(all features)")
    parameters.whereClause = "POP > 1"
    #expect("\(parameters)" == "QueryParameters(POP > 1)")
    #expect("\(try await table.queryFeatures(using: parameters))" == "FeatureQueryResult(1 feature)")
    let statistics = StatisticsQueryParameters(
      statisticDefinitions: [StatisticDefinition(fieldName: "POP", statisticType: .maximum)])
    #expect("\(try await table.queryStatistics(using: statistics))" == "StatisticRecord(MAX_POP: 134)")

    let layer = FeatureLayer(featureTable: table)
    layer.name = "cities"
    #expect("\(layer)" == "FeatureLayer(\"cities\")")
    let map = Map(basemapStyle: .arcGISStreets)
    map.addOperationalLayer(layer)
    #expect("\(map)" == "Map(\"cities\", Basemap(\"\(Basemap(style: .arcGISStreets).name)\"))")
    map.initialViewpoint = Viewpoint(latitude: 46.9, longitude: 7.4, scale: 1e6)
    let view = try MapView(map: map, width: 80, height: 60)
    #expect("\(view)".hasPrefix("MapView(80x60, ResolvedViewpoint(Point(823764."), "\(view)")
    let state = view.freeze()
    #expect("\(try await state.counts(CountOptions()))" == "cities: 1")
    #expect("\(try await state.render())" == "RenderedMap(80x60, cities drawn)")
  }

  @Test("The localized description of an error is its description")
  func errors() throws {
    let faults: [any Error] = [
      MapStateError(.input, "no such file"), MapStateError(.usage, "it is in a map"),
      try #require(throws: MapStateError.self) { try JSONValue(text: "[") },
      try #require(throws: MapStateError.self) { try ArcadeExpression("POP >") },
      try #require(throws: MapStateError.self) { try Bitmap(width: -1, height: 1) },
    ]
    for fault in faults { #expect(fault.localizedDescription == "\(fault)") }
  }
}
