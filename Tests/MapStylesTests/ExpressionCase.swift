import Foundation
import MapJSON
import Testing

import MapStyles

/// An expression test of the MapLibre Style Specification.
struct ExpressionCase: Sendable {
  let name: String
  let json: JSONValue

  /// The file that is read: the one beside the tests, or the one that the environment names.
  static func all() throws -> [ExpressionCase] {
    let text: String
    if let path = ProcessInfo.processInfo.environment["MAPSTATE_STYLE_EXPRESSIONS"] {
      text = try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8)
    } else {
      let url = try #require(Bundle.module.url(forResource: "Cases/expressions", withExtension: "ndjson"))
      text = try String(contentsOf: url, encoding: .utf8)
    }
    return try text.split(separator: "\n").map { line in
      let json = try JSONValue(parsing: String(line))
      return ExpressionCase(name: try #require(json["name"]?.string), json: json)
    }
  }

  /// The differences between what is expected and what we compute; empty when there are none.
  func differences() -> [String] {
    let compiled = json["expected"]?["compiled"]
    do throws(StyleExpressionErrors) {
      let expression = try self.expression()
      guard compiled?["result"]?.string == "success" else {
        return ["an error is expected, but there is none"]
      }
      return typeDifferences(expression, compiled) + outputDifferences(expression)
    } catch {
      guard compiled?["result"]?.string == "error" else { return ["unexpected error: \(error.errors)"] }
      let keys = compiled?["errors"]?.array?.map { $0["key"]?.string ?? "" }
      let own = error.errors.map(\.key.description)
      return keys == own ? [] : ["errors at \(own), expected at \(keys ?? [])"]
    }
  }

  /// The differences between the texts of the errors of reading and of evaluation.
  func messageDifferences() -> [String] {
    do throws(StyleExpressionErrors) {
      let expression = try self.expression()
      let expected = json["expected"]?["outputs"]?.array ?? []
      return zip(json["inputs"]?.array ?? [], expected).compactMap { input, output -> String? in
        guard let message = output["error"]?.string else { return nil }
        do throws(StyleExpressionError) {
          _ = try expression.value(context(input), feature: feature(input))
          return nil
        } catch {
          let own = "layers[0].paint.some-property\(error.key): \(error.message)"
          return own == message ? nil : "\(own) | \(message)"
        }
      }
    } catch {
      let messages = json["expected"]?["compiled"]?["errors"]?.array?.map { $0["error"]?.string ?? "" } ?? []
      let own = error.errors.map(\.message)
      return own == messages ? [] : ["\(own) | \(messages)"]
    }
  }

  // MARK: Reading

  private func expression() throws(StyleExpressionErrors) -> StyleExpression {
    let source = json["expression"] ?? .null
    guard let property = Self.property(json["propertySpec"]) else {
      return try StyleExpression(source, decidedBy: .featureState)
    }
    return try StyleExpression(source, for: property)
  }

  private static func type(_ word: String?, _ json: JSONValue) -> StylePropertyType? {
    switch word {
    case "number": .number
    case "string": .string
    case "boolean": .boolean
    case "color": .color
    case "formatted": .formatted
    case "resolvedImage": .resolvedImage
    case "padding": .padding
    case "numberArray": .numberArray
    case "colorArray": .colorArray
    case "variableAnchorOffsetCollection": .variableAnchorOffsetCollection
    case "projectionDefinition": .projectionDefinition
    case "enum": .enumeration((json["values"]?.object?.members ?? []).map(\.name))
    case "array": .array(type(json["value"]?.string, json), count: json["length"]?.integer)
    default: nil
    }
  }

  private static func property(_ json: JSONValue?) -> StyleProperty? {
    guard let json, let type = type(json["type"]?.string, json) else { return nil }
    let parameters = json["expression"]?["parameters"]?.array?.compactMap(\.string)
    let kind = json["property-type"]?.string ?? "data-driven"
    let decision: StyleProperty.Decision =
      kind == "data-driven" || kind == "cross-faded-data-driven"
      ? (parameters?.contains("zoom") ?? true ? .featureState : .featureState)
      : parameters?.contains("zoom") == true ? .zoom : .state
    return StyleProperty(
      "some-property", .paint, type, default: json["default"], by: decision,
      isInterpolated: json["expression"] == nil
        ? true : json["expression"]?["interpolated"]?.boolean ?? false,
      hasTokens: json["tokens"]?.boolean ?? false)
  }

  private func context(_ input: JSONValue) -> StyleContext {
    let globals = input[0] ?? .null
    var context = StyleContext(zoom: globals["zoom"]?.double ?? .nan)
    context.state = json["globalState"]?.object.map { StyleObject($0) } ?? StyleObject()
    context.images = Set((globals["availableImages"]?.array ?? []).compactMap(\.string))
    context.heatmapDensity = globals["heatmapDensity"]?.double ?? 0
    context.elevation = globals["elevation"]?.double ?? 0
    context.lineProgress = globals["lineProgress"]?.double ?? 0
    context.accumulated = globals["accumulated"].map { StyleValue($0) } ?? .null
    return context
  }

  private func feature(_ input: JSONValue) -> StyleFeature {
    let json = input[1] ?? .null
    var feature = StyleFeature()
    feature.properties = json["properties"]?.object.map { StyleObject($0) } ?? StyleObject()
    feature.state = json["featureState"]?.object.map { StyleObject($0) } ?? StyleObject()
    feature.id = json["id"].map { StyleValue($0) } ?? .null
    guard let geometry = json["geometry"] else { return feature }
    feature.kind = StyleGeometryKind(name: geometry["type"]?.string ?? "")
    guard let tile = input[0]?["canonicalID"], let z = tile["z"]?.integer, let x = tile["x"]?.integer,
      let y = tile["y"]?.integer
    else { return feature }
    let place = StyleTile(zoom: z, x: x, y: y)
    feature.tile = place
    var parts: [[StylePoint]] = []
    for shape in StyleShapes(geoJSON: geometry)?.shapes ?? [] {
      switch shape {
      case .point(let point): parts.append([place.local(point)])
      case .line(let line): parts.append(line.map(place.local))
      case .polygon(let rings): parts += rings.map { $0.map(place.local) }
      }
    }
    feature.parts = parts
    return feature
  }

