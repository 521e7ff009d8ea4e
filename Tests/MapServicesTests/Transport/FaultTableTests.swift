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

  @Test func everyRowIsRead() { #expect(Self.rows.count == 28) }

  @Test(arguments: rows) func faultIsSeen(row: Row) async throws {
    let url = try FaultyServer.address() + row.path
    // A busy machine may need longer than half a second where no time is meant to run out.
    let isTimed = row.seen.hasPrefix("gave no")
    let error = await #expect(throws: ServiceError.self) {
      try await FaultyServer.network(seconds: isTimed ? 0.5 : 600).response(to: HTTPRequest(get: url))
    }
    let reason = error?.reason.replacing(/; \d+ bytes/, with: "; N bytes")
      .replacing(/within 0.\d s/, with: "within 0.5 s")
    #expect(reason == row.seen)
    // Where a redirect leads is an address of its own; no error has a query.
    #expect(error?.url.contains("?") == false)
  }

  @Test func deadPortIsTriedAgain() async throws {
    let error = await #expect(throws: ServiceError.self) {
      try await FaultyServer.network(seconds: 600, tries: 3).response(
        to: HTTPRequest(get: "http://127.0.0.1:1/x?token=secret"))
    }
    #expect(error?.description == "http://127.0.0.1:1/x: nobody answers at 127.0.0.1:1; tried 3 times")
  }

  @Test func hostWithoutAddress() async throws {
    // RFC 6761: this name never has one.
    let error = await #expect(throws: ServiceError.self) {
      try await FaultyServer.network(seconds: 600).response(to: HTTPRequest(get: "https://nowhere.invalid/"))
    }
    #expect(error?.reason.hasPrefix("its host has no address") == true, "\(error?.reason ?? "")")
  }

  /// What cannot be seen from here is the content's reader's to see.
  @Test func lengthThatIsTooShortCutsTheAnswer() async throws {
    #expect(try await FaultyServer.text("/too-short") == "01234")
    // What was left over does not begin the next answer.
    let own = try FaultyServer.another()
    let client = FaultyServer.network(seconds: 600, tries: 1)
    for _ in 0..<20 {
      #expect(
        try await client.response(to: HTTPRequest(get: own.address + "/too-short-kept")).body.count == 5)
      #expect(try await client.response(to: HTTPRequest(get: own.address + "/plain")).body.count == 11)
    }
  }
}
