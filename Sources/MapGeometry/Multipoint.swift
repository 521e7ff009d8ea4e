/// Several places that are one feature.
public struct Multipoint: Geometry, Hashable {
  /// The places, in the order given, each with the reference of all.
  public let points: [Point]
  /// The reference of the coordinates.
  public let spatialReference: SpatialReference?

  /// Points whose coordinates are in the reference given, or else in that of the first that has one.
  public init(points: some Sequence<Point>, spatialReference: SpatialReference? = nil) {
    let points = Array(points)
    self.spatialReference = spatialReference ?? points.lazy.compactMap(\.spatialReference).first
    self.points = points.vertices(in: self.spatialReference)
  }

  /// True when there is no coordinate.
  public var isEmpty: Bool { points.isEmpty }
  /// True when a point has a height.
  public var hasZ: Bool { points.contains(where: \.hasZ) }
  /// True when a point has a measure.
  public var hasM: Bool { points.contains(where: \.hasM) }
  /// The smallest envelope that holds it.
  public var extent: Envelope { Envelope(of: points, spatialReference: spatialReference) }
  /// The case it is of the closed family.
  public var form: GeometryForm { .multipoint(self) }
}