  // MARK: Comparing

  private func typeDifferences(_ expression: StyleExpression, _ compiled: JSONValue?) -> [String] {
    var differences: [String] = []
    if let type = compiled?["type"]?.string, type != expression.type.description {
      differences.append("type \(expression.type), expected \(type)")
    }
    if let expected = compiled?["isFeatureConstant"]?.boolean, expected != expression.isFeatureConstant {
      differences.append("isFeatureConstant \(expression.isFeatureConstant)")
    }
    if let expected = compiled?["isZoomConstant"]?.boolean, expected != expression.isZoomConstant {
      differences.append("isZoomConstant \(expression.isZoomConstant)")
    }
    return differences
  }

  private func outputDifferences(_ expression: StyleExpression) -> [String] {
    let outputs = json["expected"]?["outputs"]?.array ?? []
    let inputs = json["inputs"]?.array ?? []
    guard inputs.count == outputs.count else { return ["\(inputs.count) inputs, \(outputs.count) outputs"] }
    return zip(inputs, outputs).enumerated().compactMap { index, pair -> String? in
      let (input, output) = pair
      do throws(StyleExpressionError) {
        let value = try expression.value(context(input), feature: feature(input))
        if output["error"]?.string != nil {
          return "output \(index): an error is expected, but it is \(value)"
        }
        return Self.matches(value, output) ? nil : "output \(index): \(value), expected \(output.text())"
      } catch {
        return output["error"]?.string == nil ? "output \(index): \(error), expected \(output.text())" : nil
      }
    }
  }

  /// Returns whether a value is the expected one, in the form in which the specification's tests write it.
  private static func matches(_ value: StyleValue, _ expected: JSONValue) -> Bool {
    func channels(_ color: StyleColor) -> [Double] {
      [color.red * color.alpha, color.green * color.alpha, color.blue * color.alpha, color.alpha]
    }
    func isColor(_ color: StyleColor, _ json: JSONValue?) -> Bool {
      let parts = json?.array ?? ["r", "g", "b", "a"].compactMap { json?[$0] }
      return parts.count == 4 && zip(channels(color), parts).allSatisfy { isNear($0, $1, 1e-4) }
    }
    switch value {
    case .color(let color): return isColor(color, expected)
    case .number(let number): return isNear(number, expected, 1e-6) || !number.isFinite && expected.isNull
    case .array(let elements):
      return elements.count == expected.array?.count
        && zip(elements, expected.array ?? []).allSatisfy { matches($0, $1) }
    case .object(let object):
      return object.names.count == expected.object?.count
        && object.names.allSatisfy { matches(object[$0] ?? .null, expected.object?[$0] ?? .null) }
    case .padding(let numbers), .numbers(let numbers):
      return matches(.array(numbers.map(StyleValue.number)), expected["values"] ?? .null)
    case .colors(let colors):
      return colors.count == expected["values"]?.array?.count
        && zip(colors, expected["values"]?.array ?? []).allSatisfy { isColor($0, $1) }
    case .anchorOffsets(let offsets):
      let parts: [StyleValue] = offsets.flatMap {
        [.string($0.anchor), .array([.number($0.x), .number($0.y)])]
      }
      return matches(.array(parts), expected["values"] ?? .null)
    case .image(let image):
      // The name is that of an image, and there are no images.
      if expected.string != nil { return expected.string == image.name && !image.isAvailable }
      return expected["name"]?.string == image.name && expected["available"]?.boolean == image.isAvailable
    case .projection(let projection):
      guard case .projection(let other)? = StyleValue(expected).converted(to: .projectionDefinition) else {
        return false
      }
      return other.from == projection.from && other.to == projection.to
        && abs(other.transition - projection.transition) <= 1e-6
    case .formatted(let sections):
      let parts = expected["sections"]?.array ?? []
      func isSection(_ section: FormattedSection, _ json: JSONValue) -> Bool {
        guard section.text == json["text"]?.string, section.fonts == json["fontStack"]?.string,
          section.verticalAlign == json["verticalAlign"]?.string
        else { return false }
        let hasScale =
          section.scale.map { isNear($0, json["scale"] ?? .null, 1e-6) } ?? (json["scale"] == nil)
        let hasColor = section.color.map { isColor($0, json["textColor"]) } ?? (json["textColor"] == nil)
        let hasImage =
          section.image.map { matches(.image($0), json["image"] ?? .null) } ?? (json["image"] == nil)
        return hasScale && hasColor && hasImage
      }
      return sections.count == parts.count && zip(sections, parts).allSatisfy { isSection($0, $1) }
    default: return value.json == expected
    }
  }

  /// Returns whether a number is the expected one, which has six digits and the rest cut off.
  private static func isNear(_ number: Double, _ expected: JSONValue, _ tolerance: Double) -> Bool {
    guard let expected = expected.double else { return false }
    guard number != 0, number.isFinite else { return abs(number - expected) <= tolerance }
    let digits = 6 - log10(abs(number)).rounded(.up)
    let scale = pow(10, max(0, digits))
    let cut = (number * scale).rounded(.down) / scale
    return abs(number - expected) <= tolerance || abs(cut - expected) <= tolerance * max(1, abs(expected))
  }
}
