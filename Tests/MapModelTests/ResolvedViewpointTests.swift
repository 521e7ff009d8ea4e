import Glibc
import MapGeometry
import MapModel
import MapTestSupport
import Testing

/// Source of the numbers: the levels of detail published by Esri's world basemaps, and the initial view of
/// Esri's sample "Query table statistics".
@Suite struct ResolvedViewpointTests {
  static func resolved(
    _ viewpoint: Viewpoint, width: Double = 800, height: Double = 600, padding: Double = 0,
    current: ResolvedViewpoint? = nil
  ) throws -> ResolvedViewpoint {
    try ResolvedViewpoint.resolve(
      viewpoint, width: width, height: height, padding: padding, current: current)
  }

  static func box(_ xMin: Double, _ yMin: Double, _ xMax: Double, _ yMax: Double) -> Envelope {
    Envelope(xMin: xMin, yMin: yMin, xMax: xMax, yMax: yMax, spatialReference: .webMercator)
  }

  @Test(
    "A scale gives the resolution of its level of detail",
    arguments: [
      (0, 591_657_527.591555, 156_543.03392800014), (1, 295_828_763.795777, 78_271.51696399994),
      (10, 577_790.554289, 152.87405657041106), (20, 564.248588, 0.14929107082380833),
    ])
  func levels(_ level: Int, _ scale: Double, _ resolution: Double) throws {
    let view = try Self.resolved(Viewpoint(latitude: 10, longitude: 20, scale: scale))
    #expect(abs(view.resolution / resolution - 1) < 1e-8)
    #expect(abs(view.scale / scale - 1) < 1e-15)
    #expect(abs(view.scale * Double(1 << level) / 591_657_527.591555 - 1) < 1e-8)
  }

  @Test("A tall view of both Americas is fitted by its width")
  func sampleFit() throws {
    let box = Self.box(-14_803_800, -15_950_300, 5_233_700, 17_262_800)
    let view = try Self.resolved(Viewpoint(boundingGeometry: box), width: 390, height: 700)
    #expect(abs(view.resolution - 51_378.2) < 0.05)
    #expect(abs(view.scale / 194_184_954 - 1) < 1e-5)
    #expect(view.center == Point(x: -4_785_050, y: 656_250, spatialReference: .webMercator))
    #expect(view.rotation == 0)
    let shown = view.envelope(width: 390, height: 700)
    #expect(shown.contains(box))
    #expect(abs(shown.width - box.width) < 1e-6)
    #expect(shown.height > box.height + 1e6)
    // For a wide view the height decides.
    let wide = try Self.resolved(Viewpoint(boundingGeometry: box), width: 700, height: 390)
    #expect(abs(wide.resolution - 33_213_100.0 / 390) < 1e-6)
  }

  @Test("A rotated view fits the box by its extent along the screen")
  func turnedFit() throws {
    let box = Self.box(-1000, -200, 1000, 200)
    for (rotation, resolution) in [
      (0.0, 20.0), (90, 20), (180, 20), (30, (2000 * 0.75.squareRoot() + 200) / 100),
    ] {
      let view = try Self.resolved(
        Viewpoint(boundingGeometry: box, rotation: rotation), width: 100, height: 100)
      #expect(abs(view.resolution / resolution - 1) < 1e-12, "\(rotation)")
      #expect(view.rotation == rotation)
    }
    let upright = try Self.resolved(
      Viewpoint(boundingGeometry: box, rotation: 90), width: 100, height: 500)
    #expect(abs(upright.resolution - 4) < 1e-12)
  }

