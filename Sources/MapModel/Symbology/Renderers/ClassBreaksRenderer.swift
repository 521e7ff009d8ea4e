/// A renderer with one symbol for each range of a number.
///
/// A value v belongs to a class when `minimum < v <= maximum`. In a renderer read from JSON, the lowest class also
/// includes its minimum, where web maps store the smallest value of the data. Null, NaN and text get the default
/// symbol; without one, the feature is not drawn.
///
/// - Source: the rule table of the native SDKs. The JavaScript SDK uses `minimum <= v <= maximum`, first match, which
///   differs only at the lowest bound.
public struct ClassBreaksRenderer: Hashable, Sendable {
  /// A class of values.
  public struct ClassBreak: Hashable, Sendable {
    /// The lower bound, exclusive.
    public var minimum: Double
    /// The upper bound, inclusive.
    public var maximum: Double
    /// The display name.
    public var label: String
    /// A longer description for display.
    public var description = ""
    /// The symbol.
    public var symbol: SymbolForm

    /// Creates a class between two bounds.
    public init(minimum: Double, maximum: Double, label: String, symbol: SymbolForm) {
      (self.minimum, self.maximum, self.label, self.symbol) = (minimum, maximum, label, symbol)
    }
  }

  /// The field with the number.
  public var fieldName: String
  /// The classes; the first match applies.
  public var classBreaks: [ClassBreak]
  /// Whether the class with the lowest minimum includes that minimum.
  public var includesLowestMinimum: Bool
  /// The symbol of all other features; nil if they are not drawn.
  public var defaultSymbol: SymbolForm?
  /// The display name of the other features.
  public var defaultLabel: String
  /// The visual variables, which change the symbols by feature or by scale.
  public var visualVariables = VisualVariables()

  /// Creates a renderer for one field.
  public init(
    fieldName: String, classBreaks: [ClassBreak], includesLowestMinimum: Bool = false,
    defaultSymbol: SymbolForm? = nil, defaultLabel: String = ""
  ) {
    (self.fieldName, self.classBreaks) = (fieldName, classBreaks)
    self.includesLowestMinimum = includesLowestMinimum
    (self.defaultSymbol, self.defaultLabel) = (defaultSymbol, defaultLabel)
  }

  /// Returns the index of the class of a value; nil when no class matches.
  ///
  /// - Cost: O(classes), which are few.
  public func classIndex(of value: Double) -> Int? {
    if let index = classBreaks.firstIndex(where: { $0.minimum < value && value <= $0.maximum }) {
      return index
    }
    guard includesLowestMinimum, let lowest = classBreaks.map(\.minimum).min(), value == lowest else {
      return nil
    }
    return classBreaks.firstIndex { $0.minimum == lowest }
  }
}
