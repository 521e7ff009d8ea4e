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

/// A shape of one colour at a point.
///
/// - Units: sizes in pixels of 1/96 inch, whatever the picture's pixel ratio; documents write points of 1/72.
public struct SimpleMarkerSymbol: Symbol, Hashable {
  /// The shapes.
  public enum Style: String, Hashable, Sendable {
    /// A circle; size is its diameter.
    case circle
    /// An upright square; size is its side.
    case square
  }

  /// The shape.
  public var style: Style
  /// The colour inside; nil leaves it open.
  public var color: Color?
  /// Diameter or side in pixels of 1/96 inch.
  public var size: Double
  /// The line around, centred on the shape's edge.
  public var outline: SimpleLineSymbol?

  /// A marker: a white circle of 8 pixels unless said.
  public init(
    style: Style = .circle, color: Color? = .white, size: Double = 8, outline: SimpleLineSymbol? = nil
  ) {
    (self.style, self.color, self.size, self.outline) = (style, color, size, outline)
  }

  /// Itself, in the closed family.
  public var form: SymbolForm { .marker(self) }
}

/// A line of one colour and width.
public struct SimpleLineSymbol: Symbol, Hashable {
  /// The colour; nil paints nothing.
  public var color: Color?
  /// Width in pixels of 1/96 inch; 0 paints nothing.
  public var width: Double

  /// A line: black and 1 pixel unless said.
  public init(color: Color? = .black, width: Double = 1) {
    (self.color, self.width) = (color, width)
  }

  /// Itself, in the closed family.
  public var form: SymbolForm { .line(self) }
}

/// An area of one colour with a line around.
public struct SimpleFillSymbol: Symbol, Hashable {
  /// The colour inside; nil leaves it open.
  public var color: Color?
  /// The line around, centred on the edge.
  public var outline: SimpleLineSymbol?

  /// A fill: black without an outline unless said.
  public init(color: Color? = .black, outline: SimpleLineSymbol? = nil) {
    (self.color, self.outline) = (color, outline)
  }

  /// Itself, in the closed family.
  public var form: SymbolForm { .fill(self) }
}
