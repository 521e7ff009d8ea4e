import MapSystem

import FoundationEssentials
import Synchronization

/// A folder of recorded exchanges; each exchange is written completely or not at all.
package final class ServiceRecording: Sendable {
  private let folder: String
  /// The number of requests by key; nil before the folder was checked.
  private let turns = Mutex<[ExchangeKey: Int]?>(nil)
  /// The answers of a run that stopped; nil for a new recording.
  private let earlier: ReplayedTransport?

  /// Creates a recording.
  ///
  /// - Parameter isResumed: whether the folder may hold a recording, whose answers are used instead of requests.
  package init(folder: String, isResumed: Bool = false) {
    self.folder = folder
    earlier = isResumed ? ReplayedTransport(folder: folder) : nil
  }

  /// Returns the answer to a request from the run that stopped; nil if it must be sent.
  ///
  /// An answer about a fault is no answer.
  /// - Throws: ``ServiceError`` for a recording that cannot be read.
  func kept(_ request: HTTPRequest) throws(ServiceError) -> HTTPResponse? {
    guard let earlier else { return nil }
    let key = ExchangeKey.of(request).key
    do {
      return try turns.withLock { turns throws(FileError) in
        if turns == nil {
          try FileAccess.makeFolder(folder)
          turns = [:]
        }
        let turn = turns?[key] ?? 0
        guard let answer = try earlier.answer(to: key, turn: turn), answer.status < 400 else { return nil }
        turns?[key] = turn + 1
        return answer
      }
    } catch {
      throw ServiceError("\(error)", at: request.url, kind: .refused)
    }
  }

  /// Writes a request and its answer without secrets.
  ///
  /// - Throws: ``ServiceError`` if they cannot be written.
  func keep(_ request: HTTPRequest, _ response: HTTPResponse) throws(ServiceError) {
    let (key, secrets) = ExchangeKey.of(request)
    do {
      let turn = try nextTurn(of: key)
      let echo = SecretEcho(secrets)
      let clean = HTTPResponse(
        status: response.status, header: response.header.mapValues { echo.masking($0) },
        body: echo.masking(response.body), url: response.url)
      let exchange = ServiceExchange(key: key, response: clean, turn: turn)
      // Both files are written or neither. The body is first, because the file that names it must not exist
      // without it.
      try FileAccess.write([
        (clean.body, "\(folder)/\(exchange.bodyName)"), (exchange.json, "\(folder)/\(exchange.name)"),
      ])
    } catch {
      throw ServiceError("its answer cannot be recorded (\(error))", at: request.url, kind: .refused)
    }
  }

  private func nextTurn(of key: ExchangeKey) throws(FileError) -> Int {
    try turns.withLock { turns throws(FileError) in
      var known = turns ?? [:]
      if turns == nil {
        try FileAccess.makeFolder(folder)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        guard !names.contains(where: { $0.hasSuffix(ServiceExchange.suffix) }) else {
          throw FileError(
            path: folder,
            reason: "holds a recording already; continue it with --resume, or name another folder")
        }
      }
      known[key, default: 0] += 1
      turns = known
      return known[key] ?? 1
    }
  }
}

/// A transport that records every answer.
package struct RecordedTransport: HTTPTransport {
  package let base: any HTTPTransport
  package let recording: ServiceRecording

  package init(base: any HTTPTransport, recording: ServiceRecording) {
    (self.base, self.recording) = (base, recording)
  }

  package func response(
    to request: HTTPRequest, before deadline: ContinuousClock.Instant
  ) async throws(ServiceError) -> HTTPResponse {
    if let kept = try recording.kept(request) { return kept }
    let response = try await base.response(to: request, before: deadline)
    try recording.keep(request, response)
    return response
  }
}
