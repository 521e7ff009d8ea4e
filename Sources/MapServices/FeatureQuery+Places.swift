import MapFeatures
import MapGeometry

extension FeatureQuery {
  /// The query with places that a service can be asked: what a map in a reference of its own shows as boxes in WGS 84
  /// that hold it, or no place at all where none does.
  ///
  /// What they let through too many is left out on this side.
  func askingBoxes(_ operations: SpatialOperations) -> FeatureQuery {
    guard let envelopes, !envelopes.allSatisfy({ $0.spatialReference?.isBuiltIn ?? true }) else {
      return self
    }
    let boxes = envelopes.map { $0.spatialReference?.isBuiltIn == false ? operations.ground(of: $0) : $0 }
    guard !boxes.contains(nil) else {
      return keeping(filters: filters, envelopes: false, hiddenIDs: true)
    }
    return asked(in: boxes.compactMap { $0 }.flatMap { $0.splitAtAntimeridian() })
  }
}
