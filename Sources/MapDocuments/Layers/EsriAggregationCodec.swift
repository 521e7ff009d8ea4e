import MapJSON
import MapModel

/// A codec for clusters in web map JSON (`layerDefinition.featureReduction`).
enum EsriAggregationCodec {
  /// Reads clusters; nil, with a warning, for another kind of feature reduction.
  static func aggregation(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> FeatureAggregation? {
    let type = try node.string("type") ?? ""
    guard type == "cluster" else {
      report.note(
        node.path["type"],
        "not applied yet: feature reduction of type \"\(type)\"; features are drawn one by one")
      return nil
    }
    var aggregation = FeatureAggregation()
    if let radius = try EsriMembers.length(node, "clusterRadius") {
      guard radius >= 1 else { throw node.invalid("a clusterRadius below 1 pixel") }
      aggregation.radius = radius
    }
    aggregation.minSize = try EsriMembers.length(node, "clusterMinSize") ?? aggregation.minSize
    aggregation.maxSize = try EsriMembers.length(node, "clusterMaxSize") ?? aggregation.maxSize
    let drawing = node["drawingInfo"]
    if let renderer = drawing?["renderer"] ?? node["renderer"] {
      aggregation.renderer = try EsriRendererCodec.renderer(renderer, &report)
    }
    if let drawing, try node.boolean("showLabels") ?? true {
      aggregation.labelDefinitions = try EsriLabelCodec.definitions(drawing, fields: nil, &report)
    }
    for item in try node.elements("fields") {
      guard let name = try item.string("name"), name != FeatureAggregation.countField else { continue }
      guard let field = try item.string("onStatisticField"), !field.isEmpty,
        let statistic = try item.string("statisticType").flatMap(FeatureAggregation.Statistic.init)
      else {
        // The number of features needs no field.
        if try item.string("statisticType") != "count" {
          report.note(item.path, "not computed: it has no field with a known statistic; its values are null")
        }
        continue
      }
      aggregation.fields.append(
        FeatureAggregation.Field(name: name, onField: field, statistic: statistic))
    }
    if let info = node["visibilityInfo"] { aggregation.maxScale = try info.double("maxScale") ?? 0 }
    return aggregation
  }
}
