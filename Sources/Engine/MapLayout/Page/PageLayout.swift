package import MapGeometry

/// The parts of an image besides the map: title, legend, scale bar, north arrow, attribution and frame.
///
/// The image keeps its size. A title, and a legend beside the map, make the map smaller; all other parts lie on the
/// map. Parts never overlap each other, and labels of the map avoid them.
public struct PageLayout: Hashable, Sendable {
  /// The positions of a legend.
  public enum LegendPosition: String, Hashable, Sendable, CaseIterable {
    /// Beside the map.
    case left, right
    /// Above or below the map, with its entries in rows.
    case top, bottom
    /// In a corner of the map.
    case topLeft = "top-left", topRight = "top-right", bottomLeft = "bottom-left", bottomRight =
      "bottom-right"
    /// In the corner of the map where it covers the fewest features; of several, the first of bottom right, top right,
    /// bottom left and top left.
    case corner

    /// The corners of a map, in the order in which they are tried.
    package static let corners: [LegendPosition] = [.bottomRight, .topRight, .bottomLeft, .topLeft]

    /// Whether the legend is on the map and not beside it.
    package var isOnMap: Bool {
      switch self {
      case .left, .right, .top, .bottom: false
      case .topLeft, .topRight, .bottomLeft, .bottomRight, .corner: true
      }
    }
  }

  /// The units of a scale bar.
  public enum ScaleBarUnits: String, Hashable, Sendable, CaseIterable {
    /// Metres and kilometres.
    case metric
    /// Feet and miles.
    case imperial
    /// Metric and imperial units, one below the other.
    case both
  }

  /// The title, at the top of the image; empty for none.
  public var title = ""
  /// The line below the title; empty for none.
  public var subtitle = ""
  /// The position of the legend; nil for none.
  public var legend: LegendPosition?
  /// The title of the legend, which replaces those of its only layer; empty for none.
  public var legendTitle = ""
  /// Whether the legend lists only classes with a feature in the view.
  public var legendShowsViewOnly = false
  /// Whether the legend has the number of drawn features of each class.
  public var legendHasCounts = false
  /// Whether the legend shows class breaks as a bar with numbers at the breaks, where the classes differ in colour only.
  public var legendHasBars = false
  /// Whether the legend shows the distribution of the numbers of each layer with classes of numbers.
  public var legendHasCharts = false
  /// The number of columns of the legend; nil for as few as there is room for.
  public var legendColumns: Int?
  /// The units of the scale bar; nil for no scale bar.
  public var scaleBar: ScaleBarUnits?
  /// Whether the scale bar lies on a plate, which a page draws over features and tiles.
  package var scaleBarHasPlate = false
  /// Whether a small map shows the place of the map in its surroundings.
  public var locator = false
  /// Whether a north arrow is drawn.
  public var northArrow = false
  /// Whether the attribution that the data and the basemap require is drawn.
  public var attribution = true
  /// A text after the required attribution; empty for none.
  public var attributionText = ""
  /// The small maps of other areas in corners of the map.
  public var insets: [Inset] = []
  /// Whether a line is drawn around the map.
  public var frame = false
  /// Whether the frame has the degrees of meridians and parallels, because these are drawn.
  package var frameHasDegrees = false
  /// The width of the empty border of the page, in view pixels; nil for none around a map alone, and for a narrow one
  /// around a map with parts beside it.
  public var margin: Double?

  /// Creates a layout with the required attribution only.
  public init() {}

  /// Whether the legend is beside the map and not on it.
  var hasLegendBeside: Bool { legend.map { !$0.isOnMap } ?? false }

  /// Returns the part of a page inside its margin, in view pixels.
  package func area(width: Double, height: Double) -> Envelope {
    let border = (margin ?? 0).rounded()
    return Envelope(xMin: border, yMin: border, xMax: width - border, yMax: height - border)
  }
}
