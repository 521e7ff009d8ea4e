import MapSystem

/// The parts of the text that names a source: a path or an address.
public enum SourceAddress {
  /// Returns a source for messages; addresses are without query and password, which may be secrets.
  public static func shown(_ source: String) -> String {
    guard let scheme = scheme(of: source), let start = source.firstRange(of: "://")?.upperBound else {
      return source
    }
    var rest = source[start...]
    // The password of a database may contain every other separator.
    if databases.contains(scheme), let at = rest.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
    rest = rest.prefix { $0 != "?" && $0 != "#" }
    let authority = rest.prefix { $0 != "/" }
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    return String(source[..<start] + host + rest[authority.endIndex...])
  }

  /// The schemes of addresses of databases.
  private static let databases: Set<String> = ["postgresql", "postgres"]

  /// The addresses in a text with spaces between them: the parts of one table of databases.
  static func parts(of url: String) -> [String] { url.split(separator: " ").map { String($0) } }

  /// Whether an address is that of a table in a database.
  static func isOfDatabase(_ url: String) -> Bool { scheme(of: url).map(databases.contains) ?? false }

  /// Whether an address is that of an object in a store of objects.
  static func isOfObject(_ url: String) -> Bool { scheme(of: url).map(["s3", "gs", "az"].contains) ?? false }

  /// Returns a source relative to a folder; an absolute path and an address stay unchanged.
  package static func join(_ folder: String, _ source: String) -> String {
    scheme(of: source) == nil ? FilePath.join(folder, source) : source
  }

  /// Returns the scheme of an address in lower case, also that of `item:ID`; nil for a path.
  package static func scheme(of url: String) -> String? {
    guard let end = url.firstRange(of: "://")?.lowerBound else {
      return item(url) == nil ? nil : "item"
    }
    let scheme = url[..<end]
    return scheme.allSatisfy { $0.isLetter || $0.isNumber || "+-.".contains($0) } ? scheme.lowercased() : nil
  }

  /// Returns the identifier of an item of a portal after `item:`; nil for another source.
  static func item(_ source: String) -> String? {
    let id = source.dropFirst(5)
    return source.hasPrefix("item:") && id.utf8.count == 32 && id.allSatisfy(\.isHexDigit) ? String(id) : nil
  }

  /// Splits a path and the layer name after `#`; a file whose name contains the `#` takes precedence.
  ///
  /// Both may contain `#`: the path is the longest one that exists.
  static func split(_ url: String, folder: String) -> (path: String, fragment: String?) {
    let places = url.indices.filter { url[$0] == "#" }
    guard !places.isEmpty, !FileAccess.exists(FilePath.join(folder, url)) else { return (url, nil) }
    let known = places.last { hash in
      let path = String(url[..<hash])
      return path == "-" || FileAccess.exists(FilePath.join(folder, path))
    }
    guard let hash = known ?? places.last else { return (url, nil) }
    return (String(url[..<hash]), String(url[url.index(after: hash)...]))
  }
}
