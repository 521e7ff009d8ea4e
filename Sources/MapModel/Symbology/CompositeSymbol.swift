/// Several symbols at one place, the first at the bottom.
///
/// Those that do not suit the geometry are left out.
public struct CompositeSymbol: Symbol, Hashable {
  /// The symbols as the closed family.
  public var parts: [SymbolForm]

  /// A symbol of several.
  public init(symbols: [any Symbol] = []) { parts = symbols.map(\.form) }

  /// The symbols, painted in this order.
  public var symbols: [any Symbol] {
    get { parts.map(\.symbol) }
    set { parts = newValue.map(\.form) }
  }

  /// Itself, in the closed family.
  public var form: SymbolForm { .composite(self) }
}
