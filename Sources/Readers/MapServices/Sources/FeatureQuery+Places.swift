import MapFeatures
import MapGeometry

extension FeatureQuery {
  /// Returns the query with spatial conditions that a service can answer.
  ///
  /// A box in WGS 84, in Web Mercator or in the layer's own spatial reference stays as it is. A box in any other
  /// becomes a box in WGS 84 that contains it; if there is none, the query loses its spatial condition.
  ///
  /// The service may therefore return too many features; the rest is filtered locally.
  func askingBoxes(_ operations: SpatialOperations, of own: SpatialReference?) -> FeatureQuery {
    func isAskable(_ box: Envelope) -> Bool {
      box.spatialReference.map { $0.isBuiltIn || $0 == own } ?? true
    }
    guard let places = envelopes ?? boxesAroundGeometry, !places.allSatisfy(isAskable) else { return self }
    let boxes = places.map { isAskable($0) ? $0 : operations.ground(of: $0) }
    let elsewhere = keeping(filters: filters, envelopes: false, geometry: false, isLocal: true)
    guard !boxes.contains(nil) else { return elsewhere }
    return elsewhere.asked(in: boxes.compactMap { $0 }.flatMap { $0.splitAtAntimeridian() })
  }
}
