package import MapJSON

/// The members of a service's saved answer which state that features are missing.
///
/// - Source: ArcGIS REST API, feature set (`exceededTransferLimit`, in GeoJSON also in `properties`); OGC 17-069r4,
///   7.15.8 and 7.16 (`numberMatched`, `numberReturned`, a link `next`); GeoServer's `totalFeatures`.
package struct PartialAnswer: Sendable {
  private var isCut = false
  private var hasNext = false
  /// The greatest number of features that a member states, with the member's name.
  private var stated: (name: String, count: Int)?

  /// Creates an answer without such members.
  package init() {}

  /// Collects these members of a feature set.
  package init(of object: JSONObject) {
    for member in object.members where Self.names.contains(member.name) { note(member.name, member.value) }
  }

  /// The names of the members that are read.
  static let names: Set<String> = [
    "exceededTransferLimit", "properties", "numberMatched", "numberReturned", "totalFeatures", "links",
  ]

  /// Reads a member of the object that holds the features.
  mutating func note(_ name: String, _ value: JSONValue) {
    switch name {
    // Any value but false and null counts as true: an unreadable value is no proof of completeness.
    case "exceededTransferLimit": if !value.isNull, value != .boolean(false) { isCut = true }
    case "properties":
      if let mark = value["exceededTransferLimit"] { note("exceededTransferLimit", mark) }
    case "numberMatched", "numberReturned", "totalFeatures":
      // The value may also be "unknown".
      if let count = value.integer, count > stated?.count ?? 0 { stated = (name, count) }
    case "links": hasNext = hasNext || (value.array ?? []).contains { $0["rel"]?.string == "next" }
    default: break
    }
  }

  /// Returns warnings about missing features in a set of `featureCount`; empty for a complete answer.
  package func reasons(featureCount: Int) -> [String] {
    var reasons: [String] = []
    if isCut {
      reasons.append("exceededTransferLimit: some features are missing: the service reached its limit")
    }
    if let stated, stated.count > featureCount {
      reasons.append(
        "\(stated.name): states \(stated.count) features, but only \(featureCount) are present: the others are missing"
      )
    }
    if hasNext { reasons.append("links: a link \"next\" leads to more features, which are missing") }
    return reasons
  }
}
