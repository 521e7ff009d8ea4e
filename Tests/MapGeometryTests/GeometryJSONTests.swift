import MapGeometry
import MapJSON
import MapSystem
import MapTestSupport
import Testing

/// Source: ArcGIS REST API, geometry objects.
@Suite struct GeometryJSONTests {
  private static func point(_ x: Double, _ y: Double) -> Point {
    Point(x: x, y: y, spatialReference: .webMercator)
  }

  @Test("Each geometry kind is written as Esri JSON and reads back the same")
  func kinds() throws {
    let points = [(0.0, 0.0), (0.5, 10.25), (10.0, 0.0), (0.0, 0.0)].map { Self.point($0.0, $0.1) }
    #expect(
      points[1].toJSON() == #"{"x":0.5,"y":10.25,"spatialReference":{"wkid":102100,"latestWkid":3857}}"#)
    #expect(Point(latitude: 1, longitude: 2).toJSON() == #"{"x":2,"y":1,"spatialReference":{"wkid":4326}}"#)
    #expect(Polyline(parts: []).toJSON() == #"{"paths":[]}"#)
    #expect(try Point.fromJSON(points[1].toJSON()) == points[1])
    let multipoint = Multipoint(points: points, spatialReference: .webMercator)
    #expect(try Multipoint.fromJSON(multipoint.toJSON()) == multipoint)
    let line = Polyline(parts: [points, points], spatialReference: .webMercator)
    #expect(try Polyline.fromJSON(line.toJSON()) == line)
    let polygon = Polygon(parts: [points], spatialReference: .webMercator)
    #expect(try Polygon.fromJSON(polygon.toJSON()) == polygon)
    let envelope = Envelope(
      xMin: -1.5, yMin: 2, xMax: 3, yMax: 4, spatialReference: SpatialReference(wkid: 25832))
    #expect(try Envelope.fromJSON(envelope.toJSON()) == envelope)
  }

  struct Written: CustomTestStringConvertible {
    let testDescription: String, json: String, z: [Double?], m: [Double?]
  }

