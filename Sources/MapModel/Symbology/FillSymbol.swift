/// An area of one colour, solid or hatched, with a line around.
public struct SimpleFillSymbol: Symbol, Hashable {
  /// The hatches; nothing is painted between their lines.
  ///
  /// The diagonals run against what their names suggest to many: forward falls to the right, as the server's
  /// enumeration has it. - Source: ArcGIS REST API, esriSFS; spacing: ArcGIS Maps SDK for JavaScript.
  public enum Style: String, Hashable, Sendable, CaseIterable {
    /// The whole area.
    case solid
    /// Level lines, 8 pixels apart.
    case horizontal
    /// Upright lines, 8 pixels apart.
    case vertical
    /// Both.
    case cross
    /// Lines falling to the right at 45 degrees, one every 16 pixels along the axes.
    case forwardDiagonal
    /// Lines rising to the right.
    case backwardDiagonal
    /// Both diagonals.
    case diagonalCross
  }

  /// Solid, or a hatch.
  public var style: Style
  /// The colour inside or of the hatch; nil leaves it open.
  public var color: Color?
  /// The line around, centred on the edge.
  public var outline: SimpleLineSymbol?

  /// A fill: solid black without an outline unless said.
  public init(style: Style = .solid, color: Color? = .black, outline: SimpleLineSymbol? = nil) {
    (self.style, self.color, self.outline) = (style, color, outline)
  }

  /// Itself, in the closed family.
  public var form: SymbolForm { .fill(self) }
}
