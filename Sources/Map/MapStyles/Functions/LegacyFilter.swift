internal import MapJSON

/// An old filter, written as an expression.
///
/// - Source: MapLibre Style Specification, "Deprecations: Other filter"; the rules of MapLibre GL JS 5 for filters that
///   may be read either way.
enum LegacyFilter {
  private enum Syntax { case expression, legacy, either }

  /// The greatest depth of filters; deeper parts are left to ``StyleReader``, which refuses them.
  private static let depthLimit = StyleReader.depthLimit

  /// Returns a filter as an expression.
  static func expression(_ json: JSONValue) -> JSONValue {
    syntax(json, 0) == .legacy ? converted(json, 0) : json
  }

  private static func syntax(_ json: JSONValue, _ depth: Int) -> Syntax {
    if json.boolean != nil { return .either }
    guard case .array(let parts) = json, let first = parts.first else { return .legacy }
    guard depth <= depthLimit else { return .expression }
    switch first.string {
    case "has":
      guard parts.count >= 2, parts[1].string != "$id", parts[1].string != "$type" else { return .legacy }
      return parts.count == 2 ? .either : .expression
    case "in":
      return parts.count >= 3 && (parts[1].string == nil || parts[2].array != nil) ? .expression : .legacy
    case "!in", "!has", "none": return .legacy
    case "==", "!=", ">", ">=", "<", "<=":
      return parts.count != 3 || parts[1].array != nil || parts[2].array != nil ? .expression : .legacy
    case "any", "all":
      let kinds = parts.dropFirst().map { syntax($0, depth + 1) }
      return kinds.contains(.expression) ? .expression : kinds.contains(.legacy) ? .legacy : .either
    default: return .expression
    }
  }

  private static func converted(_ json: JSONValue, _ depth: Int) -> JSONValue {
    guard case .array(let parts) = json, let name = parts.first?.string else { return true }
    guard depth <= depthLimit else { return json }
    if parts.count <= 1 { return .boolean(name != "any") }
    let rest = Array(parts.dropFirst())
    switch name {
    case "==", "<", ">", "<=", ">=": return comparison(name, rest)
    case "!=": return negated(comparison("==", rest))
    case "any", "all": return .array([.string(name)] + rest.map { converted($0, depth + 1) })
    case "none": return .array([.string("all")] + rest.map { negated(converted($0, depth + 1)) })
    case "in": return membership(rest)
    case "!in": return negated(membership(rest))
    case "has": return existence(rest[0])
    case "!has": return negated(existence(rest[0]))
    default: return true
    }
  }

  private static func negated(_ filter: JSONValue) -> JSONValue { .array([.string("!"), filter]) }

  private static func comparison(_ name: String, _ rest: [JSONValue]) -> JSONValue {
    let values = Array(rest.dropFirst())
    switch rest[0].string {
    case "$type": return .array([.string("filter-type-\(name)")] + values)
    case "$id": return .array([.string("filter-id-\(name)")] + values)
    default: return .array([.string("filter-\(name)"), rest[0]] + values)
    }
  }

  private static func membership(_ rest: [JSONValue]) -> JSONValue {
    let values: JSONValue = ["literal", .array(Array(rest.dropFirst()))]
    if rest.count == 1 { return false }
    switch rest[0].string {
    case "$type": return ["filter-type-in", values]
    case "$id": return ["filter-id-in", values]
    default: return ["filter-in-small", rest[0], values]
    }
  }

  private static func existence(_ property: JSONValue) -> JSONValue {
    switch property.string {
    case "$type": true
    case "$id": ["filter-has-id"]
    default: ["filter-has", property]
    }
  }
}
