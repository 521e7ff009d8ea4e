import MapBasemap
import MapGeometry
import MapImages
import MapJSON
package import MapModel
import MapStyles
import MapSystem

extension SourceCatalog {
  /// Returns the loaded layer of a basemap that draws its style over tiles of streets, and the warnings about it.
  ///
  /// - Parameter documentFolder: the folder of the document that names the tiles; nil for tiles that a person names.
  /// - Throws: ``MapStateError`` for tiles that cannot be read, for an unknown schema, and for a style without streets.
  package func streetLayer(
    _ style: Basemap.Style, over tiles: StreetTiles, documentFolder: String? = nil
  ) async throws(MapStateError) -> (layer: VectorTiledLayer, warnings: [String]) {
    guard StreetStyle.styles.contains(style.drawn) else {
      let names = StreetStyle.styles.map(\.rawValue).joined(separator: ", ")
      throw MapStateError(
        .usage, "the basemap \(style) draws no streets, so it takes no tiles; those that do: \(names)")
    }
    if let language = tiles.language, !language.isLanguage {
      throw MapStateError(.usage, "\"\(language)\" is no language; write its code, such as fi or zh-Hans")
    }
    let files = streetFiles(tiles.place, documentFolder)
    let (source, attribution) = try await streetSource(tiles.place, files, isGiven: documentFolder == nil)
    let name = source.place
    let fields = { source.fieldNames(ofLayer: $0) }
    guard let schema = StreetSchema.of(layers: source.layerNames ?? [], fields: fields) else {
      let known = StreetSchema.all.map(\.name).joined(separator: ", ")
      let layers = source.layerNames.map { $0.sorted().joined(separator: ", ") } ?? "not stated"
      throw MapStateError(
        .input,
        "\(name): its schema is unknown, so no street style fits; known are \(known); its source layers: \(layers); "
          + "--basemap also takes a MapLibre style made for these tiles")
    }
    let document = StreetStyle.document(
      style, over: schema, layers: source.layerNames, language: tiles.language,
      area: Self.area(source.extent), fields: fields)
    let read: StyleDocument
    do throws(StyleDocumentError) { read = try StyleDocument(document ?? .null) } catch {
      throw MapStateError(.input, "\(name): \(error)", cause: error)
    }
    var sources: [String: MapStyle.Source] = [StreetStyle.tiles: .tiles(source)]
    for ground in read.sources where ground.name == StreetStyle.ground {
      let opening = StyleSourceOpening(source: ground, files: files, given: nil, layers: [])
      sources[ground.name] = try await opening.opened().content
    }
    let opened = MapStyle(
      read, place: name, sources: sources, sprites: Self.streetSprites, attribution: attribution,
      missingSources: [:], isBundled: true)
    let layer = VectorTiledLayer(place: name, name: "basemap", streets: tiles) { opened }
    try await layer.load()
    return (layer, languageWarnings(tiles, schema, source))
  }

  /// Returns the files at the place of tiles, which a document or a person names.
  private func streetFiles(_ place: String, _ folder: String?) -> StyleFiles {
    let isServed = ["http", "https"].contains(SourceAddress.scheme(of: place))
    return StyleFiles(
      place: folder.map { StylePlace(folder: $0) }
        ?? (isServed ? StylePlace(address: place, isNamedByDocument: false) : StylePlace(folder: ".")),
      catalog: self)
  }

  /// Opens the tiles with all layers that a street style may draw.
  private func streetSource(
    _ place: String, _ files: StyleFiles, isGiven: Bool
  ) async throws(MapStateError) -> (tiles: any StyleTileSource, attribution: String) {
    let probe: StyleDocument
    do throws(StyleDocumentError) {
      probe = try StyleDocument([
        "version": 8, "layers": [], "sources": ["tiles": ["type": "vector", "url": .string(place)]],
      ])
    } catch {
      throw MapStateError(.input, "\(SourceAddress.shown(place)): \(error)", cause: error)
    }
    let isLocal = SourceAddress.scheme(of: place) == nil
    for source in probe.sources {
      let opening = StyleSourceOpening(
        source: source, files: files, given: isGiven && isLocal ? place : nil, layers: StreetSchema.layers)
      let (content, attribution) = try await opening.opened()
      if case .tiles(let tiles) = content { return (tiles, attribution) }
    }
    throw MapStateError(.input, "\(SourceAddress.shown(place)): has no vector tiles")
  }

  /// Returns a warning if the tiles state their fields and none has names in the language.
  private func languageWarnings(
    _ tiles: StreetTiles, _ schema: StreetSchema, _ source: any StyleTileSource
  ) -> [String] {
    guard let language = tiles.language else { return [] }
    let fields = StreetSchema.layers.compactMap { source.fieldNames(ofLayer: $0) }.flatMap(\.self)
    guard !fields.isEmpty, !fields.contains(schema.field(of: language)) else { return [] }
    let known = Set(schema.languages(among: fields)).sorted().joined(separator: ", ")
    return [
      "\(source.place): has no names in the language \"\(language)\"; those in use at each place are drawn; available: "
        + (known.isEmpty ? "none" : known)
    ]
  }

  /// Returns the area of tiles as GeoJSON: a box in degrees, or the world.
  private static func area(_ extent: Envelope?) -> JSONValue {
    let world = Envelope(xMin: -180, yMin: -85.06, xMax: 180, yMax: 85.06, spatialReference: .wgs84)
    let found = extent.flatMap { $0.projected(to: .wgs84) } ?? world
    let box = found.isEmpty ? world : found
    func corner(_ x: Double, _ y: Double) -> JSONValue { .array([.number(x), .number(y)]) }
    let ring = [
      corner(box.xMin, box.yMin), corner(box.xMax, box.yMin), corner(box.xMax, box.yMax),
      corner(box.xMin, box.yMax), corner(box.xMin, box.yMin),
    ]
    return ["type": "Polygon", "coordinates": .array([.array(ring)])]
  }

  /// The images of the street styles.
  private static let streetSprites = StyleSprites(files: []) { _ in
    do {
      let bitmap = try Bitmap(pngData: StreetStyle.images)
      let sprite = StyleSprite(
        prefix: "", index: StreetStyle.imagePlaces, bitmap: bitmap, pixelRatio: StreetStyle.imageRatio)
      return ([sprite], [])
    } catch { return ([], ["\(error)"]) }
  }
}

extension String {
  /// Whether the text may be the code of a language.
  fileprivate var isLanguage: Bool {
    !isEmpty && utf8.count <= 35
      && allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
  }
}
