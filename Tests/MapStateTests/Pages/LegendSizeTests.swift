import MapGeometry
import MapImages
import MapJSON
import MapLayout
import MapModel
import MapScript
import MapState
import Testing

/// Circles of legends of sizes, samples of dots, and the corner of a legend on the map.
@Suite struct LegendSizeTests {
  private static func legend(
    _ sizes: [Double], fill: Color = Color(red: 200, green: 40, blue: 30),
    label: (Int) -> String = { "\($0)" }
  ) -> Legend {
    let outline = SimpleLineSymbol(color: .black, width: 1)
    let entries = sizes.enumerated().map { index, size -> LegendEntry in
      let marker = SimpleMarkerSymbol(style: .circle, color: fill, size: size, outline: outline)
      var entry = LegendEntry(.symbol(.marker(marker), .point), label: label(index))
      entry.isSize = true
      return entry
    }
    return Legend(layers: [LegendLayer(title: "Sizes", entries: entries)])
  }

  /// Returns the rows of an image that have a pixel of a colour, and the number of those pixels.
  private static func rows(_ legend: Legend, _ color: Color) throws -> (first: Int, last: Int, pixels: Int)? {
    let image = try legend.makeImage().bitmap
    var found: (first: Int, last: Int, pixels: Int)?
    for y in 0..<image.height {
      for x in 0..<image.width {
        let pixel = image[x, y]
        guard pixel.red == color.red, pixel.green == color.green, pixel.blue == color.blue else { continue }
        found = (found?.first ?? y, y, (found?.pixels ?? 0) + 1)
      }
    }
    return found
  }

  @Test(
    "Circles of different sizes are in each other on a base line, so that they are as high as the largest")
  func nested() throws {
    let color = Color(red: 200, green: 40, blue: 30)
    let fill = try #require(try Self.rows(Self.legend([60, 30, 10]), color))
    #expect((52...62).contains(fill.last - fill.first), "\(fill)")
    // A list of the same circles is higher.
    var listed = Self.legend([60, 30, 10])
    for index in 0..<3 { listed.layers[0].entries[index].isSize = false }
    let list = try #require(try Self.rows(listed, color))
    #expect(list.last - list.first > 95, "\(list)")
    #expect(try Self.legend([60, 30, 10]).makeImage().warnings.isEmpty)
  }

  @Test("Circles of nearly the same size are side by side, and the fill of each is visible")
  func sideBySide() throws {
    let color = Color(red: 200, green: 40, blue: 30)
    let three = try #require(try Self.rows(Self.legend([22, 21, 20, 19]), color))
    let one = try #require(try Self.rows(Self.legend([22]), color))
    #expect(three.last - three.first <= one.last - one.first + 1)
    #expect(three.pixels > 3 * one.pixels)
  }

  @Test("Sizes that do not fit as circles in one row are a list, and so are tiny ones")
  func listed() throws {
    for sizes in [[20.0, 12, 11, 10, 6, 5, 4], [6, 4, 2]] {
      var legend = Self.legend(sizes) { "\($0)00,000 to \($0)99,000 inhabitants" }
      let circles = try legend.makeImage().bitmap
      for index in sizes.indices { legend.layers[0].entries[index].isSize = false }
      let list = try legend.makeImage().bitmap
      #expect(circles.width == list.width && circles.height == list.height, "\(sizes)")
    }
  }

