import CGeospatial
import MapGeometry
import Synchronization

/// PROJ's way from one reference to another: x east and y north on both sides, whatever the authority's axes.
///
/// - Error: PROJ's own; of several operations between two systems it takes the best for each place, without grids
///   from a network.
final class Transformation {
  private let calls: cgeospatial_proj
  private let context: OpaquePointer
  private let handle: OpaquePointer

  /// A transformation between systems as PROJ writes them: `EPSG:25832`, WKT, PROJ strings.
  ///
  /// - Throws: ``LibraryError`` without PROJ, for an unknown system, or where nothing leads from one to the other.
  init(from source: String, to target: String) throws(LibraryError) {
    calls = try Self.library.get()
    context = try Self.makeContext(calls)
    var made: OpaquePointer?
    if let found = calls.proj_create_crs_to_crs(context, source, target, nil) {
      made = calls.proj_normalize_for_visualization(context, found)
      _ = calls.proj_destroy(found)
    }
    guard let made else {
      let code = calls.proj_context_errno(context)
      let reason =
        calls.proj_context_errno_string(context, code).map { String(cString: $0) } ?? "no operation"
      _ = calls.proj_context_destroy(context)
      throw LibraryError("nothing leads from \(source.prefix(60)) to \(target.prefix(60)): \(reason)")
    }
    handle = made
  }

  deinit {
    _ = calls.proj_destroy(handle)
    _ = calls.proj_context_destroy(context)
  }

  /// Projects places where they stand; one without an image becomes infinite.
  ///
  /// - Cost: one call for all; some 100 to 500 ns a place, by the systems.
  func project(x: inout [Double], y: inout [Double]) {
    let (count, stride) = (x.count, MemoryLayout<Double>.stride)
    precondition(y.count == count, "an x and a y a place")
    _ = calls.proj_errno_reset(handle)
    _ = x.withUnsafeMutableBufferPointer { x in
      y.withUnsafeMutableBufferPointer { y in
        calls.proj_trans_generic(
          handle, PJ_FWD, x.baseAddress, stride, count, y.baseAddress, stride, count, nil, 0, 0, nil, 0, 0)
      }
    }
  }

  // MARK: PROJ

  static let library: Result<cgeospatial_proj, LibraryError> = {
    // Filled by the loader; the table has no empty state that Swift could write.
    let table = UnsafeMutablePointer<cgeospatial_proj>.allocate(capacity: 1)
    defer { table.deallocate() }
    var error = [CChar](repeating: 0, count: Int(CGEOSPATIAL_ERROR_SIZE))
    guard cgeospatial_load_proj(table, &error) != 0 else {
      return .failure(LibraryError(missing: "PROJ", error))
    }
    return .success(table.pointee)
  }()

  static func makeContext(_ calls: cgeospatial_proj) throws(LibraryError) -> OpaquePointer {
    guard let context = calls.proj_context_create() else { throw LibraryError("PROJ has no memory") }
    _ = calls.proj_log_level(context, PJ_LOG_NONE)
    _ = calls.proj_context_set_enable_network(context, 0)
    return context
  }

  /// What PROJ calls a reference: EPSG's system of that number, else Esri's.
  ///
  /// - Throws: ``LibraryError`` without PROJ or when neither has one for the plane.
  static func name(of reference: SpatialReference) throws(LibraryError) -> String {
    let calls = try library.get()
    let context = try makeContext(calls)
    defer { _ = calls.proj_context_destroy(context) }
    for authority in ["EPSG", "ESRI"] {
      let name = "\(authority):\(reference.wkid)"
      guard let found = calls.proj_create(context, name) else { continue }
      defer { _ = calls.proj_destroy(found) }
      if calls.proj_is_crs(found) != 0 { return name }
    }
    throw LibraryError("EPSG:\(reference.wkid) is no spatial reference that PROJ knows")
  }

  private struct Pair: Hashable {
    let source: SpatialReference
    let target: SpatialReference
  }

  /// Those made so far: a table is projected with one, a view and a query with it again.
  private static let cache = Mutex<[Pair: Transformation]>([:])

  /// Projects places between references; one at a time in the whole process, since a handle serves one thread.
  ///
  /// - Throws: ``LibraryError``.
  static func project(
    x: inout [Double], y: inout [Double], from source: SpatialReference, to target: SpatialReference
  ) throws(LibraryError) {
    let pair = Pair(source: source, target: target)
    let (places, heights) = (x, y)
    let projected: Result<([Double], [Double]), LibraryError> = cache.withLock { cache in
      do throws(LibraryError) {
        let transformation: Transformation
        if let known = cache[pair] {
          transformation = known
        } else {
          transformation = try Transformation(from: name(of: source), to: name(of: target))
          cache[pair] = transformation
        }
        var (x, y) = (places, heights)
        transformation.project(x: &x, y: &y)
        return .success((x, y))
      } catch {
        return .failure(error)
      }
    }
    (x, y) = try projected.get()
  }
}
