import MapJSON
import MapModel

/// A codec for `legendOptions` and `valueExpressionTitle` in web map JSON.
enum EsriLegendOptionsCodec {
  /// Reads the options of a renderer or a visual variable.
  ///
  /// ``DocumentWalk`` reports values of wrong kinds.
  static func options(_ node: JSONNode) -> LegendOptions {
    var options = LegendOptions()
    options.valueExpressionTitle = EsriMembers.text(node["valueExpressionTitle"])
    guard let member = node["legendOptions"] else { return options }
    options.title = EsriMembers.text(member["title"])
    options.showsLegend = member["showLegend"]?.value.boolean ?? true
    options.order = LegendOptions.Order(rawValue: EsriMembers.text(member["order"]))
    options.minLabel = EsriMembers.text(member["minLabel"])
    options.maxLabel = EsriMembers.text(member["maxLabel"])
    options.dotLabel = EsriMembers.text(member["dotLabel"])
    options.unit = EsriMembers.text(member["unit"])
    return options
  }

  /// Returns the members that differ from the defaults.
  static func members(_ options: LegendOptions) -> [(String, JSONValue)] {
    var object = JSONObject()
    for (name, text) in [
      ("title", options.title), ("minLabel", options.minLabel), ("maxLabel", options.maxLabel),
      ("dotLabel", options.dotLabel), ("unit", options.unit),
    ] where !text.isEmpty { object[name] = .string(text) }
    if let order = options.order { object["order"] = .string(order.rawValue) }
    if !options.showsLegend { object["showLegend"] = false }
    let title = options.valueExpressionTitle
    return (title.isEmpty ? [] : [("valueExpressionTitle", .string(title))])
      + (object.members.isEmpty ? [] : [("legendOptions", .object(object))])
  }
}
