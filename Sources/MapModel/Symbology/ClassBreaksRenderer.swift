/// A symbol for each range of a number.
///
/// A value v belongs to a class when `minimum < v <= maximum`, and to the lowest class of a renderer read from JSON
/// also at its minimum, where web maps carry the smallest value of the data. Null, NaN and text get the default
/// symbol, and without one are not drawn.
///
/// - Source: the native SDKs' table of the rule; js takes `minimum <= v <= maximum`, first fit, which differs at the
///   lowest bound alone.
public struct ClassBreaksRenderer: Renderer, Hashable {
  /// One class.
  public struct ClassBreak: Hashable, Sendable {
    /// The bound below, excluded.
    public var minimum: Double
    /// The bound above, included.
    public var maximum: Double
    /// Its name for people.
    public var label: String
    /// More about it for people.
    public var description = ""
    /// Its symbol.
    public var symbol: SymbolForm

    /// A class between two bounds.
    public init(minimum: Double, maximum: Double, label: String, symbol: SymbolForm) {
      (self.minimum, self.maximum, self.label, self.symbol) = (minimum, maximum, label, symbol)
    }
  }

  /// The field whose number decides.
  public var fieldName: String
  /// The classes, first fit wins.
  public var classBreaks: [ClassBreak]
  /// True when the class with the lowest minimum holds that minimum too.
  public var includesLowestMinimum: Bool
  /// The symbol of all other features; nil leaves them undrawn.
  public var defaultSymbol: SymbolForm?
  /// The name of the other features.
  public var defaultLabel: String
  /// What changes the symbols feature by feature, or with the scale.
  public var visualVariables = VisualVariables()

  /// A renderer over one field.
  public init(
    fieldName: String, classBreaks: [ClassBreak], includesLowestMinimum: Bool = false,
    defaultSymbol: SymbolForm? = nil, defaultLabel: String = ""
  ) {
    (self.fieldName, self.classBreaks) = (fieldName, classBreaks)
    self.includesLowestMinimum = includesLowestMinimum
    (self.defaultSymbol, self.defaultLabel) = (defaultSymbol, defaultLabel)
  }

  /// The class of a value; nil when it fits none.
  ///
  /// O(classes), which are few.
  public func classIndex(of value: Double) -> Int? {
    if let index = classBreaks.firstIndex(where: { $0.minimum < value && value <= $0.maximum }) {
      return index
    }
    guard includesLowestMinimum, let lowest = classBreaks.map(\.minimum).min(), value == lowest else {
      return nil
    }
    return classBreaks.firstIndex { $0.minimum == lowest }
  }

  /// Itself, in the closed family.
  public var form: RendererForm { .classBreaks(self) }
}