  @Test("Numbers of a column end at one position, and other labels stay at the left")
  func columns() throws {
    /// The first pixel of ink in each line of labels beside white swatches.
    func starts(_ labels: [String]) throws -> [Int] {
      let fill = SimpleFillSymbol(color: .white, outline: nil)
      let entries = labels.enumerated().map {
        LegendEntry(.symbol(.fill(fill), .polygon), label: $1, classIndex: $0)
      }
      let image = try Legend(layers: [LegendLayer(title: "", entries: entries)]).makeImage().bitmap
      let height = Double(image.height - 24) / Double(labels.count)
      return labels.indices.map { index in
        let lines = Int(12 + Double(index) * height)..<Int(12 + Double(index + 1) * height)
        return (0..<image.width).first { x in lines.contains { image[x, $0].red < 128 } } ?? -1
      }
    }
    let ranges = try starts(["5–9", "10–99", "100–250", "No data"])
    #expect(ranges[0] > ranges[1] && ranges[1] > ranges[2], "\(ranges)")
    #expect(abs(ranges[2] - ranges[3]) <= 2, "\(ranges)")
    let words = try starts(["5 Main Street", "10 Main Road"])
    #expect(abs(words[0] - words[1]) <= 2, "\(words)")
  }

  @Test("Sizes after classes are a column of their own")
  func sizesAfterClasses() throws {
    var legend = Self.legend([30, 12]) { ["1,000,000", "200,000"][$0] }
    let marker = SimpleMarkerSymbol(color: .red)
    let classes = ["1–9", "10–20"].enumerated().map {
      LegendEntry(.symbol(.marker(marker), .point), label: $1, classIndex: $0)
    }
    let plain = try Legend(layers: [LegendLayer(title: "Sizes", entries: classes)]).makeImage().bitmap
    legend.layers[0].entries = classes + legend.layers[0].entries
    let image = try legend.makeImage().bitmap
    // The first label starts where it does without sizes: after a swatch of 12 pixels.
    func start(_ image: Bitmap) -> Int? {
      (26..<image.width).first { x in (30..<42).contains { image[x, $0].red < 128 && image[x, $0].blue < 128 }
      }
    }
    #expect(start(image) != nil && start(image) == start(plain))
  }

  private static let marker = #"{"type":"esriSMS","style":"esriSMSCircle","color":[200,0,0,255],"size":8}"#

  /// Returns a document of points with a value each.
  private static func document(
    _ renderer: String, _ points: [(x: Double, y: Double, v: String)]
  ) async throws -> MapDocument {
    let features = points.map {
      #"{"attributes":{"v":\#($0.v)},"geometry":{"x":\#($0.x),"y":\#($0.y)}}"#
    }.joined(separator: ",")
    let json = """
      {"operationalLayers":[{"id":"a","title":"Places","featureCollection":{"layers":[{"layerDefinition":{
      "geometryType":"esriGeometryPoint","fields":[{"name":"v","type":"esriFieldTypeString"}],
      "drawingInfo":{"renderer":\(renderer)}},
      "featureSet":{"spatialReference":{"wkid":4326},"features":[\(features)]}}]}}]}
      """
    return try await MapDocument.open(json: JSONValue(parsing: json), name: "map", folder: ".")
  }

