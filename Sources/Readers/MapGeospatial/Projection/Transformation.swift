import CGeospatial
import MapGeometry
import Synchronization

/// A transformation by PROJ between two spatial references, with x east and y north on both sides whatever the official
/// axes.
///
/// - Error: that of PROJ, which chooses the best of several operations for each point, without grids from a network.
final class Transformation {
  private let calls: cgeospatial_proj
  private let context: OpaquePointer
  private let handle: OpaquePointer

  /// Creates a transformation between systems in PROJ's notation: `EPSG:25832`, WKT, PROJ strings.
  ///
  /// - Throws: ``LibraryError`` without PROJ, for an unknown system, or when no operation connects the two.
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
      throw LibraryError("no transformation from \(source.prefix(60)) to \(target.prefix(60)): \(reason)")
    }
    handle = made
  }

  deinit {
    _ = calls.proj_destroy(handle)
    _ = calls.proj_context_destroy(context)
  }

  /// Projects points in place; a point without an image becomes infinite.
  ///
  /// - Cost: one call for all points; about 100 to 500 ns per point, depending on the systems.
  func project(x: inout [Double], y: inout [Double]) {
    let (count, stride) = (x.count, MemoryLayout<Double>.stride)
    precondition(y.count == count, "one x and one y per point")
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
    // The loader fills the table; it has no empty state that Swift could create.
    let table = UnsafeMutablePointer<cgeospatial_proj>.allocate(capacity: 1)
    defer { table.deallocate() }
    var error = [CChar](repeating: 0, count: Int(CGEOSPATIAL_ERROR_SIZE))
    guard cgeospatial_load_proj(table, &error) != 0 else {
      return .failure(LibraryError(missing: error))
    }
    return .success(table.pointee)
  }()

  static func makeContext(_ calls: cgeospatial_proj) throws(LibraryError) -> OpaquePointer {
    guard let context = calls.proj_context_create() else { throw LibraryError("PROJ: out of memory") }
    _ = calls.proj_log_level(context, PJ_LOG_NONE)
    _ = calls.proj_context_set_enable_network(context, 0)
    return context
  }

  /// A spatial reference in PROJ's database, while it is open.
  struct System {
    /// The name in PROJ's notation, such as `EPSG:25832`.
    let name: String
    let calls: cgeospatial_proj
    let context: OpaquePointer
    let handle: OpaquePointer

    /// The reason for which positions on a map have no coordinates in it; nil if they have.
    ///
    /// Heights beside the coordinates are allowed, since only the first two coordinates are read.
    var refusal: String? {
      switch calls.proj_get_type(handle) {
      case PJ_TYPE_GEOGRAPHIC_2D_CRS, PJ_TYPE_GEOGRAPHIC_3D_CRS, PJ_TYPE_PROJECTED_CRS, PJ_TYPE_COMPOUND_CRS:
        nil
      case PJ_TYPE_GEOCENTRIC_CRS: "is geocentric; a map is geographic or projected"
      case PJ_TYPE_VERTICAL_CRS: "has only heights; a map is geographic or projected"
      default: "is neither geographic nor projected"
      }
    }
  }

  /// Opens a spatial reference, and returns what a closure reads from it: the EPSG system with that number, else Esri's.
  ///
  /// - Throws: ``LibraryError`` without PROJ, when neither authority has such a system, and when it is not horizontal.
  static func reading<Value>(
    _ reference: SpatialReference, _ read: (System) -> Value
  ) throws(LibraryError) -> Value {
    let calls = try library.get()
    let context = try makeContext(calls)
    defer { _ = calls.proj_context_destroy(context) }
    for authority in ["EPSG", "ESRI"] {
      let name = "\(authority):\(reference.wkid)"
      guard let handle = calls.proj_create(context, name) else { continue }
      defer { _ = calls.proj_destroy(handle) }
      guard calls.proj_is_crs(handle) != 0 else { continue }
      let system = System(name: name, calls: calls, context: context, handle: handle)
      if let refusal = system.refusal { throw LibraryError("\(reference) \(refusal)") }
      return read(system)
    }
    throw LibraryError("\(reference) is not a spatial reference known to PROJ")
  }

  private struct Pair: Hashable {
    let source: SpatialReference
    let target: SpatialReference
  }

  /// The transformations so far, kept because views and queries need the table's transformation again.
  private static let cache = Mutex<[Pair: Transformation]>([:])

  /// Projects points between spatial references, one call at a time in the process, since a handle serves one thread.
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
          transformation = try Transformation(from: reading(source, \.name), to: reading(target, \.name))
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
