import MapGeometry
import MapImages
import MapJSON
import MapLayout
import MapModel
import MapScript
import MapState
import Testing

/// Pages: titles, legends, scale bars and other parts around and on a map.
@Suite struct PageTests {
  private static let json = """
    {"background":{"color":[10,20,200,255]},"operationalLayers":[{"id":"a","title":"Places","attribution":"Survey of Places",
    "featureCollection":{"layers":[{"layerDefinition":{"geometryType":"esriGeometryPoint",
    "fields":[{"name":"v","type":"esriFieldTypeInteger"}],"copyrightText":"Survey of Places",
    "drawingInfo":{"renderer":{"type":"uniqueValue","field1":"v","uniqueValueInfos":[
    {"value":"0","label":"Zero","symbol":{"type":"esriSMS","style":"esriSMSCircle","color":[255,0,0,255],"size":8}},
    {"value":"1","label":"One","symbol":{"type":"esriSMS","style":"esriSMSSquare","color":[0,255,0,255],"size":8}}]}}},
    "featureSet":{"spatialReference":{"wkid":4326},"features":[{"attributes":{"v":0},"geometry":{"x":8,"y":47}},
    {"attributes":{"v":1},"geometry":{"x":9,"y":48}}]}}]}}]}
    """

  private static func page(
    _ layout: PageLayout, _ width: Double = 400, _ height: Double = 300, ratio: Double = 1
  ) async throws -> MapPage {
    let document = try await MapDocument.open(json: JSONValue(parsing: json), name: "map", folder: ".")
    var request = ViewRequest()
    (request.size, request.pixelRatio) = (ViewSize(width: width, height: height), ratio)
    return try await document.page(request, layout).page
  }

  @Test("A page has the requested size, and its map is drawn unchanged in the rectangle of the map")
  func mapIsUnchanged() async throws {
    var layout = PageLayout()
    (layout.title, layout.legend) = ("Two places", .right)
    let page = try await Self.page(layout, ratio: 2)
    let image = try await page.render().bitmap
    #expect(image.width == 800 && image.height == 600)
    let map = try await page.map.render().bitmap
    let (left, top) = (Int(page.mapBox.xMin) * 2, Int(page.mapBox.yMin) * 2)
    #expect(left > 0 && top > left)
    var differing = 0
    for y in 0..<map.height {
      for x in 0..<map.width where map[x, y] != image[x + left, y + top] { differing += 1 }
    }
    #expect(differing == 0)
    #expect(page.warnings.isEmpty, "\(page.warnings)")
  }

