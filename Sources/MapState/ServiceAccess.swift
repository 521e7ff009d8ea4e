import MapFeatures

#if MAPSTATE_SERVICES
  import MapServices
#endif

/// How services are asked.
public struct ServiceAccess: Sendable {
  /// As the environment says.
  public init() {}

  /// The table at an address.
  ///
  /// - Throws: ``SourceError`` of kind service.
  func table(at url: String) async throws(SourceError) -> (source: any FeatureSource, name: String) {
    throw SourceError(
      "\(url): services are not supported yet; give a stand-in for it with --services FILE or MAPSTATE_SERVICES",
      kind: .service)
  }
}
