public import MapJSON

/// Secrets by the host that may receive them.
///
/// Each is bound to a scheme, host and port: https, or this machine. Secrets are added just before a request is sent,
/// and masked in the answer. Layers, recordings, errors and logs above that step therefore never hold one.
public struct ServiceCredentials: Sendable, CustomStringConvertible, CustomReflectable {
  /// A secret and the part of a request that carries it.
  struct Secret: Sendable {
    enum Place: Sendable {
      case header(String)
      case parameter(String)
    }

    let place: Place
    let value: String
  }

  private var secrets: [String: [Secret]] = [:]
  /// The users and passwords of databases by host and port.
  private var logins: [String: DatabaseLogin] = [:]
  /// The sign-ins to portals by the origins that receive their tokens.
  private var portals: [String: PortalLogin] = [:]

  /// Creates credentials without secrets.
  public init() {}

  /// Reads secrets from a credentials file: an object of addresses, each with the secret for that host.
  ///
  /// - `{"token": "…"}` is an ArcGIS token. It is sent as `X-Esri-Authorization: Bearer …`, so that it is in no address
  ///   and in no server log.
  /// - `{"header": "X-API-Key", "value": "…"}` is a header field.
  /// - `{"parameter": "key", "value": "…"}` is a parameter of the address or form, for services that accept nothing
  ///   else.
  /// - `{"user": "…", "password": "…"}` or `{"client": "…", "secret": "…"}` is a sign-in to an ArcGIS portal, whose
  ///   address may have a path. It gives tokens, which the portal receives, and the hosts in `"servers": ["https://…"]`.
  ///
  /// - `{"user": "…", "password": "…"}` belongs to a database, whose address is `postgresql://HOST:PORT`.
  ///
  /// A value `$NAME` is replaced by the environment variable NAME.
  ///
  /// - Throws: ``CredentialsError``.
  public init(_ json: JSONValue, environment: [String: String]) throws(CredentialsError) {
    guard let members = json.object?.members else { throw CredentialsError("is not an object of addresses") }
    for member in members {
      if let login = try DatabaseLogin(member.name, member.value, environment) {
        logins[login.origin] = login
        continue
      }
      let address: WebAddress
      do { address = try WebAddress(member.name) } catch {
        throw CredentialsError("an address \(error.reason)")
      }
      let entry = CredentialsEntry(place: address.origin, json: member.value, environment: environment)
      guard Self.isSafe(address) else { throw entry.fault("a secret is only sent over https") }
      if let login = try PortalLogin(entry, at: address, isSafe: Self.isSafe) {
        for origin in login.origins where portals[origin] == nil { portals[origin] = login }
        continue
      }
      guard address.path == "/", address.query == nil else {
        throw entry.fault("a secret belongs to a host; remove the path and query")
      }
      try entry.allowOnly(["token", "header", "parameter", "value"])
      let secret: Secret
      if let token = try entry.text("token") {
        secret = Secret(place: .header(Self.tokenField), value: "Bearer \(token)")
      } else if let value = try entry.text("value"), let name = member.value["header"]?.string {
        secret = Secret(place: .header(name), value: value)
      } else if let value = try entry.text("value"), let name = member.value["parameter"]?.string {
        secret = Secret(place: .parameter(name), value: value)
      } else {
        throw entry.fault(
          "expected \"token\", \"header\" or \"parameter\" with \"value\", \"user\" with \"password\", or \"client\" "
            + "with \"secret\"")
      }
      try entry.check(secret: secret.value.split(separator: " ").last ?? "", in: secret.value)
      secrets[address.origin, default: []].append(secret)
    }
  }

  /// Moves the secrets in an address into these credentials, for the address's host.
  ///
  /// - Returns: The address without secrets.
  /// - Throws: ``ServiceError`` for an unreadable address, or for a secret in an address without encryption.
  public mutating func take(from url: String) throws(ServiceError) -> String {
    var address = try WebAddress(url)
    guard let query = address.query else { return address.description }
    var kept: [Substring] = []
    for pair in query.split(separator: "&") {
      guard let (name, value) = SecretNames.secret(in: pair) else {
        kept.append(pair)
        continue
      }
      guard Self.isSafe(address) else {
        throw ServiceError(
          "a secret is only sent over https, and its address contains one", at: url, kind: .refused)
      }
      guard value.utf8.count >= SecretEcho.shortest else {
        throw ServiceError(
          "its parameter \"\(name)\" looks like a secret of fewer than \(SecretEcho.shortest) characters, which cannot be "
            + "distinguished from other text", at: url, kind: .refused)
      }
      secrets[address.origin, default: []].append(Secret(place: .parameter(name), value: value))
    }
    address.query = kept.isEmpty ? nil : kept.joined(separator: "&")
    return address.description
  }

  /// The masks of all secrets, by host.
  var echoes: [String: SecretEcho] { secrets.mapValues { SecretEcho($0.map(\.value)) } }

  /// Returns the user and password for the host and port of a database; nil if none are listed.
  package func login(for origin: String) -> DatabaseLogin? { logins[origin] }

  /// Returns whether there is a secret for a host.
  package func hasSecret(for origin: String) -> Bool {
    secrets[origin]?.isEmpty == false || portals[origin] != nil
  }

  /// Returns the sign-in whose tokens a host receives; nil for none, and for a host with a secret of its own.
  func portal(for origin: String) -> PortalLogin? {
    secrets[origin]?.isEmpty == false ? nil : portals[origin]
  }

  /// The field that carries tokens.
  static let tokenField = "X-Esri-Authorization"

  /// Returns the secrets for a host.
  func secrets(for origin: String) -> [Secret] { secrets[origin] ?? [] }

  private static func isSafe(_ address: WebAddress) -> Bool {
    address.scheme == "https" || NetworkReach(host: address.host) == .loopback
  }

  /// The number of hosts with secrets; never a secret.
  public var description: String { "secrets for \(secrets.count + logins.count + portals.count) hosts" }
  /// An empty mirror, because a debugger's output is a log too.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The error for unreadable credentials; it never contains a secret.
public struct CredentialsError: Error, Hashable, CustomStringConvertible {
  /// The reason, in lower case, without a full stop.
  public let description: String

  init(_ description: String) { self.description = description }
}
