internal import MapJSON

/// A reader of expressions: checks the types, and computes what is constant.
///
/// - Source: MapLibre Style Specification, "Expressions"; where it is silent, MapLibre GL JS 5.
struct StyleReader {
  /// The place of a part, and the type that is expected of it.
  struct Place {
    var key = StyleKey.root
    var depth = 0
    var expected: StyleType?
    /// The variables by name.
    var scope: [String: Int] = [:]
    var annotation = Annotation.automatic
  }

  /// The treatment of a value whose type is known at evaluation only.
  enum Annotation { case automatic, coerce, omit }

  /// The greatest depth of an expression.
  ///
  /// - Source: design decision; the deepest of some hundred public styles has 14, and a thread has a stack of 512 KiB.
  static let depthLimit = 48
  /// The greatest number of parts that are read for one expression, with parts that are read again for a message.
  static let partLimit = 100_000

  var errors: [StyleExpressionError] = []
  /// The names of the feature's properties that are written as texts.
  private(set) var names: [String] = []
  private var indices: [String: Int] = [:]
  /// The parts that variables stand for.
  var bindings: [StyleNode] = []
  private var partCount = 0
  /// The functions that could not be read, by their places.
  private var failures: [StyleKey: (json: [JSONValue], errors: [StyleExpressionError])] = [:]

  /// Returns the index of a property's name.
  mutating func index(of name: String) -> Int {
    if let index = indices[name] { return index }
    names.append(name)
    indices[name] = names.count - 1
    return names.count - 1
  }

  mutating func fail(_ message: String, unknown: StyleUnknownName? = nil, at key: StyleKey) -> StyleNode? {
    errors.append(StyleExpressionError(message, unknown: unknown, at: key))
    return nil
  }

  /// Notes an error when values of a type are not of the expected one, and returns whether they are.
  mutating func check(_ expected: StyleType, _ type: StyleType, at key: StyleKey) -> Bool {
    guard let message = expected.mismatch(type) else { return true }
    errors.append(StyleExpressionError(message, at: key))
    return false
  }

  // MARK: Parts

  /// Reads an argument.
  mutating func argument(
    _ json: JSONValue, _ index: Int, of place: Place, expecting type: StyleType? = nil,
    annotation: Annotation = .automatic
  ) -> StyleNode? {
    var inner = place
    (inner.key, inner.expected, inner.annotation) = (place.key[index], type, annotation)
    inner.depth += 1
    return read(json, inner)
  }

  /// Reads a part; nil when it has an error.
  mutating func read(_ json: JSONValue, _ place: Place) -> StyleNode? {
    partCount += 1
    guard place.depth <= Self.depthLimit else {
      return fail("The expression is nested more than \(Self.depthLimit) levels deep.", at: place.key)
    }
    guard partCount <= Self.partLimit else {
      return fail("The expression has more than \(Self.partLimit) parts.", at: place.key)
    }
    switch json {
    case .null, .boolean, .number, .string:
      return finish(StyleNode(.literal(StyleValue(json)), StyleValue(json).type, at: place.key), place)
    case .object: return fail("Bare objects invalid. Use [\"literal\", {...}] instead.", at: place.key)
    case .array(let elements):
      guard let first = elements.first else {
        return fail(
          "Expected an array with at least one element. If you wanted a literal array, use [\"literal\", []].",
          at: place.key)
      }
      guard case .string(let name) = first else {
        return fail(
          "Expression name must be a string, but found \(Self.typeName(first)) instead. If you wanted a literal "
            + "array, use [\"literal\", [...]].", at: place.key[0])
      }
      guard let node = operation(name, elements, place) else { return nil }
      return finish(node, place)
    }
  }

