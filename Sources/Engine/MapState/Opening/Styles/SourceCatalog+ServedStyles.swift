import MapDocuments
import MapJSON
import MapModel
import MapStyles
import MapSystem
import MapTiles

extension SourceCatalog {
  /// A style at an address, with its name in messages and the place at which its relative addresses start.
  struct ServedStyle {
    let json: JSONValue
    let name: String
    let place: StylePlace
  }

  /// The greatest size of a style in bytes.
  private static let styleBytes = 64 << 20

  /// Reads the style at an address, or its stand-in; nil for an address or an answer of another kind.
  ///
  /// - Throws: ``MapStateError``, also for the address of a style where none may be fetched.
  func servedStyle(
    at address: String, isNamedByDocument: Bool = false
  ) async throws(MapStateError) -> ServedStyle? {
    guard Self.mayBeStyle(address) else { return nil }
    switch try standIn(for: address) {
    case .file(let path)?:
      return try Self.style(at: path).map {
        ServedStyle(json: $0, name: path, place: StylePlace(folder: FilePath.folder(of: path)))
      }
    case .service(let other)?: return try await servedStyle(at: other)
    case .source?: return nil
    case nil: break
    }
    guard services.fetchesTiles || services.isOffline else {
      // A file of features may have such an address, and is fetched without --online.
      if !isNamedByDocument, Self.namesDataFile(address) { return nil }
      throw Self.styleNotFetched(address)
    }
    let url = Self.styleAddress(address)
    let (shown, limit) = (SourceAddress.shown(url), Self.styleBytes)
    let work = CurrentWork.begin("reading \(shown)")
    defer { CurrentWork.end(work) }
    let bytes = try await services.content(
      at: url, secretsOf: nil, isNamedByDocument: isNamedByDocument, limit: limit,
      isGood: StyleFiles.Kind.json.isGood)
    guard let bytes else { throw MapStateError(.service, "\(shown): does not exist") }
    if bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") {
      throw MapStateError(.service, "\(shown): is HTML or XML, not a style")
    }
    let json = try Self.document(bytes, name: shown)
    guard StyleDocument.isStyle(json), !WebMap.isWebMap(json) else { return nil }
    return ServedStyle(
      json: json, name: shown, place: StylePlace(address: url, isNamedByDocument: isNamedByDocument))
  }

  /// Returns whether the style may be at a web address: at one of JSON, below `styles`, or at an Esri vector tile service.
  private static func mayBeStyle(_ address: String) -> Bool {
    guard ["http", "https"].contains(SourceAddress.scheme(of: address)), !TileTemplate.isTemplate(address)
    else {
      return false
    }
    let path = SourceAddress.shown(address).lowercased()
    let words = path.split(separator: "/").dropFirst(2)
    guard !words.contains(where: { ["featureserver", "mapserver", "collections"].contains($0) }) else {
      return false
    }
    return words.contains("styles") || words.last == "vectortileserver" || isItem(path)
      || FilePath.pathExtension(of: path) == "json"
  }

  /// Returns whether an address is that of an item of a portal.
  private static func isItem(_ address: String) -> Bool {
    guard let end = address.firstRange(of: PortalItemAddress.items)?.upperBound else { return false }
    return address[end...].split(separator: "/").count == 1
  }

  /// Returns the address of the style itself: that of an Esri service or item is a file below it.
  private static func styleAddress(_ address: String) -> String {
    let folder = SourceAddress.folder(address)
    let path = SourceAddress.shown(folder).lowercased()
    let query = folder[folder.prefix { $0 != "?" }.endIndex...]
    let base = folder.prefix { $0 != "?" }
    if path.hasSuffix("/vectortileserver/") || isItem(path) {
      return base + "resources/styles/root.json" + query
    }
    if path.hasSuffix("/resources/styles/") { return base + "root.json" + query }
    return address
  }
}
