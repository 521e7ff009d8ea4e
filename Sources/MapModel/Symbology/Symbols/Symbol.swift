/// The common type of all symbols, which define the appearance of features.
///
/// Do not conform other types: drawing and codecs switch over ``form``, a closed set.
public protocol Symbol: Sendable {
  /// The symbol as a case of the closed set.
  var form: SymbolForm { get }
}

/// The kinds of symbols.
public enum SymbolForm: Hashable, Sendable {
  /// A shape for points.
  case marker(SimpleMarkerSymbol)
  /// An image for points.
  case picture(PictureMarkerSymbol)
  /// Text for points.
  case text(TextSymbol)
  /// A line for polylines and polygon rings.
  case line(SimpleLineSymbol)
  /// A fill for polygons.
  case fill(SimpleFillSymbol)
  /// Several symbols for one geometry.
  case composite(CompositeSymbol)
}

extension SymbolForm {
  /// The symbol itself, or the parts of a composite symbol at any depth, in painting order.
  package var simpleParts: [SymbolForm] {
    guard case .composite(let composite) = self else { return [self] }
    return composite.parts.flatMap(\.simpleParts)
  }
}
