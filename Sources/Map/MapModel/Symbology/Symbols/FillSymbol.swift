/// A symbol that fills polygons with one colour, solid or hatched, with an optional outline.
public struct SimpleFillSymbol: Hashable, Sendable {
  /// The fill styles; a hatch paints nothing between its lines.
  ///
  /// The diagonals run opposite to what many expect: `forwardDiagonal` falls to the right, as in the server's
  /// enumeration.
  ///
  /// - Source: ArcGIS REST API, esriSFS; spacing from the ArcGIS Maps SDK for JavaScript.
  public enum Style: String, Hashable, Sendable, CaseIterable {
    /// The whole area.
    case solid
    /// Horizontal lines, 8 pixels apart.
    case horizontal
    /// Vertical lines, 8 pixels apart.
    case vertical
    /// Horizontal and vertical lines.
    case cross
    /// Lines that fall to the right at 45 degrees, one every 16 pixels along the axes.
    case forwardDiagonal
    /// Lines that rise to the right at 45 degrees, one every 16 pixels along the axes.
    case backwardDiagonal
    /// Both diagonals.
    case diagonalCross
  }

  /// The fill style.
  public var style: Style
  /// The colour of the fill or hatch; nil paints none.
  public var color: Color?
  /// The outline, centred on the edge; nil for none.
  public var outline: SimpleLineSymbol?

  /// Creates a fill: solid black without an outline, unless specified otherwise.
  public init(style: Style = .solid, color: Color? = .black, outline: SimpleLineSymbol? = nil) {
    (self.style, self.color, self.outline) = (style, color, outline)
  }
}
