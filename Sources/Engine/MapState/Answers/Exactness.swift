package import MapFeatures
package import MapJSON
package import MapModel

/// The exactness of an answer in JSON: `exact`, and `reason` if it is not.
package enum Exactness {
  /// The members of an answer with a reason for being inexact; nil for an exact one.
  package static func members(_ reason: String?) -> [(name: String, value: JSONValue)] {
    [("exact", .boolean(reason == nil))] + (reason.map { [("reason", .string($0))] } ?? [])
  }

  /// The reason why a page has fewer features than the question finds; nil if no feature after it is left out.
  package static func reason(count: Int, offset: Int, of matched: Int) -> String? {
    guard offset + count < matched else { return nil }
    return "the answer has \(count) of \(matched) features, as its maximum number says"
  }
}

extension JSONObject {
  /// Sets the members about the exactness of the answer.
  package mutating func set(inexactReason reason: String?) {
    for member in Exactness.members(reason) { self[member.name] = member.value }
  }
}

extension ViewState {
  /// Returns the number of features that a question finds if a page may leave some out; nil if the page has all.
  ///
  /// - Cost: a count, if the page has as many features as it may have.
  /// - Throws: ``MapStateError``.
  package func matched(
    by question: FeatureQuestion, of layer: LayerState, _ page: FeaturePage, count: Int
  ) async throws(MapStateError) -> Int? {
    guard page.maxFeatures > 0, count == page.maxFeatures else { return nil }
    let matched = try await self.count(of: layer, question)
    return matched > page.resultOffset + count ? matched : nil
  }
}
