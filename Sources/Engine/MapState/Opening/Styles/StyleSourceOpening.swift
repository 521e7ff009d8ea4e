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
  /// The folder of the style, for relative paths.
  let folder: String
  /// The archive that the user puts in the place of the source's address; nil for none.
  let given: String?
  let catalog: SourceCatalog
  /// The names of the layers of vector tiles that the style shows.
  let layers: Set<String>

  /// Returns the content of the source, and its attribution text; empty for none.
  ///
  /// - Throws: ``MapStateError`` with the reason why it cannot be had.
  func opened() throws(MapStateError) -> (content: MapStyle.Source, attribution: String) {
    let stated = source.attribution.map(TileMetadata.plain)
    switch source.type {
    case .vector:
      let tiles = try vectorTiles()
      return (.tiles(tiles), stated ?? tiles.attribution)
    case .raster, .rasterDEM:
      let place = try place()
      let tiles = try images(at: place)
      return (.images(tiles), stated ?? place.attribution ?? tiles.attribution)
    case .geojson:
      let (json, path) = try features()
      return (.features(try StyleFeatureReader(source).source(of: json, place: path)), stated ?? "")
    case .image: return (.image(try image()), stated ?? "")
    case .video: throw MapStateError(.input, "sources of the type 'video' are not drawn")
    }
  }

  // MARK: Tiles

  private func vectorTiles() throws(MapStateError) -> any StyleTileSource {
    let place = try place()
    let archive: TileArchive
    do { archive = try TileArchive(place.path, in: place.folders) } catch {
      throw MapStateError(.input, "\(error)", cause: error)
    }
    switch archive.format {
    case .vector: break
    case .image: throw MapStateError(.input, "\(archive.path): its tiles are images, not vector tiles")
    case .mapLibreTile:
      throw MapStateError(.input, "\(archive.path): its tiles are MapLibre Tiles (MLT), which are not read")
    }
    let named = [archive.metadata, place.description].compactMap { $0?.vectorLayers }.first { !$0.isEmpty }
    return VectorTiles(
      place: archive.path, zooms: try zooms(archive.zooms, place),
      extent: bounds ?? place.description?.extent ?? archive.metadata.extent,
      attribution: place.attribution ?? archive.metadata.attribution, layers: layers,
      layerNames: named?.map(\.name),
      // A layer without fields in its description may have fields that were left out.
      fields: Dictionary(
        (named ?? []).filter { !$0.fieldNames.isEmpty }.map { ($0.name, $0.fieldNames) },
        uniquingKeysWith: { first, _ in first })
    ) { tile throws(TileError) in try archive.bytes(at: tile) }
  }

  /// Returns the images of the levels and of the extent that the style, or else TileJSON, states.
  private func images(at place: Place) throws(MapStateError) -> any TileSource {
    let tiles: DecodedTiles
    do { tiles = try TileFile.open(place.path, in: place.folders) } catch {
      throw MapStateError(.input, "\(error)", cause: error)
    }
    let levels = tiles.scheme.levels.map(\.zoom)
    let zooms = try zooms((levels.min() ?? 0)...(levels.max() ?? 0), place)
    guard let part = PartialTiles(tiles, zooms: zooms, extent: bounds ?? place.description?.extent) else {
      throw MapStateError(.input, "\(place.path): has no tiles in the bounds of the source")
    }
    return part
  }

  /// Returns the levels of the source: those with tiles that the style, or else TileJSON, does not exclude.
  ///
  /// - Throws: ``MapStateError`` if all are excluded.
  private func zooms(_ own: ClosedRange<Int>, _ place: Place) throws(MapStateError) -> ClosedRange<Int> {
    let least = source.minzoom ?? place.zooms.least ?? 0
    let greatest = source.maxzoom ?? place.zooms.greatest ?? 30
    let first = max(own.lowerBound, Int(clamping: least.rounded(.up)))
    let last = min(own.upperBound, Int(clamping: greatest.rounded(.down)))
    guard first <= last else {
      throw MapStateError(
        .input,
        "\(place.path): has tiles of zoom \(own.lowerBound) to \(own.upperBound), which 'minzoom' and 'maxzoom' exclude"
      )
    }
    return first...last
  }

  /// The bounds that the style states, in Web Mercator; nil for none.
  private var bounds: Envelope? { source.bounds.flatMap { TileMetadata.extent($0) } }

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

  /// Returns the place of the tiles.
  private func place() throws(MapStateError) -> Place {
    if let given { return Place(path: given) }
    if let url = source.url {
      let path = try local(url)
      guard FilePath.pathExtension(of: path) == "json" else {
        return Place(path: path, folders: catalog.folders(of: folder))
      }
      return try place(inTileJSON: path)
    }
    guard let template = source.tiles.first else {
      throw MapStateError(.input, "has neither 'url' nor 'tiles'")
    }
    return Place(
      path: try local(source.isTMS ? template.replacing("{y}", with: "{-y}") : template),
      folders: catalog.folders(of: folder))
  }

  /// Returns the template in a TileJSON file, and its description.
  private func place(inTileJSON path: String) throws(MapStateError) -> Place {
    let json: JSONValue
    do { json = try JSONValue(parsing: FileAccess.read(path)) } catch {
      throw MapStateError(.input, error is FileError ? "\(error)" : "\(path): \(error)")
    }
    guard let template = json["tiles"]?.array?.first?.string else {
      throw MapStateError(.input, "\(path): is no TileJSON: it has no \"tiles\"")
    }
    let isTMS = json["scheme"]?.string == "tms"
    let tiles = try local(
      isTMS ? template.replacing("{y}", with: "{-y}") : template, in: FilePath.folder(of: path))
    return Place(
      path: tiles, folders: catalog.folders(of: FilePath.folder(of: path)), description: TileMetadata(json),
      zooms: (json["minzoom"]?.double, json["maxzoom"]?.double))
  }

  /// Returns the path that an address of the style names.
  private func local(_ address: String, in folder: String? = nil) throws(MapStateError) -> String {
    let folder = folder ?? self.folder
    var path = address
    // The prefixes of plugins of MapLibre, before a path or an address.
    for prefix in ["pmtiles://", "mbtiles://", "file://"] where path.hasPrefix(prefix) {
      path = String(path.dropFirst(prefix.count))
    }
    if SourceAddress.scheme(of: path) != nil {
      let shown = SourceAddress.shown(address)
      switch source.type {
      case .vector, .raster, .rasterDEM:
        throw MapStateError(
          .input,
          "\(shown): styles read tiles from files only; --tiles \(source.name)=FILE puts a local archive in its place"
        )
      case .geojson, .image, .video:
        throw MapStateError(
          .input, "\(shown): styles read files only; put the file beside the style, and name it in the style")
      }
    }
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

  private func image() throws(MapStateError) -> StyleImageSource {
    let corners = source.members["coordinates"]?.array?.compactMap { corner -> (Double, Double)? in
      guard let numbers = corner.array?.compactMap(\.double), numbers.count == 2 else { return nil }
      return (numbers[0], numbers[1])
    }
    guard let corners, corners.count == 4 else {
      throw MapStateError(.input, "has no 'coordinates' of four corners in degrees")
    }
    guard let url = source.url else { throw MapStateError(.input, "has no 'url'") }
    let path = try local(url)
    do {
      let bytes = try FileAccess.read(path)
      let photograph = try TileDecoder.photograph(bytes, maximumPixels: Bitmap.maximumPixels)
      return StyleImageSource(
        place: path, bitmap: try photograph ?? Bitmap(pngData: bytes),
        corners: corners.map { (longitude: $0.0, latitude: $0.1) })
    } catch { throw MapStateError(.input, error is FileError ? "\(error)" : "\(path): \(error)") }
  }

  // MARK: GeoJSON

  /// Returns the GeoJSON of the source, and its path; nil for GeoJSON within the style.
  private func features() throws(MapStateError) -> (json: JSONValue, path: String?) {
    if let data = source.data { return (data, nil) }
    guard let url = source.url else { throw MapStateError(.input, "has no data") }
    let path = try local(url)
    do { return (try JSONValue(parsing: FileAccess.read(path)), path) } catch {
      throw MapStateError(.input, error is FileError ? "\(error)" : "\(path): \(error)")
    }
  }
}
