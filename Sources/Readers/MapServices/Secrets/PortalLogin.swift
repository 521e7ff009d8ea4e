import FoundationEssentials
import MapJSON

/// A sign-in to a portal, which gives tokens, and the hosts that receive them.
///
/// - Source: ArcGIS REST API, "Generate token" and "Token" of OAuth 2.0 (RFC 6749, 4.4).
struct PortalLogin: Hashable, Sendable {
  /// The proof of who asks.
  enum Proof: Hashable, Sendable {
    /// The name of a user, and the password.
    case user(String, password: String)
    /// The identifier of an application, and its secret.
    case application(String, secret: String)
  }

  /// The address of the portal, without a slash at its end.
  let portal: String
  /// The proof of who asks.
  let proof: Proof
  /// The origins that receive tokens: that of the portal, and those that the file lists.
  let origins: [String]

  /// The members of an entry.
  static let members = ["user", "password", "client", "secret", "servers"]

  /// Reads an entry of a credentials file; nil for an entry without a user and a client.
  ///
  /// - Parameter isSafe: Returns whether a secret may be sent to an address.
  /// - Throws: ``CredentialsError``.
  init?(
    _ entry: CredentialsEntry, at address: WebAddress, isSafe: (WebAddress) -> Bool
  ) throws(CredentialsError) {
    guard entry.json["user"] != nil || entry.json["client"] != nil else { return nil }
    try entry.allowOnly(Self.members)
    let secret: String
    if let user = try entry.text("user"), let password = try entry.text("password") {
      (proof, secret) = (.user(user, password: password), password)
    } else if let client = try entry.text("client"), let text = try entry.text("secret") {
      (proof, secret) = (.application(client, secret: text), text)
    } else {
      throw entry.fault("expected \"user\" with \"password\", or \"client\" with \"secret\"")
    }
    try entry.check(secret: secret)
    guard address.query == nil else { throw entry.fault("the address of a portal has no query") }
    var path = address.path
    while path.hasSuffix("/") { path.removeLast() }
    portal = address.origin + path
    var origins = [address.origin]
    for server in entry.json["servers"]?.array ?? [] {
      guard let text = server.string, let other = try? WebAddress(text), other.path == "/",
        other.query == nil, isSafe(other)
      else {
        throw entry.fault(
          "\"servers\" lists the hosts that receive tokens, such as https://gis.example.com, without a path")
      }
      if !origins.contains(other.origin) { origins.append(other.origin) }
    }
    self.origins = origins
  }

  /// The header fields of requests with a token of this sign-in, beside the token.
  ///
  /// The token of a user is bound to the value of `Referer`.
  var referer: String? { if case .user = proof { portal } else { nil } }

  /// The secret that the answers of the portal may repeat.
  private var secret: String {
    switch proof {
    case .user(_, let password): password
    case .application(_, let secret): secret
    }
  }

  /// The request for a token, valid for an hour.
  private var request: HTTPRequest {
    switch proof {
    case .user(let name, let password):
      HTTPRequest(
        post: portal + "/sharing/rest/generateToken",
        [
          ("username", name), ("password", password), ("client", "referer"), ("referer", portal),
          ("expiration", "60"), ("f", "json"),
        ])
    case .application(let client, let secret):
      HTTPRequest(
        post: portal + "/sharing/rest/oauth2/token",
        [
          ("client_id", client), ("client_secret", secret), ("grant_type", "client_credentials"),
          ("expiration", "60"), ("f", "json"),
        ])
    }
  }

  /// Asks the portal for a token.
  ///
  /// - Throws: ``ServiceError``, which repeats no secret.
  func token(
    over transport: any HTTPTransport, before deadline: ContinuousClock.Instant
  ) async throws(ServiceError) -> PortalToken {
    let request = request
    let answer = try await transport.response(to: request, before: deadline)
    let json: JSONNode
    do throws(ServiceError) {
      json = try ArcGISAnswer(response: answer, url: request.url).json()
    } catch {
      let reason = SecretEcho([secret]).masking(explanation: Array(error.reason.utf8))
      throw ServiceError(
        "gave no token for the sign-in of MAPSTATE_CREDENTIALS: \(String(decoding: reason, as: UTF8.self))",
        at: request.url)
    }
    let names = ["token", "access_token"]
    guard let token = names.lazy.compactMap({ json[$0]?.value.string }).first(where: { !$0.isEmpty }),
      token.utf8.count >= SecretEcho.shortest, !token.utf8.contains(where: { $0 <= 0x20 })
    else {
      throw ServiceError("gave no token for the sign-in of MAPSTATE_CREDENTIALS", at: request.url)
    }
    let end =
      json["expires"]?.value.double.map { $0 / 1000 }
      ?? Date.now.timeIntervalSince1970 + (json["expires_in"]?.value.double ?? Self.shortLife)
    return PortalToken(value: token, end: end, echo: SecretEcho([token, "Bearer \(token)", secret]))
  }

  /// The life in seconds of a token whose end the portal does not state.
  ///
  /// - Source: design decision.
  private static let shortLife = 300.0
}

/// A token of a portal.
struct PortalToken: Sendable {
  /// The token.
  let value: String
  /// The seconds since 1970 at which it ends.
  let end: Double
  /// The mask of the token and of the secret that it was asked with.
  let echo: SecretEcho
}

/// The tokens of portals, which all requests of a process share.
actor PortalTokens {
  static let shared = PortalTokens()

  private var tokens: [PortalLogin: PortalToken] = [:]
  private var requests: [PortalLogin: Task<Result<PortalToken, ServiceError>, Never>] = [:]

  /// The seconds before its end at which a token is replaced.
  private static let margin = 60.0

  /// Returns the known token of a sign-in, or a new one if it ends soon.
  ///
  /// - Parameters:
  ///   - refused: the token that a server has refused; nil for none.
  ///   - transport: the way to the portal.
  /// - Throws: ``ServiceError``.
  func token(
    of login: PortalLogin, refused: PortalToken? = nil, over transport: any HTTPTransport,
    before deadline: ContinuousClock.Instant
  ) async throws(ServiceError) -> PortalToken {
    if let known = tokens[login], known.value != refused?.value,
      known.end > Date.now.timeIntervalSince1970 + Self.margin
    {
      return known
    }
    let request: Task<Result<PortalToken, ServiceError>, Never>
    if let running = requests[login] {
      request = running
    } else {
      request = Task {
        do throws(ServiceError) {
          return .success(try await login.token(over: transport, before: deadline))
        } catch { return .failure(error) }
      }
      requests[login] = request
    }
    let result = await request.value
    if requests[login] == request { requests[login] = nil }
    let token = try result.get()
    tokens[login] = token
    return token
  }
}
