import MapFilter
import MapJSON
import MapModel

extension RendererForm {
  /// Returns the renderer with only one of its classes, -1 for its default symbol; nil if there is no such class.
  ///
  /// The features of other classes are not drawn and have no labels. For the default symbol, the other classes keep
  /// their features with an empty composite symbol, which is not drawn.
  func showing(onlyClass index: Int) -> (any Renderer)? {
    guard index == -1 ? defaultSymbol != nil : classSymbols.indices.contains(index) else { return nil }
    return only(index)
  }

  /// Returns the renderer without the class that ``showing(onlyClass:)`` would show, and without the others.
  func showingNothing(insteadOfClass index: Int) -> any Renderer {
    switch self {
    case _ where index == -1: return only(-1)
    case .simple(var renderer):
      renderer.symbol = CompositeSymbol().form
      return renderer
    case .heatmap, .dotDensity, .pieChart: return SimpleRenderer(symbol: CompositeSymbol())
    case .uniqueValue(var renderer):
      (renderer.uniqueValues, renderer.defaultSymbol) = ([], nil)
      return renderer
    case .classBreaks(var renderer):
      (renderer.classBreaks, renderer.defaultSymbol) = ([], nil)
      return renderer
    case .rules(var renderer):
      renderer.passes = []
      return renderer
    }
  }

  /// Returns the renderer with only an existing class, or with the default symbol if there is one.
  private func only(_ index: Int) -> any Renderer {
    switch self {
    case .simple(let renderer): return renderer
    case .heatmap(let renderer): return renderer
    case .dotDensity(let renderer): return renderer
    case .pieChart(var renderer):
      guard index == -1 else {
        renderer.defaultColor = nil
        return renderer
      }
      let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)
      for own in renderer.attributes.indices { renderer.attributes[own].color = clear }
      (renderer.othersColor, renderer.outline) = (clear, nil)
      return renderer
    case .uniqueValue(var renderer):
      if index == -1 {
        for own in renderer.uniqueValues.indices {
          renderer.uniqueValues[own].symbol = CompositeSymbol().form
          renderer.uniqueValues[own].alternateSymbols = []
        }
      } else {
        var only = renderer.uniqueValues[index]
        // A value belongs to the first class that contains it.
        let taken = Set(renderer.uniqueValues[..<index].flatMap(\.values).map { AttributeValue.text($0) })
        only.values.removeAll { taken.contains(.text($0)) }
        renderer.uniqueValues = [only]
        renderer.defaultSymbol = nil
      }
      return renderer
    case .classBreaks(var renderer):
      if index == -1 {
        for own in renderer.classBreaks.indices { renderer.classBreaks[own].symbol = CompositeSymbol().form }
      } else {
        let only = renderer.classBreaks[index]
        renderer.includesLowestMinimum =
          renderer.includesLowestMinimum && renderer.classBreaks.allSatisfy { $0.minimum >= only.minimum }
        renderer.classBreaks = [only]
        renderer.defaultSymbol = nil
      }
      return renderer
    case .rules(let renderer):
      // The others stay without a symbol, because an else rule depends on their filters.
      var number = -1
      return renderer.mapRules { rule in
        number += 1
        if number != index { rule.symbol = CompositeSymbol().form }
      }
    }
  }
}

extension RendererForm {
  /// The names of the classes for reports: the label, or else the value or range; empty for the class of a simple
  /// renderer without a label.
  var classNames: [String] {
    switch self {
    case .simple(let renderer): [renderer.label]
    case .heatmap, .dotDensity, .pieChart: classLabels
    case .rules(let renderer): renderer.ruleNames
    case .uniqueValue(let renderer):
      renderer.uniqueValues.map { unique in
        guard unique.label.isEmpty else { return unique.label }
        let values = unique.values.map {
          $0.replacing(UniqueValueRenderer.unitSeparator, with: ", ")
        }
        return String(values.joined(separator: " or ").prefix(60))
      }
    case .classBreaks(let renderer):
      renderer.classBreaks.map { item in
        guard item.label.isEmpty else { return item.label }
        return "\(JSONWriter.text(of: item.minimum)) to \(JSONWriter.text(of: item.maximum))"
      }
    }
  }
}

extension LabelDefinition {
  /// The name of the class for reports: its name, or else its expression.
  var displayName: String {
    guard name.isEmpty else { return name }
    return switch expression {
    case .simple(let text), .arcade(let text), .template(let text): String(text.prefix(60))
    }
  }
}
