public import MapExpressions

/// A renderer with one symbol for each value, or combination of values, of one to three fields.
///
/// A class lists values as texts; those of several fields are joined with ``delimiter``. The first class that contains
/// the values of a feature applies. They compare as in filters: numbers as numbers, texts by code point, and dates and
/// times by ISO 8601 text or milliseconds since 1970. Null is `<Null>` or `null`, which also match these texts. A feature
/// without a match gets the default symbol; without one it is not drawn.
///
/// - Source: web map JSON `uniqueValue`; the JavaScript SDK for `null`, authoring tools for `<Null>`.
public struct UniqueValueRenderer: Hashable, Sendable {
  /// A class of values.
  public struct UniqueValue: Hashable, Sendable {
    /// The texts that belong to the class, each already joined.
    public var values: [String]
    /// Those of ``values`` that a document writes as numbers; a text field is compared with them as a number.
    package var numbers: Set<String> = []
    /// The display name.
    public var label: String
    /// A longer description for display.
    public var description = ""
    /// The heading of the group in which a legend lists the class; empty for none.
    public var heading = ""
    /// Whether legends list the class.
    public var showsInLegend = true
    /// The symbol.
    public var symbol: SymbolForm
    /// The scales at which the symbol is used; nil for all.
    public var referenceProperties: SymbolReferenceProperties?
    /// The symbols for other scales; the first match applies, and without one the class is not drawn.
    public var alternateSymbols: [SymbolReference] = []

    /// Creates a class from one or more joined texts.
    public init(values: [String], label: String, symbol: SymbolForm) {
      (self.values, self.label, self.symbol) = (values, label, symbol)
    }
  }

  /// The names of one to three fields.
  public var fieldNames: [String]
  /// The text between the values of two fields.
  public var delimiter: String
  /// The classes; the first match applies.
  public var uniqueValues: [UniqueValue]
  /// The symbol of all other features; nil if they are not drawn.
  public var defaultSymbol: SymbolForm?
  /// The display name of the other features.
  public var defaultLabel: String
  /// The fill of areas below their markers; nil for none.
  public var backgroundFill: SymbolForm?
  /// The expression whose value has a class, instead of the fields; nil for none.
  public var valueExpression: ArcadeExpression?
  /// The two fields whose classes are crossed in a legend; nil for a list of classes.
  public var relationship: ClassRelationship?
  /// The visual variables, which change the symbols by feature or by scale.
  public var visualVariables = VisualVariables()
  /// Whether features of a class are drawn above those of later classes, and those of no class below all; a drawing order
  /// of the layer takes precedence.
  public var drawsInClassOrder = false
  /// The texts in a legend.
  public var legendOptions = LegendOptions()

  /// The default text between the values of several fields, which occurs in no text.
  ///
  /// - Source: design decision: the ASCII unit separator.
  public static let unitSeparator = "\u{1F}"

  /// Creates a renderer for one to three fields; the default delimiter between several is ``unitSeparator``.
  public init(
    fieldNames: [String], delimiter: String? = nil, uniqueValues: [UniqueValue],
    defaultSymbol: SymbolForm? = nil, defaultLabel: String = ""
  ) {
    (self.fieldNames, self.uniqueValues) = (fieldNames, uniqueValues)
    self.delimiter = delimiter ?? (fieldNames.count > 1 ? Self.unitSeparator : "")
    (self.defaultSymbol, self.defaultLabel) = (defaultSymbol, defaultLabel)
  }
}

extension UniqueValueRenderer {
  /// Returns the renderer with the symbols for one scale; a class without one gets an empty composite symbol.
  func resolved(atScale scale: Double) -> UniqueValueRenderer {
    guard uniqueValues.contains(where: { $0.referenceProperties != nil }) else { return self }
    var renderer = self
    for index in uniqueValues.indices {
      let shown = uniqueValues[index].symbol(atScale: scale)
      renderer.uniqueValues[index].symbol = shown ?? CompositeSymbol().form
    }
    return renderer
  }
}

extension UniqueValueRenderer.UniqueValue {
  /// Returns the symbol at a scale denominator: the main one, or else the first matching alternative; nil for none.
  fileprivate func symbol(atScale scale: Double) -> SymbolForm? {
    if referenceProperties?.contains(scale) ?? true { return symbol }
    return alternateSymbols.first { $0.properties.contains(scale) }?.symbol
  }
}
