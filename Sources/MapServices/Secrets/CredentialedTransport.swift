/// Adds a host's secrets to its requests, and masks them in its answers.
public struct CredentialedTransport: HTTPTransport {
  private let base: any HTTPTransport
  private let credentials: ServiceCredentials

  /// Adds secrets over a transport that contacts the host itself.
  public init(over base: any HTTPTransport, credentials: ServiceCredentials) {
    (self.base, self.credentials) = (base, credentials)
  }

  /// Returns the answer, with any secret that the host has repeated replaced by a mask.
  ///
  /// - Throws: ``ServiceError``, with secrets masked.
  public func response(
    to request: HTTPRequest, before deadline: ContinuousClock.Instant
  ) async throws(ServiceError) -> HTTPResponse {
    let address = try WebAddress(request.url)
    let secrets = credentials.secrets(for: address.origin)
    guard !secrets.isEmpty else { return try await base.response(to: request, before: deadline) }
    let echo = SecretEcho(secrets.map(\.value))
    do {
      let response = try await base.response(to: adding(secrets, to: request, at: address), before: deadline)
      var clean = HTTPResponse(
        status: response.status, header: response.header.mapValues { echo.masking($0) },
        body: echo.masking(response.body), url: request.url)
      (clean.reach, clean.claim) = (response.reach, response.claim)
      return clean
    } catch {
      throw ServiceError(echo.masking(error.reason), at: request.url, kind: error.kind)
    }
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
    return secret
  }
}
