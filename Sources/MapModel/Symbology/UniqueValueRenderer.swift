/// A symbol for each value, or combination of values, of one to three fields.
///
/// The values of a feature are written as text, joined with ``delimiter`` and looked up exactly, case included; the
/// first class that has the text wins. Numbers without a decimal part are written without one, null as `<Null>` or
/// `null` (both are tried). No match: the default symbol, and without one the feature is not drawn.
///
/// - Source: web map JSON `uniqueValue`; js for `null`, authoring tools for `<Null>`.
public struct UniqueValueRenderer: Renderer, Hashable {
  /// One class.
  public struct UniqueValue: Hashable, Sendable {
    /// The texts that belong to it, each already joined.
    public var values: [String]
    /// Its name for people.
    public var label: String
    /// More about it for people.
    public var description = ""
    /// Its symbol.
    public var symbol: SymbolForm
    /// The scales at which the symbol is used; nil for all.
    public var referenceProperties: SymbolReferenceProperties?
    /// What is used at other scales, the first that fits; where none does, the class is not drawn.
    public var alternateSymbols: [SymbolReference] = []

    /// A class of one or more joined texts.
    public init(values: [String], label: String, symbol: SymbolForm) {
      (self.values, self.label, self.symbol) = (values, label, symbol)
    }
  }

  /// One to three fields.
  public var fieldNames: [String]
  /// What stands between the texts of two fields.
  public var delimiter: String
  /// The classes, first match wins.
  public var uniqueValues: [UniqueValue]
  /// The symbol of all other features; nil leaves them undrawn.
  public var defaultSymbol: SymbolForm?
  /// The name of the other features.
  public var defaultLabel: String
  /// What changes the symbols feature by feature, or with the scale.
  public var visualVariables = VisualVariables()

  /// What stands between the values of several fields where nothing else is said: no text has it.
  ///
  /// - Source: ours, the unit separator of ASCII.
  public static let unitSeparator = "\u{1F}"

  /// A renderer over one to three fields; without a delimiter ``unitSeparator`` stands between several.
  public init(
    fieldNames: [String], delimiter: String? = nil, uniqueValues: [UniqueValue],
    defaultSymbol: SymbolForm? = nil, defaultLabel: String = ""
  ) {
    (self.fieldNames, self.uniqueValues) = (fieldNames, uniqueValues)
    self.delimiter = delimiter ?? (fieldNames.count > 1 ? Self.unitSeparator : "")
    (self.defaultSymbol, self.defaultLabel) = (defaultSymbol, defaultLabel)
  }

  /// Itself, in the closed family.
  public var form: RendererForm { .uniqueValue(self) }
}
