import MapJSON
import MapSystem
import MapTiles

/// The files that a style names: beside it, in its package, or on servers.
struct StyleFiles: Sendable {
  /// The content of a file, which decides whether an answer of a server is kept.
  enum Kind: Sendable {
    case json
    /// GeoJSON, which may be large.
    case features
    case image
    case glyphs

    /// The greatest size in bytes.
    ///
    /// - Source: design decision; a glyph file has 256 glyphs, and large ones of Chinese take 300 KB.
    var limit: Int {
      switch self {
      case .json, .image: 64 << 20
      case .features: FileAccess.largestInput
      case .glyphs: 4 << 20
      }
    }

    /// Returns whether the bytes of an answer are of this kind, and not a page of a server.
    func isGood(_ bytes: [UInt8]) -> Bool {
      switch self {
      case .json, .features:
        (try? JSONValue(parsing: bytes)).map { $0.object != nil || $0.array != nil } ?? false
      case .image: TileDecoder.isImage(bytes)
      case .glyphs: ServedVectorTiles.isTile(bytes)
      }
    }
  }

  let place: StylePlace
  let catalog: SourceCatalog

  /// Returns the bytes of a file; nil if there is none.
  ///
  /// - Throws: ``MapStateError``.
  func bytes(at url: String, _ kind: Kind) async throws(MapStateError) -> [UInt8]? {
    if let package = catalog.stylePackage {
      do {
        if let found = try package.resource(at: url, limit: kind.limit) { return found }
      } catch { throw MapStateError(.input, "\(error)", cause: error) }
    }
    switch try place.target(url) {
    case .file where catalog.stylePackage != nil: return nil
    case .file(let path):
      let full = try catalog.path(of: path, documentFolder: place.folder)
      guard FileAccess.exists(full) else { return nil }
      do { return try catalog.folders(of: place.folder).read(full, limit: kind.limit) } catch {
        throw MapStateError(error)
      }
    case .web(let address):
      switch try catalog.standIn(for: address) {
      case .file(let path)?:
        guard FileAccess.exists(path) else { return nil }
        do { return try FileAccess.read(path, limit: kind.limit) } catch { throw MapStateError(error) }
      case .service(let other)?: return try await fetched(other, kind, isNamedByPerson: true)
      case .source?:
        throw MapStateError(.input, "\(SourceAddress.shown(address)): its stand-in has features")
      case nil:
        return try await fetched(address, kind, isNamedByPerson: place.isNamedByPerson(address))
      }
    }
  }

  /// Returns the GeoJSON in a file.
  ///
  /// - Throws: ``MapStateError``, also for a file that does not exist.
  func features(at url: String) async throws(MapStateError) -> JSONValue {
    let shown = SourceAddress.shown(url)
    guard let bytes = try await bytes(at: url, .features) else {
      throw MapStateError(.input, "\(shown): does not exist")
    }
    do { return try JSONValue(parsing: bytes) } catch { throw MapStateError(.input, "\(shown): \(error)") }
  }

  private func fetched(
    _ address: String, _ kind: Kind, isNamedByPerson: Bool
  ) async throws(MapStateError) -> [UInt8]? {
    try checkAccess(to: address)
    let bytes = try await catalog.services.content(
      at: address, secretsOf: place.address, isNamedByDocument: !isNamedByPerson, limit: kind.limit
    ) { kind.isGood($0) }
    // Some servers answer so in place of a file that they do not have.
    guard bytes?.first(where: { $0 > 0x20 }) != UInt8(ascii: "<") else {
      throw MapStateError(
        .service, "\(SourceAddress.shown(address)): is HTML or XML, not a file of the style")
    }
    return bytes
  }

  /// Whether addresses are asked for.
  var asksServers: Bool { catalog.services.fetchesTiles || catalog.services.isOffline }

  /// Refuses an address without `--online`.
  ///
  /// - Throws: ``MapStateError``.
  func checkAccess(to address: String) throws(MapStateError) {
    guard asksServers else {
      throw MapStateError(
        .service,
        "\(SourceAddress.shown(address)): is fetched only with --online; or map the address to a file with --services"
      )
    }
  }
}
