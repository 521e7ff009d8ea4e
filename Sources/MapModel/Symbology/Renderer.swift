/// Which symbol a feature gets: the common type of all renderers.
///
/// Closed: drawing and codecs switch over ``form``.
public protocol Renderer: Sendable {
  /// The case it is of the closed family.
  var form: RendererForm { get }
}

/// The renderers that there are.
public enum RendererForm: Hashable, Sendable {
  /// One symbol for all.
  case simple(SimpleRenderer)
  /// A symbol a value.
  case uniqueValue(UniqueValueRenderer)
  /// A symbol a range of numbers.
  case classBreaks(ClassBreaksRenderer)

  /// The symbols by class, in the order of the classes.
  public var classSymbols: [SymbolForm] {
    switch self {
    case .simple(let renderer): [renderer.symbol]
    case .uniqueValue(let renderer): renderer.uniqueValues.map(\.symbol)
    case .classBreaks(let renderer): renderer.classBreaks.map(\.symbol)
    }
  }

  /// The names of the classes for people, in their order.
  public var classLabels: [String] {
    switch self {
    case .simple(let renderer): [renderer.label]
    case .uniqueValue(let renderer): renderer.uniqueValues.map(\.label)
    case .classBreaks(let renderer): renderer.classBreaks.map(\.label)
    }
  }

  /// The symbol of features that fit no class; nil leaves them undrawn.
  public var defaultSymbol: SymbolForm? {
    switch self {
    case .simple: nil
    case .uniqueValue(let renderer): renderer.defaultSymbol
    case .classBreaks(let renderer): renderer.defaultSymbol
    }
  }

  /// What changes the symbols feature by feature, or with the scale.
  public var visualVariables: VisualVariables {
    switch self {
    case .simple(let renderer): renderer.visualVariables
    case .uniqueValue(let renderer): renderer.visualVariables
    case .classBreaks(let renderer): renderer.visualVariables
    }
  }

  /// The same renderer with other visual variables.
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
    }
  }

  /// The fields that the choice reads.
  public var fieldNames: [String] {
    switch self {
    case .simple: []
    case .uniqueValue(let renderer): renderer.fieldNames
    case .classBreaks(let renderer): [renderer.fieldName]
    }
  }
}

/// One symbol for every feature.
public struct SimpleRenderer: Renderer, Hashable {
  /// The symbol.
  public var symbol: SymbolForm
  /// The layer's name in a legend.
  public var label: String
  /// More about it for people.
  public var description = ""
  /// What changes the symbols feature by feature, or with the scale.
  public var visualVariables = VisualVariables()

  /// A renderer of one symbol.
  public init(symbol: any Symbol, label: String = "", description: String = "") {
    self.init(form: symbol.form, label: label)
    self.description = description
  }

  package init(form: SymbolForm, label: String = "") { (symbol, self.label) = (form, label) }

  /// Itself, in the closed family.
  public var form: RendererForm { .simple(self) }
}
