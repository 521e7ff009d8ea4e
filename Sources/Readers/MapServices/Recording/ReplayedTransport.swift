import FoundationEssentials
import MapJSON
import MapSystem
import Synchronization

/// A transport that answers only from a recording, without a network.
///
/// The n-th request with the same key gets its n-th answer; further requests get the last answer.
package final class ReplayedTransport: HTTPTransport {
  private struct Answer {
    let status: Int
    let header: [String: String]
    let url: String
    let body: String
  }

  private struct Contents {
    var answers: [ExchangeKey: [Answer]] = [:]
    var turns: [ExchangeKey: Int] = [:]
    var count = 0
  }

  private let folder: String
  private let contents = Mutex<Contents?>(nil)

  package init(folder: String) { self.folder = folder }

  package func response(
    to request: HTTPRequest, before deadline: ContinuousClock.Instant
  ) async throws(ServiceError) -> HTTPResponse {
    let key = ExchangeKey.of(request).key
    do {
      let answer = try next(for: key)
      let body = try FileAccess.read("\(folder)/\(answer.body)")
      return HTTPResponse(status: answer.status, header: answer.header, body: body, url: answer.url)
    } catch {
      throw ServiceError("\(error)", at: request.url, kind: .refused)
    }
  }

  /// Returns the answer to a request with a key and its number from 0 among those with the key; nil if there is none.
  ///
  /// - Throws: `FileError` for a recording that cannot be read.
  func answer(to key: ExchangeKey, turn: Int) throws(FileError) -> HTTPResponse? {
    let answer = try contents.withLock { kept throws(FileError) in
      let contents: Contents
      if let kept { contents = kept } else { contents = try read() }
      kept = contents
      let answers = contents.answers[key] ?? []
      return answers.indices.contains(turn) ? answers[turn] : nil
    }
    return try answer.map { answer throws(FileError) in
      HTTPResponse(
        status: answer.status, header: answer.header, body: try FileAccess.read("\(folder)/\(answer.body)"),
        url: answer.url)
    }
  }

  private func next(for key: ExchangeKey) throws(FileError) -> Answer {
    try contents.withLock { kept throws(FileError) in
      var contents: Contents
      if let kept { contents = kept } else { contents = try read() }
      let turn = contents.turns[key, default: 0]
      contents.turns[key] = turn + 1
      kept = contents
      guard let answers = contents.answers[key], let last = answers.last else {
        throw FileError(
          path: folder, reason: "has no answer to \(key.summary); recorded answers: \(contents.count)")
      }
      return turn < answers.count ? answers[turn] : last
    }
  }

  private func read() throws(FileError) -> Contents {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      throw FileError(path: folder, reason: "is not a readable folder")
    }
    var contents = Contents()
    var found: [ExchangeKey: [(turn: Int, answer: Answer)]] = [:]
    for name in names where name.hasSuffix(ServiceExchange.suffix) {
      let path = "\(folder)/\(name)"
      let json: JSONValue
      do { json = try JSONValue(parsing: FileAccess.read(path)) } catch let error as FileError {
        throw error
      } catch {
        throw FileError(path: path, reason: "\(error)")
      }
      guard let method = json["method"]?.string, let url = json["url"]?.string,
        let turn = json["turn"]?.integer, let status = json["status"]?.integer,
        let body = json["body"]?.string, !body.contains("/"), 100...599 ~= status
      else { throw FileError(path: path, reason: "is not a recorded exchange") }
      let key = ExchangeKey(
        method: method, url: url, form: json["form"]?.string ?? "",
        range: json["range"]?.string ?? "")
      let header = (json["header"]?.object?.members ?? []).map { ($0.name, $0.value.string ?? "") }
      let answer = Answer(
        status: status, header: Dictionary(header) { _, last in last },
        url: json["answeredAt"]?.string ?? url, body: body)
      found[key, default: []].append((turn, answer))
      contents.count += 1
    }
    contents.answers = found.mapValues { $0.sorted { $0.turn < $1.turn }.map(\.answer) }
    return contents
  }
}
