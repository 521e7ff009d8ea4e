import Glibc
public import MapExpressions
package import MapFilter

/// A renderer with one symbol for each range of a number.
///
/// A value v belongs to a class when `minimum < v <= maximum`. In a renderer read from JSON, the lowest class also
/// includes its minimum, where web maps store the smallest value of the data. A text is read as a number, as CAST reads
/// it. Null, NaN and other texts get the default symbol; without one, the feature is not drawn.
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
    /// Whether legends list the class.
    public var showsInLegend = true
    /// The symbol.
    public var symbol: SymbolForm

    /// Creates a class between two bounds.
    public init(minimum: Double, maximum: Double, label: String, symbol: SymbolForm) {
      (self.minimum, self.maximum, self.label, self.symbol) = (minimum, maximum, label, symbol)
    }
  }

  /// A calculation from the field's number to the number that has a class.
  public enum Normalization: Hashable, Sendable {
    /// The number divided by that of another field; without a result if that is 0 or null.
    case field(String)
    /// The logarithm to base 10; without a result for numbers that are not above 0.
    case logarithm
    /// The number as a percentage of this total.
    case percentOfTotal(Double)
  }

  /// The field with the number.
  public var fieldName: String
  /// The calculation before a number gets its class; nil for the number itself.
  ///
  /// - Source: web map specification, `normalizationType`.
  public var normalization: Normalization?
  /// The classes; the first match applies.
  public var classBreaks: [ClassBreak]
  /// Whether the class with the lowest minimum includes that minimum.
  public var includesLowestMinimum: Bool
  /// The symbol of all other features; nil if they are not drawn.
  public var defaultSymbol: SymbolForm?
  /// The display name of the other features.
  public var defaultLabel: String
  /// The fill of areas below their markers; nil for none.
  public var backgroundFill: SymbolForm?
  /// The expression whose value has a class, instead of the field; nil for none.
  public var valueExpression: ArcadeExpression?
  /// The visual variables, which change the symbols by feature or by scale.
  public var visualVariables = VisualVariables()
  /// Whether features of a class are drawn above those of later classes, and those of no class below all; a drawing order
  /// of the layer takes precedence.
  public var drawsInClassOrder = false
  /// The texts in a legend.
  public var legendOptions = LegendOptions()

  /// Creates a renderer for one field.
  public init(
    fieldName: String, normalization: Normalization? = nil, classBreaks: [ClassBreak],
    includesLowestMinimum: Bool = false, defaultSymbol: SymbolForm? = nil, defaultLabel: String = ""
  ) {
    (self.fieldName, self.normalization, self.classBreaks) = (fieldName, normalization, classBreaks)
    self.includesLowestMinimum = includesLowestMinimum
    (self.defaultSymbol, self.defaultLabel) = (defaultSymbol, defaultLabel)
  }

  /// Returns the number that has a class; nil if the calculation has no finite result.
  ///
  /// - Parameter divisor: the number of the field that ``Normalization-swift.enum/field(_:)`` names; nil for null.
  public func normalized(_ number: Double, divisor: Double?) -> Double? {
    let result: Double
    switch normalization {
    case nil: return number
    case .field:
      guard let divisor else { return nil }
      result = number / divisor
    case .logarithm: result = log10(number)
    case .percentOfTotal(let total): result = number / total * 100
    }
    return result.isFinite ? result : nil
  }

  /// Returns the index of the class of a value, after normalisation; nil when no class matches.
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

  /// Returns the index of the class of a value of the field; nil for a value without a number, and when no class
  /// matches.
  ///
  /// Without a calculation, the exact value is compared, as in filters; dates and times are milliseconds since 1970.
  /// - Parameter divisor: the number of the field that ``Normalization-swift.enum/field(_:)`` names; nil for null.
  package func classIndex(of value: AttributeValue, divisor: Double? = nil) -> Int? {
    guard normalization == nil, value.isBeyondDoubles else {
      return value.numberOrMilliseconds.flatMap { normalized($0, divisor: divisor) }.flatMap {
        classIndex(of: $0)
      }
    }
    let index = classBreaks.firstIndex { item in
      value.ordering(toBound: item.minimum) == .greater && value.ordering(toBound: item.maximum) != .greater
    }
    guard index == nil, includesLowestMinimum, let lowest = classBreaks.map(\.minimum).min(),
      value.ordering(toBound: lowest) == .equal
    else { return index }
    return classBreaks.firstIndex { $0.minimum == lowest }
  }
}

extension AttributeValue {
  /// Whether no double is exactly this number.
  fileprivate var isBeyondDoubles: Bool {
    switch self {
    case .integer(let value): value.magnitude > 1 << 53
    case .instant(let instant): instant.microseconds.magnitude > 1 << 53
    default: false
    }
  }

  /// Returns the order relative to a bound of a class, by the exact values.
  fileprivate func ordering(toBound bound: Double) -> ValueOrdering? {
    guard case .instant(let instant) = self else { return ordering(to: .real(bound)) }
    let whole = instant.wholeMilliseconds
    let floor = bound.rounded(.down)
    let order = ValueOrdering(integer: whole, real: floor)
    let rest = Double(instant.microseconds - whole * 1000) / 1000
    return order == .equal ? ValueOrdering(rest, bound - floor) : order
  }
}
