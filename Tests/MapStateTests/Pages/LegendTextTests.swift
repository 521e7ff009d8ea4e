import MapGeometry
import MapJSON
import MapLayout
import MapModel
import MapScript
import MapState
import Testing

/// Titles and labels of legends, and the entries that are left out.
@Suite struct LegendTextTests {
  private static let marker = #"{"type":"esriSMS","style":"esriSMSCircle","color":[200,0,0,255],"size":8}"#
  private static let gray = #"{"type":"esriSMS","style":"esriSMSCircle","color":[90,90,90,255],"size":8}"#

  /// Returns a document of one layer with a point for each value, at x = 0, 1, 2, ….
  private static func document(
    _ renderer: String, values: [String], more: String = "", layer: String = ""
  ) async throws -> MapDocument {
    let features = values.enumerated().map { index, value in
      #"{"attributes":{"v":\#(value)},"geometry":{"x":\#(index),"y":\#(index % 2)}}"#
    }.joined(separator: ",")
    let json = """
      {"operationalLayers":[{"id":"a","title":"Places"\(layer),"featureCollection":{"layers":[{"layerDefinition":{
      "geometryType":"esriGeometryPoint"\(more),"fields":[{"name":"v","type":"esriFieldTypeDouble"}],
      "drawingInfo":{"renderer":\(renderer)}},
      "featureSet":{"spatialReference":{"wkid":4326},"features":[\(features)]}}]}}]}
      """
    return try await MapDocument.open(json: JSONValue(parsing: json), name: "map", folder: ".")
  }

  private static func legend(_ document: MapDocument, viewOnly: Bool = false) async throws -> LegendLayer? {
    try await document.view(ViewRequest()).freeze().legend(viewOnly: viewOnly).layers.first
  }

