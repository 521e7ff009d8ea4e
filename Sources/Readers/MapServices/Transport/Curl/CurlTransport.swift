import CCurl
import MapGeometry
import MapSystem

/// A single exchange with a host by libcurl, without retries, redirects or secrets.
///
/// Exchanges run on one thread of the process, which sleeps while idle; tasks only wait for it. At most six exchanges
/// with a host run at once; the others queue.
///
/// libcurl was chosen because only it reports the resolved address before anything is sent. libcurl 7.88, URLSession
/// and async-http-client 1.37 were measured on loopback (2,000 answers of 20 kB, 8 at once; two busy cores, Swift
/// 6.3.1). They took 0.20 s, 0.69 s and 0.20 s, and 29, 38 and 28 MB; cancelling took 0.4, 5 and 0.2 ms.
///
/// URLSession accepted truncated compressed data (23,735 of 25,600 bytes) as complete, and decompressed 300 MB of zeros
/// without a limit. async-http-client refuses compression ratios above ten by default, and takes minutes to build.
public struct CurlTransport: HTTPTransport {
  private let allowsPlainHTTP: Bool
  private let largestBody: Int
  private let proxies: ProxySettings
  private let authorities: String
  private let memory: ResponseMemory

  /// Creates a transport.
  ///
  /// - Parameters:
  ///   - allowsPlainHTTP: Whether hosts other than this machine may be contacted without encryption.
  ///   - limits: The maximum size of an answer.
  ///   - memory: The memory budget that its answers share with others.
  ///   - environment: The variables `https_proxy` and similar select the proxy; `SSL_CERT_FILE` names trusted
  ///     certificates.
  public init(
    allowsPlainHTTP: Bool = false, limits: ServiceLimits = ServiceLimits(),
    memory: ResponseMemory = .shared, environment: [String: String]
  ) {
    (self.allowsPlainHTTP, largestBody, self.memory) = (allowsPlainHTTP, limits.responseBytes, memory)
    proxies = ProxySettings(environment: environment)
    authorities = environment["SSL_CERT_FILE"] ?? ""
  }

  /// Returns the host's own answer, which may be a redirect.
  ///
  /// - Throws: ``ServiceError``.
  public func response(
    to request: HTTPRequest, before deadline: ContinuousClock.Instant
  ) async throws(ServiceError) -> HTTPResponse {
    let address = try WebAddress(request.url)
    let proxy = proxies.proxy(for: address)
    let innermost = try innermost(of: address, request, isProxied: proxy != nil)
    let left = ContinuousClock.now.duration(to: deadline)
    guard left > .zero else {
      throw ServiceError("no time was left for the request", at: request.url, kind: .deadline)
    }
    guard !Task.isCancelled else { throw ServiceError("was cancelled", at: request.url, kind: .cancelled) }
    var header = ["User-Agent": "MapState", "Accept-Encoding": "gzip", "Expect": ""]
    header.merge(request.header) { _, own in own }
    if let range = request.rangeField {
      // A part of compressed content could not be decompressed.
      (header["Range"], header["Accept-Encoding"]) = (range, "identity")
    }
    let largestBody = min(largestBody, request.largestBody ?? .max)
    let lines = header.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\n" }.joined()
    // A line end in a field would start another field; a zero byte would end the header.
    guard lines.utf8.count(where: { $0 == 0x0A }) == header.count,
      !lines.utf8.contains(where: { $0 == 0x0D || $0 == 0 })
    else { throw ServiceError("a field of the header contains a line end", at: request.url, kind: .refused) }
    let exchange = CurlExchange(
      url: address.description, host: address.origin, proxy: proxy ?? "", authorities: authorities,
      header: lines, isPost: request.method == .post, body: request.body,
      milliseconds: Int64(clamping: min(left / .milliseconds(1), 1e15)) + 1, largestBody: largestBody,
      innermost: innermost, memory: memory)
    let answer: CurlAnswer
    switch await exchange.answer() {
    case .success(let some): answer = some
    case .failure(let fault): throw ServiceError(fault.reason, at: request.url, kind: .missingLibrary)
    }
    let reach = answer.reach ?? NetworkReach(host: address.host) ?? .world
    if answer.outcome != CCURL_ANSWERED {
      throw fault(of: answer, request, address: address, after: left)
    }
    var response = HTTPResponse(
      status: answer.status, header: Self.fields(of: answer.header), body: answer.body, url: request.url)
    (response.reach, response.claim) = (reach, answer.claim)
    return response
  }

