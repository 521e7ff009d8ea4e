/// A symbol that draws a shape of one colour at a point.
///
/// - Units: sizes in pixels of 1/96 inch, independent of the image's pixel ratio; documents use points of 1/72 inch.
public struct SimpleMarkerSymbol: Hashable, Sendable {
  /// The shapes, each in a frame of ``SimpleMarkerSymbol/size``.
  public enum Style: String, Hashable, Sendable, CaseIterable {
    /// A circle; the size is its diameter.
    case circle
    /// A vertical and a horizontal stroke without an area.
    ///
    /// The strokes are those of the outline, or else 1 pixel wide in the marker's colour.
    case cross
    /// A square that stands on a corner; the size is its diagonal.
    case diamond
    /// A square with horizontal sides; the size is the length of a side.
    case square
    /// An equilateral triangle that points up, with its centroid on the point; the size is its height.
    case triangle
    /// Two diagonal strokes from corner to corner, without an area, drawn as for `cross`.
    case x
  }

  /// The shape.
  public var style: Style
  /// The fill colour; nil paints none.
  public var color: Color?
  /// The side of the frame, in pixels of 1/96 inch.
  public var size: Double
  /// The outline, centred on the edge of the shape; nil for none.
  public var outline: SimpleLineSymbol?
  /// The rotation about the marker's centre, clockwise in degrees; documents count counter-clockwise.
  public var angle: Double
  /// The direction that the angle is measured from.
  public var angleAlignment = SymbolAngleAlignment.screen
  /// The offset to the right after rotation, in pixels.
  public var offsetX: Double
  /// The offset upwards after rotation, in pixels.
  public var offsetY: Double

  /// Creates a marker: a white circle of 8 pixels, unless specified otherwise.
  public init(
    style: Style = .circle, color: Color? = .white, size: Double = 8, outline: SimpleLineSymbol? = nil,
    angle: Double = 0, offsetX: Double = 0, offsetY: Double = 0
  ) {
    (self.style, self.color, self.size, self.outline) = (style, color, size, outline)
    (self.angle, self.offsetX, self.offsetY) = (angle, offsetX, offsetY)
  }
}