  @Test("A title of a visual variable replaces its field, and labels of stops replace their numbers")
  func labelledStops() async throws {
    let renderer = #"""
      {"type":"uniqueValue","field1":"v","defaultSymbol":\#(Self.gray),"defaultLabel":"Town",
      "uniqueValueInfos":[{"value":"1","label":"Capital","symbol":\#(Self.marker)}],
      "visualVariables":[{"type":"sizeInfo","field":"v","legendOptions":{"title":"Inhabitants"},
      "stops":[{"value":1,"size":9,"label":"many"},{"value":2,"size":5},{"value":3,"size":3,"label":"few"}]}]}
      """#
    let layer = try await Self.legend(Self.document(renderer, values: ["1", "2", "3"]))
    #expect(layer?.entries.map(\.label) == ["Capital", "Town", "Inhabitants", "many", "few"])
    // Stated texts stay a list.
    #expect(layer?.entries.allSatisfy { !$0.isSize } == true)
    // Classes show the colours, so that sizes are neutral.
    guard case .symbol(.marker(let marker), _)? = layer?.entries.last?.graphic else {
      Issue.record("\(String(describing: layer))")
      return
    }
    #expect(marker.color == Color(red: 160, green: 160, blue: 160))
  }

  @Test("A variable that is not in the legend leaves the classes")
  func hiddenVariable() async throws {
    let renderer = #"""
      {"type":"simple","label":"Place","symbol":\#(Self.marker),"visualVariables":[{"type":"colorInfo","field":"v",
      "legendOptions":{"showLegend":false},
      "stops":[{"value":1,"color":[0,0,0,255]},{"value":3,"color":[255,255,255,255]}]}]}
      """#
    let layer = try await Self.legend(Self.document(renderer, values: ["1", "2"]))
    #expect(layer?.entries.map(\.label) == ["Place"])
  }

  @Test("The ends of a ramp and of a heat map have their labels")
  func ramps() async throws {
    func labels(_ renderer: String) async throws -> ([String], String) {
      let layer = try await Self.legend(Self.document(renderer, values: ["1", "2"]))
      guard case .ramp(let stops)? = layer?.entries.first?.graphic else { return ([], "") }
      return (stops.map(\.label), layer?.subtitle ?? "")
    }
    let color = try await labels(
      #"""
      {"type":"simple","symbol":\#(Self.marker),"visualVariables":[{"type":"colorInfo","valueExpression":"$feature.v * 2",
      "valueExpressionTitle":"Twice","stops":[{"value":0,"color":[0,0,0,255],"label":"low"},
      {"value":1,"color":[90,90,90,255]},{"value":10,"color":[255,255,255,255],"label":"high"}]}]}
      """#)
    #expect(color == (["low", "", "high"], "Twice"))
    let heat = try await labels(
      #"""
      {"type":"heatmap","legendOptions":{"title":"Reports","minLabel":"few","maxLabel":"many"},
      "colorStops":[{"ratio":0,"color":[0,0,255,0]},{"ratio":1,"color":[255,0,0,255]}]}
      """#)
    #expect(heat == (["few", "many"], "Reports"))
    // A title that is that of the layer is not repeated.
    let same = try await labels(
      #"""
      {"type":"heatmap","legendOptions":{"title":"Places","minLabel":"few","maxLabel":"many"},
      "colorStops":[{"ratio":0,"color":[0,0,255,0]},{"ratio":1,"color":[255,0,0,255]}]}
      """#)
    #expect(same == (["few", "many"], ""))
  }

  private static let classes = #"""
    {"type":"classBreaks","field":"v","minValue":0,"defaultSymbol":\#(gray),"defaultLabel":"No data",
    "classBreakInfos":[{"classMaxValue":5,"label":"low","symbol":\#(marker)}]}
    """#

  @Test("The default symbol is listed only if a feature that is drawn has it")
  func noData() async throws {
    func labels(_ values: [String], _ more: String = "") async throws -> [String] {
      let document = try await Self.document(Self.classes, values: values, more: more)
      return try await Self.legend(document)?.entries.map(\.label) ?? []
    }
    #expect(try await labels(["1", "null"]) == ["low", "No data"])
    #expect(try await labels(["1", "2"]) == ["low"])
    #expect(try await labels(["1", "null"], #","definitionExpression":"v > 0""#) == ["low"])
    let document = try await Self.document(Self.classes, values: ["1", "2", "null"])
    var request = ViewRequest()
    request.place = .bounds(Envelope(xMin: -0.1, yMin: -0.1, xMax: 0.1, yMax: 0.1))
    let view = try await document.view(request).freeze()
    #expect(try await view.legend().layers.first?.entries.map(\.label) == ["low"])
    #expect(try await view.legend(viewOnly: true).layers.first?.entries.map(\.label) == ["low"])
  }

  @Test("Each drawn feature has one element with its id in SVG, and an invisible one has none")
  func elements() async throws {
    let renderer = #"""
      {"type":"uniqueValue","field1":"v","uniqueValueInfos":[
      {"value":"1","symbol":\#(Self.marker)},
      {"value":"2","symbol":{"type":"esriSMS","style":"esriSMSCircle","color":null,"size":8}},
      {"value":"3","symbol":{"type":"esriSMS","style":"esriSMSCircle","color":[200,0,0,255],"size":0}}]}
      """#
    var options = SVGOptions()
    options.writesIDs = true
    for layer in ["", #","opacity":0"#] {
      let document = try await Self.document(renderer, values: ["1", "2", "3", "2", "9"], layer: layer)
      let page = try await document.page(ViewRequest(), PageLayout()).page
      let text = String(decoding: try await page.svgData(options), as: UTF8.self)
      var counts = CountOptions()
      counts.funnel = true
      let drawn = try await page.map.counts(counts).layers[0].funnel?.drawn
      #expect(drawn == (layer.isEmpty ? 1 : 0))
      #expect(text.split(separator: "data-id=").count - 1 == drawn, "\(text)")
    }
  }

  @Test("A fitted view shows its features beside a legend on the map")
  func legendOnMap() async throws {
    // The default view has a point in each corner of the map.
    let document = try await Self.document(Self.classes, values: ["1", "2", "3", "4"])
    for position in [PageLayout.LegendPosition.topLeft, .topRight, .bottomLeft, .bottomRight] {
      var layout = PageLayout()
      layout.legend = position
      let (page, view) = try await document.page(ViewRequest(), layout)
      let legend = try #require(page.legendBox)
      #expect(try await page.map.drawsFeature(in: legend) == false, "\(position)")
      #expect(view.freeze().viewpoint == page.map.viewpoint)
      var counts = CountOptions()
      counts.funnel = true
      #expect(try await page.map.counts(counts).layers[0].funnel?.drawn == 4, "\(position)")
      // The bounds that a caller gives stay.
      var request = ViewRequest()
      request.place = .bounds(Envelope(xMin: 0, yMin: 0, xMax: 3, yMax: 1))
      let given = try await document.page(request, layout).page
      #expect(try await given.map.viewpoint == document.view(request).freeze().viewpoint)
    }
  }
}