  /// Returns the innermost reach that a host's name may resolve to.
  ///
  /// - Throws: ``ServiceError`` if the address is refused before any lookup.
  private func innermost(
    of address: WebAddress, _ request: HTTPRequest, isProxied: Bool
  ) throws(ServiceError) -> NetworkReach {
    let stated = NetworkReach(host: address.host)
    // The proxy looks up names, so a name's reach is judged by its spelling.
    if let near = stated ?? (isProxied ? NetworkReach(writtenHost: address.host) : nil), near < request.reach
    {
      throw ServiceError(
        "refused: it is \(near.name), \(Self.cause(request))", at: request.url, kind: .refused)
    }
    guard address.scheme == "https" || stated == .loopback || allowsPlainHTTP else {
      throw ServiceError(
        "is plain http, which others can read and change; use https, or allow it with --allow-http",
        at: request.url, kind: .refused)
    }
    // A name may resolve to a private address only over https: the certificate proves that this host is meant.
    if stated != nil || request.isNamedByPerson { return request.reach }
    return max(request.reach, address.scheme == "https" ? .privateNetwork : .world)
  }

  /// Returns the reason why an address is refused.
  private static func cause(_ request: HTTPRequest) -> String {
    request.isNamedByPerson
      ? "and a redirect or link from \(request.reach.name) may not lead there"
      : "and a document, link or redirect may not lead there; allow it with --allow-private"
  }

  private func fault(
    of answer: CurlAnswer, _ request: HTTPRequest, address: WebAddress, after time: Duration
  ) -> ServiceError {
    func error(_ reason: String, _ kind: ServiceError.Kind) -> ServiceError {
      ServiceError(reason, at: request.url, kind: kind)
    }
    // libcurl quotes a proxy address that it cannot parse.
    let proxyHasSecret = proxies.proxy(for: address)?.contains("@") ?? false
    let detail =
      proxyHasSecret ? "not shown: libcurl's message may contain a proxy's password" : answer.detail
    switch answer.outcome {
    case CCURL_CANCELLED: return error("was cancelled", .cancelled)
    case CCURL_TIMED_OUT:
      let seconds = Double(Int(clamping: (time / .milliseconds(100)).rounded(.up))) / 10
      let came = answer.received == 0 ? "" : "; received \(answer.received) bytes"
      return error("gave no complete answer within \(seconds) s" + came, .deadline)
    case CCURL_UNRESOLVED: return error("its host has no address (\(detail))", .refused)
    case CCURL_NO_CONNECTION:
      return error("no connection to \(address.host)" + (address.port.map { ":\($0)" } ?? ""), .connection)
    case CCURL_INSECURE:
      return error("its host could not be authenticated (\(detail))", .refused)
    case CCURL_REFUSED_ADDRESS:
      let reach = answer.reach?.name ?? "an address"
      let cause =
        request.reach > .loopback
        ? Self.cause(request) : "which is only allowed if the address itself is given"
      return error("refused: its host resolves to \(answer.address), \(reach), \(cause)", .refused)
    case CCURL_BROKEN: return error("the connection ended before the answer did", .connection)
    case CCURL_NOT_HTTP: return error("its answer is not HTTP", .answer)
    case CCURL_HEADER_TOO_LARGE: return error("the header of its answer is larger than 64 KiB", .answer)
    case CCURL_BODY_TOO_LARGE:
      if request.range != nil, answer.status == 200 { return error(HTTPResponse.wholeInsteadOfPart, .answer) }
      return error(
        "its answer is larger than \(min(largestBody, request.largestBody ?? .max)) bytes", .answer)
    case CCURL_TOO_COMPRESSED:
      return error("its answer is compressed more than \(CCURL_RATIO):1, the limit", .answer)
    case CCURL_NO_MEMORY:
      return error(
        "its answer and others in progress exceed \(memory.limit) bytes together; request less with a filter or "
          + "an extent", .memory)
    case CCURL_BAD_PACKING: return error("its compressed answer is damaged, truncated or not gzip", .answer)
    default: return error("request failed (\(detail))", .connection)
    }
  }

  private static func fields(of header: String) -> [String: String] {
    var fields: [String: String] = [:]
    for line in header.split(whereSeparator: \.isNewline) {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      fields[line[..<colon].lowercased()] = String(value)
    }
    return fields
  }
}
