public import MapFeatures
public import MapGeometry

/// A layer of a service: what it is, and the questions that it can be asked.
///
/// Every method answers whole or throws. A query that comes in holds nothing but what ``pushable(_:)`` let through.
public protocol ServiceLayer: Sendable {
  /// Fields, geometry kind and reference, in which features come.
  var schema: FeatureSchema { get }
  /// The envelope that the service states, in the schema's reference; nil where it states none.
  var statedExtent: Envelope? { get }
  /// What the service says of the layer beside its fields.
  var metadata: SourceMetadata { get }
  /// What is evaluated here because the service cannot, and what its description lost.
  var notices: [String] { get }
  /// False for a service that does not state a number of features which those that it sends could be compared with.
  var canVerifyCounts: Bool { get }

  /// The part of a query that the service answers exactly: the rest is left to this side.
  func pushable(_ query: FeatureQuery) -> FeatureQuery
  /// How many features answer, by the service.
  func count(_ query: FeatureQuery) async throws -> Int
  /// The features that answer, all of them, in the order of their ids, checked against their number.
  func features(_ query: FeatureQuery) async throws -> FeatureColumns
  /// The first so many features that answer, in the order of ``features(_:)``; nil where the service cannot be asked so.
  func features(_ query: FeatureQuery, first limit: Int) async throws -> FeatureColumns?
  /// Figures by the service; nil where it cannot work them out.
  func statistics(_ statistics: StatisticsQuery, of query: FeatureQuery) async throws -> StatisticsTable?
}

extension Int {
  /// The sum with another number of features that a service stated, the greatest where there is none.
  func added(_ other: Int) -> Int {
    let (sum, isTooLarge) = addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }
}

extension ServiceLayer {
  /// True.
  public var canVerifyCounts: Bool { true }
  /// Nil: all features that answer are fetched.
  public func features(_ query: FeatureQuery, first limit: Int) async throws -> FeatureColumns? { nil }
}
