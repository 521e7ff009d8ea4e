public import MapFilter

/// A renderer with rules, each with a filter, a range of scales and a symbol; a feature may match several.
///
/// Rules belong to passes. A pass draws each feature once, with the symbols of all its rules that match, the first rule
/// at the bottom. The next pass draws all features again, above all of those before. A feature that no rule matches at
/// the scale of the view is not drawn.
///
/// A filter matches where it is true: null makes it unknown, which is no match.
///
/// - Source: Styled Layer Descriptor 1.0 and Symbology Encoding 1.1 (OGC 05-077r4), clauses 9 and 10: a pass is a
///   `FeatureTypeStyle`.
public struct RuleRenderer: Renderer, Hashable {
  /// A symbol with a condition and a range of scales.
  public struct Rule: Hashable, Sendable {
    /// The name, by which reports refer to the rule; may be empty.
    public var name: String
    /// The display name; empty for the name.
    public var label: String
    /// A longer description for display.
    public var description = ""
    /// The condition, SQL or CQL2; blank for all features.
    @ParsedFilter public var filter = ""
    /// Whether the rule applies to the features that no other rule of its pass matches at the scale, instead of by
    /// ``filter``.
    public var isElse = false
    /// The scale denominator of the smallest scale, exclusive; 0 means no limit.
    ///
    /// - Source: Symbology Encoding 1.1, `MaxScaleDenominator`.
    public var minScale = 0.0
    /// The scale denominator of the largest scale, inclusive; 0 means no limit.
    ///
    /// - Source: Symbology Encoding 1.1, `MinScaleDenominator`.
    public var maxScale = 0.0
    /// The symbol; several are the parts of a composite symbol, the first at the bottom.
    public var symbol: SymbolForm
    /// Whether legends list the rule.
    public var showsInLegend = true
    /// Whether the rule applies at all; false in a renderer for one scale that the rule does not cover.
    package var isInScale = true

    /// Creates a rule with a filter; a blank one matches all features.
    public init(name: String = "", label: String = "", filter: String = "", symbol: any Symbol) {
      self.init(name: name, label: label, filter: ParsedFilter(filter), symbol: symbol.form)
    }

    package init(name: String = "", label: String = "", filter: ParsedFilter, symbol: SymbolForm) {
      (self.name, self.label, self.symbol) = (name, label, symbol)
      $filter = filter
    }

    /// The display name: the label, or else the name.
    public var title: String { label.isEmpty ? name : label }

    /// Returns whether the rule applies at a scale denominator.
    public func covers(scale: Double) -> Bool {
      (minScale == 0 || scale < minScale) && (maxScale == 0 || scale >= maxScale)
    }
  }

  /// Rules that are drawn together, feature by feature.
  public struct Pass: Hashable, Sendable {
    /// The name, by which reports refer to the pass; may be empty.
    public var name = ""
    /// The rules, the first at the bottom.
    public var rules: [Rule]
    /// The fields that order overlapping features in the pass, the most significant first; empty for the order of the layer.
    public var drawingOrder: [DrawingOrder] = []

    /// Creates a pass.
    public init(name: String = "", rules: [Rule]) { (self.name, self.rules) = (name, rules) }
  }

  /// The passes, the first at the bottom.
  public var passes: [Pass]
  /// The texts in a legend.
  public var legendOptions = LegendOptions()

  /// Creates a renderer with several passes.
  public init(passes: [Pass]) { self.passes = passes }

  /// Creates a renderer with one pass.
  public init(rules: [Rule]) { passes = [Pass(rules: rules)] }

  /// The renderer as a case of ``RendererForm``.
  public var form: RendererForm { .rules(self) }

  /// The rules of all passes, in drawing order; the classes of the renderer are these.
  public var rules: [Rule] { passes.flatMap(\.rules) }

  /// Returns the renderer for one scale: rules that do not cover it have an empty composite symbol and never apply.
  func resolved(atScale scale: Double) -> RuleRenderer {
    mapRules { rule in
      guard !rule.covers(scale: scale) else { return }
      (rule.isInScale, rule.symbol) = (false, CompositeSymbol().form)
    }
  }

  /// The names of the fields that the filters read, sorted.
  package var filterFields: [String] { Set(rules.flatMap(\.$filter.fieldNames)).sorted() }
  /// The names of the fields that order features.
  package var orderFields: [String] { passes.flatMap(\.drawingOrder).map(\.fieldName) }

  /// The names of the rules for reports: the display name, or else the filter.
  package var ruleNames: [String] {
    rules.map { rule in
      guard rule.title.allSatisfy(\.isWhitespace) else { return rule.title }
      let filter = rule.filter.count > 60 ? "\(rule.filter.prefix(60))…" : rule.filter
      return rule.isElse ? "(else)" : filter.isEmpty ? "(all features)" : filter
    }
  }

  /// Changes the rule at an index of ``rules``; an index without a rule changes nothing.
  package mutating func changeRule(_ index: Int, _ change: (inout Rule) -> Void) {
    var number = -1
    self = mapRules { rule in
      number += 1
      if number == index { change(&rule) }
    }
  }

  /// Returns the renderer with a change of each rule.
  package func mapRules(_ change: (inout Rule) -> Void) -> RuleRenderer {
    var renderer = self
    for pass in passes.indices {
      for rule in passes[pass].rules.indices { change(&renderer.passes[pass].rules[rule]) }
    }
    return renderer
  }
}
