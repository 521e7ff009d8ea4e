package import MapJSON

/// The members of a service's saved answer which state that features are missing.
///
/// - Source: ArcGIS REST API, feature set (`exceededTransferLimit`, in GeoJSON also in `properties`); OGC 17-069r4,
///   7.15.8 and 7.16 (`numberMatched`, `numberReturned`, a link `next`); GeoServer's `totalFeatures`.
package struct PartialAnswer: Sendable {
  private var isCut = false
  private var hasNext = false
  /// The numbers of features that members state, with the members' names; nil for a value that is not a number.
  private var stated: [(name: String, count: Int?)] = []

  /// The warning about an answer that a service cut.
  package static let cutReason =
    "exceededTransferLimit: some features are missing: the service reached its limit"

  /// Creates an answer without such members.
  package init() {}

  /// Collects these members of a feature set.
  package init(of object: JSONObject) {
    for member in object.members where Self.names.contains(member.name) { note(member.name, member.value) }
  }

  /// The names of the members that are read.
  package static let names: Set<String> = [
    "exceededTransferLimit", "properties", "numberMatched", "numberReturned", "totalFeatures", "links",
  ]

  /// Reads a member of the object that holds the features.
  package mutating func note(_ name: String, _ value: JSONValue) {
    switch name {
    case "exceededTransferLimit": isCut = isCut || Self.isMark(value)
    case "properties":
      if let mark = value["exceededTransferLimit"] { note("exceededTransferLimit", mark) }
    case "numberMatched", "numberReturned", "totalFeatures":
      if value.isNull || value.string?.lowercased() == "unknown" { break }
      let count = value.integer ?? value.string.flatMap { Int($0) }
      stated.append((name, count.flatMap { $0 < 0 ? nil : $0 }))
    case "links": hasNext = hasNext || (value.array ?? [value]).contains { Self.leadsOn($0) }
    default: break
    }
  }

  /// Whether a value of `exceededTransferLimit` marks missing features.
  ///
  /// Any value but false, 0 and null does: an unreadable value is no proof of completeness.
  package static func isMark(_ value: JSONValue) -> Bool {
    switch value {
    case .null: false
    case .boolean(let flag): flag
    case .number(let number): number.double != 0
    case .string(let text): !["", "0", "false", "null"].contains(text.lowercased())
    case .array, .object: true
    }
  }

  /// Whether a link has the relation `next`, alone, in a list, or as the address of the registered relation.
  private static func leadsOn(_ link: JSONValue) -> Bool {
    guard let relation = link["rel"] else { return false }
    return (relation.array ?? [relation]).contains { name in
      name.string?.lowercased().split(separator: "/").last == "next"
    }
  }

  /// Returns warnings about missing features in a set of `featureCount`; empty for a complete answer.
  package func reasons(featureCount: Int) -> [String] {
    var reasons: [String] = []
    if isCut {
      reasons.append(Self.cutReason)
    }
    if let unread = stated.first(where: { $0.count == nil }) {
      reasons.append("\(unread.name): is not a number of features: some may be missing")
    }
    let missing = stated.filter { $0.count ?? 0 > featureCount }.max { $0.count ?? 0 < $1.count ?? 0 }
    if let missing, let count = missing.count {
      reasons.append(
        "\(missing.name): states \(count) features, but only \(featureCount) are present: the others are missing"
      )
    } else if let other = stated.first(where: { $0.count.map { $0 < featureCount } ?? false }) {
      reasons.append("\(other.name): states \(other.count ?? 0) features, but \(featureCount) are present")
    }
    if hasNext { reasons.append("links: a link \"next\" leads to more features, which are missing") }
    return reasons
  }
}
