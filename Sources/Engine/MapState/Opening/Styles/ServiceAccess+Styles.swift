import MapModel
import MapSystem
import MapTiles

#if Services
  import MapServices
#endif

extension ServiceAccess {
  /// Returns the content at an address of a style; nil if the server does not have it.
  ///
  /// - Parameters:
  ///   - other: the address of the style, whose secrets are sent to its own host; nil for none.
  ///   - isGood: whether a body may be kept.
  /// - Throws: ``MapStateError`` of kind service.
  func content(
    at address: String, secretsOf other: String?, isNamedByDocument: Bool, limit: Int,
    isGood: @escaping @Sendable ([UInt8]) -> Bool
  ) async throws(MapStateError) -> [UInt8]? {
    #if Services
      do throws(ServiceError) {
        let (client, url) = try keyedClient(
          for: address, secretsOf: other, isNamedByDocument: isNamedByDocument, keeping: isGood)
        var request = HTTPRequest(get: url)
        request.largestBody = limit
        let response = try await client.response(to: request)
        if CachedTransport.absent.contains(response.status) { return nil }
        guard response.status == 200 else {
          let said = response.explanation.map { ": \($0)" } ?? ""
          throw ServiceError("answered \(response.status)\(said)", at: url)
        }
        return response.body
      } catch { throw MapStateError(error, kind: .service) }
    #else
      throw MapStateError(.input, "\(SourceAddress.shown(address)): this build has no services")
    #endif
  }

  /// Returns a function that reads a file on a server by byte ranges.
  ///
  /// - Throws: ``MapStateError``.
  func parts(
    at address: String, secretsOf other: String?, isNamedByDocument: Bool
  ) throws(MapStateError) -> ServedPMTiles.Read {
    #if Services
      let (client, url): (ServiceClient, String)
      do throws(ServiceError) {
        (client, url) = try keyedClient(
          for: address, secretsOf: other, isNamedByDocument: isNamedByDocument, keeping: { !$0.isEmpty })
      } catch { throw MapStateError(error, kind: .service) }
      return { range, refreshes throws(TileError) in
        do throws(ServiceError) {
          var request = HTTPRequest(get: url)
          (request.range, request.refreshes) = (.bytes(range), refreshes)
          // A redirect or an error may be larger than the part.
          request.largestBody = max(range.count, 1 << 16)
          let part = try await client.response(to: request).part(.bytes(range))
          return FilePart(bytes: part.bytes, size: part.size, version: part.version)
        } catch { throw TileError(error.reason) }
      }
    #else
      throw MapStateError(.input, "\(SourceAddress.shown(address)): this build has no services")
    #endif
  }

  /// Returns a function that fetches the vector tiles at a template.
  ///
  /// - Throws: ``MapStateError``.
  func vectorTiles(
    at template: String, secretsOf other: String?, isNamedByDocument: Bool
  ) throws(MapStateError) -> VectorTiles.FetchAll {
    #if Services
      do {
        // The secrets are taken from the address; the transport adds them to each request in place of their mask.
        let (client, _) = try keyedClient(
          for: try TileTemplate(template).place(of: .world), secretsOf: other,
          isNamedByDocument: isNamedByDocument, keeping: ServedVectorTiles.isTile, shown: template)
        let whole = try TileTemplate(template.withoutKey)
        if let unknown = whole.place(of: .world).firstPlace {
          let near = NearestName.of(unknown, among: Self.places).map { ", did you mean \"{\($0)}\"?" }
          throw TileFileError(
            SourceAddress.shown(template), "has the unknown place {\(unknown)}\(near ?? "")")
        }
        let masked = Self.withoutSecrets(template: whole.text)
        // A secret is bound to one host.
        let places = masked == whole.text ? whole : whole.onOneHost(text: masked)
        return { tiles in
          await TileRequests.results(of: tiles.sorted()) { tile in
            await Self.vectorTile(at: places.place(of: tile), client)
          }
        }
      } catch let error as TileFileError { throw MapStateError(.input, "\(error)", cause: error) } catch {
        throw MapStateError(error, kind: .service)
      }
    #else
      throw MapStateError(.input, "\(SourceAddress.shown(template)): this build has no services")
    #endif
  }

  #if Services
    private static func vectorTile(
      at url: String, _ client: ServiceClient
    ) async -> Result<[UInt8]?, TileError> {
      do throws(TileError) {
        var request = HTTPRequest(get: url)
        request.largestBody = largestTile
        let response: HTTPResponse
        do throws(ServiceError) { response = try await client.response(to: request) } catch {
          throw TileError(error.reason)
        }
        if CachedTransport.absent.contains(response.status) { return .success(nil) }
        guard response.status == 200 else { throw TileError("was answered with status \(response.status)") }
        guard ServedVectorTiles.isTile(response.body) else {
          throw TileError("is HTML or JSON, not a vector tile")
        }
        return .success(try TileArchive.unpacked(response.body))
      } catch { return .failure(error) }
    }

    /// The names of the places in a template.
    private static let places = ["z", "x", "y", "-y", "s", "r", "key", "level", "col", "row", "subDomain"]

    /// The greatest size of a tile in bytes.
    ///
    /// - Source: the limit of tiles in files.
    private static let largestTile = 32 << 20

    /// Returns a client for an address of a style, and the address without secrets.
    ///
    /// A parameter with the text `{key}` is left out: the key is that in the address of a style on the same host, or in the
    /// credentials of the host.
    ///
    /// - Parameter shown: the address in messages; nil for the address itself.
    private func keyedClient(
      for address: String, secretsOf other: String?, isNamedByDocument: Bool,
      keeping: (@Sendable ([UInt8]) -> Bool)?, shown: String? = nil
    ) throws(ServiceError) -> (client: ServiceClient, url: String) {
      let url = address.withoutKey
      let (client, clean, hasSecret) = try client(
        for: url, secretsOf: other, isNamedByDocument: isNamedByDocument, keeping: keeping)
      guard !address.hasKey || hasSecret || isOffline else {
        throw ServiceError(
          "has the place {key}, and no key is given; list one for \(try WebAddress(url).origin) in the file that "
            + "MAPSTATE_CREDENTIALS names", at: shown ?? url, kind: .refused)
      }
      return (client, clean)
    }
  #endif
}

extension TileIndex {
  /// The tile of zoom 0.
  fileprivate static let world = TileIndex(zoom: 0, column: 0, row: 0)
}

extension String {
  /// Whether an address has the text `{key}`, in the place of a key.
  fileprivate var hasKey: Bool { contains("{key}") }

  /// The text in the first braces; nil without braces.
  fileprivate var firstPlace: String? {
    guard let start = firstIndex(of: "{"), let end = self[start...].firstIndex(of: "}") else { return nil }
    return String(self[index(after: start)..<end])
  }

  /// The address without the parameters whose value is `{key}`.
  fileprivate var withoutKey: String {
    guard hasKey, let mark = firstIndex(of: "?") else { return self }
    let kept = self[index(after: mark)...].split(separator: "&").filter { !$0.hasSuffix("={key}") }
    return String(self[..<mark]) + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
  }
}
