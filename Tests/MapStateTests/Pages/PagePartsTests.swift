import MapDrawing
import MapImages
import MapJSON
import MapLayout
import MapModel
import MapScript
import MapState
import Testing

/// Emphasis, descriptions, group titles and image formats of pages.
@Suite struct PagePartsTests {
  /// Two squares of 1,000 km side by side in a group; the left one is of class "Red".
  private static let json = """
    {"operationalLayers":[{"layerType":"GroupLayer","title":"Land","layers":[{"layerType":"GroupLayer","title":"Inner",
    "layers":[{"id":"a","title":"Squares","featureCollection":{"layers":[{"layerDefinition":{
    "geometryType":"esriGeometryPolygon","objectIdField":"id",
    "fields":[{"name":"id","type":"esriFieldTypeOID"},{"name":"v","type":"esriFieldTypeInteger"}],
    "drawingInfo":{"renderer":{"type":"uniqueValue","field1":"v","uniqueValueInfos":[
    {"value":"0","label":"Red","symbol":{"type":"esriSFS","style":"esriSFSSolid","color":[255,0,0,255]}},
    {"value":"1","label":"A|B","symbol":{"type":"esriSFS","style":"esriSFSSolid","color":[0,0,255,255]}}]}}},
    "featureSet":{"spatialReference":{"wkid":3857},"features":[
    {"attributes":{"id":7,"v":0},"geometry":{"rings":[[[-1000000,-500000],[-1000000,500000],[0,500000],[0,-500000],[-1000000,-500000]]]}},
    {"attributes":{"id":8,"v":1},"geometry":{"rings":[[[0,-500000],[0,500000],[1000000,500000],[1000000,-500000],[0,-500000]]]}}
    ]}}]}}]}]}]}
    """

  private static func view() async throws -> ViewState {
    let document = try await MapDocument.open(json: JSONValue(parsing: json), name: "map", folder: ".")
    var request = ViewRequest()
    request.size = ViewSize(width: 240, height: 120)
    request.place = .center(
      Point(x: 0, y: 0, spatialReference: .webMercator), scale: ResolvedViewpoint.scalePerResolution * 10_000)
    return try await document.view(request).freeze()
  }

  @Test("An emphasised area keeps its colour inside an outline, and a veil mutes everything else")
  func emphasis() async throws {
    var view = try await Self.view()
    let plain = try await view.render().bitmap
    view.emphasis = FeatureEmphasis(layer: 0, objectIDs: [7], mutesOthers: false)
    let outlined = try await view.render().bitmap
    view.emphasis = FeatureEmphasis(layer: 0, objectIDs: [7], mutesOthers: true)
    let muted = try await view.render().bitmap
    let (red, blue) = ((60, 60), (180, 60))
    #expect(plain[red.0, red.1] == outlined[red.0, red.1] && plain[red.0, red.1] == muted[red.0, red.1])
    #expect(plain[blue.0, blue.1] == outlined[blue.0, blue.1])
    let veiled = muted[blue.0, blue.1]
    #expect(veiled.blue == 255 && (170...200).contains(veiled.red), "\(veiled)")
    // The left side of the red square has a dark line now.
    #expect(plain[20, 60] != outlined[20, 60] && outlined[20, 60].red < 120)
    let list = try await view.displayList()
    #expect(list.overlays.map(\.name) == ["veil", "emphasis"])
  }

  @Test("A description has two sentences with place and counts, and a row for each class")
  func description() async throws {
    let description = try await Self.view().describe(title: "Two squares")
    #expect(description.summary.hasPrefix("\"Two squares\": map of 2 areas of \"Squares\". It covers "))
    #expect(description.extent == "5.4° S to 5.4° N, 10.8° W to 10.8° E")
    #expect(description.rows.map(\.label) == ["Red", "A|B"] && description.rows.map(\.count) == [1, 1])
    #expect("\(description)".contains("| Squares | A\\|B | 1 |"))
    var options = CountOptions()
    options.funnel = true
    let drawn = try await Self.view().counts(options).layers[0].funnel?.drawn
    #expect(description.rows.map(\.count).reduce(0, +) == drawn)
  }

  @Test("A legend has the titles of the groups around a layer, the outermost first")
  func groups() async throws {
    let legend = try await Self.view().legend()
    #expect(legend.layers.map(\.groups) == [["Land", "Inner"]])
    var without = legend
    without.layers[0].groups = []
    #expect(try legend.makeImage().bitmap.height > without.makeImage().bitmap.height)
  }

