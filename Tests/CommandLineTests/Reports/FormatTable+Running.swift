import Foundation
import MapTestSupport
import Testing

extension FormatTable {
  /// The lines of the files in a folder of `Reports/Cases`.
  static func lines(in folder: String) -> [Line] {
    let folder = Tool.project.appendingPathComponent("Tests/CommandLineTests/Reports/Cases/\(folder)")
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
  }
}

extension FormatTable.Line {
  /// Does what the line says in a folder of its own, and expects its texts and codes.
  func run() async throws {
    let folder = try ScratchFolder()
    var last: (command: String, run: Tool.Run, code: Int32)?
    func checkCode() {
      guard let last else { return }
      #expect(last.run.code == last.code && !last.run.isSignal, "\(last.command)\n\(last.run)")
    }
    for action in actions {
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
