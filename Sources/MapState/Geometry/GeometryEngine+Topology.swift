#if MAPSTATE_GEOSPATIAL
  import MapFeatures
  public import MapGeometry
  import MapGeospatial

  extension GeometryEngine {
    /// What is in either; nil where GEOS fails or a geometry has no image in the first one's reference.
    ///
    /// Of an answer with parts of several dimensions those of the largest are given.
    public static func union(_ first: any Geometry, _ second: any Geometry) -> (any Geometry)? {
      overlay(.union, first, second)
    }

    /// What is in any of some geometries; nil for none, and as ``union(_:_:)``.
    public static func union(of geometries: [any Geometry]) -> (any Geometry)? {
      guard var result = geometries.first else { return nil }
      for geometry in geometries.dropFirst() {
        guard let next = union(result, geometry) else { return nil }
        result = next
      }
      return result
    }

    /// What is in both, empty where they are apart; nil as ``union(_:_:)``.
    public static func intersection(_ first: any Geometry, _ second: any Geometry) -> (any Geometry)? {
      overlay(.intersection, first, second)
    }

    /// What is in the first alone; nil as ``union(_:_:)``.
    public static func difference(_ first: any Geometry, _ second: any Geometry) -> (any Geometry)? {
      overlay(.difference, first, second)
    }

    /// What is in one of the two alone; nil as ``union(_:_:)``.
    public static func symmetricDifference(_ first: any Geometry, _ second: any Geometry) -> (any Geometry)? {
      overlay(.symmetricDifference, first, second)
    }

    /// The part within an envelope; nil as ``union(_:_:)``.
    public static func clip(_ geometry: any Geometry, to envelope: Envelope) -> (any Geometry)? {
      intersection(geometry, envelope)
    }

    /// The area within a distance in units of the reference; nil for an empty answer and where GEOS fails.
    ///
    /// - Error: round corners are 64 chords a turn.
    public static func buffer(around geometry: any Geometry, distance: Double) -> Polygon? {
      guard distance.isFinite else { return nil }
      return made(geometry) { buffer throws(LibraryError) in
        try TopologyOperations.buffer(buffer, distance: distance)
      } as? Polygon
    }

    /// The smallest convex geometry around it; nil where GEOS fails.
    public static func convexHull(for geometry: any Geometry) -> (any Geometry)? {
      made(geometry, TopologyOperations.convexHull)
    }

    /// The same places as a geometry that neither crosses nor repeats itself; nil where GEOS fails.
    public static func simplify(_ geometry: any Geometry) -> (any Geometry)? {
      made(geometry, TopologyOperations.simplify)
    }

    /// True for a geometry that neither crosses nor repeats itself, and as an area is valid.
    public static func isSimple(_ geometry: any Geometry) -> Bool {
      guard let buffer = buffer(geometry) else { return false }
      return (try? TopologyOperations.isSimple(buffer)) ?? false
    }

    /// The pieces that a line cuts a line or an area into; none when it does not cut it.
    public static func cut(_ geometry: any Geometry, usingCutter cutter: Polyline) -> [any Geometry] {
      guard geometry.form.kind == .polyline || geometry.form.kind == .polygon, let own = buffer(geometry),
        let line = matched(cutter, to: geometry).flatMap({ buffer($0) })
      else { return [] }
      let pieces = (try? TopologyOperations.cut(own, by: line)) ?? []
      return pieces.compactMap { $0.geometry(ofRow: 0, spatialReference: geometry.spatialReference) }
    }

    // MARK: Relations

    /// True when the two have a place in common.
    public static func isGeometry(_ first: any Geometry, intersecting second: any Geometry) -> Bool {
      relates(first, .intersects, second)
    }
    /// True when the two have no place in common.
    public static func isGeometry(_ first: any Geometry, disjointWith second: any Geometry) -> Bool {
      first.isEmpty || second.isEmpty || relates(first, .disjoint, second)
    }
    /// True when the first lies in the second.
    public static func isGeometry(_ first: any Geometry, within second: any Geometry) -> Bool {
      relates(first, .within, second)
    }
    /// True when the second lies in the first.
    public static func doesGeometry(_ first: any Geometry, contain second: any Geometry) -> Bool {
      relates(first, .contains, second)
    }
    /// True when they have places in common, but none of both interiors.
    public static func isGeometry(_ first: any Geometry, touching second: any Geometry) -> Bool {
      relates(first, .touches, second)
    }
    /// True when they are of one dimension, overlap in it, and each has places of its own.
    public static func isGeometry(_ first: any Geometry, overlapping second: any Geometry) -> Bool {
      relates(first, .overlaps, second)
    }
    /// True when interiors meet in less than the larger dimension, and the one leaves the other.
    public static func isGeometry(_ first: any Geometry, crossing second: any Geometry) -> Bool {
      relates(first, .crosses, second)
    }

    // MARK: Through GEOS

    private static func relates(
      _ first: any Geometry, _ relationship: SpatialRelationship, _ second: any Geometry
    ) -> Bool {
      guard let a = buffer(first), let b = matched(second, to: first).flatMap({ buffer($0) }) else {
        return false
      }
      let rows = try? SpatialOperations.installed.compare(SpatialComparison(a, relationship, b))
      return rows?.isEmpty == false
    }

    private static func overlay(
      _ overlay: TopologyOperations.Overlay, _ first: any Geometry, _ second: any Geometry
    ) -> (any Geometry)? {
      let isPlain = overlay == .union || overlay == .symmetricDifference
      if second.isEmpty, isPlain || overlay == .difference { return first }
      if first.isEmpty { return isPlain ? second : first }
      guard let other = matched(second, to: first).flatMap({ buffer($0) }) else {
        // Nothing is in both.
        return second.isEmpty ? second : nil
      }
      return made(first) { buffer throws(LibraryError) in
        try TopologyOperations.overlay(overlay, buffer, other)
      }
    }

    private static func made(
      _ geometry: any Geometry,
      _ operation: (CoordinateBuffer) throws(LibraryError) -> [CoordinateBuffer]
    ) -> (any Geometry)? {
      guard let buffer = buffer(geometry), let result = try? operation(buffer) else { return nil }
      return result.first?.geometry(ofRow: 0, spatialReference: geometry.spatialReference)
        ?? Polygon(parts: [], spatialReference: geometry.spatialReference)
    }

    private static func matched(_ geometry: any Geometry, to first: any Geometry) -> (any Geometry)? {
      guard let reference = first.spatialReference, geometry.spatialReference != nil else { return geometry }
      return projected(geometry, into: reference)
    }

    private static func buffer(_ geometry: any Geometry) -> CoordinateBuffer? {
      guard !geometry.isEmpty, let buffer = try? CoordinateBuffer(query: geometry.form),
        buffer.rowCount == 1, !buffer.isEmpty(row: 0)
      else { return nil }
      return buffer
    }
  }
#endif
