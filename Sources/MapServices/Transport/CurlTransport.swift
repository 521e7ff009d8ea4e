import CCurl
import MapGeometry

/// One exchange with a host by libcurl: no retry, no redirect, no secret.
///
/// Exchanges run on one thread of the process, which sleeps while nothing happens; tasks only wait for it. At most six
/// exchanges with a host are under way, the rest wait for their turn.
///
/// Why libcurl: it alone tells the address that a name led to before anything is sent. Measured on loopback against
/// URLSession and async-http-client 1.37 (2,000 answers of 20 kB, 8 at once; two busy cores, Swift 6.3.1, libcurl 7.88):
/// 0.20 s, 0.69 s, 0.20 s; 29, 38, 28 MB; cancelled within 0.4, 5 and 0.2 ms. URLSession took packed data that were cut
/// (23,735 of 25,600 bytes) for a whole answer and unpacked 300 MB of zeros without a limit; async-http-client refuses what
/// packs better than tenfold unless told, and takes minutes to build.
public struct CurlTransport: HTTPTransport {
  private let allowsPlainHTTP: Bool
  private let largestBody: Int
  private let proxies: ProxySettings
  private let authorities: String
  private let memory: ResponseMemory

  /// A transport.
  ///
  /// - Parameters:
  ///   - allowsPlainHTTP: Whether other hosts than this machine may be asked without encryption.
  ///   - limits: How large an answer may be.
  ///   - memory: What its answers share with others.
  ///   - environment: Says by `https_proxy` and its like which proxy to ask, by `SSL_CERT_FILE` whom to trust.
  public init(
    allowsPlainHTTP: Bool = false, limits: ServiceLimits = ServiceLimits(),
    memory: ResponseMemory = .shared, environment: [String: String]
  ) {
    (self.allowsPlainHTTP, largestBody, self.memory) = (allowsPlainHTTP, limits.responseBytes, memory)
    proxies = ProxySettings(environment: environment)
    authorities = environment["SSL_CERT_FILE"] ?? ""
  }

  /// The answer of the host itself, a redirect as well.
  public func response(
    to request: HTTPRequest, before deadline: ContinuousClock.Instant
  ) async throws(ServiceError) -> HTTPResponse {
    let address = try WebAddress(request.url)
    let proxy = proxies.proxy(for: address)
    let innermost = try innermost(of: address, request, isProxied: proxy != nil)
    let left = ContinuousClock.now.duration(to: deadline)
    guard left > .zero else {
      throw ServiceError("there was no time left to ask it", at: request.url, kind: .deadline)
    }
    guard !Task.isCancelled else { throw ServiceError("was cancelled", at: request.url, kind: .cancelled) }
    var header = ["User-Agent": "MapState", "Accept-Encoding": "gzip", "Expect": ""]
    header.merge(request.header) { _, own in own }
    let lines = header.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\n" }.joined()
    // A line end within a field would begin another field, a zero byte would end them all.
    guard lines.utf8.count(where: { $0 == 0x0A }) == header.count,
      !lines.utf8.contains(where: { $0 == 0x0D || $0 == 0 })
    else { throw ServiceError("a field of the header has a line end in it", at: request.url, kind: .refused) }
    let exchange = CurlExchange(
      url: address.description, host: address.origin, proxy: proxy ?? "", authorities: authorities,
      header: lines, isPost: request.method == .post, body: request.body,
      milliseconds: Int64(clamping: min(left / .milliseconds(1), 1e15)) + 1, largestBody: largestBody,
      innermost: innermost, memory: memory)
    let answer: CurlAnswer
    switch await exchange.answer() {
    case .success(let some): answer = some
    case .failure(let fault): throw ServiceError(fault.reason, at: request.url, kind: .refused)
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

  /// How near the address may lie that a host's name leads to.
  private func innermost(
    of address: WebAddress, _ request: HTTPRequest, isProxied: Bool
  ) throws(ServiceError) -> NetworkReach {
    let stated = NetworkReach(host: address.host)
    // A proxy looks up names that are not seen from here, so that they are judged as they are written.
    if let near = stated ?? (isProxied ? NetworkReach(writtenHost: address.host) : nil), near < request.reach
    {
      throw ServiceError("is \(near.name), \(Self.cause(request))", at: request.url, kind: .refused)
    }
    guard address.scheme == "https" || stated == .loopback || allowsPlainHTTP else {
      throw ServiceError(
        "is plain http, which others can read and change; use https, or allow it with --allow-http",
        at: request.url, kind: .refused)
    }
    // A name may lead to a private address where a certificate proves that it is meant; nothing proves it else.
    if stated != nil || request.isNamedByPerson { return request.reach }
    return max(request.reach, address.scheme == "https" ? .privateNetwork : .world)
  }

  /// Why an address may not be asked.
  private static func cause(_ request: HTTPRequest) -> String {
    request.isNamedByPerson
      ? "to which what comes from \(request.reach.name) may not lead"
      : "to which a document, a link or a redirect may not lead; allow it with --allow-private"
  }

  private func fault(
    of answer: CurlAnswer, _ request: HTTPRequest, address: WebAddress, after time: Duration
  ) -> ServiceError {
    func error(_ reason: String, _ kind: ServiceError.Kind) -> ServiceError {
      ServiceError(reason, at: request.url, kind: kind)
    }
    // libcurl quotes a proxy's address that it cannot read.
    let proxyHasSecret = proxies.proxy(for: address)?.contains("@") ?? false
    let detail = proxyHasSecret ? "the words of libcurl may hold a proxy's password" : answer.detail
    switch answer.outcome {
    case CCURL_CANCELLED: return error("was cancelled", .cancelled)
    case CCURL_TIMED_OUT:
      let seconds = Double(Int(clamping: (time / .milliseconds(100)).rounded(.up))) / 10
      let came = answer.received == 0 ? "" : "; \(answer.received) bytes of it came"
      return error("gave no whole answer within \(seconds) s" + came, .deadline)
    case CCURL_UNRESOLVED: return error("its host has no address (\(detail))", .refused)
    case CCURL_NO_CONNECTION:
      return error("nobody answers at \(address.host)" + (address.port.map { ":\($0)" } ?? ""), .connection)
    case CCURL_INSECURE:
      return error("its host could not prove who it is (\(detail))", .refused)
    case CCURL_REFUSED_ADDRESS:
      let reach = answer.reach?.name ?? "an address"
      let cause =
        request.reach > .loopback
        ? Self.cause(request) : "which is only asked when the address itself is named"
      return error("its host leads to \(answer.address), \(reach), \(cause)", .refused)
    case CCURL_BROKEN: return error("the connection ended before the answer did", .connection)
    case CCURL_NOT_HTTP: return error("what came is no HTTP", .answer)
    case CCURL_HEADER_TOO_LARGE: return error("the header of its answer is larger than 64 KiB", .answer)
    case CCURL_BODY_TOO_LARGE:
      return error("its answer is larger than \(largestBody) bytes", .answer)
    case CCURL_NO_MEMORY:
      return error(
        "its answer and those under way with it are larger than \(memory.limit) bytes together; ask for less with a "
          + "filter or an extent", .memory)
    case CCURL_BAD_PACKING: return error("its packed answer is damaged, cut or no gzip", .answer)
    default: return error("could not be asked (\(detail))", .connection)
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
