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

extension UniqueValueRenderer.UniqueValue {
  /// Returns the symbol at a scale denominator: the main one, or else the first matching alternative; nil for none.
  fileprivate func symbol(atScale scale: Double) -> SymbolForm? {
    if referenceProperties?.contains(scale) ?? true { return symbol }
    return alternateSymbols.first { $0.properties.contains(scale) }?.symbol
  }
}

extension RendererForm {
  /// Returns the renderer with the symbols for one scale; a class without one gets an empty composite symbol.
  package func resolved(atScale scale: Double) -> RendererForm {
    guard case .uniqueValue(var renderer) = self,
      renderer.uniqueValues.contains(where: { $0.referenceProperties != nil })
    else { return self }
    for index in renderer.uniqueValues.indices {
      let shown = renderer.uniqueValues[index].symbol(atScale: scale)
      renderer.uniqueValues[index].symbol = shown ?? CompositeSymbol().form
    }
    return .uniqueValue(renderer)
  }
}
