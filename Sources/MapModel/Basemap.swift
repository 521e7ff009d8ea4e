/// What lies under the layers of a map so that people see where they are: water, land and borders in a style.
///
/// Not a layer of the map: it has no features to count, filter or identify.
public struct Basemap: Hashable, Sendable {
  /// The name of a look.
  ///
  /// Open: any name can be asked for; ``drawn`` is the look that it gets.
  ///
  /// - Source: the names are those of the ArcGIS Maps SDK.
  public struct Style: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name.
    public let rawValue: String

    /// A style by name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name.
    public var description: String { rawValue }
  }

  /// The style that was asked for.
  public let style: Style

  /// A basemap in a style.
  public init(style: Style) { self.style = style }
}

extension Basemap.Style {
  /// Soft greens and blues with borders of countries and states.
  public static let arcGISTopographic = Self(rawValue: "arcGISTopographic")
  /// Warm and light, with plain borders.
  public static let arcGISStreets = Self(rawValue: "arcGISStreets")
  /// Pale greys that leave the colours to the layers above.
  public static let arcGISLightGray = Self(rawValue: "arcGISLightGray")
  /// Dark greys for bright layers above.
  public static let arcGISDarkGray = Self(rawValue: "arcGISDarkGray")
  /// Blue water that lightens toward the shore, quiet land.
  public static let arcGISOceans = Self(rawValue: "arcGISOceans")
  /// As ``arcGISLightGray``; the bundled basemap has no labels to leave out.
  public static let arcGISLightGrayBase = Self(rawValue: "arcGISLightGrayBase")
  /// As ``arcGISDarkGray``; the bundled basemap has no labels to leave out.
  public static let arcGISDarkGrayBase = Self(rawValue: "arcGISDarkGrayBase")
  /// Without a drawing of its own.
  public static let arcGISImagery = Self(rawValue: "arcGISImagery")
  /// Without a drawing of its own.
  public static let arcGISImageryStandard = Self(rawValue: "arcGISImageryStandard")
  /// Without a drawing of its own.
  public static let arcGISCommunity = Self(rawValue: "arcGISCommunity")
  /// Without a drawing of its own.
  public static let arcGISStreetsNight = Self(rawValue: "arcGISStreetsNight")
  /// Without a drawing of its own.
  public static let arcGISNavigation = Self(rawValue: "arcGISNavigation")

  /// The styles with a drawing of their own.
  public static let withDrawing: [Self] = [
    .arcGISTopographic, .arcGISStreets, .arcGISLightGray, .arcGISDarkGray, .arcGISOceans,
  ]

  /// The style whose drawing this one gets: its own, its namesake's, or the plain ``arcGISLightGray``.
  public var drawn: Self {
    switch self {
    case .arcGISDarkGrayBase: .arcGISDarkGray
    case let style where Self.withDrawing.contains(style): style
    default: .arcGISLightGray
    }
  }

  /// True when the style is drawn as its name says.
  public var hasDrawing: Bool {
    Self.withDrawing.contains(self) || self == .arcGISLightGrayBase || self == .arcGISDarkGrayBase
  }

  /// The style that an address, id or title of somebody's basemap speaks of; nil when none is known.
  ///
  /// - Source: ours, from the names of Esri's basemap services and items.
  public init?(namedIn text: String) {
    let text = text.lowercased().filter { $0.isLetter }
    let words: [(String, Self)] = [
      ("ocean", .arcGISOceans), ("darkgray", .arcGISDarkGray), ("darkgrey", .arcGISDarkGray),
      ("lightgray", .arcGISLightGray), ("lightgrey", .arcGISLightGray), ("imagery", .arcGISImagery),
      ("satellite", .arcGISImagery), ("topo", .arcGISTopographic), ("terrain", .arcGISTopographic),
      ("street", .arcGISStreets), ("navigation", .arcGISStreets),
    ]
    guard let found = words.first(where: { text.contains($0.0) }) else { return nil }
    self = found.1
  }
}

/// A basemap as a value at one moment: what is painted below the layers.
public struct BasemapState: Sendable {
  /// The style that is drawn.
  public let style: Basemap.Style
  /// The colour of water, which covers the picture and so the map's background.
  public let water: Color
  /// Who is to be named beside the picture.
  public let attribution: String
  /// What is painted on the water, first at the bottom; numbered apart from the layers of the map.
  public let layers: [LayerState]

  package init(style: Basemap.Style, water: Color, attribution: String, layers: [LayerState]) {
    (self.style, self.water, self.attribution, self.layers) = (style, water, attribution, layers)
  }
}