  @Test("Groups of values have headings, and values that skip the legend are not listed")
  func headings() async throws {
    let renderer = #"""
      {"type":"uniqueValue","field1":"v","uniqueValueGroups":[
      {"heading":"Towns","classes":[{"label":"A","values":[["a"]],"symbol":\#(Self.marker)}]},
      {"heading":"Villages","classes":[{"label":"A","values":[["b"]],"symbol":\#(Self.marker)},
      {"label":"C","values":[["c"]],"skipLegend":true,"symbol":\#(Self.marker)}]}]}
      """#
    let document = try await Self.document(renderer, [(0, 0, #""a""#), (1, 1, #""c""#)])
    let entries = try await document.view(ViewRequest()).freeze().legend().layers[0].entries
    // The classes of two groups are not joined, although they have one symbol and label.
    #expect(entries.map(\.label) == ["Towns", "A", "Villages", "A"])
    #expect(entries.map(\.classIndex) == [nil, 0, nil, 1])
    #expect(document.warnings.isEmpty, "\(document.warnings)")
  }

  @Test("Every row has a name: null, an empty text and other values, too")
  func names() async throws {
    let renderer = #"""
      {"type":"uniqueValue","field1":"v","defaultSymbol":\#(Self.marker),"defaultLabel":"","uniqueValueInfos":[
      {"value":"<Null>","label":"<Null>","symbol":{"type":"esriSMS","style":"esriSMSCircle","color":[9,9,9,255],"size":8}},
      {"value":"","label":" ","symbol":{"type":"esriSMS","style":"esriSMSCircle","color":[0,9,9,255],"size":8}}]}
      """#
    let document = try await Self.document(renderer, [(0, 0, "null"), (1, 1, #""z""#)])
    let layer = try await document.view(ViewRequest()).freeze().legend().layers[0]
    #expect(layer.entries.map(\.label) == ["No data", "(empty)", "Other"])
    let plain = try await Self.document(
      #"{"type":"simple","label":"","symbol":\#(Self.marker)}"#, [(0, 0, "null")])
    let one = try await plain.view(ViewRequest()).freeze().legend().layers[0]
    #expect(one.entries.map(\.label) == ["Places"] && !one.showsTitle)
  }

  @Test("Classes without labels are ranges that do not overlap, in the order that the document asks for")
  func order() throws {
    func labels(_ order: LegendOptions.Order?, _ bounds: [Double]) -> [String] {
      let marker = SimpleMarkerSymbol(color: .red)
      var renderer = ClassBreaksRenderer(
        fieldName: "v",
        classBreaks: zip(bounds, bounds.dropFirst()).enumerated().map { index, ends in
          var symbol = marker
          symbol.size = Double(index + 2)
          return ClassBreaksRenderer.ClassBreak(
            minimum: ends.0, maximum: ends.1, label: "", symbol: symbol.form)
        }, includesLowestMinimum: true)
      renderer.legendOptions.order = order
      return LegendLayer.of(.classBreaks(renderer), title: "", kind: .point, fields: [], scale: 1)
        .layer.entries.map(\.label)
    }
    #expect(labels(nil, [0, 5, 12.5, 1200]) == ["0.0 to 5.0", "over 5.0 to 12.5", "over 12.5 to 1,200.0"])
    #expect(labels(.descending, [0, 5, 12]) == ["over 5 to 12", "0 to 5"])
    #expect(labels(.ascending, [0, 5, 12]) == ["0 to 5", "over 5 to 12"])
    #expect(labels(nil, [1990, 2000, 2010]) == ["1990 to 2000", "over 2000 to 2010"])
    // A bound of many decimals is changed by less than a thousandth of its class.
    #expect(labels(nil, [0, 12.483726153, 20]) == ["0.00 to 12.48", "over 12.48 to 20.00"])
  }

  @Test("A legend in a corner covers the fewest features, and another corner that would is named")
  func corner() async throws {
    let renderer = #"{"type":"simple","label":"Place","symbol":\#(Self.marker)}"#
    // All corners but the upper left have points.
    let points = [(9.6, 0.4), (9.5, 0.4), (9.6, 9.6), (0.4, 0.4)].map { (x: $0.0, y: $0.1, v: "null") }
    let document = try await Self.document(renderer, points)
    var request = ViewRequest()
    request.size = ViewSize(width: 400, height: 400)
    request.place = .bounds(Envelope(xMin: 0, yMin: 0, xMax: 10, yMax: 10, spatialReference: .wgs84))
    var layout = PageLayout()
    layout.legend = .corner
    let page = try await document.page(request, layout).page
    #expect(page.layout.legend == .topLeft && page.warnings.isEmpty, "\(page.warnings)")
    let box = try #require(page.legendBox)
    #expect(box.xMax < 200 && box.yMax < 200)
    layout.legend = .bottomRight
    let asked = try await document.page(request, layout).page
    #expect(asked.layout.legend == .bottomRight)
    #expect(asked.warnings == ["the legend covers 2 features; --legend top-left would cover none"])
    layout.legend = .topLeft
    #expect(try await document.page(request, layout).page.warnings.isEmpty)
  }

  @Test("A legend covers a feature whose symbol alone reaches below it")
  func reachingSymbols() async throws {
    let renderer = """
      {"type":"simple","label":"Place","symbol":{"type":"esriSMS","style":"esriSMSCircle","color":[200,0,0,255],"size":45}}
      """
    var request = ViewRequest()
    request.size = ViewSize(width: 400, height: 400)
    request.place = .bounds(Envelope(xMin: 0, yMin: 0, xMax: 10, yMax: 10, spatialReference: .wgs84))
    var layout = PageLayout()
    layout.legend = .bottomRight
    let free = try await Self.document(renderer, [(x: 5, y: 5, v: "null")]).page(request, layout).page
    let box = try #require(free.legendBox)
    #expect(!free.warnings.contains { $0.hasPrefix("the legend") }, "\(free.warnings)")
    // The circle of 60 pixels has its centre 20 pixels beside the legend.
    func warnings(beside distance: Double) async throws -> [String] {
      let point = (x: (box.xMin - distance) / 40, y: 10 - box.center.y / 40, v: "null")
      let page = try await Self.document(renderer, [point]).page(request, layout).page
      return page.warnings.filter { $0.hasPrefix("the legend") }
    }
    #expect(
      try await warnings(beside: 20) == ["the legend covers 1 feature; --legend top-right would cover none"])
    #expect(try await warnings(beside: 40).isEmpty)
  }

  @Test("A sample of dots is as dense as the area with a typical dot of the map")
  func dots() async throws {
    let json = """
      {"operationalLayers":[{"id":"a","title":"Fields","featureCollection":{"layers":[{"layerDefinition":{
      "geometryType":"esriGeometryPolygon","fields":[{"name":"n","type":"esriFieldTypeInteger"}],
      "drawingInfo":{"renderer":{"type":"dotDensity","dotValue":10,"dotSize":1.5,
      "attributes":[{"field":"n","label":"Corn","color":[200,0,0,255]}]}}},
      "featureSet":{"spatialReference":{"wkid":3857},"features":[
      {"attributes":{"n":4000},"geometry":{"rings":[[[0,0],[0,100],[100,100],[100,0],[0,0]]]}},
      {"attributes":{"n":300},"geometry":{"rings":[[[-90,0],[-90,100],[0,100],[0,0],[-90,0]]]}}]}}]}}]}
      """
    let document = try await MapDocument.open(json: JSONValue(parsing: json), name: "map", folder: ".")
    var request = ViewRequest()
    request.size = ViewSize(width: 200, height: 200)
    request.place = .center(
      Point(x: 50, y: 50, spatialReference: .webMercator), scale: ResolvedViewpoint.scalePerResolution)
    let legend = try await document.view(request).freeze().legend()
    let entry = try #require(legend.layers.first?.entries.first)
    guard case .dots(let sample) = entry.graphic else {
      Issue.record("\(entry)")
      return
    }
    // 400 dots on 100 by 100 pixels; 30 others lie in an area that is less dense.
    #expect(abs(sample.density - 0.04) < 1e-9 && entry.label == "Corn")
    #expect(sample.points(width: 40, height: 25).count == 40)
    let image = try legend.makeImage()
    #expect(image.warnings.isEmpty)
    // The dots are painted, in a rectangle of 40 by 24 pixels.
    let rows = (0..<image.bitmap.height).map { y in
      (0..<image.bitmap.width).count { x in
        let pixel = image.bitmap[x, y]
        return Int(pixel.red) > Int(pixel.blue) + 60
      }
    }
    #expect((20...200).contains(rows.reduce(0, +)), "\(rows)")
    let text = try await legend.json().text()
    #expect(text.contains("\"dotsPerPixel\":0.0") && text.contains("\"png\":\""))
  }
}