  @Test("A scale bar takes a free corner if the legend is in its usual one")
  func freeCorner() async throws {
    var layout = PageLayout()
    (layout.legend, layout.scaleBar) = (.bottomLeft, .metric)
    let page = try await Self.view().resized(width: 800, height: 600).page(layout)
    let boxes = page.arrangement.covered
    try #require(boxes.count == 2, "\(page.warnings)")
    #expect(boxes[0].xMin < 20 && boxes[1].xMin > boxes[0].xMax && boxes[1].yMax > 500)
  }

  @Test("A scale bar lies on a plate over features alone")
  func plates() async throws {
    var layout = PageLayout()
    layout.scaleBar = .metric
    let over = try await Self.view().page(layout)
    let beside = try await Self.view().resized(width: 800, height: 600).page(layout)
    #expect(over.layout.scaleBarHasPlate && !beside.layout.scaleBarHasPlate)
    let (plate, bar) = (
      try #require(over.arrangement.scaleBarBox), try #require(beside.arrangement.scaleBarBox)
    )
    #expect(plate.height > bar.height * 0.9)
    let pixel = try await over.render().bitmap[
      try #require(Int(exactly: plate.xMin.rounded(.up))) + 1,
      try #require(Int(exactly: plate.center.y.rounded()))]
    #expect(pixel.red > 200 && pixel.green > 200 && pixel.blue > 200, "\(pixel)")
  }

  @Test("A locator shows the outline of a part of the world, and is left out for half of the world or more")
  func locators() async throws {
    var layout = PageLayout()
    layout.locator = true
    let page = try await Self.view().resized(width: 480, height: 360).page(layout)
    let box = try #require(page.arrangement.locatorBox)
    #expect(page.warnings.isEmpty && box.xMax <= 480 && box.yMin >= 0)
    let image = try await page.render().bitmap
    var red = 0
    for x in 0..<image.width {
      for y in 0..<image.height where image[x, y].red > 180 && image[x, y].green < 90 && x > 300 && y < 150 {
        red += 1
      }
    }
    #expect(red > 10)
    var request = ViewRequest()
    request.size = ViewSize(width: 480, height: 360)
    request.place = .center(
      Point(x: 0, y: 0, spatialReference: .webMercator), scale: 295_000_000)
    let document = try await MapDocument.open(json: JSONValue(parsing: Self.json), name: "map", folder: ".")
    let world = try await document.view(request).freeze().page(layout)
    #expect(
      world.arrangement.locatorBox == nil
        && world.warnings.contains { $0.hasPrefix("the locator is left out") })
  }

  @Test("A legend has the requested number of columns, of about equal height")
  func columns() throws {
    let entries = (0..<12).map { (number: Int) in
      LegendEntry(
        .symbol(SimpleFillSymbol(color: .red).form, .polygon), label: "Class \(number)", classIndex: number)
    }
    let legend = Legend(layers: [LegendLayer(title: "", entries: entries)])
    let images = try [1, 2, 3, 4].map { try legend.makeImage(columns: $0).bitmap }
    #expect(try images[0] == legend.makeImage().bitmap)
    #expect(zip(images, images.dropFirst()).allSatisfy { $0.height > $1.height && $0.width < $1.width })
    #expect(images[2].height < images[0].height / 2)
  }

