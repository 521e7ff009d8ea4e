import MapGeometry
import MapImages
import MapJSON
import MapModel
import MapStyles
import MapSystem
import MapTiles

/// The opening of a style's source.
struct StyleSourceOpening {
  let source: StyleSource
  /// The files of the style.
  let files: StyleFiles
  /// The archive that the user puts in the place of the source's address; nil for none.
  let given: String?
  /// The names of the layers of vector tiles that the style shows.
  let layers: Set<String>

  /// Returns the content of the source, and its attribution text; empty for none.
  ///
  /// - Throws: ``MapStateError`` with the reason why it cannot be had.
  func opened() async throws(MapStateError) -> (content: MapStyle.Source, attribution: String) {
    let stated = source.attribution.map(TileMetadata.plain)
    switch source.type {
    case .vector:
      let tiles = try await vectorTiles()
      return (.tiles(tiles), stated ?? tiles.attribution)
    case .raster, .rasterDEM:
      switch try await place() {
      case .local(let place):
        let tiles = try images(at: place)
        return (.images(tiles), stated ?? place.attribution ?? tiles.attribution)
      case .served(let served):
        let tiles = try await images(of: served)
        return (.images(tiles), stated ?? tiles.attribution)
      }
    case .geojson:
      let (json, path) = try await features()
      return (.features(try StyleFeatureReader(source).source(of: json, place: path)), stated ?? "")
    case .image: return (.image(try await image()), stated ?? "")
    case .video: throw MapStateError(.input, "sources of the type 'video' are not drawn")
    }
  }

  // MARK: Tiles

  private func vectorTiles() async throws(MapStateError) -> any StyleTileSource {
    switch try await place() {
    case .local(let place): try vectorTiles(at: place)
    case .served(let served): try await vectorTiles(of: served)
    }
  }

  private func vectorTiles(at place: Place) throws(MapStateError) -> any StyleTileSource {
    let archive: TileArchive
    do { archive = try TileArchive(place.path, in: place.folders) } catch {
      throw MapStateError(.input, "\(error)", cause: error)
    }
    try Self.checkVector(archive.format, archive.path)
    let named = [archive.metadata, place.description].compactMap { $0?.vectorLayers }.first { !$0.isEmpty }
    return VectorTiles(
      place: archive.path, zooms: try zooms(archive.zooms, place.zooms, archive.path),
      extent: bounds ?? place.description?.extent ?? archive.metadata.extent,
      attribution: place.attribution ?? archive.metadata.attribution, layers: layers,
      layerNames: named?.map(\.name), fields: (named ?? []).fieldNames, takesAncestors: archive.takesAncestors
    ) { tile throws(TileError) in try archive.bytes(at: tile) }
  }

  /// Refuses tiles of another format than Mapbox Vector Tiles.
  ///
  /// - Throws: ``MapStateError``.
  static func checkVector(_ format: TileArchive.Format?, _ place: String) throws(MapStateError) {
    switch format {
    case .vector?: break
    case .image?: throw MapStateError(.input, "\(place): its tiles are images, not vector tiles")
    case .mapLibreTile?:
      throw MapStateError(.input, "\(place): its tiles are MapLibre Tiles (MLT), which are not read")
    case nil: throw MapStateError(.input, "\(place): does not state the format of its tiles")
    }
  }

  /// Returns the images of the levels and of the extent that the style, or else TileJSON, states.
  private func images(at place: Place) throws(MapStateError) -> any TileSource {
    let tiles: DecodedTiles
    do { tiles = try TileFile.open(place.path, in: place.folders) } catch {
      throw MapStateError(.input, "\(error)", cause: error)
    }
    let levels = tiles.scheme.levels.map(\.zoom)
    let zooms = try zooms((levels.min() ?? 0)...(levels.max() ?? 0), place.zooms, place.path)
    guard let part = PartialTiles(tiles, zooms: zooms, extent: bounds ?? place.description?.extent) else {
      throw MapStateError(.input, "\(place.path): has no tiles in the bounds of the source")
    }
    return part
  }

