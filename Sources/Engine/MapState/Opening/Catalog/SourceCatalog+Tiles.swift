public import FoundationEssentials
import MapGeometry
import MapJSON
public import MapModel
import MapSystem
import MapTiles

#if Services
  import MapServices
#endif

#if Geospatial
  import MapGeospatial
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
    SourceAddress.scheme(of: place) == nil || services.fetchesTiles || services.isOffline
      || ((try? standIn(for: place)) ?? nil) != nil
  }

  /// Opens the tiles at a path, template or address.
  ///
  /// - Parameters:
  ///   - documentFolder: the folder of the document that names them; nil if the caller does.
  ///   - subdomains: the texts that replace `{subDomain}`.
  ///   - grid: the members of the layer; `tileInfo` and `fullExtent` describe the grid of a template.
  /// - Throws: ``MapStateError``.
  func tiles(
    at place: String, documentFolder: String?, subdomains: [String] = [], grid: JSONValue? = nil
  ) async throws(MapStateError) -> any TileSource {
    let work = CurrentWork.begin("reading \(SourceAddress.shown(place))")
    defer { CurrentWork.end(work) }
    switch try standIn(for: place) {
    case .file(let path): return try Self.localTiles(path)
    case .service(let other):
      return try await webTiles(at: other, isNamedByDocument: false, subdomains: subdomains, grid: grid)
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
        at: place, isNamedByDocument: documentFolder != nil, subdomains: subdomains, grid: grid)
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
    return try Self.localTiles(
      folder == "." ? FilePath.join(path, String(rest)) : path + rest, in: folders(of: documentFolder))
  }

  private static func localTiles(
    _ place: String, in folders: AllowedFolders? = nil
  ) throws(MapStateError) -> any TileSource {
    do { return try TileFile.open(place, in: folders) } catch {
      throw MapStateError(.input, "\(error)", cause: error)
    }
  }

  /// Opens the tiles at a template, or those that a server describes.
  ///
  /// - Parameter other: an address whose secrets are sent to its own host, too; nil for none.
  /// - Throws: ``MapStateError``, also where no tiles may be fetched.
  func webTiles(
    at address: String, isNamedByDocument: Bool, subdomains: [String], grid: JSONValue?,
    secretsOf other: String? = nil
  ) async throws(MapStateError) -> any TileSource {
    guard services.fetchesTiles || services.isOffline else {
      throw MapStateError(
        .service,
        "\(SourceAddress.shown(address)): tiles are fetched only with --online; or map the address to a file with --services"
      )
    }
    #if Services
      do {
        return try await services.tiles(
          at: address, secretsOf: other, isNamedByDocument: isNamedByDocument, subdomains: subdomains,
          grid: grid)
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
    /// Returns the tiles at a template, or those that a server describes: of an ArcGIS service, TileJSON or WMTS.
    ///
    /// - Parameter address: the template, or the address of the description; `#` and the name of a layer of WMTS may
    ///   follow.
    fileprivate func tiles(
      at address: String, secretsOf other: String?, isNamedByDocument: Bool, subdomains: [String],
      grid: JSONValue?
    ) async throws -> any TileSource {
      if let grid, let service = try ImageService(grid, at: address, definition: Self.definition(of:)) {
        return try images(service, other, isNamedByDocument)
      }
      if TileTemplate.isTemplate(address) {
        let custom = [grid, grid?["wmtsInfo"]].flatMap { ImageService.custom($0 ?? .null) }
        let template = TileTemplate.adding(custom, to: address)
        return try tiles(
          ServedTiles(template: template, subdomains: subdomains, grid: grid), secrets: template, other,
          isNamedByDocument)
      }
      let parts = address.split(separator: "#", maxSplits: 1).map { String($0) }
      let (client, url, _) = try client(
        for: parts.first ?? "", secretsOf: other, isNamedByDocument: isNamedByDocument,
        keeping: ServedTiles.isDescription)
      let path = url.prefix { $0 != "?" }.lowercased()
      let isArcGIS = path.hasSuffix("/mapserver") || path.hasSuffix("/imageserver")
      let response = try await client.response(to: HTTPRequest(get: url, isArcGIS ? [("f", "json")] : []))
      guard response.status == 200 else {
        throw ServiceError("answered \(response.status)", at: url)
      }
      let served = try ServedTiles.read(
        response.body, at: url, layer: parts.count > 1 ? parts[1] : nil, written: grid,
        operations: .installed)
      // Only a person may name a private server, and an answer is not a person.
      let isSame = try WebAddress(served.template.text).origin == WebAddress(url).origin
      return try tiles(served, secrets: parts[0], other, isNamedByDocument || !isSame)
    }

    /// Returns the definition of a spatial reference in PROJJSON; nil for an unknown one, and without PROJ.
    private static func definition(of reference: SpatialReference) -> String? {
      #if Geospatial
        DefinedReference.projJSON(of: reference)
      #else
        nil
      #endif
    }

    /// Returns the images of a service, which are asked for each view.
    ///
    /// - Parameter other: an address whose secrets are sent to its own host, too; nil for none.
    private func images(
      _ service: ImageService, _ other: String?, _ isNamedByDocument: Bool
    ) throws -> ServiceImages {
      let (client, url, _) = try client(
        for: service.address, secretsOf: other, isNamedByDocument: isNamedByDocument,
        keeping: TileDecoder.isImage, keptFor: Self.imageAge)
      return try ServiceImages(service, place: SourceAddress.shown(service.address)) {
        parameters throws(TileError) in
        var request = HTTPRequest(get: url, parameters)
        if request.url.utf8.count > Self.longestAddress { request = HTTPRequest(post: url, parameters) }
        do throws(ServiceError) {
          let response = try await client.response(to: request)
          return (response.status, response.body)
        } catch { throw TileError("cannot be had: \(error.reason)") }
      }
    }

    /// The time in seconds that the image of a service is used without another statement of the server.
    ///
    /// - Source: design decision; unlike tiles, such images are drawn from data that change.
    private static let imageAge = 3600
    /// The length of addresses beyond which parameters are sent as a form.
    ///
    /// - Source: ArcGIS servers refuse addresses of 8,000 characters or fewer.
    private static let longestAddress = 6000

    /// Returns tiles that are fetched.
    ///
    /// - Parameters:
    ///   - secrets: the address in which the caller gave secrets.
    ///   - other: another such address; nil for none.
    private func tiles(
      _ served: ServedTiles, secrets: String, _ other: String?, _ isNamedByDocument: Bool
    ) throws -> DecodedTiles {
      let text = served.template.text
      let first =
        TileTemplate.isTemplate(secrets)
        ? served.template.place(of: TileIndex(zoom: 0, column: 0, row: 0)) : secrets
      // The secrets are taken from the address; the transport adds them to each request in place of their mask.
      let (client, _, _) = try client(
        for: first, secretsOf: other, isNamedByDocument: isNamedByDocument, keeping: TileDecoder.isImage)
      // A secret is bound to one host.
      let masked = Self.withoutSecrets(template: text)
      let template = masked == text ? served.template : served.template.onOneHost(text: masked)
      return DecodedTiles(
        served.scheme, name: served.metadata.name, place: SourceAddress.shown(text),
        attribution: served.metadata.attribution, mostFailures: TileRequests.mostFailures
      ) { tile throws(TileError) in
        let response: HTTPResponse
        do throws(ServiceError) {
          response = try await client.response(to: HTTPRequest(get: template.place(of: tile)))
        } catch { throw TileError(error.reason) }
        switch response.status {
        case 200: return response.body
        case let status where CachedTransport.absent.contains(status): return nil
        // OGC 07-057r7, table 26: the server has no tile there.
        case 400 where String(decoding: response.body.prefix(2000), as: UTF8.self).contains("TileOutOfRange"):
          return nil
        case let status: throw TileError("was answered with status \(status)")
        }
      }
    }

    /// Returns a template whose secrets are masked.
    static func withoutSecrets(template: String) -> String {
      guard let mark = template.firstIndex(of: "?") else { return template }
      let query = String(template[template.index(after: mark)...])
      return template[...mark] + SecretNames.redacting(query).text
    }
  }
#endif
