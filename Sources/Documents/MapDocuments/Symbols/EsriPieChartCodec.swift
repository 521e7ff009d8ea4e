import MapJSON
import MapModel

/// A codec for pie charts in web map JSON.
enum EsriPieChartCodec {
  /// Reads pie charts.
  static func renderer(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> PieChartRenderer {
    var renderer = PieChartRenderer(attributes: try EsriDensityCodec.attributes(node, &report))
    renderer.size = try EsriMembers.length(node, "size") ?? renderer.size
    renderer.holeShare = try share(node, "holePercentage")
    renderer.outline = try EsriDensityCodec.outline(node, &report)
    renderer.defaultColor = try EsriMembers.color(node["defaultColor"])
    renderer.defaultLabel = try node.string("defaultLabel") ?? ""
    if let others = node["othersCategory"] {
      renderer.othersThreshold = try share(others, "threshold")
      renderer.othersColor = try EsriMembers.color(others["color"]) ?? renderer.othersColor
      renderer.othersLabel = try others.string("label") ?? ""
    }
    renderer.backgroundFill = try EsriRendererCodec.backgroundFill(node, &report)
    renderer.legendOptions = EsriLegendOptionsCodec.options(node)
    return renderer
  }

  private static func share(_ node: JSONNode, _ name: String) throws(JSONDecodingError) -> Double {
    guard let share = try node.double(name) else { return 0 }
    guard (0...1).contains(share) else { throw node.invalid("a \(name) outside 0 to 1") }
    return share
  }

  /// Returns the members of pie charts.
  static func members(_ renderer: PieChartRenderer) -> [(String, JSONValue)] {
    var members: [(String, JSONValue)] = [
      ("type", "pieChart"), ("attributes", EsriDensityCodec.json(renderer.attributes)),
      ("size", .number(renderer.size / EsriMembers.pixelsPerPoint)),
    ]
    if renderer.holeShare > 0 { members.append(("holePercentage", .number(renderer.holeShare))) }
    if let outline = renderer.outline {
      members.append(("outline", EsriSymbolCodec.json(.line(outline))))
    }
    if let color = renderer.defaultColor { members.append(("defaultColor", EsriMembers.json(color))) }
    if !renderer.defaultLabel.isEmpty { members.append(("defaultLabel", .string(renderer.defaultLabel))) }
    if renderer.othersThreshold > 0 {
      members.append(
        (
          "othersCategory",
          EsriMembers.object([
            ("threshold", .number(renderer.othersThreshold)),
            ("color", EsriMembers.json(renderer.othersColor)), ("label", .string(renderer.othersLabel)),
          ])
        ))
    }
    return members + EsriRendererCodec.members(background: renderer.backgroundFill)
  }
}