  @Test("A chart counts numbers in intervals of equal width, and has the classes on its axis")
  func charts() throws {
    let classes = [(0.0, 4.0), (4, 8), (8, 20)].map { low, high in
      ClassBreaksRenderer.ClassBreak(
        minimum: low, maximum: high, label: "", symbol: SimpleFillSymbol(color: .red).form)
    }
    let renderer = ClassBreaksRenderer(fieldName: "n", classBreaks: classes)
    let whole = try #require(ClassChart(of: [1, 2, 2, 3, 9, 10], renderer))
    #expect(whole.counts == [1, 2, 1, 0, 0, 0, 0, 0, 1, 1] && whole.axis == 0.5...10.5)
    #expect(
      whole.segments.map(\.minimum) == [0.5, 4.5, 8.5] && whole.segments.map(\.maximum) == [4.5, 8.5, 10.5])
    let real = try #require(ClassChart(of: [0.25, 4, 12.25], renderer))
    #expect(real.counts.count == 24 && real.counts.reduce(0, +) == 3 && real.axis == 0.25...12.25)
    #expect(real.segments.map(\.maximum) == [4, 8, 12.25])
    #expect(ClassChart(of: [], renderer) == nil && ClassChart(of: [0.5, 0.5], renderer) == nil)
  }

  @Test("JPEG and WebP have the size and resolution of the image, and the same bytes in every run")
  func formats() async throws {
    var bitmap = try await Self.view().render().bitmap
    bitmap[0, 0] = PixelColor(red: 0, green: 0, blue: 0, alpha: 0)
    let jpeg = try bitmap.jpegData(dotsPerInch: 192)
    #expect(jpeg.starts(with: [0xFF, 0xD8, 0xFF]) && jpeg[13..<18].elementsEqual([1, 0, 192, 0, 192]))
    #expect(try bitmap.jpegData(dotsPerInch: 192) == jpeg)
    #expect(try bitmap.jpegData(quality: 40).count < bitmap.jpegData(quality: 95).count)
    let webP = try bitmap.webPData()
    #expect(webP.starts(with: Array("RIFF".utf8)) && webP[8..<16].elementsEqual("WEBPVP8L".utf8))
    // 14 bits of width - 1, then 14 bits of height - 1 (RFC 9649, section 3.4).
    let bits = Int(webP[21]) | Int(webP[22]) << 8 | Int(webP[23]) << 16 | Int(webP[24]) << 24
    #expect(bits & 0x3FFF == 239 && bits >> 14 & 0x3FFF == 119)
    #expect(try bitmap.webPData() == webP)
    let wide = try Bitmap(width: 16_384, height: 1)
    #expect(throws: MapStateError.self) { try wide.webPData() }
  }

  @Test("A legend shows rotations in four directions and outline widths by value")
  func rotationAndOutline() throws {
    var renderer = SimpleRenderer(form: SimpleMarkerSymbol(style: .triangle, color: .red, size: 12).form)
    renderer.visualVariables.rotation = RotationVariable(input: .field("HEADING", normalizedBy: nil))
    let rotated = LegendLayer.of(
      .simple(renderer), title: "Ships", kind: .point, fields: [], scale: 1_000_000)
    #expect(rotated.layer.entries.map(\.label) == ["", "Heading", "0°", "90°", "180°", "270°"])
    #expect(Set(rotated.layer.entries.suffix(4).map(\.graphic)).count == 4)
    // On a map that is rotated by 90 degrees counterclockwise, east is where north was.
    let turned = LegendLayer.of(
      .simple(renderer), title: "Ships", kind: .point, fields: [], scale: 1_000_000, rotation: 90)
    #expect(turned.layer.entries.map(\.label) == rotated.layer.entries.map(\.label))
    #expect(turned.layer.entries[3].graphic == rotated.layer.entries[2].graphic)
    #expect(turned.layer.entries[4].graphic == rotated.layer.entries[3].graphic)
  }

  private static func classes(_ bounds: [(Double, Double)], _ styles: [SimpleFillSymbol]) -> RendererForm {
    var renderer = ClassBreaksRenderer(
      fieldName: "rate",
      classBreaks: zip(bounds, styles).map {
        ClassBreaksRenderer.ClassBreak(minimum: $0.0, maximum: $0.1, label: "", symbol: $1.form)
      })
    renderer.defaultSymbol = SimpleFillSymbol(color: .gray).form
    return .classBreaks(renderer)
  }

  @Test("Adjacent classes that differ in colour only are one bar, with numbers at the breaks")
  func bar() throws {
    let fills = [Color.red, .green, .blue].map { SimpleFillSymbol(color: $0) }
    func entries(
      _ renderer: RendererForm, counts: [Int: Int]? = nil, all: Bool = true
    ) -> [LegendEntry] {
      LegendLayer.of(
        renderer, title: "Rates", kind: .polygon, fields: [], scale: 1, counts: counts, showsAll: all,
        hasCounts: counts != nil && all, hasBars: true
      ).layer.entries
    }
    let adjacent = [(0.0, 5.0), (5, 7.5), (7.5, 30)]
    let bar = entries(Self.classes(adjacent, fills))
    // The bar, and the symbol of other values.
    #expect(bar.map(\.classIndex) == [nil, -1])
    guard case .ramp(let stops) = bar[0].graphic else {
      Issue.record("\(bar[0].graphic)")
      return
    }
    #expect(stops.map(\.color) == [.red, .red, .green, .green, .blue, .blue])
    #expect(stops.map(\.label) == ["0.0", "5.0", "", "7.5", "", "30.0"])
    #expect(stops.map { ($0.place * 3).rounded() } == [0, 1, 1, 2, 2, 3])
    // Other classes are a list: with a gap, with another outline, with counts, or not all in view.
    let gap = [(0.0, 5.0), (6, 7.5), (7.5, 30)]
    #expect(entries(Self.classes(gap, fills)).count == 4)
    var outlined = fills
    outlined[1].outline = SimpleLineSymbol(color: .black, width: 3)
    #expect(entries(Self.classes(adjacent, outlined)).count == 4)
    var hatched = fills
    for index in hatched.indices { hatched[index].style = .cross }
    #expect(entries(Self.classes(adjacent, hatched)).count == 4)
    #expect(entries(Self.classes(adjacent, fills), counts: [0: 2]).count == 4)
    #expect(entries(Self.classes(adjacent, fills), counts: [0: 2], all: false).count == 1)
  }

  @Test("A bar of large numbers has the bounds of its labels in millions")
  func barOfLargeNumbers() throws {
    func labels(_ least: Double?, _ bounds: [Double]) -> [String] {
      let renderer = ClassBreaksRenderer.classified(
        fieldName: "people", least: least, upperBounds: bounds,
        symbol: SimpleFillSymbol(color: .red, outline: nil))
      let entries = LegendLayer.of(
        .classBreaks(renderer), title: "", kind: .polygon, fields: [], scale: 1, hasOthers: false,
        hasBars: true
      ).layer.entries
      guard case .ramp(let stops) = entries.first?.graphic else { return [] }
      return stops.map(\.label)
    }
    #expect(labels(nil, [2_500_000, 7e6]) == ["", "2.5 million", "", "7.0 million"])
    #expect(labels(1e6, [2_500_000, 7e6]) == ["1.0 million", "2.5 million", "", "7.0 million"])
  }

  @Test("A bar is painted in the colours of its classes from the bottom to the top, under the legend's title")
  func paintedBar() throws {
    let fills = [Color.red, .green, .blue].map { SimpleFillSymbol(color: $0) }
    let layer = LegendLayer.of(
      Self.classes([(0, 1), (1, 2), (2, 3)], fills), title: "Rates", kind: .polygon, fields: [], scale: 1,
      hasBars: true
    ).layer
    var legend = Legend(layers: [layer])
    let plain = try legend.makeImage().bitmap
    legend.title = "A title that is wider than the name of the layer"
    let image = try legend.makeImage().bitmap
    #expect(image.width > plain.width)
    // The colours of a column through the bar, each once.
    var colors: [Color] = []
    for row in 0..<image.height {
      let pixel = image[14, row]
      let color = Color(red: pixel.red, green: pixel.green, blue: pixel.blue, alpha: pixel.alpha)
      if [.red, .green, .blue].contains(color), colors.last != color { colors.append(color) }
    }
    #expect(colors == [.blue, .green, .red])
  }

  @Test("A symbol whose angle is that of the map is rotated in the legend as on the map")
  func mapAlignment() throws {
    var marker = SimpleMarkerSymbol(style: .triangle, color: .red, size: 12)
    marker.angle = 30
    func angle(_ alignment: SymbolAngleAlignment) -> Double? {
      marker.angleAlignment = alignment
      let layer = LegendLayer.of(
        .simple(SimpleRenderer(form: marker.form)), title: "", kind: .point, fields: [], scale: 1,
        rotation: 90
      ).layer
      guard case .symbol(.marker(let drawn), _)? = layer.entries.first?.graphic else { return nil }
      return drawn.angleAlignment == .screen ? drawn.angle : nil
    }
    #expect(angle(.map) == -60)
    #expect(angle(.screen) == 30)
  }

  @Test("Sizes across a wide range have round numbers in the legend")
  func roundSizes() throws {
    var renderer = SimpleRenderer(form: SimpleMarkerSymbol(style: .circle, color: .red, size: 8).form)
    func labels(_ minimum: Double, _ maximum: Double) -> [String] {
      renderer.visualVariables.size = SizeVariable(
        input: .field("POP"),
        rule: .bounded(minimum: minimum, maximum: maximum, smallest: .fixed(4), largest: .fixed(32)))
      return LegendLayer.of(
        .simple(renderer), title: "Cities", kind: .point, fields: [], scale: 1
      ).layer.entries.map(\.label)
    }
    #expect(labels(2, 24_874_500) == ["20 million", "10 million", "5 million", "1 million"])
    #expect(labels(95, 105) == ["105", "100", "95"])
  }
}
