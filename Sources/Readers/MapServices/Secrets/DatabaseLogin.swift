import MapJSON

/// The user and password for a database, bound to its host and port.
package struct DatabaseLogin: Sendable, CustomStringConvertible, CustomReflectable {
  /// The name of the user; nil for the default one.
  package let user: String?
  /// The password.
  package let password: String
  /// The host in lower case and the port.
  let origin: String

  /// Reads an entry of a credentials file; nil for the address of a web service.
  ///
  /// - Throws: ``CredentialsError``.
  init?(_ address: String, _ json: JSONValue, _ environment: [String: String]) throws(CredentialsError) {
    let schemes = ["postgresql://", "postgres://"]
    guard let scheme = schemes.first(where: address.lowercased().hasPrefix) else { return nil }
    var host = address.dropFirst(scheme.count).lowercased()[...]
    if host.hasSuffix("/") { host = host.dropLast() }
    guard !host.isEmpty, !host.contains(where: { "/@?#".contains($0) }) else {
      throw CredentialsError(
        "\(scheme): a password belongs to a host; write only the host and the port after it")
    }
    let hasPort = host[(host.lastIndex(of: "]") ?? host.startIndex)...].contains(":")
    origin = hasPort ? String(host) : "\(host):5432"
    let place = scheme + origin
    let entry = CredentialsEntry(place: place, json: json, environment: environment)
    try entry.allowOnly(["user", "password"])
    user = try entry.text("user")
    guard let password = try entry.text("password"), !password.isEmpty else {
      throw entry.fault("expected \"password\", with or without \"user\"")
    }
    self.password = password
  }

  /// The host and port; never the password.
  package var description: String { "password for \(origin)" }
  /// An empty mirror, because a debugger's output is a log too.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
