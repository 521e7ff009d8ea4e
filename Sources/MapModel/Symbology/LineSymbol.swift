/// A line of one colour and width, solid or dashed.
public struct SimpleLineSymbol: Symbol, Hashable {
  /// The dashes, in multiples of the width, starting with a dash at the first vertex of every part.
  ///
  /// - Source: the patterns of the ArcGIS Maps SDK for JavaScript; another Esri library draws dash-dot as 8 3 1 3.
  public enum Style: String, Hashable, Sendable, CaseIterable {
    case solid, dash, dot, dashDot, dashDotDot, longDash, longDashDot
    case shortDash, shortDashDot, shortDashDotDot, shortDot

    /// Dash, gap, dash, gap … in line widths, for butt caps; empty for a solid line.
    public var pattern: [Double] {
      switch self {
      case .solid: []
      case .dash: [4, 3]
      case .dot: [1, 3]
      case .dashDot: [4, 3, 1, 3]
      case .dashDotDot: [8, 3, 1, 3, 1, 3]
      case .longDash: [8, 3]
      case .longDashDot: [8, 3, 1, 3]
      case .shortDash: [4, 1]
      case .shortDashDot: [4, 1, 1, 1]
      case .shortDashDotDot: [4, 1, 1, 1, 1, 1]
      case .shortDot: [1, 1]
      }
    }
  }

  /// How a line ends.
  public enum Cap: String, Hashable, Sendable, CaseIterable {
    case butt, round, square
  }

  /// How a line turns.
  public enum Join: String, Hashable, Sendable, CaseIterable {
    case miter, round, bevel
  }

  /// What stands at a line's ends.
  public enum MarkerStyle: String, Hashable, Sendable, CaseIterable {
    case none
    /// A triangle in the line's colour that points away from the line, in proportion to its width.
    case arrow
  }

  /// At which ends it stands, by the order of the vertices.
  public enum MarkerPlacement: String, Hashable, Sendable, CaseIterable {
    case begin, end, beginAndEnd
  }

  /// The dashes.
  public var style: Style
  /// The colour; nil paints nothing.
  public var color: Color?
  /// Width in pixels of 1/96 inch; 0 paints nothing.
  public var width: Double
  /// How it ends.
  public var cap: Cap
  /// How it turns.
  public var join: Join
  /// Where a miter becomes a bevel, in line widths.
  public var miterLimit: Double
  /// What stands at the ends of lines; areas have none.
  public var markerStyle = MarkerStyle.none
  /// At which ends it stands.
  public var markerPlacement = MarkerPlacement.end

  /// A line: solid, black and 1 pixel unless said.
  public init(
    style: Style = .solid, color: Color? = .black, width: Double = 1, cap: Cap = .butt, join: Join = .miter,
    miterLimit: Double = 10
  ) {
    (self.style, self.color, self.width) = (style, color, width)
    (self.cap, self.join, self.miterLimit) = (cap, join, miterLimit)
  }

  /// Itself, in the closed family.
  public var form: SymbolForm { .line(self) }
}
