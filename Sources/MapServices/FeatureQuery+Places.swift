import MapFeatures
import MapGeometry

extension FeatureQuery {
  /// The query with places that a service can be asked: what is said in neither WGS 84 nor Web Mercator nor the layer's
  /// own reference as boxes in WGS 84 that hold it, or no place at all where none does.
  ///
  /// What they let through too many is left out on this side.
  func askingBoxes(_ operations: SpatialOperations, of own: SpatialReference?) -> FeatureQuery {
    func isAskable(_ box: Envelope) -> Bool {
      box.spatialReference.map { $0.isBuiltIn || $0 == own } ?? true
    }
    guard let places = envelopes ?? boxesAroundGeometry, !places.allSatisfy(isAskable) else { return self }
    let boxes = places.map { isAskable($0) ? $0 : operations.ground(of: $0) }
    let elsewhere = keeping(filters: filters, envelopes: false, geometry: false, hiddenIDs: true)
    guard !boxes.contains(nil) else { return elsewhere }
    return elsewhere.asked(in: boxes.compactMap { $0 }.flatMap { $0.splitAtAntimeridian() })
  }
}
