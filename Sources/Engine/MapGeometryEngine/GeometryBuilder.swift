public import MapGeometry
import Synchronization

/// A builder of a point from coordinates that may change; the point added last is used.
public typealias PointBuilder = GeometryBuilder<Point>
/// A builder of a multipoint from added points.
public typealias MultipointBuilder = GeometryBuilder<Multipoint>
/// A builder of a line from added vertices and parts.
public typealias PolylineBuilder = GeometryBuilder<Polyline>
/// A builder of an area from added vertices and rings, which it closes.
public typealias PolygonBuilder = GeometryBuilder<Polygon>
/// A builder of the envelope of added points and geometries.
public typealias EnvelopeBuilder = GeometryBuilder<Envelope>
/// The vertices of a part under construction.
public typealias MutablePart = [Point]

/// A builder that collects the vertices of a geometry in one spatial reference.
///
/// A builder is an object that any thread may change. Without a spatial reference, it takes that of the first
/// vertex that has one. A vertex without a spatial reference is taken to be in the builder's; a vertex in another
/// one is projected.
public final class GeometryBuilder<Shape: Geometry>: Sendable {
  private let state: Mutex<BuilderState>

  /// Creates an empty builder.
  public init(spatialReference: SpatialReference?) {
    state = Mutex(BuilderState(reference: spatialReference, ringsStayOpen: Shape.self == Polygon.self))
  }

  /// The spatial reference of the result; nil if none was given yet.
  public var spatialReference: SpatialReference? { state.withLock { $0.reference } }

  /// Whether the builder has no vertex.
  public var isEmpty: Bool { vertices.allSatisfy(\.isEmpty) }

  /// The envelope of the current vertices.
  public var extent: Envelope {
    let (parts, reference) = state.withLock { ($0.parts, $0.reference) }
    return Envelope(of: parts.joined(), spatialReference: reference)
  }

  /// Adds a vertex to the last part; returns false and adds nothing if the vertex cannot be projected.
  @discardableResult public func add(_ point: Point) -> Bool { state.withLock { $0.add(point) } }

  /// Replaces all vertices with those of a geometry; nil removes all.
  public func replaceGeometry(with geometry: Shape?) {
    vertices = (geometry as? Envelope).map { [[$0.low, $0.high]] } ?? geometry?.vertices ?? []
  }

  /// The vertices by part; rings of a polygon are without their closing vertex.
  fileprivate var vertices: [[Point]] {
    get { state.withLock { $0.parts } }
    set { state.withLock { $0.replaceParts(with: newValue) } }
  }

  fileprivate convenience init(_ geometry: Shape?) {
    self.init(spatialReference: geometry?.spatialReference)
    replaceGeometry(with: geometry)
  }
}

extension GeometryBuilder where Shape: Multipart {
  /// Creates a builder with one part.
  public convenience init(points: some Sequence<Point>, spatialReference: SpatialReference? = nil) {
    self.init(spatialReference: spatialReference)
    vertices = [Array(points)]
  }

  /// The current parts; rings are not closed yet.
  public var parts: [[Point]] {
    get { vertices }
    set { vertices = newValue }
  }

  /// Starts a part, which receives the next vertices.
  public func addPart(_ part: [Point] = []) { state.withLock { $0.addPart(part) } }

  /// Returns the built geometry.
  public func toGeometry() -> Shape { Shape(parts: vertices, spatialReference: spatialReference) }
}

extension GeometryBuilder where Shape == Polyline {
  /// Creates a builder with the parts of a line.
  public convenience init(polyline: Polyline?) { self.init(polyline) }
}

extension GeometryBuilder where Shape == Polygon {
  /// Creates a builder with the rings of an area.
  public convenience init(polygon: Polygon?) { self.init(polygon) }
}

extension GeometryBuilder where Shape == Multipoint {
  /// Creates a builder with the points of a multipoint.
  public convenience init(multipoint: Multipoint?) { self.init(multipoint) }

  /// The current points.
  public var points: [Point] {
    get { Array(vertices.joined()) }
    set { vertices = [newValue] }
  }

  /// Returns the built multipoint.
  public func toGeometry() -> Multipoint { Multipoint(points: points, spatialReference: spatialReference) }
}

