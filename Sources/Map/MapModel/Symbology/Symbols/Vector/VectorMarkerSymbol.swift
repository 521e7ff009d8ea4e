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
    /// The text at the first vertex of each part, which replaces the lines or the area; nil for none.
    ///
    /// Its colour and outline are those of the text symbol.
    public var text: TextSymbol?

    /// Creates a shape.
    public init(parts: [[Vertex]], isClosed: Bool = true, color: Color?, outline: SimpleLineSymbol? = nil) {
      (self.parts, self.isClosed, self.color, self.outline) = (parts, isClosed, color, outline)
    }

    /// Creates text at a vertex.
    public init(text: TextSymbol, at vertex: Vertex) {
      self.init(parts: [[vertex]], isClosed: false, color: nil)
      self.text = text
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
      scaled.shapes[index].text?.scale(by: factor)
    }
    return scaled
  }

  /// Returns the symbol with every colour changed.
  package func recolored(_ change: (Color) -> Color) -> VectorMarkerSymbol {
    var changed = self
    for index in shapes.indices {
      changed.shapes[index].color = shapes[index].color.map(change)
      changed.shapes[index].outline?.color = shapes[index].outline?.color.map(change)
      changed.shapes[index].text?.color = shapes[index].text?.color.map(change)
    }
    return changed
  }

  /// The largest distance of a vertex or outline from the symbol's point, before the offset.
  package var radius: Double {
    shapes.reduce(0) { radius, shape in
      let far = shape.parts.joined().reduce(0) { max($0, ($1.x * $1.x + $1.y * $1.y).squareRoot()) }
      // Letters are rarely wider than they are high.
      let letters = shape.text.map { $0.size * Double(max($0.text.count, 2)) + $0.haloWidth } ?? 0
      return max(radius, far + (shape.outline?.width ?? 0) / 2 + letters)
    }
  }
}

extension TextSymbol {
  /// Multiplies the size, the halo and the offset.
  fileprivate mutating func scale(by factor: Double) {
    size *= factor
    haloWidth *= factor
    (offsetX, offsetY) = (offsetX * factor, offsetY * factor)
  }
}
