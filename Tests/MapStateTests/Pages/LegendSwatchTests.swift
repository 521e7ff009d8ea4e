import MapImages
import MapJSON
import MapLayout
import MapModel
import MapScript
import MapState
import MapTestSupport
import Testing

/// Legends show what images paint.
@Suite struct LegendSwatchTests {
  private static func color(_ generator: inout SeededGenerator) -> String {
    let channels = (0..<3).map { _ in Int.random(in: 0...255, using: &generator) }
    let alpha = Bool.random(using: &generator) ? 255 : Int.random(in: 40...254, using: &generator)
    return "[\((channels + [alpha]).map { "\($0)" }.joined(separator: ","))]"
  }

  private static func symbol(_ kind: Int, _ generator: inout SeededGenerator) -> String {
    let color = color(&generator)
    let outline = #"{"type":"esriSLS","style":"esriSLSSolid","color":[0,0,0,255],"width":1}"#
    switch kind {
    case 0:
      let style = ["Circle", "Square", "Diamond"].randomElement(using: &generator) ?? ""
      return
        #"{"type":"esriSMS","style":"esriSMS\#(style)","color":\#(color),"size":\#(Int.random(in: 8...30, using: &generator)),"outline":\#(outline)}"#
    case 1:
      return
        #"{"type":"esriSLS","style":"esriSLSSolid","color":\#(color),"width":\#(Int.random(in: 4...14, using: &generator))}"#
    default: return #"{"type":"esriSFS","style":"esriSFSSolid","color":\#(color),"outline":\#(outline)}"#
    }
  }

  /// Returns a map with one feature per class in a row, one more for the default symbol, and the number of classes.
  private static func map(_ generator: inout SeededGenerator) -> (json: String, features: Int) {
    let kind = Int.random(in: 0...2, using: &generator)
    let classes = Int.random(in: 1...6, using: &generator)
    let isUnique = Bool.random(using: &generator)
    let infos = (0..<classes).map { index in
      let symbol = symbol(kind, &generator)
      return isUnique
        ? #"{"value":"\#(index)","label":"Class \#(index)","symbol":\#(symbol)}"#
        : #"{"classMaxValue":\#(index),"label":"","symbol":\#(symbol)}"#
    }.joined(separator: ",")
    let fallback = #""defaultSymbol":\#(symbol(kind, &generator)),"defaultLabel":"Rest""#
    let renderer =
      isUnique
      ? #"{"type":"uniqueValue","field1":"v",\#(fallback),"uniqueValueInfos":[\#(infos)]}"#
      : #"{"type":"classBreaks","field":"v","minValue":0,\#(fallback),"classBreakInfos":[\#(infos)]}"#
    let features = (0...classes).map { index -> String in
      let x = Double(index) * 100
      let geometry =
        switch kind {
        case 0: #"{"x":\#(x),"y":0}"#
        case 1: #"{"paths":[[[\#(x - 30),0],[\#(x + 30),0]]]}"#
        default:
          #"{"rings":[[[\#(x - 20),-20],[\#(x - 20),20],[\#(x + 20),20],[\#(x + 20),-20],[\#(x - 20),-20]]]}"#
        }
      let value = index == classes ? 999 : index
      return #"{"attributes":{"v":\#(value)},"geometry":\#(geometry)}"#
    }.joined(separator: ",")
    let type = ["Point", "Polyline", "Polygon"][kind]
    let opacity: Double = [1.0, 1, 0.5].randomElement(using: &generator) ?? 1
    return (
      """
      {"operationalLayers":[{"id":"a","title":"A","opacity":\(opacity),"featureCollection":{"layers":[{"layerDefinition":{
      "geometryType":"esriGeometry\(type)","fields":[{"name":"v","type":"esriFieldTypeInteger"}],
      "drawingInfo":{"renderer":\(renderer)}},
      "featureSet":{"spatialReference":{"wkid":3857},"features":[\(features)]}}]}}]}
      """, classes + 1
    )
  }

  @Test("The swatches of 200 random renderers have the colours that features of their classes have")
  func colors() async throws {
    var generator = SeededGenerator(seed: 25)
    var compared = 0
    for number in 0..<200 {
      let (json, features) = Self.map(&generator)
      let document = try await MapDocument.open(json: JSONValue(parsing: json), name: "map", folder: ".")
      var request = ViewRequest()
      request.size = ViewSize(width: Double(features) * 100, height: 100)
      request.place = .center(
        Point(x: Double(features - 1) * 50, y: 0, spatialReference: .webMercator),
        scale: ResolvedViewpoint.scalePerResolution)
      let view = try await document.view(request).freeze()
      let image = try await view.render().bitmap
      let legend = try await view.legend(counts: true)
      let layer = try #require(legend.layers.first)
      try #require(layer.entries.count == features, "\(number)")
      for (index, entry) in layer.entries.enumerated() {
        #expect(entry.classIndex == (index == features - 1 ? -1 : index))
        #expect(entry.count == 1, "\(number)")
        var alone = entry
        (alone.label, alone.count) = ("", nil)
        let swatch = try Legend(layers: [
          LegendLayer(title: "", entries: [alone], opacity: layer.opacity)
        ]).makeImage().bitmap
        let (drawn, painted) = (
          swatch[swatch.width / 2, swatch.height / 2], image[index * 100 + 50, 50]
        )
        #expect(drawn == painted, "renderer \(number), entry \(index)")
        compared += 1
      }
    }
    #expect(compared > 700)
  }

  @Test(
    "A legend of the view has only classes with a drawn feature, and its counts add up to the drawn features")
  func inView() async throws {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<20 {
      let (json, features) = Self.map(&generator)
      let document = try await MapDocument.open(json: JSONValue(parsing: json), name: "map", folder: ".")
      var request = ViewRequest()
      request.size = ViewSize(width: 100, height: 100)
      request.place = .center(
        Point(x: 0, y: 0, spatialReference: .webMercator), scale: ResolvedViewpoint.scalePerResolution)
      let view = try await document.view(request).freeze()
      let shown = try await view.legend(viewOnly: true, counts: true)
      var options = CountOptions()
      options.funnel = true
      let drawn = try await view.counts(options).layers[0].funnel?.drawn
      #expect(shown.layers.flatMap(\.entries).compactMap(\.count).reduce(0, +) == drawn)
      #expect(shown.layers.flatMap(\.entries).count < features)
    }
  }

  @Test("A legend of 65,000 classes is cut, with a warning that has the count")
  func manyClasses() async throws {
    let renderer = UniqueValueRenderer(
      fieldNames: ["v"],
      uniqueValues: (0..<65_000).map {
        UniqueValueRenderer.UniqueValue(
          values: ["\($0)"], label: "Class \($0)", symbol: SimpleFillSymbol(color: .red).form)
      })
    let (layer, warnings) = LegendLayer.of(
      .uniqueValue(renderer), title: "Many", kind: .polygon, fields: [], scale: 1)
    #expect(layer.entries.count == LegendLayer.entryLimit + 1)
    #expect(warnings == ["the legend lists 400 of 65000 classes; the others are left out"])
    let image = try Legend(layers: [layer]).makeImage()
    #expect(image.bitmap.width <= 1_200 && image.bitmap.height <= 1_600)
  }
}
