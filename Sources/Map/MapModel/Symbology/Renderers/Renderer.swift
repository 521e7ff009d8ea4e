public import MapExpressions

/// The common type of all renderers, which choose the symbol of each feature.
///
/// Do not conform other types: drawing and codecs switch over ``form``, a closed set.
public protocol Renderer: Sendable {
  /// The renderer as a case of the closed set.
  var form: RendererForm { get }
}

/// The kinds of renderers.
public indirect enum RendererForm: Hashable, Sendable {
  /// One symbol for all features.
  case simple(SimpleRenderer)
  /// One symbol per value.
  case uniqueValue(UniqueValueRenderer)
  /// One symbol per range of numbers.
  case classBreaks(ClassBreaksRenderer)
  /// The density of points as colours.
  case heatmap(HeatmapRenderer)
  /// Dots inside areas.
  case dotDensity(DotDensityRenderer)
  /// A pie chart for each feature.
  case pieChart(PieChartRenderer)
  /// Symbols by filters and scales; a feature may get several.
  case rules(RuleRenderer)

  /// The renderer as a protocol value.
  public var renderer: any Renderer {
    switch self {
    case .simple(let renderer): renderer
    case .uniqueValue(let renderer): renderer
    case .classBreaks(let renderer): renderer
    case .heatmap(let renderer): renderer
    case .dotDensity(let renderer): renderer
    case .pieChart(let renderer): renderer
    case .rules(let renderer): renderer
    }
  }

  /// The symbols of the classes, in order.
  public var classSymbols: [SymbolForm] {
    switch self {
    case .simple(let renderer): [renderer.symbol]
    case .uniqueValue(let renderer): renderer.uniqueValues.map(\.symbol)
    case .classBreaks(let renderer): renderer.classBreaks.map(\.symbol)
    case .heatmap(let renderer): [renderer.symbol]
    case .dotDensity(let renderer): [renderer.symbol]
    case .pieChart(let renderer): [renderer.symbol]
    case .rules(let renderer): renderer.rules.map(\.symbol)
    }
  }

  /// The display names of the classes, in order.
  public var classLabels: [String] {
    switch self {
    case .simple(let renderer): [renderer.label]
    case .uniqueValue(let renderer): renderer.uniqueValues.map(\.label)
    case .classBreaks(let renderer): renderer.classBreaks.map(\.label)
    case .heatmap, .dotDensity, .pieChart: [""]
    case .rules(let renderer): renderer.rules.map(\.title)
    }
  }

  /// The symbol of features without a class; nil if they are not drawn.
  public var defaultSymbol: SymbolForm? {
    switch self {
    case .simple, .heatmap, .dotDensity, .rules: nil
    case .pieChart(let renderer): renderer.defaultSymbol
    case .uniqueValue(let renderer): renderer.defaultSymbol
    case .classBreaks(let renderer): renderer.defaultSymbol
    }
  }

  /// The display name of features with the default symbol; empty if the renderer has none.
  public var defaultLabel: String {
    switch self {
    case .simple, .heatmap, .dotDensity, .rules: ""
    case .pieChart(let renderer): renderer.defaultLabel
    case .uniqueValue(let renderer): renderer.defaultLabel
    case .classBreaks(let renderer): renderer.defaultLabel
    }
  }

  /// The fill of areas below their markers or pie charts; nil for none.
  public var backgroundFill: SymbolForm? {
    switch self {
    case .uniqueValue(let renderer): renderer.backgroundFill
    case .classBreaks(let renderer): renderer.backgroundFill
    case .pieChart(let renderer): renderer.backgroundFill
    case .simple, .heatmap, .dotDensity, .rules: nil
    }
  }

  /// The visual variables, which change the symbols by feature or by scale.
  public var visualVariables: VisualVariables {
    switch self {
    case .simple(let renderer): renderer.visualVariables
    case .uniqueValue(let renderer): renderer.visualVariables
    case .classBreaks(let renderer): renderer.visualVariables
    case .pieChart(let renderer): renderer.visualVariables
    case .heatmap, .dotDensity, .rules: VisualVariables()
    }
  }

  /// Whether the classes are rules: a feature may match several.
  package var hasRules: Bool { if case .rules = self { true } else { false } }

  /// Whether features of a class are drawn above those of later classes.
  package var drawsInClassOrder: Bool {
    switch self {
    case .uniqueValue(let renderer): renderer.drawsInClassOrder
    case .classBreaks(let renderer): renderer.drawsInClassOrder
    case .simple, .heatmap, .dotDensity, .pieChart, .rules: false
    }
  }

  /// The texts in a legend; a simple renderer has none.
  public var legendOptions: LegendOptions {
    switch self {
    case .simple: LegendOptions()
    case .uniqueValue(let renderer): renderer.legendOptions
    case .classBreaks(let renderer): renderer.legendOptions
    case .heatmap(let renderer): renderer.legendOptions
    case .dotDensity(let renderer): renderer.legendOptions
    case .pieChart(let renderer): renderer.legendOptions
    case .rules(let renderer): renderer.legendOptions
    }
  }

  /// Returns the renderer with other visual variables; heat maps, dots and rules have none, and pie
  /// charts only a size.
  public func with(_ variables: VisualVariables) -> RendererForm {
    switch self {
    case .simple(var renderer):
      renderer.visualVariables = variables
      return .simple(renderer)
    case .uniqueValue(var renderer):
      renderer.visualVariables = variables
      return .uniqueValue(renderer)
    case .classBreaks(var renderer):
      renderer.visualVariables = variables
      return .classBreaks(renderer)
    case .pieChart(var renderer):
      renderer.visualVariables = VisualVariables()
      renderer.visualVariables.size = variables.size
      return .pieChart(renderer)
    case .heatmap, .dotDensity, .rules: return self
    }
  }

  /// Returns the renderer with the symbols for one scale; a class without one gets an empty composite symbol,
  /// and a rule for other scales never applies.
  ///
  /// An outline width that depends on the scale alone is set in the symbols, so that features need no styles of their own.
  package func resolved(atScale scale: Double) -> RendererForm {
    let form: RendererForm =
      switch self {
      case .simple, .classBreaks, .pieChart: self
      case .uniqueValue(let renderer): .uniqueValue(renderer.resolved(atScale: scale))
      case .heatmap(let renderer): .heatmap(renderer.resolved(atScale: scale))
      case .dotDensity(let renderer): .dotDensity(renderer.resolved(atScale: scale))
      case .rules(let renderer): .rules(renderer.resolved(atScale: scale))
      }
    guard let width = form.visualVariables.outlineWidth, width.input == .scale else { return form }
    var (variables, variation) = (form.visualVariables, SymbolVariation())
    variables.outlineWidth = nil
    variation.outlineWidth = width.size(of: scale, scale: scale, byArea: false) ?? 0
    return form.with(variables).mapSymbols { $0.applying(variation) }
  }

  /// The colours of areas that mostly cover what is below them.
  package var areaColors: [Color] {
    (classSymbols + (defaultSymbol.map { [$0] } ?? [])).compactMap { symbol in
      guard case .fill(let fill) = symbol, fill.style == .solid, let color = fill.color, color.alpha > 127
      else { return nil }
      return color
    }
  }

  /// Returns the renderer with changed symbols of its classes, and a changed default symbol; heat maps, dots and pie charts
  /// stay as they are.
  package func mapSymbols(_ change: (SymbolForm) -> SymbolForm) -> RendererForm {
    switch self {
    case .simple(var renderer):
      renderer.symbol = change(renderer.symbol)
      return .simple(renderer)
    case .uniqueValue(var renderer):
      for index in renderer.uniqueValues.indices {
        renderer.uniqueValues[index].symbol = change(renderer.uniqueValues[index].symbol)
        for other in renderer.uniqueValues[index].alternateSymbols.indices {
          let symbol = renderer.uniqueValues[index].alternateSymbols[other].symbol
          renderer.uniqueValues[index].alternateSymbols[other].symbol = change(symbol)
        }
      }
      renderer.defaultSymbol = renderer.defaultSymbol.map(change)
      return .uniqueValue(renderer)
    case .classBreaks(var renderer):
      for index in renderer.classBreaks.indices {
        renderer.classBreaks[index].symbol = change(renderer.classBreaks[index].symbol)
      }
      renderer.defaultSymbol = renderer.defaultSymbol.map(change)
      return .classBreaks(renderer)
    case .rules(let renderer): return .rules(renderer.mapRules { $0.symbol = change($0.symbol) })
    case .heatmap, .dotDensity, .pieChart: return self
    }
  }

  /// The expression whose value selects the class; nil for none.
  public var valueExpression: ArcadeExpression? {
    switch self {
    case .simple, .heatmap, .dotDensity, .pieChart, .rules: nil
    case .uniqueValue(let renderer): renderer.valueExpression
    case .classBreaks(let renderer): renderer.valueExpression
    }
  }

  /// All expressions of the renderer.
  var expressions: [ArcadeExpression] {
    var expressions = [valueExpression] + visualVariables.inputs.map(\.input.expression)
    expressions += attributes.map(\.valueExpression)
    expressions += overrides.map(\.input.expression)
    return expressions.compactMap { $0 }
  }

  /// The numbers that have a colour each, of dots and pie charts.
  private var attributes: [RendererAttribute] {
    switch self {
    case .dotDensity(let renderer): renderer.attributes
    case .pieChart(let renderer): renderer.attributes
    default: []
    }
  }

  /// The overrides of all symbols.
  package var overrides: [SymbolOverride] {
    (classSymbols + (defaultSymbol.map { [$0] } ?? [])).flatMap(\.overrides)
  }

  /// Whether an expression may read every field.
  package var readsAllFields: Bool { expressions.contains { $0.usesWholeFeature } }

  /// The names of the fields that select the class, or that a heat map, dots or pie charts draw.
  public var fieldNames: [String] {
    if let valueExpression {
      guard case .classBreaks(let renderer) = self, case .field(let divisor) = renderer.normalization else {
        return valueExpression.fieldNames
      }
      return valueExpression.fieldNames + [divisor]
    }
    return switch self {
    case .simple: []
    case .heatmap(let renderer): renderer.fieldName.map { [$0] } ?? []
    case .dotDensity, .pieChart: attributes.flatMap(\.fieldNames)
    case .rules(let renderer): renderer.filterFields
    case .uniqueValue(let renderer): renderer.fieldNames
    case .classBreaks(let renderer):
      if case .field(let divisor) = renderer.normalization {
        [renderer.fieldName, divisor]
      } else {
        [renderer.fieldName]
      }
    }
  }
}

/// A renderer with one symbol for all features.
public struct SimpleRenderer: Renderer, Hashable {
  /// The symbol.
  public var symbol: SymbolForm
  /// The label of the layer in a legend.
  public var label: String
  /// A longer description for display.
  public var description = ""
  /// The visual variables, which change the symbol by feature or by scale.
  public var visualVariables = VisualVariables()

  /// Creates a renderer with one symbol.
  public init(symbol: any Symbol, label: String = "", description: String = "") {
    self.init(form: symbol.form, label: label)
    self.description = description
  }

  package init(form: SymbolForm, label: String = "") { (symbol, self.label) = (form, label) }

  /// The renderer as a case of ``RendererForm``.
  public var form: RendererForm { .simple(self) }
}

extension UniqueValueRenderer: Renderer {
  /// The renderer as a case of ``RendererForm``.
  public var form: RendererForm { .uniqueValue(self) }
}

extension ClassBreaksRenderer: Renderer {
  /// The renderer as a case of ``RendererForm``.
  public var form: RendererForm { .classBreaks(self) }
}
