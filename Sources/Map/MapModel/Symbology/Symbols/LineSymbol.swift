/// A symbol that draws lines in one colour and width, solid or dashed.
public struct SimpleLineSymbol: Hashable, Sendable {
  /// The dash patterns, in multiples of the line width; each part starts with a dash at its first vertex.
  ///
  /// - Source: the patterns of the ArcGIS Maps SDK for JavaScript; another Esri library draws dash-dot as 8 3 1 3.
  public enum Style: String, Hashable, Sendable, CaseIterable {
    /// A solid line, and the patterns with wide gaps.
    case solid, dash, dot, dashDot, dashDotDot, longDash, longDashDot
    /// The patterns with narrow gaps.
    case shortDash, shortDashDot, shortDashDotDot, shortDot

    /// The lengths of dash, gap, dash, gap … in line widths, for butt caps; empty for a solid line.
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

  /// The shape of line ends.
  public enum Cap: String, Hashable, Sendable, CaseIterable {
    /// Cut at the end point, round beyond it, or square beyond it.
    case butt, round, square
  }

  /// The shape of line corners.
  public enum Join: String, Hashable, Sendable, CaseIterable {
    /// Sharp, rounded or cut off.
    case miter, round, bevel
  }

  /// The way in which a pattern of dashes fits a line; its lengths are stretched, so that it has a whole number of
  /// repetitions.
  public enum DashEnding: String, Hashable, Sendable, CaseIterable {
    /// The dashes start at the first vertex, and are not stretched.
    case unconstrained
    /// Half the first dash at both ends.
    case halfDash
    /// Half the last gap at both ends.
    case halfGap
    /// The whole first dash at both ends.
    case fullDash
    /// The whole last gap at both ends.
    case fullGap
  }

  /// The marker at the ends of a line.
  public enum MarkerStyle: String, Hashable, Sendable, CaseIterable {
    /// No marker.
    case none
    /// A triangle in the line's colour that points away from the line, in proportion to its width.
    case arrow
  }

  /// The ends that have a marker, by the order of the vertices.
  public enum MarkerPlacement: String, Hashable, Sendable, CaseIterable {
    /// The first vertex, the last vertex, or both.
    case begin, end, beginAndEnd
  }

  /// The dash pattern.
  public var style: Style
  /// The colour; nil paints nothing.
  public var color: Color?
  /// The width in pixels of 1/96 inch; 0 paints nothing.
  public var width: Double
  /// The shape of the line ends.
  public var cap: Cap
  /// The shape of the corners.
  public var join: Join
  /// The length of a miter, in line widths, above which it becomes a bevel.
  public var miterLimit: Double
  /// The lengths of dash, gap, dash … in pixels, instead of the pattern of the style; empty for none.
  public var dashTemplate: [Double] = []
  /// The way in which the dashes of ``dashTemplate`` fit a line.
  public var dashEnding = DashEnding.unconstrained
  /// The distance from the start of ``dashTemplate`` at which lines start, in pixels.
  public var dashOffset = 0.0
  /// The changes of the geometry before the line is dashed and drawn, one after the other.
  public var effects: [LineEffect] = []
  /// The marker at the ends of lines; outlines of polygons have none.
  public var markerStyle = MarkerStyle.none
  /// The ends that have a marker.
  public var markerPlacement = MarkerPlacement.end

  /// Creates a line: solid, black and 1 pixel wide, unless specified otherwise.
  public init(
    style: Style = .solid, color: Color? = .black, width: Double = 1, cap: Cap = .butt, join: Join = .miter,
    miterLimit: Double = 10
  ) {
    (self.style, self.color, self.width) = (style, color, width)
    (self.cap, self.join, self.miterLimit) = (cap, join, miterLimit)
  }
}
