import MapGeometry
import MapTestSupport
import Testing

/// Geometries as values: what they answer of themselves.
@Suite struct GeometryValueTests {
  private let square = [(0.0, 0.0), (0.0, 2.0), (2.0, 2.0), (2.0, 0.0)].map { Point(x: $0.0, y: $0.1) }

  @Test func points() {
    let flat = Point(x: 1, y: 2, spatialReference: .webMercator)
    #expect(flat.z == nil && flat.m == nil && !flat.hasZ && !flat.hasM)
    let high = Point(x: 1, y: 2, z: 3, spatialReference: .webMercator)
    #expect(high.z == 3 && high.hasZ && !high.hasM && high != flat)
    #expect(Set([flat, high, Point(x: 1, y: 2, z: .nan, spatialReference: .webMercator)]).count == 2)
    let place = Point(latitude: 52.5, longitude: 13.4)
    #expect(place.x == 13.4 && place.y == 52.5 && place.spatialReference == .wgs84)
    #expect(Point(x: 1, y: 2, m: 0).hasM && Point(x: .nan, y: .nan).isEmpty)
  }

  @Test("An envelope by each of its initialisers")
  func envelopes() {
    let sides = Envelope(xMin: 1, yMin: 2, xMax: 5, yMax: 8, spatialReference: .wgs84)
    #expect(Envelope(xRange: 1...5, yRange: 2...8, spatialReference: .wgs84) == sides)
    #expect(
      Envelope(
        min: Point(x: 1, y: 2), max: Point(x: 5, y: 8, spatialReference: .wgs84)) == sides)
    #expect(
      Envelope(center: Point(x: 3, y: 5, spatialReference: .wgs84), width: 4, height: 6) == sides)
    #expect(sides.width == 4 && sides.height == 6 && !sides.hasZ && sides.zMin == nil)
    #expect(sides.center == Point(x: 3, y: 5, spatialReference: .wgs84))
    let deep = Envelope(xRange: 1...5, yRange: 2...8, zRange: -1...3, mRange: 0...4, spatialReference: .wgs84)
    #expect(deep.zMin == -1 && deep.zMax == 3 && deep.hasZ && deep.hasM && deep != sides)
    #expect(deep.center == Point(x: 3, y: 5, z: 1, m: 2, spatialReference: .wgs84))
    #expect(deep.grown(by: 1).zMax == 3 && deep.with(spatialReference: nil).mMin == 0)
  }

  @Test("Heights and measures of an extent are those of the vertices that have some")
  func depthsOfExtents() {
    let points = [Point(x: 0, y: 0), Point(x: 1, y: 1, z: 7), Point(x: 2, y: 0, z: -2, m: 5)]
    let extent = Polyline(points: points).extent
    #expect(extent.zMin == -2 && extent.zMax == 7 && extent.mMin == 5 && extent.mMax == 5)
    #expect(extent.xMax == 2 && extent.yMax == 1)
    #expect(Polyline(points: points.prefix(1)).extent.zMin == nil)
  }

  @Test("What is empty has an extent of NaN sides, its reference and no dimension lost")
  func empties() {
    let empties: [(any Geometry, GeometryDimension)] = [
      (Point(x: .nan, y: .nan, spatialReference: .wgs84), .point),
      (Multipoint(points: [Point](), spatialReference: .wgs84), .point),
      (Polyline(parts: [], spatialReference: .wgs84), .curve),
      (Polygon(parts: [[]], spatialReference: .wgs84), .area),
      (Envelope.empty.with(spatialReference: .wgs84), .area),
    ]
    for (geometry, dimension) in empties {
      let extent = geometry.extent
      #expect(geometry.isEmpty && extent.isEmpty && geometry.dimension == dimension)
      #expect(extent.xMin.isNaN && extent.yMin.isNaN && extent.xMax.isNaN && extent.yMax.isNaN)
      #expect(geometry.spatialReference == .wgs84 && extent.spatialReference == .wgs84)
      #expect(!geometry.hasZ && !geometry.hasM)
    }
    #expect(GeometryDimension.area.rawValue == 2 && !Polygon(points: square).isEmpty)
  }

  @Test("A ring is closed, however it was given, with the first vertex and all it has")
  func rings() {
    let open = Polygon(points: square)
    #expect(open == Polygon(points: square + [square[0]]) && open.parts[0].count == 5)
    #expect(open.parts[0].segments.count == 4 && open.parts[0].endPoint == open.parts[0].startPoint)
    #expect(open.parts[0].segments.last?.startPoint == square[3])
    let high = Polygon(points: square.map { Point(x: $0.x, y: $0.y, z: $0.x + 1) })
    #expect(high.parts[0].last?.z == 1 && high.hasZ)
    // A line stays as it is.
    let line = Polyline(points: square)
    #expect(line.parts[0].points == square && line.parts[0].segments.count == 3)
    #expect(line.parts[0].segments[1] == LineSegment(startPoint: square[1], endPoint: square[2]))
  }

  @Test("Every vertex has the reference of the whole: the one given, else that of the first that has one")
  func references() {
    let mixed = [Point(x: 1, y: 2), Point(latitude: 4, longitude: 3)]
    for geometry: any Multipart in [Polyline(points: mixed), Polygon(parts: [mixed])] {
      #expect(geometry.spatialReference == .wgs84)
      #expect(geometry.parts.joined().allSatisfy { $0.spatialReference == .wgs84 })
    }
    let given = Multipoint(points: mixed, spatialReference: .webMercator)
    #expect(given.points.allSatisfy { $0.spatialReference == .webMercator } && given.points[1].x == 3)
    let part = MutablePart(points: mixed, spatialReference: .webMercator)
    #expect(part.map(\.spatialReference) == [.webMercator, .wgs84])
  }

  private typealias MutablePart = [Point]

  @Test("All numbers of Web Mercator are one reference")
  func identifiers() {
    for wkid in [3857, 102100, 102113, 900913] {
      #expect(SpatialReference(wkid: wkid) == .webMercator && SpatialReference(wkid: wkid).wkid == 3857)
    }
    for wkid in [3395, 102101, 4326, 900914] { #expect(SpatialReference(wkid: wkid) != .webMercator) }
    #expect(SpatialReference.wgs84.wkid == 4326)
    #expect(WKID(0) == nil && WKID(-3857) == nil && WKID(4326)?.rawValue == 4326)
  }

  /// Source: EPSG Guidance Note 7-2, method 1024: x = a λ, y = a ln tan(π/4 + φ/2), a of WGS 84.
  @Test func constantsOfWebMercator() {
    #expect(WebMercator.radius == 6_378_137)
    #expect(WebMercator.halfWorld == 20_037_508.342789244)
    #expect(abs(WebMercator.halfWorld - WebMercator.radius * Double.pi) < 4e-9)
    #expect(WebMercator.latitudeLimit == 85.05112877980659)
    #expect(abs(WebMercator.y(latitude: WebMercator.latitudeLimit) - WebMercator.halfWorld) < 1e-7)
    #expect(!WebMercator.y(latitude: 90).isFinite && !WebMercator.y(latitude: -90.5).isFinite)
  }

  @Test("Units, by their definitions")
  func units() {
    func metres(_ unit: LinearUnit) -> Double {
      Quantity(value: 5280, unit: unit).converted(to: .meters).value
    }
    #expect(abs(metres(.feet) - LinearUnit.miles.meters) < 1e-9)
    #expect(abs(metres(.yards) - 3 * LinearUnit.miles.meters) < 1e-9)
    #expect(LinearUnit.usSurveyFeet.meters * 3937 == 1200 && LinearUnit.feet.meters == 0.3048)
    #expect(Quantity(value: 1.5, unit: LinearUnit.kilometers).converted(to: .meters).value == 1500)
    #expect(Quantity(value: 1852, unit: LinearUnit.meters).converted(to: .nauticalMiles).value == 1)
    #expect(Quantity(value: 180, unit: AngularUnit.degrees).converted(to: .radians).value == .pi)
    #expect(Quantity(value: 400, unit: AngularUnit.grads).converted(to: .degrees).value == 360)
  }
}
