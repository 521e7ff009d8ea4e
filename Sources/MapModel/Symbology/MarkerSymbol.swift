/// A shape of one colour at a point.
///
/// - Units: sizes in pixels of 1/96 inch, whatever the picture's pixel ratio; documents write points of 1/72 inch.
public struct SimpleMarkerSymbol: Symbol, Hashable {
  /// The shapes, each in a frame of ``SimpleMarkerSymbol/size``.
  public enum Style: String, Hashable, Sendable, CaseIterable {
    /// A circle; size is its diameter.
    case circle
    /// Two strokes, upright and level, without area: the outline's, or of the colour and 1 pixel wide.
    case cross
    /// A square on its corner; size is its diagonal.
    case diamond
    /// An upright square; size is its side.
    case square
    /// An equilateral triangle with its point up and its centroid on the place; size is its height.
    case triangle
    /// Two strokes from corner to corner, without area, as for the cross.
    case x
  }

  /// The shape.
  public var style: Style
  /// The colour inside; nil leaves it open.
  public var color: Color?
  /// The frame's side in pixels of 1/96 inch.
  public var size: Double
  /// The line around, centred on the shape's edge.
  public var outline: SimpleLineSymbol?
  /// Turn about its own centre, clockwise, in degrees; documents count the other way round.
  public var angle: Double
  /// What the turn is counted from.
  public var angleAlignment = SymbolAngleAlignment.screen
  /// Shift to the right after turning, in pixels.
  public var offsetX: Double
  /// Shift upwards after turning, in pixels.
  public var offsetY: Double

  /// A marker: a white circle of 8 pixels unless said.
  public init(
    style: Style = .circle, color: Color? = .white, size: Double = 8, outline: SimpleLineSymbol? = nil,
    angle: Double = 0, offsetX: Double = 0, offsetY: Double = 0
  ) {
    (self.style, self.color, self.size, self.outline) = (style, color, size, outline)
    (self.angle, self.offsetX, self.offsetY) = (angle, offsetX, offsetY)
  }

  /// Itself, in the closed family.
  public var form: SymbolForm { .marker(self) }
}
