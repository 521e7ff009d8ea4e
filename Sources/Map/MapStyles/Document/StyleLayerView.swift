/// A layer for one view: what features do not decide is computed, and the rest is ready for tiles.
///
/// - Cost: making it evaluates each property at most twice.
package struct StyleLayerView: Sendable {
  /// The layer.
  package let layer: StyleLayer
  private let filter: StyleRowFilter?
  private let values: [Value]

  private enum Value: Sendable {
    case constant(StyleAnswer)
    case features(StyleProgram)
    /// The values at the two whole zooms beside, and the share of the second.
    case between(StyleProgram, StyleProgram, Double)
  }

  /// Computes what features do not decide.
  package init(_ layer: StyleLayer, _ context: StyleContext) {
    let whole = context.at(zoom: context.zoom.rounded(.down))
    self.layer = layer
    filter = layer.filter.map { StyleRowFilter(StyleProgram($0, whole)) }
    values = layer.type.properties.enumerated().map { index, property in
      guard case .expression(let expression)? = layer.values[index], !expression.isFeatureConstant else {
        return .constant(layer.value(of: index, context))
      }
      let value = layer.values[index]
      let program = StyleProgram(expression, property.group == .layout ? whole : context)
      guard let share = property.share(of: value, at: context.zoom) else { return .features(program) }
      return .between(program, StyleProgram(expression, whole.at(zoom: whole.zoom + 1)), share)
    }
  }

  /// Returns the rows of the features that pass the filter, of all.
  package func rows(of features: StyleFeatures) -> [Int32] {
    filter?.rows(of: features) ?? Array(0..<Int32(clamping: features.count))
  }

  /// The value of a property that features do not decide; nil when they do.
  package func constant(_ property: Int) -> StyleAnswer? {
    if case .constant(let answer) = values[property] { answer } else { nil }
  }

  /// Returns the values of a property for rows.
  ///
  /// - Cost: a part that depends on one text, on few different numbers or on the kind is evaluated once for each.
  package func answers(_ property: Int, _ features: StyleFeatures, rows: [Int32]) -> StyleAnswers {
    let description = layer.type.properties[property]
    switch values[property] {
    case .constant(let answer): return .constant(answer)
    case .features(let program): return program.answers(features, rows: rows, settle: description.settled)
    case .between(let first, let second, let share):
      let lower = first.answers(features, rows: rows, settle: description.settled)
      let upper = second.answers(features, rows: rows, settle: description.settled)
      if case .constant(let a) = lower, case .constant(let b) = upper {
        return .constant(a.mixed(with: b, share))
      }
      return .coded(
        Array(0..<Int32(clamping: rows.count)), rows.indices.map { lower[$0].mixed(with: upper[$0], share) })
    }
  }
}
