import MapGeometry
import Synchronization

/// A table's geometries in the spatial references of maps: projected when first needed; the latest are kept.
final class PlacedGeometries: Sendable {
  /// The geometries of a table in one spatial reference.
  struct Placed {
    let reference: SpatialReference
    let shown: InMemorySource.Indexed
    /// The number of rows without any position in the spatial reference.
    let lostRows: Int
    /// The number of rows that are only partly shown.
    let cutRows: Int
  }

  /// The maximum number of spatial references kept.
  ///
  /// - Source: design decision; a table is seldom shown in more.
  private static let most = 2
  private let kept = Mutex<[Placed]>([])

  /// Returns the geometries in a spatial reference; calls `make` if they are not kept.
  ///
  /// Concurrent callers wait for the first, so that nothing is projected twice.
  func placed(
    in reference: SpatialReference, make: () throws(SpatialOperationError) -> Placed
  ) throws(SpatialOperationError) -> Placed {
    let result = kept.withLock { kept -> Result<Placed, SpatialOperationError> in
      if let placed = kept.first(where: { $0.reference == reference }) { return .success(placed) }
      do throws(SpatialOperationError) {
        let placed = try make()
        if kept.count == Self.most { kept.removeFirst() }
        kept.append(placed)
        return .success(placed)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
