public import MapFeatures

extension ArcGISLayer {
  /// Figures by the service; nil where it cannot work them out.
  public func statistics(
    _ statistics: StatisticsQuery, of query: FeatureQuery
  ) async throws -> StatisticsTable? { nil }
}
