extension Basemap.Style {
  /// The topographic style: soft greens and blues, with country and state borders.
  public static let arcGISTopographic = Self(rawValue: "arcGISTopographic")
  /// The street style: light and warm, with plain borders; the bundled basemap has no streets.
  public static let arcGISStreets = Self(rawValue: "arcGISStreets")
  /// The light grey style, which leaves the colours to the layers above.
  public static let arcGISLightGray = Self(rawValue: "arcGISLightGray")
  /// The dark grey style, for bright layers above.
  public static let arcGISDarkGray = Self(rawValue: "arcGISDarkGray")
  /// The ocean style: blue water and quiet land.
  public static let arcGISOceans = Self(rawValue: "arcGISOceans")
  /// The light grey style without labels, drawn as ``arcGISLightGray``.
  public static let arcGISLightGrayBase = Self(rawValue: "arcGISLightGrayBase")
  /// The dark grey style without labels, drawn as ``arcGISDarkGray``.
  public static let arcGISDarkGrayBase = Self(rawValue: "arcGISDarkGrayBase")
  /// Satellite imagery, drawn as ``arcGISLightGray``.
  public static let arcGISImagery = Self(rawValue: "arcGISImagery")
  /// Standard satellite imagery, drawn as ``arcGISLightGray``.
  public static let arcGISImageryStandard = Self(rawValue: "arcGISImageryStandard")
  /// The community style, drawn as ``arcGISLightGray``.
  public static let arcGISCommunity = Self(rawValue: "arcGISCommunity")
  /// The street style at night, drawn as ``arcGISLightGray``.
  public static let arcGISStreetsNight = Self(rawValue: "arcGISStreetsNight")
  /// The navigation style: cool and clear, for roads in strong colours over tiles of streets.
  public static let arcGISNavigation = Self(rawValue: "arcGISNavigation")

  /// The styles with a drawing of their own.
  public static let withDrawing: [Self] = [
    .arcGISTopographic, .arcGISStreets, .arcGISLightGray, .arcGISDarkGray, .arcGISOceans,
    .arcGISNavigation,
  ]

  /// The style that is drawn for this one.
  ///
  /// A style with a drawing draws itself. A base variant draws the style that it varies. Any other style draws
  /// ``arcGISLightGray``.
  public var drawn: Self {
    switch self {
    case .arcGISDarkGrayBase: .arcGISDarkGray
    case let style where Self.withDrawing.contains(style): style
    default: .arcGISLightGray
    }
  }

  /// Whether a drawing with streets has names; base variants have none.
  package var hasNames: Bool { !rawValue.hasSuffix("Base") }

  /// Whether the style is drawn as its name says.
  public var hasDrawing: Bool {
    Self.withDrawing.contains(self) || self == .arcGISLightGrayBase || self == .arcGISDarkGrayBase
  }

  /// Finds the style that the address, id or title of a basemap names; nil when none is recognised.
  ///
  /// - Source: design decision, from the names of Esri's basemap services and items.
  public init?(namedIn text: String) {
    let text = text.lowercased().filter { $0.isLetter }
    let words: [(String, Self)] = [
      ("ocean", .arcGISOceans), ("darkgray", .arcGISDarkGray), ("darkgrey", .arcGISDarkGray),
      ("lightgray", .arcGISLightGray), ("lightgrey", .arcGISLightGray), ("imagery", .arcGISImagery),
      ("satellite", .arcGISImagery), ("topo", .arcGISTopographic), ("terrain", .arcGISTopographic),
      ("street", .arcGISStreets), ("navigation", .arcGISNavigation),
    ]
    guard let found = words.first(where: { text.contains($0.0) }) else { return nil }
    self = found.1
  }
}
