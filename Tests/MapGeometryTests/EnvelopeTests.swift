import MapGeometry
import MapTestSupport
import Testing

@Suite struct EnvelopeTests {
  struct Split: CustomTestStringConvertible {
    let x: [Double]
    let pieces: [[Double]]
    var testDescription: String { "\(x[0])...\(x[1])" }
  }

  @Test(
    "An envelope past the antimeridian is split into pieces within the world",
    arguments: [
      Split(x: [10, 20], pieces: [[10, 20]]),
      Split(x: [-180, 180], pieces: [[-180, 180]]),
      Split(x: [0.1, 180], pieces: [[0.1, 180]]),
      Split(x: [170.1, -170.3], pieces: [[170.1, 180], [-180, -170.3]]),
      Split(x: [180, -180], pieces: [[180, 180], [-180, -180]]),
      Split(x: [170, 190], pieces: [[170, 180], [-180, -170]]),
      Split(x: [-190, -170], pieces: [[170, 180], [-180, -170]]),
      Split(x: [180, 190], pieces: [[180, 180], [-180, -170]]),
      Split(x: [-190, -180], pieces: [[170, 180], [-180, -180]]),
      Split(x: [190, 200], pieces: [[-170, -160]]),
      Split(x: [190, 190], pieces: [[-170, -170]]),
      Split(x: [530, 550], pieces: [[170, 180], [-180, -170]]),
      Split(x: [-550, -545], pieces: [[170, 175]]),
      Split(x: [190, -190], pieces: [[-170, 170]]),
      Split(x: [540, 170], pieces: [[-180, 170]]),
      Split(x: [-200, 160], pieces: [[-180, 180]]),
      Split(x: [-1000, 1000], pieces: [[-180, 180]]),
      Split(x: [-.infinity, 5], pieces: [[-180, 180]]),
      Split(x: [.infinity, -.infinity], pieces: [[-180, 180]]),
      Split(x: [1e300, 1e300], pieces: [[-180, 180]]),
      Split(x: [.nan, 5], pieces: []),
    ])
  func split(_ split: Split) {
    let envelope = Envelope(
      xMin: split.x[0], yMin: -100, xMax: split.x[1], yMax: 2, spatialReference: .wgs84)
    let pieces = envelope.splitAtAntimeridian()
    #expect(pieces.map { [$0.xMin, $0.xMax] } == split.pieces)
    #expect(pieces.allSatisfy { $0.yMin == -100 && $0.yMax == 2 && $0.spatialReference == .wgs84 })
    #expect(envelope.splitAtAntimeridian(world: -180...180) == pieces)
  }

  @Test("Web Mercator envelopes are split at its world square, and other references are not split")
  func splitByReference() throws {
    let half = WebMercator.halfWorld
    let past = Envelope(xMin: half - 10, yMin: 0, xMax: half + 10, yMax: 1, spatialReference: .webMercator)
    let pieces = past.splitAtAntimeridian()
    try #require(pieces.count == 2)
    #expect(pieces[0].xMin == half - 10)
    #expect(pieces[0].xMax == half)
    #expect(pieces[1].xMin == -half)
    #expect(abs(pieces[1].xMax - (10 - half)) < 1e-8)
    let other = past.with(spatialReference: SpatialReference(wkid: 25833))
    #expect(other.splitAtAntimeridian() == [other])
  }

  @Test("The pieces of a split envelope contain exactly its longitudes")
  func splitKeepsGround() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<2000 {
      let west = Double.random(in: -900...900, using: &random)
      let width = Double.random(in: 0...400, using: &random)
      let envelope = Envelope(xMin: west, yMin: 0, xMax: west + width, yMax: 1)
      let pieces = envelope.splitAtAntimeridian(world: -180...180)
      #expect(pieces.count == 1 || pieces.count == 2)
      let longitude = Double.random(in: -180...180, using: &random)
      let held = (-3...3).contains { turn in
        let x = longitude + 360 * Double(turn)
        return x >= west && x <= west + width
      }
      #expect(pieces.contains { $0.contains(x: longitude, y: 0.5) } == held)
      #expect(pieces.allSatisfy { $0.xMin >= -180 && $0.xMax <= 180 && $0.xMin <= $0.xMax })
    }
  }

  @Test("Projected envelope sides keep their order")
  func projectionIsMonotone() throws {
    var random = SeededGenerator(seed: 6)
    var latitudes =
      (0..<5000).map { _ in Double.random(in: -90...90, using: &random) } + [-91, -90, 0, 90, 95]
    // Neighbouring doubles, where a function with rounding errors could decrease.
    for latitude in latitudes.prefix(1000) { latitudes += [latitude.nextUp, latitude.nextUp.nextUp] }
    latitudes.sort()
    for (south, north) in zip(latitudes, latitudes.dropFirst()) {
      let envelope = Envelope(xMin: south, yMin: south, xMax: north, yMax: north, spatialReference: .wgs84)
      let metres = try #require(envelope.projected(to: .webMercator))
      #expect(metres.spatialReference == .webMercator)
      #expect(metres.xMin <= metres.xMax)
      #expect(metres.yMin <= metres.yMax)
      let degrees = try #require(metres.projected(to: .wgs84))
      #expect(degrees.yMin <= degrees.yMax)
      #expect(degrees.xMin <= degrees.xMax)
      #expect(abs(degrees.yMin - min(max(south, -90), 90)) < 1e-12, "\(south)")
    }
  }

  @Test("The poles project to infinity and back")
  func poles() throws {
    let world = Envelope(xMin: -180, yMin: -90, xMax: 180, yMax: 100, spatialReference: .wgs84)
    let metres = try #require(world.projected(to: .webMercator))
    #expect(metres.yMin == -.infinity)
    #expect(metres.yMax == .infinity)
    #expect(metres.xMax == WebMercator.halfWorld)
    let degrees = try #require(metres.projected(to: .wgs84))
    #expect(degrees == Envelope(xMin: -180, yMin: -90, xMax: 180, yMax: 90, spatialReference: .wgs84))
    #expect(world.projected(to: .wgs84) == world)
    #expect(world.projected(to: SpatialReference(wkid: 25833)) == nil)
    #expect(world.with(spatialReference: nil).projected(to: .wgs84) == nil)
    #expect(Envelope.empty.with(spatialReference: .wgs84).projected(to: .webMercator)?.isEmpty == true)
  }
}