  @Test("A fitted view contains its geometry to the last bit and not much more")
  func containsToTheLastBit() throws {
    var random = SeededGenerator(seed: 73)
    var turned = 0
    for index in 0..<20_000 {
      let inDegrees = index % 2 == 0
      let (reachX, reachY) = inDegrees ? (180.0, 85.0) : (2e7, 2e7)
      let size = exp2(Double.random(in: -12...0, using: &random))
      let x = Double.random(in: -reachX...reachX, using: &random)
      let y = Double.random(in: -reachY...reachY, using: &random)
      let geometry = Envelope(
        xMin: x, yMin: y, xMax: min(x + Double.random(in: 0...reachX, using: &random) * size, reachX),
        yMax: min(y + Double.random(in: 0...reachY, using: &random) * size, reachY),
        spatialReference: inDegrees ? .wgs84 : .webMercator)
      guard geometry.width > 0, geometry.height > 0 else { continue }
      let rotation = index % 5 == 4 ? Double.random(in: 0..<360, using: &random) : 0
      let (width, height) = (
        Double.random(in: 1...4000, using: &random).rounded(),
        Double.random(in: 1...4000, using: &random).rounded()
      )
      let view = try Self.resolved(
        Viewpoint(boundingGeometry: geometry, rotation: rotation), width: width, height: height)
      let shown = view.envelope(width: width, height: height)
      let projected = try #require(geometry.projected(to: .webMercator))
      #expect(shown.contains(projected))
      if inDegrees { #expect(shown.projected(to: .wgs84)?.contains(geometry) == true) }
      if rotation == 0 {
        let excess = min(shown.width / projected.width, shown.height / projected.height) - 1
        #expect(excess >= 0)
        #expect(excess < 1e-6)
      } else {
        turned += 1
      }
    }
    #expect(turned > 3000)
  }

  @Test("Padding is a minimum on every side, and padding larger than the view is ignored")
  func padding() throws {
    let box = Self.box(0, 0, 1000, 100)
    let view = try Self.resolved(Viewpoint(boundingGeometry: box), width: 300, height: 200, padding: 50)
    #expect(abs(view.resolution - 5) < 1e-12)
    let shown = view.envelope(width: 300, height: 200)
    #expect(abs((box.xMin - shown.xMin) / view.resolution - 50) < 1e-9)
    #expect((box.yMin - shown.yMin) / view.resolution > 50)
    for padding in [100, 5000] as [Double] {
      let all = try Self.resolved(
        Viewpoint(boundingGeometry: box), width: 300, height: 200, padding: padding)
      #expect(abs(all.resolution - 1000.0 / 300) < 1e-12, "\(padding)")
    }
  }

  @Test("A geometry without width and height only moves the centre")
  func pointsOnlyPan() throws {
    let current = try Self.resolved(Viewpoint(latitude: 1, longitude: 2, scale: 12_345, rotation: 40))
    let place = Point(x: 7, y: 8, spatialReference: .webMercator)
    let panned = try Self.resolved(Viewpoint(boundingGeometry: place), current: current)
    #expect(panned.center == place)
    #expect(panned.resolution == current.resolution)
    #expect(panned.rotation == 40)
    let turned = try Self.resolved(Viewpoint(boundingGeometry: place, rotation: 0), current: current)
    #expect(turned.rotation == 0)
    let first = try Self.resolved(Viewpoint(boundingGeometry: place))
    #expect(abs(first.scale / 50_000 - 1) < 1e-15)
    // A line along an axis has an extent.
    let flat = try Self.resolved(
      Viewpoint(boundingGeometry: Self.box(0, 5, 800, 5), rotation: 0), current: current)
    #expect(abs(flat.resolution - 1) < 1e-12)
  }

  @Test("Rotation is the compass heading of the top edge")
  func corners() throws {
    let center = Point(x: 100, y: 1000, spatialReference: .webMercator)
    func corners(_ rotation: Double) throws -> [Point] {
      let scale = ResolvedViewpoint.scalePerResolution
      return try Self.resolved(Viewpoint(center: center, scale: scale, rotation: rotation))
        .corners(width: 40, height: 20)
    }
    let upright: [(Double, Double)] = [(80, 1010), (120, 1010), (120, 990), (80, 990)]
    #expect(try corners(0).map(\.x) == upright.map(\.0))
    #expect(try corners(0).map(\.y) == upright.map(\.1))
    // At a rotation of 90 the top edge is in the east, and its left end in the north.
    let east: [(Double, Double)] = [(110, 1020), (110, 980), (90, 980), (90, 1020)]
    #expect(try corners(90).map(\.x) == east.map(\.0))
    #expect(try corners(90).map(\.y) == east.map(\.1))
    for rotation in [30, 200] as [Double] {
      let turn = rotation * .pi / 180
      let found = try corners(rotation)
      for (corner, place) in zip(upright, found) {
        // Screen from map, y up: sx = dx cos - dy sin, sy = dx sin + dy cos.
        let (dx, dy) = (place.x - 100, place.y - 1000)
        #expect(abs(dx * cos(turn) - dy * sin(turn) - (corner.0 - 100)) < 1e-9)
        #expect(abs(dx * sin(turn) + dy * cos(turn) - (corner.1 - 1000)) < 1e-9)
      }
    }
  }

  @Test(
    "Rotations are normalised to 0..<360, and an infinite one counts as absent",
    arguments: [(-90, 270), (360, 0), (725, 5), (-1e-18, 0), (359.5, 359.5)] as [(Double, Double)])
  func angles(_ angle: Double, _ normal: Double) {
    #expect(Viewpoint(latitude: 0, longitude: 0, scale: 1, rotation: angle).rotation == normal)
    #expect(Viewpoint(latitude: 0, longitude: 0, scale: 1, rotation: .infinity).rotation.isNaN)
    #expect(Viewpoint(latitude: 0, longitude: 0, scale: 1).rotation.isNaN)
  }

  @Test(
    "A scale denominator outside its limits is refused",
    arguments: [0, -1, 0.0009, 1.1e10, .infinity, .nan] as [Double])
  func refusesScale(_ scale: Double) {
    #expect(throws: MappingError.self) {
      try Self.resolved(Viewpoint(latitude: 0, longitude: 0, scale: scale))
    }
  }

