/// A symbol that draws lines and areas at a point, such as a marker of a CIM symbol.
///
/// - Units: pixels of 1/96 inch.
public struct VectorMarkerSymbol: Hashable, Sendable {
  /// A vertex relative to the symbol's point.
  public struct Vertex: Hashable, Sendable {
    /// The distance to the right.
    public var x: Double
    /// The distance upwards.
    public var y: Double

    /// Creates a vertex.
    public init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
  }

  /// Lines or an area of one style.
  public struct Shape: Hashable, Sendable {
    /// The lines or rings.
    public var parts: [[Vertex]]
    /// Whether the parts are rings, filled by the even-odd rule.
    public var isClosed: Bool
    /// The colour of the fill; nil fills nothing.
    public var color: Color?
    /// The solid line along the parts; nil for none.
    public var outline: SimpleLineSymbol?

    /// Creates a shape.
    public init(parts: [[Vertex]], isClosed: Bool = true, color: Color?, outline: SimpleLineSymbol? = nil) {
      (self.parts, self.isClosed, self.color, self.outline) = (parts, isClosed, color, outline)
    }
  }

  /// The shapes, the first painted first.
  public var shapes: [Shape]
  /// The height of the frame in which the shapes were drawn; a size variable changes it, and scales the shapes.
  public var size: Double
  /// The rotation about the symbol's point, clockwise in degrees.
  public var angle = 0.0
  /// The direction that the angle is measured from.
  public var angleAlignment = SymbolAngleAlignment.screen
  /// The offset to the right after rotation.
  public var offsetX = 0.0
  /// The offset upwards after rotation.
  public var offsetY = 0.0

  /// Creates a symbol.
  public init(shapes: [Shape], size: Double) { (self.shapes, self.size) = (shapes, size) }
}

/// A symbol that fills polygons with a pattern, without an outline.
///
/// The pattern is anchored to the top left corner of the image, so that neighbouring areas align.
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
  }

  /// The pattern.
  public var pattern: Pattern

  /// Creates a fill.
  public init(pattern: Pattern) { self.pattern = pattern }
}

extension VectorMarkerSymbol: Symbol {
  /// The symbol as a case of ``SymbolForm``.
  public var form: SymbolForm { .vector(self) }

  /// Returns the symbol with all shapes and outlines multiplied by a factor.
  package func scaled(by factor: Double) -> VectorMarkerSymbol {
    var scaled = self
    scaled.size *= factor
    for index in shapes.indices {
      scaled.shapes[index].parts = shapes[index].parts.map { part in
        part.map { Vertex(x: $0.x * factor, y: $0.y * factor) }
      }
      scaled.shapes[index].outline?.width *= factor
    }
    return scaled
  }

  /// Returns the symbol with every colour changed.
  package func recolored(_ change: (Color) -> Color) -> VectorMarkerSymbol {
    var changed = self
    for index in shapes.indices {
      changed.shapes[index].color = shapes[index].color.map(change)
      changed.shapes[index].outline?.color = shapes[index].outline?.color.map(change)
    }
    return changed
  }

  /// The largest distance of a vertex or outline from the symbol's point, before the offset.
  package var radius: Double {
    shapes.reduce(0) { radius, shape in
      let far = shape.parts.joined().reduce(0) { max($0, ($1.x * $1.x + $1.y * $1.y).squareRoot()) }
      return max(radius, far + (shape.outline?.width ?? 0) / 2)
    }
  }
}

extension PatternFillSymbol: Symbol {
  /// The symbol as a case of ``SymbolForm``.
  public var form: SymbolForm { .pattern(self) }

  /// Returns the symbol with every colour changed.
  package func recolored(_ change: (Color) -> Color) -> PatternFillSymbol {
    switch pattern {
    case .lines(var line, let separation, let angle):
      line.color = line.color.map(change)
      return PatternFillSymbol(pattern: .lines(line, separation: separation, angle: angle))
    case .markers(let marker, let stepX, let stepY, let shifts):
      return PatternFillSymbol(
        pattern: .markers(marker.recolored(change), stepX: stepX, stepY: stepY, shifts: shifts))
    }
  }
}
