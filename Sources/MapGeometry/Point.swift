/// One place on the map.
public struct Point: Geometry, Hashable {
  /// East, in units of the reference; NaN when the point is empty.
  public let x: Double
  /// North, in units of the reference; NaN when the point is empty.
  public let y: Double
  private let height: OptionalNumber
  private let measure: OptionalNumber
  /// The reference of the coordinates.
  public let spatialReference: SpatialReference?

  /// A point in any reference; NaN for z or m is as good as nil.
  public init(
    x: Double, y: Double, z: Double? = nil, m: Double? = nil, spatialReference: SpatialReference? = nil
  ) {
    (self.x, self.y, self.spatialReference) = (x, y, spatialReference)
    (height, measure) = (OptionalNumber(z), OptionalNumber(m))
  }

  /// A point in WGS 84, in degrees.
  public init(latitude: Double, longitude: Double) {
    self.init(x: longitude, y: latitude, spatialReference: .wgs84)
  }

  /// Height, mostly in metres, of which the reference says nothing; nil where none is known.
  public var z: Double? { height.value }
  /// A measure along a line, such as kilometres of a road; nil where none is known.
  public var m: Double? { measure.value }
  /// True when there is a height.
  public var hasZ: Bool { height.isThere }
  /// True when there is a measure.
  public var hasM: Bool { measure.isThere }

  /// True when there is no coordinate.
  public var isEmpty: Bool { x.isNaN || y.isNaN }
  /// The smallest envelope that holds it.
  public var extent: Envelope { Envelope(min: self, max: self) }
  /// The case it is of the closed family.
  public var form: GeometryForm { .point(self) }

  /// The same height and measure at another place.
  package func moved(x: Double, y: Double, spatialReference: SpatialReference?) -> Point {
    Point(x: x, y: y, z: z, m: m, spatialReference: spatialReference)
  }
}

extension Sequence<Point> {
  /// The points as those of a geometry, each with its reference, whose coordinates all are in.
  func vertices(in reference: SpatialReference?) -> [Point] {
    let points = Array(self)
    guard points.contains(where: { $0.spatialReference != reference }) else { return points }
    return points.map { $0.moved(x: $0.x, y: $0.y, spatialReference: reference) }
  }
}
