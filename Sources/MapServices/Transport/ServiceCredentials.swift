public import MapJSON

/// Secrets by the host that may see them.
///
/// Bound to scheme, host and port: https, or this machine. They are added on the last step of a question's way and taken
/// out of what comes back, so that no layer, recording, error or log above that step has one.
public struct ServiceCredentials: Sendable, CustomStringConvertible, CustomReflectable {
  /// How a secret is sent.
  struct Secret: Sendable {
    enum Place: Sendable {
      case header(String)
      case parameter(String)
    }

    let place: Place
    let value: String
  }

  private var secrets: [String: [Secret]] = [:]

  /// No secrets.
  public init() {}

  /// Secrets as a file has them: an object of addresses, each with what is sent there.
  ///
  /// `{"token": "…"}` is a token of ArcGIS, sent as `X-Esri-Authorization: Bearer …`, which stands in no address and so in no
  /// log of a server; `{"header": "X-API-Key", "value": "…"}` is any field; `{"parameter": "key", "value": "…"}` is a
  /// parameter of the address or form, for services that take no other. A value `$NAME` is that of the variable NAME.
  /// - Throws: ``CredentialsError``.
  public init(_ json: JSONValue, environment: [String: String]) throws(CredentialsError) {
    guard let members = json.object?.members else { throw CredentialsError("is no object of addresses") }
    for member in members {
      let address: WebAddress
      do { address = try WebAddress(member.name) } catch {
        throw CredentialsError("an address \(error.reason)")
      }
      func fault(_ reason: String) -> CredentialsError { CredentialsError("\(address.origin): \(reason)") }
      guard Self.isSafe(address) else { throw fault("a secret is sent over https alone") }
      guard address.path == "/", address.query == nil else {
        throw fault("a secret belongs to a host; leave out what follows its name")
      }
      let known = ["token", "header", "parameter", "value"]
      if let other = member.value.object?.members.first(where: { !known.contains($0.name) })?.name {
        throw fault("\"\(other)\" is none of \(known.joined(separator: ", "))")
      }
      func text(_ name: String) throws(CredentialsError) -> String? {
        guard let value = member.value[name]?.string else { return nil }
        guard value.hasPrefix("$") else { return value }
        guard let found = environment[String(value.dropFirst())], !found.isEmpty else {
          // Not by name: it may be a secret that begins so.
          throw fault("\"\(name)\": there is no environment variable of the name behind its $")
        }
        return found
      }
      let secret: Secret
      if let token = try text("token") {
        secret = Secret(place: .header("X-Esri-Authorization"), value: "Bearer \(token)")
      } else if let value = try text("value"), let name = member.value["header"]?.string {
        secret = Secret(place: .header(name), value: value)
      } else if let value = try text("value"), let name = member.value["parameter"]?.string {
        secret = Secret(place: .parameter(name), value: value)
      } else {
        throw fault("expected \"token\", or \"header\" or \"parameter\" with \"value\"")
      }
      guard secret.value.split(separator: " ").last.map(\.utf8.count) ?? 0 >= SecretEcho.shortest else {
        throw fault(
          "its secret has fewer than \(SecretEcho.shortest) characters, which cannot be told from other text")
      }
      guard !secret.value.utf8.contains(where: { $0 < 0x20 }) else {
        throw fault("its secret has a line end in it")
      }
      secrets[address.origin, default: []].append(secret)
    }
  }

  /// Takes the secrets that a person wrote into an address out of it and keeps them for its host.
  ///
  /// - Returns: the address without them.
  /// - Throws: ``ServiceError`` for an address that cannot be read, or a secret in one that is not encrypted.
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
          "a secret is sent over https alone, and its address has one", at: url, kind: .refused)
      }
      guard value.utf8.count >= SecretEcho.shortest else {
        throw ServiceError(
          "its parameter \"\(name)\" looks like a secret of fewer than \(SecretEcho.shortest) characters, which cannot be "
            + "told from other text", at: url, kind: .refused)
      }
      secrets[address.origin, default: []].append(Secret(place: .parameter(name), value: value))
    }
    address.query = kept.isEmpty ? nil : kept.joined(separator: "&")
    return address.description
  }

  /// What is sent to a host.
  func secrets(for origin: String) -> [Secret] { secrets[origin] ?? [] }

  private static func isSafe(_ address: WebAddress) -> Bool {
    address.scheme == "https" || NetworkReach(host: address.host) == .loopback
  }

  /// How many hosts have secrets; never one of them.
  public var description: String { "secrets for \(secrets.count) hosts" }
  /// Nothing: a debugger's dump is a log as well.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Credentials that cannot be read; never tells a secret.
public struct CredentialsError: Error, Hashable, CustomStringConvertible {
  /// What is wrong, lower case, no full stop.
  public let description: String

  init(_ description: String) { self.description = description }
}
