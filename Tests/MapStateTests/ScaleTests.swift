import MapGeometry
import MapState
import Testing

@Suite struct ScaleTests {
  /// All ten points are visible from about 1:11000.
  private static func view(scale: Double, _ map: Map = Map()) throws -> (MapView, FeatureLayer) {
    let layer = MapViewTests.layer()
    map.addOperationalLayer(layer)
    return (
      try MapView(
        map: map, width: 32_000, height: 10,
        viewpoint: Viewpoint(center: Point(x: 45_000, y: 0, spatialReference: .webMercator), scale: scale)),
      layer
    )
  }

  @Test(
    "A display filter by scale limits the drawn features but not the count",
    arguments: [(20000.0, "n = 1", 1), (20001, "n < 4", 4), (19999, "n = 1", 1), (19999.999, "n = 1", 1)])
  func filterByScale(_ scale: Double, _ clause: String, _ drawn: Int) async throws {
    let (view, layer) = try Self.view(scale: scale)
    layer.displayFilterDefinition = ScaleDisplayFilterDefinition(filters: [
      ScaleRangeDisplayFilter(name: "A", whereClause: "n < 4", maxScale: 20000),
      ScaleRangeDisplayFilter(name: "B", whereClause: "n = 1", minScale: 20000),
    ])
    let state = view.freeze()
    #expect(state.viewpoint.scale == scale)
    #expect(state.conditions(for: state.layers[0]).displayFilter == clause)
    var options = CountOptions()
    options.funnel = true
    let answer = try await state.counts(options).layers[0]
    let funnel = try #require(answer.funnel)
    #expect(answer.count == 10)
    #expect(funnel.scale == 10)
    #expect(funnel.display == drawn)
    #expect(funnel.drawn == drawn)
  }

  @Test(
    "A map's scale limits apply to every change of the view and keep the centre"
  )
  func limits() throws {
    let map = Map()
    (map.minScale, map.maxScale) = (100_000, 5000)
    let (view, _) = try Self.view(scale: 1e6, map)
    #expect(view.viewpoint.scale == 100_000)
    #expect(view.freeze().viewpoint == view.viewpoint)
    let place = Point(x: 30_000, y: 40, spatialReference: .webMercator)
    try view.setViewpoint(Viewpoint(center: place, scale: 17, rotation: 30))
    #expect(view.viewpoint.scale == 5000)
    #expect(view.viewpoint.rotation == 30)
    #expect(view.viewpoint.center == place)
    #expect(view.viewpoint.resolution == 5000 / ResolvedViewpoint.scalePerResolution)
    try view.zoom(by: 0.5)
    #expect(view.viewpoint.scale == 10_000)
    try view.zoom(by: 0.001)
    #expect(view.viewpoint.scale == 100_000)
    #expect(view.viewpoint.center == place)
    // Zooming starts from the limit and not from the requested scale.
    try view.zoom(by: 2)
    #expect(view.viewpoint.scale == 50_000)
    let box = Envelope(xMin: 29_999, yMin: -1, xMax: 30_001, yMax: 1, spatialReference: .webMercator)
    try view.setViewpoint(Viewpoint(boundingGeometry: box))
    #expect(view.viewpoint.scale == 5000)
    #expect(view.viewpoint.center.x == 30_000)
    _ = view.freeze()
    map.maxScale = 6000
    #expect(view.drawStatus == .inProgress)
    #expect(view.freeze().viewpoint.scale == 6000)
    // maxScale wins if the limits contradict each other.
    map.minScale = 10
    #expect(view.viewpoint.scale == 6000)
    (map.minScale, map.maxScale) = (.nan, -1)
    try view.setViewpoint(Viewpoint(center: place, scale: 17))
    #expect(view.viewpoint.scale == 17)
    map.maxScale = .infinity
    #expect(view.viewpoint.scale == 1e10)
  }

  @Test("A requested scale is the view's scale to the last bit")
  func exact() throws {
    let (view, _) = try Self.view(scale: 1)
    let center = view.viewpoint.center
    for number in 1...2000 {
      let scale = Double(number) * 50 + 0.1 * Double(number % 7)
      try view.setViewpoint(Viewpoint(center: center, scale: scale))
      try view.pan(right: 3, down: 5)
      try view.rotate(by: 10)
      #expect(view.freeze().viewpoint.scale == scale)
    }
  }
}
