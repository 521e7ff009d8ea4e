import MapGeometry
import MapTestSupport
import Testing

/// Geometries as values: their properties.
@Suite struct GeometryValueTests {
  private let square = [(0.0, 0.0), (0.0, 2.0), (2.0, 2.0), (2.0, 0.0)].map { Point(x: $0.0, y: $0.1) }

  @Test("A point has Z and M values only when given, and they count for equality")
  func points() {
    let flat = Point(x: 1, y: 2, spatialReference: .webMercator)
    #expect(flat.z == nil)
    #expect(flat.m == nil)
    #expect(!flat.hasZ)
    #expect(!flat.hasM)
    let high = Point(x: 1, y: 2, z: 3, spatialReference: .webMercator)
    #expect(high.z == 3)
    #expect(high.hasZ)
    #expect(!high.hasM)
    #expect(high != flat)
    #expect(Set([flat, high, Point(x: 1, y: 2, z: .nan, spatialReference: .webMercator)]).count == 2)
    let place = Point(latitude: 52.5, longitude: 13.4)
    #expect(place.x == 13.4)
    #expect(place.y == 52.5)
    #expect(place.spatialReference == .wgs84)
    #expect(Point(x: 1, y: 2, m: 0).hasM)
    #expect(Point(x: .nan, y: .nan).isEmpty)
  }

