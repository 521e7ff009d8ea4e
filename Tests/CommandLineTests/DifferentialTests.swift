import Foundation
import MapTestSupport
import Testing

/// Statistics and ordered queries compared with SQLite, by `sqlite_differential.py` over one pipe.
@Suite("against SQLite")
struct DifferentialTests {
  private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("sqlite_differential.py").path

  @Test("Random statistics and orders equal those of an independent Python script")
  func statisticsAndOrder() async throws {
    let run = try await Tool.run(
      ["python3", Self.script, Tool.url.path, Tool.countyData, "1200"],
      program: URL(fileURLWithPath: "/usr/bin/env"))
    #expect(run.code == 0, "\(run.err)")
    let numbers = run.out.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    // Numbers of all queries, grouped queries, ordered queries, and queries with some but not all rows.
    try #require(numbers.count == 4)
    #expect(numbers[0] == 1200, "\(numbers)")
    #expect(numbers[1] > 150, "\(numbers)")
    #expect(numbers[2] == 300, "\(numbers)")
    #expect(numbers[3] > 480, "\(numbers)")
  }
}
