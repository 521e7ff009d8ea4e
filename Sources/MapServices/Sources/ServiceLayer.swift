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
  func pushable(_ query: FeatureQuery) -> FeatureQuery
  /// Returns the number of matching features, as counted by the service.
  func count(_ query: FeatureQuery) async throws -> Int
  /// Returns all matching features in the order of their ids, verified against their count.
  func features(_ query: FeatureQuery) async throws -> FeatureColumns
  /// Returns the first `limit` matching features in the order of ``features(_:)``; nil if the service cannot do so.
  func features(_ query: FeatureQuery, first limit: Int) async throws -> FeatureColumns?
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
  /// Nil by default: all matching features are fetched.
  package func features(_ query: FeatureQuery, first limit: Int) async throws -> FeatureColumns? { nil }
}
