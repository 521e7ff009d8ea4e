import MapExpressions
import MapFilter

/// A filter or script of a layer whose result depends on the current time.
package struct ClockReading: Hashable, Sendable {
  /// The part of a layer that has a filter or a script.
  package enum Part: Hashable, Sendable {
    case definitionExpression
    case displayFilter
    case renderer
    /// A rule of the renderer.
    case rule
    /// A label class, by its index.
    case labels(Int)
    case featureEffect
    case clusters
  }

  /// The name of the layer.
  package let layer: String
  package let part: Part
  /// The text of the filter or script.
  package let text: String

  /// The part and its text, such as `the definition expression "t > CURRENT_TIMESTAMP"`.
  package var description: String {
    let name =
      switch part {
      case .definitionExpression: "the definition expression"
      case .displayFilter: "the display filter"
      case .renderer: "the renderer's expression"
      case .rule: "the filter of a rule"
      case .labels(let index): "label class \(index),"
      case .featureEffect: "the feature effect's filter"
      case .clusters: "an expression of the clusters,"
      }
    return "\(name) \"\(text)\""
  }
}

extension LayerState {
  /// Returns the filters and scripts whose result depends on the current time.
  ///
  /// - Parameter scale: the scale denominator of the only display filter that counts; nil for all display filters.
  package func clockReadings(atScale scale: Double? = nil) -> [ClockReading] {
    var found: [ClockReading] = []
    func add(_ part: ClockReading.Part, _ texts: [String]) {
      for text in texts {
        let reading = ClockReading(layer: name, part: part, text: text)
        if !found.contains(reading) { found.append(reading) }
      }
    }
    func add(_ part: ClockReading.Part, _ filter: ParsedFilter) {
      if (try? filter.read())?.needsCurrentTime ?? false { add(part, [filter.text]) }
    }
    add(.definitionExpression, definition.$definitionExpression)
    if let displayFilter = definition.displayFilter {
      let active = scale.map { displayFilter.activeFilter(atScale: $0).map { [$0] } ?? [] }
      for filter in active ?? displayFilter.availableFilters { add(.displayFilter, filter.$whereClause) }
    }
    add(.renderer, renderer.currentTimeExpressions)
    if case .rules(let renderer) = renderer {
      for rule in renderer.rules where scale.map(rule.covers) ?? true { add(.rule, rule.$filter) }
    }
    if definition.labelsAreEnabled {
      for (index, labels) in definition.labelDefinitions.enumerated() {
        add(.labels(index), labels.$whereClause)
        add(.labels(index), labels.currentTimeExpressions)
      }
    }
    if let effect = definition.featureEffect { add(.featureEffect, effect.$whereClause) }
    for labels in aggregation?.labelDefinitions ?? [] { add(.clusters, labels.currentTimeExpressions) }
    return found
  }
}

extension ViewState {
  /// The filters and scripts of its layers whose result depends on the current time; none if that time is fixed.
  package var clockReadings: [ClockReading] {
    guard !hasFixedTime else { return [] }
    let all = layers + (basemap?.baseLayers ?? []) + (basemap?.referenceLayers ?? [])
    return all.flatMap { $0.clockReadings(atScale: viewpoint.scale) }
  }
}

extension RendererForm {
  /// The texts of the expressions whose values depend on the current time.
  var currentTimeExpressions: [String] { expressions.filter(\.needsCurrentTime).map(\.text) }
}

extension LabelDefinition {
  /// The texts of the expressions whose values depend on the current time.
  var currentTimeExpressions: [String] {
    templates.flatMap(\.parts).compactMap { part in
      if case .arcade(let expression) = part, expression.needsCurrentTime { expression.text } else { nil }
    }
  }
}
