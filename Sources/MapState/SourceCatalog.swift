public import MapFeatures
import MapJSON

/// A source that cannot be opened.
public struct SourceError: Error, CustomStringConvertible {
  /// What kind of fault it is, which decides a tool's exit code.
  public enum Kind: Hashable, Sendable {
    /// The input is wrong.
    case input
    /// A service would have to be asked.
    case service
    /// The request is incomplete or impossible.
    case usage
  }

  /// What kind of fault it is.
  public let kind: Kind
  /// One line that names the thing at fault, lower case, no full stop.
  public let description: String
  /// The place in a document; nil where the fault is not in one.
  public let path: String?
  /// The valid name nearest to a wrong one; nil where there is none.
  public let suggestion: String?

  init(_ description: String, kind: Kind = .input, path: String? = nil, suggestion: String? = nil) {
    (self.kind, self.description) = (kind, description)
    (self.path, self.suggestion) = (path, suggestion)
  }

  /// Why an address without a stand-in is not asked.
  static func notAsked(_ kind: String, at address: String) -> SourceError {
    SourceError(
      "\(address): \(kind) are not asked; give a stand-in for this address with --services or MAPSTATE_SERVICES",
      kind: .service)
  }
}

/// From a path or address to a table: which reader reads what.
public struct SourceCatalog: Sendable {
  /// Folders outside a document's own that its layers may name.
  ///
  /// - Source: `--allow-path`.
  public var allowedFolders: [String]
  /// What answers for services; nil is what the environment names.
  ///
  /// - Source: `--services`.
  public var standIns: StandInCatalog?
  /// How services are asked that nothing stands in for.
  public var services: ServiceAccess

  /// A catalogue.
  public init(
    allowedFolders: [String] = [], standIns: StandInCatalog? = nil, services: ServiceAccess = ServiceAccess()
  ) {
    (self.allowedFolders, self.standIns, self.services) = (allowedFolders, standIns, services)
  }

  /// The table that a document names, its path taken from the document's folder and kept under it; of a file the fields
  /// that are wanted.
  ///
  /// - Throws: ``SourceError``.
  public func open(
    _ url: String, documentFolder: String, fields: FieldSelection = .all
  ) async throws(SourceError) -> any FeatureSource {
    let work = CurrentWork.begin("reading \(Self.shown(url))")
    defer { CurrentWork.end(work) }
    if let scheme = Self.scheme(of: url) {
      try Self.check(scheme, of: url)
      return try await service(at: url, isNamedByDocument: true).source
    }
    let (_, fragment) = Self.split(url, folder: documentFolder)
    let path = try path(of: url, documentFolder: documentFolder)
    return try Self.read(path, fragment: fragment, fields: fields)
  }

  private static func check(_ scheme: String, of url: String) throws(SourceError) {
    guard scheme == "http" || scheme == "https" else {
      throw SourceError("\(shown(url)): the scheme \"\(scheme)\" is not supported; name a file by its path")
    }
  }

  /// The table at an address that the caller names.
  ///
  /// - Throws: ``SourceError``.
  func openNamed(_ url: String) async throws(SourceError) -> any FeatureSource {
    try Self.check(Self.scheme(of: url) ?? "", of: url)
    return try await service(at: url).source
  }

  /// The file that a document names, kept under the document's folder and those that are allowed.
  ///
  /// - Throws: ``SourceError``.
  func path(of url: String, documentFolder: String) throws(SourceError) -> String {
    // The reader of files takes it for standard input, which only who calls may name.
    guard url != "-" else { throw SourceError("-: a document names files, not standard input") }
    guard !url.utf8.contains(0) else {
      throw SourceError("\(url): has a zero byte in its name, which no file has")
    }
    let (path, _) = Self.split(url, folder: documentFolder)
    let full = FilePath.join(documentFolder, path)
    let allowed = ([documentFolder] + allowedFolders).compactMap { FileAccess.realPath($0) }
    // What is not there has no real path: refuse by its text, so that a probe learns nothing of other folders.
    let outside = path.hasPrefix("/") || path.split(separator: "/").contains("..")
    let real = FileAccess.realPath(full)
    let isInside =
      real.map { real in allowed.contains { real.hasPrefix($0 == "/" ? "/" : $0 + "/") } } ?? !outside
    guard isInside else {
      throw SourceError(
        "\(url): leaves the folder of the document; allow its folder with --allow-path to read it")
    }
    // A pipe that nobody writes to would be waited for without end.
    if real != nil, case .other = FileAccess.look(at: full) {
      throw SourceError("\(url): is not a regular file that can be read")
    }
    return full
  }

