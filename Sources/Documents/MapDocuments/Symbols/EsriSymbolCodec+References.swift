import MapJSON
import MapModel

/// Symbols with the scales at which they are used.
extension EsriSymbolCodec {
  private static let referenceType = "CIMSymbolReference"

  /// Reads a symbol, and its scales if it is a symbol reference.
  ///
  /// - Source: Esri web map specification, CIM symbol reference. Design decision: it may contain any symbol of web
  ///   maps.
  static func reference(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> (symbol: SymbolForm, scales: SymbolReferenceProperties?) {
    guard try node.string("type") == referenceType else { return (try symbol(node, &report), nil) }
    let (minScale, maxScale) = (try node.double("minScale") ?? 0, try node.double("maxScale") ?? 0)
    let scales = SymbolReferenceProperties(minScale: minScale, maxScale: maxScale)
    let symbol = try symbol(node, &report)
    return (symbol, minScale == 0 && maxScale == 0 ? nil : scales)
  }

  /// Returns a symbol as JSON, inside a reference if it has scales.
  static func json(_ symbol: SymbolForm, _ scales: SymbolReferenceProperties?) -> JSONValue {
    guard let scales else { return json(symbol) }
    return [
      "type": .string(referenceType), "symbol": json(symbol), "minScale": .number(scales.minScale),
      "maxScale": .number(scales.maxScale),
    ]
  }
}
