package import MapJSON
package import MapState

/// The steps of a session and their fields.
package enum SessionStep: String, CaseIterable {
  case open, add, close, filter, viewpoint, pan, zoom, rotate, visibility, time, select, count, statistics,
    query, identify, explain, render, legend, series, tiles, lint, expect

  /// The names of all steps, for messages.
  static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }

  /// The names of the fields besides `step` and `id`.
  package var fields: [String] {
    switch self {
    case .open:
      ["source", "skipUnavailable", "data", "dpi", "template"] + ViewRequest.names + StyleRequest.names
        + LayoutRequest.names
        + DrawingRequest.names
    case .add:
      ["source", "title", "where", "definition", "attribution"] + Self.dataFields + StyleRequest.names
    case .close: []
    case .filter: ["layer", "definition", "displayFilter", "display", "filters", "mode"]
    case .viewpoint: ["viewpoint"] + ViewRequest.placeFields
    case .pan, .zoom, .rotate: ["by"]
    case .visibility: ["layer", "visible", "only", "hide", "show"]
    case .time: ["time", "now"]
    case .select: Self.questionFields + ["mode"]
    case .identify: ["layer", "at", "tolerance", "maximum"]
    case .explain: ["layer", "objectId"]
    case .count: Self.questionFields + ["funnel", "byClass", "expect", "extents"]
    case .statistics:
      Self.questionFields + ["statistic", "statistics", "groupBy", "orderBy", "having", "top"]
        + Self.derivedFields
    case .query:
      Self.questionFields + [
        "outFields", "orderBy", "offset", "maxFeatures", "noGeometry", "returnsGeometry", "ids", "idsOnly",
        "extentOnly", "countOnly", "outWkid", "maxOffset", "format",
      ]
    case .render:
      [
        "output", "describe", "svgText", "svgIds", "aggregate", "worldFile", "saveDocument", "listLabels",
        "pixelRatio",
      ]
    case .legend: ["output", "title", "counts", "inView", "bars", "charts", "columns", "background"]
    case .series:
      ["by", "byField", "byTime", "grid", "output", "mute", "statistic", "dpi", "frameTime", "loops"]
        + LayoutRequest.names + ["template"]
    case .tiles: ["output", "zoom", "bounds", "pixelRatio"]
    case .lint: ["disable"]
    case .expect: Self.questionFields + ["count", "drawn", "image", "aggregate"]
    }
  }

  /// The fields of the step `statistics` that depend on all rows.
  static let derivedFields = ["bins", "byTime"]

  /// The fields of a step that say how a file is read and joined.
  static let dataFields = [
    "sourceReference", "x", "y", "encoding", "delimiter", "decimal", "skipBadRows", "join", "joinFirst",
    "tileZoom",
  ]

  private static let questionFields = ["layer", "only"] + QuestionRequest.names

  /// Refuses a field that the step does not have, so that misspelt fields are not ignored.
  package func check(_ step: JSONNode) throws(MapStateError) {
    do { try step.refuseUnknown(["step", "id"] + fields) } catch {
      throw MapStateError(
        .input, "step \"\(rawValue)\": \(error)", path: error.path.description, suggestion: error.suggestion)
    }
  }
}
