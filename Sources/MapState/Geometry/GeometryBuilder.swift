public import MapGeometry
import Synchronization

/// Makes a point from coordinates that may change; of points added the last counts.
public typealias PointBuilder = GeometryBuilder<Point>
/// Makes a multipoint from points added.
public typealias MultipointBuilder = GeometryBuilder<Multipoint>
/// Makes a line from vertices and parts added.
public typealias PolylineBuilder = GeometryBuilder<Polyline>
/// Makes an area from vertices and rings added, which it closes.
public typealias PolygonBuilder = GeometryBuilder<Polygon>
/// Makes the envelope of what is added.
public typealias EnvelopeBuilder = GeometryBuilder<Envelope>
/// A part on its way to a geometry: its vertices.
public typealias MutablePart = [Point]

/// Collects the vertices of a geometry, in one reference.
///
/// An object with identity that may change from any thread. A builder without a reference takes that of the first vertex
/// that has one. A vertex without a reference counts as in the builder's, one in another is projected to it.
public final class GeometryBuilder<Shape: Geometry>: Sendable {
  private let state: Mutex<BuilderState>

  /// A builder of nothing so far.
  public init(spatialReference: SpatialReference?) {
    state = Mutex(BuilderState(reference: spatialReference, ringsStayOpen: Shape.self == Polygon.self))
  }

  /// The reference of what is built; nil where none was given yet.
  public var spatialReference: SpatialReference? { state.withLock { $0.reference } }

  /// True while there is no vertex.
  public var isEmpty: Bool { vertices.allSatisfy(\.isEmpty) }

  /// The envelope of the vertices so far.
  public var extent: Envelope {
    let (parts, reference) = state.withLock { ($0.parts, $0.reference) }
    return Envelope(of: parts.joined(), spatialReference: reference)
  }

  /// Adds a vertex to the last part; false for one that has no image in the builder's reference, which is left out.
  @discardableResult public func add(_ point: Point) -> Bool { state.withLock { $0.add(point) } }

  /// Takes what a geometry has in place of all so far; nothing for nil.
  public func replaceGeometry(with geometry: Shape?) {
    vertices = (geometry as? Envelope).map { [[$0.low, $0.high]] } ?? geometry?.vertices ?? []
  }

  /// The vertices by part; those of a polygon without the last, which is the first again.
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
  /// A builder that starts with one part.
  public convenience init(points: some Sequence<Point>, spatialReference: SpatialReference? = nil) {
    self.init(spatialReference: spatialReference)
    vertices = [Array(points)]
  }

  /// The parts so far; rings are not closed yet.
  public var parts: [[Point]] {
    get { vertices }
    set { vertices = newValue }
  }

  /// Begins a part, to which the next vertices are added.
  public func addPart(_ part: [Point] = []) { state.withLock { $0.addPart(part) } }

  /// What was built.
  public func toGeometry() -> Shape { Shape(parts: vertices, spatialReference: spatialReference) }
}

extension GeometryBuilder where Shape == Polyline {
  /// A builder that starts with a line.
  public convenience init(polyline: Polyline?) { self.init(polyline) }
}

extension GeometryBuilder where Shape == Polygon {
  /// A builder that starts with an area.
  public convenience init(polygon: Polygon?) { self.init(polygon) }
}

extension GeometryBuilder where Shape == Multipoint {
  /// A builder that starts with a multipoint.
  public convenience init(multipoint: Multipoint?) { self.init(multipoint) }

  /// The points so far.
  public var points: [Point] {
    get { Array(vertices.joined()) }
    set { vertices = [newValue] }
  }

  /// What was built.
  public func toGeometry() -> Multipoint { Multipoint(points: points, spatialReference: spatialReference) }
}

extension GeometryBuilder where Shape == Point {
  /// A builder that starts with a point.
  public convenience init(point: Point?) { self.init(point) }

  /// A builder that starts with coordinates.
  public convenience init(
    x: Double, y: Double, z: Double? = nil, m: Double? = nil, spatialReference: SpatialReference? = nil
  ) {
    self.init(Point(x: x, y: y, z: z, m: m, spatialReference: spatialReference))
  }

  /// East; NaN while there is none.
  public var x: Double {
    get { toGeometry().x }
    set { change { Point(x: newValue, y: $0.y, z: $0.z, m: $0.m) } }
  }
  /// North; NaN while there is none.
  public var y: Double {
    get { toGeometry().y }
    set { change { Point(x: $0.x, y: newValue, z: $0.z, m: $0.m) } }
  }
  /// Height; nil for none.
  public var z: Double? {
    get { toGeometry().z }
    set { change { Point(x: $0.x, y: $0.y, z: newValue, m: $0.m) } }
  }
  /// Measure; nil for none.
  public var m: Double? {
    get { toGeometry().m }
    set { change { Point(x: $0.x, y: $0.y, z: $0.z, m: newValue) } }
  }

  private func change(_ change: (Point) -> Point) { vertices = [[change(toGeometry())]] }

  /// What was built.
  public func toGeometry() -> Point {
    vertices.last?.last ?? Point(x: .nan, y: .nan, spatialReference: spatialReference)
  }
}

extension GeometryBuilder where Shape == Envelope {
  /// A builder that starts with an envelope.
  public convenience init(envelope: Envelope?) { self.init(envelope) }

  /// Adds what another geometry takes up.
  public func union(_ geometry: any Geometry) {
    vertices = GeometryEngine.combineExtents(of: [toGeometry(), geometry]).map { [[$0.low, $0.high]] } ?? []
  }

  /// Makes it so many times as wide and as high around its middle.
  public func expand(by factor: Double) {
    let box = toGeometry()
    let (width, height) = (box.width * (factor - 1) / 2, box.height * (factor - 1) / 2)
    replaceSides(west: -width, south: -height, east: width, north: height)
  }

  /// Moves it.
  public func offsetBy(x: Double, y: Double) { replaceSides(west: x, south: y, east: x, north: y) }

  /// Moves each side; nothing while there is none.
  private func replaceSides(west: Double, south: Double, east: Double, north: Double) {
    let box = toGeometry()
    guard !box.isEmpty else { return }
    let moved = box.with(
      xMin: box.xMin + west, yMin: box.yMin + south, xMax: box.xMax + east, yMax: box.yMax + north)
    vertices = [[moved.low, moved.high]]
  }

  /// What was built; empty while there is nothing.
  public func toGeometry() -> Envelope { extent }
}

/// Vertices by part, all in one reference once there is one.
private struct BuilderState: Sendable {
  private(set) var reference: SpatialReference?
  private(set) var parts: [[Point]] = []
  /// True for rings, which take further vertices only while they do not end where they start.
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
