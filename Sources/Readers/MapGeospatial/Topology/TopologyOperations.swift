import CGeospatial
package import MapGeometry

/// Operations of GEOS on one or two geometries, each the only row of a buffer, all in one spatial reference.
///
/// A result is a list of buffers of one row each, by dimension, areas first; it is empty when no geometry is left.
/// Invalid geometries are repaired first, except in ``convexHull(_:)`` and ``isSimple(_:)``.
package enum TopologyOperations {
  /// An operation that combines two geometries.
  package enum Overlay: Sendable {
    /// All points of either geometry.
    case union
    /// The points in both geometries.
    case intersection
    /// The points only in the first geometry.
    case difference
    /// The points in exactly one of the geometries.
    case symmetricDifference
  }

  /// Combines two geometries.
  ///
  /// - Throws: ``LibraryError`` without GEOS or when it fails.
  package static func overlay(
    _ overlay: Overlay, _ first: CoordinateBuffer, _ second: CoordinateBuffer
  ) throws(LibraryError) -> [CoordinateBuffer] {
    let context = try GEOSContext()
    let (a, b) = (try valid(first, context), try valid(second, context))
    let call =
      switch overlay {
      case .union: context.calls.GEOSUnion_r
      case .intersection: context.calls.GEOSIntersection_r
      case .difference: context.calls.GEOSDifference_r
      case .symmetricDifference: context.calls.GEOSSymDifference_r
      }
    return try buffers(GEOSGeometry(context, owning: call(context.handle, a.handle, b.handle)), context)
  }

  /// Returns the area within a distance of a geometry; a negative distance shrinks an area.
  ///
  /// - Error: a full circle has 64 chords, which lie up to 0.12 % of the distance inside it.
  /// - Throws: ``LibraryError``.
  package static func buffer(
    _ geometry: CoordinateBuffer, distance: Double
  ) throws(LibraryError) -> [CoordinateBuffer] {
    let context = try GEOSContext()
    let a = try valid(geometry, context)
    return try buffers(
      GEOSGeometry(context, owning: context.calls.GEOSBuffer_r(context.handle, a.handle, distance, 16)),
      context)
  }

  /// Returns the smallest convex geometry that contains a geometry.
  ///
  /// - Throws: ``LibraryError``.
  package static func convexHull(_ geometry: CoordinateBuffer) throws(LibraryError) -> [CoordinateBuffer] {
    let context = try GEOSContext()
    let a = try GEOSGeometry(context, row: 0, of: geometry)
    return try buffers(
      GEOSGeometry(context, owning: context.calls.GEOSConvexHull_r(context.handle, a.handle)), context)
  }

  /// Returns the same points as a geometry that neither crosses nor repeats itself.
  ///
  /// - Throws: ``LibraryError``.
  package static func simplify(_ geometry: CoordinateBuffer) throws(LibraryError) -> [CoordinateBuffer] {
    let context = try GEOSContext()
    let a = try valid(geometry, context)
    return try buffers(
      GEOSGeometry(context, owning: context.calls.GEOSUnaryUnion_r(context.handle, a.handle)), context)
  }

  /// Returns whether a geometry neither crosses nor repeats itself and is valid.
  ///
  /// - Throws: ``LibraryError``.
  package static func isSimple(_ geometry: CoordinateBuffer) throws(LibraryError) -> Bool {
    let context = try GEOSContext()
    let a = try GEOSGeometry(context, row: 0, of: geometry)
    return a.fault == nil && context.calls.GEOSisSimple_r(context.handle, a.handle) == 1
  }

  /// Returns the pieces into which a line cuts a line or an area; none when it does not cut it.
  ///
  /// - Throws: ``LibraryError``.
  package static func cut(
    _ geometry: CoordinateBuffer, by line: CoordinateBuffer
  ) throws(LibraryError) -> [CoordinateBuffer] {
    let context = try GEOSContext()
    let (calls, handle) = (context.calls, context.handle)
    let (a, cutter) = (try valid(geometry, context), try GEOSGeometry(context, row: 0, of: line))
    guard geometry.kind == .polygon else {
      let left = GEOSGeometry(context, owning: calls.GEOSDifference_r(handle, a.handle, cutter.handle))
      guard let left else { throw context.takeError("cutting a line") }
      let pieces = try self.pieces(of: left)
      return pieces.count > calls.GEOSGetNumGeometries_r(handle, a.handle) ? pieces : []
    }
    guard let border = GEOSGeometry(context, owning: calls.GEOSBoundary_r(handle, a.handle)),
      let edges = GEOSGeometry(context, owning: calls.GEOSUnion_r(handle, border.handle, cutter.handle))
    else { throw context.takeError("cutting an area") }
    var list: [OpaquePointer?] = [edges.handle]
    guard let faces = GEOSGeometry(context, owning: calls.GEOSPolygonize_r(handle, &list, 1)) else {
      throw context.takeError("cutting an area")
    }
    var inside: [CoordinateBuffer] = []
    for index in 0..<max(0, calls.GEOSGetNumGeometries_r(handle, faces.handle)) {
      // The collection owns the face.
      guard let face = calls.GEOSGetGeometryN_r(handle, faces.handle, index),
        let middle = GEOSGeometry(context, owning: calls.GEOSPointOnSurface_r(handle, face))
      else { throw context.takeError("cutting an area") }
      // Holes are faces too, so each face is tested.
      guard calls.GEOSIntersects_r(handle, a.handle, middle.handle) == 1 else { continue }
      inside.append(try buffer(of: face, context))
    }
    return inside.count > calls.GEOSGetNumGeometries_r(handle, a.handle) ? inside : []
  }

  private static func valid(
    _ buffer: CoordinateBuffer, _ context: GEOSContext
  ) throws(LibraryError) -> GEOSGeometry {
    let geometry = try GEOSGeometry(context, row: 0, of: buffer)
    guard geometry.fault != nil, let valid = geometry.madeValid() else { return geometry }
    return valid
  }

  private static func buffers(
    _ result: GEOSGeometry?, _ context: GEOSContext
  ) throws(LibraryError) -> [CoordinateBuffer] {
    guard let result else { throw context.takeError("a geometry operation") }
    var found: [CoordinateBuffer] = []
    for dimension in [2, 1, 0] {
      let parts = try GEOSGeometry.collection(context, of: [result], dimension: dimension)
      guard context.calls.GEOSGetNumGeometries_r(context.handle, parts.handle) > 0 else { continue }
      found.append(try buffer(of: parts.handle, context))
    }
    return found
  }

  private static func pieces(of geometry: GEOSGeometry) throws(LibraryError) -> [CoordinateBuffer] {
    let context = geometry.context
    var found: [CoordinateBuffer] = []
    for index in 0..<max(0, context.calls.GEOSGetNumGeometries_r(context.handle, geometry.handle)) {
      guard let part = context.calls.GEOSGetGeometryN_r(context.handle, geometry.handle, index) else {
        continue
      }
      found.append(try buffer(of: part, context))
    }
    return found
  }

  private static func buffer(
    of geometry: OpaquePointer, _ context: GEOSContext
  ) throws(LibraryError) -> CoordinateBuffer {
    var size = 0
    guard let bytes = context.calls.GEOSGeomToWKB_buf_r(context.handle, geometry, &size) else {
      throw context.takeError("reading a geometry")
    }
    defer { context.calls.GEOSFree_r(context.handle, bytes) }
    let copy = Array(UnsafeBufferPointer(start: bytes, count: size))
    var builder = CoordinateBuilder()
    do { _ = try WellKnownBinary.appendRow(copy.span, to: &builder) } catch { throw LibraryError("\(error)") }
    return builder.result ?? CoordinateBuffer(kind: .point)
  }
}
