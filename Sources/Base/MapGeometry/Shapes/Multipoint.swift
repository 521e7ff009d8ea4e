/// Several points that form one geometry.
public struct Multipoint: Geometry, Hashable {
  /// The points in the given order, all in the same spatial reference.
  public let points: [Point]
  /// The spatial reference of the coordinates.
  public let spatialReference: SpatialReference?

  /// Creates a multipoint in the given spatial reference, or else in that of the first point that has one.
  public init(points: some Sequence<Point>, spatialReference: SpatialReference? = nil) {
    let points = Array(points)
    self.spatialReference = spatialReference ?? points.lazy.compactMap(\.spatialReference).first
    self.points = points.vertices(in: self.spatialReference)
  }

  /// Whether the geometry has no coordinates.
  public var isEmpty: Bool { points.isEmpty }
  /// Whether a point has a Z value.
  public var hasZ: Bool { points.contains(where: \.hasZ) }
  /// Whether a point has an M value.
  public var hasM: Bool { points.contains(where: \.hasM) }
  /// The smallest envelope that contains the points.
  public var extent: Envelope { Envelope(of: points, spatialReference: spatialReference) }
  /// The geometry as a case of the closed enumeration.
  public var form: GeometryForm { .multipoint(self) }
}