  /// What stands in for an address; nil for nothing.
  ///
  /// - Throws: ``SourceError`` where the environment's stand-ins cannot be read.
  func standIn(for url: String) throws(SourceError) -> StandInCatalog.Place? {
    let standIns = if let standIns { standIns } else { try StandInCatalog.environment() }
    return standIns.place(of: url)
  }

  /// The table at an address: its stand-in, else what the service there says.
  ///
  /// - Throws: ``SourceError``.
  func service(
    at url: String, isNamedByDocument: Bool = false
  ) async throws(SourceError) -> (source: any FeatureSource, name: String) {
    switch try standIn(for: url) {
    case .source(let source): return (source, StandInCatalog.name(of: url))
    case .file(let path):
      let (file, fragment) = Self.split(path, folder: ".")
      do { return (try Self.read(file, fragment: fragment), fragment ?? FilePath.stem(of: file)) } catch {
        throw SourceError("\(Self.shown(url)): its stand-in \(error)", kind: error.kind)
      }
    // Who names the stand-in names its address.
    case .service(let other): return try await services.table(at: other, isNamedByDocument: false)
    case nil:
      guard !url.contains(PortalItem.path) else { throw SourceError.notAsked("portals", at: Self.shown(url)) }
      return try await services.table(at: url, isNamedByDocument: isNamedByDocument)
    }
  }

  /// The table in a file.
  ///
  /// - Throws: ``SourceError``.
  static func read(
    _ path: String, fragment: String?, fields: FieldSelection = .all
  ) throws(SourceError) -> any FeatureSource {
    if let layer = try vectorLayer(path, fragment: fragment, fields: fields) { return layer.source }
    let bytes: [UInt8]
    do { bytes = try FileAccess.read(path) } catch { throw SourceError("\(error)") }
    return try table(bytes, path: path, fragment: fragment, fields: fields)
  }

  /// The table in the bytes of a file.
  static func table(
    _ bytes: [UInt8], path: String, fragment: String?, fields: FieldSelection
  ) throws(SourceError) -> any FeatureSource {
    if let fragment, fragment != FilePath.stem(of: path) {
      throw SourceError(
        "\(path): there is no layer \"\(fragment)\"; there is one, \"\(FilePath.stem(of: path))\"")
    }
    guard !bytes.isEmpty else { throw SourceError("\(path): is empty") }
    guard let format = format(of: bytes, path: path) else {
      throw SourceError("\(path): is none of the formats that can be read: \(formats)")
    }
    let table: FeatureColumns
    do {
      table =
        try format == .csv
        ? CSVReader.read(bytes, fields: fields) : GeoJSONReader.read(bytes, fields: fields)
    } catch {
      throw SourceError("\(path): \(error)")
    }
    return try source(table, path: path)
  }

  enum Format { case geoJSON, csv }

  /// The format by the first bytes, else by the extension.
  static func format(of bytes: [UInt8], path: String) -> Format? {
    let blank: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, 0x1E, 0xEF, 0xBB, 0xBF]
    if let first = bytes.first(where: { !blank.contains($0) }),
      first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    {
      return .geoJSON
    }
    guard !bytes.prefix(4096).contains(0) else { return nil }
    return ["csv", "tsv", "txt"].contains(FilePath.pathExtension(of: path)) ? .csv : nil
  }

  /// A source as messages name it: an address goes without its query and password, which may be secrets.
  public static func shown(_ source: String) -> String {
    guard scheme(of: source) != nil, let start = source.firstRange(of: "://")?.upperBound else {
      return source
    }
    let rest = source[start...].prefix { $0 != "?" && $0 != "#" }
    let authority = rest.prefix { $0 != "/" }
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    return String(source[..<start] + host + rest[authority.endIndex...])
  }

  /// The scheme of an address, in lower case; nil for a path.
  static func scheme(of url: String) -> String? {
    guard let end = url.firstRange(of: "://")?.lowerBound else { return nil }
    let scheme = url[..<end]
    return scheme.allSatisfy { $0.isLetter || $0.isNumber || "+-.".contains($0) } ? scheme.lowercased() : nil
  }

  /// A path and the layer that `#` names in it; a file whose own name holds the `#` wins.
  static func split(_ url: String, folder: String) -> (path: String, fragment: String?) {
    guard let hash = url.lastIndex(of: "#"), !FileAccess.exists(FilePath.join(folder, url)) else {
      return (url, nil)
    }
    return (String(url[..<hash]), String(url[url.index(after: hash)...]))
  }
}
