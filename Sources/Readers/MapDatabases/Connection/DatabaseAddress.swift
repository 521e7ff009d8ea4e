import MapJSON
package import MapServices

/// The address of a table, such as `postgresql://user@host:5432/database?key=id#schema.table`.
///
/// - Source: PostgreSQL 15, 34.1.1.2, "Connection URIs"; `key`, `geometry` and the part after `#` are design decisions.
package struct DatabaseAddress: Sendable, CustomStringConvertible {
  /// The host: a name, a numeric address without brackets, or the folder of a Unix socket; empty for libpq's default.
  package private(set) var host = ""
  /// The port; nil for libpq's default, 5432.
  package private(set) var port: Int?
  /// The database; empty for libpq's default, the name of the user.
  package private(set) var database = ""
  /// The name of the user; nil for libpq's default.
  package private(set) var user: String?
  /// The password in the address; nil without one.
  ///
  /// No text of this type shows it.
  package private(set) var password: String?
  /// The encryption that the address requests, such as `verify-full`; nil leaves the choice to the rules.
  package private(set) var encryption: String?
  /// The column of unique integers that orders the rows; nil for the table's own key.
  package private(set) var key: String?
  /// The column of the geometries; nil for the table's only one.
  package private(set) var geometry: String?
  /// The part after `#`: the table, with or without its schema, and maybe a kind of geometry; nil without one.
  package private(set) var fragment: String?

  /// The parameters after `?`, in the order of messages.
  private static let parameters = ["host", "port", "user", "password", "sslmode", "key", "geometry"]
  /// The values of `sslmode`.
  ///
  /// - Source: PostgreSQL 15, 34.1.2.
  private static let encryptions = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"]

  /// Parses an address.
  ///
  /// - Throws: ``ServiceError``, which shows neither user nor password.
  package init(_ text: String) throws(ServiceError) {
    let shown = Self.shown(text)
    func fault(_ reason: String) -> ServiceError { ServiceError(reason, at: shown, kind: .refused) }
    func decoded(_ part: some StringProtocol) throws(ServiceError) -> String {
      guard let text = Self.decoded(part) else {
        throw fault("contains a percent sign that does not encode a character of UTF-8")
      }
      return text
    }
    guard let mark = text.firstRange(of: "://") else { throw fault("is not an address of a database") }
    var rest = text[mark.upperBound...]
    let authority = rest.prefix { $0 != "/" }
    if let at = authority.lastIndex(of: "@") {
      let login = authority[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      user = try decoded(login[0])
      if login.count > 1 { password = try decoded(login[1]) }
      rest = rest[authority.index(after: at)...]
    }
    guard !rest.contains("@") else {
      throw fault("contains @ after the host; write %40, and %2F for / in a user name or password")
    }
    if let hash = rest.firstIndex(of: "#") {
      fragment = try decoded(rest[rest.index(after: hash)...])
      rest = rest[..<hash]
    }
    var query = Substring("")
    if let mark = rest.firstIndex(of: "?") { (query, rest) = (rest[mark...].dropFirst(), rest[..<mark]) }
    let place = rest.prefix { $0 != "/" }
    database = try decoded(rest[place.endIndex...].dropFirst())
    var name = place
    if let colon = place.lastIndex(of: ":"), !place[colon...].contains("]") {
      (name, port) = (place[..<colon], Int(place[colon...].dropFirst()))
      guard place[colon...].count == 1 || port != nil else { throw fault("has no valid port") }
    }
    if name.hasPrefix("["), name.hasSuffix("]") { name = name.dropFirst().dropLast() }
    host = try decoded(name)
    for pair in query.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      try take(
        try decoded(parts[0]), try decoded(parts.count > 1 ? parts[1] : ""), fault)
    }
    // libpq reads its own defaults for empty values.
    if password?.isEmpty ?? false { password = nil }
    if user?.isEmpty ?? false { user = nil }
    guard port.map({ (1...65535).contains($0) }) ?? true else { throw fault("has no valid port") }
    // libpq reads a list of hosts, and each would need its own check; zero bytes end C texts.
    guard !host.utf8.contains(UInt8(ascii: ",")),
      ![host, database, user, password].contains(where: { $0?.utf8.contains(0) ?? false })
    else { throw fault("has no valid host") }
  }

  private mutating func take(
    _ name: String, _ value: String, _ fault: (String) -> ServiceError
  ) throws(ServiceError) {
    switch name {
    case "host": host = value
    case "port":
      guard let number = Int(value) else { throw fault("has no valid port") }
      port = number
    case "user": user = value
    case "password": password = value
    case "key": key = value
    case "geometry": geometry = value
    case "sslmode":
      guard Self.encryptions.contains(value) else {
        throw fault("sslmode is none of \(Self.encryptions.joined(separator: ", "))")
      }
      encryption = value
    default:
      let advice =
        NearestName.of(name, among: Self.parameters).map { "did you mean '\($0)'?" }
        ?? "available: \(Self.parameters.joined(separator: ", "))"
      // After a password, the name may be a part of it.
      throw fault(
        password == nil ? "has an unknown parameter '\(name)'; \(advice)" : "has an unknown parameter")
    }
  }

  /// Whether the address names a Unix socket of this machine.
  package var isSocket: Bool { host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") }

  /// The host and port, to which passwords are bound.
  package var origin: String {
    let host =
      host.contains(":")
      ? "[\(host)]" : host.hasPrefix("/") ? Self.encoded(host).lowercased() : host.lowercased()
    return "\(host):\(port ?? 5432)"
  }

  /// The address without user, password and parameters, for messages.
  package var shown: String {
    let host = host.contains(":") ? "[\(host)]" : host
    return "postgresql://\(host)" + (port.map { ":\($0)" } ?? "") + "/" + database
  }

  /// The address without the password.
  package var description: String {
    let host = host.contains(":") ? "[\(host)]" : Self.encoded(host)
    let parts: [(String, String?)] = [("sslmode", encryption), ("key", key), ("geometry", geometry)]
    let query = parts.compactMap { name, value in value.map { "\(name)=\(Self.encoded($0))" } }
    return "postgresql://" + (user.map { Self.encoded($0) + "@" } ?? "") + host
      + (port.map { ":\($0)" } ?? "") + "/"
      + Self.encoded(database) + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
      + (fragment.map { "#" + Self.encoded($0, keeping: "./\"") } ?? "")
  }

  /// Returns an address of any form without user, password and parameters.
  package static func shown(_ text: String) -> String {
    guard let start = text.firstRange(of: "://")?.upperBound else { return text }
    var rest = text[start...]
    // A password may contain every other separator.
    if let at = rest.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
    return String(text[..<start] + rest.prefix { $0 != "?" && $0 != "#" })
  }

  private static func decoded(_ text: some StringProtocol) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      guard digits.utf8.count == 2, digits.utf8.allSatisfy({ $0 != 0x2B && $0 != 0x2D }),
        let value = UInt8(digits, radix: 16)
      else {
        return nil
      }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func encoded(_ text: String, keeping others: String = "") -> String {
    let kept = Set("-_.~\(others)".utf8)
    return text.utf8.map { byte in
      let isPlain = 0x61...0x7A ~= byte | 0x20 || 0x30...0x39 ~= byte
      if isPlain || kept.contains(byte) { return String(UnicodeScalar(byte)) }
      let digits = String(byte, radix: 16, uppercase: true)
      return "%" + (digits.count == 1 ? "0" : "") + digits
    }.joined()
  }
}
