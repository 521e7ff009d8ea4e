import Foundation
import MapStateCommand
import MapTestSupport
import Testing

/// Every example of README and the guide, as it is written.
@Suite struct GuideTests {
  /// The first bytes of a PNG file.
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47]

  /// The folders of a clone that examples use, copied, so that examples write nothing into the project.
  private static func clone() throws -> ScratchFolder {
    let scratch = try ScratchFolder()
    for name in ["Styles", "Snapshots"] {
      try FileManager.default.copyItem(
        at: Tool.project.appendingPathComponent(name), to: scratch.url(name))
    }
    return scratch
  }

  /// Runs a script with the tool on its path, with both streams in one.
  private static func run(_ program: String, _ script: String, in folder: ScratchFolder) async throws
    -> Tool.Run
  {
    let file = try folder.write(script, to: "example")
    return try await Tool.run(
      ["-c", "export PATH=\"\(Tool.builtFolder.path):$PATH\"; exec \(program) \"\(file)\" 2>&1"],
      folder: folder.root, program: URL(fileURLWithPath: "/bin/bash"))
  }

  @Test("The examples of README and the guide run and print the shown output", arguments: GuideText.articles)
  func examples(article: String) async throws {
    let examples = try GuideText.examples(of: article).filter { !["swift", "ipython"].contains($0.language) }
    guard !examples.isEmpty else { return }
    let folder = try Self.clone()
    var server: TestServer?
    defer { server?.stop() }
    for example in examples {
      var code = example.code
      if code.contains("https://gis.example.com") {
        if server == nil {
          server = try TestServer(
            Tool.project.appendingPathComponent("Tests/MapServicesTests/Servers/arcgis_server.py"),
            [Tool.style("data")])
        }
        code = code.replacing("https://gis.example.com", with: try #require(server).address)
      }
      let run: Tool.Run
      switch example.language {
      case "sh": run = try await Self.run("bash -euo pipefail", code, in: folder)
      case "python": run = try await Self.run("python3", code, in: folder)
      case "json":
        try folder.write(code, to: try #require(example.fileName, "\(article): a document without a name"))
        continue
      case "yaml":
        try Self.checkOptions(code)
        continue
      default:
        Issue.record("\(article): examples in \(example.language) are not run")
        continue
      }
      #expect(run.code == example.exitCode, "\(article): \(code)\n\(run.out)")
      #expect(example.shows(run.out), "\(article): \(code)\n\(run.out)")
      for image in code.matches(of: #/(?:-o |output=")([\w-]+\.png)/#) {
        let bytes = try Data(contentsOf: folder.url(String(image.1)))
        #expect(bytes.starts(with: Self.signature), "\(article): \(image.1)")
      }
    }
  }

  /// Expects that the commands of a workflow, which only GitHub runs, have the options that it gives them.
  private static func checkOptions(_ workflow: String) throws {
    let commands = try CommandInfo.tool().all
    var count = 0
    for line in workflow.split(separator: "\n").compactMap({ $0.split(separator: "- run: ").last }) {
      let words = line.split(separator: " ").map { String($0) }
      guard words.first == "mapstate" else { continue }
      let known = commands.filter { words.starts(with: $0.path) }.max { $0.path.count < $1.path.count }
      let names = try #require(known, "\(line)").options.flatMap(\.names)
      for word in words where word.hasPrefix("--") { #expect(names.contains(word), "\(line)") }
      count += 1
    }
    #expect(count == 2)
  }

  @Test("README and the guide have as many examples as were counted")
  func counted() throws {
    let examples = try GuideText.articles.flatMap { try GuideText.examples(of: $0) }
    let counts = Dictionary(grouping: examples, by: \.language).mapValues(\.count)
    #expect(counts == ["sh": 76, "python": 1, "ipython": 12, "json": 8, "swift": 5, "yaml": 1])
    #expect(examples.count { $0.output != nil } == 54)
    #expect(try GuideText.text(of: "README.md").count { $0 == "\n" } <= 160)
  }

  @Test(
    "Shown output matches its text exactly, apart from the ellipsis",
    arguments: [
      ("a\nb", "a\nb\n", true), ("a…", "abc", true), ("…c", "abc", true), ("a…c\n", "abc", true),
      ("a\n…\nd", "a\nb\nc\nd", true), ("b", "ab", false), ("a", "ab", false), ("a…c", "abd", false),
      ("a…c", "xabc", false),
    ])
  func shownOutput(shown: String, text: String, matches: Bool) {
    #expect(GuideText.matches(text, shown) == matches)
  }

  @Test("Relative links of README and the project files lead to files")
  func links() throws {
    var count = 0
    for name in ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"] {
      for link in try GuideText.text(of: name).matches(of: #/\]\(([^)#]+)[^)]*\)/#) {
        guard !link.1.contains("://") else { continue }
        count += 1
        let path = Tool.project.appendingPathComponent(String(link.1)).path
        #expect(FileManager.default.fileExists(atPath: path), "\(name): \(link.1)")
      }
    }
    #expect(count >= 15)
  }

  /// Returns the path of a source file that is named by its module's folder.
  private static func source(_ path: String) throws -> String {
    let sources = Tool.project.appendingPathComponent("Sources")
    let groups = try FileManager.default.contentsOfDirectory(atPath: sources.path)
    let module = path.prefix { $0 != "/" }
    let group = groups.first {
      FileManager.default.fileExists(atPath: sources.appendingPathComponent("\($0)/\(module)").path)
    }
    return "Sources/\(group ?? "")/\(path)"
  }

  @Test("Source files that the project files and the guide name exist")
  func sourceFiles() throws {
    let path = #/`((?:Map|Tests\/|Scripts\/)[\w\/+.-]*\.[a-z]+)`/#
    var count = 0
    for name in ["CONTRIBUTING.md", "SECURITY.md"] + GuideText.articles {
      for file in try GuideText.text(of: name).matches(of: path) {
        let path = file.1.hasPrefix("Map") ? try Self.source(String(file.1)) : String(file.1)
        // The list of intended breaks begins with the first.
        guard path != "Scripts/api-changes.txt", !path.contains("SUBJECT") else { continue }
        count += 1
        #expect(
          FileManager.default.fileExists(atPath: Tool.project.appendingPathComponent(path).path),
          "\(name): \(path)")
      }
    }
    #expect(count >= 50)
  }
}
