/// A geometry of several parts: a polyline or a polygon.
public protocol Multipart: Geometry {
  /// The parts, each a list of vertices in order; see ``Swift/Array/segments``.
  var parts: [[Point]] { get }
  /// Creates a geometry in the given spatial reference, or else in that of the first vertex that has one.
  init(parts: [[Point]], spatialReference: SpatialReference?)
}

extension Multipart {
  /// Creates a geometry of one part.
  public init(points: some Sequence<Point>, spatialReference: SpatialReference? = nil) {
    self.init(parts: [Array(points)], spatialReference: spatialReference)
  }

  /// Whether the geometry has no coordinates.
  public var isEmpty: Bool { parts.allSatisfy(\.isEmpty) }
  /// Whether a vertex has a Z value.
  public var hasZ: Bool { parts.contains { $0.contains(where: \.hasZ) } }
  /// Whether a vertex has an M value.
  public var hasM: Bool { parts.contains { $0.contains(where: \.hasM) } }
  /// The smallest envelope that contains the geometry.
  public var extent: Envelope { Envelope(of: parts.joined(), spatialReference: spatialReference) }
}

/// One or more chains of vertices.
public struct Polyline: Multipart, Hashable {
  /// The chains, each of two or more vertices.
  public let parts: [[Point]]
  /// The spatial reference of the coordinates.
  public let spatialReference: SpatialReference?

  /// Creates a polyline in the given spatial reference, or else in that of the first vertex that has one.
  public init(parts: [[Point]], spatialReference: SpatialReference? = nil) {
    self.spatialReference = spatialReference ?? parts.reference
    self.parts = parts.map { [reference = self.spatialReference] in $0.vertices(in: reference) }
  }

  /// Creates a polyline from chains whose vertices already have that spatial reference.
  init(vertices: [[Point]], of spatialReference: SpatialReference?) {
    (parts, self.spatialReference) = (vertices, spatialReference)
  }

  /// The geometry as a case of the closed enumeration.
  public var form: GeometryForm { .polyline(self) }
}

/// An area with one or more rings; a point inside an odd number of them is inside the polygon.
public struct Polygon: Multipart, Hashable {
  /// The rings, each with its first vertex repeated at the end.
  public let parts: [[Point]]
  /// The spatial reference of the coordinates.
  public let spatialReference: SpatialReference?

  /// Creates a polygon in the given spatial reference, or else in that of the first vertex that has one.
  ///
  /// A ring that does not end at its first vertex is closed.
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

  /// Creates a polygon from closed rings whose vertices already have that spatial reference.
  init(vertices: [[Point]], of spatialReference: SpatialReference?) {
    (parts, self.spatialReference) = (vertices, spatialReference)
  }

  /// The geometry as a case of the closed enumeration.
  public var form: GeometryForm { .polygon(self) }
}

extension [[Point]] {
  /// The spatial reference of the first vertex that has one.
  fileprivate var reference: SpatialReference? { joined().lazy.compactMap(\.spatialReference).first }
}

/// A straight edge from one vertex to the next.
public struct LineSegment: Hashable, Sendable {
  /// The start of the edge.
  public let startPoint: Point
  /// The end of the edge.
  public let endPoint: Point

  /// Creates the edge between two points.
  public init(startPoint: Point, endPoint: Point) {
    (self.startPoint, self.endPoint) = (startPoint, endPoint)
  }
}

/// A part of a geometry, which is a list of vertices in order.
extension [Point] {
  /// Creates a part, with a spatial reference for those points that have none.
  public init(points: some Sequence<Point>, spatialReference: SpatialReference? = nil) {
    self = points.map {
      $0.moved(x: $0.x, y: $0.y, spatialReference: $0.spatialReference ?? spatialReference)
    }
  }

  /// The vertices, which are the part itself.
  public var points: [Point] { self }
  /// The edges between the vertices, one fewer than the vertices.
  public var segments: [LineSegment] {
    zip(self, dropFirst()).map { LineSegment(startPoint: $0, endPoint: $1) }
  }
  /// The first vertex; nil when there is none.
  public var startPoint: Point? { first }
  /// The last vertex, which equals the first in a ring; nil when there is none.
  public var endPoint: Point? { last }
}
