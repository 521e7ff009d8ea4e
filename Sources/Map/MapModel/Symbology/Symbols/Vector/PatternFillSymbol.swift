/// A symbol that fills polygons with a pattern or a gradient.
///
/// A pattern is anchored to the top left corner of the image, so that neighbouring areas align. A gradient extends over
/// each feature.
///
/// - Units: pixels of 1/96 inch.
public struct PatternFillSymbol: Hashable, Sendable {
  /// The kinds of patterns.
  public enum Pattern: Hashable, Sendable {
    /// Parallel lines, always solid.
    ///
    /// `separation` is the distance between their centres. `angle` is measured counter-clockwise from the horizontal, in
    /// degrees.
    case lines(SimpleLineSymbol, separation: Double, angle: Double)
    /// A marker at the points of a grid; with `shifts`, every second row moves by half a step.
    case markers(VectorMarkerSymbol, stepX: Double, stepY: Double, shifts: Bool)
    /// Copies of an image side by side, with the size, angle and offset of the symbol.
    case picture(PictureMarkerSymbol)
    /// Colours that change across a feature.
    case gradient(ColorGradient)
  }

  /// The pattern.
  public var pattern: Pattern
  /// The outline, centred on the edge; nil for none.
  public var outline: SimpleLineSymbol?

  /// Creates a fill, without an outline unless one is given.
  public init(pattern: Pattern, outline: SimpleLineSymbol? = nil) {
    (self.pattern, self.outline) = (pattern, outline)
  }
}

extension PatternFillSymbol: Symbol {
  /// The symbol as a case of ``SymbolForm``.
  public var form: SymbolForm { .pattern(self) }

  /// Returns the symbol with every colour of the pattern changed; images keep theirs.
  package func recolored(_ change: (Color) -> Color) -> PatternFillSymbol {
    var changed = self
    switch pattern {
    case .lines(var line, let separation, let angle):
      line.color = line.color.map(change)
      changed.pattern = .lines(line, separation: separation, angle: angle)
    case .markers(let marker, let stepX, let stepY, let shifts):
      changed.pattern = .markers(marker.recolored(change), stepX: stepX, stepY: stepY, shifts: shifts)
    case .picture: break
    case .gradient(var gradient):
      for index in gradient.stops.indices {
        gradient.stops[index].color = change(gradient.stops[index].color)
      }
      changed.pattern = .gradient(gradient)
    }
    return changed
  }
}
