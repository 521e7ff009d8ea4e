/// Several symbols at one position, starting at the bottom.
///
/// Symbols that do not suit the geometry are left out.
public struct CompositeSymbol: Hashable, Sendable {
  /// The symbols as cases of ``SymbolForm``.
  public var parts: [SymbolForm]
  /// The properties of parts that have another value for each feature.
  public var overrides: [SymbolOverride] = []

  /// Creates a symbol from several symbols.
  public init(symbols: [any Symbol] = []) { parts = symbols.map(\.form) }

  /// The symbols, in painting order.
  public var symbols: [any Symbol] {
    get { parts.map(\.symbol) }
    set { parts = newValue.map(\.form) }
  }
}
