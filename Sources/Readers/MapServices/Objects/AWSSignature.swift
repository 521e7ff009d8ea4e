import FoundationEssentials
import MapSystem

/// The keys of an account of Amazon Web Services, or of a compatible service.
package struct AWSKeys: Sendable, CustomStringConvertible, CustomReflectable {
  let id: String
  let secret: String
  /// The token of temporary keys; nil for others.
  let token: String?

  package init(id: String, secret: String, token: String?) {
    (self.id, self.secret, self.token) = (id, secret, token)
  }

  /// A text without the keys.
  package var description: String { "keys of an account" }
  /// An empty mirror, because a debugger's output is a log too.
  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The signature of requests to Amazon Web Services, version 4.
///
/// - Source: AWS, "Signature Version 4 signing process" and "Authenticating Requests: Using the Authorization Header".
package struct AWSSignature: Sendable {
  let keys: AWSKeys
  let region: String
  let service: String

  package init(keys: AWSKeys, region: String, service: String = "s3") {
    (self.keys, self.region, self.service) = (keys, region, service)
  }

  /// Returns the field `Authorization` of a request.
  ///
  /// - Parameters:
  ///   - path: The path, percent-encoded once.
  ///   - query: The query, percent-encoded; nil without one.
  ///   - header: The fields to sign, with `host` and `x-amz-date`.
  ///   - payload: The SHA-256 digest of the body in hexadecimal digits.
  ///   - date: The time of the request, such as `20130524T000000Z`.
  package func authorization(
    method: String, path: String, query: String?, header: [String: String], payload: String, date: String
  ) -> String {
    let fields = header.map { name, value in
      (name: name.lowercased(), value: value.split(separator: " ").joined(separator: " "))
    }.sorted { $0.name < $1.name }
    let signed = fields.map(\.name).joined(separator: ";")
    let lines =
      [method, path.isEmpty ? "/" : path, Self.canonical(query ?? "")]
      + fields.map { "\($0.name):\($0.value)" } + ["", signed, payload]
    let day = String(date.prefix { $0 != "T" })
    let scope = "\(day)/\(region)/\(service)/aws4_request"
    let request = SHA256.hexadecimal(SHA256.digest(Array(lines.joined(separator: "\n").utf8)))
    let text = ["AWS4-HMAC-SHA256", date, scope, request].joined(separator: "\n")
    var key = Array("AWS4\(keys.secret)".utf8)
    for part in [day, region, service, "aws4_request"] { key = SHA256.code(of: part.utf8, key: key) }
    let signature = SHA256.hexadecimal(SHA256.code(of: text.utf8, key: key))
    return
      "AWS4-HMAC-SHA256 Credential=\(keys.id)/\(scope), SignedHeaders=\(signed), Signature=\(signature)"
  }

  /// Returns the pairs of a query in the order of their encoded names.
  private static func canonical(_ query: String) -> String {
    query.split(separator: "&").map { pair -> (String, String) in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    }.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
  }

  /// Returns the fields that a request without a body gets, from its own and the host.
  ///
  /// - Parameter time: The seconds since 1970.
  func header(for request: HTTPRequest, at address: WebAddress, time: Int) -> [String: String] {
    let (payload, date) = (SHA256.hexadecimal(SHA256.digest(request.body)), Self.date(time))
    var added = ["x-amz-content-sha256": payload, "x-amz-date": date]
    added["x-amz-security-token"] = keys.token
    var signed = added
    signed["host"] = address.host + (address.port.map { ":\($0)" } ?? "")
    signed["range"] = request.rangeField
    added["Authorization"] = authorization(
      method: request.method.rawValue, path: address.path, query: address.query, header: signed,
      payload: payload, date: date)
    return added
  }

  /// Returns a time as text, such as `20130524T000000Z`.
  static func date(_ seconds: Int) -> String {
    let text = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    return text.filter { $0 != "-" && $0 != ":" }
  }
}

/// Signs the requests to one host.
package struct SignedTransport: HTTPTransport {
  private let base: any HTTPTransport
  private let signature: AWSSignature
  private let origin: String
  private let echo: SecretEcho
  private let now: @Sendable () -> Int

  /// Creates a transport over one that contacts the host itself.
  ///
  /// - Parameter origin: the scheme, host and port whose requests are signed.
  package init(
    over base: any HTTPTransport, _ signature: AWSSignature, origin: String,
    now: @escaping @Sendable () -> Int
  ) {
    (self.base, self.signature, self.origin, self.now) = (base, signature, origin, now)
    let secrets = [signature.keys.secret] + [signature.keys.token].compactMap { $0 }
    echo = SecretEcho(secrets.filter { $0.utf8.count >= SecretEcho.shortest })
  }

  package func response(
    to request: HTTPRequest, before deadline: ContinuousClock.Instant
  ) async throws(ServiceError) -> HTTPResponse {
    let address = try WebAddress(request.url)
    guard address.origin == origin else { return try await base.response(to: request, before: deadline) }
    var signed = request
    signed.header.merge(signature.header(for: request, at: address, time: now())) { _, added in added }
    do throws(ServiceError) {
      let response = try await base.response(to: signed, before: deadline)
      // An error quotes the request; contents of files do not.
      guard !(200..<300).contains(response.status) else { return response }
      var clean = HTTPResponse(
        status: response.status, header: response.header.mapValues { echo.masking($0) },
        body: echo.masking(response.body), url: request.url)
      (clean.reach, clean.claim) = (response.reach, response.claim)
      return clean
    } catch {
      let reason = String(decoding: echo.masking(explanation: Array(error.reason.utf8)), as: UTF8.self)
      throw ServiceError(reason, at: request.url, kind: error.kind)
    }
  }
}