  /// Returns the levels of the source: those with tiles that the style, or else TileJSON, does not exclude.
  ///
  /// - Throws: ``MapStateError`` if all are excluded.
  func zooms(
    _ own: ClosedRange<Int>, _ stated: (least: Double?, greatest: Double?), _ path: String
  ) throws(MapStateError) -> ClosedRange<Int> {
    let least = source.minzoom ?? stated.least ?? 0
    let greatest = source.maxzoom ?? stated.greatest ?? 30
    let first = max(own.lowerBound, Int(clamping: least.rounded(.up)))
    let last = min(own.upperBound, Int(clamping: greatest.rounded(.down)))
    guard first <= last else {
      throw MapStateError(
        .input,
        "\(path): has tiles of zoom \(own.lowerBound) to \(own.upperBound), which 'minzoom' and 'maxzoom' exclude"
      )
    }
    return first...last
  }

  /// The bounds that the style states, in Web Mercator; nil for none.
  var bounds: Envelope? { source.bounds.flatMap { TileMetadata.extent($0) } }

  /// The place of tiles: an archive, a folder, or a template of files.
  private struct Place {
    let path: String
    /// The folders that tiles in files may be in; nil for tiles that the user names.
    var folders: AllowedFolders?
    /// The description of a TileJSON file; nil without one.
    var description: TileMetadata?
    /// The least and the greatest level of a TileJSON file; nil where it states none.
    var zooms: (least: Double?, greatest: Double?) = (nil, nil)

    /// The attribution text of a TileJSON file; nil for none.
    var attribution: String? { description.flatMap { $0.attribution.isEmpty ? nil : $0.attribution } }
  }

  /// The place of tiles, on this machine or on a server.
  private enum Found {
    case local(Place)
    case served(ServedPlace)
  }

  /// Returns the place of the tiles.
  private func place() async throws(MapStateError) -> Found {
    if let given { return .local(Place(path: given)) }
    if let place = try packageTiles() { return .local(place) }
    if let url = source.url { return try await place(of: url) }
    guard let template = source.tiles.first else {
      throw MapStateError(.input, "has neither 'url' nor 'tiles'")
    }
    let isArchive = template.hasPrefix("pmtiles://") && template.hasSuffix("/{z}/{x}/{y}")
    let archive = isArchive ? String(template.dropLast("/{z}/{x}/{y}".count)) : template
    return try await place(of: source.isTMS ? archive.replacing("{y}", with: "{-y}") : archive)
  }

  /// Returns the place of a package's tiles; nil for other styles, and for tiles with a stand-in.
  private func packageTiles() throws(MapStateError) -> Place? {
    guard source.type == .vector, let package = files.catalog.stylePackage else { return nil }
    let address = source.url ?? source.tiles.first ?? ""
    let isWeb = SourceAddress.scheme(of: address) != nil
    if isWeb, try files.catalog.standIn(for: address) != nil { return nil }
    if let path = package.tiles {
      guard package.folders?.contains(path, allowsFolders: true) ?? true else {
        throw MapStateError(.input, "\(path): \(AllowedFolders.refusal)")
      }
      return Place(path: path, folders: package.folders)
    }
    guard isWeb else { throw MapStateError(.input, "\(package.path): has no tiles") }
    return nil
  }

  /// Returns the place of tiles at an archive, a template, or the address of a description.
  private func place(of url: String) async throws(MapStateError) -> Found {
    switch try files.place.target(url) {
    case .file(let path):
      let path = try local(path)
      guard FilePath.pathExtension(of: path) == "json" else {
        return .local(Place(path: path, folders: files.catalog.folders(of: files.place.folder)))
      }
      return try await place(inTileJSON: path)
    case .web(let address):
      switch try files.catalog.standIn(for: address) {
      case .file(let path)?:
        guard FilePath.pathExtension(of: path) == "json" else { return .local(Place(path: path)) }
        return try await place(inTileJSON: path)
      case .service(let other)?: return .served(ServedPlace(address: other, isNamedByPerson: true))
      case .source?:
        throw MapStateError(.input, "\(SourceAddress.shown(address)): its stand-in has features, not tiles")
      case nil: break
      }
      guard !url.hasPrefix("mbtiles://"),
        FilePath.pathExtension(of: SourceAddress.shown(address)) != "mbtiles"
      else {
        throw MapStateError(
          .input,
          "\(SourceAddress.shown(address)): MBTiles are read from files, not from a server; --tiles \(source.name)=FILE "
            + "names a local copy, and PMTiles can stay on a server")
      }
      guard files.asksServers else {
        throw MapStateError(
          .service,
          "\(SourceAddress.shown(address)): tiles are fetched only with --online; or --tiles \(source.name)=FILE puts a "
            + "local archive in its place")
      }
      return .served(ServedPlace(address: address, isNamedByPerson: files.place.isNamedByPerson(address)))
    }
  }

