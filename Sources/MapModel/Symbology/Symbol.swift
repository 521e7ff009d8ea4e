/// How a feature looks: the common type of all symbols.
///
/// Closed: drawing and codecs switch over ``form``.
public protocol Symbol: Sendable {
  /// The case it is of the closed family.
  var form: SymbolForm { get }
}

/// The symbols that there are.
public enum SymbolForm: Hashable, Sendable {
  /// For points.
  case marker(SimpleMarkerSymbol)
  /// A picture for points.
  case picture(PictureMarkerSymbol)
  /// Text for points.
  case text(TextSymbol)
  /// For lines.
  case line(SimpleLineSymbol)
  /// For areas.
  case fill(SimpleFillSymbol)
  /// Several for one geometry.
  case composite(CompositeSymbol)
}

extension SymbolForm {
  /// The symbol, or the parts of a composite one at any depth, in painting order.
  package var simpleParts: [SymbolForm] {
    guard case .composite(let composite) = self else { return [self] }
    return composite.parts.flatMap(\.simpleParts)
  }
}
