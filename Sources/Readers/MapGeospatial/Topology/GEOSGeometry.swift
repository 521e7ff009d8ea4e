import CGeospatial
import MapGeometry

/// GEOS on one thread: its functions, a context, and the last error text.
final class GEOSContext {
  let calls: cgeospatial_geos
  let handle: GEOSContextHandle_t
  private var message: String?

  /// Creates a context.
  ///
  /// - Throws: ``LibraryError`` when GEOS is not installed.
  init() throws(LibraryError) {
    calls = try Self.library.get()
    guard let handle = calls.GEOS_init_r() else { throw LibraryError("GEOS: out of memory") }
    self.handle = handle
    let handler: GEOSMessageHandler_r = { text, box in
      guard let text, let box else { return }
      Unmanaged<GEOSContext>.fromOpaque(box).takeUnretainedValue().message = String(cString: text)
    }
    // Only functions with this context call the handler, so it is never called after `deinit`.
    _ = calls.GEOSContext_setErrorMessageHandler_r(handle, handler, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit { calls.GEOS_finish_r(handle) }

  /// Returns the last error of GEOS and clears it.
  func takeError(_ doing: String) -> LibraryError {
    defer { message = nil }
    return LibraryError("\(doing): \(message ?? "GEOS reported no reason")")
  }

  private static let library: Result<cgeospatial_geos, LibraryError> = {
    // The loader fills the table; it has no empty state that Swift could create.
    let table = UnsafeMutablePointer<cgeospatial_geos>.allocate(capacity: 1)
    defer { table.deallocate() }
    var error = [CChar](repeating: 0, count: Int(CGEOSPATIAL_ERROR_SIZE))
    guard cgeospatial_load_geos(table, &error) != 0 else {
      return .failure(LibraryError(missing: error))
    }
    return .success(table.pointee)
  }()
}

/// A geometry of GEOS, destroyed when the object is released.
final class GEOSGeometry {
  let context: GEOSContext
  let handle: OpaquePointer

  /// Takes ownership of a geometry; nil for a null handle.
  init?(_ context: GEOSContext, owning handle: OpaquePointer?) {
    guard let handle else { return nil }
    (self.context, self.handle) = (context, handle)
  }

  /// Creates a copy of a row of a buffer, with its x moved by `shift`.
  ///
  /// - Throws: ``LibraryError`` when GEOS refuses it.
  init(_ context: GEOSContext, row: Int, of buffer: CoordinateBuffer, shift: Double = 0) throws(LibraryError)
  {
    let builder = GEOSBuilder(context: context, buffer: buffer, shift: shift)
    guard let made = builder.geometry(row) else { throw context.takeError("a geometry") }
    (self.context, handle) = (context, made)
  }

  deinit { context.calls.GEOSGeom_destroy_r(context.handle, handle) }

  /// The reason and position of an invalidity; nil when the geometry is valid.
  var fault: String? {
    let calls = context.calls
    guard calls.GEOSisValid_r(context.handle, handle) != 1 else { return nil }
    guard let reason = calls.GEOSisValidReason_r(context.handle, handle) else { return "it is not valid" }
    defer { calls.GEOSFree_r(context.handle, reason) }
    return String(cString: reason)
  }

  /// Returns a valid geometry of the same area; nil when GEOS fails.
  func madeValid() -> GEOSGeometry? {
    GEOSGeometry(context, owning: context.calls.GEOSMakeValid_r(context.handle, handle))
  }

  /// Returns the single geometries of one dimension (0, 1 or 2) as one collection.
  static func collection(
    _ context: GEOSContext, of geometries: [GEOSGeometry], dimension: Int
  ) throws(LibraryError) -> GEOSGeometry {
    let calls = context.calls
    var parts: [OpaquePointer?] = []
    for geometry in geometries {
      for index in 0..<max(0, calls.GEOSGetNumGeometries_r(context.handle, geometry.handle)) {
        // The collection owns the part, so a copy is passed on.
        guard let part = calls.GEOSGetGeometryN_r(context.handle, geometry.handle, index),
          calls.GEOSGeom_getDimensions_r(context.handle, part) == Int32(dimension)
        else { continue }
        parts.append(calls.GEOSGeom_clone_r(context.handle, part))
      }
    }
    // 4, 5 and 6 are the multipart types of points, lines and polygons. GEOS takes ownership of the parts even when it
    // fails.
    let made = calls.GEOSGeom_createCollection_r(
      context.handle, Int32(4 + dimension), &parts, UInt32(parts.count))
    guard let geometry = GEOSGeometry(context, owning: made) else { throw context.takeError("a collection") }
    return geometry
  }
}

/// Copies rows of a buffer into GEOS.
///
/// GEOS takes ownership of coordinate sequences and parts with each call, also when the call fails. Therefore only
/// parts that were not passed yet are freed here.
private struct GEOSBuilder {
  let context: GEOSContext
  let buffer: CoordinateBuffer
  let shift: Double

  private var calls: cgeospatial_geos { context.calls }
  private var handle: GEOSContextHandle_t { context.handle }

  func geometry(_ row: Int) -> OpaquePointer? {
    let calls = calls
    switch buffer.kind {
    case .point: return sequence(row..<row + 1).flatMap { calls.GEOSGeom_createPoint_r(handle, $0) }
    case .multipoint:
      return collection(
        4,
        buffer.vertices(ofRow: row).map { index in
          sequence(index..<index + 1).flatMap { calls.GEOSGeom_createPoint_r(handle, $0) }
        })
    case .polyline:
      return collection(
        5,
        buffer.parts(ofRow: row).map { part in
          sequence(buffer.vertices(ofPart: part)).flatMap { calls.GEOSGeom_createLineString_r(handle, $0) }
        })
    case .polygon:
      return collection(
        6,
        buffer.polygons(ofRow: row).map { rings in
          var made = rings.map { ring in
            sequence(buffer.vertices(ofPart: ring)).flatMap { calls.GEOSGeom_createLinearRing_r(handle, $0) }
          }
          guard !made.contains(where: { $0 == nil }), let shell = made.removeFirst() else {
            return destroyed(made)
          }
          return calls.GEOSGeom_createPolygon_r(handle, shell, &made, UInt32(made.count))
        })
    }
  }

  private func sequence(_ range: Range<Int>) -> OpaquePointer? {
    let (calls, handle, count) = (calls, handle, UInt32(range.count))
    guard shift == 0 else {
      let moved = range.map { buffer.x[$0] + shift }
      return buffer.y.withUnsafeBufferPointer { y in
        y.baseAddress.flatMap {
          calls.GEOSCoordSeq_copyFromArrays_r(handle, moved, $0 + range.lowerBound, nil, nil, count)
        }
      }
    }
    return buffer.x.withUnsafeBufferPointer { x in
      buffer.y.withUnsafeBufferPointer { y in
        guard let x = x.baseAddress, let y = y.baseAddress else { return nil }
        return calls.GEOSCoordSeq_copyFromArrays_r(
          handle, x + range.lowerBound, y + range.lowerBound, nil, nil, count)
      }
    }
  }

  /// Returns a single part unchanged, and several parts as a multipart geometry.
  private func collection(_ type: Int32, _ parts: [OpaquePointer?]) -> OpaquePointer? {
    var parts = parts
    guard !parts.contains(where: { $0 == nil }) else { return destroyed(parts) }
    if parts.count == 1 { return parts[0] }
    return calls.GEOSGeom_createCollection_r(handle, type, &parts, UInt32(parts.count))
  }

  private func destroyed(_ parts: [OpaquePointer?]) -> OpaquePointer? {
    for part in parts { if let part { calls.GEOSGeom_destroy_r(handle, part) } }
    return nil
  }
}
