package import MapJSON
public import MapModel
public import MapState
import MapSystem

/// A basemap that replaces that of a document.
public enum BasemapChoice: Hashable, Sendable {
  /// A style with a bundled drawing.
  case style(Basemap.Style)
  /// Tiles at a path, template or address, a MapLibre style in a file, or an item of a portal.
  case tiles(String)
  /// The title of a basemap in the gallery of the portal of the option `--portal`.
  case gallery(String)

  /// The names of the styles.
  public static let names = Basemap.Style.withDrawing.map(\.rawValue)
}

extension BasemapChoice: RequestText {
  package init(text: String) throws(MapStateError) {
    let style = Basemap.Style(rawValue: text)
    if style.hasDrawing {
      self = .style(style)
    } else if text.contains(where: { "./{".contains($0) }) || SourceAddress.scheme(of: text) != nil
      || FileAccess.exists(text)
    {
      self = .tiles(text)
    } else if text.contains(" ") {
      self = .gallery(text)
    } else {
      // A word without a dot or slash that names no folder is a misspelt style.
      throw Self.unknown(text)
    }
  }

  /// Returns the error for a text that names no basemap.
  fileprivate static func unknown(_ text: String) -> MapStateError {
    let nearest = NearestName.of(text, among: names)
    return MapStateError(
      .usage,
      "no basemap named \"\(text)\"; \(nearest.map { "did you mean \"\($0)\"? " } ?? "")"
        + "available: \(names.joined(separator: ", ")), tiles at a path or template, and the titles of the gallery of "
        + "a portal that --portal names",
      suggestion: nearest)
  }
}

/// A request for the basemap and the appearance of an image, from options, a step or a snapshot case.
public struct DrawingRequest: Hashable, Sendable {
  /// The basemap; nil as in the document.
  public var basemap: BasemapChoice?
  /// The language of the names of a basemap over tiles of streets, such as `fi`; nil for those in use at a place.
  public var basemapLanguage: String?
  /// Whether no basemap is drawn.
  public var noBasemap = false
  /// Whether the bundled names are drawn over the layers.
  public var basemapNames = false
  /// Whether meridians and parallels are drawn.
  public var graticule = false
  /// The background colour; nil as in the document, `.some(nil)` for a transparent one.
  public var background: Color??
  /// The cells in which points are counted instead of drawing their symbols; nil for symbols.
  package var cells: CountingCells?
  /// The treatment of tiles that are missing; nil as in the document.
  public var missingTiles: MissingTiles?
  /// The paths of fonts for labels.
  public var fonts: [String] = []
  /// Whether Cairo paints everything.
  public var usesReferencePainter = false

  /// Creates a request that changes nothing.
  public init() {}

  /// The painting method.
  public var method: PaintingMethod { usesReferencePainter ? .reference : .fast }

  /// Applies the request to an opened document and to the request for its view.
  ///
  /// Warnings about a basemap of a portal are added to those of the map.
  ///
  /// - Parameter folders: the folders of relative paths of tiles and fonts; the first that has the file.
  /// - Throws: `MapStateError` if tiles or fonts cannot be read.
  package func apply(
    to document: MapDocument, _ view: inout ViewRequest, catalog: SourceCatalog, folders: [String] = []
  ) async throws(MapStateError) {
    switch basemap {
    case .style(let style):
      document.map.basemap = Basemap(style: style)
      if try await !addStreets(to: document, catalog, folders) { view.basemap = .some(style) }
    case .tiles(let place):
      let (basemap, warnings) = try await catalog.basemap(at: Self.found(place, in: folders))
      document.map.basemap = basemap
      document.map.add(warnings)
    case .gallery(let title):
      guard catalog.services.portal != nil else { throw BasemapChoice.unknown(title) }
      let (basemap, warnings) = try await catalog.basemap(titled: title)
      document.map.basemap = basemap
      document.map.add(warnings)
    case nil:
      if noBasemap { view.basemap = .some(nil) } else { try await addStreets(to: document, catalog, folders) }
    }
    if basemapLanguage != nil, document.map.basemap?.streets == nil {
      document.map.add([
        DocumentWarning(
          path: nil, message: "--basemap-language has no effect: the basemap has no vector tiles of streets")
      ])
    }
    (view.background, view.cells) = (background, cells)
    (view.showsBasemapNames, view.showsGraticule) = (basemapNames, graticule)
    if let missingTiles {
      for layer in document.map.tiledLayers { layer.missingTiles = missingTiles }
      for layer in document.map.vectorTiledLayers { layer.missingTiles = missingTiles }
    }
    if !fonts.isEmpty {
      document.map.fonts = try fonts.map { path throws(MapStateError) in
        try FontFile(path: Self.found(path, in: folders))
      }
    }
  }

