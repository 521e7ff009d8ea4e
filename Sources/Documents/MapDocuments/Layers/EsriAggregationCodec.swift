import MapJSON
import MapModel

/// A codec for clusters and bins in web map JSON (`layerDefinition.featureReduction`).
enum EsriAggregationCodec {
  /// Reads clusters or bins; nil, with a warning, for another kind of feature reduction.
  static func aggregation(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> FeatureAggregation? {
    let type = try node.string("type") ?? ""
    var aggregation = FeatureAggregation()
    if type == "binning" {
      guard let cells = try bins(node, &report) else { return nil }
      aggregation.bins = cells
    } else if type != "cluster" {
      report.note(
        node.path["type"],
        "not applied yet: feature reduction of type \"\(type)\"; features are drawn one by one")
      return nil
    }
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
    // Documents of 2020 and before have the label classes beside the kind of reduction.
    let labels = drawing?["labelingInfo"] == nil && node["labelingInfo"] != nil ? node : drawing
    if let labels, try node.boolean("showLabels") ?? true {
      // Each cluster has its number, also where clusters overlap.
      aggregation.labelDefinitions = try EsriLabelCodec.definitions(
        labels, fields: nil, strategy: .none, &report)
    }
    for item in try node.elements("fields") {
      guard let name = try item.string("name"), name != FeatureAggregation.countField else { continue }
      let field = try item.string("onStatisticField").flatMap { $0.isEmpty ? nil : $0 }
      let statistic = try item.string("statisticType").flatMap(FeatureAggregation.Statistic.init)
      // The number of features needs no field.
      guard let statistic, field != nil || statistic == .count && item["onStatisticExpression"] == nil else {
        report.note(item.path, "not computed: it has no field with a known statistic; its values are null")
        aggregation.fields.append(FeatureAggregation.Field(name: name, onField: nil, statistic: nil))
        continue
      }
      aggregation.fields.append(
        FeatureAggregation.Field(name: name, onField: field, statistic: statistic))
    }
    if let info = node["visibilityInfo"] { aggregation.maxScale = try info.double("maxScale") ?? 0 }
    return aggregation
  }

  /// Reads the cells of bins; nil, with a warning, for an unknown shape.
  private static func bins(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> BinCells? {
    let word = try node.string("binType") ?? "geohash"
    guard let shape = BinCells.Shape(rawValue: word) else {
      let near = NearestName.of(word, among: BinCells.Shape.allCases.map(\.rawValue))
      report.note(
        node.path["binType"],
        "not applied: bins of type \"\(word)\"; features are drawn one by one"
          + (near.map { "; did you mean \"\($0)\"?" } ?? ""))
      return nil
    }
    let level = try node.integer("fixedBinLevel") ?? 3
    let levels = shape.levels
    guard levels.contains(level) else {
      throw node.invalid("a fixedBinLevel outside \(levels.lowerBound) to \(levels.upperBound)")
    }
    return BinCells(shape, .level(level))
  }
}
