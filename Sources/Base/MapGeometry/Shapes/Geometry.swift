/// A geometry: immutable coordinates with an extent and a spatial reference.
///
/// It is a protocol because the public model needs one supertype; algorithms switch over ``form``. A vertex may have a
/// Z and an M value. They are kept when a geometry is read, written, built or projected. Tables, spatial relations,
/// images and planar computations use x and y only.
public protocol Geometry: Sendable {
  /// The spatial reference of the coordinates; nil when unknown.
  var spatialReference: SpatialReference? { get }
  /// The smallest envelope that contains the geometry; its sides are NaN when the geometry is empty.
  var extent: Envelope { get }
  /// Whether the geometry has no coordinates.
  var isEmpty: Bool { get }
  /// Whether a vertex has a Z value; O(vertices) when none has.
  var hasZ: Bool { get }
  /// Whether a vertex has an M value; O(vertices) when none has.
  var hasM: Bool { get }
  /// The geometry as a case of the closed enumeration.
  var form: GeometryForm { get }
}

/// A closed enumeration of all geometries.
public enum GeometryForm: Hashable, Sendable {
  /// A point.
  case point(Point)
  /// Several points.
  case multipoint(Multipoint)
  /// One or more chains of vertices.
  case polyline(Polyline)
  /// One or more rings, filled by the even-odd rule.
  case polygon(Polygon)
  /// An axis-aligned rectangle.
  case envelope(Envelope)
}

/// The number of dimensions of a geometry.
public enum GeometryDimension: Int, Hashable, Sendable {
  /// Zero: points and multipoints.
  case point = 0
  /// One: polylines.
  case curve = 1
  /// Two: polygons and envelopes.
  case area = 2
}

extension Geometry {
  /// The number of dimensions, by the kind of the geometry.
  public var dimension: GeometryDimension {
    switch form {
    case .point, .multipoint: .point
    case .polyline: .curve
    case .polygon, .envelope: .area
    }
  }
}