  /// Checks the type of a part, adds a check or conversion at evaluation, and computes it when it is constant.
  private mutating func finish(_ parsed: StyleNode, _ place: Place) -> StyleNode? {
    var node = parsed
    if let expected = place.expected {
      switch Self.annotation(expected, node.type) {
      case .automatic: node = annotated(node, expected, place, coercing: place.annotation == .coerce)
      case .coerce: node = annotated(node, expected, place, coercing: true)
      case .omit: guard check(expected, node.type, at: place.key) else { return nil }
      }
    }
    guard node.literal == nil, node.type != .resolvedImage, isConstant(node) else { return node }
    let machine = StyleMachine(bindings: bindings)
    do throws(StyleExpressionError) {
      return StyleNode(.literal(try machine.value(node)), node.type, at: node.key)
    } catch {
      return fail(error.message, at: place.key)
    }
  }

  private func annotated(
    _ node: StyleNode, _ expected: StyleType, _ place: Place, coercing: Bool
  ) -> StyleNode {
    if place.annotation == .omit { return node }
    return StyleNode(coercing ? .coercion([node]) : .assertion([node]), expected, at: place.key)
  }

  /// Returns how a value of a type becomes one of the expected type: by a check, by a conversion, or not at all.
  private static func annotation(_ expected: StyleType, _ actual: StyleType) -> Annotation {
    switch (expected, actual) {
    case (.string, .value), (.number, .value), (.boolean, .value), (.object, .value), (.array, .value):
      .automatic
    case (.projectionDefinition, .string), (.projectionDefinition, .array), (.projectionDefinition, .value),
      (.color, .value), (.color, .string), (.formatted, .value), (.formatted, .string),
      (.resolvedImage, .value),
      (.resolvedImage, .string), (.padding, .value), (.padding, .number), (.padding, .array),
      (.numberArray, .value), (.numberArray, .number), (.numberArray, .array), (.colorArray, .value),
      (.colorArray, .string), (.colorArray, .array), (.variableAnchorOffsetCollection, .value),
      (.variableAnchorOffsetCollection, .array):
      .coerce
    default: .omit
    }
  }

  /// Returns whether the value of a part never changes.
  private func isConstant(_ node: StyleNode) -> Bool {
    switch node.form {
    case .literal: return true
    case .variable(let index): return isConstant(bindings[index])
    case .call(.error, _), .call(.isSupportedScript, _), .collator, .within, .distance, .globalState:
      return false
    case .assertion(let nodes), .coercion(let nodes):
      return node.needs.isDisjoint(with: Self.changing) && nodes.allSatisfy(isConstant)
    default:
      return node.needs.isDisjoint(with: Self.changing) && node.children.allSatisfy { $0.literal != nil }
    }
  }

  private static let changing: StyleNeeds = [.feature, .zoom, .position]

  // MARK: Operators by name

  /// The names of all operators.
  static let operators: Set<String> = Set(StyleDefinition.all.keys).union([
    "literal", "semiliteral", "array", "string", "number", "boolean", "object", "to-boolean", "to-color",
    "to-number", "to-string", "let", "var", "case", "match", "coalesce", "step", "interpolate",
    "interpolate-hcl",
    "interpolate-lab", "at", "in", "index-of", "slice", "length", "format", "image", "collator",
    "number-format",
    "global-state", "within", "distance", "==", "!=", "<", ">", "<=", ">=",
  ])

  private mutating func operation(_ name: String, _ json: [JSONValue], _ place: Place) -> StyleNode? {
    switch name {
    case "literal": literal(json, place)
    case "semiliteral": semiliteral(json, place)
    case "array", "string", "number", "boolean", "object": assertion(name, json, place)
    case "to-boolean", "to-color", "to-number", "to-string": coercion(name, json, place)
    case "let": binding(json, place)
    case "var": variable(json, place)
    case "case": cases(json, place)
    case "match": match(json, place)
    case "coalesce": coalesce(json, place)
    case "step": step(json, place)
    case "interpolate", "interpolate-hcl", "interpolate-lab": interpolate(name, json, place)
    case "at": element(json, place)
    case "in": search(.isIn, json, 2...2, place)
    case "index-of": search(.indexOf, json, 2...3, place)
    case "slice": slice(json, place)
    case "length": length(json, place)
    case "format": format(json, place)
    case "image": image(json, place)
    case "collator": collator(json, place)
    case "number-format": numberFormat(json, place)
    case "global-state": globalState(json, place)
    case "within": within(json, place)
    case "distance": distance(json, place)
    default:
      if let comparison = StyleComparison(rawValue: name) {
        compare(comparison, json, place)
      } else if name.hasPrefix("filter-") {
        test(name, json, place)
      } else {
        call(name, json, place)
      }
    }
  }

