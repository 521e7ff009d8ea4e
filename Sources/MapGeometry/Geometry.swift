/// What every geometry answers: where it is and in which reference.
///
/// A protocol over immutable values, because the public model wants one supertype; algorithms switch over ``form``.
/// A vertex may have a height (z) and a measure (m). They stay with it where a geometry is read, written, built or
/// projected; tables, relations, pictures and whatever is worked out in the plane go by x and y alone.
public protocol Geometry: Sendable {
  /// The reference of the coordinates; nil where none is known.
  var spatialReference: SpatialReference? { get }
  /// The smallest envelope that holds the geometry; NaN sides when it is empty.
  var extent: Envelope { get }
  /// True when there is no coordinate at all.
  var isEmpty: Bool { get }
  /// True when a vertex has a height; O(vertices) where none has.
  var hasZ: Bool { get }
  /// True when a vertex has a measure; O(vertices) where none has.
  var hasM: Bool { get }
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

/// How many directions the inside of a geometry has.
public enum GeometryDimension: Int, Hashable, Sendable {
  /// None: points and multipoints.
  case point = 0
  /// One: polylines.
  case curve = 1
  /// Two: polygons and envelopes.
  case area = 2
}

extension Geometry {
  /// How many directions its inside has, by its kind.
  public var dimension: GeometryDimension {
    switch form {
    case .point, .multipoint: .point
    case .polyline: .curve
    case .polygon, .envelope: .area
    }
  }
}
