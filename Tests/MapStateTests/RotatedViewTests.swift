import Foundation
import MapCairo
import MapDrawing
import MapState
import MapTestSupport
import Testing

/// Counts, funnels, queries and images of rotated views, compared with the arithmetic of a rotated rectangle.
@Suite struct RotatedViewTests {
  private struct Scene {
    let view: MapView
    /// The rows inside the view by arithmetic.
    let inside: Set<Int>
    /// The rows too close to a side for arithmetic with rounding.
    let unsure: Set<Int>
    let passesDefinition: (Int) -> Bool
    let passesDisplay: (Int) -> Bool
  }

  private static let references = [3857, 4326, 54030, 3035, 32632]

  private static func scene(_ seed: Int, isAcross: Bool = false) throws -> Scene {
    var random = SeededGenerator(seed: UInt64(seed))
    let map = SpatialReference(wkid: isAcross ? [3857, 4326][seed % 2] : references[seed % references.count])
    let isLocal = !map.isBuiltIn && map.wkid != 54030
    let (width, height) = (
      Double(Int.random(in: 60...300, using: &random)), Double(Int.random(in: 60...300, using: &random))
    )
    let center = Point(
      x: isAcross
        ? Double.random(in: 170...190, using: &random)
        : isLocal ? 10 : Double.random(in: -80...80, using: &random),
      y: isLocal ? 50 : Double.random(in: -40...40, using: &random), spatialReference: .wgs84)
    let reach = isLocal ? 8.0 : 25
    var points = CoordinateBuffer(kind: .point)
    for _ in 0..<300 {
      let x = center.x + Double.random(in: -reach...reach, using: &random)
      let shift = isAcross ? Double(Int.random(in: -1...0, using: &random)) * 360 : 0
      points.appendPoint(
        x: x + shift, y: center.y + Double.random(in: -reach...reach, using: &random))
    }
    let layer = FeatureLayer(
      source: try MapReferenceTests.source(points, .wgs84),
      renderer: SimpleRenderer(symbol: SimpleMarkerSymbol(size: 9)))
    let limit = Int.random(in: 50...300, using: &random)
    let (hasDefinition, hasDisplay) = (seed % 2 == 0, seed % 3 == 0)
    if hasDefinition { layer.definitionExpression = "n < \(limit)" }
    if hasDisplay {
      let even = DisplayFilter(name: "even", whereClause: "MOD(n, 2) = 0")
      layer.displayFilterDefinition = ManualDisplayFilterDefinition(
        activeFilter: even, availableFilters: [even])
    }
    let scale =
      isLocal ? Double.random(in: 5e6...2e7, using: &random) : Double.random(in: 2e7...1e8, using: &random)
    let rotation =
      seed % 7 == 0 ? [90.0, 180, 270, 45][seed / 7 % 4] : Double.random(in: 0..<360, using: &random)
    let view = try MapReferenceTests.view(
      map, [layer], Viewpoint(center: center, scale: scale, rotation: rotation), width: width, height: height)
    let viewpoint = view.viewpoint
    let (cosine, sine) = (cos(rotation * .pi / 180), sin(rotation * .pi / 180))
    var (x, y) = (points.x, points.y)
    try SpatialOperations.installed.project(x: &x, y: &y, from: .wgs84, to: map)
    var (inside, unsure) = (Set<Int>(), Set<Int>())
    for row in x.indices {
      var dx = x[row] - viewpoint.center.x
      if let world = Envelope.worldWidth(of: map) { dx = remainder(dx, world) }
      let dy = y[row] - viewpoint.center.y
      let (right, up) = (
        (dx * cosine - dy * sine) / viewpoint.resolution, (dx * sine + dy * cosine) / viewpoint.resolution
      )
      let distance = max(abs(right) - width / 2, abs(up) - height / 2)
      if abs(distance) < 1e-6 { unsure.insert(row) } else if distance < 0 { inside.insert(row) }
    }
    return Scene(
      view: view, inside: inside, unsure: unsure,
      passesDefinition: { !hasDefinition || $0 < limit }, passesDisplay: { !hasDisplay || $0 % 2 == 0 })
  }

