import Foundation
import MapJSON
import MapStateCommand
import MapSystem
import MapTestSupport
import Testing

/// The catalogue of errors.
@Suite("help errors")
struct ErrorTopicTests {
  private static let examples = ErrorTopic.all.flatMap { topic in topic.examples.map { (topic, $0) } }

  @Test("Each example of the catalogue fails with its kind, its exit code and its message")
  func examples() async throws {
    #expect(Self.examples.count >= 10)
    let clone = try ScratchFolder()
    try FileManager.default.createSymbolicLink(
      at: clone.url("Styles"), withDestinationURL: Tool.project.appendingPathComponent("Styles"))
    for (topic, example) in Self.examples {
      let script = "export PATH=\(Tool.builtFolder.path):$PATH; \(example.command)"
      let run = try await Tool.run(
        ["-c", script], folder: clone.root, program: URL(fileURLWithPath: "/bin/bash"))
      #expect(run.code == topic.kind.exitCode, "\(example.command): \(run)")
      let error = run.err.split(separator: "\n").last { $0.hasPrefix("error: ") }
      #expect(error?.contains(example.message) == true, "\(example.command): \(run.err)")
    }
  }

  @Test("An error in JSON has the name of its kind")
  func kinds() async throws {
    var kinds: Set<String> = []
    for (topic, example) in Self.examples where !example.command.contains("render") {
      let words = example.command.replacing("'", with: "").split(separator: " ").dropFirst().map(String.init)
      // The value of --where has blanks.
      guard !example.command.contains("'") else { continue }
      let run = try await Tool.run(words + ["--format", "json"], folder: Tool.project)
      let line = run.err.split(separator: "\n").last { $0.hasPrefix("{") } ?? ""
      let json = try JSONValue(parsing: Array(line.utf8))
      #expect(json["error"]?["kind"]?.string == "\(topic.kind)", "\(run)")
      kinds.insert("\(topic.kind)")
    }
    #expect(kinds == ["expectation", "input", "service", "usage"])
  }

  @Test(
    "The help lists every kind with its exit code, in lines of 100 columns, and the article has the same kinds"
  )
  func text() async throws {
    let run = try await Tool.run("help", "errors")
    #expect(run.code == 0 && run.out == ErrorTopic.text)
    let article = try GuideText.text(of: "Sources/Engine/MapState/MapState.docc/Errors.md")
    for topic in ErrorTopic.all {
      #expect(run.out.contains("\(topic.kind) (exit code \(topic.kind.exitCode)): "))
      #expect(article.contains("| `\(topic.kind)` | \(topic.kind.exitCode) |"))
      for example in topic.examples { #expect(article.contains(example.command), "\(example.command)") }
    }
    #expect(run.out.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }
}
