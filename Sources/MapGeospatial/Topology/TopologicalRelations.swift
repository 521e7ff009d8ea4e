import CGeospatial
import MapFeatures
import MapGeometry

/// The relations of a query geometry to features, by GEOS's prepared geometries.
enum TopologicalRelations {
  /// The rows that lie to the query geometry as asked.
  ///
  /// A feature that is not valid is made so by GEOS, without which its relations mean nothing.
  /// - Throws: ``LibraryError`` without GEOS or where it fails.
  static func rows(_ asked: SpatialComparison) throws(LibraryError) -> RowSet {
    let context = try GEOSContext()
    let query = try inWorld(asked, context)
    let relation = try PreparedRelation(query, asked.relationship, pattern: asked.pattern)
    let checksValidity = asked.features.kind == .polygon && asked.relationship != .intersects
    var rows = RowSet(rowCount: asked.features.rowCount)
    for row in asked.candidates {
      var feature = try GEOSGeometry(context, row: row, of: asked.features)
      if checksValidity, feature.fault != nil, let valid = feature.madeValid() { feature = valid }
      var answer = relation.holds(feature)
      if answer == nil, let valid = feature.madeValid() { answer = relation.holds(valid) }
      guard let answer else { throw context.takeError("row \(row + 1)") }
      if answer { rows.insert(row) }
    }
    return rows
  }

  /// Refuses a polygon that is not valid.
  ///
  /// - Throws: ``LibraryError`` that says why and where, in GEOS's words.
  static func validate(_ polygon: CoordinateBuffer) throws(LibraryError) {
    let context = try GEOSContext()
    let geometry = try GEOSGeometry(context, row: 0, of: polygon)
    guard let fault = geometry.fault else { return }
    throw LibraryError("the query polygon is not valid: \(fault)")
  }

  /// The query geometry within one world: what lies beyond an edge comes in at the other.
  private static func inWorld(
    _ asked: SpatialComparison, _ context: GEOSContext
  ) throws(LibraryError) -> GEOSGeometry {
    let extent = asked.query.envelope(ofRow: 0)
    guard let world = asked.world, extent.xMin < world.lowerBound || extent.xMax > world.upperBound else {
      return try GEOSGeometry(context, row: 0, of: asked.query)
    }
    let span = world.upperBound - world.lowerBound
    let box = try GEOSGeometry(context, row: 0, of: rectangle(world, extent))
    let first = Int(((extent.xMin - world.lowerBound) / span).rounded(.down))
    let last = Int(((extent.xMax - world.lowerBound) / span).rounded(.down))
    var pieces: [GEOSGeometry] = []
    for turn in first...last {
      let moved = try GEOSGeometry(context, row: 0, of: asked.query, shift: -Double(turn) * span)
      let cut = context.calls.GEOSIntersection_r(context.handle, moved.handle, box.handle)
      guard let piece = GEOSGeometry(context, owning: cut) else {
        throw context.takeError("the query geometry")
      }
      pieces.append(piece)
    }
    let dimension =
      switch asked.query.kind {
      case .point, .multipoint: 0
      case .polyline: 1
      case .polygon: 2
      }
    let all = try GEOSGeometry.collection(context, of: pieces, dimension: dimension)
    // Wider than the world, pieces lie over one another.
    let union = context.calls.GEOSUnaryUnion_r(context.handle, all.handle)
    guard let geometry = GEOSGeometry(context, owning: union) else {
      throw context.takeError("the query geometry")
    }
    return geometry
  }

  private static func rectangle(_ world: ClosedRange<Double>, _ extent: Envelope) -> CoordinateBuffer {
    var buffer = CoordinateBuffer(kind: .polygon)
    let (south, north) = (extent.yMin - 1, extent.yMax + 1)
    for (x, y) in [
      (world.lowerBound, south), (world.upperBound, south), (world.upperBound, north),
      (world.lowerBound, north), (world.lowerBound, south),
    ] {
      buffer.appendVertex(x: x, y: y)
    }
    buffer.endPart()
    buffer.endRow()
    return buffer
  }
}

/// One relation of one query geometry, prepared for many features.
private final class PreparedRelation {
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

  // Before the geometry that it was made of, which `query` still holds here.
  deinit { query.context.calls.GEOSPreparedGeom_destroy_r(query.context.handle, prepared) }

  /// Nil where GEOS failed, which answers 2.
  func holds(_ feature: GEOSGeometry) -> Bool? {
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
      // Decided from the envelopes before anyone asks GEOS.
      case .envelopeIntersects, .indexIntersects: CChar(1)
      }
    return answer == 0 ? false : answer == 1 ? true : nil
  }
}
