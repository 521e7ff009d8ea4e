import Foundation
import MapServices
import MapTestSupport
import Testing

/// The rows of `Servers/http-faults.md`.
@Suite struct FaultTableTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let path: String
    let seen: String
    var testDescription: String { path }
  }

  static let rows: [Row] = {
    let text =
      (try? String(contentsOf: FaultyServer.folder.appendingPathComponent("http-faults.md"), encoding: .utf8))
      ?? ""
    return text.split(separator: "\n").filter { $0.hasPrefix("| `/") }.map { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      return Row(path: cells[0].trimmingCharacters(in: ["`"]), seen: cells[2])
    }
  }()

  @Test("The fault table has 29 rows")
  func everyRowIsRead() { #expect(Self.rows.count == 29) }

  @Test("Each HTTP fault gives the documented error", arguments: rows)
  func faultIsSeen(row: Row) async throws {
    let url = try FaultyServer.address() + row.path
    // A busy machine may need seconds for the first bytes, and longer for rows that do not test a timeout.
    let isTimed = row.seen.hasPrefix("gave no")
    let error = await #expect(throws: ServiceError.self) {
      try await FaultyServer.network(seconds: isTimed ? 5 : 600).response(to: HTTPRequest(get: url))
    }
    let reason = error?.reason.replacing(/received \d+ bytes/, with: "received N bytes")
      .replacing(/within 5.0 s/, with: "within 0.5 s")
    #expect(reason == row.seen)
    // The target of a redirect is a separate address; no error contains a query.
    #expect(error?.url.contains("?") == false)
  }

  @Test("A refused connection is retried and reported with the number of tries")
  func deadPortIsTriedAgain() async throws {
    let error = await #expect(throws: ServiceError.self) {
      try await FaultyServer.network(seconds: 600, tries: 3).response(
        to: HTTPRequest(get: "http://127.0.0.1:1/x?token=secret"))
    }
    #expect(error?.description == "http://127.0.0.1:1/x: no connection to 127.0.0.1:1; tried 3 times")
  }

  @Test("A host name that does not resolve is an error")
  func hostWithoutAddress() async throws {
    // RFC 6761: this name never resolves.
    let error = await #expect(throws: ServiceError.self) {
      try await FaultyServer.network(seconds: 600).response(to: HTTPRequest(get: "https://nowhere.invalid/"))
    }
    #expect(error?.reason.hasPrefix("its host has no address") == true, "\(error?.reason ?? "")")
  }

  /// The truncation cannot be detected here, so the reader of the content must detect it.
  @Test("Bytes beyond the declared length are dropped and do not reach the next answer")
  func lengthThatIsTooShortCutsTheAnswer() async throws {
    #expect(try await FaultyServer.text("/too-short") == "01234")
    // The remaining bytes do not become part of the next answer.
    let own = try FaultyServer.another()
    let client = FaultyServer.network(seconds: 600, tries: 1)
    for _ in 0..<20 {
      #expect(
        try await client.response(to: HTTPRequest(get: own.address + "/too-short-kept")).body.count == 5)
      #expect(try await client.response(to: HTTPRequest(get: own.address + "/plain")).body.count == 11)
    }
  }
}
