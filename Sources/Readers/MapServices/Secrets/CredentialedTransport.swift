import MapJSON
import MapSystem

/// Adds a host's secrets to its requests, and masks them in its answers.
public struct CredentialedTransport: HTTPTransport {
  private let base: any HTTPTransport
  /// The way to the portals that give tokens.
  private let portals: any HTTPTransport
  private let credentials: ServiceCredentials
  /// The masks by origin.
  private let echoes: [String: SecretEcho]

  /// Adds secrets over a transport that contacts the host itself.
  ///
  /// - Parameter portals: the way to the portals that give tokens; nil for the same transport.
  public init(
    over base: any HTTPTransport, credentials: ServiceCredentials, portals: (any HTTPTransport)? = nil
  ) {
    (self.base, self.credentials, self.portals) = (base, credentials, portals ?? base)
    echoes = credentials.echoes
  }

  /// Returns the answer, with any secret that the host has repeated replaced by a mask.
  ///
  /// If a server refuses the token of a portal, it is asked once more with a new one.
  ///
  /// - Throws: ``ServiceError``, with secrets masked.
  public func response(
    to request: HTTPRequest, before deadline: ContinuousClock.Instant
  ) async throws(ServiceError) -> HTTPResponse {
    let address = try WebAddress(request.url)
    if let login = credentials.portal(for: address.origin) {
      var token = try await PortalTokens.shared.token(of: login, over: portals, before: deadline)
      let response = try await response(to: request, at: address, token, of: login, before: deadline)
      guard response.refusesToken else { return response }
      token = try await PortalTokens.shared.token(
        of: login, refused: token, over: portals, before: deadline)
      return try await self.response(to: request, at: address, token, of: login, before: deadline)
    }
    guard let echo = echoes[address.origin] else {
      return try await base.response(to: request, before: deadline)
    }
    return try await response(
      to: request, at: address, credentials.secrets(for: address.origin), echo, before: deadline)
  }

  /// Returns the answer to a request with the token of a portal.
  private func response(
    to request: HTTPRequest, at address: WebAddress, _ token: PortalToken, of login: PortalLogin,
    before deadline: ContinuousClock.Instant
  ) async throws(ServiceError) -> HTTPResponse {
    var request = request
    if let referer = login.referer { request.header["Referer"] = referer }
    let secret = ServiceCredentials.Secret(
      place: .header(ServiceCredentials.tokenField), value: "Bearer \(token.value)")
    return try await response(to: request, at: address, [secret], token.echo, before: deadline)
  }

  /// Returns the masked answer to a request with secrets.
  private func response(
    to request: HTTPRequest, at address: WebAddress, _ secrets: [ServiceCredentials.Secret],
    _ echo: SecretEcho, before deadline: ContinuousClock.Instant
  ) async throws(ServiceError) -> HTTPResponse {
    do {
      let response = try await base.response(to: adding(secrets, to: request, at: address), before: deadline)
      var clean = HTTPResponse(
        status: response.status, header: response.header.mapValues { echo.masking($0) },
        body: Self.masking(response, echo), url: request.url)
      (clean.reach, clean.claim) = (response.reach, response.claim)
      return clean
    } catch {
      let reason = String(decoding: echo.masking(explanation: Array(error.reason.utf8)), as: UTF8.self)
      throw ServiceError(reason, at: request.url, kind: error.kind)
    }
  }

  /// Returns the masked body; an explanation that still repeats a part of a secret is replaced as a whole.
  private static func masking(_ response: HTTPResponse, _ echo: SecretEcho) -> [UInt8] {
    let body = echo.masking(response.body)
    guard response.isExplanation, echo.containsFragment(body) else { return body }
    // The names are those from which services of all kinds take their explanation.
    let text = JSONValue.string(SecretEcho.repeated)
    return JSONValue.object(["error": ["message": text], "title": text]).bytes()
  }

  private func adding(
    _ secrets: [ServiceCredentials.Secret], to request: HTTPRequest, at address: WebAddress
  ) -> HTTPRequest {
    var address = address
    var (header, parameters) = (request.header, [String]())
    for secret in secrets {
      switch secret.place {
      case .header(let name): header[name] = secret.value
      case .parameter(let name):
        parameters.append(PercentEncoding.encode(name) + "=" + PercentEncoding.encode(secret.value))
      }
    }
    // A link in an answer contains a mask in place of a repeated secret: remove that parameter.
    var pairs = (address.query ?? "").split(separator: "&").filter { pair in
      !SecretEcho.isMask(pair[(pair.firstIndex(of: "=").map(pair.index(after:)) ?? pair.endIndex)...])
    }.map { String($0) }
    var body = request.body
    if request.method == .post {
      let form = ([String(decoding: body, as: UTF8.self)] + parameters).filter { !$0.isEmpty }
      body = Array(form.joined(separator: "&").utf8)
    } else {
      pairs += parameters
    }
    if address.query != nil || !pairs.isEmpty { address.query = pairs.joined(separator: "&") }
    var secret = HTTPRequest(
      method: request.method, url: address.description, header: header, body: body, reach: request.reach)
    secret.isNamedByPerson = request.isNamedByPerson
    secret.takeLimits(of: request)
    return secret
  }
}

extension HTTPResponse {
  /// Whether a server states that the token is invalid, has ended or is missing.
  ///
  /// - Source: ArcGIS REST API: errors 498 and 499, with any status.
  fileprivate var refusesToken: Bool {
    if [498, 499].contains(status) { return true }
    guard body.count < 1 << 16, body.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") else { return false }
    return (try? JSONValue(parsing: body))?["error"]?["code"]?.integer.map([498, 499].contains) ?? false
  }

  /// Whether the content explains an error instead of carrying data: errors quote such content.
  fileprivate var isExplanation: Bool {
    guard (200..<300).contains(status) else { return true }
    guard body.count < 1 << 16, let first = body.first(where: { $0 > 0x20 }) else { return false }
    if first == UInt8(ascii: "<") { return true }
    guard let members = (try? JSONValue(parsing: body))?.object?.members else { return false }
    return members.contains { $0.name == "error" && !$0.value.isNull }
      || members.allSatisfy { $0.value.array == nil && $0.value.object == nil }
  }
}