  @Test("Each initialiser of an envelope gives the same sides")
  func envelopes() {
    let sides = Envelope(xMin: 1, yMin: 2, xMax: 5, yMax: 8, spatialReference: .wgs84)
    #expect(Envelope(xRange: 1...5, yRange: 2...8, spatialReference: .wgs84) == sides)
    #expect(
      Envelope(
        min: Point(x: 1, y: 2), max: Point(x: 5, y: 8, spatialReference: .wgs84)) == sides)
    #expect(
      Envelope(center: Point(x: 3, y: 5, spatialReference: .wgs84), width: 4, height: 6) == sides)
    #expect(sides.width == 4)
    #expect(sides.height == 6)
    #expect(!sides.hasZ)
    #expect(sides.zMin == nil)
    #expect(sides.center == Point(x: 3, y: 5, spatialReference: .wgs84))
    let deep = Envelope(xRange: 1...5, yRange: 2...8, zRange: -1...3, mRange: 0...4, spatialReference: .wgs84)
    #expect(deep.zMin == -1)
    #expect(deep.zMax == 3)
    #expect(deep.hasZ)
    #expect(deep.hasM)
    #expect(deep != sides)
    #expect(deep.center == Point(x: 3, y: 5, z: 1, m: 2, spatialReference: .wgs84))
    #expect(deep.grown(by: 1).zMax == 3)
    #expect(deep.with(spatialReference: nil).mMin == 0)
  }

  @Test("An extent's Z and M ranges come from the vertices that have them")
  func depthsOfExtents() {
    let points = [Point(x: 0, y: 0), Point(x: 1, y: 1, z: 7), Point(x: 2, y: 0, z: -2, m: 5)]
    let extent = Polyline(points: points).extent
    #expect(extent.zMin == -2)
    #expect(extent.zMax == 7)
    #expect(extent.mMin == 5)
    #expect(extent.mMax == 5)
    #expect(extent.xMax == 2)
    #expect(extent.yMax == 1)
    #expect(Polyline(points: points.prefix(1)).extent.zMin == nil)
  }

  @Test("An empty geometry keeps its dimension and spatial reference and has an empty extent")
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
      #expect(geometry.isEmpty)
      #expect(extent.isEmpty)
      #expect(geometry.dimension == dimension)
      #expect(extent.xMin.isNaN)
      #expect(extent.yMin.isNaN)
      #expect(extent.xMax.isNaN)
      #expect(extent.yMax.isNaN)
      #expect(geometry.spatialReference == .wgs84)
      #expect(extent.spatialReference == .wgs84)
      #expect(!geometry.hasZ)
      #expect(!geometry.hasM)
    }
    #expect(GeometryDimension.area.rawValue == 2)
    #expect(!Polygon(points: square).isEmpty)
  }

  @Test("A polygon ring is closed with a copy of its first vertex")
  func rings() {
    let open = Polygon(points: square)
    #expect(open == Polygon(points: square + [square[0]]))
    #expect(open.parts[0].count == 5)
    #expect(open.parts[0].segments.count == 4)
    #expect(open.parts[0].endPoint == open.parts[0].startPoint)
    #expect(open.parts[0].segments.last?.startPoint == square[3])
    let high = Polygon(points: square.map { Point(x: $0.x, y: $0.y, z: $0.x + 1) })
    #expect(high.parts[0].last?.z == 1)
    #expect(high.hasZ)
    // A line is not closed.
    let line = Polyline(points: square)
    #expect(line.parts[0].points == square)
    #expect(line.parts[0].segments.count == 3)
    #expect(line.parts[0].segments[1] == LineSegment(startPoint: square[1], endPoint: square[2]))
  }

  @Test("Every vertex has the geometry's spatial reference")
  func references() {
    let mixed = [Point(x: 1, y: 2), Point(latitude: 4, longitude: 3)]
    for geometry: any Multipart in [Polyline(points: mixed), Polygon(parts: [mixed])] {
      #expect(geometry.spatialReference == .wgs84)
      #expect(geometry.parts.joined().allSatisfy { $0.spatialReference == .wgs84 })
    }
    let given = Multipoint(points: mixed, spatialReference: .webMercator)
    #expect(given.points.allSatisfy { $0.spatialReference == .webMercator })
    #expect(given.points[1].x == 3)
    let part = MutablePart(points: mixed, spatialReference: .webMercator)
    #expect(part.map(\.spatialReference) == [.webMercator, .wgs84])
  }

  private typealias MutablePart = [Point]

  @Test("All identifiers of Web Mercator give the same spatial reference")
  func identifiers() {
    for wkid in [3857, 102100, 102113, 900913] {
      #expect(SpatialReference(wkid: wkid) == .webMercator)
      #expect(SpatialReference(wkid: wkid).wkid == 3857)
    }
    for wkid in [3395, 102101, 4326, 900914] { #expect(SpatialReference(wkid: wkid) != .webMercator) }
    #expect(SpatialReference.wgs84.wkid == 4326)
    #expect(WKID(0) == nil)
    #expect(WKID(-3857) == nil)
    #expect(WKID(4326)?.rawValue == 4326)
  }

  /// Source: EPSG Guidance Note 7-2, method 1024: x = a λ, y = a ln tan(π/4 + φ/2), a of WGS 84.
  @Test("The constants of Web Mercator match EPSG's definition")
  func constantsOfWebMercator() {
    #expect(WebMercator.radius == 6_378_137)
    #expect(WebMercator.halfWorld == 20_037_508.342789244)
    #expect(abs(WebMercator.halfWorld - WebMercator.radius * Double.pi) < 4e-9)
    #expect(WebMercator.latitudeLimit == 85.05112877980659)
    #expect(abs(WebMercator.y(latitude: WebMercator.latitudeLimit) - WebMercator.halfWorld) < 1e-7)
    #expect(!WebMercator.y(latitude: 90).isFinite)
    #expect(!WebMercator.y(latitude: -90.5).isFinite)
  }

  @Test("Units convert by their definitions")
  func units() {
    func metres(_ unit: LinearUnit) -> Double {
      Quantity(value: 5280, unit: unit).converted(to: .meters).value
    }
    #expect(abs(metres(.feet) - LinearUnit.miles.meters) < 1e-9)
    #expect(abs(metres(.yards) - 3 * LinearUnit.miles.meters) < 1e-9)
    #expect(LinearUnit.usSurveyFeet.meters * 3937 == 1200)
    #expect(LinearUnit.feet.meters == 0.3048)
    #expect(Quantity(value: 1.5, unit: LinearUnit.kilometers).converted(to: .meters).value == 1500)
    #expect(Quantity(value: 1852, unit: LinearUnit.meters).converted(to: .nauticalMiles).value == 1)
    #expect(Quantity(value: 180, unit: AngularUnit.degrees).converted(to: .radians).value == .pi)
    #expect(Quantity(value: 400, unit: AngularUnit.grads).converted(to: .degrees).value == 360)
  }
}
