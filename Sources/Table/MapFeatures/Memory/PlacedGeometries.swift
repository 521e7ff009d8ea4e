import MapGeometry
import Synchronization

/// A table's geometries in the spatial references of maps: projected when first needed; the latest are kept.
final class PlacedGeometries: Sendable {
  /// The geometries of a table in one spatial reference.
  struct Placed {
    let reference: SpatialReference
    let shown: IndexedGeometries
    /// The number of rows without any position in the spatial reference.
    let lostRows: Int
    /// The number of rows that are only partly shown.
    let cutRows: Int
  }

  /// The maximum number of spatial references kept.
  ///
  /// - Source: design decision; a table is seldom shown in more.
  private static let most = 2
  private let kept = Mutex<[(reference: SpatialReference, placed: Result<Placed, SpatialOperationError>)]>([])

  /// Whether the geometries in a spatial reference are kept.
  func contains(_ reference: SpatialReference) -> Bool {
    kept.withLock { kept in kept.contains { $0.reference == reference } }
  }

  /// Returns the geometries in a spatial reference; calls `make` if they are not kept.
  ///
  /// No lock is held meanwhile. Concurrent first callers all call `make`, and all get the result of the first to
  /// finish.
  func placed(
    in reference: SpatialReference, make: () throws(SpatialOperationError) -> Placed
  ) throws(SpatialOperationError) -> Placed {
    func known(_ kept: [(reference: SpatialReference, placed: Result<Placed, SpatialOperationError>)])
      -> Result<Placed, SpatialOperationError>?
    {
      kept.first { $0.reference == reference }?.placed
    }
    if let placed = kept.withLock({ known($0) }) { return try placed.get() }
    let made = Result { () throws(SpatialOperationError) in try make() }
    return try kept.withLock { kept in
      if let placed = known(kept) { return placed }
      if kept.count == Self.most { kept.removeFirst() }
      kept.append((reference, made))
      return made
    }.get()
  }
}
