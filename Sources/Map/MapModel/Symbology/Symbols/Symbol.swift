/// The common type of all symbols, which define the appearance of features.
///
/// Do not conform other types: drawing and codecs switch over ``form``, a closed set.
public protocol Symbol: Sendable {
  /// The symbol as a case of the closed set.
  var form: SymbolForm { get }
}

/// The kinds of symbols.
public indirect enum SymbolForm: Hashable, Sendable {
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
  /// Shapes for points.
  case vector(VectorMarkerSymbol)
  /// A pattern or gradient for polygons.
  case pattern(PatternFillSymbol)
  /// A marker at places of polylines or polygons.
  case placed(PlacedMarkerSymbol)
  /// Several symbols for one geometry.
  case composite(CompositeSymbol)
}

extension SymbolForm {
  /// The symbol as a protocol value.
  public var symbol: any Symbol {
    switch self {
    case .marker(let marker): marker
    case .picture(let picture): picture
    case .text(let text): text
    case .line(let line): line
    case .fill(let fill): fill
    case .vector(let vector): vector
    case .pattern(let pattern): pattern
    case .placed(let placed): placed
    case .composite(let composite): composite
    }
  }

  /// The symbol itself, or the parts of a composite symbol at any depth, in painting order.
  package var simpleParts: [SymbolForm] {
    guard case .composite(let composite) = self else { return [self] }
    return composite.parts.flatMap(\.simpleParts)
  }
}

extension SimpleMarkerSymbol: Symbol {
  /// The symbol as a case of ``SymbolForm``.
  public var form: SymbolForm { .marker(self) }
}

extension PictureMarkerSymbol: Symbol {
  /// The symbol as a case of ``SymbolForm``.
  public var form: SymbolForm { .picture(self) }
}

extension TextSymbol: Symbol {
  /// The symbol as a case of ``SymbolForm``.
  public var form: SymbolForm { .text(self) }
}

extension SimpleLineSymbol: Symbol {
  /// The symbol as a case of ``SymbolForm``.
  public var form: SymbolForm { .line(self) }
}

extension SimpleFillSymbol: Symbol {
  /// The symbol as a case of ``SymbolForm``.
  public var form: SymbolForm { .fill(self) }
}

extension CompositeSymbol: Symbol {
  /// The symbol as a case of ``SymbolForm``.
  public var form: SymbolForm { .composite(self) }
}