extension GeometryBuilder where Shape == Point {
  /// Creates a builder with a point.
  public convenience init(point: Point?) { self.init(point) }

  /// Creates a builder with coordinates.
  public convenience init(
    x: Double, y: Double, z: Double? = nil, m: Double? = nil, spatialReference: SpatialReference? = nil
  ) {
    self.init(Point(x: x, y: y, z: z, m: m, spatialReference: spatialReference))
  }

  /// The x coordinate; NaN without a point.
  public var x: Double {
    get { toGeometry().x }
    set { change { Point(x: newValue, y: $0.y, z: $0.z, m: $0.m) } }
  }
  /// The y coordinate; NaN without a point.
  public var y: Double {
    get { toGeometry().y }
    set { change { Point(x: $0.x, y: newValue, z: $0.z, m: $0.m) } }
  }
  /// The Z value; nil for none.
  public var z: Double? {
    get { toGeometry().z }
    set { change { Point(x: $0.x, y: $0.y, z: newValue, m: $0.m) } }
  }
  /// The M value; nil for none.
  public var m: Double? {
    get { toGeometry().m }
    set { change { Point(x: $0.x, y: $0.y, z: $0.z, m: newValue) } }
  }

  private func change(_ change: (Point) -> Point) { vertices = [[change(toGeometry())]] }

  /// Returns the built point.
  public func toGeometry() -> Point {
    vertices.last?.last ?? Point(x: .nan, y: .nan, spatialReference: spatialReference)
  }
}

extension GeometryBuilder where Shape == Envelope {
  /// Creates a builder with an envelope.
  public convenience init(envelope: Envelope?) { self.init(envelope) }

  /// Extends the envelope to include another geometry.
  public func union(_ geometry: any Geometry) {
    vertices = GeometryEngine.combineExtents(of: [toGeometry(), geometry]).map { [[$0.low, $0.high]] } ?? []
  }

  /// Multiplies the width and height by a factor; the centre stays unchanged.
  public func expand(by factor: Double) {
    let box = toGeometry()
    let (width, height) = (box.width * (factor - 1) / 2, box.height * (factor - 1) / 2)
    replaceSides(west: -width, south: -height, east: width, north: height)
  }

  /// Moves the envelope.
  public func offsetBy(x: Double, y: Double) { replaceSides(west: x, south: y, east: x, north: y) }

  /// Moves each side; an empty envelope stays empty.
  private func replaceSides(west: Double, south: Double, east: Double, north: Double) {
    let box = toGeometry()
    guard !box.isEmpty else { return }
    let moved = box.with(
      xMin: box.xMin + west, yMin: box.yMin + south, xMax: box.xMax + east, yMax: box.yMax + north)
    vertices = [[moved.low, moved.high]]
  }

  /// Returns the built envelope; empty if nothing was added.
  public func toGeometry() -> Envelope { extent }
}

/// Vertices by part, all in one spatial reference once it is known.
private struct BuilderState: Sendable {
  private(set) var reference: SpatialReference?
  private(set) var parts: [[Point]] = []
  /// Whether parts are rings, which stay open for further vertices: a closing vertex is removed.
  private let ringsStayOpen: Bool

  init(reference: SpatialReference?, ringsStayOpen: Bool) {
    (self.reference, self.ringsStayOpen) = (reference, ringsStayOpen)
  }

  mutating func add(_ point: Point) -> Bool {
    reference = reference ?? point.spatialReference
    guard let vertex = placed(point) else { return false }
    if parts.isEmpty { parts.append([]) }
    parts[parts.count - 1].append(vertex)
    return true
  }

  mutating func addPart(_ part: [Point]) {
    parts.append([])
    let isClosed =
      ringsStayOpen && part.count > 1 && part.first?.x == part.last?.x && part.first?.y == part.last?.y
    for point in isClosed ? part.dropLast() : part[...] { _ = add(point) }
  }

  mutating func replaceParts(with new: [[Point]]) {
    parts = []
    for part in new { addPart(part) }
  }

  private func placed(_ point: Point) -> Point? {
    guard let reference, let own = point.spatialReference, own != reference else {
      return point.moved(x: point.x, y: point.y, spatialReference: reference)
    }
    return GeometryEngine.project(point, into: reference)
  }
}
