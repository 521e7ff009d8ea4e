import MapGeometry
import Synchronization

/// The geometries of a table in the references of maps: each made when a view first asks, and the last few kept.
final class PlacedGeometries: Sendable {
  /// The geometries of a table in one reference.
  struct Placed {
    let reference: SpatialReference
    let shown: InMemorySource.Indexed
    /// The rows of which no place has an image there.
    let lostRows: Int
    /// The rows of which a part alone is shown.
    let cutRows: Int
  }

  /// How many references are kept.
  ///
  /// - Source: ours; a table is seldom on maps of more.
  private static let most = 2
  private let kept = Mutex<[Placed]>([])

  /// What was made for a reference, or what `make` gives for it.
  ///
  /// Those who ask at once wait for the first, so that nothing is projected twice.
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
