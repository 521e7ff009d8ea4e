package import MapJSON

/// A layer of a style.
package struct StyleLayer: Sendable {
  /// The path in the style's document.
  package let path: JSONPath
  /// The id.
  package let id: String
  /// The type.
  package let type: StyleLayerType
  /// The name of the source; nil for none.
  package let source: String?
  /// The layer of the source's tiles; nil for none.
  package let sourceLayer: String?
  /// The least zoom at which the layer is shown.
  package let minzoom: Double
  /// The zoom from which on the layer is hidden.
  package let maxzoom: Double
  /// Whether the layer is shown, as a value or an expression of the style's state.
  package let visibility: StylePropertyValue
  /// The condition for features; nil for all.
  package let filter: StyleExpression?
  /// The notes of the author; never used.
  package let metadata: JSONValue?
  /// The values that the style gives, in the order of ``StyleLayerType/properties``; nil for the default.
  package let values: [StylePropertyValue?]

  /// The property `visibility` of the specification.
  static let visibilityProperty = StyleProperty(
    "visibility", .layout, .enumeration(["visible", "none"]), default: "visible", by: .state)

  /// Returns whether the layer is shown at a zoom and with a state of the style.
  package func isVisible(_ context: StyleContext) -> Bool {
    guard context.zoom >= minzoom, context.zoom < maxzoom else { return false }
    return Self.visibilityProperty.answer(visibility, context, nil).value.string != "none"
  }

  /// Returns the value of a property for a feature.
  ///
  /// Paint properties use the zoom as it is, layout properties its whole part. The sizes of texts and icons are
  /// interpolated between those at the two whole zooms beside it.
  ///
  /// - Source: MapLibre GL JS 5, which keeps layout for a whole level and scales texts in between.
  package func value(of property: Int, _ context: StyleContext, feature: StyleFeature? = nil) -> StyleAnswer {
    let description = type.properties[property]
    let value = values[property]
    let exact = description.group == .layout ? context.at(zoom: context.zoom.rounded(.down)) : context
    let answer = description.answer(value, exact, feature)
    guard let share = description.share(of: value, at: context.zoom) else { return answer }
    let next = description.answer(value, exact.at(zoom: exact.zoom + 1), feature)
    return answer.mixed(with: next, share)
  }

  /// Returns the value of a property for a feature; nil when layers of this type have no such property.
  package func value(
    of property: String, _ context: StyleContext, feature: StyleFeature? = nil
  ) -> StyleAnswer? {
    type.index(of: property).map { value(of: $0, context, feature: feature) }
  }

  /// Returns whether a feature passes the filter, at the whole part of the zoom.
  package func accepts(_ feature: StyleFeature, _ context: StyleContext) -> Bool {
    guard let filter else { return true }
    let value = try? filter.value(context.at(zoom: context.zoom.rounded(.down)), feature: feature)
    return value?.isTrue ?? false
  }
}

extension StyleAnswer {
  /// Returns the answer between two whole zooms.
  func mixed(with other: StyleAnswer, _ share: Double) -> StyleAnswer {
    guard error == nil, other.error == nil else { return self }
    let mixed = try? value.mixed(with: other.value, share, in: .rgb)
    return StyleAnswer(mixed ?? value)
  }
}

extension StyleProperty {
  /// Returns the share of the next whole zoom in the value; nil when the property is not interpolated between them.
  func share(of value: StylePropertyValue?, at zoom: Double) -> Double? {
    guard name == "text-size" || name == "icon-size", case .expression(let expression)? = value,
      let curve = expression.zoomCurve
    else { return nil }
    let whole = zoom.rounded(.down)
    guard zoom > whole else { return nil }
    return curve.share(of: zoom, from: whole, to: whole + 1)
  }

  /// Returns the value for a feature, the default where there is none.
  func answer(_ value: StylePropertyValue?, _ context: StyleContext, _ feature: StyleFeature?) -> StyleAnswer
  {
    switch value {
    case nil: return defaultAnswer(context)
    case .constant(let value)?: return StyleAnswer(value)
    case .expression(let expression)?:
      do throws(StyleExpressionError) {
        return settled(.success(try expression.value(context, feature: feature)))
      } catch {
        return settled(.failure(error))
      }
    }
  }

  /// Returns the default; that of a colour ramp depends on the position.
  private func defaultAnswer(_ context: StyleContext) -> StyleAnswer {
    guard decision.isRamp, let defaultValue, let ramp = try? StyleExpression(defaultValue, for: self),
      let value = try? ramp.value(context)
    else { return StyleAnswer(fallback) }
    return StyleAnswer(value)
  }

  /// Returns the default for a failure, for no value and for a value that the property may not have.
  func settled(_ result: Result<StyleValue, StyleExpressionError>) -> StyleAnswer {
    switch result {
    case .failure(let error): return StyleAnswer(fallback, error: error)
    case .success(.null): return StyleAnswer(fallback)
    case .success(.number(let number)) where number.isNaN: return StyleAnswer(fallback)
    case .success(let value):
      if type.words != nil, let message = fault(of: value) {
        return StyleAnswer(fallback, error: StyleExpressionError(message, at: .root))
      }
      return StyleAnswer(value)
    }
  }
}
