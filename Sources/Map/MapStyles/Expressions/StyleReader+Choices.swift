internal import MapJSON

extension StyleReader {
  /// The type that a choice gives to its outputs: the expected one, unless any value will do.
  private func outputType(_ place: Place) -> StyleType? { place.expected == .value ? nil : place.expected }

  /// Reads `case`.
  mutating func cases(_ json: [JSONValue], _ place: Place) -> StyleNode? {
    guard json.count >= 4 else {
      return fail("Expected at least 3 arguments, but found only \(json.count - 1).", at: place.key)
    }
    guard json.count % 2 == 0 else { return fail("Expected an odd number of arguments.", at: place.key) }
    var (type, branches) = (outputType(place), [StyleBranch]())
    for index in stride(from: 1, to: json.count - 1, by: 2) {
      guard let condition = argument(json[index], index, of: place, expecting: .boolean),
        let value = argument(json[index + 1], index + 1, of: place, expecting: type)
      else { return nil }
      branches.append(StyleBranch(condition: condition, value: value))
      type = type ?? value.type
    }
    guard let otherwise = argument(json[json.count - 1], json.count - 1, of: place, expecting: type) else {
      return nil
    }
    return StyleNode(.case(branches, otherwise), type ?? otherwise.type, at: place.key)
  }

  /// Reads `match`.
  mutating func match(_ json: [JSONValue], _ place: Place) -> StyleNode? {
    guard json.count >= 5 else {
      return fail("Expected at least 4 arguments, but found only \(json.count - 1).", at: place.key)
    }
    guard json.count % 2 == 1 else { return fail("Expected an even number of arguments.", at: place.key) }
    var (inputType, type): (StyleType?, StyleType?) = (nil, outputType(place))
    var (texts, numbers, outputs): ([String: Int], [Double: Int], [StyleNode]) = ([:], [:], [])
    for index in stride(from: 2, to: json.count - 1, by: 2) {
      let labels = json[index].array ?? [json[index]]
      let key = place.key[index]
      if labels.isEmpty { return fail("Expected at least one branch label.", at: key) }
      for label in labels {
        guard label.string != nil || label.double != nil else {
          return fail("Branch labels must be numbers or strings.", at: key)
        }
        if let number = label.double {
          if number.magnitude > 9_007_199_254_740_991 {
            return fail("Branch labels must be integers no larger than 9007199254740991.", at: key)
          }
          if number.rounded(.down) != number {
            return fail("Numeric branch labels must be integer values.", at: key)
          }
        }
        let labelType: StyleType = label.string == nil ? .number : .string
        guard check(inputType ?? labelType, labelType, at: key) else { return nil }
        inputType = inputType ?? labelType
        let previous =
          if let text = label.string {
            texts.updateValue(outputs.count, forKey: text)
          } else {
            numbers.updateValue(outputs.count, forKey: label.double ?? 0)
          }
        if previous != nil { return fail("Branch labels must be unique.", at: key) }
      }
      guard let output = argument(json[index + 1], index, of: place, expecting: type) else { return nil }
      type = type ?? output.type
      outputs.append(output)
    }
    guard let input = argument(json[1], 1, of: place, expecting: .value),
      let otherwise = argument(json[json.count - 1], json.count - 1, of: place, expecting: type)
    else { return nil }
    if input.type != .value, let inputType, !check(inputType, input.type, at: place.key[1]) { return nil }
    let match = StyleMatch(texts: texts, numbers: numbers, outputs: outputs, otherwise: otherwise)
    return StyleNode(.match(input, match), type ?? otherwise.type, at: place.key)
  }

  /// Reads `coalesce`.
  mutating func coalesce(_ json: [JSONValue], _ place: Place) -> StyleNode? {
    guard json.count >= 2 else { return fail("Expected at least one argument.", at: place.key) }
    var (type, nodes) = (outputType(place), [StyleNode]())
    for index in json.indices.dropFirst() {
      guard let node = argument(json[index], index, of: place, expecting: type, annotation: .omit) else {
        return nil
      }
      type = type ?? node.type
      nodes.append(node)
    }
    // The arguments are not checked one by one, since an error would come before the next argument.
    let isUnchecked =
      place.expected.map { expected in nodes.contains { !expected.includes($0.type) } } ?? false
    return StyleNode(.coalesce(nodes), isUnchecked ? .value : type ?? .value, at: place.key)
  }