  @Test("Layers of a legend below the map stand side by side where they have room, and else below each other")
  func layersBesideEachOther() async throws {
    func mapHeight(layers: Int, width: Double, group: Bool = false) async throws -> Double {
      let layer = try #require(try JSONValue(parsing: Self.json)["operationalLayers"]?.array?.first)
      let text = layer.text(style: .compact)
      let list = (0..<layers).map { number in
        let own = text.replacing(#""id":"a""#, with: #""id":"\#(number)""#)
        return group && number == 1
          ? #"{"id":"g","title":"Group","layerType":"GroupLayer","layers":[\#(own)]}"# : own
      }
      let json = #"{"operationalLayers":[\#(list.joined(separator: ","))]}"#
      let document = try await MapDocument.open(json: JSONValue(parsing: json), name: "map", folder: ".")
      var request = ViewRequest()
      request.size = ViewSize(width: width, height: 400)
      var layout = PageLayout()
      layout.legend = .bottom
      return try await document.page(request, layout).page.mapBox.height
    }
    let one = try await mapHeight(layers: 1, width: 500)
    #expect(try await mapHeight(layers: 2, width: 500) == one)
    #expect(try await mapHeight(layers: 2, width: 200) < mapHeight(layers: 1, width: 200) - 30)
    #expect(try await mapHeight(layers: 2, width: 500, group: true) < one - 30)
  }

  @Test("The plate of a legend on the map has a line around it")
  func plate() async throws {
    var layout = PageLayout()
    layout.legend = .bottomLeft
    let page = try await Self.page(layout)
    let (image, box) = (try await page.render().bitmap, try #require(page.legendBox))
    let (x, y) = (Int((box.xMin + page.mapBox.xMin).rounded()), Int((box.yMin + page.mapBox.yMin).rounded()))
    let (outside, edge, inside) = (image[x - 3, y + 8], image[x, y + 8], image[x + 2, y + 8])
    // The ground of this map is dark.
    #expect(edge.red == 120 && edge.green == 120, "\(edge) \(inside)")
    #expect(inside.red < 60 && inside != outside, "\(inside) \(outside)")
  }

  @Test("Parts on the map overlap neither each other nor the edge of the map, in all sizes")
  func partsAreApart() async throws {
    var checked = 0
    for (width, height) in [(200.0, 150.0), (300, 500), (800, 600), (1600, 900)] {
      for position in PageLayout.LegendPosition.allCases {
        var layout = PageLayout()
        (layout.title, layout.subtitle, layout.legend) = ("A title", "And a subtitle", position)
        (layout.scaleBar, layout.northArrow, layout.frame) = (.both, true, true)
        let page = try await Self.page(layout, width, height)
        let boxes = page.arrangement.covered
        for (index, box) in boxes.enumerated() {
          #expect(
            box.xMin >= -0.01 && box.yMin >= -0.01 && box.xMax <= page.mapBox.width + 0.01
              && box.yMax <= page.mapBox.height + 0.01)
          for other in boxes[(index + 1)...] {
            #expect(
              box.xMin >= other.xMax || box.xMax <= other.xMin || box.yMin >= other.yMax
                || box.yMax <= other.yMin, "\(width) \(position)")
          }
        }
        #expect(page.mapBox.width >= 0.39 * width && page.mapBox.height >= 0.39 * height)
        checked += 1
      }
    }
    #expect(checked == 36)
  }