  @Test("The scale limits themselves are accepted", arguments: [0.001, 1e10])
  func takesScaleLimits(_ scale: Double) throws {
    let view = try Self.resolved(Viewpoint(latitude: 0, longitude: 0, scale: scale))
    #expect(abs(view.scale / scale - 1) < 1e-15)
  }

  @Test("A geometry too wide to show is refused, and a tiny one is shown at the largest scale")
  func refusesFits() throws {
    #expect(throws: MappingError.self) {
      try Self.resolved(Viewpoint(boundingGeometry: Self.box(0, 0, 9e11, 9e11)))
    }
    let near = try Self.resolved(Viewpoint(boundingGeometry: Self.box(0, 0, 1e-9, 1e-9)))
    #expect(abs(near.scale / 0.001 - 1) < 1e-15)
  }

  @Test("The poles lie at the edges of the world square, and latitudes past them are refused")
  func poles() throws {
    let world = WebMercator.halfWorld
    for (latitude, y) in [(90, world), (-90, -world), (89, world), (85, 19_971_868.880408563)]
      as [(Double, Double)]
    {
      let view = try Self.resolved(Viewpoint(latitude: latitude, longitude: 0, scale: 1000))
      #expect(abs(view.center.y - y) < 1e-6, "\(latitude)")
    }
    let whole = Envelope(xMin: -180, yMin: -90, xMax: 180, yMax: 90, spatialReference: .wgs84)
    let view = try Self.resolved(Viewpoint(boundingGeometry: whole), width: 100, height: 100)
    #expect(view.center.x == 0)
    #expect(view.center.y == 0)
    #expect(abs(view.resolution * 100 / (2 * world) - 1) < 1e-12)
    for latitude in [90.001, -91, .nan, .infinity] as [Double] {
      #expect(throws: MappingError.self) {
        try Self.resolved(Viewpoint(latitude: latitude, longitude: 0, scale: 1000))
      }
    }
  }

  @Test("Positions too far away to resolve a pixel are refused", arguments: [1.1e12, -1e300, .nan])
  func farPlaces(_ far: Double) {
    for (x, y) in [(far, 0), (0, far)] as [(Double, Double)] {
      let point = Point(x: x, y: y, spatialReference: .webMercator)
      #expect(throws: MappingError.self) { try Self.resolved(Viewpoint(center: point, scale: 1000)) }
    }
    #expect(throws: MappingError.self) {
      try Self.resolved(
        Viewpoint(center: Point(x: 1, y: 1, spatialReference: SpatialReference(wkid: 2154)), scale: 1))
    }
  }

  @Test("An envelope with xMin above xMax crosses the antimeridian")
  func acrossTheAntimeridian() throws {
    let box = Envelope(xMin: 170, yMin: -10, xMax: -170, yMax: 10, spatialReference: .wgs84)
    let view = try Self.resolved(Viewpoint(boundingGeometry: box), width: 400, height: 400)
    #expect(abs(view.center.x - WebMercator.halfWorld) < 1e-6)
    let shown = view.envelope(width: 400, height: 400)
    #expect(abs(shown.width - WebMercator.halfWorld / 9) < 0.2 * shown.width)
    #expect(shown.splitAtAntimeridian().count == 2)
  }
}
