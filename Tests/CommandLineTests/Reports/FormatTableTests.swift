import Foundation
import MapTestSupport
import Testing

/// The tables of formats in the guide.
///
/// Each of their lines has cases in the folder `Cases/tables`.
@Suite("Reports: tables of formats") struct FormatTableTests {
  private static let lines = FormatTable.lines(in: "tables")

  /// The lines of the guide's tables: the heading above the table, and the first cell.
  private static func guide() throws -> [String] {
    var (lines, heading, isRow) = ([String](), "", false)
    for line in try GuideText.text(of: "Sources/Engine/MapState/MapState.docc/Formats.md").split(
      separator: "\n", omittingEmptySubsequences: false)
    {
      if line.hasPrefix("#") { heading = String(line.drop { $0 == "#" }.dropFirst()) }
      guard line.hasPrefix("| ") || line.hasPrefix("|-") else {
        isRow = false
        continue
      }
      // The first two lines of a table are no rows.
      if line.hasPrefix("|-") {
        isRow = true
      } else if isRow, let cell = line.firstMatch(of: #/^\| ((?:[^|\\]|\\.)*?) \|/#) {
        lines.append("\(heading): \(cell.1)")
      }
    }
    // Measured numbers of the benchmarks.
    return lines.filter { !$0.hasPrefix("Memory: ") }
  }

  @Test("Every line of the tables of formats has cases, and every case has a line")
  func everyLineHasCases() throws {
    let guide = try Self.guide()
    let cases = Self.lines.map(\.testDescription)
    #expect(guide.count >= 138)
    #expect(Set(guide).count == guide.count)
    for line in Set(guide).subtracting(cases).sorted() { Issue.record("no case: \(line)") }
    for line in Set(cases).subtracting(guide).sorted() { Issue.record("no line in the guide: \(line)") }
    for line in Self.lines {
      let runs = line.actions.count { if case .run = $0 { true } else { false } }
      #expect(runs > 0 && line.actions.count > runs, "\(line.testDescription)")
    }
  }

  @Test("A line of the tables of formats is true", arguments: lines)
  func lineIsTrue(_ line: FormatTable.Line) async throws { try await line.run() }
}