  /// Draws the style of the basemap over the tiles of `--tiles`, or with names in another language; returns whether it has
  /// tiles of streets.
  ///
  /// The tiles of a map with another style are those of that style.
  @discardableResult
  private func addStreets(
    to document: MapDocument, _ catalog: SourceCatalog, _ folders: [String]
  ) async throws(MapStateError) -> Bool {
    guard let basemap = document.map.basemap, let style = basemap.style else { return false }
    let own = basemap.streets
    let isForOther = document.map.vectorTiledLayers.contains { $0 !== own }
    let given = isForOther ? [] : catalog.styleTiles
    guard !given.isEmpty || basemapLanguage != nil, let place = given.first ?? own?.place else {
      return own != nil
    }
    guard given.count < 2 else {
      throw MapStateError(.usage, "--tiles: a basemap takes one archive; \(given.count) are given")
    }
    let tiles = StreetTiles(
      place: given.isEmpty ? place : Self.found(place, in: folders),
      language: basemapLanguage ?? own?.streets?.language)
    let (layer, warnings) = try await catalog.streetLayer(style, over: tiles)
    if let own { basemap.removeBaseLayer(own) }
    basemap.addBaseLayer(layer)
    document.map.add(warnings.map { DocumentWarning(path: nil, message: "basemap: \($0)") })
    return true
  }

  private static func found(_ path: String, in folders: [String]) -> String {
    folders.lazy.map { FilePath.join($0, path) }.first { FileAccess.exists($0) } ?? path
  }

  /// The warnings about fields that have no effect on a view of a document, by their names in JSON, and about its
  /// colours.
  package func warnings(of document: MapDocument, shown view: ViewState) -> [String] {
    var warnings = document.colorWarnings(in: view)
    if background != nil,
      let warning = view.backgroundWarning("\"background\"", remedy: "add \"noBasemap\" to see it")
    {
      warnings.append(warning)
    }
    if missingTiles ?? .blank != .blank, document.map.tiledLayers.isEmpty,
      document.map.vectorTiledLayers.isEmpty
    {
      warnings.append("\"missingTiles\" has no effect: the map has no layer of tiles")
    }
    return warnings
  }
}

extension MapDocument {
  /// The warnings about a basemap of a portal, which a request has given to the map.
  package var basemapWarnings: [DocumentWarning] {
    let known = Set(warnings)
    return map.warnings.filter { !known.contains($0) }
  }
}

extension DrawingRequest: TabularRequest {
  package static let fields: [RequestField<DrawingRequest>] = [
    RequestField("basemap", \.basemap) { try BasemapChoice($0) },
    RequestField("basemapLanguage", \.basemapLanguage) { try $0.string() },
    RequestField("noBasemap", \.noBasemap) { try $0.boolean() },
    RequestField("basemapNames", \.basemapNames) { try $0.boolean() },
    RequestField("graticule", \.graticule) { try $0.boolean() },
    RequestField("background", \.background) { .some(try background(text: $0.string())) },
    RequestField("aggregate", \.cells) { try CountingCells($0) },
    RequestField("missingTiles", \.missingTiles) { try $0.choice(MissingTiles.self) },
    RequestField("font", \.fonts) { node in
      let fonts = try node.strings()
      guard fonts.count <= FontFile.largestCount else {
        throw node.invalid("\(fonts.count) fonts; at most \(FontFile.largestCount) are used")
      }
      return fonts
    },
    RequestField("painter", \.usesReferencePainter) { try $0.choice(Painter.self) == .reference },
  ]

  private enum Painter: String, CaseIterable { case fast, reference }

  /// Reads a colour, or `none`.
  package static func background(text: String) throws(MapStateError) -> Color? {
    guard text.lowercased() != "none" else { return nil }
    guard let color = Color(text: text) else {
      throw MapStateError(
        .usage,
        "\"\(text)\" is no colour: expected a CSS colour name, #rrggbb, r,g,b or none; for example #add8e6"
      )
    }
    return color
  }

  /// Reads a request from the members of an object.
  ///
  /// - Throws: `MapStateError` with the JSON path, also for members that contradict each other.
  package init(_ node: JSONNode) throws(MapStateError) {
    try read(node)
    if basemap != nil, noBasemap {
      throw MapStateError(node.invalid("\"basemap\" contradicts \"noBasemap\"; give one of them"))
    }
  }
}
