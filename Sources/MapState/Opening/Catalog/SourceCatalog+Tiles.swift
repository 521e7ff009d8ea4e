public import FoundationEssentials
import MapGeometry
import MapJSON
public import MapModel
import MapSystem
import MapTiles

#if Services
  import MapServices
#endif

/// A layer of tiles at a template, with the name in the ArcGIS Maps SDK.
public typealias WebTiledLayer = ImageTiledLayer
/// A layer of tiles of an ArcGIS service or a file, with the name in the ArcGIS Maps SDK.
public typealias ArcGISTiledLayer = ImageTiledLayer

extension ImageTiledLayer {
  /// Creates a layer of tiles in a PMTiles or MBTiles file, in a folder `{z}/{x}/{y}.png`, or of an ArcGIS service.
  ///
  /// The tiles of a service are fetched only if ``ServiceAccess/fetchesTiles`` is true.
  public convenience init(url: URL, catalog: SourceCatalog = SourceCatalog()) {
    self.init(tilesAt: url.isFileURL ? url.path : url.absoluteString, catalog: catalog)
  }

  /// Creates a layer of tiles at a template with `{z}`, `{x}` and `{y}`, or `{level}`, `{col}` and `{row}`.
  ///
  /// The template is that of files or addresses. Tiles are fetched only if ``ServiceAccess/fetchesTiles`` is true.
  public convenience init(urlTemplate: String, catalog: SourceCatalog = SourceCatalog()) {
    self.init(tilesAt: urlTemplate, catalog: catalog)
  }

  /// Creates a layer of tiles at a path, template or address that the caller names.
  public convenience init(tilesAt place: String, catalog: SourceCatalog = SourceCatalog()) {
    self.init(place: SourceAddress.shown(place)) {
      try await catalog.tiles(at: place, documentFolder: nil)
    }
  }
}

extension SourceCatalog {
  /// Returns whether the tiles that a document names can be had: from a file, a stand-in, or a service.
  func hasTiles(at place: String) -> Bool {
    SourceAddress.scheme(of: place) == nil || services.fetchesTiles
      || ((try? standIn(for: place)) ?? nil) != nil
  }

  /// Opens the tiles at a path, template or address.
  ///
  /// - Parameters:
  ///   - documentFolder: the folder of the document that names them; nil if the caller does.
  ///   - subdomains: the texts that replace `{subDomain}`.
  /// - Throws: ``MapStateError``.
  func tiles(
    at place: String, documentFolder: String?, subdomains: [String] = []
  ) async throws(MapStateError) -> any TileSource {
    let work = CurrentWork.begin("reading \(SourceAddress.shown(place))")
    defer { CurrentWork.end(work) }
    switch try standIn(for: place) {
    case .file(let path): return try Self.localTiles(path)
    case .service(let other):
      return try await webTiles(at: other, isNamedByDocument: false, subdomains: subdomains)
    case .source:
      throw MapStateError(.input, "\(SourceAddress.shown(place)): its stand-in has features, not tiles")
    case nil: break
    }
    if let scheme = SourceAddress.scheme(of: place) {
      guard scheme == "http" || scheme == "https" else {
        throw MapStateError(
          .input,
          "\(SourceAddress.shown(place)): the scheme \"\(scheme)\" is not supported; use a file path, http or https"
        )
      }
      return try await webTiles(
        at: place, isNamedByDocument: documentFolder != nil, subdomains: subdomains)
    }
    guard let documentFolder else { return try Self.localTiles(place) }
    // Only the part before the numbers is one path.
    let fixed = place.prefix { $0 != "{" }
    let folder = fixed.count == place.count ? place : FilePath.folder(of: fixed + "x")
    let path = try self.path(of: folder, documentFolder: documentFolder, allowsFolders: true)
    guard !place.split(separator: "/").contains("..") || fixed.count == place.count else {
      throw MapStateError(.input, "\(place): has \"..\" in a template")
    }
    let rest = place.dropFirst(folder == "." ? 0 : folder.count)
    return try Self.localTiles(folder == "." ? FilePath.join(path, String(rest)) : path + rest)
  }

  private static func localTiles(_ place: String) throws(MapStateError) -> any TileSource {
    do { return try TileFile.open(place) } catch { throw MapStateError(.input, "\(error)", cause: error) }
  }

  private func webTiles(
    at address: String, isNamedByDocument: Bool, subdomains: [String]
  ) async throws(MapStateError) -> any TileSource {
    guard services.fetchesTiles else {
      throw MapStateError(
        .service,
        "\(SourceAddress.shown(address)): tiles are fetched only with --online; or map the address to a file with --services"
      )
    }
    #if Services
      do {
        return try await services.tiles(
          at: address, isNamedByDocument: isNamedByDocument, subdomains: subdomains)
      } catch let error as TileFileError { throw MapStateError(.input, "\(error)", cause: error) } catch {
        throw MapStateError(error, kind: .service)
      }
    #else
      throw MapStateError(.input, "\(SourceAddress.shown(address)): this build has no services")
    #endif
  }
}

#if Services
  extension ServiceAccess {
    /// The statuses of a tile that a server does not have.
    private static let absent: Set<Int> = [204, 404, 410]

    /// Returns the tiles at a template, or of an ArcGIS service.
    fileprivate func tiles(
      at address: String, isNamedByDocument: Bool, subdomains: [String]
    ) async throws -> DecodedTiles {
      if TileTemplate.isTemplate(address) {
        let size = address.contains("@2x") ? 512 : 256
        let scheme = TileScheme.webMercator(zooms: 0...Self.largestWebZoom, tileSize: size)
        return try tiles(
          TileTemplate(address, subdomains: subdomains), scheme, TileMetadata(), isNamedByDocument)
      }
      let (client, url) = try client(for: address, isNamedByDocument: isNamedByDocument)
      let response = try await client.response(to: HTTPRequest(get: url, [("f", "json")]))
      guard response.status == 200, let json = try? JSONValue(parsing: response.body),
        let (scheme, metadata) = ArcGISTiles.scheme(json)
      else {
        throw MapStateError(
          .service, "\(url): is neither a template with {z}, {x} and {y} nor an ArcGIS service with tiles")
      }
      let template = try TileTemplate(url + "/tile/{level}/{row}/{col}")
      return try tiles(template, scheme, metadata, isNamedByDocument)
    }

    /// The largest zoom level of a template, whose own range is unknown.
    ///
    /// - Source: design decision; most servers of street maps end at 19.
    private static let largestWebZoom = 19

    private func tiles(
      _ template: TileTemplate, _ scheme: TileScheme?, _ metadata: TileMetadata, _ isNamedByDocument: Bool
    ) throws -> DecodedTiles {
      guard let scheme else { throw TileFileError(template.text, "has no tile grid that can be drawn") }
      let first = template.place(of: TileIndex(zoom: scheme.levels[0].zoom, column: 0, row: 0))
      let (client, _) = try client(for: first, isNamedByDocument: isNamedByDocument)
      return DecodedTiles(
        scheme, name: metadata.name, place: SourceAddress.shown(template.text),
        attribution: metadata.attribution
      ) { tile throws(TileError) in
        do {
          let response = try await client.response(to: HTTPRequest(get: template.place(of: tile)))
          guard !Self.absent.contains(response.status) else { return nil }
          guard response.status == 200 else { throw TileError("was answered with status \(response.status)") }
          return response.body
        } catch let error as TileError { throw error } catch { throw TileError("\(error)") }
      }
    }
  }
#endif
