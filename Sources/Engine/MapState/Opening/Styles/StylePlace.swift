import MapSystem

#if Services
  import MapServices
#endif

/// The place of a style: the folder, or the address, at which its relative addresses start.
struct StylePlace: Sendable {
  /// The file or address that an address of a style names.
  enum Target: Hashable, Sendable {
    /// A path on this machine, relative to the folder of the style.
    case file(String)
    /// A web address, which may have the braces of a template.
    case web(String)
  }

  /// The folder of a style on this machine; "." for a style on a server.
  let folder: String
  /// The address of a style on a server, with its secrets; nil for one on this machine.
  let address: String?
  /// Whether a document, and not a person, names the address.
  let isNamedByDocument: Bool

  /// Creates the place of a style in a folder, which may be the address of a folder that a document names.
  init(folder: String) {
    if SourceAddress.scheme(of: folder) != nil {
      self.init(address: folder.hasSuffix("/") ? folder : folder + "/", isNamedByDocument: true)
    } else {
      self.init(folder, nil, true)
    }
  }

  /// Creates the place of a style at an address.
  init(address: String, isNamedByDocument: Bool) { self.init(".", address, isNamedByDocument) }

  private init(_ folder: String, _ address: String?, _ isNamedByDocument: Bool) {
    (self.folder, self.address, self.isNamedByDocument) = (folder, address, isNamedByDocument)
  }

  /// The prefixes of plugins of MapLibre, before a path or an address.
  private static let prefixes = ["pmtiles://", "mbtiles://"]

  /// Returns what an address of the style names.
  ///
  /// - Throws: ``MapStateError`` for a scheme that is not read, and for a file that a style on a server names.
  func target(_ url: String) throws(MapStateError) -> Target {
    var text = url
    for prefix in Self.prefixes where text.hasPrefix(prefix) { text = String(text.dropFirst(prefix.count)) }
    switch SourceAddress.scheme(of: text) {
    case "http"?, "https"?: return .web(text)
    case "file"?:
      guard address == nil else {
        throw MapStateError(.input, "\(url): a style on a server may not name files on this machine")
      }
      return .file(String(text.dropFirst("file://".count)))
    case let scheme?:
      throw MapStateError(
        .input,
        "\(SourceAddress.shown(url)): the scheme \"\(scheme)\" is not supported; use a path, http, https or pmtiles"
      )
    case nil:
      return try address.map { address throws(MapStateError) in
        .web(try Self.resolved(text, at: address))
      } ?? .file(text)
    }
  }

  /// Returns a relative address resolved against another; braces of templates stay as they are.
  ///
  /// - Throws: ``MapStateError``.
  static func resolved(_ url: String, at address: String) throws(MapStateError) -> String {
    #if Services
      do {
        return try WebAddress(address).resolving(url).description
          .replacing("%7B", with: "{").replacing("%7D", with: "}")
      } catch { throw MapStateError(error, kind: .service) }
    #else
      throw MapStateError(.input, "\(SourceAddress.shown(address)): this build has no services")
    #endif
  }

  /// Returns whether a person named the host of an address: with the address of the style, or by itself.
  func isNamedByPerson(_ other: String) -> Bool {
    #if Services
      guard let address, !isNamedByDocument, let own = try? WebAddress(address),
        let asked = try? WebAddress(other)
      else { return false }
      return own.origin == asked.origin
    #else
      return false
    #endif
  }
}
