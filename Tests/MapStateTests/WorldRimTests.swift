import Foundation
import MapCairo
import MapDrawing
import MapState
import MapTestSupport
import Testing

/// Counts and images of features beyond ±180 degrees and across the rim of a map's projection.
@Suite struct WorldRimTests {
  private static func buffer(_ kind: GeometryKind, _ rows: [[(Double, Double)]]) -> CoordinateBuffer {
    var buffer = CoordinateBuffer(kind: kind)
    for row in rows {
      if kind == .point {
        buffer.appendPoint(x: row[0].0, y: row[0].1)
        continue
      }
      for place in row { buffer.appendVertex(x: place.0, y: place.1) }
      buffer.endPart()
      buffer.endRow()
    }
    return buffer
  }

  /// Small features with longitudes from -540 to 540 degrees.
  private static func rows(
    _ kind: GeometryKind, count: Int, _ random: inout SeededGenerator
  ) -> [[(Double, Double)]] {
    (0..<count).map { _ in
      let (x, y) = (
        Double.random(in: -535...535, using: &random), Double.random(in: -70...70, using: &random)
      )
      let reach = Double.random(in: 0.5...5, using: &random)
      return switch kind {
      case .point, .multipoint: [(x, y)]
      case .polyline: [(x - reach, y - 1), (x, y + 1), (x + reach, y)]
      case .polygon: [(x - reach, y - 2), (x + reach, y - 2), (x, y + 2), (x - reach, y - 2)]
      }
    }
  }

  @Test(
    "A view across the antimeridian paints exactly the features found in its extent",
    arguments: [GeometryKind.point, .polyline, .polygon])
  func acrossAntimeridian(_ kind: GeometryKind) async throws {
    var random = SeededGenerator(seed: 31)
    let rows = Self.rows(kind, count: 1000, &random)
    let layer = FeatureLayer(
      source: try MapReferenceTests.source(Self.buffer(kind, rows), .wgs84))
    var found = 0
    for step in 0..<12 {
      let view = try MapReferenceTests.view(
        .webMercator, [layer],
        Viewpoint(
          latitude: .random(in: -50...50, using: &random), longitude: step % 2 == 0 ? 180 : -179,
          scale: .random(in: 2e7...1e8, using: &random)))
      let state = view.freeze()
      let extent = state.extent
      let drawing = try await state.drawing(of: state.layers[0], index: 0)
      let drawn = Set(drawing.drawn)
      let painted = Set(try IDPainter.image(of: await state.displayList()).rows(ofLayer: 0))
      #expect(painted.isSubset(of: drawn.union(drawing.edge)))
      // A point's symbol covers several pixels, so it is visible.
      if kind == .point { #expect(drawn.isSubset(of: painted)) }
      var options = CountOptions()
      options.question.area = .envelope(extent)
      #expect(try await state.counts(options).layers[0].count == drawn.count)
      let corners = [
        (extent.xMin, extent.yMin), (extent.xMin, extent.yMax), (extent.xMax, extent.yMax),
        (extent.xMax, extent.yMin), (extent.xMin, extent.yMin),
      ].map { Point(x: $0.0, y: $0.1, spatialReference: .webMercator) }
      for turn in [-1.0, 0, 1] {
        let shift = turn * 2 * WebMercator.halfWorld
        options = CountOptions()
        options.question.area = .everywhere
        options.question.geometry = try SpatialCondition(
          Polygon(
            parts: [corners.map { Point(x: $0.x + shift, y: $0.y) }], spatialReference: .webMercator))
        #expect(try await state.counts(options).layers[0].count == drawn.count)
      }
      let text = corners.map {
        "\(WebMercator.longitude(x: $0.x)) \(WebMercator.latitude(y: $0.y))"
      }.joined(separator: ", ")
      options = CountOptions()
      options.question.area = .everywhere
      options.question.cql2 = "S_INTERSECTS(geometry, POLYGON((\(text))))"
      #expect(try await state.counts(options).layers[0].count == drawn.count)
      options.question.cql2 = "S_DISJOINT(geometry, POLYGON((\(text))))"
      #expect(try await state.counts(options).layers[0].count == rows.count - drawn.count)
      found += drawn.count
    }
    #expect(found > 200)
  }

  @Test(
    "In a map with a rim the count equals the drawn features, and warnings report the rest",
    arguments: [54030, 54009, 5070, 32632, 3031, 3413, 3035, 102038])
  func countsAtRim(wkid: Int) async throws {
    let reference = SpatialReference(wkid: wkid)
    for kind in [GeometryKind.point, .polyline, .polygon] {
      var random = SeededGenerator(seed: UInt64(wkid))
      let rows = Self.rows(kind, count: 300, &random)
      let source = try MapReferenceTests.source(Self.buffer(kind, rows), .wgs84)
      let view = try MapReferenceTests.view(reference, [FeatureLayer(source: source)])
      let state = view.freeze()
      let shown = try source.shownColumns(on: reference)
      let geometry = try #require(shown.geometry)
      let whole = (0..<rows.count).count { !geometry.isEmpty(row: $0) }
      let drawing = try await state.drawing(of: state.layers[0], index: 0)
      #expect(drawing.drawn.count == whole)
      #expect(try await state.counts(CountOptions()).layers[0].count == whole)
      #expect(whole == rows.count || !shown.warnings.isEmpty)
    }
  }

  @Test("A polygon across the antimeridian is filled on both sides of a Robinson map")
  func robinson() async throws {
    let box = [(170.0, -30.0), (190, -30), (190, 30), (170, 30), (170, -30)]
    let symbol = SimpleFillSymbol(color: .black)
    let layer = FeatureLayer(
      source: try MapReferenceTests.source(Self.buffer(.polygon, [box]), .wgs84),
      renderer: SimpleRenderer(symbol: symbol))
    let view = try MapReferenceTests.view(
      SpatialReference(wkid: 54030), [layer], Viewpoint(latitude: 0, longitude: 0, scale: 5.3e8))
    let image = try await view.exportImage()
    let dark = (0..<300).filter { image[$0, 100].red < 128 }
    #expect(dark.count > 8)
    #expect(dark.count < 40)
    #expect(dark.contains { $0 < 60 })
    #expect(dark.contains { $0 > 240 })
    #expect(dark.allSatisfy { $0 < 60 || $0 > 240 })
  }

  @Test("The basemap has the colour of the page beyond the apex of a conic map")
  func basemap() async throws {
    let view = try MapReferenceTests.view(
      SpatialReference(wkid: 5070), [], Viewpoint(latitude: 20, longitude: -96, scale: 4e8))
    view.map.basemap = Basemap(style: .arcGISTopographic)
    let image = try await view.exportImage()
    // Above the apex of the cone there is no ground.
    let apex = try #require(view.screenPoint(fromLocation: Point(latitude: 89.9, longitude: -96)))
    for up in stride(from: 12.0, to: apex.y, by: 4) {
      let pixel = image[Int(apex.x), Int(apex.y - up)]
      #expect(pixel.red == 255 && pixel.green == 255 && pixel.blue == 255, "\(pixel)")
    }
    #expect(apex.y > 20)
  }
}
