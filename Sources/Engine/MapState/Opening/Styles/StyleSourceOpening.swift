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

  /// Returns the content of the source.
  ///
  /// - Throws: ``MapStateError`` with the reason why it cannot be had.
  func opened() throws(MapStateError) -> MapStyle.Source {
    switch source.type {
    case .vector: return .tiles(try vectorTiles())
    case .raster, .rasterDEM: return .images(try images())
    case .geojson: return .features(try StyleFeatureReader(source).source(of: try features()))
    case .image: return .image(try image())
    case .video: throw MapStateError(.input, "sources of the type 'video' are not drawn")
    }
  }

  // MARK: Tiles

  private func vectorTiles() throws(MapStateError) -> any StyleTileSource {
    let archive = try archive()
    switch archive.format {
    case .vector: break
    case .image: throw MapStateError(.input, "\(archive.path): its tiles are images, not vector tiles")
    case .mapLibreTile:
      throw MapStateError(.input, "\(archive.path): its tiles are MapLibre Tiles (MLT), which are not read")
    }
    return VectorTiles(
      place: archive.path, zooms: zooms(of: archive.zooms), extent: bounds ?? archive.metadata.extent,
      attribution: archive.metadata.attribution, layers: layers
    ) { tile throws(TileError) in try archive.bytes(at: tile) }
  }

  private func images() throws(MapStateError) -> any TileSource {
    let path = try path()
    do { return try TileFile.open(path) } catch { throw MapStateError(.input, "\(error)", cause: error) }
  }

  private func archive() throws(MapStateError) -> TileArchive {
    let path = try path()
    do { return try TileArchive(path) } catch { throw MapStateError(.input, "\(error)", cause: error) }
  }

  /// The levels of the source: those of the archive that the style does not exclude.
  private func zooms(of archive: ClosedRange<Int>) -> ClosedRange<Int> {
    let first = max(archive.lowerBound, Int(clamping: (source.minzoom ?? 0).rounded(.up)))
    let last = min(archive.upperBound, Int(clamping: (source.maxzoom ?? 30).rounded(.down)))
    return first <= last ? first...last : archive
  }

  /// The bounds that the style states, in Web Mercator; nil for none.
  private var bounds: Envelope? { source.bounds.flatMap { TileMetadata.extent($0) } }

  /// Returns the path of the tiles: of an archive or a folder, or a template of files.
  private func path() throws(MapStateError) -> String {
    if let given { return given }
    if let url = source.url {
      let path = try local(url)
      guard FilePath.pathExtension(of: path) == "json" else { return path }
      return try template(inTileJSON: path)
    }
    guard let template = source.tiles.first else {
      throw MapStateError(.input, "has neither 'url' nor 'tiles'")
    }
    return try local(source.isTMS ? template.replacing("{y}", with: "{-y}") : template)
  }

  /// Returns the template in a TileJSON file.
  private func template(inTileJSON path: String) throws(MapStateError) -> String {
    let json: JSONValue
    do { json = try JSONValue(parsing: FileAccess.read(path)) } catch {
      throw MapStateError(.input, error is FileError ? "\(error)" : "\(path): \(error)")
    }
    guard let template = json["tiles"]?.array?.first?.string else {
      throw MapStateError(.input, "\(path): is no TileJSON: it has no \"tiles\"")
    }
    let isTMS = json["scheme"]?.string == "tms"
    return try local(
      isTMS ? template.replacing("{y}", with: "{-y}") : template, in: FilePath.folder(of: path))
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
      throw MapStateError(
        .input,
        "\(SourceAddress.shown(address)): styles read tiles from files only; --tiles \(source.name)=FILE puts a local archive in its place"
      )
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

  /// Returns the GeoJSON of the source.
  private func features() throws(MapStateError) -> JSONValue {
    if let data = source.data { return data }
    guard let url = source.url else { throw MapStateError(.input, "has no data") }
    let path = try local(url)
    do { return try JSONValue(parsing: FileAccess.read(path)) } catch {
      throw MapStateError(.input, error is FileError ? "\(error)" : "\(path): \(error)")
    }
  }
}
