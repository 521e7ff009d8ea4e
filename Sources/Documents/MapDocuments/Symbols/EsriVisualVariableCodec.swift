import MapExpressions
import MapJSON
import MapModel

/// A codec for visual variables in web map JSON (`renderer.visualVariables`).
enum EsriVisualVariableCodec {
  // MARK: Reading

  /// Reads the variables of a renderer and reports those that are not applied.
  static func variables(
    _ renderer: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> VisualVariables {
    var variables = VisualVariables()
    for node in try renderer.elements("visualVariables") {
      let isOutline = try node.string("target") == "outline"
      let type = try node.required("type").string()
      switch type {
      case "colorInfo":
        guard let input = try input(node, isTaken: variables.color != nil, &report) else { continue }
        variables.color = ColorVariable(input: input, stops: try colorStops(node))
        variables.color?.legendOptions = EsriLegendOptionsCodec.options(node)
      case "transparencyInfo":
        guard let input = try input(node, isTaken: variables.transparency != nil, &report) else { continue }
        variables.transparency = TransparencyVariable(input: input, stops: try transparencyStops(node))
        variables.transparency?.legendOptions = EsriLegendOptionsCodec.options(node)
      case "rotationInfo":
        guard let input = try input(node, isTaken: variables.rotation != nil, &report) else { continue }
        variables.rotation = RotationVariable(input: input, kind: try rotationKind(node))
        variables.rotation?.legendOptions = EsriLegendOptionsCodec.options(node)
      case "sizeInfo":
        guard
          let input = try input(
            node, isTaken: (isOutline ? variables.outlineWidth : variables.size) != nil, &report)
        else { continue }
        guard let rule = try EsriSizeCodec.rule(node) else {
          report.note(node.path, "not applied: it has no stops, no data values with sizes and no unit")
          continue
        }
        var size = SizeVariable(input: input, rule: rule)
        size.legendOptions = EsriLegendOptionsCodec.options(node)
        if isOutline { variables.outlineWidth = size } else { variables.size = size }
      default:
        report.note(
          node.path["type"],
          "not applied: unknown type \"\(type)\"" + DocumentObject.visualVariables.suggestion(for: type))
      }
    }
    // The older form, a member of the renderer itself.
    if let expression = try renderer.string("rotationExpression"), variables.rotation == nil {
      if expression.hasPrefix("["), expression.hasSuffix("]"), !expression.dropFirst().contains("[") {
        variables.rotation = RotationVariable(
          input: .field(String(expression.dropFirst().dropLast())), kind: try rotationKind(renderer))
      } else if !expression.isEmpty {
        report.note(renderer.path["rotationExpression"], "not applied: expected one field in brackets")
      }
    }
    return variables
  }

  /// Reads the input of a variable; nil when the variable is not applied.
  private static func input(
    _ node: JSONNode, isTaken: Bool, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> VariableInput? {
    guard !isTaken else {
      report.note(node.path, "not applied: an earlier variable has this type")
      return nil
    }
    for name in ["valueExpression", "expression"] {
      guard let expression = try node.string(name), !expression.isEmpty else { continue }
      let parsed: ArcadeExpression
      do throws(ArcadeError) {
        parsed = try ArcadeExpression(parsing: expression)
      } catch {
        report.note(node.path[name], "\(error); the variable is not applied")
        return nil
      }
      if parsed.isScale { return .scale }
      // A field alone keeps its divisor.
      if let field = parsed.onlyField { return .field(field, normalizedBy: try divisor(node)) }
      return .expression(parsed)
    }
    guard let field = try node.string("field"), !field.isEmpty else {
      report.note(node.path, "not applied: there is no field")
      return nil
    }
    return .field(field, normalizedBy: try divisor(node))
  }

  /// Reads the field by which a number is divided; nil for none.
  private static func divisor(_ node: JSONNode) throws(JSONDecodingError) -> String? {
    let divisor = try node.string("normalizationField")
    return divisor?.isEmpty == true ? nil : divisor
  }

  /// Returns whether an expression is the scale of the view, with or without `return` and a semicolon.
  static func isViewScale(_ expression: String) -> Bool {
    (try? ArcadeExpression(parsing: expression))?.isScale ?? false
  }

  private static func rotationKind(
    _ node: JSONNode
  ) throws(JSONDecodingError) -> RotationVariable.Kind {
    try node.string("rotationType").flatMap { RotationVariable.Kind(rawValue: $0) } ?? .geographic
  }

  private static func colorStops(_ node: JSONNode) throws(JSONDecodingError) -> [VariableStop<Color>] {
    func color(_ node: JSONNode) throws(JSONDecodingError) -> Color {
      guard let color = try EsriMembers.color(node) else { throw node.invalid("expected a color") }
      return color
    }
    if node["stops"] == nil, node["colors"] != nil {
      return try evenStops(node, try node.elements("colors")) { node throws(JSONDecodingError) in
        try color(node)
      }
    }
    var stops: [VariableStop<Color>] = []
    for stop in try node.required("stops").elements() {
      stops.append(
        VariableStop(
          try stop.required("value").double(), try color(stop.required("color")),
          label: EsriMembers.text(stop["label"])))
    }
    return stops
  }

  private static func transparencyStops(
    _ node: JSONNode
  ) throws(JSONDecodingError) -> [VariableStop<Double>] {
    func transparency(_ node: JSONNode) throws(JSONDecodingError) -> Double {
      let value = try node.double()
      guard value >= 0, value <= 100 else { throw node.invalid("\(value) is not between 0 and 100") }
      return value
    }
    if node["stops"] == nil, node["transparencyValues"] != nil {
      return try evenStops(node, try node.elements("transparencyValues")) { node throws(JSONDecodingError) in
        try transparency(node)
      }
    }
    var stops: [VariableStop<Double>] = []
    for stop in try node.required("stops").elements() {
      stops.append(
        VariableStop(
          try stop.required("value").double(), try transparency(stop.required("transparency")),
          label: EsriMembers.text(stop["label"])))
    }
    return stops
  }

  /// Reads the older form: outputs at equal steps from `minDataValue` to `maxDataValue`.
  private static func evenStops<Output>(
    _ node: JSONNode, _ outputs: [JSONNode], _ read: (JSONNode) throws(JSONDecodingError) -> Output
  ) throws(JSONDecodingError) -> [VariableStop<Output>] {
    let first = try node.required("minDataValue").double()
    let last = try node.required("maxDataValue").double()
    var stops: [VariableStop<Output>] = []
    for (index, output) in outputs.enumerated() {
      let fraction = outputs.count > 1 ? Double(index) / Double(outputs.count - 1) : 0
      stops.append(VariableStop(first + (last - first) * fraction, try read(output)))
    }
    return stops
  }

  // MARK: Writing

  /// Returns the renderer's member for the variables; empty for no variables.
  static func members(_ variables: VisualVariables) -> [(String, JSONValue)] {
    var infos: [JSONValue] = []
    func add(
      _ type: String, _ input: VariableInput, _ options: LegendOptions, _ more: [(String, JSONValue)]
    ) {
      var members: [(String, JSONValue)] = [("type", .string(type))]
      switch input {
      case .scale: members.append(("valueExpression", "$view.scale"))
      case .expression(let expression): members.append(("valueExpression", .string(expression.text)))
      case .field(let name, let divisor):
        members.append(("field", .string(name)))
        if let divisor { members.append(("normalizationField", .string(divisor))) }
      }
      infos.append(EsriMembers.object(members + more + EsriLegendOptionsCodec.members(options)))
    }
    if let color = variables.color {
      let stops = color.stops.map { json($0, "color", EsriMembers.json($0.output)) }
      add("colorInfo", color.input, color.legendOptions, [("stops", .array(stops))])
    }
    if let transparency = variables.transparency {
      let stops = transparency.stops.map { json($0, "transparency", .number($0.output)) }
      add("transparencyInfo", transparency.input, transparency.legendOptions, [("stops", .array(stops))])
    }
    if let size = variables.size {
      add("sizeInfo", size.input, size.legendOptions, EsriSizeCodec.members(size.rule))
    }
    if let width = variables.outlineWidth {
      add(
        "sizeInfo", width.input, width.legendOptions,
        EsriSizeCodec.members(width.rule) + [("target", "outline")])
    }
    if let rotation = variables.rotation {
      add(
        "rotationInfo", rotation.input, rotation.legendOptions,
        [("rotationType", .string(rotation.kind.rawValue))])
    }
    return infos.isEmpty ? [] : [("visualVariables", .array(infos))]
  }

  /// Returns a stop with its output under a name, and with its label unless that is empty.
  static func json<Output>(_ stop: VariableStop<Output>, _ name: String, _ output: JSONValue) -> JSONValue {
    var object = JSONObject()
    object["value"] = .number(stop.value)
    object[name] = output
    if !stop.label.isEmpty { object["label"] = .string(stop.label) }
    return .object(object)
  }
}