  /// Returns the template in a TileJSON file, and its description.
  private func place(inTileJSON path: String) async throws(MapStateError) -> Found {
    let json: JSONValue
    do { json = try JSONValue(parsing: FileAccess.read(path)) } catch {
      throw MapStateError(.input, error is FileError ? "\(error)" : "\(path): \(error)")
    }
    guard let written = json["tiles"]?.array?.first?.string else {
      throw MapStateError(.input, "\(path): is no TileJSON: it has no \"tiles\"")
    }
    let template = json["scheme"]?.string == "tms" ? written.replacing("{y}", with: "{-y}") : written
    let zooms = (json["minzoom"]?.double, json["maxzoom"]?.double)
    let folder = FilePath.folder(of: path)
    switch try StylePlace(folder: folder).target(template) {
    case .file(let tiles):
      return .local(
        Place(
          path: try local(tiles, in: folder), folders: files.catalog.folders(of: folder),
          description: TileMetadata(json), zooms: zooms))
    case .web:
      guard case .served(var served) = try await place(of: template) else {
        return try await place(of: template)
      }
      (served.description, served.zooms) = (TileMetadata(json), zooms)
      return .served(served)
    }
  }

  /// Returns the path on this machine that a path of the style names.
  private func local(_ path: String, in folder: String? = nil) throws(MapStateError) -> String {
    let (folder, catalog) = (folder ?? files.place.folder, files.catalog)
    // Only the part before the numbers is one path.
    let fixed = path.prefix { $0 != "{" }
    guard fixed.count < path.count else {
      return try catalog.path(of: path, documentFolder: folder, allowsFolders: true)
    }
    guard !path.split(separator: "/").contains("..") else {
      throw MapStateError(.input, "\(path): has \"..\" in a template")
    }
    let start = FilePath.folder(of: fixed + "x")
    let root = try catalog.path(of: start, documentFolder: folder, allowsFolders: true)
    return FilePath.join(root, start == "." ? path : String(path.dropFirst(start.count + 1)))
  }

  // MARK: Images

  private func image() async throws(MapStateError) -> StyleImageSource {
    let corners = source.members["coordinates"]?.array?.compactMap { corner -> (Double, Double)? in
      guard let numbers = corner.array?.compactMap(\.double), numbers.count == 2 else { return nil }
      return (numbers[0], numbers[1])
    }
    guard let corners, corners.count == 4 else {
      throw MapStateError(.input, "has no 'coordinates' of four corners in degrees")
    }
    guard let url = source.url else { throw MapStateError(.input, "has no 'url'") }
    let place = shown(url)
    guard let bytes = try await files.bytes(at: url, .image) else {
      throw MapStateError(.input, "\(place): does not exist")
    }
    do {
      let photograph = try TileDecoder.photograph(bytes, maximumPixels: Bitmap.maximumPixels)
      return StyleImageSource(
        place: place, bitmap: try photograph ?? Bitmap(pngData: bytes),
        corners: corners.map { (longitude: $0.0, latitude: $0.1) })
    } catch { throw MapStateError(.input, "\(place): \(error)") }
  }

  // MARK: GeoJSON

  /// Returns the GeoJSON of the source, and its path; nil for GeoJSON within the style.
  private func features() async throws(MapStateError) -> (json: JSONValue, path: String?) {
    if let data = source.data { return (data, nil) }
    guard let url = source.url else { throw MapStateError(.input, "has no data") }
    return (try await files.features(at: url), shown(url))
  }

  /// Returns the path or the address that an address of the style names, for messages and for the list of files.
  private func shown(_ url: String) -> String {
    switch try? files.place.target(url) {
    case .file(let path)?: FilePath.join(files.place.folder, path)
    case .web(let address)?: SourceAddress.shown(address)
    case nil: url
    }
  }
}
