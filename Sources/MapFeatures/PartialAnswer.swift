package import MapJSON

/// The members by which a saved answer of a service states that it holds a part of the features.
///
/// - Source: ArcGIS REST API, feature set (`exceededTransferLimit`, in GeoJSON also within `properties`); OGC 17-069r4,
///   7.15.8 and 7.16 (`numberMatched`, `numberReturned`, a link `next`); GeoServer's `totalFeatures`.
package struct PartialAnswer: Sendable {
  private var isCut = false
  private var hasNext = false
  /// The greatest number of features that a member states, and the member.
  private var stated: (name: String, count: Int)?

  package init() {}

  /// The marks among the members of a feature set.
  package init(of object: JSONObject) {
    for member in object.members where Self.names.contains(member.name) { note(member.name, member.value) }
  }

  /// The members that are looked at.
  static let names: Set<String> = [
    "exceededTransferLimit", "properties", "numberMatched", "numberReturned", "totalFeatures", "links",
  ]

  /// Takes in a member of the object that holds the features.
  mutating func note(_ name: String, _ value: JSONValue) {
    switch name {
    // Anything but false: what cannot be read as "whole" is not taken for it.
    case "exceededTransferLimit": if !value.isNull, value != .boolean(false) { isCut = true }
    case "properties":
      if let mark = value["exceededTransferLimit"] { note("exceededTransferLimit", mark) }
    case "numberMatched", "numberReturned", "totalFeatures":
      // "unknown" is allowed too.
      if let count = value.integer, count > stated?.count ?? 0 { stated = (name, count) }
    case "links": hasNext = hasNext || (value.array ?? []).contains { $0["rel"]?.string == "next" }
    default: break
    }
  }

  /// The marks that a part of the features is missing from a set of so many, for warnings; none for a whole answer.
  package func reasons(featureCount: Int) -> [String] {
    var reasons: [String] = []
    if isCut {
      reasons.append("exceededTransferLimit: the features were cut at a service's limit: some are missing")
    }
    if let stated, stated.count > featureCount {
      reasons.append(
        "\(stated.name): \(stated.count) features, and \(featureCount) are here: the others are missing")
    }
    if hasNext { reasons.append("links: a link \"next\" leads to more features, which are missing") }
    return reasons
  }
}