  private static func check(_ scene: Scene) async throws -> Int {
    let state = scene.view.freeze()
    let layer = state.layers[0]
    let counted = scene.inside.filter(scene.passesDefinition)
    let shown = counted.filter(scene.passesDisplay)
    #expect(scene.unsure.isEmpty)
    #expect(try await state.count(of: layer, FeatureQuestion()) == counted.count)
    var options = CountOptions()
    options.funnel = true
    let funnel = try #require(try await state.counts(options).layers[0].funnel)
    #expect(funnel.extent == counted.count && funnel.display == shown.count && funnel.drawn == shown.count)
    let rows = try await state.features(of: layer, FeatureQuestion())
    #expect(Set(rows.rows) == counted)
    let count = try await state.statistics(
      of: layer,
      StatisticsQuery(definitions: [
        StatisticDefinition(fieldName: StatisticDefinition.allRows, statisticType: .count)
      ]),
      FeatureQuestion())
    #expect(count.records.first?.statistics.first == .integer(Int64(counted.count)))
    let drawing = try await state.drawing(of: layer, index: 0)
    #expect(Set(drawing.drawn) == shown)
    let painted = Set(try IDPainter.image(of: await state.displayList()).rows(ofLayer: 0))
    #expect(painted.isSubset(of: shown.union(drawing.edge)))
    // Half of a symbol of 9 pixels is in the image, if no other covers it.
    #expect(shown.subtracting(painted).count < 60)
    return shown.count
  }

  @Test("In 240 rotated views, counts, funnels, queries, statistics and images agree with arithmetic")
  func arithmetic() async throws {
    var found = 0
    for seed in 0..<240 { found += try await Self.check(Self.scene(seed)) }
    #expect(found > 5000)
  }

  @Test("In 60 rotated views across the antimeridian, they agree too")
  func acrossAntimeridian() async throws {
    var found = 0
    for seed in 0..<60 { found += try await Self.check(Self.scene(seed, isAcross: true)) }
    #expect(found > 1000)
  }

  @Test(
    "A point exactly on a side or a corner of a rotated view is in it", arguments: [45.0, 90, 180, 270, 0])
  func sides(_ rotation: Double) async throws {
    let center = Point(x: 0, y: 0, spatialReference: .webMercator)
    let scale = ResolvedViewpoint.scalePerResolution
    let place = try ResolvedViewpoint.resolve(
      Viewpoint(center: center, scale: scale, rotation: rotation), width: 200, height: 200)
    let corners = place.corners(width: 200, height: 200)
    var points = CoordinateBuffer(kind: .point)
    for (a, b) in zip(corners, corners.dropFirst() + corners.prefix(1)) {
      points.appendPoint(x: a.x, y: a.y)
      points.appendPoint(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2)
      points.appendPoint(x: a.x * 1.000001, y: a.y * 1.000001)
    }
    let source = try MapReferenceTests.source(points, .webMercator)
    let view = try MapReferenceTests.view(
      .webMercator, [FeatureLayer(source: source)],
      Viewpoint(center: center, scale: scale, rotation: rotation),
      width: 200, height: 200)
    let state = view.freeze()
    #expect(try await state.count(of: state.layers[0], FeatureQuestion()) == 8)
  }

  @Test(
    "Lines and areas count in a rotated view exactly if they are drawn in it",
    arguments: [GeometryKind.multipoint, .polyline, .polygon])
  func shapes(_ kind: GeometryKind) async throws {
    var found = 0
    for seed in 0..<60 {
      var random = SeededGenerator(seed: UInt64(seed))
      var shapes = CoordinateBuffer(kind: kind)
      for _ in 0..<200 {
        let (x, y) = (
          Double.random(in: -30...30, using: &random), Double.random(in: -30...30, using: &random)
        )
        let corners = (0..<3).map { _ in
          (x + Double.random(in: -6...6, using: &random), y + Double.random(in: -6...6, using: &random))
        }
        for corner in corners + (kind == .polygon ? [corners[0]] : []) {
          shapes.appendVertex(x: corner.0, y: corner.1)
        }
        shapes.endPart()
        shapes.endRow()
      }
      let layer = FeatureLayer(source: try MapReferenceTests.source(shapes, .wgs84))
      let view = try MapReferenceTests.view(
        seed % 2 == 0 ? .webMercator : .wgs84, [layer],
        Viewpoint(
          latitude: 5, longitude: 5, scale: Double.random(in: 1e7...5e7, using: &random),
          rotation: Double.random(in: 0..<360, using: &random)), width: 150, height: 100)
      let state = view.freeze()
      let drawing = try await state.drawing(of: state.layers[0], index: 0)
      #expect(try await state.count(of: state.layers[0], FeatureQuestion()) == drawing.drawn.count)
      let painted = Set(try IDPainter.image(of: await state.displayList()).rows(ofLayer: 0))
      #expect(painted.isSubset(of: Set(drawing.drawn).union(drawing.edge)))
      found += drawing.drawn.count
    }
    #expect(found > 500)
  }
}
