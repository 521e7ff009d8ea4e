import Foundation
import MapTestSupport
import Testing

/// The tables of formats in the guide.
///
/// Each of their lines has cases in the folder `Cases/tables`.
@Suite("Reports: tables of formats") struct FormatTableTests {
  private static let folder = Tool.project.appendingPathComponent(
    "Tests/CommandLineTests/Reports/Cases/tables")
  private static let lines: [FormatTable.Line] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".txt") }.sorted().flatMap { name in
      do {
        return try FormatTable(
          try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
        ).lines
      } catch {
        Issue.record("\(name): \(error)")
        return []
      }
    }
  }()

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
  func lineIsTrue(_ line: FormatTable.Line) async throws {
    let folder = try ScratchFolder()
    var last: (command: String, run: Tool.Run, code: Int32)?
    func checkCode() {
      guard let last else { return }
      #expect(last.run.code == last.code && !last.run.isSignal, "\(last.command)\n\(last.run)")
    }
    for action in line.actions {
      switch action {
      case .write(let bytes, let name): try folder.write(Data(bytes), to: name)
      case .copy(let path):
        let name = try #require(path.split(separator: "/").last)
        try FileManager.default.copyItem(
          at: Tool.project.appendingPathComponent(path), to: folder.url(String(name)))
      case .run(let command):
        checkCode()
        let run = try await Tool.run(
          ["-c", "export PATH=\"\(Tool.builtFolder.path):$PATH\"; \(command)"], folder: folder.root,
          program: URL(fileURLWithPath: "/bin/bash"))
        last = (command, run, 0)
      case .exit(let code): last?.code = code
      case .out(let text):
        let (command, run, _) = try #require(last)
        #expect(run.out.contains(text), "\(command)\n\(run)")
      case .err(let text):
        let (command, run, _) = try #require(last)
        #expect(run.err.contains(text), "\(command)\n\(run)")
      case .neither(let text):
        let (command, run, _) = try #require(last)
        #expect(!run.out.contains(text) && !run.err.contains(text), "\(command)\n\(run)")
      case .silent:
        let (command, run, _) = try #require(last)
        #expect(run.err.isEmpty, "\(command)\n\(run)")
      }
    }
    checkCode()
  }
}
