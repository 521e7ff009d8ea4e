import Glibc
import MapDrawing
import MapFeatures
import MapGeometry
import MapModel
import MapTestSupport
import Testing

@Suite struct ViewTransformTests {
  private static func view(_ rotation: Double, ratio: Double = 1) -> ViewState {
    ViewState(
      width: 200, height: 100, pixelRatio: ratio,
      viewpoint: ResolvedViewpoint(
        center: Point(x: 1000, y: 2000, spatialReference: .webMercator), resolution: 4, rotation: rotation),
      background: nil, timeExtent: nil, layers: [])
  }

  /// Source: the ArcGIS Maps SDK's rotation, as its compass shows it.
  @Test(
    "The view transform maps map positions to pixels by rotation and pixel ratio",
    arguments: [0, 90, 30, 200] as [Double], [1, 2.5])
  func rotation(_ rotation: Double, _ ratio: Double) {
    let transform = ViewTransform(Self.view(rotation, ratio: ratio), from: .webMercator)
    #expect(transform.canvas == Envelope(xMin: 0, yMin: 0, xMax: 200 * ratio, yMax: 100 * ratio))
    let turn = rotation * .pi / 180
    for (dx, dy) in [(0, 0), (40, 0), (0, 40), (-120, 12.5)] as [(Double, Double)] {
      let pixel = transform.pixel(x: 1000 + dx, y: 2000 + dy, world: 0)
      let (sx, sy) = (dx * cos(turn) - dy * sin(turn), dx * sin(turn) + dy * cos(turn))
      #expect(abs(pixel.x - ratio * (100 + sx / 4)) < 1e-9)
      #expect(abs(pixel.y - ratio * (50 - sy / 4)) < 1e-9)
    }
  }

  @Test("The corners of the view map to the corners of the canvas", arguments: [0, 90, 30, 200] as [Double])
  func corners(_ rotation: Double) {
    let view = Self.view(rotation)
    let transform = ViewTransform(view, from: .webMercator)
    let pixels = view.viewpoint.corners(width: 200, height: 100).map {
      transform.pixel(x: $0.x, y: $0.y, world: 0)
    }
    for (pixel, corner) in zip(pixels, [(0.0, 0.0), (200, 0), (200, 100), (0, 100)]) {
      #expect(abs(pixel.x - corner.0) < 1e-9)
      #expect(abs(pixel.y - corner.1) < 1e-9)
    }
  }

  @Test("Degrees and metres of one position map to one pixel, and the poles are finite and far away")
  func degrees() {
    let view = Self.view(0)
    let (metres, degrees) = (ViewTransform(view, from: .webMercator), ViewTransform(view, from: .wgs84))
    var random = SeededGenerator(seed: 3)
    for _ in 0..<1000 {
      let (x, y) = (
        Double.random(in: -180...180, using: &random), Double.random(in: -85...85, using: &random)
      )
      let a = degrees.pixel(x: x, y: y, world: 0)
      let b = metres.pixel(x: WebMercator.x(longitude: x), y: WebMercator.y(latitude: y), world: 0)
      #expect(a == b)
    }
    let east = degrees.pixel(x: 10, y: 0, world: 1)
    #expect(abs(east.x - degrees.pixel(x: 370, y: 0, world: 0).x) < 1e-6)
    for latitude in [90.0, -90] {
      let y = degrees.pixel(x: 0, y: latitude, world: 0).y
      #expect(y.isFinite)
      #expect((latitude > 0 ? y < -1e7 : y > 1e7))
    }
  }

  @Test(
    "The transform lists the world copies that a view shows",
    arguments: [
      (-1, 1, 0...0), (0.9, 1.1, 0...1), (-1.5, -1.2, (-1)...(-1)), (-4, 4, (-2)...2), (5.5, 5.6, 3...3),
    ]
      as [(Double, Double, ClosedRange<Int>)])
  func worlds(_ west: Double, _ east: Double, _ worlds: ClosedRange<Int>) {
    let half = WebMercator.halfWorld
    let extent = Envelope(
      xMin: west * half, yMin: 0, xMax: east.nextDown * half, yMax: 1, spatialReference: .webMercator)
    let data = Envelope(xMin: -half, yMin: 0, xMax: half, yMax: 1, spatialReference: .webMercator)
    #expect(ViewTransform.worlds(shownIn: extent, of: data.worldsReached) == worlds)
    // Data in world copy 1 are shown in world copy 0 after a shift by -1.
    for (west, east, more) in [(0, 1.01, (-1)...0), (-1.01, 0, 0...1), (-9, 9, (-1)...1)] {
      let past = Envelope(
        xMin: west * 180, yMin: 0, xMax: east * 180, yMax: 1, spatialReference: .wgs84)
      let expected = worlds.lowerBound + more.lowerBound...worlds.upperBound + more.upperBound
      #expect(ViewTransform.worlds(shownIn: extent, of: past.worldsReached) == expected)
    }
  }
}
