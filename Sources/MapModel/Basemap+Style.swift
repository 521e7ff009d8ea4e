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
