/// The parts of the text that names a source: a path or an address.
public enum SourceAddress {
  /// Returns a source for messages; addresses are without query and password, which may be secrets.
  public static func shown(_ source: String) -> String {
    guard scheme(of: source) != nil, let start = source.firstRange(of: "://")?.upperBound else {
      return source
    }
    let rest = source[start...].prefix { $0 != "?" && $0 != "#" }
    let authority = rest.prefix { $0 != "/" }
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    return String(source[..<start] + host + rest[authority.endIndex...])
  }

  /// Returns the scheme of an address in lower case; nil for a path.
  static func scheme(of url: String) -> String? {
    guard let end = url.firstRange(of: "://")?.lowerBound else { return nil }
    let scheme = url[..<end]
    return scheme.allSatisfy { $0.isLetter || $0.isNumber || "+-.".contains($0) } ? scheme.lowercased() : nil
  }
}