  /// Source: the forms in the REST API: `hasZ` and `hasM`, vertices of [x, y, z, m] or [x, y, m], and null or
  /// "NaN" for missing values.
  @Test(
    "Z and M values are read according to their flags",
    arguments: [
      Written(
        testDescription: "z", json: #"{"hasZ":true,"paths":[[[1,2,3],[4,5,6]]]}"#, z: [3, 6], m: [nil, nil]),
      Written(
        testDescription: "m alone", json: #"{"hasM":true,"paths":[[[1,2,3],[4,5]]]}"#, z: [nil, nil],
        m: [3, nil]),
      Written(
        testDescription: "z and m", json: #"{"hasZ":true,"hasM":true,"paths":[[[1,2,3,4],[5,6,"NaN",8]]]}"#,
        z: [3, nil], m: [4, 8]),
      Written(
        testDescription: "m, z denied", json: #"{"hasZ":false,"hasM":true,"paths":[[[1,2,3],[4,5,null]]]}"#,
        z: [nil, nil], m: [3, nil]),
      Written(
        testDescription: "no flags", json: #"{"paths":[[],[[1,2,3,4],[5,6]]]}"#, z: [3, nil], m: [4, nil]),
      Written(
        testDescription: "z alone of four",
        json: #"{"hasZ":true,"hasM":false,"paths":[[[1,2,3,4],[5,6,7,8]]]}"#,
        z: [3, 7], m: [nil, nil]),
      Written(
        testDescription: "denied", json: #"{"hasZ":false,"hasM":false,"paths":[[[1,2,3,4],[5,6,7,8]]]}"#,
        z: [nil, nil], m: [nil, nil]),
    ])
  func flags(_ written: Written) throws {
    let line = try Polyline.fromJSON(written.json)
    #expect(line.parts[0].map(\.z) == written.z)
    #expect(line.parts[0].map(\.m) == written.m)
    #expect(try Polyline.fromJSON(line.toJSON()) == line)
  }

  @Test("Z and M values are written as members of points and envelopes and as flags elsewhere")
  func depths() throws {
    #expect(Point(x: 1, y: 2, z: 3, m: 4).toJSON() == #"{"x":1,"y":2,"z":3,"m":4}"#)
    #expect(
      Envelope(xRange: 0...1, yRange: 2...3, zRange: 4...5).toJSON()
        == #"{"xmin":0,"ymin":2,"xmax":1,"ymax":3,"zmin":4,"zmax":5}"#)
    #expect(
      Multipoint(points: [Point(x: 1, y: 2, m: 3), Point(x: 4, y: 5)]).toJSON()
        == #"{"points":[[1,2,3],[4,5,null]],"hasM":true}"#)
    // The closing vertex of a ring has the values of the first.
    let ring = try Polygon.fromJSON(#"{"hasZ":true,"rings":[[[0,0,1],[0,1,2],[1,1,3]]]}"#)
    #expect(ring.parts[0].map(\.z) == [1, 2, 3, 1])
  }

  @Test("Random geometries, including empty ones, survive a round trip through JSON")
  func roundTrip() throws {
    var random = SeededGenerator(seed: 12)
    var count = 0
    for round in 0..<400 {
      let (hasZ, hasM) = (round % 2 == 1, round % 4 > 1)
      let reference = [nil, .wgs84, .webMercator, SpatialReference(wkid: 25832)][round % 5 % 4]
      func number() -> Double { .random(in: -1e6...1e6, using: &random) }
      // One value in five is missing.
      func depth(_ isThere: Bool) -> Double? {
        isThere && .random(in: 0..<5, using: &random) > 0 ? number() : nil
      }
      func points(_ least: Int) -> [Point] {
        (0..<Int.random(in: least...7, using: &random)).map { _ in
          Point(x: number(), y: number(), z: depth(hasZ), m: depth(hasM), spatialReference: reference)
        }
      }
      func parts(_ least: Int) -> [[Point]] {
        (0..<Int.random(in: 0...3, using: &random)).map { _ in points(least) }
      }
      func check<Shape: Geometry & Equatable>(_ shape: Shape) throws {
        let back = try Shape.fromJSON(shape.toJSON())
        #expect(back == shape || (back.isEmpty && shape.isEmpty), "\(shape.toJSON())")
        #expect(back.spatialReference == reference)
        #expect(back.hasZ == shape.hasZ)
        #expect(back.hasM == shape.hasM)
        count += 1
      }
      try check(points(1)[0])
      try check(Multipoint(points: points(0), spatialReference: reference))
      try check(Polyline(parts: parts(2), spatialReference: reference))
      try check(Polygon(parts: parts(3), spatialReference: reference))
      try check(Multipoint(points: points(0), spatialReference: reference).extent)
      try check(Point(x: .nan, y: .nan, spatialReference: reference))
    }
    #expect(count == 2400)
  }

  @Test("Invalid geometry JSON is refused")
  func faults() throws {
    #expect(throws: MapStateError.self) { try Polygon.fromJSON(#"{"x":1,"y":2}"#) }
    #expect(throws: MapStateError.self) { try Point.fromJSON("{}") }
    #expect(throws: MapStateError.self) { try Point.fromJSON("{") }
    #expect(throws: MapStateError.self) { try Polyline.fromJSON(#"{"paths":[[[1,2,"high"],[4,5,6]]]}"#) }
    #expect(throws: MapStateError.self) { try Polyline.fromJSON(#"{"paths":[[[1,2,1e999],[4,5,6]]]}"#) }
    #expect(throws: MapStateError.self) { try Point.fromJSON(#"{"x":1,"y":2,"z":"high"}"#) }
    #expect(try Point.fromJSON(#"{"x":"NaN","y":2}"#).isEmpty)
  }
}
