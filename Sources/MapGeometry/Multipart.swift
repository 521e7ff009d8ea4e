/// A line or an area: a geometry of several parts.
public protocol Multipart: Geometry {
  /// The parts, each its vertices in order; see ``Swift/Array/segments``.
  var parts: [[Point]] { get }
  /// Parts whose coordinates are in the reference given, or else in that of the first vertex that has one.
  init(parts: [[Point]], spatialReference: SpatialReference?)
}

extension Multipart {
  /// One part.
  public init(points: some Sequence<Point>, spatialReference: SpatialReference? = nil) {
    self.init(parts: [Array(points)], spatialReference: spatialReference)
  }

  /// True when there is no coordinate.
  public var isEmpty: Bool { parts.allSatisfy(\.isEmpty) }
  /// True when a vertex has a height.
  public var hasZ: Bool { parts.contains { $0.contains(where: \.hasZ) } }
  /// True when a vertex has a measure.
  public var hasM: Bool { parts.contains { $0.contains(where: \.hasM) } }
  /// The smallest envelope that holds it.
  public var extent: Envelope { Envelope(of: parts.joined(), spatialReference: spatialReference) }
}

/// One or more chains of vertices.
public struct Polyline: Multipart, Hashable {
  /// The chains, each of two vertices or more.
  public let parts: [[Point]]
  /// The reference of the coordinates.
  public let spatialReference: SpatialReference?

  /// Chains whose coordinates are in the reference given, or else in that of the first vertex that has one.
  public init(parts: [[Point]], spatialReference: SpatialReference? = nil) {
    self.spatialReference = spatialReference ?? parts.reference
    self.parts = parts.map { [reference = self.spatialReference] in $0.vertices(in: reference) }
  }

  /// Chains whose vertices have that reference already.
  init(vertices: [[Point]], of spatialReference: SpatialReference?) {
    (parts, self.spatialReference) = (vertices, spatialReference)
  }

  /// The case it is of the closed family.
  public var form: GeometryForm { .polyline(self) }
}

/// One or more rings; what lies inside an odd number of them is inside.
public struct Polygon: Multipart, Hashable {
  /// The rings, each with its first vertex again at the end.
  public let parts: [[Point]]
  /// The reference of the coordinates.
  public let spatialReference: SpatialReference?

  /// Rings whose coordinates are in the reference given, or else in that of the first vertex that has one.
  ///
  /// A ring that does not end where it starts is closed.
  public init(parts: [[Point]], spatialReference: SpatialReference? = nil) {
    self.spatialReference = spatialReference ?? parts.reference
    self.parts = parts.map { [reference = self.spatialReference] part in
      let ring = part.vertices(in: reference)
      guard let first = ring.first, let last = ring.last, first.x != last.x || first.y != last.y else {
        return ring
      }
      return ring + [first]
    }
  }

  /// Closed rings whose vertices have that reference already.
  init(vertices: [[Point]], of spatialReference: SpatialReference?) {
    (parts, self.spatialReference) = (vertices, spatialReference)
  }

  /// The case it is of the closed family.
  public var form: GeometryForm { .polygon(self) }
}

extension [[Point]] {
  /// The reference of the first vertex that has one.
  fileprivate var reference: SpatialReference? { joined().lazy.compactMap(\.spatialReference).first }
}

/// The straight edge from one vertex to the next.
public struct LineSegment: Hashable, Sendable {
  /// Where it starts.
  public let startPoint: Point
  /// Where it ends.
  public let endPoint: Point

  /// The edge between two places.
  public init(startPoint: Point, endPoint: Point) {
    (self.startPoint, self.endPoint) = (startPoint, endPoint)
  }
}

/// What a part of a geometry answers: it is its vertices, in order.
extension [Point] {
  /// A part, with a reference for those points that have none.
  public init(points: some Sequence<Point>, spatialReference: SpatialReference? = nil) {
    self = points.map {
      $0.moved(x: $0.x, y: $0.y, spatialReference: $0.spatialReference ?? spatialReference)
    }
  }

  /// The vertices: itself.
  public var points: [Point] { self }
  /// The edges between the vertices, one fewer than those.
  public var segments: [LineSegment] {
    zip(self, dropFirst()).map { LineSegment(startPoint: $0, endPoint: $1) }
  }
  /// The first vertex; nil where there is none.
  public var startPoint: Point? { first }
  /// The last vertex, in a ring the first again; nil where there is none.
  public var endPoint: Point? { last }
}
