import CGeospatial
import MapFeatures
import MapGeometry

/// The spatial relations of a query geometry to features, by GEOS's prepared geometries.
enum TopologicalRelations {
  /// Returns the rows that have the requested relation to the query geometry.
  ///
  /// GEOS first repairs an invalid feature, whose relations would otherwise be meaningless.
  ///
  /// - Throws: ``LibraryError`` without GEOS or when it fails.
  static func rows(_ asked: SpatialComparison) throws(LibraryError) -> RowSet {
    let context = try GEOSContext()
    guard let world = asked.world, asked.reachesBeyond(world) else {
      return try planeRows(asked, [GEOSGeometry(context, row: 0, of: asked.query)])
    }
    if asked.relationship == .intersects {
      // As with an envelope, there is one query for each world copy that contains features.
      var queries: [GEOSGeometry] = []
      for copy in asked.worldsReached {
        queries.append(try WorldCut(world, copy).cut(0, of: asked.query, context))
        // The cut drops a query geometry that only touches a side of the world.
        let extent = asked.query.envelope(ofRow: 0)
        if extent.xMin == world.upperBound || extent.xMax == world.lowerBound {
          let shift = Double(copy) * (world.upperBound - world.lowerBound)
          queries.append(try GEOSGeometry(context, row: 0, of: asked.query, shift: shift))
        }
      }
      return try planeRows(asked, queries)
    }
    return try RoundComparison(asked, world, context).rows()
  }

  /// Returns the rows that have the relation to one of some query geometries, without moving coordinates.
  private static func planeRows(
    _ asked: SpatialComparison, _ queries: [GEOSGeometry]
  ) throws(LibraryError) -> RowSet {
    var rows = RowSet(rowCount: asked.features.rowCount)
    let checksValidity = asked.features.kind == .polygon && asked.relationship != .intersects
    for query in queries {
      let relation = try PreparedRelation(query, asked.relationship, pattern: asked.pattern)
      for row in asked.candidates where !rows.contains(row) {
        let feature = try GEOSGeometry(query.context, row: row, of: asked.features)
        if try relation.holds(feature, checksValidity: checksValidity, row: row) { rows.insert(row) }
      }
    }
    return rows
  }

  /// Refuses a polygon that is not valid; without GEOS every polygon passes.
  ///
  /// The only relations that work without GEOS are those to points, which use the even-odd rule.
  ///
  /// - Throws: ``LibraryError`` with the reason and position.
  static func validate(_ polygon: CoordinateBuffer) throws(LibraryError) {
    let context: GEOSContext
    do { context = try GEOSContext() } catch {
      guard error.isMissing else { throw error }
      return
    }
    let geometry = try GEOSGeometry(context, row: 0, of: polygon)
    guard let fault = geometry.fault else { return }
    let crossing = "Self-intersection["
    let reason =
      fault.hasPrefix(crossing)
      ? "its outline crosses itself at "
        + fault.dropFirst(crossing.count).dropLast().replacing(" ", with: ", ")
      : fault
    throw LibraryError("the query polygon is not valid: \(reason)")
  }
}

/// One relation of one query geometry, prepared for many features.
final class PreparedRelation {
  private let query: GEOSGeometry
  private let prepared: OpaquePointer
  private let relationship: SpatialRelationship
  private let pattern: String

  init(
    _ query: GEOSGeometry, _ relationship: SpatialRelationship, pattern: String?
  ) throws(LibraryError) {
    let context = query.context
    guard let prepared = context.calls.GEOSPrepare_r(context.handle, query.handle) else {
      throw context.takeError("the query geometry")
    }
    (self.query, self.prepared) = (query, prepared)
    (self.relationship, self.pattern) = (relationship, pattern ?? "")
  }

  // The prepared geometry is destroyed before the geometry that it was made from, which `query` still owns here.
  deinit { query.context.calls.GEOSPreparedGeom_destroy_r(query.context.handle, prepared) }

  /// Returns whether the relation to a feature is true.
  ///
  /// With `checksValidity` an invalid feature is repaired first. After a failure of GEOS the feature is repaired and
  /// tested again.
  ///
  /// - Throws: ``LibraryError`` when GEOS also fails after the repair.
  func holds(_ feature: GEOSGeometry, checksValidity: Bool, row: Int) throws(LibraryError) -> Bool {
    var feature = feature
    if checksValidity, feature.fault != nil, let valid = feature.madeValid() { feature = valid }
    var answer = holds(feature)
    if answer == nil, let valid = feature.madeValid() { answer = holds(valid) }
    guard let answer else { throw query.context.takeError("row \(row + 1)") }
    return answer
  }

  /// Returns whether the relation is true; nil when GEOS failed, which it reports as 2.
  private func holds(_ feature: GEOSGeometry) -> Bool? {
    let (calls, context) = (query.context.calls, query.context.handle)
    let answer =
      switch relationship {
      case .intersects: calls.GEOSPreparedIntersects_r(context, prepared, feature.handle)
      case .disjoint: calls.GEOSPreparedDisjoint_r(context, prepared, feature.handle)
      case .touches: calls.GEOSPreparedTouches_r(context, prepared, feature.handle)
      case .crosses: calls.GEOSPreparedCrosses_r(context, prepared, feature.handle)
      case .within: calls.GEOSPreparedWithin_r(context, prepared, feature.handle)
      case .contains: calls.GEOSPreparedContains_r(context, prepared, feature.handle)
      case .overlaps: calls.GEOSPreparedOverlaps_r(context, prepared, feature.handle)
      case .equals: calls.GEOSEquals_r(context, query.handle, feature.handle)
      case .relate: calls.GEOSRelatePattern_r(context, query.handle, feature.handle, pattern)
      // Envelopes decide these relations, so GEOS is not needed.
      case .envelopeIntersects, .indexIntersects: CChar(1)
      }
    return answer == 0 ? false : answer == 1 ? true : nil
  }
}