  @Test("A title of 10,000 characters is cut, and a part without room is left out, with a warning for each")
  func longTitle() async throws {
    var layout = PageLayout()
    layout.title = String(repeating: "abcdefghi ", count: 1_000)
    let page = try await Self.page(layout)
    #expect(
      page.warnings.contains { $0.hasPrefix("the title is cut after") && $0.hasSuffix("of 10000 characters") }
    )
    layout.title = String(repeating: "a", count: 10_000)
    #expect(try await Self.page(layout).warnings.count == 1)
    (layout.title, layout.legend, layout.scaleBar) = ("T", .right, .metric)
    let tiny = try await Self.page(layout, 40, 24)
    #expect(tiny.warnings.contains { $0.hasPrefix("the title is left out") }, "\(tiny.warnings)")
    #expect(tiny.warnings.contains { $0.hasPrefix("the legend is left out") }, "\(tiny.warnings)")
    #expect(tiny.warnings.contains { $0.hasPrefix("the scale bar is left out") }, "\(tiny.warnings)")
  }

  @Test("A page without any part is the image of the map")
  func emptyPage() async throws {
    var layout = PageLayout()
    layout.attribution = false
    let page = try await Self.page(layout)
    #expect(try await page.render().bitmap == page.map.render().bitmap)
  }

  @Test("A margin is empty on all sides, and all parts are inside it")
  func margin() async throws {
    var layout = PageLayout()
    (layout.margin, layout.frame) = (37.8, true)
    let alone = try await Self.page(layout)
    #expect(alone.mapBox == Envelope(xMin: 38, yMin: 38, xMax: 362, yMax: 262))
    (layout.title, layout.legend, layout.scaleBar) = ("Two places", .right, .metric)
    let page = try await Self.page(layout)
    #expect(page.mapBox.xMin == 38 && page.mapBox.yMax <= 262 && page.mapBox.yMin > 38)
    #expect(page.warnings.isEmpty, "\(page.warnings)")
    for image in [try await alone.render().bitmap, try await page.render().bitmap] {
      #expect(image.width == 400 && image.height == 300)
      let paper = image[0, 0]
      var painted = 0
      for y in 0..<300 {
        for x in 0..<400 where !(36..<364).contains(x) || !(36..<264).contains(y) {
          painted += image[x, y] == paper ? 0 : 1
        }
      }
      #expect(painted == 0)
    }
    // Without a margin of its own, a page with a title has the usual one.
    layout.margin = 0
    let edge = try await Self.page(layout)
    #expect(edge.mapBox.xMin == 0 && edge.mapBox.yMin > 0 && edge.mapBox.yMin < page.mapBox.yMin - 30)
  }

  @Test("A margin that leaves no map is an error with the numbers")
  func marginWithoutMap() async throws {
    var layout = PageLayout()
    layout.margin = 150
    let error = try await #require(throws: MapStateError.self) { try await Self.page(layout) }
    #expect(
      "\(error)" == "a margin of 150 view pixels leaves no map on a page of 400 by 300; it is at most 149")
    layout.margin = 140
    #expect(try await Self.page(layout).mapBox.height == 20)
  }

  @Test("The required attribution is drawn, unless the layout refuses it")
  func attribution() async throws {
    let page = try await Self.page(PageLayout())
    #expect(page.map.attribution == "Survey of Places")
    #expect(try await page.render().bitmap != page.map.render().bitmap)
  }

  @Test("SVG and PDF of a page are the same bytes in every run")
  func vectorsAreStable() async throws {
    var layout = PageLayout()
    (layout.title, layout.legend, layout.scaleBar) = ("Two <places> & more", .bottomLeft, .both)
    layout.subtitle = "North & south"
    var options = SVGOptions()
    options.writesIDs = true
    let (first, second) = (try await Self.page(layout), try await Self.page(layout))
    let svg = try await first.svgData(options)
    #expect(try await second.svgData(options) == svg)
    #expect(try await second.pdfData() == first.pdfData())
    let text = String(decoding: svg, as: UTF8.self)
    #expect(text.contains("<title>Two &lt;places&gt; &amp; more</title>"))
    #expect(text.contains("<desc>North &amp; south</desc>"))
    #expect(text.contains("id=\"layer-0-class-1\""))
    #expect(text.split(separator: "data-id=").count == 3)
  }

  @Test(
    "A scale bar is true at the centre of the map in ten spatial references",
    arguments: [
      3857, 4326, 2056, 25832, 27700, 3035, 5070, 3413, 3031, 2154,
    ])
  func scaleBar(wkid: Int) async throws {
    let centers: [Int: (Double, Double)] = [
      3857: (47, 8), 4326: (60, 10), 2056: (46.8, 8.2), 25832: (51, 9), 27700: (53, -2), 3035: (50, 15),
      5070: (38, -96), 3413: (75, -40), 3031: (-80, 20), 2154: (46, 3),
    ]
    let center = try #require(centers[wkid])
    let map = Map(spatialReference: SpatialReference(wkid: wkid))
    let view = try MapView(
      map: map, width: 800, height: 600,
      viewpoint: Viewpoint(center: Point(latitude: center.0, longitude: center.1), scale: 3e6, rotation: 25))
    let state = view.freeze()
    for system in [ScaleBar.System.metric, .imperial] {
      let bar = try #require(ScaleBar(system, within: 180, on: state.ground))
      // The ends of a bar at the centre of the image, as points of the map.
      let ends = try [-bar.pixels / 2, bar.pixels / 2].map { x in
        try #require(view.location(fromScreenPoint: ScreenPoint(x: 400 + x, y: 300)))
      }
      let distance = try #require(
        GeometryEngine.geodeticDistance(
          from: ends[0], to: ends[1], distanceUnit: .meters, azimuthUnit: .degrees, curveType: .geodesic)
      ).distance.value
      #expect(abs(distance / bar.meters - 1) * bar.pixels < 0.5, "\(wkid) \(bar.label): \(distance)")
    }
  }
}
