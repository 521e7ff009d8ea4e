import MapGeometry
package import MapJSON
public import MapLayout
import MapModel
package import MapState

/// A request for the parts of an image around and on its map, from options, a step or a snapshot case.
public struct LayoutRequest: Hashable, Sendable {
  /// The title; nil for none.
  public var title: String?
  /// The line below the title; nil for none.
  public var subtitle: String?
  /// The position of the legend; nil for no legend.
  public var legend: PageLayout.LegendPosition?
  /// The title of the legend; nil for none.
  public var legendTitle: String?
  /// Whether the legend lists only classes with a feature in the view.
  public var legendInView = false
  /// Whether the legend has the number of drawn features of each class.
  public var legendCounts = false
  /// Whether the legend shows class breaks as a bar with numbers at the breaks.
  public var legendBars = false
  /// Whether the legend shows the distribution of the numbers of each layer with classes of numbers.
  public var legendCharts = false
  /// The number of columns of the legend; nil for as few as there is room for.
  public var legendColumns: Int?
  /// The units of the scale bar; nil for no scale bar.
  public var scaleBar: PageLayout.ScaleBarUnits?
  /// Whether a small map shows the place of the map in its surroundings.
  public var locator = false
  /// Whether a north arrow is drawn.
  public var northArrow = false
  /// Whether the required attribution is drawn; nil as usual.
  public var attribution: Bool?
  /// A text after the required attribution; nil for none.
  public var attributionText: String?
  /// The small maps of other areas.
  public var insets: [PageLayout.Inset] = []
  /// Whether a line is drawn around the map.
  public var frame = false
  /// The width of the empty border of the page, in view pixels; nil as usual.
  public var margin: Double?

  /// Creates a request for a map without other parts.
  public init() {}

  /// The position of a legend without a position.
  package static let defaultLegend = PageLayout.LegendPosition.right
  /// The units of a scale bar without units.
  package static let defaultScaleBar = PageLayout.ScaleBarUnits.metric

  /// Reads a number of columns of a legend.
  package static func columns(text: String) throws(MapStateError) -> Int {
    // More do not fit any image (design decision).
    guard let count = Int(text), (1...12).contains(count) else {
      throw MapStateError(.usage, "\"\(text)\": expected 1 to 12 columns")
    }
    return count
  }

  /// Reads a number of columns of a legend from JSON.
  static func columns(_ node: JSONNode) throws(MapStateError) -> Int {
    try node.decoding { try columns(text: "\($0.integer())") }
  }

  /// Returns the layout.
  ///
  /// - Parameter attribution: Whether the required attribution is drawn unless the request decides.
  public func layout(attribution usual: Bool = true) -> PageLayout {
    var layout = PageLayout()
    (layout.title, layout.subtitle) = (title ?? "", subtitle ?? "")
    (layout.legend, layout.scaleBar, layout.northArrow) = (legend, scaleBar, northArrow)
    (layout.legendShowsViewOnly, layout.legendHasCounts) = (legendInView, legendCounts)
    (layout.legendHasBars, layout.legendTitle) = (legendBars, legendTitle ?? "")
    (layout.legendHasCharts, layout.legendColumns) = (legendCharts, legendColumns)
    layout.locator = locator
    (layout.attribution, layout.frame) = (attribution ?? usual, frame)
    layout.attributionText = attributionText ?? ""
    (layout.margin, layout.insets) = (margin, insets)
    return layout
  }

  /// The warnings about options that have no effect.
  public var warnings: [String] {
    Self.fields.filter { unused.contains($0.name) }.map {
      "\($0.option) has no effect: no legend is requested; add --legend"
    }
  }

  /// The names in JSON of the fields that have no effect.
  package var unused: [String] {
    guard legend == nil else { return [] }
    return [
      ("legendTitle", legendTitle != nil), ("legendInView", legendInView), ("legendCounts", legendCounts),
      ("legendBars", legendBars), ("legendCharts", legendCharts), ("legendColumns", legendColumns != nil),
    ].filter(\.1).map(\.0)
  }
}

extension LayoutRequest: TabularRequest {
  package static let fields: [RequestField<LayoutRequest>] = [
    RequestField("title", \.title) { try $0.string() },
    RequestField("subtitle", \.subtitle) { try $0.string() },
    RequestField("legend", \.legend) { node in
      guard let isShown = node.value.boolean else { return try node.choice(PageLayout.LegendPosition.self) }
      return isShown ? defaultLegend : nil
    },
    RequestField("legendTitle", \.legendTitle) { try $0.string() },
    RequestField("legendInView", \.legendInView) { try $0.boolean() },
    RequestField("legendCounts", \.legendCounts) { try $0.boolean() },
    RequestField("legendBars", \.legendBars) { try $0.boolean() },
    RequestField("legendCharts", \.legendCharts) { try $0.boolean() },
    RequestField("legendColumns", \.legendColumns) { try columns($0) },
    RequestField("scaleBar", \.scaleBar) { node in
      guard let isShown = node.value.boolean else { return try node.choice(PageLayout.ScaleBarUnits.self) }
      return isShown ? defaultScaleBar : nil
    },
    RequestField("locator", \.locator) { try $0.boolean() },
    RequestField("northArrow", \.northArrow) { try $0.boolean() },
    RequestField("inset", \.insets) { try $0.strings().map { try PageLayout.Inset(text: $0) } },
    RequestField("attribution") { node, request in
      if node.value.string != nil {
        (request.attribution, request.attributionText) = (true, try node.string())
      } else {
        request.attribution = try node.boolean()
      }
    },
    RequestField("frame", \.frame) { try $0.boolean() },
    RequestField("margin", \.margin) { try PageMargin($0).pixels },
  ]
}

extension PageLayout.Inset: RequestText {
  /// Reads `NAME` or `XMIN,YMIN,XMAX,YMAX[,WKID]`, a spatial reference after `@`, and a corner after a colon.
  ///
  /// An `@` before a text without the form of a spatial reference belongs to the name.
  package init(text: String) throws(MapStateError) {
    var (place, corner) = (text[...], PageLayout.LegendPosition?.none)
    if let colon = text.lastIndex(of: ":"),
      let found = PageLayout.LegendPosition.corners.first(where: {
        $0.rawValue == text[text.index(after: colon)...]
      })
    {
      (place, corner) = (text[..<colon], found)
    }
    var reference: SpatialReference?
    if let sign = place.lastIndex(of: "@") {
      let (area, written) = (place[..<sign], String(place[place.index(after: sign)...]))
      if Self.isExtent(area) || SpatialReference.hasForm(written) {
        do { reference = try SpatialReference(text: written) } catch { throw error.with(kind: .usage) }
        place = area
      }
    }
    guard !place.isEmpty else {
      throw MapStateError(
        .input, "'\(text)' names no area; for example Alaska, Alaska@3338 or -180,50,-128,72:bottom-left")
    }
    self.init(
      Self.isExtent(place)
        ? .bounds(try RequestedExtent.envelope(text: String(place))) : .named(String(place)),
      reference: reference, corner: corner)
  }

  /// Returns whether a text has the form of an extent: a name may consist of numbers, but not of four between commas.
  private static func isExtent(_ text: Substring) -> Bool {
    DecimalNumbers.read(String(text), counts: 4...5) != nil
  }

  /// Whether the inset needs the texts of features.
  package var needsTexts: Bool { if case .named = place { true } else { false } }
}

extension LayoutRequest {
  /// Reads a request from the members of an object.
  package init(_ node: JSONNode) throws(MapStateError) { try read(node) }
}
