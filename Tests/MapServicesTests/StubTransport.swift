import MapServices
import Synchronization

/// An in-memory service: a function from requests to answers, with a log of requests.
final class StubTransport: HTTPTransport {
  private let answer: @Sendable (HTTPRequest) async throws(ServiceError) -> HTTPResponse
  private let log = Mutex<[HTTPRequest]>([])

  init(_ answer: @escaping @Sendable (HTTPRequest) async throws(ServiceError) -> HTTPResponse) {
    self.answer = answer
  }

  /// All requests so far.
  var requests: [HTTPRequest] { log.withLock { $0 } }

  func response(
    to request: HTTPRequest, before deadline: ContinuousClock.Instant
  ) async throws(ServiceError) -> HTTPResponse {
    log.withLock { $0.append(request) }
    return try await answer(request)
  }
}

extension HTTPResponse {
  /// A successful answer in JSON.
  init(json: String, status: Int = 200) {
    self.init(status: status, header: ["content-type": "application/json"], body: Array(json.utf8), url: "")
  }
}

extension HTTPRequest {
  /// The request's parameters by name.
  var parameters: [String: String] {
    let text =
      method == .get
      ? String(url.split(separator: "?", maxSplits: 1).last ?? "") : String(decoding: body, as: UTF8.self)
    var result: [String: String] = [:]
    for pair in text.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { result[String(parts[0])] = Self.decoded(parts[1]) }
    }
    return result
  }

  private static func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%"), let code = UInt8(String(rest.prefix(2)) ?? "", radix: 16) else {
        bytes.append(byte)
        continue
      }
      bytes.append(code)
      rest = rest.dropFirst(2)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
