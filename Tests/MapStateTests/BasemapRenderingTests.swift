import MapBasemap
import MapCairo
import MapGeometry
import MapImages
import MapState
import Testing

@Suite struct BasemapRenderingTests {
  static func view(
    _ style: Basemap.Style?, latitude: Double = 20, longitude: Double = 10, scale: Double = 150_000_000,
    rotation: Double = 0, width: Double = 120, height: Double = 80, _ layers: [FeatureLayer] = []
  ) throws -> MapView {
    let map = Map()
    map.basemap = style.map { Basemap(style: $0) }
    for layer in layers { map.addOperationalLayer(layer) }
    return try MapView(
      map: map, width: width, height: height,
      viewpoint: Viewpoint(latitude: latitude, longitude: longitude, scale: scale, rotation: rotation))
  }

  /// The colours of an image with their numbers of pixels.
  static func colors(of bitmap: Bitmap) -> [[UInt8]: Int] {
    var counts: [[UInt8]: Int] = [:]
    for y in 0..<bitmap.height {
      for x in 0..<bitmap.width { counts[bitmap.channels(x, y), default: 0] += 1 }
    }
    return counts
  }

  @Test(
    "The basemap level follows the scale",
    arguments: [
      (1e10, BasemapLevel.world), (50_000_001, .world), (50_000_000, .continent), (10_000_001, .continent),
      (10_000_000, .country), (0.001, .country),
    ] as [(Double, BasemapLevel)])
  func level(_ scale: Double, _ level: BasemapLevel) { #expect(BasemapLevel(scale: scale) == level) }

  @Test(
    "Any two basemap styles differ in most of an image at every level", arguments: [1.5e8, 2e7, 4e6])
  func stylesDiffer(_ scale: Double) async throws {
    #expect(Basemap.Style.withDrawing.count == 6)
    var pictures: [Bitmap] = []
    for style in Basemap.Style.withDrawing {
      pictures.append(
        try await Self.view(style, latitude: 45.5, longitude: 13, scale: scale).freeze().render().bitmap)
    }
    for (index, first) in pictures.enumerated() {
      #expect(Self.colors(of: first).count > 10)
      for second in pictures.dropFirst(index + 1) {
        guard case .differs(let difference) = ImageComparison(expected: first, actual: second, tolerance: 4)
        else {
          Issue.record("two styles look the same")
          continue
        }
        #expect(difference.differing * 10 > 120 * 80 * 9)
      }
    }
  }

  @Test("Basemap styles without a drawing are drawn as light gray")
  func plain() async throws {
    let plain = try await Self.view(.arcGISLightGray).freeze().render().bitmap
    #expect(try await Self.view(.arcGISImagery).freeze().render().bitmap == plain)
    #expect(try await Self.view(.arcGISLightGrayBase).freeze().render().bitmap == plain)
    #expect(try await Self.view(.arcGISDarkGrayBase).freeze().render().bitmap != plain)
  }

  /// Chukotka and Antarctica cross 180 degrees; a seam would appear as water or shore within the land.
  @Test(
    "The basemap has no seam at the antimeridian",
    arguments: [
      (68.0, 180.0, 2.1e8, 0.0), (68, -179.97, 6e7, 30), (68, 180, 2e7, 17), (68, 179.99, 4.3e6, 0),
      (68, -180, 1e6, 45), (-87.3, 180, 1.5e8, 0), (-87.3, -179.9, 4e7, 10), (-87.3, 180, 9e6, 0),
    ])
  func seam(_ latitude: Double, _ longitude: Double, _ scale: Double, _ rotation: Double) async throws {
    let side = min(60, max(3, 1.2e8 / scale).rounded())
    let view = try Self.view(
      .arcGISOceans, latitude: latitude, longitude: longitude, scale: scale, rotation: rotation, width: side,
      height: side)
    #expect(Self.colors(of: try await view.freeze().render().bitmap).count == 1)
  }

  @Test("The basemap has the same bytes for any number of threads and on both sides of the antimeridian")
  func sameBytes() async throws {
    let view = try Self.view(
      .arcGISTopographic, latitude: 65, longitude: 180, scale: 3e7, width: 300, height: 500)
    let state = view.freeze()
    let first = try await state.render(threads: 1).bitmap
    for threads in [3, 7] { #expect(try await state.render(threads: threads).bitmap == first) }
    let other = try Self.view(
      .arcGISTopographic, latitude: 65, longitude: -180, scale: 3e7, width: 300, height: 500)
    #expect(try await other.freeze().render().bitmap == first)
  }

  @Test("A basemap changes the image and its attribution but no counts, funnels or ids")
  func countsUnaffected() async throws {
    let bare = try Self.view(nil, latitude: 0, longitude: 0.5, [MapViewTests.layer()]).freeze()
    let based = try Self.view(.arcGISStreets, latitude: 0, longitude: 0.5, [MapViewTests.layer()]).freeze()
    #expect(bare.basemap == nil)
    #expect(based.basemap?.style == .arcGISStreets)
    #expect(based.layers.count == 1)
    var options = CountOptions()
    options.funnel = true
    #expect(try await bare.counts(options).json == based.counts(options).json)
    let (without, with) = (try await bare.render(), try await based.render())
    #expect(without.report.layers.map(\.funnel) == with.report.layers.map(\.funnel))
    #expect(with.report.layers.map(\.name) == ["points"])
    #expect(without.bitmap != with.bitmap)
    #expect(without.report.attribution.isEmpty)
    #expect(with.report.attribution == "Made with Natural Earth")
    #expect(try await bare.displayList().layers == based.displayList().layers)
    let below = try await based.displayList().basemap
    #expect(!below.isEmpty)
    #expect(below.map(\.index) == Array(below.indices))
  }

  @Test("Water covers the background, and the background returns without the basemap")
  func background() async throws {
    let view = try Self.view(.arcGISDarkGray, latitude: -30, longitude: -120, scale: 1e7)
    view.map.backgroundColor = Color(red: 255, green: 0, blue: 255)
    let water = Self.colors(of: try await view.freeze().render().bitmap)
    #expect(water.count == 1)
    #expect(water[[255, 0, 255, 255]] == nil)
    view.map.backgroundColor = nil
    #expect(Self.colors(of: try await view.freeze().render().bitmap) == water)
    #expect(view.drawStatus == .completed)
    view.map.basemap = nil
    #expect(view.drawStatus == .inProgress)
    #expect(Self.colors(of: try await view.freeze().render().bitmap) == [[0, 0, 0, 0]: 9600])
  }

  @Test(
    "A bundled basemap warns at scales that it is not made for, and about missing streets",
    arguments: [
      (Basemap.Style.arcGISLightGray, 1_000_000.0, []), (.arcGISLightGray, 400_000, ["by up to 3 pixels"]),
      (.arcGISStreets, 2e7, []), (.arcGISStreets, 9e6, ["shows no streets"]),
      (.arcGISStreets, 50_000, ["1:50,000 its lines are off by up to 20 pixels", "shows no streets"]),
      (nil, 50_000, []),
    ] as [(Basemap.Style?, Double, [String])])
  func warnings(_ style: Basemap.Style?, _ scale: Double, _ parts: [String]) async throws {
    let warnings = try await Self.view(style, scale: scale).freeze().render().report.warnings
    #expect(warnings.count == parts.count)
    for (warning, part) in zip(warnings, parts) { #expect(warning.contains(part)) }
  }

  @Test(
    "No border is drawn in lakes, and none around leased areas",
    arguments: [
      // Lake Superior, Lake Victoria, Lake Ontario, and the plain around Baikonur.
      (47.9, -88.0, 1.5e6, 1), (-1.05, 32.5, 1.5e6, 1), (43.65, -78.3, 1e6, 1), (46.65, 63.05, 1e6, 2),
    ])
  func borders(_ latitude: Double, _ longitude: Double, _ scale: Double, _ most: Int) async throws {
    let view = try Self.view(
      .arcGISOceans, latitude: latitude, longitude: longitude, scale: scale, width: 60, height: 40)
    #expect(Self.colors(of: try await view.freeze().render().bitmap).count <= most)
  }

  @Test("Names lie above the layers and are neither counted nor numbered; a graticule lies below")
  func extras() async throws {
    let view = try Self.view(
      .arcGISTopographic, latitude: 48, longitude: 10, scale: 1e7, width: 400, height: 300,
      [MapViewTests.layer()])
    let plain = try await view.freeze().render()
    let basemap = try #require(view.map.basemap)
    basemap.showsGraticule = true
    #expect(view.drawStatus == .inProgress)
    let lines = try await view.freeze().render()
    #expect(lines.bitmap != plain.bitmap)
    basemap.showsNames = true
    let state = view.freeze()
    let named = try await state.render()
    let texts = named.report.labels.labels.map(\.text)
    #expect(texts.contains("Switzerland"))
    #expect(texts.contains("Bern"))
    #expect(texts.contains("Munich"))
    #expect(!texts.contains("Kenya"))
    #expect(named.report.layers.map(\.name) == plain.report.layers.map(\.name))
    #expect(named.report.layers.map(\.funnel) == plain.report.layers.map(\.funnel))
    #expect(state.basemap?.referenceLayers.map(\.name) == ["basemap: names of seas", "basemap: names"])
    #expect(try await CairoPainter.bitmap(of: state.displayList()) == named.bitmap)
    #expect(try await state.render(threads: 3).bitmap == named.bitmap)
    // Without a style both are drawn alone, over the background.
    let bare = Map()
    let alone = Basemap()
    alone.showsNames = true
    bare.basemap = alone
    let other = try MapView(
      map: bare, width: 400, height: 300, viewpoint: Viewpoint(latitude: 48, longitude: 10, scale: 1e7))
    let report = try await other.freeze().render().report
    #expect(report.labels.labels.map(\.text).contains("Switzerland"))
    #expect(report.attribution == "Made with Natural Earth")
  }

  @Test("Antarctica fills the bottom of a view beyond the world square")
  func bottom() async throws {
    let view = try Self.view(.arcGISTopographic, latitude: -89, longitude: 0, scale: 3e8)
    let picture = try await view.freeze().render().bitmap
    let ice = picture.channels(60, 79)
    #expect((0..<120).allSatisfy { picture.channels($0, 79) == ice && picture.channels($0, 50) == ice })
    #expect(try await Self.view(.arcGISTopographic).freeze().render().bitmap.channels(0, 79) != ice)
  }
}

extension Bitmap {
  /// Red, green, blue and alpha of a pixel.
  fileprivate func channels(_ x: Int, _ y: Int) -> [UInt8] {
    let pixel = self[x, y]
    return [pixel.red, pixel.green, pixel.blue, pixel.alpha]
  }
}