  /// Reads a function by its signature.
  ///
  /// A function may be read for each of the signatures of the one around it, and once more for the message. What it
  /// lacks is found the first time only, since nested functions would double that at each level.
  private mutating func call(_ name: String, _ json: [JSONValue], _ place: Place) -> StyleNode? {
    if let known = failures[place.key], known.json == json {
      errors += known.errors
      return nil
    }
    let count = errors.count
    if let node = overloadedCall(name, json, place) { return node }
    failures[place.key] = (json, Array(errors[count...]))
    return nil
  }

  private mutating func overloadedCall(
    _ name: String, _ json: [JSONValue], _ place: Place
  ) -> StyleNode? {
    guard let definition = StyleDefinition.all[name] else {
      return fail(
        "Unknown expression \"\(name)\". If you wanted a literal array, use [\"literal\", [...]].",
        unknown: .expression(name), at: place.key[0])
    }
    let overloads = definition.overloads.filter { $0.arguments.takes(json.count - 1) }
    var inner = place
    inner.expected = nil
    let before = errors
    var found: [StyleExpressionError] = []
    for overload in overloads {
      errors = []
      if let arguments = arguments(json, overload.arguments, inner), errors.isEmpty {
        errors = before
        return node(overload.function, arguments, definition.result, at: place.key)
      }
      found = errors
      errors = before
    }
    if overloads.count == 1 {
      errors += found
      return nil
    }
    var types: [String] = []
    for index in json.indices.dropFirst() {
      guard let node = argument(json[index], index, of: inner) else { return nil }
      types.append(node.type.description)
    }
    let expected = (overloads.isEmpty ? definition.overloads : overloads).map(\.arguments.text)
    return fail(
      "Expected arguments of type \(expected.joined(separator: " | ")), but found "
        + "(\(types.joined(separator: ", "))) instead.", at: place.key)
  }

  private mutating func arguments(
    _ json: [JSONValue], _ types: StyleDefinition.Arguments, _ place: Place
  ) -> [StyleNode]? {
    var nodes: [StyleNode] = []
    for index in json.indices.dropFirst() {
      guard let node = argument(json[index], index, of: place, expecting: types.type(at: index - 1)) else {
        return nil
      }
      nodes.append(node)
    }
    return nodes
  }

  private mutating func node(
    _ function: StyleFunction, _ arguments: [StyleNode], _ type: StyleType, at key: StyleKey
  ) -> StyleNode {
    if let name = arguments.first?.literal?.string {
      if function == .propertyNamed {
        let index = index(of: name)
        return StyleNode(.property(index), type, at: key, needs: .feature, fields: .property(index))
      }
      if function == .hasPropertyNamed {
        let index = index(of: name)
        return StyleNode(.hasProperty(index), type, at: key, needs: .feature, fields: .property(index))
      }
    }
    return StyleNode(
      .call(function, arguments), type, at: key, needs: function.needs, fields: function.fields)
  }

  /// Returns the name of the type of a JSON value in ECMAScript.
  static func typeName(_ json: JSONValue) -> String {
    switch json {
    case .boolean: "boolean"
    case .number: "number"
    case .string: "string"
    case .null, .array, .object: "object"
    }
  }
}
