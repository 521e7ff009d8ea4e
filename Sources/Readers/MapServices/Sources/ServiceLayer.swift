package import MapFeatures
package import MapGeometry

/// A layer of a service, with its description and the queries that it answers.
///
/// Every method returns a complete answer or throws. Queries contain only conditions that ``pushable(_:)`` has
/// returned.
package protocol ServiceLayer: Sendable {
  /// The fields, geometry kind and spatial reference of the features that the service returns.
  var schema: FeatureSchema { get }
  /// The envelope that the service states, in the schema's spatial reference; nil if it states none.
  var statedExtent: Envelope? { get }
  /// The properties of the layer besides its fields, as the service declares them.
  var metadata: SourceMetadata { get }
  /// Notices about conditions evaluated locally because the service cannot, and about losses in its description.
  var notices: [String] { get }
  /// Whether the service states the number of matching features, so that fetched features can be compared with it.
  var canVerifyCounts: Bool { get }

  /// Returns the part of a query that the service answers exactly. The rest is evaluated locally.
  ///
  /// Of conditions on places, ``features(_:)`` may return candidates; see ``answersExactly(_:)``.
  func pushable(_ query: FeatureQuery) -> FeatureQuery
  /// Whether a pushed query selects exactly the matching features, so that the service can count them.
  func answersExactly(_ query: FeatureQuery) -> Bool
  /// Checks the conditions of a query before any feature is fetched.
  ///
  /// - Throws: `QueryConditionError` for a filter that does not match the fields.
  func check(_ query: FeatureQuery) throws
  /// Returns the reasons why conditions of a query are evaluated locally, for warnings.
  func reasonsForRest(of query: FeatureQuery) -> [String]
  /// Returns the number of matching features, as counted by the service.
  func count(_ query: FeatureQuery) async throws -> Int
  /// Returns all matching features in the order of their ids, verified against their count.
  func features(_ query: FeatureQuery) async throws -> FeatureColumns
  /// Returns the first `limit` matching features in an order, and where it leaves them equal in that of
  /// ``features(_:)``; nil if the service cannot do so.
  func features(_ query: FeatureQuery, first limit: Int, in order: [OrderBy]) async throws -> FeatureColumns?
  /// Returns one point of each group of the matching points; nil if the service cannot group them.
  func points(_ query: FeatureQuery, in groups: PointGroups) async throws -> GroupedPoints?
  /// Returns statistics computed by the service; nil if it cannot compute them.
  func statistics(_ statistics: StatisticsQuery, of query: FeatureQuery) async throws -> StatisticsTable?
}

extension Int {
  /// Returns the sum with another feature count that a service states; `Int.max` on overflow.
  func added(_ other: Int) -> Int {
    let (sum, isTooLarge) = addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }
}

extension ServiceLayer {
  /// True by default.
  package var canVerifyCounts: Bool { true }
  /// True by default.
  package func answersExactly(_ query: FeatureQuery) -> Bool { true }
  /// No check by default: filters are checked with the features.
  package func check(_ query: FeatureQuery) throws {}
  /// Nil by default: all matching points are fetched.
  package func points(_ query: FeatureQuery, in groups: PointGroups) async throws -> GroupedPoints? { nil }
  /// None by default: the notices of the layer say it.
  package func reasonsForRest(of query: FeatureQuery) -> [String] { [] }
  /// Nil by default: all matching features are fetched.
  package func features(
    _ query: FeatureQuery, first limit: Int, in order: [OrderBy]
  ) async throws -> FeatureColumns? { nil }
}
