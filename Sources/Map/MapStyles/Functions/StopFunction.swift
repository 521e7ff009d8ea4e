internal import MapJSON

/// An old function of stops, written as an expression.
///
/// - Source: MapLibre Style Specification, "Deprecations: Functions"; the rules by which MapLibre GL JS 5 migrates styles.
struct StopFunction {
  private let function: JSONObject
  private let property: StyleProperty

  /// Returns whether a value of a property is a function: an object that is no expression.
  static func isFunction(_ json: JSONValue) -> Bool { json.object != nil }

  /// Returns the expression of a function.
  ///
  /// - Throws: what is wrong with the function.
  static func expression(_ json: JSONValue, for property: StyleProperty) throws(StyleExpressionErrors)
    -> JSONValue
  {
    guard case .object(let object) = json else { return json }
    return try StopFunction(function: object, property: property).expression()
  }

  /// An input and an output.
  private struct Stop {
    var input: JSONValue
    var output: JSONValue
  }

  private func expression() throws(StyleExpressionErrors) -> JSONValue {
    guard let stops = function["stops"], !stops.isNull else { return identity }
    guard let elements = stops.array, !elements.isEmpty else {
      throw fault("The stops of a function must be pairs.")
    }
    var pairs: [Stop] = []
    for element in elements {
      guard let pair = element.array, pair.count == 2 else {
        throw fault("The stops of a function must be pairs.")
      }
      pairs.append(Stop(input: pair[0], output: Self.literal(pair[1])))
    }
    if pairs[0].input.object != nil { return try zoomAndProperty(pairs) }
    if function["property"] != nil { return try ofProperty(pairs, function["type"]?.string) }
    if property.hasTokens {
      for (index, element) in elements.enumerated() {
        if let text = element[1]?.string { pairs[index].output = TokenText.expression(text) }
      }
    }
    return try ofZoom(pairs)
  }

  private func fault(_ message: String) -> StyleExpressionErrors {
    StyleExpressionErrors(errors: [StyleExpressionError(message, at: .root)])
  }

  private static func literal(_ json: JSONValue) -> JSONValue {
    switch json {
    case .array, .object, .null: ["literal", json]
    default: json
    }
  }

  private var get: JSONValue { ["get", function["property"] ?? .null] }
  private var interpolate: JSONValue {
    switch function["colorSpace"]?.string {
    case "hcl": "interpolate-hcl"
    case "lab": "interpolate-lab"
    default: "interpolate"
    }
  }
  private var standardType: String { property.isInterpolated ? "exponential" : "interval" }
  private var interpolation: JSONValue {
    guard let base = function["base"], !base.isNull, base.double != 1 else { return ["linear"] }
    return ["exponential", base]
  }

  // MARK: Functions of a property

  private var identity: JSONValue {
    guard let fallback = function["default"] else {
      return property.type == .string ? ["string", get] : get
    }
    switch property.type {
    case .enumeration(let words): return ["match", get, .array(words.map(JSONValue.string)), get, fallback]
    case .color: return ["to-color", get, Self.literal(fallback)]
    case .array(let element, let count):
      let name: JSONValue = element.map { .string($0.expressionType.description) } ?? .null
      return ["array", name, count.map { JSONValue.number($0) } ?? .null, get, Self.literal(fallback)]
    case .number, .string, .boolean:
      return [.string(property.type.expressionType.description), get, Self.literal(fallback)]
    default: return ["coalesce", get, Self.literal(fallback)]
    }
  }

  private func ofProperty(_ stops: [Stop], _ type: String?) throws(StyleExpressionErrors) -> JSONValue {
    let type = type ?? standardType
    switch type {
    case "categorical":
      // Without a default, a value without a stop is an error, and the property's default is used.
      let standard: JSONValue =
        property.type == .resolvedImage
        ? "" : ["error", "The value has no stop, and the function no default."]
      let fallback = (function["default"] ?? property.defaultValue).map(Self.literal) ?? standard
      if stops[0].input.boolean != nil {
        var expression: [JSONValue] = ["case"]
        for stop in stops { expression += [["==", get, stop.input], stop.output] }
        return .array(expression + [fallback])
      }
      var expression: [JSONValue] = ["match", get]
      for stop in stops { Self.append(stop, to: &expression) }
      return .array(expression + [fallback])
    case "interval", "exponential":
      let isStep = type == "interval"
      var expression: [JSONValue] =
        isStep ? ["step", ["number", get]] : [interpolate, interpolation, ["number", get]]
      for stop in stops { Self.append(stop, to: &expression, isStep: isStep) }
      if isStep { Self.complete(&expression) }
      guard let fallback = function["default"] else { return .array(expression) }
      return ["case", ["==", ["typeof", get], "number"], .array(expression), Self.literal(fallback)]
    default: throw fault("There is no type \"\(type)\" of functions of a property.")
    }
  }

