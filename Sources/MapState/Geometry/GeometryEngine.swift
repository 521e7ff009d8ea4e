import MapFeatures
public import MapGeometry

/// Operations on geometries, as free functions under one name.
///
/// Two geometries of different references meet in that of the first; a geometry without a reference counts as in the
/// other's. Heights and measures stay with the vertices that ``project(_:into:)``, ``densify(_:maxSegmentLength:)`` and
/// their kin keep, and are worked out between them where vertices are added; what overlays, buffers and cuts make anew
/// has none.
/// - Source: names and meaning of the ArcGIS Maps SDK; ours: the reference of the first.
public enum GeometryEngine {
  /// The envelope of all extents, in the reference of the first geometry that has a place; nil when none has one.
  ///
  /// What crosses ±180° may span the world: the plain union.
  public static func combineExtents(of geometries: [any Geometry]) -> Envelope? {
    let extents = geometries.map(\.extent).filter { !$0.isEmpty }
    guard let first = extents.first else { return nil }
    return extents.dropFirst().reduce(first) { union, extent in
      guard let reference = union.spatialReference, extent.spatialReference != reference,
        extent.spatialReference != nil
      else { return union.union(extent) }
      return union.union(project(extent, into: reference)?.extent ?? .empty)
    }
  }

  /// The same place in another reference; nil where one of its vertices has no image there, it has no reference, or
  /// nothing leads to the other.
  ///
  /// Vertices are projected and edges between them stay straight; an envelope becomes the envelope of its corners.
  public static func project<Shape: Geometry>(_ geometry: Shape, into reference: SpatialReference) -> Shape? {
    projected(geometry, into: reference) as? Shape
  }

  static func projected(_ geometry: any Geometry, into reference: SpatialReference) -> (any Geometry)? {
    guard let source = geometry.spatialReference else { return nil }
    guard source != reference, !geometry.isEmpty else { return geometry.with(reference) }
    return geometry.mapped(reference) { x, y in
      do { try SpatialOperations.installed.project(x: &x, y: &y, from: source, to: reference) } catch {
        return false
      }
      // At the poles Web Mercator's image is at infinity, or so far that rounding alone kept it from it.
      let limit = reference == .webMercator ? 1e9 : Double.infinity
      return zip(x, y).allSatisfy { $0.isFinite && $1.isFinite && abs($1) < limit }
    }
  }

  /// The geometry with every vertex between -180° and 180°, by whole turns of the world; itself in a reference that
  /// does not go around, or where it lies there already.
  ///
  /// Points move one by one; lines and areas that reach over the edge are cut there.
  public static func normalizeCentralMeridian(of geometry: any Geometry) -> (any Geometry)? {
    guard let half = geometry.spatialReference?.halfWorld, !geometry.isEmpty else { return geometry }
    let extent = geometry.extent
    guard extent.xMin < -half || extent.xMax > half else { return geometry }
    func turned(_ x: Double) -> Double { x - ((x + half) / (2 * half)).rounded(.down) * 2 * half }
    switch geometry.form {
    case .point, .multipoint:
      return geometry.mapped(geometry.spatialReference) { x, _ in
        // The east edge itself is in.
        for index in x.indices where x[index] > half || x[index] < -half { x[index] = turned(x[index]) }
        return true
      }
    case .envelope(let envelope):
      guard envelope.width < 2 * half else {
        return envelope.from(-half, to: half)
      }
      let west = turned(envelope.xMin)
      let east = west + envelope.width
      guard east > half else { return envelope.from(west, to: east) }
      return Polygon(
        parts: [envelope.from(west, to: half).ring, envelope.from(-half, to: east - 2 * half).ring],
        spatialReference: envelope.spatialReference)
    case .polyline(let line):
      let parts = pieces(of: line.parts, half, extent, kind: .polyline, line.spatialReference)
      return Polyline(parts: parts, spatialReference: line.spatialReference)
    case .polygon(let polygon):
      let parts = pieces(of: polygon.parts, half, extent, kind: .polygon, polygon.spatialReference)
      return Polygon(parts: parts, spatialReference: polygon.spatialReference)
    }
  }

  /// The parts in each world that they reach into, moved to the first.
  private static func pieces(
    of parts: [[Point]], _ half: Double, _ extent: Envelope, kind: GeometryKind,
    _ reference: SpatialReference?
  ) -> [[Point]] {
    let (first, last) = (
      ((extent.xMin + half) / (2 * half)).rounded(.down), ((extent.xMax + half) / (2 * half)).rounded(.down)
    )
    // Farther than that nothing on a map reaches.
    guard last - first < 1000 else { return parts }
    var buffer = CoordinateBuffer(kind: kind)
    buffer.append(
      kind == .polyline
        ? .polyline(Polyline(parts: parts)) : .polygon(Polygon(parts: parts)))
    return stride(from: first, through: last, by: 1).flatMap { world -> [[Point]] in
      let box = Envelope(
        xMin: (2 * world - 1) * half, yMin: -.greatestFiniteMagnitude, xMax: (2 * world + 1) * half,
        yMax: .greatestFiniteMagnitude)
      var cut = CoordinateBuffer(kind: kind)
      cut.appendRow(0, of: buffer, clippedTo: box)
      return cut.parts(ofRow: 0).map { part in
        cut.vertices(ofPart: part).map {
          Point(x: cut.x[$0] - 2 * world * half, y: cut.y[$0], spatialReference: reference)
        }
      }
    }
  }
}

extension Envelope {
  fileprivate func from(_ west: Double, to east: Double) -> Envelope {
    with(xMin: west, yMin: yMin, xMax: east, yMax: yMax)
  }
}

extension SpatialReference {
  /// Half of what goes once around the world; nil where nothing is known to.
  fileprivate var halfWorld: Double? {
    switch self {
    case .wgs84: 180
    case .webMercator: WebMercator.halfWorld
    default: nil
    }
  }
}
