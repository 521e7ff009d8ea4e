/// Answers from a cache, and keeps the answers of the transport below.
///
/// An answer is used until it expires. Then the server is asked whether it has changed, if it has given a tag or a
/// date. Only 200, and statuses of a tile that does not exist, are kept.
package struct CachedTransport: HTTPTransport {
  private let base: any HTTPTransport
  private let cache: AnswerCache?
  private let isOffline: Bool
  private let innermost: NetworkReach
  private let age: Int
  private let isGood: @Sendable ([UInt8]) -> Bool
  private let now: @Sendable () -> Int

  /// The statuses of content that a server does not have.
  package static let absent: Set<Int> = [204, 404, 410]

  /// The time that a tile is used without another statement of the server, in seconds.
  ///
  /// - Source: the tile usage policy of OpenStreetMap asks for seven days.
  package static let tileAge = 7 * 86_400
  /// The same for content that a server does not have.
  ///
  /// - Source: design decision.
  static let absentAge = 3600
  /// The longest time that an answer is used.
  ///
  /// - Source: RFC 2616, 14.21, advises servers not to exceed a year.
  private static let longestAge = 365 * 86_400

  /// Adds a cache over a transport.
  ///
  /// - Parameters:
  ///   - base: The transport.
  ///   - cache: The kept answers; nil for none.
  ///   - isOffline: Whether only kept answers are used, also those that have expired.
  ///   - innermost: The innermost reach of answers that may be used.
  ///   - age: The time in seconds that an answer is used if the server states none.
  ///   - isGood: Whether a body may be kept; a page that a login requires may not.
  ///   - now: Returns the seconds since 1970.
  package init(
    over base: any HTTPTransport, cache: AnswerCache?, isOffline: Bool, innermost: NetworkReach,
    age: Int = CachedTransport.tileAge, isGood: @escaping @Sendable ([UInt8]) -> Bool,
    now: @escaping @Sendable () -> Int
  ) {
    (self.base, self.cache, self.isOffline, self.innermost) = (base, cache, isOffline, innermost)
    (self.age, self.isGood, self.now) = (age, isGood, now)
  }

  /// Returns the kept answer, or that of the transport below.
  ///
  /// - Throws: ``ServiceError``.
  package func response(
    to request: HTTPRequest, before deadline: ContinuousClock.Instant
  ) async throws(ServiceError) -> HTTPResponse {
    let key = ExchangeKey.of(request).key
    var known = request.method == .get ? cache?.entry(for: key) : nil
    if let entry = known, entry.reach < innermost || request.refreshes && !isOffline { known = nil }
    let isCurrent = known.map { $0.version != nil && $0.version == request.version } ?? false
    if let known, isOffline || isCurrent || known.expires > now() {
      return Self.response(known, at: request.url)
    }
    guard !isOffline else {
      throw ServiceError(
        "is not in the cache, and --offline sends no requests", at: request.url, kind: .refused)
    }
    var asked = request
    asked.header["If-None-Match"] = known?.tag
    asked.header["If-Modified-Since"] = known?.tag == nil ? known?.modified : nil
    let response = try await base.response(to: asked, before: deadline)
    guard let cache, request.method == .get else { return response }
    if response.status == 304, var known {
      known.expires = now() + (lifetime(response) ?? 0)
      cache.keep(known, for: key)
      return Self.response(known, at: request.url)
    }
    // An answer to a request for a part is kept if it is a part.
    let isContent = response.status == (request.range == nil ? 200 : 206)
    let isKept = isContent ? isGood(response.body) : Self.absent.contains(response.status)
    if isKept, let time = lifetime(response) {
      cache.keep(
        AnswerCache.Entry(
          status: response.status, expires: now() + time, tag: response.header["etag"],
          modified: response.header["last-modified"], reach: response.reach,
          type: response.header["content-type"] ?? "",
          contentRange: isContent ? response.header["content-range"] : nil,
          body: isContent ? response.body : []),
        for: key)
    }
    return response
  }

  private static func response(_ entry: AnswerCache.Entry, at url: String) -> HTTPResponse {
    var header = ["content-type": entry.type]
    header["content-range"] = entry.contentRange
    (header["etag"], header["last-modified"]) = (entry.tag, entry.modified)
    var response = HTTPResponse(status: entry.status, header: header, body: entry.body, url: url)
    response.reach = entry.reach
    return response
  }

  /// Returns the seconds for which an answer is used; nil if it must not be kept.
  ///
  /// - Source: RFC 9111, 5.2.2 and 5.3.
  private func lifetime(_ response: HTTPResponse) -> Int? {
    let control = (response.header["cache-control"] ?? "").lowercased().split(separator: ",").map {
      String($0.filter { !$0.isWhitespace })
    }
    if control.contains("no-store") { return nil }
    if control.contains("no-cache") { return 0 }
    func seconds(_ text: Substring) -> Int { min(max(Int(text) ?? 0, 0), Self.longestAge) }
    if let age = control.first(where: { $0.hasPrefix("max-age=") }) {
      return max(seconds(age.dropFirst(8)) - seconds(response.header["age"].map { $0[...] } ?? "0"), 0)
    }
    if let date = response.header["expires"] {
      return min(max((HTTPDate.seconds(date) ?? 0) - now(), 0), Self.longestAge)
    }
    return [200, 206, 304].contains(response.status) ? age : min(age, Self.absentAge)
  }
}

/// A transport without a network, for `--offline`.
package struct OfflineTransport: HTTPTransport {
  package init() {}

  package func response(
    to request: HTTPRequest, before deadline: ContinuousClock.Instant
  ) async throws(ServiceError) -> HTTPResponse {
    throw ServiceError("is not asked, because --offline sends no requests", at: request.url, kind: .refused)
  }
}
