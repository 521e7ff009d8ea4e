import MapGeometry
import MapJSON
import MapModel

/// A codec for renderers of type `aggregation`, which map services draw as bins.
///
/// - Source: Esri, "Spatiotemporal big data store map service specification", aggregation rendering.
enum EsriBinRendererCodec {
  /// The field with the statistic of a bin, if it is not the number of features.
  private static let valueField = "bin_value"

  /// Reads the bins, and the renderer of single features; no bins, with a warning, for an unknown shape.
  static func renderers(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> (features: RendererForm?, bins: FeatureAggregation?) {
    let features = try node["featureRenderer"].flatMap { node throws(JSONDecodingError) in
      try EsriRendererCodec.renderer(node, &report)
    }
    let style = node["geoHashStyle"]
    let word = try style?.string("style") ?? "geohash"
    guard let shape = BinCells.Shape(rawValue: word) else {
      let near = NearestName.of(word, among: BinCells.Shape.allCases.map(\.rawValue))
      report.note(
        style?.path["style"] ?? node.path,
        "not applied: bins of shape \"\(word)\"; features are drawn one by one"
          + (near.map { "; did you mean \"\($0)\"?" } ?? ""))
      return (features, nil)
    }
    var bins = FeatureAggregation()
    bins.isOfRenderer = true
    let least = try node.double("minBinSizeInPixels") ?? 25
    guard least >= 1 else { throw node.invalid("a minBinSizeInPixels below 1") }
    bins.bins = BinCells(shape, .pixels(least, finer: try node.integer("lodOffset") ?? 0))
    bins.threshold = max(0, try node.integer("featureThreshold") ?? 0)
    let field = try statistic(node["fieldStatistic"] ?? node["fieldStatistics"], &report)
    bins.fields = field.map { [$0] } ?? []
    let value = field?.name ?? FeatureAggregation.countField
    bins.ramp = try ramp(node["binRenderer"], fieldName: value)
    if let labels = node["labels"] { bins.labelDefinitions = [try label(labels, of: value)] }
    if try node.string("style")?.lowercased() == "oval" {
      report.note(node.path["style"], "approximated: bins are filled, and not ovals", .approximated)
    }
    if let color = try EsriMembers.color(node["backgroundColor"]), color.alpha > 0 {
      report.note(node.path["backgroundColor"], "not drawn: bins have no background")
    }
    if shape != .geohash, let number = style?["sr"]?.value,
      let wkid = number.integer ?? number.string.flatMap({ Int($0) }),
      SpatialReference(wkid: wkid) != .webMercator
    {
      report.note(
        style?.path["sr"] ?? node.path, "approximated: the bins lie in the spatial reference of the map",
        .approximated)
    }
    return (features, bins)
  }

  /// Reads the statistic of a bin; nil for the number of features.
  private static func statistic(
    _ node: JSONNode?, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> FeatureAggregation.Field? {
    guard let node, let field = try node.string("fieldName"), !field.isEmpty else { return nil }
    let word = (try (node["statisticType"] ?? node["statisticsType"])?.string() ?? "").lowercased()
    let words = [
      "average": "avg", "maximum": "max", "minimum": "min", "standarddeviation": "stddev", "variance": "var",
    ]
    guard let statistic = FeatureAggregation.Statistic(rawValue: words[word] ?? word) else {
      report.note(
        node.path["statisticType"], "approximated: bins show the number of features, not \"\(word)\"",
        .approximated)
      return nil
    }
    return FeatureAggregation.Field(name: valueField, onField: field, statistic: statistic)
  }

  private static func ramp(
    _ node: JSONNode?, fieldName: String
  ) throws(JSONDecodingError) -> BinRamp {
    func end(_ name: String, _ color: Color) throws(JSONDecodingError) -> BinRamp.End {
      BinRamp.End(
        value: try node?.double("\(name)Value"),
        color: try EsriMembers.color(node?["\(name)Color"]) ?? color,
        outlineColor: try EsriMembers.color(node?["\(name)OutlineColor"])
          ?? Color(red: 0, green: 0, blue: 0, alpha: 100),
        outlineWidth: max(0, try node?.double("\(name)OutlineWidth") ?? 0.5))
    }
    return BinRamp(
      fieldName: fieldName, low: try end("min", Color(red: 255, green: 0, blue: 0, alpha: 20)),
      high: try end("max", Color(red: 255, green: 0, blue: 0)))
  }

  /// Reads the labels: a number in the middle of each bin, with K, M or B for large ones.
  private static func label(
    _ node: JSONNode, of field: String
  ) throws(JSONDecodingError) -> LabelDefinition {
    let format = try node.string("format") ?? "###.#KMB"
    let digits = String(format.filter { "#0.,".contains($0) })
    let quoted = digits.isEmpty ? "###.#" : digits
    var expression = "Text(v, '\(quoted)')"
    let units = format.lowercased().hasSuffix("kmg") ? ["k", "M", "G"] : ["K", "M", "B"]
    if ["kmb", "kmg"].contains(where: format.lowercased().hasSuffix) {
      for (unit, size) in zip(units, ["1000", "1000000", "1000000000"]) {
        expression = "IIf(Abs(v) >= \(size), Text(v / \(size), '\(quoted)') + '\(unit)', \(expression))"
      }
    }
    var symbol = TextSymbol(
      color: try EsriMembers.color(node["color"]) ?? .black, size: try node.double("size") ?? 12)
    symbol.fontFamily = try node.string("font") ?? ""
    let style = (try node.string("style") ?? "").uppercased()
    if style.contains("BOLD") { symbol.fontWeight = .bold }
    if style.contains("ITALIC") { symbol.fontStyle = .italic }
    var label = LabelDefinition(
      expression: .arcade("var v = $feature[\"\(field)\"];\n\(expression)"), textSymbol: symbol)
    label.allowsOverrun = true
    return label
  }
}
