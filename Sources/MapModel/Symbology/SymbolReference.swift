/// The scales at which a symbol is used.
///
/// - Source: Esri web map specification, CIM symbol reference; ours: both ends are included.
public struct SymbolReferenceProperties: Hashable, Sendable {
  /// The N of the smallest scale 1:N; 0 is open.
  public var minScale: Double
  /// The N of the largest scale 1:N; 0 is open.
  public var maxScale: Double

  /// A range of scales, open unless said.
  public init(minScale: Double = 0, maxScale: Double = 0) {
    (self.minScale, self.maxScale) = (minScale, maxScale)
  }

  /// True when the symbol is used at the scale 1:N.
  package func contains(_ scale: Double) -> Bool {
    (minScale == 0 || scale <= minScale) && (maxScale == 0 || scale >= maxScale)
  }
}

/// A symbol with the scales at which it is used.
public struct SymbolReference: Hashable, Sendable {
  /// The symbol.
  public var symbol: SymbolForm
  /// Its scales.
  public var properties: SymbolReferenceProperties

  /// A symbol at some scales.
  public init(_ symbol: any Symbol, _ properties: SymbolReferenceProperties) {
    (self.symbol, self.properties) = (symbol.form, properties)
  }
}

extension UniqueValueRenderer.UniqueValue {
  /// The symbol at a scale: its own, else the first other one that fits; nil for none.
  fileprivate func symbol(atScale scale: Double) -> SymbolForm? {
    if referenceProperties?.contains(scale) ?? true { return symbol }
    return alternateSymbols.first { $0.properties.contains(scale) }?.symbol
  }
}

extension RendererForm {
  /// The renderer with the symbols of one scale; where a class has none there, it gets several of none.
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
