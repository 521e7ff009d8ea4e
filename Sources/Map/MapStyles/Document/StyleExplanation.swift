package import MapJSON

/// The value of a property for one zoom and feature, and what decided it.
package struct StyleExplanation: Sendable {
  /// The origin of a value.
  package enum Cause: Hashable, Sendable {
    /// The style gives no value.
    case standard
    /// The style gives the value.
    case constant
    /// An expression, or a function of stops.
    case expression
    /// The expression failed, and the default took its place.
    case error(StyleExpressionError)
  }

  /// The property.
  package let property: StyleProperty
  /// The value.
  package let value: StyleValue
  /// The origin of the value.
  package let cause: Cause
  /// Whether the zoom decides the value.
  package let dependsOnZoom: Bool
  /// Whether the feature decides the value.
  package let dependsOnFeature: Bool
}

extension StyleLayer {
  /// Returns the value of every property for a feature, with what decided it.
  package func explanations(_ context: StyleContext, feature: StyleFeature? = nil) -> [StyleExplanation] {
    type.properties.indices.map { index in
      let answer = value(of: index, context, feature: feature)
      let cause: StyleExplanation.Cause
      var (dependsOnZoom, dependsOnFeature) = (false, false)
      switch values[index] {
      case nil: cause = .standard
      case .constant?: cause = .constant
      case .expression(let expression)?:
        cause = answer.error.map { StyleExplanation.Cause.error($0) } ?? .expression
        dependsOnZoom = !expression.isZoomConstant
        dependsOnFeature = !expression.isFeatureConstant
      }
      return StyleExplanation(
        property: type.properties[index], value: answer.value, cause: cause, dependsOnZoom: dependsOnZoom,
        dependsOnFeature: dependsOnFeature)
    }
  }
}

extension StyleValue {
  /// The value as JSON: colours as `rgba(…)`, labels as their sections.
  package var json: JSONValue {
    switch self {
    case .null: return .null
    case .boolean(let value): return .boolean(value)
    case .number(let number): return .number(number)
    case .string(let text): return .string(text)
    case .color(let color): return .string(color.text)
    case .array(let elements): return .array(elements.map(\.json))
    case .object(let object):
      var members = JSONObject()
      for name in object.names { members[name] = object[name]?.json }
      return .object(members)
    case .formatted(let sections): return .array(sections.map(\.json))
    case .image(let image): return .string(image.name)
    case .collator(let collator): return .string(collator.resolvedLocale)
    case .padding(let numbers), .numbers(let numbers): return .array(numbers.map { .number($0) })
    case .colors(let colors): return .array(colors.map { .string($0.text) })
    case .anchorOffsets(let offsets):
      var elements: [JSONValue] = []
      for offset in offsets { elements += [.string(offset.anchor), [.number(offset.x), .number(offset.y)]] }
      return .array(elements)
    case .projection(let projection) where projection.from == projection.to: return .string(projection.from)
    case .projection(let projection):
      return [.string(projection.from), .string(projection.to), .number(projection.transition)]
    }
  }
}

extension FormattedSection {
  /// The section as JSON, with the members that it has.
  package var json: JSONValue {
    var members: JSONObject = ["text": .string(text)]
    members["image"] = image.map { .string($0.name) }
    members["font-scale"] = scale.map { .number($0) }
    members["text-font"] = fonts.map { .string($0) }
    members["text-color"] = color.map { .string($0.text) }
    members["vertical-align"] = verticalAlign.map { .string($0) }
    return .object(members)
  }
}
