/// What every geometry answers: where it is and in which reference.
///
/// A protocol over immutable values, because the public model wants one supertype; algorithms switch over ``form``.
public protocol Geometry: Sendable {
  /// The reference of the coordinates; nil where none is known.
  var spatialReference: SpatialReference? { get }
  /// The smallest envelope that holds the geometry; NaN sides when it is empty.
  var extent: Envelope { get }
  /// True when there is no coordinate at all.
  var isEmpty: Bool { get }
  /// The closed family behind the protocol.
  var form: GeometryForm { get }
}

/// The geometries that there are.
public enum GeometryForm: Hashable, Sendable {
  /// One place.
  case point(Point)
  /// Several places.
  case multipoint(Multipoint)
  /// One or more chains of vertices.
  case polyline(Polyline)
  /// One or more rings, filled by the even-odd rule.
  case polygon(Polygon)
  /// An upright rectangle.
  case envelope(Envelope)
}

/// One place on the map.
public struct Point: Geometry, Hashable {
  /// East, in units of the reference; NaN when the point is empty.
  public let x: Double
  /// North, in units of the reference; NaN when the point is empty.
  public let y: Double
  /// The reference of the coordinates.
  public let spatialReference: SpatialReference?

  /// A point in any reference.
  public init(x: Double, y: Double, spatialReference: SpatialReference? = nil) {
    (self.x, self.y, self.spatialReference) = (x, y, spatialReference)
  }

  /// A point in WGS 84, in degrees.
  public init(latitude: Double, longitude: Double) {
    self.init(x: longitude, y: latitude, spatialReference: .wgs84)
  }

  /// True when there is no coordinate.
  public var isEmpty: Bool { x.isNaN || y.isNaN }
  /// The smallest envelope that holds it.
  public var extent: Envelope {
    Envelope(xMin: x, yMin: y, xMax: x, yMax: y, spatialReference: spatialReference)
  }
  /// The case it is of the closed family.
  public var form: GeometryForm { .point(self) }
}

/// Several places that are one feature.
public struct Multipoint: Geometry, Hashable {
  /// The places, in the order given.
  public let points: [Point]
  /// The reference of the coordinates.
  public let spatialReference: SpatialReference?

  /// Points that share the reference given, or else that of the first.
  public init(points: [Point], spatialReference: SpatialReference? = nil) {
    self.points = points
    self.spatialReference = spatialReference ?? points.first?.spatialReference
  }

  /// True when there is no coordinate.
  public var isEmpty: Bool { points.isEmpty }
  /// The smallest envelope that holds it.
  public var extent: Envelope { Envelope(of: points, spatialReference: spatialReference) }
  /// The case it is of the closed family.
  public var form: GeometryForm { .multipoint(self) }
}

/// One or more chains of vertices.
public struct Polyline: Geometry, Hashable {
  /// The chains, each of two vertices or more.
  public let parts: [[Point]]
  /// The reference of the coordinates.
  public let spatialReference: SpatialReference?

  /// Chains that share the reference given, or else that of the first vertex.
  public init(parts: [[Point]], spatialReference: SpatialReference? = nil) {
    self.parts = parts
    self.spatialReference = spatialReference ?? parts.first?.first?.spatialReference
  }

  /// One chain.
  public init(points: [Point]) { self.init(parts: [points]) }

  /// True when there is no coordinate.
  public var isEmpty: Bool { parts.allSatisfy(\.isEmpty) }
  /// The smallest envelope that holds it.
  public var extent: Envelope { Envelope(of: parts.joined(), spatialReference: spatialReference) }
  /// The case it is of the closed family.
  public var form: GeometryForm { .polyline(self) }
}

/// One or more rings; what lies inside an odd number of them is inside.
public struct Polygon: Geometry, Hashable {
  /// The rings, closed whether or not the first vertex is repeated at the end.
  public let parts: [[Point]]
  /// The reference of the coordinates.
  public let spatialReference: SpatialReference?

  /// Rings that share the reference given, or else that of the first vertex.
  public init(parts: [[Point]], spatialReference: SpatialReference? = nil) {
    self.parts = parts
    self.spatialReference = spatialReference ?? parts.first?.first?.spatialReference
  }

  /// One ring.
  public init(points: [Point]) { self.init(parts: [points]) }

  /// True when there is no coordinate.
  public var isEmpty: Bool { parts.allSatisfy(\.isEmpty) }
  /// The smallest envelope that holds it.
  public var extent: Envelope { Envelope(of: parts.joined(), spatialReference: spatialReference) }
  /// The case it is of the closed family.
  public var form: GeometryForm { .polygon(self) }
}
