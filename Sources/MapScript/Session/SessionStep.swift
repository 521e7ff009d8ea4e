import MapFeatures
import MapGeometry
import MapJSON
import MapModel
import MapState

/// The steps of a session, their fields, and functions that read the longer steps.
enum SessionStep: String, CaseIterable {
  case open, close, filter, viewpoint, pan, zoom, rotate, visibility, time, select, count, statistics, query,
    identify,
    render, expect

  /// The names of all steps, for messages.
  static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }

  private var fields: Set<String> {
    switch self {
    case .open: ["source", "size", "pixelRatio", "skipUnavailable"]
    case .close: []
    case .filter: ["layer", "definition", "display", "mode"]
    case .viewpoint: ["center", "scale", "bounds", "fit", "padding", "rotation"]
    case .pan, .zoom, .rotate: ["by"]
    case .visibility: ["layer", "visible"]
    case .time: ["time"]
    case .select: Self.questionFields.union(["mode"])
    case .identify: ["layer", "at", "tolerance", "maximum"]
    case .count: Self.questionFields.union(["funnel"])
    case .statistics: Self.questionFields.union(["statistics", "groupBy", "orderBy"])
    case .query:
      Self.questionFields.union([
        "outFields", "orderBy", "offset", "maxFeatures", "returnsGeometry", "idsOnly", "extentOnly",
        "countOnly", "outWkid", "maxOffset",
      ])
    case .render: ["output"]
    case .expect: ["layer", "count", "drawn", "image"]
    }
  }

  private static let questionFields: Set<String> = [
    "layer", "everywhere", "inView", "bounds", "extent", "where", "cql2", "propertyCase", "geometry",
    "relation", "time",
  ]

  /// Refuses a field that the step does not have, so that misspelt fields are not ignored.
  func check(_ step: JSONNode) throws(MapStateError) {
    for member in step.value.object?.members ?? []
    where !fields.contains(member.name) && !["step", "id"].contains(member.name) {
      let known = fields.sorted().joined(separator: ", ")
      throw MapStateError(
        .input,
        "step \"\(rawValue)\" has no field \"\(member.name)\"\(known.isEmpty ? "" : "; available: \(known)")",
        path: step.path[member.name].description, suggestion: NearestName.of(member.name, among: fields))
    }
    try RequestedExtent.checkDegrees(of: step)
  }

  /// Reads the layer and the options of a count step.
  static func count(_ step: JSONNode) throws(JSONDecodingError) -> (layer: String?, options: CountOptions) {
    var options = CountOptions()
    options.question = try question(step)
    options.funnel = try step.boolean("funnel") ?? false
    return (try step.string("layer"), options)
  }

  /// Reads the features that a step is about.
  static func question(_ step: JSONNode) throws(JSONDecodingError) -> FeatureQuestion {
    var question = FeatureQuestion()
    question.geometry = try condition(step)
    question.area = try area(step, hasGeometry: question.geometry != nil)
    question.whereClause = try step.string("where") ?? ""
    // The condition may be JSON or a string that contains JSON.
    question.cql2 =
      try step["cql2"].map { node throws(JSONDecodingError) in
        node.value.object == nil ? try node.string() : node.value.text()
      } ?? ""
    switch try step.string("propertyCase") {
    case nil, "sensitive": break
    case "insensitive": question.cql2NamesHaveCase = false
    default: throw (step["propertyCase"] ?? step).invalid("expected sensitive or insensitive")
    }
    question.time = try time(step)
    return question
  }

  /// Returns whether a step names an extent.
  static func asksExtent(_ step: JSONNode) -> Bool {
    step["bounds"] != nil || step["extent"] != nil || step["geometry"] != nil
      || step["inView"]?.value.boolean == true
  }

  /// Reads the area of a step: the view, unless the step names an extent, `everywhere` or only a geometry.
  private static func area(
    _ step: JSONNode, hasGeometry: Bool
  ) throws(JSONDecodingError) -> FeatureQuestion.Area {
    let isInView = try step.boolean("inView") ?? false
    let isEverywhere = try step.boolean("everywhere") ?? false
    let extents = ["bounds", "extent"].compactMap { step[$0] }
    guard [isInView, isEverywhere].count(where: { $0 }) + extents.count <= 1 else {
      throw step.invalid("give one of \"bounds\", \"inView\" and \"everywhere\"")
    }
    if let extent = extents.first { return .envelope(try RequestedExtent.envelope(extent)) }
    return isEverywhere || hasGeometry && !isInView ? .everywhere : .view
  }

  /// Reads the time span of a step; nil for none.
  static func time(_ step: JSONNode) throws(JSONDecodingError) -> TimeExtent? {
    guard let time = step["time"] else { return nil }
    guard let extent = TimeExtent(text: try time.string()) else {
      throw time.invalid("expected START/END, each a date, an RFC 3339 timestamp or ..")
    }
    guard !extent.isReversed else { throw time.invalid("the start is after the end") }
    return extent
  }

  /// Reads the spatial relation of features to the step's geometry; nil without a geometry.
  private static func condition(_ step: JSONNode) throws(JSONDecodingError) -> SpatialCondition? {
    guard let geometry = step["geometry"] else {
      if let relation = step["relation"] {
        throw relation.invalid("goes with \"geometry\", which is missing")
      }
      return nil
    }
    var (relationship, pattern): (SpatialRelationship, String?) = (.intersects, nil)
    if let relation = step["relation"] {
      let name = try relation.string()
      if name.hasPrefix("relate:") {
        (relationship, pattern) = (.relate, String(name.dropFirst(7)))
      } else if let known = SpatialRelationship(anyName: name) {
        relationship = known
      } else {
        let known = SpatialRelationship.allCases.map(\.rawValue).joined(separator: ", ")
        throw relation.invalid("expected one of \(known)")
      }
    }
    do {
      return try SpatialCondition(QueryGeometry.geometry(geometry.value), relationship, pattern: pattern)
    } catch {
      throw geometry.invalid("\(error)")
    }
  }
}
