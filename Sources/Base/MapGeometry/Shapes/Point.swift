/// A single point on the map.
public struct Point: Geometry, Hashable {
  /// The x coordinate, to the east, in units of the spatial reference; NaN when the point is empty.
  public let x: Double
  /// The y coordinate, to the north, in units of the spatial reference; NaN when the point is empty.
  public let y: Double
  private let height: OptionalNumber
  private let measure: OptionalNumber
  /// The spatial reference of the coordinates.
  public let spatialReference: SpatialReference?

  /// Creates a point in any spatial reference; NaN for z or m means no value, like nil.
  public init(
    x: Double, y: Double, z: Double? = nil, m: Double? = nil, spatialReference: SpatialReference? = nil
  ) {
    (self.x, self.y, self.spatialReference) = (x, y, spatialReference)
    (height, measure) = (OptionalNumber(z), OptionalNumber(m))
  }

  /// Creates a point in WGS 84, in degrees.
  public init(latitude: Double, longitude: Double) {
    self.init(x: longitude, y: latitude, spatialReference: .wgs84)
  }

  /// The Z value, usually a height in metres, whose unit the spatial reference does not define; nil when unknown.
  public var z: Double? { height.value }
  /// The M value, a measure along a line such as kilometres of a road; nil when unknown.
  public var m: Double? { measure.value }
  /// Whether the point has a Z value.
  public var hasZ: Bool { height.isThere }
  /// Whether the point has an M value.
  public var hasM: Bool { measure.isThere }

  /// Whether the point has no coordinates.
  public var isEmpty: Bool { x.isNaN || y.isNaN }
  /// The smallest envelope that contains the point.
  public var extent: Envelope { Envelope(min: self, max: self) }
  /// The geometry as a case of the closed enumeration.
  public var form: GeometryForm { .point(self) }

  /// Returns a point with other coordinates and the same Z and M values.
  package func moved(x: Double, y: Double, spatialReference: SpatialReference?) -> Point {
    Point(x: x, y: y, z: z, m: m, spatialReference: spatialReference)
  }
}

extension Sequence<Point> {
  /// Returns the points with the spatial reference of their geometry; coordinates stay unchanged.
  func vertices(in reference: SpatialReference?) -> [Point] {
    let points = Array(self)
    guard points.contains(where: { $0.spatialReference != reference }) else { return points }
    return points.map { $0.moved(x: $0.x, y: $0.y, spatialReference: reference) }
  }
}
