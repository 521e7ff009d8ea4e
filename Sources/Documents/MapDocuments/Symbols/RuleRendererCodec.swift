import MapFilter
import MapJSON
import MapModel

/// A codec for renderers with rules, a form of MapState: web maps have none.
///
/// A rule has SQL as `where`, or CQL2 as `filter`, which is text or JSON.
enum RuleRendererCodec {
  // MARK: Reading

  /// Reads a renderer.
  static func renderer(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> RuleRenderer {
    var renderer = RuleRenderer(passes: [])
    var count = 0
    for node in try node.required("passes").elements() {
      var pass = RuleRenderer.Pass(name: try node.string("name") ?? "", rules: [])
      if let order = node["orderBy"] { pass.drawingOrder = try EsriDrawingOrderCodec.orders(order) }
      for rule in try node.required("rules").elements() { pass.rules.append(try self.rule(rule, &report)) }
      count += pass.rules.count
      renderer.passes.append(pass)
    }
    try EsriRendererCodec.check(count, node)
    renderer.legendOptions = EsriLegendOptionsCodec.options(node)
    return renderer
  }

  private static func rule(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> RuleRenderer.Rule {
    let isElse = try node.boolean("else") ?? false
    var rule = RuleRenderer.Rule(
      name: EsriMembers.text(node["name"]), label: EsriMembers.text(node["label"]),
      filter: try filter(node), symbol: try EsriSymbolCodec.symbol(node.required("symbol"), &report))
    if isElse, !rule.filter.isEmpty {
      throw node.invalid("an else rule has no filter; remove \"else\", or the filter")
    }
    rule.description = EsriMembers.text(node["description"])
    rule.isElse = isElse
    (rule.minScale, rule.maxScale) = (try node.double("minScale") ?? 0, try node.double("maxScale") ?? 0)
    if rule.minScale < 0 || rule.maxScale < 0 || rule.minScale > 0 && rule.maxScale >= rule.minScale {
      report.note(node.path, "the scale range is empty; the rule never applies", .drawn)
    }
    rule.showsInLegend = try node.boolean("skipLegend") != true
    return rule
  }

  private static func filter(_ node: JSONNode) throws(JSONDecodingError) -> ParsedFilter {
    let clause = try node.string("where") ?? ""
    guard let filter = node["filter"] else { return ParsedFilter(clause) }
    guard clause.isEmpty else { throw node.invalid("a rule has \"where\" or \"filter\", not both") }
    if case .object = filter.value { return ParsedFilter(cql2: filter.value) }
    return ParsedFilter(try filter.string(), in: .cql2Text)
  }

  // MARK: Writing

  /// Returns the members of a renderer.
  static func members(_ renderer: RuleRenderer) -> [(String, JSONValue)] {
    let passes: [JSONValue] = renderer.passes.map { pass in
      var members: [(String, JSONValue)] = []
      if !pass.name.isEmpty { members.append(("name", .string(pass.name))) }
      if !pass.drawingOrder.isEmpty {
        members.append(("orderBy", EsriDrawingOrderCodec.json(pass.drawingOrder)))
      }
      return EsriMembers.object(members + [("rules", .array(pass.rules.map(json)))])
    }
    return [("type", "rules"), ("passes", .array(passes))]
  }

  private static func json(_ rule: RuleRenderer.Rule) -> JSONValue {
    var members: [(String, JSONValue)] = []
    if !rule.name.isEmpty { members.append(("name", .string(rule.name))) }
    if !rule.label.isEmpty { members.append(("label", .string(rule.label))) }
    if !rule.description.isEmpty { members.append(("description", .string(rule.description))) }
    if rule.isElse { members.append(("else", true)) }
    if !rule.filter.isEmpty {
      switch rule.$filter.language {
      case .sqlWhere: members.append(("where", .string(rule.filter)))
      case .cql2Text: members.append(("filter", .string(rule.filter)))
      case .cql2JSON:
        members.append(("filter", (try? JSONValue(parsing: rule.filter)) ?? .string(rule.filter)))
      }
    }
    if rule.minScale != 0 { members.append(("minScale", .number(rule.minScale))) }
    if rule.maxScale != 0 { members.append(("maxScale", .number(rule.maxScale))) }
    members.append(("symbol", EsriSymbolCodec.json(rule.symbol)))
    if !rule.showsInLegend { members.append(("skipLegend", true)) }
    return EsriMembers.object(members)
  }
}
