import MapSystem

/// A web address, split into its parts.
///
/// - Source: RFC 3986. Characters that its grammar forbids in a path or query are percent-encoded, as browsers do.
public struct WebAddress: Hashable, Sendable, CustomStringConvertible {
  /// The scheme, `http` or `https`.
  public let scheme: String
  /// The host: a name in lower case, or a numeric address; IPv6 in brackets.
  public let host: String
  /// The port; nil for the scheme's default port.
  public let port: Int?
  /// The path, including its first slash.
  public let path: String
  /// The query, without its question mark; nil without one.
  public var query: String?

  /// Parses an address; drops the fragment after `#`, which is not sent.
  ///
  /// - Throws: ``ServiceError`` for another scheme, a missing host, or a user name or password.
  public init(_ text: String) throws(ServiceError) {
    func fault(_ reason: String) -> ServiceError { ServiceError(reason, at: text, kind: .refused) }
    guard let mark = text.firstRange(of: "://") else { throw fault("is not a web address") }
    scheme = text[..<mark.lowerBound].lowercased()
    guard scheme == "http" || scheme == "https" else { throw fault("is neither http nor https") }
    let rest = text[mark.upperBound...].prefix { $0 != "#" }
    let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "\\" }
    guard !authority.contains("@") else {
      throw fault("contains a user name or password; put them in the file that MAPSTATE_CREDENTIALS names")
    }
    guard let (host, port) = Self.hostAndPort(authority) else {
      throw fault("has no valid host; write an international name in the form xn--…")
    }
    self.host = host
    self.port = port == (scheme == "https" ? 443 : 80) ? nil : port
    let target = rest[authority.endIndex...]
    let path = target.prefix { $0 != "?" }
    self.path = Self.withoutDots(Self.encoded(path))
    query = path.endIndex < target.endIndex ? Self.encoded(target[path.endIndex...].dropFirst()) : nil
  }

  /// The scheme, host and port, to which secrets are bound.
  public var origin: String { "\(scheme)://\(host)" + (port.map { ":\($0)" } ?? "") }

  /// The address in one line.
  public var description: String { origin + path + (query.map { "?" + $0 } ?? "") }

  /// Resolves a link found in a document at this address.
  ///
  /// - Source: RFC 3986, 5.2.
  /// - Throws: ``ServiceError``.
  public func resolving(_ reference: String) throws(ServiceError) -> WebAddress {
    let head = reference.prefix { !"/?#".contains($0) }
    if head.contains(":") { return try WebAddress(reference) }
    if reference.hasPrefix("//") { return try WebAddress("\(scheme):\(reference)") }
    if reference.hasPrefix("/") { return try WebAddress(origin + reference) }
    if reference.isEmpty || reference.hasPrefix("#") { return self }
    if reference.hasPrefix("?") { return try WebAddress(origin + path + reference) }
    let folder = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
    return try WebAddress("\(origin)\(folder)/\(reference)")
  }

  private static func hostAndPort(_ authority: Substring) -> (host: String, port: Int?)? {
    var host = authority
    var port: Int?
    if let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") {
      host = authority[..<colon]
      let digits = authority[colon...].dropFirst()
      if !digits.isEmpty {
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(digits),
          (1...65535).contains(number)
        else { return nil }
        port = number
      }
    }
    if host.hasPrefix("["), host.hasSuffix("]") {
      guard host.contains(":"), NetworkReach(host: String(host)) != nil else { return nil }
      return (host.lowercased(), port)
    }
    if host.hasSuffix(".") { host = host.dropLast() }
    let allowed = host.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    return allowed && !host.isEmpty && host.utf8.count < 254 ? (host.lowercased(), port) : nil
  }

  /// Percent-encodes the characters that an address may not contain; keeps existing encodings.
  private static func encoded(_ text: Substring) -> String {
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case 0x00...0x20, 0x7F...0xFF, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"),
        UInt8(ascii: "\\"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"),
        UInt8(ascii: "}"):
        result += PercentEncoding.escape(byte)
      default: result.unicodeScalars.append(Unicode.Scalar(byte))
      }
    }
    return result
  }

  /// Removes the path steps `.` and `..`.
  ///
  /// - Source: RFC 3986, 5.2.4.
  private static func withoutDots(_ path: String) -> String {
    var kept: [Substring] = []
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    for (place, part) in parts.enumerated() {
      if part == ".." { _ = kept.popLast() }
      if part != ".", part != ".." { kept.append(part) } else if place == parts.count - 1 { kept.append("") }
    }
    return "/" + kept.joined(separator: "/")
  }
}