  // MARK: Functions of the zoom

  private func ofZoom(_ stops: [Stop]) throws(StyleExpressionErrors) -> JSONValue {
    let type = function["type"]?.string ?? standardType
    guard type == "interval" || type == "exponential" else {
      throw fault("There is no type \"\(type)\" of functions of the zoom.")
    }
    let isStep = type == "interval"
    var expression: [JSONValue] = isStep ? ["step", ["zoom"]] : [interpolate, interpolation, ["zoom"]]
    for stop in stops { Self.append(stop, to: &expression, isStep: isStep) }
    if isStep { Self.complete(&expression) }
    return .array(expression)
  }

  private func zoomAndProperty(_ stops: [Stop]) throws(StyleExpressionErrors) -> JSONValue {
    var groups: [(zoom: JSONValue, stops: [Stop])] = []
    var indices: [Double: Int] = [:]
    for stop in stops {
      guard let zoom = stop.input["zoom"], let number = zoom.double, let value = stop.input["value"] else {
        throw fault("A stop of a function of zoom and property must have a zoom and a value.")
      }
      let inner = Stop(input: value, output: stop.output)
      if let index = indices[number] {
        groups[index].stops.append(inner)
      } else {
        indices[number] = groups.count
        groups.append((zoom, [inner]))
      }
    }
    let isStep = !property.isInterpolated
    var expression: [JSONValue] = isStep ? ["step", ["zoom"]] : [interpolate, ["linear"], ["zoom"]]
    var inner = function
    inner["base"] = nil
    inner["colorSpace"] = nil
    for group in groups {
      let output = try StopFunction(function: inner, property: property)
        .ofProperty(group.stops, function["type"]?.string)
      Self.append(Stop(input: group.zoom, output: output), to: &expression, isStep: isStep)
    }
    if isStep { Self.complete(&expression) }
    return .array(expression)
  }

  /// Adds a stop, unless one with the same input comes before it.
  private static func append(_ stop: Stop, to curve: inout [JSONValue], isStep: Bool = false) {
    if curve.count > 3 {
      let last = curve[curve.count - 2]
      if last == stop.input || last.double != nil && last.double == stop.input.double { return }
    }
    // The first output of a step has no input.
    if !isStep || curve.count > 2 { curve.append(stop.input) }
    curve.append(stop.output)
  }

  /// Adds a stop without effect to a step that has one output.
  private static func complete(_ curve: inout [JSONValue]) {
    if curve.count == 3 { curve += [0, curve[2]] }
  }
}

/// A text with names of properties in braces, written as an expression.
enum TokenText {
  /// Returns the expression of a text; the text itself when it has no name in braces.
  static func expression(_ text: String) -> JSONValue {
    var (parts, rest): ([JSONValue], Substring) = ([], text[...])
    var plain = ""
    while let open = rest.firstIndex(of: "{") {
      let inner = rest[rest.index(after: open)...]
      guard let end = inner.firstIndex(where: { $0 == "}" || $0 == "{" }) else { break }
      guard inner[end] == "}", end > inner.startIndex else {
        // A brace that begins no name.
        let next = inner[end] == "{" ? end : inner.index(after: end)
        plain += rest[..<next]
        rest = rest[next...]
        continue
      }
      plain += rest[..<open]
      if !plain.isEmpty { parts.append(.string(plain)) }
      plain = ""
      parts.append(["get", .string(String(inner[..<end]))])
      rest = inner[inner.index(after: end)...]
    }
    if parts.isEmpty { return .string(text) }
    plain += rest
    if !plain.isEmpty { parts.append(.string(plain)) }
    return parts.count == 1 ? ["to-string", parts[0]] : .array(["concat"] + parts)
  }
}
