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
  /// For lines.
  case line(SimpleLineSymbol)
  /// For areas.
  case fill(SimpleFillSymbol)
}
