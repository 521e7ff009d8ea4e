internal import MapJSON

extension StyleReader {
  /// Reads `literal`.
  mutating func literal(_ json: [JSONValue], _ place: Place) -> StyleNode? {
    guard json.count == 2 else {
      return fail(
        "'literal' expression requires exactly one argument, but found \(json.count - 1) instead.",
        at: place.key)
    }
    guard let value = StyleValue(checked: json[1]) else { return failDepth(at: place.key) }
    var type = value.type
    // An empty array is of every type of arrays.
    if case .array(_, 0) = type, case .array(_, let count)? = place.expected, count == nil || count == 0 {
      type = place.expected ?? type
    }
    return StyleNode(.literal(value), type, at: place.key)
  }

  private mutating func failDepth(at key: StyleKey) -> StyleNode? {
    fail("The value is nested more than \(StyleValue.depthLimit) levels deep.", at: key)
  }

  /// Reads `semiliteral`: an array of expressions, or any other literal.
  mutating func semiliteral(_ json: [JSONValue], _ place: Place) -> StyleNode? {
    guard json.count == 2 else {
      return fail(
        "'semiliteral' expression requires exactly one argument, but found \(json.count - 1) instead.",
        at: place.key)
    }
    guard case .array(let elements) = json[1] else {
      guard let value = StyleValue(checked: json[1]) else { return failDepth(at: place.key) }
      return StyleNode(.literal(value), value.type, at: place.key)
    }
    var (nodes, item): ([StyleNode], StyleType?) = ([], nil)
    var inner = place
    inner.depth += 1
    for element in elements {
      guard let node = read(element, inner) else { return nil }
      nodes.append(node)
      item = item == nil || item == node.type && !node.type.isArray ? node.type : .value
    }
    return StyleNode(
      .call(.array, nodes), .array(item ?? .value, count: nodes.count), at: place.key)
  }

  /// Reads `array`, `string`, `number`, `boolean` or `object`: a check of the type at evaluation.
  mutating func assertion(_ name: String, _ json: [JSONValue], _ place: Place) -> StyleNode? {
    guard json.count >= 2 else { return fail("Expected at least one argument.", at: place.key) }
    let types: [String: StyleType] = ["string": .string, "number": .number, "boolean": .boolean]
    var (type, first) = (types[name] ?? .object, 1)
    if name == "array" {
      var (item, count): (StyleType, Int?) = (.value, nil)
      if json.count > 2 {
        guard let given = json[1].string.flatMap({ types[$0] }) else {
          return fail(
            "The item type argument of \"array\" must be one of string, number, boolean", at: place.key[1])
        }
        (item, first) = (given, 2)
      }
      if json.count > 3 {
        count = json[2].integer
        guard json[2].isNull || (count ?? -1) >= 0 else {
          return fail("The length argument to \"array\" must be a positive integer literal", at: place.key[2])
        }
        first = 3
      }
      type = .array(item, count: count)
    }
    var nodes: [StyleNode] = []
    for index in first..<json.count {
      guard let node = argument(json[index], index, of: place, expecting: .value) else { return nil }
      nodes.append(node)
    }
    return StyleNode(.assertion(nodes), type, at: place.key)
  }

  /// Reads `to-boolean`, `to-color`, `to-number` or `to-string`.
  mutating func coercion(_ name: String, _ json: [JSONValue], _ place: Place) -> StyleNode? {
    guard json.count >= 2 else { return fail("Expected at least one argument.", at: place.key) }
    let type: StyleType =
      switch name {
      case "to-boolean": .boolean
      case "to-color": .color
      case "to-number": .number
      default: .string
      }
    guard json.count == 2 || type == .color || type == .number else {
      return fail("Expected one argument.", at: place.key)
    }
    var nodes: [StyleNode] = []
    for index in json.indices.dropFirst() {
      guard let node = argument(json[index], index, of: place, expecting: .value) else { return nil }
      nodes.append(node)
    }
    return StyleNode(.coercion(nodes), type, at: place.key)
  }

  /// Reads `let`.
  mutating func binding(_ json: [JSONValue], _ place: Place) -> StyleNode? {
    guard json.count >= 4 else {
      return fail("Expected at least 3 arguments, but found \(json.count - 1) instead.", at: place.key)
    }
    var (scope, bound) = (place.scope, [StyleNode]())
    for index in stride(from: 1, to: json.count - 1, by: 2) {
      guard case .string(let name) = json[index] else {
        return fail("Expected string, but found \(Self.typeName(json[index])) instead.", at: place.key[index])
      }
      let isName = name.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || byte == 0x5F
      }
      guard isName else {
        return fail("Variable names must contain only alphanumeric characters or '_'.", at: place.key[index])
      }
      guard let node = argument(json[index + 1], index + 1, of: place) else { return nil }
      scope[name] = bindings.count
      bindings.append(node)
      bound.append(node)
    }
    var inner = place
    inner.scope = scope
    guard
      let result = argument(json[json.count - 1], json.count - 1, of: inner, expecting: place.expected)
    else { return nil }
    return StyleNode(.let(bound, result), result.type, at: place.key)
  }

  /// Reads `var`.
  mutating func variable(_ json: [JSONValue], _ place: Place) -> StyleNode? {
    guard json.count == 2, case .string(let name) = json[1] else {
      return fail("'var' expression requires exactly one string literal argument.", at: place.key)
    }
    guard let index = place.scope[name] else {
      return fail(
        "Unknown variable \"\(name)\". Make sure \"\(name)\" has been bound in an enclosing \"let\" expression "
          + "before using it.", at: place.key[1])
    }
    let bound = bindings[index]
    return StyleNode(
      .variable(index), bound.type, at: place.key, needs: bound.needs, fields: bound.fields)
  }

  /// Reads `global-state`.
  mutating func globalState(_ json: [JSONValue], _ place: Place) -> StyleNode? {
    guard json.count == 2 else {
      return fail("Expected 1 argument, but found \(json.count - 1) instead.", at: place.key)
    }
    guard !json[1].isNull else { return fail("Global state property must be defined.", at: place.key) }
    guard case .string(let name) = json[1] else {
      return fail(
        "Global state property must be string, but found \(Self.typeName(json[1])) instead.", at: place.key)
    }
    return StyleNode(.globalState(name), .value, at: place.key, needs: .view)
  }
}
