import ArgumentParser
package import MapScript
import MapState
import MapSystem

/// A tool of the Model Context Protocol: a step of a session, with those of its fields that read no files.
package struct MCPTool: Sendable {
  package let name: String
  /// The step that the tool performs.
  package let step: SessionStep
  /// The names of its arguments, which are fields of the step.
  package let arguments: [String]
  private let required: [String]
  private let summary: String
  /// The options with the help of the arguments.
  private let options: [CommandInfo.Argument]

  /// The number of features of a query that names no number.
  private static let features = 100
  /// The longest answer in bytes; models read a few thousand words at a time.
  private static let longestText = 1_000_000
  /// The largest image in bytes.
  ///
  /// - Source: design decision; clients refuse images of about 5 MB in base64.
  private static let largestImage = 3_500_000

  private static let question = [
    "layer", "only", "bounds", "inView", "everywhere", "where", "cql2", "propertyCase", "geometry",
    "relation",
    "time", "objectIds",
  ]

  /// The tools.
  package static func all() throws -> [MCPTool] {
    [
      try MCPTool(
        "open", .open, RenderCommand.self,
        [
          "source", "size", "viewpoint", "bounds", "fit", "zoom", "rotation", "padding", "reference", "only",
          "hide", "show", "filters", "definition", "displayFilter", "time", "now", "sourceReference", "x",
          "y",
          "encoding", "delimiter", "decimal", "skipBadRows", "colorBy", "normalizeBy", "classes", "method",
          "breaks", "ramp", "colors", "sizeBy", "sizeRange", "label", "title", "legend", "scaleBar",
          "basemap",
          "noBasemap", "graticule", "background",
        ],
        required: ["source"],
        "Open a map document or data file. The other tools ask about the view that was opened last; open again to "
          + "move it or to change layers, filters or colours."),
      try MCPTool(
        "describe", .render, RenderCommand.self, [],
        "Describe the image of the open map: place, layers, classes, and the features that are drawn."),
      try MCPTool(
        "count", .count, CountCommand.self, question + ["funnel", "byClass"],
        "Count the features of each layer in the view or elsewhere."),
      try MCPTool(
        "statistics", .statistics, StatisticsCommand.self,
        question + ["statistic", "groupBy", "orderBy", "having", "top"], required: ["statistic"],
        "Compute statistics of one layer, such as sum:POP or average:AGE, also by groups."),
      try MCPTool(
        "query", .query, QueryCommand.self,
        question + [
          "outFields", "orderBy", "offset", "maxFeatures", "noGeometry", "ids", "extentOnly", "outWkid",
        ],
        "List features of one layer as GeoJSON, \(features) unless maxFeatures says otherwise."),
      try MCPTool("render", .render, RenderCommand.self, ["pixelRatio"], "Draw the open map as an image."),
      try MCPTool(
        "explain", .explain, ExplainCommand.self, ["layer", "objectId"], required: ["objectId"],
        "Explain why a feature is or is not drawn: filters, class, symbol, and the features over it."),
    ]
  }

  private init(
    _ name: String, _ step: SessionStep, _ command: any AsyncParsableCommand.Type, _ arguments: [String],
    required: [String] = [], _ summary: String
  ) throws {
    (self.name, self.step, self.arguments, self.required, self.summary) =
      (name, step, arguments, required, summary)
    options = try CommandInfo(command).options
  }

  /// The tool as the protocol lists it.
  ///
  /// - Parameter files: the names of the files that can be opened.
  func json(files: String) -> JSONValue {
    var properties = JSONObject()
    for argument in arguments { properties[argument] = schema(of: argument, files) }
    return [
      "name": .string(name), "description": .string(summary),
      "inputSchema": [
        "type": "object", "properties": .object(properties),
        "required": .array(required.map { .string($0) }), "additionalProperties": false,
      ],
      "annotations": ["readOnlyHint": true],
    ]
  }

  private func schema(of argument: String, _ files: String) -> JSONValue {
    switch argument {
    case "source":
      return ["type": "string", "description": .string("Path below the folders of this server: \(files).")]
    case "objectId": return ["type": "integer", "description": "Object ID of the feature."]
    case "geometry":
      return ["type": "object", "description": "Geometry to search, as GeoJSON or Esri JSON."]
    default: break
    }
    let name = "--" + argument.map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }.joined()
    let option = options.first { $0.names.contains(name) }
    var schema = JSONObject()
    if ["zoom", "rotation", "padding", "pixelRatio"].contains(argument) {
      schema["type"] = "number"
    } else if ["classes", "top", "offset", "maxFeatures"].contains(argument) {
      schema["type"] = "integer"
    } else if option?.kind == .flag {
      schema["type"] = "boolean"
    } else if option?.isRepeating ?? false, !StyleRequest.names.contains(argument) {
      schema["type"] = "array"
      schema["items"] = ["type": "string"]
    } else {
      schema["type"] = "string"
      if let values = option?.values, !values.isEmpty {
        schema["enum"] = .array(values.map { .string($0) })
      }
    }
    schema["description"] = option.map { .string(Self.description($0)) }
    return .object(schema)
  }

  /// Returns the help of an option, with the form of its value where it has parts.
  private static func description(_ option: CommandInfo.Argument) -> String {
    let text = option.summary.replacing("; repeatable", with: "")
    let hasParts = option.kind == .option && option.valueName.contains { ",:/[".contains($0) }
    return hasParts ? "\(text) Written as \(option.valueName)." : text
  }

  /// Returns the step of a call.
  ///
  /// - Throws: `MapStateError` for an argument that the tool does not have, and for one that would read other files.
  func request(
    _ given: JSONObject, in folders: MCPFolders
  ) throws(MapStateError) -> JSONValue {
    var request: JSONObject = ["step": .string(step.rawValue)]
    for member in given.members {
      guard arguments.contains(member.name) else {
        let nearest = NearestName.of(member.name, among: arguments).map { "did you mean \"\($0)\"? " } ?? ""
        let known = arguments.isEmpty ? "none" : arguments.sorted().joined(separator: ", ")
        throw MapStateError(.usage, "no argument \"\(member.name)\"; \(nearest)available: \(known)")
      }
      request[member.name] = member.value
    }
    if let missing = required.first(where: { request[$0] == nil }) {
      throw MapStateError(.usage, "\"\(missing)\" is missing")
    }
    if let source = request["source"]?.string { request["source"] = .string(try folders.path(of: source)) }
    if request["geometry"]?.string != nil {
      throw MapStateError(.usage, "\"geometry\" is a text; give an object, because no files are read here")
    }
    if let basemap = request["basemap"]?.string, !BasemapChoice.names.contains(basemap) {
      let known = BasemapChoice.names.joined(separator: ", ")
      throw MapStateError(.usage, "no basemap named \"\(basemap)\"; available: \(known)")
    }
    if name == "describe" { request["describe"] = true }
    if name == "query", request["maxFeatures"] == nil { request["maxFeatures"] = .number(Self.features) }
    return .object(request)
  }

  /// Returns the content of the answer to a step, and whether it is an error.
  func content(_ answer: MapSession.Answer) -> (content: [JSONValue], isError: Bool) {
    if let failure = answer.failure { return (Self.text(failure.description), true) }
    var members = answer.json.object ?? JSONObject()
    members["ok"] = nil
    if name == "describe" { members["report"] = nil }
    let text = JSONValue.object(members).text()
    guard text.utf8.count <= Self.longestText else {
      let advice = "ask for less, such as a smaller \"maxFeatures\", \"noGeometry\" or fewer \"outFields\""
      return (
        Self.text("the answer has \(text.utf8.count) bytes, of at most \(Self.longestText); \(advice)"), true
      )
    }
    guard name == "render", let image = answer.data else { return (Self.text(text), false) }
    guard image.count <= Self.largestImage else {
      let advice = "open the map with a smaller \"size\""
      return (
        Self.text("the image has \(image.count) bytes, of at most \(Self.largestImage); \(advice)"), true
      )
    }
    return (
      [["type": "image", "data": .string(Base64.text(image)), "mimeType": "image/png"]] + Self.text(text),
      false
    )
  }

  static func text(_ text: String) -> [JSONValue] { [["type": "text", "text": .string(text)]] }
}
