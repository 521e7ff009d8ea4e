package import MapJSON

/// The value of a property as a style gives it.
package enum StylePropertyValue: Sendable {
  /// A value.
  case constant(StyleValue)
  /// An expression or a function of stops.
  case expression(StyleExpression)

  /// Reads a value, an expression or an old function.
  ///
  /// - Throws: ``StyleExpressionErrors`` when it is none of them, or of the wrong type.
  package init(_ json: JSONValue, for property: StyleProperty) throws(StyleExpressionErrors) {
    if StopFunction.isFunction(json) || Self.isExpression(json) {
      self = .expression(try StyleExpression(json, for: property))
    } else if property.hasTokens, case .string(let text) = json, text.utf8.contains(UInt8(ascii: "{")) {
      self = .expression(try StyleExpression(TokenText.expression(text), for: property))
    } else {
      self = .constant(try Self.constant(json, property))
    }
  }

  /// Whether an expression reads the states of features.
  var readsFeatureState: Bool {
    if case .expression(let expression) = self { expression.readsFeatureState } else { false }
  }

  /// Returns whether an array begins with the name of an operator.
  private static func isExpression(_ json: JSONValue) -> Bool {
    guard case .array(let parts) = json, let name = parts.first?.string else { return false }
    return StyleReader.operators.contains(name)
  }

  private static func constant(
    _ json: JSONValue, _ property: StyleProperty
  ) throws(StyleExpressionErrors) -> StyleValue {
    func fault(_ message: String) -> StyleExpressionErrors {
      StyleExpressionErrors(errors: [StyleExpressionError(message, at: .root)])
    }
    guard let value = StyleValue(checked: json) else {
      throw fault("The value is nested more than \(StyleValue.depthLimit) levels deep.")
    }
    guard let converted = value.converted(to: property.type.expressionType) else {
      let name = property.type.words == nil ? "\(property.type.expressionType)" : "a word"
      let unknown = json.array?.first?.string.map(StyleUnknownName.expression)
      let message = "Expected \(name), but found \(StyleText.json(value)) instead."
      throw StyleExpressionErrors(errors: [StyleExpressionError(message, unknown: unknown, at: .root)])
    }
    if let message = property.fault(of: converted) { throw fault(message) }
    return converted
  }
}

extension StyleProperty {
  /// Returns why the property may not have a value of its type; nil when it may.
  package func fault(of value: StyleValue) -> String? {
    if let words = type.words {
      let given = value.array ?? [value]
      guard given.allSatisfy({ $0.string.map(words.contains) ?? false }) else {
        let list = words.map { StyleText.json(.string($0)) }.joined(separator: ", ")
        return "Expected value to be one of \(list), but found \(StyleText.json(value)) instead."
      }
    }
    if let range, let number = value.number, !range.contains(number) {
      let bound = number < range.lowerBound ? range.lowerBound : range.upperBound
      return
        "\(StyleText.number(number)) is \(number < range.lowerBound ? "less" : "greater") than \(StyleText.number(bound))."
    }
    return nil
  }

  /// The value where the style gives none, or where its expression fails; null for no value.
  package var fallback: StyleValue {
    if decision.isRamp { return .color(.transparent) }
    guard let defaultValue else { return .null }
    return StyleValue(defaultValue).converted(to: type.expressionType) ?? .null
  }
}
