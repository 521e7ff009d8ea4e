/// The scales at which a symbol is used.
///
/// - Source: Esri web map specification, CIM symbol reference. Design decision: both bounds are inclusive.
public struct SymbolReferenceProperties: Hashable, Sendable {
  /// The scale denominator of the smallest scale; 0 means no limit.
  public var minScale: Double
  /// The scale denominator of the largest scale; 0 means no limit.
  public var maxScale: Double

  /// Creates a range of scales, unlimited by default.
  public init(minScale: Double = 0, maxScale: Double = 0) {
    (self.minScale, self.maxScale) = (minScale, maxScale)
  }

  /// Returns whether the symbol is used at a scale denominator.
  package func contains(_ scale: Double) -> Bool {
    (minScale == 0 || scale <= minScale) && (maxScale == 0 || scale >= maxScale)
  }
}

/// A symbol with the scales at which it is used.
public struct SymbolReference: Hashable, Sendable {
  /// The symbol.
  public var symbol: SymbolForm
  /// The scales at which the symbol is used.
  public var properties: SymbolReferenceProperties

  /// Creates a symbol with a range of scales.
  public init(_ symbol: any Symbol, _ properties: SymbolReferenceProperties) {
    (self.symbol, self.properties) = (symbol.form, properties)
  }
}
