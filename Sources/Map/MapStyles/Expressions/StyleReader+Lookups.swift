internal import MapJSON

extension StyleReader {
  /// Reads a comparison.
  mutating func compare(_ comparison: StyleComparison, _ json: [JSONValue], _ place: Place) -> StyleNode? {
    guard json.count == 3 || json.count == 4 else {
      return fail("Expected two or three arguments.", at: place.key)
    }
    guard var first = operand(comparison, json[1], 1, place),
      var second = operand(comparison, json[2], 2, place)
    else { return nil }
    guard first.type.hasKind(of: second.type) || first.type == .value || second.type == .value else {
      return fail("Cannot compare types '\(first.type)' and '\(second.type)'.", at: place.key)
    }
    if comparison.isOrder {
      if first.type == .value, second.type != .value {
        first = StyleNode(.assertion([first]), second.type, at: place.key)
      } else if first.type != .value, second.type == .value {
        second = StyleNode(.assertion([second]), first.type, at: place.key)
      }
    }
    var arguments = [first, second]
    if json.count == 4 {
      guard [.string, .value].contains(first.type) || [.string, .value].contains(second.type) else {
        return fail("Cannot use collator to compare non-string types.", at: place.key)
      }
      guard let collator = argument(json[3], 3, of: place, expecting: .collator) else { return nil }
      arguments.append(collator)
    }
    return StyleNode(.call(.comparison(comparison), arguments), .boolean, at: place.key)
  }

  private mutating func operand(
    _ comparison: StyleComparison, _ json: JSONValue, _ index: Int, _ place: Place
  ) -> StyleNode? {
    guard let node = argument(json, index, of: place, expecting: .value) else { return nil }
    guard comparison.takes(node.type) else {
      return fail(
        "\"\(comparison.rawValue)\" comparisons are not supported for type '\(node.type)'.",
        at: place.key[index])
    }
    return node
  }

  /// Reads `at`.
  mutating func element(_ json: [JSONValue], _ place: Place) -> StyleNode? {
    guard json.count == 3 else {
      return fail("Expected 2 arguments, but found \(json.count - 1) instead.", at: place.key)
    }
    let index = argument(json[1], 1, of: place, expecting: .number)
    let input = argument(json[2], 2, of: place, expecting: .array(place.expected ?? .value, count: nil))
    guard let index, let input else { return nil }
    var type = StyleType.value
    if case .array(let item, _) = input.type { type = item }
    return StyleNode(.call(.at, [index, input]), type, at: place.key)
  }

  /// Reads `in` or `index-of`.
  mutating func search(
    _ function: StyleFunction, _ json: [JSONValue], _ counts: ClosedRange<Int>, _ place: Place
  ) -> StyleNode? {
    guard counts.contains(json.count - 1) else {
      let expected = counts.count == 1 ? "2" : "2 or 3"
      return fail("Expected \(expected) arguments, but found \(json.count - 1) instead.", at: place.key)
    }
    let needle = argument(json[1], 1, of: place, expecting: .value)
    let haystack = argument(json[2], 2, of: place, expecting: .value)
    guard let needle, let haystack else { return nil }
    guard [.boolean, .string, .number, .null, .value].contains(needle.type) else {
      return fail(
        "Expected first argument to be of type boolean, string, number or null, but found \(needle.type) instead",
        at: place.key)
    }
    var arguments = [needle, haystack]
    if json.count == 4 {
      guard let start = argument(json[3], 3, of: place, expecting: .number) else { return nil }
      arguments.append(start)
    }
    return StyleNode(.call(function, arguments), function == .isIn ? .boolean : .number, at: place.key)
  }

  /// Reads `slice`.
  mutating func slice(_ json: [JSONValue], _ place: Place) -> StyleNode? {
    guard json.count == 3 || json.count == 4 else {
      return fail("Expected 2 or 3 arguments, but found \(json.count - 1) instead.", at: place.key)
    }
    let input = argument(json[1], 1, of: place, expecting: .value)
    let start = argument(json[2], 2, of: place, expecting: .number)
    guard let input, let start else { return nil }
    guard input.type.isArray || input.type == .string || input.type == .value else {
      return fail(
        "Expected first argument to be of type array or string, but found \(input.type) instead",
        at: place.key)
    }
    var arguments = [input, start]
    if json.count == 4 {
      guard let end = argument(json[3], 3, of: place, expecting: .number) else { return nil }
      arguments.append(end)
    }
    return StyleNode(.call(.slice, arguments), input.type, at: place.key)
  }

  /// Reads `length`.
  mutating func length(_ json: [JSONValue], _ place: Place) -> StyleNode? {
    guard json.count == 2 else {
      return fail("Expected 1 argument, but found \(json.count - 1) instead.", at: place.key)
    }
    guard let input = argument(json[1], 1, of: place) else { return nil }
    guard input.type.isArray || input.type == .string || input.type == .value else {
      return fail(
        "Expected argument of type string or array, but found \(input.type) instead.", at: place.key)
    }
    return StyleNode(.call(.length, [input]), .number, at: place.key)
  }

  /// Reads a test of an old filter, which ``StyleFilter`` writes.
  mutating func test(_ name: String, _ json: [JSONValue], _ place: Place) -> StyleNode? {
    var parts = name.split(separator: "-").dropFirst().map(String.init)
    let subject: StyleTest.Subject
    let fields: StyleFields
    var arguments = Array(json.dropFirst())
    if parts.first == "id" || parts.last == "id" {
      (subject, fields) = (.id, .many)
      parts.removeAll { $0 == "id" }
    } else if parts.first == "type" {
      (subject, fields) = (.kind, .kind)
      parts.removeFirst()
    } else {
      guard case .string(let property)? = arguments.first else {
        return fail(
          "Expected string but found \(Self.typeName(arguments.first ?? .null)) instead.", at: place.key[1])
      }
      let index = index(of: property)
      (subject, fields) = (.property(index), .property(index))
      arguments.removeFirst()
    }
    let relations: [String: StyleTest.Relation] = [
      "==": .equal, "<": .less, ">": .greater, "<=": .lessOrEqual, ">=": .greaterOrEqual, "in": .isIn,
      "has": .exists,
    ]
    guard let relation = relations[parts.first ?? ""] else {
      return fail(
        "Unknown expression \"\(name)\". If you wanted a literal array, use [\"literal\", [...]].",
        at: place.key[0])
    }
    var values = arguments.map { StyleValue(checked: $0) ?? .null }
    if relation == .isIn {
      guard case .array(let literal)? = arguments.first, literal.count == 2, literal[0].string == "literal",
        case .array(let elements) = literal[1]
      else { return fail("Expected array but found another value instead.", at: place.key[arguments.count]) }
      values = elements.map { StyleValue(checked: $0) ?? .null }
    } else if relation != .exists {
      guard values.count == 1 else {
        return fail("Expected one value, but found \(values.count) instead.", at: place.key)
      }
      if case .array = values[0] {
        return fail("Expected a value, but found an array instead.", at: place.key)
      }
      if case .object = values[0] {
        return fail("Expected a value, but found an object instead.", at: place.key)
      }
    }
    let test = StyleTest(subject: subject, relation: relation, values: values)
    return StyleNode(.propertyTest(test), .boolean, at: place.key, needs: .feature, fields: fields)
  }
}
