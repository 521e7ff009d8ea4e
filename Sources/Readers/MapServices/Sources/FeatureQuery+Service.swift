import MapFeatures
import MapFilter
import MapGeometry

extension FeatureQuery {
  /// Whether the query cannot match any feature, for instance because of a hidden layer's filter.
  var selectsNothing: Bool {
    filters.contains { $0.expression == .literal(.boolean(false)) } || envelopes?.isEmpty == true
      || objectIDs?.isEmpty == true
  }

  /// Whether the answer to another query is that to this one, also at another time.
  func hasAnswer(of other: FeatureQuery) -> Bool {
    filters == other.filters && envelopes == other.envelopes && rectangle == other.rectangle
      && geometry == other.geometry && objectIDs == other.objectIDs && hiddenIDs == other.hiddenIDs
      && (now == other.now || !filters.contains(where: \.needsCurrentTime))
  }

  /// Creates a query that covers queries that differ only in their envelopes: its envelope is the union of theirs.
  ///
  /// Nil if the queries differ in anything else.
  init?(around queries: [FeatureQuery]) {
    guard let first = queries.first else { return nil }
    var box = Envelope.empty
    for query in queries {
      guard query.asked(in: []) == first.asked(in: []), let envelopes = query.envelopes else { return nil }
      for envelope in envelopes {
        guard envelope.spatialReference == first.envelopes?.first?.spatialReference else { return nil }
        box = box.union(envelope)
      }
    }
    self = first.asked(in: [box.with(spatialReference: first.envelopes?.first?.spatialReference)])
  }
}
