public import MapJSON
import MapSystem

/// The reasons why a feature of a layer is or is not drawn in a view.
public struct FeatureExplanation: Hashable, Sendable {
  /// A stage of the filter funnel.
  ///
  /// A feature passes it if it also passes all earlier stages.
  public struct Stage: Hashable, Sendable {
    /// The name, as in the filter funnel.
    public let name: String
    /// Whether the feature passes this stage and every earlier stage.
    public let passes: Bool
    /// The reason, at the first stage that the feature fails; nil at all other stages.
    public let reason: String?
  }

  /// The result of labelling a feature in one label class.
  public struct Label: Hashable, Sendable {
    /// The name of the label class; may be empty.
    public let className: String
    /// The result, as in the label report: `placed`, `collided`, `atMarker`, `atEdge`, `duplicate`, `overrun`,
    /// `coversArea` or `empty`.
    public let result: String
    /// The text of the label.
    public let text: String
  }

  /// A feature that is painted over the explained feature.
  public struct Cover: Hashable, Sendable {
    /// The layer's title, or its id without a title.
    public let layer: String
    /// The object id.
    public let objectID: Int64
    /// The number of pixels that it covers.
    public let pixels: Int
  }

  /// The layer's title, or its id without a title.
  public let layer: String
  /// The object id.
  public let objectID: Int64
  /// The stages in the order of the funnel; `drawn` and `edge` come last.
  public let stages: [Stage]
  /// The label of the feature's renderer class, or the default label, or the names of its rules between commas; nil if the
  /// feature has no symbol.
  public let className: String?
  /// The description of the symbol; nil without one.
  public let symbol: String?
  /// The results of labelling, one for each tried position.
  public let labels: [Label]
  /// The reason why no label was tried; nil if one was.
  public let labelReason: String?
  /// The number of pixels that the feature colours, at least in part, if it is painted alone.
  public let paintedPixels: Int
  /// The number of painted pixels whose colour the feature changes in the image, or that no other feature covers.
  public let visiblePixels: Int
  /// The features that cover this one, most covered pixels first.
  public let coveredBy: [Cover]
  /// The names of the rules that the feature matches at the scale of the view, in drawing order; nil for a renderer without
  /// rules.
  public let rules: [String]?

  /// Whether the feature is painted (stage `drawn` or `edge`).
  public var isDrawn: Bool { stages.suffix(2).contains(where: \.passes) }

  /// The first stage that the feature fails; nil for a drawn feature.
  public var failure: Stage? { isDrawn ? nil : stages.first { !$0.passes } }

  /// The maximum number of covering features in the text.
  private static let listedCovers = 5

  /// The explanation as JSON with keys in a fixed order.
  public var json: JSONValue {
    var object: JSONObject = [
      "layer": .string(layer), "id": .number(JSONNumber(objectID)), "drawn": .boolean(isDrawn),
      "stages": .array(
        stages.map { stage in
          var object: JSONObject = ["stage": .string(stage.name), "passes": .boolean(stage.passes)]
          if let reason = stage.reason { object["reason"] = .string(reason) }
          return .object(object)
        }),
      "class": className.map { .string($0) } ?? .null, "symbol": symbol.map { .string($0) } ?? .null,
      "labels": .array(
        labels.map {
          ["class": .string($0.className), "result": .string($0.result), "text": .string($0.text)]
        }),
      "labelReason": labelReason.map { .string($0) } ?? .null,
      "pixels": ["painted": .number(paintedPixels), "visible": .number(visiblePixels)],
      "coveredBy": .array(
        coveredBy.map {
          [
            "layer": .string($0.layer), "id": .number(JSONNumber($0.objectID)), "pixels": .number($0.pixels),
          ]
        }),
    ]
    if let rules { object["rules"] = .array(rules.map { .string($0) }) }
    return .object(object)
  }

  /// The explanation as lines of text.
  public var text: String {
    var lines = ["\(MessageText.name(layer)), id \(objectID): \(verdict)"]
    for stage in stages {
      let name = stage.name + String(repeating: " ", count: max(0, 12 - stage.name.count))
      // Stages after the first failure are not evaluated. A feature in the view is not an edge feature.
      let result = stage.passes ? "yes" : stage.reason == nil ? "-" : "no"
      lines.append("  \(name)\(result)\(stage.reason.map { "   \($0)" } ?? "")")
    }
    if let rules {
      lines += (rules.isEmpty ? ["none"] : rules).map { "  rule        \($0)" }
    } else {
      lines.append("  class       \(className.map { $0.isEmpty ? "(no label)" : $0 } ?? "none")")
    }
    lines.append("  symbol      \(symbol ?? "none")")
    for label in labels {
      let name = label.className.isEmpty ? "" : " (\(label.className))"
      lines.append("  label       \(Self.words(label.result)): \"\(label.text)\"\(name)")
    }
    if let labelReason { lines.append("  label       none: \(labelReason)") }
    lines.append("  pixels      \(paintedPixels) painted, \(visiblePixels) visible")
    for cover in coveredBy.prefix(Self.listedCovers) {
      lines.append(
        "  covered by  \(MessageText.name(cover.layer)), id \(cover.objectID): \(cover.pixels) pixels")
    }
    if coveredBy.count > Self.listedCovers {
      lines.append("              and \(coveredBy.count - Self.listedCovers) more features")
    }
    return lines.map { MessageText.escaped($0) + "\n" }.joined()
  }

  private var verdict: String {
    guard isDrawn else { return "not drawn" }
    if paintedPixels == 0 { return "drawn, and too small or too clear to colour a pixel" }
    return visiblePixels == 0 ? "drawn, and covered" : "drawn"
  }

  /// Returns a description of a labelling result.
  private static func words(_ result: String) -> String {
    switch result {
    case "collided": "dropped, another label is there"
    case "atMarker": "dropped, it would cover a marker or lie too close to one"
    case "atEdge": "dropped, the edge of the image would cut it"
    case "duplicate": "dropped, another label has the same text"
    case "overrun": "dropped, it would reach beyond its area"
    case "coversArea": "dropped, it would cover its area as a whole"
    case "empty": "dropped, it has no text"
    default: result
    }
  }
}
