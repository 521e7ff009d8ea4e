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
    view.emphasis = FeatureEmphasis(layer: 0, objectID: 7, mutesOthers: false)
    let outlined = try await view.render().bitmap
    view.emphasis = FeatureEmphasis(layer: 0, objectID: 7, mutesOthers: true)
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
    #expect(rotated.layer.entries.map(\.label) == ["", "HEADING", "0°", "90°", "180°", "270°"])
    #expect(Set(rotated.layer.entries.suffix(4).map(\.graphic)).count == 4)
    // On a map that is rotated by 90 degrees counterclockwise, east is where north was.
    let turned = LegendLayer.of(
      .simple(renderer), title: "Ships", kind: .point, fields: [], scale: 1_000_000, rotation: 90)
    #expect(turned.layer.entries.map(\.label) == rotated.layer.entries.map(\.label))
    #expect(turned.layer.entries[3].graphic == rotated.layer.entries[2].graphic)
    #expect(turned.layer.entries[4].graphic == rotated.layer.entries[3].graphic)
  }
}
