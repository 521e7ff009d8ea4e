import Foundation
import MapState
import Testing

/// Every example of README runs: the shell's and Python's as they stand, Swift's as it stands here.
@Suite struct ReadmeTests {
  /// The fenced blocks of README in one language, in order.
  private static func blocks(_ language: String) throws -> [String] {
    let text = try String(contentsOf: Tool.project.appendingPathComponent("README.md"), encoding: .utf8)
    var blocks: [String] = []
    var block: [String]?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line == "```", let lines = block {
        blocks.append(lines.joined(separator: "\n"))
        block = nil
      } else if block != nil {
        block?.append(String(line))
      } else if line == "```\(language)" {
        block = []
      }
    }
    return blocks
  }

  /// A clone's worth of folders, so that what the examples write does not land in the project.
  private static func clone() throws -> ScratchFolder {
    let scratch = try ScratchFolder()
    for name in ["Styles", "Snapshots"] {
      try FileManager.default.copyItem(
        at: Tool.project.appendingPathComponent(name), to: scratch.url(name))
    }
    return scratch
  }

  private static func run(_ program: String, _ script: String, in folder: ScratchFolder) async throws
    -> Tool.Run
  {
    let path = "PATH=\(Tool.builtFolder.path):$PATH"
    let file = try folder.write(script, to: "example")
    return try await Tool.run(
      ["-c", "export \(path); exec \(program) \"\(file)\""], folder: folder.root,
      program: URL(fileURLWithPath: "/bin/bash"))
  }

  @Test("The shell's examples")
  func shell() async throws {
    let blocks = try Self.blocks("sh")
    #expect(blocks.count == 7)
    let folder = try Self.clone()
    for block in blocks {
      let run = try await Self.run("bash -euo pipefail", block, in: folder)
      #expect(run.code == 0, "\(block)\n\(run.err)")
    }
    for picture in [
      "cities", "europe", "counties", "incidents", "graffiti", "rates", "counties-on-map", "labels", "names",
    ] {
      #expect(try Data(contentsOf: folder.url("\(picture).png")).starts(with: [0x89, 0x50, 0x4E, 0x47]))
    }
  }

  @Test("The funnel that README shows is the one that is counted")
  func funnel() async throws {
    let shown = try #require(Self.blocks("").first { $0.hasPrefix("Incidents") })
    let run = try await Tool.run("count", Tool.incidents, "--layer", "Incidents", "--funnel")
    let lines = run.out.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }
    #expect(lines == shown.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } })
  }

  @Test("Python through the pipe")
  func python() async throws {
    let blocks = try Self.blocks("python")
    #expect(blocks.count == 1)
    let folder = try Self.clone()
    let run = try await Self.run("python3", try #require(blocks.first), in: folder)
    #expect(run.code == 0, "\(run.err)")
    #expect(run.out == "none 16697\ndefinition 991\ndisplay 16697\npanned 13588\n")
    #expect(FileManager.default.fileExists(atPath: folder.path("panned.png")))
  }

  @Test("Swift, as it stands in README")
  func swift() async throws {
    let blocks = try Self.blocks("swift")
    #expect(blocks.count == 1)
    let example = try #require(blocks.first).replacing("import MapState\n\n", with: "")
    let own = try String(contentsOfFile: #filePath, encoding: .utf8)
    let lines = own.split(separator: "\n", omittingEmptySubsequences: false)
      .drop { !$0.hasSuffix("// README begins") }.dropFirst().prefix { !$0.hasSuffix("// README ends") }
    #expect(lines.map { $0.dropFirst(4) }.joined(separator: "\n") == example)
    let folder = FileManager.default.currentDirectoryPath
    #expect(FileManager.default.changeCurrentDirectoryPath(Tool.project.path))
    defer { _ = FileManager.default.changeCurrentDirectoryPath(folder) }
    // README begins
    let document = try await MapDocument.open("Styles/san-francisco-incidents.json")
    let view = try MapView(map: document.map, width: 800, height: 600)
    let layer = document.map.operationalLayers[1]
    layer.displayFilterDefinition = nil
    layer.definitionExpression = "req_type = 'Graffiti' AND status <> 'Closed'"
    let state = view.freeze()
    print(try await state.counts(CountOptions()).layers.map(\.count))
    let png = try await state.render().bitmap.pngData()
    // README ends
    #expect(png.count > 1000)
    #expect(try await state.counts(CountOptions()).layers.map(\.name) == ["Land", "Incidents"])
  }
}