  /// Reads `step`.
  mutating func step(_ json: [JSONValue], _ place: Place) -> StyleNode? {
    guard json.count >= 5 else {
      return fail("Expected at least 4 arguments, but found only \(json.count - 1).", at: place.key)
    }
    guard json.count % 2 == 1 else { return fail("Expected an even number of arguments.", at: place.key) }
    guard let input = argument(json[1], 1, of: place, expecting: .number) else { return nil }
    guard let first = argument(json[2], 2, of: place, expecting: outputType(place)) else { return nil }
    var stops = StyleStops(labels: [-.infinity], outputs: [first])
    let type = outputType(place) ?? first.type
    guard read(json, from: 3, "step", &stops, type, place) else { return nil }
    return StyleNode(.step(input, stops), type, at: place.key)
  }

  /// Reads pairs of a number and an output from an index on.
  private mutating func read(
    _ json: [JSONValue], from start: Int, _ name: String, _ stops: inout StyleStops, _ type: StyleType?,
    _ place: Place
  ) -> Bool {
    var type = type
    for index in stride(from: start, to: json.count - 1, by: 2) {
      guard case .number(let number) = json[index] else {
        return fail(
          "Input/output pairs for \"\(name)\" expressions must be defined using literal numeric values (not "
            + "computed expressions) for the input values.", at: place.key[index]) != nil
      }
      if let last = stops.labels.last, last >= number.double {
        return fail(
          "Input/output pairs for \"\(name)\" expressions must be arranged with input values in strictly "
            + "ascending order.", at: place.key[index]) != nil
      }
      guard let output = argument(json[index + 1], index + 1, of: place, expecting: type) else {
        return false
      }
      type = type ?? output.type
      stops.labels.append(number.double)
      stops.outputs.append(output)
    }
    return true
  }

  /// Reads `interpolate`, `interpolate-hcl` or `interpolate-lab`.
  mutating func interpolate(_ name: String, _ json: [JSONValue], _ place: Place) -> StyleNode? {
    guard json.count > 1, case .array(let parts) = json[1], !parts.isEmpty else {
      return fail("Expected an interpolation type expression.", at: place.key[1])
    }
    guard let interpolation = interpolation(parts, place) else { return nil }
    guard json.count >= 5 else {
      return fail("Expected at least 4 arguments, but found only \(json.count - 1).", at: place.key)
    }
    guard json.count % 2 == 1 else { return fail("Expected an even number of arguments.", at: place.key) }
    guard let input = argument(json[2], 2, of: place, expecting: .number) else { return nil }
    let space: StyleColorSpace = name == "interpolate-hcl" ? .hcl : name == "interpolate-lab" ? .lab : .rgb
    let expected = space != .rgb && place.expected != .colorArray ? .color : outputType(place)
    var stops = StyleStops()
    guard read(json, from: 3, "interpolate", &stops, expected, place) else { return nil }
    let type = expected ?? stops.outputs.first?.type ?? .value
    guard type.isInterpolatable else { return fail("Type \(type) is not interpolatable.", at: place.key) }
    let curve = StyleCurve(interpolation: interpolation, space: space, stops: stops)
    return StyleNode(.interpolate(input, curve), type, at: place.key)
  }

  private mutating func interpolation(_ parts: [JSONValue], _ place: Place) -> StyleCurve.Interpolation? {
    switch parts[0].string {
    case "linear": return .linear
    case "exponential":
      guard parts.count > 1, let base = parts[1].double else {
        _ = fail("Exponential interpolation requires a numeric base.", at: place.key[1][1])
        return nil
      }
      return .exponential(base: base)
    case "cubic-bezier":
      let points = parts.dropFirst().compactMap(\.double).filter { (0...1).contains($0) }
      guard parts.count == 5, points.count == 4 else {
        _ = fail(
          "Cubic bezier interpolation requires four numeric arguments with values between 0 and 1.",
          at: place.key[1])
        return nil
      }
      return .cubicBezier(points[0], points[1], points[2], points[3])
    default:
      _ = fail(
        "Unknown interpolation type \(StyleText.text(StyleValue(checked: parts[0]) ?? .null))",
        unknown: parts[0].string.map(StyleUnknownName.interpolation), at: place.key[1][0])
      return nil
    }
  }
}
