#if Geospatial
  import MapModel
  import MapFeatures
  public import MapGeometry
  import MapGeospatial

  extension GeometryEngine {
    /// Returns the union of two geometries.
    ///
    /// Returns nil if GEOS fails or if the second geometry cannot be projected to the spatial reference of the
    /// first. If the result has parts of several dimensions, only those of the largest dimension are returned.
    public static func union(_ first: any Geometry, _ second: any Geometry) -> (any Geometry)? {
      overlay(.union, first, second)
    }

    /// Returns the union of several geometries; nil for none, and as for ``union(_:_:)``.
    public static func union(of geometries: [any Geometry]) -> (any Geometry)? {
      guard var result = geometries.first else { return nil }
      for geometry in geometries.dropFirst() {
        guard let next = union(result, geometry) else { return nil }
        result = next
      }
      return result
    }

    /// Returns the intersection of two geometries, empty if they are disjoint; nil as for ``union(_:_:)``.
    public static func intersection(_ first: any Geometry, _ second: any Geometry) -> (any Geometry)? {
      overlay(.intersection, first, second)
    }

    /// Returns the part of the first geometry outside the second; nil as for ``union(_:_:)``.
    public static func difference(_ first: any Geometry, _ second: any Geometry) -> (any Geometry)? {
      overlay(.difference, first, second)
    }

    /// Returns the parts that are in only one of two geometries; nil as for ``union(_:_:)``.
    public static func symmetricDifference(_ first: any Geometry, _ second: any Geometry) -> (any Geometry)? {
      overlay(.symmetricDifference, first, second)
    }

    /// Returns the part of a geometry inside an envelope; nil as for ``union(_:_:)``.
    public static func clip(_ geometry: any Geometry, to envelope: Envelope) -> (any Geometry)? {
      intersection(geometry, envelope)
    }

    /// Returns the area within a distance, in units of the spatial reference; nil for an empty result or if GEOS
    /// fails.
    ///
    /// - Error: a full circle is approximated by 64 chords.
    public static func buffer(around geometry: any Geometry, distance: Double) -> Polygon? {
      guard distance.isFinite else { return nil }
      return made(geometry) { buffer throws(LibraryError) in
        try TopologyOperations.buffer(buffer, distance: distance)
      } as? Polygon
    }

    /// Returns the smallest convex geometry that contains a geometry; nil if GEOS fails.
    public static func convexHull(for geometry: any Geometry) -> (any Geometry)? {
      made(geometry, TopologyOperations.convexHull)
    }

    /// Returns an equal geometry without self-intersections and repetitions; nil if GEOS fails.
    public static func simplify(_ geometry: any Geometry) -> (any Geometry)? {
      made(geometry, TopologyOperations.simplify)
    }

    /// Whether a geometry has no self-intersections and repetitions, and is valid if it is an area.
    public static func isSimple(_ geometry: any Geometry) -> Bool {
      guard let buffer = buffer(geometry) else { return false }
      return (try? TopologyOperations.isSimple(buffer)) ?? false
    }

    /// Returns the pieces of a line or an area divided by a line; none if the line does not divide it.
    public static func cut(_ geometry: any Geometry, usingCutter cutter: Polyline) -> [any Geometry] {
      guard geometry.form.kind == .polyline || geometry.form.kind == .polygon, let own = buffer(geometry),
        let line = matched(cutter, to: geometry).flatMap({ buffer($0) })
      else { return [] }
      let pieces = (try? TopologyOperations.cut(own, by: line)) ?? []
      return pieces.compactMap { $0.geometry(ofRow: 0, spatialReference: geometry.spatialReference) }
    }

    // MARK: Relations

    /// Whether two geometries have a point in common.
    public static func isGeometry(_ first: any Geometry, intersecting second: any Geometry) -> Bool {
      relates(first, .intersects, second)
    }
    /// Whether two geometries have no point in common.
    public static func isGeometry(_ first: any Geometry, disjointWith second: any Geometry) -> Bool {
      first.isEmpty || second.isEmpty || relates(first, .disjoint, second)
    }
    /// Whether the first geometry lies inside the second.
    public static func isGeometry(_ first: any Geometry, within second: any Geometry) -> Bool {
      relates(first, .within, second)
    }
    /// Whether the second geometry lies inside the first.
    public static func doesGeometry(_ first: any Geometry, contain second: any Geometry) -> Bool {
      relates(first, .contains, second)
    }
    /// Whether two geometries have points in common, but none in both interiors.
    public static func isGeometry(_ first: any Geometry, touching second: any Geometry) -> Bool {
      relates(first, .touches, second)
    }
    /// Whether two geometries of one dimension overlap in it, and each has points of its own.
    public static func isGeometry(_ first: any Geometry, overlapping second: any Geometry) -> Bool {
      relates(first, .overlaps, second)
    }
    /// Whether the interiors intersect in less than the larger dimension, and each geometry has points outside the
    /// other.
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
        // The intersection with an empty geometry is empty.
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
