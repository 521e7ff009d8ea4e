import MapFeatures
public import MapGeometry

/// Operations on geometries, as static functions.
///
/// If two geometries have different spatial references, the second is projected to that of the first. A geometry
/// without a spatial reference is taken to be in the other's. ``project(_:into:)``,
/// ``densify(_:maxSegmentLength:)`` and similar functions keep the Z and M values of vertices and interpolate those
/// of added vertices. The results of overlays, buffers and cuts have none.
/// - Source: names and meaning of the ArcGIS Maps SDK; design decision: the spatial reference of the first
///   geometry.
public enum GeometryEngine {
  /// Returns the envelope of all extents; nil if no geometry has an extent.
  ///
  /// The result is in the spatial reference of the first geometry with an extent. Extents that cross ±180° may span
  /// the world, because the plain union is computed.
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

  /// Returns a geometry projected to another spatial reference.
  ///
  /// Returns nil if the geometry has no spatial reference, if a vertex has no image in the other one, or if no
  /// transformation is known. Vertices are projected, and edges between them stay straight. An envelope becomes the
  /// envelope of its corners.
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
      // At the poles, Web Mercator coordinates are infinite, or finite but extremely large because of rounding.
      let limit = reference == .webMercator ? 1e9 : Double.infinity
      return zip(x, y).allSatisfy { $0.isFinite && $1.isFinite && abs($1) < limit }
    }
  }

  /// Returns the geometry with all vertices between -180° and 180°, moved by whole world widths.
  ///
  /// The geometry stays unchanged if it is already in that range, or if its spatial reference is neither WGS 84 nor
  /// Web Mercator. Points are moved individually; lines and areas that cross the limit are cut there.
  public static func normalizeCentralMeridian(of geometry: any Geometry) -> (any Geometry)? {
    guard let half = geometry.spatialReference?.halfWorld, !geometry.isEmpty else { return geometry }
    let extent = geometry.extent
    guard extent.xMin < -half || extent.xMax > half else { return geometry }
    func turned(_ x: Double) -> Double { x - ((x + half) / (2 * half)).rounded(.down) * 2 * half }
    switch geometry.form {
    case .point, .multipoint:
      return geometry.mapped(geometry.spatialReference) { x, _ in
        // The east limit itself is in the range.
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

  /// Returns the pieces of the parts in each world copy, moved to the first copy.
  private static func pieces(
    of parts: [[Point]], _ half: Double, _ extent: Envelope, kind: GeometryKind,
    _ reference: SpatialReference?
  ) -> [[Point]] {
    let (first, last) = (
      ((extent.xMin + half) / (2 * half)).rounded(.down), ((extent.xMax + half) / (2 * half)).rounded(.down)
    )
    // No geometry of a map extends over that many world copies.
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
  /// Half the width of the world; nil for spatial references other than WGS 84 and Web Mercator.
  fileprivate var halfWorld: Double? {
    switch self {
    case .wgs84: 180
    case .webMercator: WebMercator.halfWorld
    default: nil
    }
  }
}
