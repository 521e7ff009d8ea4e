import Foundation
import MapTestSupport
import Testing

/// The summary and the reports of a run, which a review begins with.
@Suite struct SnapshotSummaryTests {
  let map: ReviewedMap

  init() async throws { map = try await ReviewedMap() }

  @Test("A summary has a line for each cause with its layer, class, property and values")
  func summary() async throws {
    let text = try await map.review()
    #expect(text.hasPrefix("## Snapshots: 3 failed, 0 passed\n"), "\(text)")
    #expect(text.contains("| 1 | **Points** › a › fill color: `#c80000` → `#f00000` | 3 | 2 |\n"), "\(text)")
    #expect(text.contains("| 2 | **Points** › b › fill color: `#0000c8` → `#0009c8` | 2 | 2 |\n"), "\(text)")
    #expect(text.contains("- all: differs, causes 1, 2\n- classes/a: differs, cause 1\n"), "\(text)")
    #expect(text.contains("the report, `report/report.html`"))
    #expect(!text.contains("!["))
    let shown = try await map.review("--image-base", "https://maps.example/7")
    #expect(
      shown.contains(
        "![before](https://maps.example/7/causes/1-before.png) | ![after](https://maps.example/7/causes/1-after.png)"
      ),
      "\(shown)")
    for name in ["1-before", "1-after", "2-before", "2-after"] {
      let bytes = try Data(contentsOf: map.folder.url("report/causes/\(name).png"))
      #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
      #expect(bytes.count < 20_000)
    }
  }

  @Test("A summary for GitHub is added to the summary of the job")
  func jobSummary() async throws {
    try map.write(a: "[240, 0, 0, 255]")
    try map.folder.write("before\n", to: "step")
    let run = try await map.snapshot(
      "verify", "cases", "--report-dir", "report", "--summary", "github",
      environment: ["GITHUB_STEP_SUMMARY": map.folder.path("step")])
    #expect(run.code == 1, "\(run)")
    let text = try String(contentsOfFile: map.folder.path("step"), encoding: .utf8)
    #expect(text.hasPrefix("before\n## Snapshots: 2 failed, 1 passed\n"), "\(text)")
    #expect(
      text == "before\n" + (try String(contentsOfFile: map.folder.path("report/summary.md"), encoding: .utf8))
    )
  }

  @Test(
    "Names of users and references in a map have no effect in a summary",
    arguments: ["github", "gitlab", "markdown"])
  func mentions(form: String) async throws {
    let text = try String(contentsOfFile: map.folder.path("map.json"), encoding: .utf8)
    try map.folder.write(
      text.replacing(#""title": "Points""#, with: #""title": "@all #7 !8 ~z $1 \u001b |x| `y` <b>""#),
      to: "map.json")
    let run = try await map.snapshot("verify", "cases", "all", "--report-dir", "report", "--summary", form)
    #expect(run.code == 1, "\(run)")
    let summary = try String(contentsOfFile: map.folder.path("report/summary.md"), encoding: .utf8)
    let escaped = "&#64;all &#35;7 &#33;8 &#126;z &#36;1 \u{FFFD} \\|x\\| \\`y\\` \\<b\\>"
    #expect(summary.contains(escaped), "\(summary)")
    let report = try String(contentsOfFile: map.folder.path("report/report.md"), encoding: .utf8)
    #expect(report.contains(escaped), "\(report)")
  }

  @Test("The name of a layer is no command in a log of GitHub Actions, and controls no terminal")
  func commandsInNames() async throws {
    let text = try String(contentsOfFile: map.folder.path("map.json"), encoding: .utf8)
    let title = #""title": "::add-mask::e ##[set-output name=code;]0 \u001b[1m\u202e""#
    try map.folder.write(text.replacing(#""title": "Points""#, with: title), to: "map.json")
    let run = try await map.snapshot("verify", "cases", "all", "--format", "github")
    #expect(run.code == 1, "\(run)")
    let lines = run.out.split(separator: "\n").map { $0.drop { $0.isWhitespace } }
    #expect(lines.contains { $0.hasPrefix("- ::add-mask::e ## [set-output name=code;]0 ") }, "\(run)")
    #expect(lines.filter { $0.hasPrefix("::") }.allSatisfy { $0.hasPrefix("::error file=") }, "\(run)")
    #expect(!run.out.contains("##["), "\(run)")
    let tap = try await map.snapshot("verify", "cases", "all", "--format", "tap")
    for out in [run.out, tap.out] {
      #expect(out.contains("add-mask"))
      #expect(!out.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" }, "\(out)")
    }
  }

  @Test(
    "A link that leads out of the folder of a report is refused before anything is written",
    arguments: ["summary.md", "report.json", "causes", "cases", "cases/classes", "cases/all/reference.png"])
  func reportLinks(name: String) async throws {
    try map.write(a: "[240, 0, 0, 255]")
    try map.folder.write("kept", to: "outside/file")
    let link = map.folder.url("report/\(name)")
    try FileManager.default.createDirectory(
      at: link.deletingLastPathComponent(), withIntermediateDirectories: true)
    let target = map.folder.url(name.contains(".") ? "outside/file" : "outside")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
    let run = try await map.snapshot(
      "verify", "cases", "--report-dir", "report", "--summary", "markdown", "--image-base", "x")
    #expect(run.code == 2, "\(run)")
    #expect(run.err.contains("a link leads out of report"), "\(run)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: map.folder.path("outside")) == ["file"])
    #expect(try String(contentsOfFile: map.folder.path("outside/file"), encoding: .utf8) == "kept")
  }

  @Test("JUnit reports attach the images of failed cases")
  func attachments() async throws {
    _ = try await map.review()
    let text = try String(contentsOfFile: map.folder.path("report/junit.xml"), encoding: .utf8)
    for name in ["expected", "reference", "difference"] {
      #expect(text.contains("[[ATTACHMENT|report/cases/classes/a/\(name).png]]"), "\(text)")
      #expect(FileManager.default.fileExists(atPath: map.folder.path("report/cases/classes/a/\(name).png")))
    }
  }

  @Test("Results are written in the Test Anything Protocol")
  func tap() async throws {
    try map.write(a: "[240, 0, 0, 255]")
    let run = try await map.snapshot("verify", "cases", "--format", "tap", "--jobs", "1")
    #expect(run.code == 1)
    let lines = run.out.split(separator: "\n").map { String($0) }
    #expect(lines.first == "TAP version 14")
    #expect(lines.last == "1..3")
    #expect(
      lines.filter { $0.hasPrefix("ok") || $0.hasPrefix("not ok") } == [
        "not ok 1 - all", "not ok 2 - classes/a", "ok 3 - classes/b",
      ], "\(run)")
    #expect(run.out.contains("    - \"Points › a › fill color: #c80000ff → #f00000ff;"), "\(run)")
  }

  @Test("A warning on standard error is no command of a log of a CI system")
  func commandsInWarnings() async throws {
    let text = try String(contentsOfFile: map.folder.path("map.json"), encoding: .utf8)
    for (title, shown) in [
      ("##[error]x", "## [error]x"), ("##vso[task.setvariable]x", "## vso[task.setvariable]x"),
      ("###[group]", "### [group]"), ("##a-b[c]", "##a-b[c]"),
    ] {
      try map.folder.write(
        text.replacing(#""title": "Points""#, with: #""title": "\#(title)", "opasity": 1"#), to: "map.json")
      let run = try await Tool.run(
        ["count", map.folder.path("map.json"), "--layer", "none"], folder: map.folder.root)
      #expect(run.code != 0, "\(run)")
      #expect(run.err.contains(shown), "\(run)")
    }
  }

  @Test(
    "The name of a case with a line feed is on one line of each report, and its command is that of a shell")
  func linesInNames() async throws {
    let name = "classes/a\n##[x]\n'\u{1}7"
    try FileManager.default.moveItem(
      at: map.folder.url("cases/classes/a"), to: map.folder.url("cases/\(name)"))
    _ = try await map.review()
    let report = try String(contentsOfFile: map.folder.path("report/report.md"), encoding: .utf8)
    let command = #"mapstate snapshot accept cases $'classes/a\012##[x]\012\'\0017' --report-dir report"#
    #expect(report.contains("\n    \(command)\n"), "\(report)")
    #expect(!report.contains("\n##[x]"), "\(report)")
    for file in ["summary.md", "junit.xml", "report.json"] {
      let text = try String(contentsOfFile: map.folder.path("report/\(file)"), encoding: .utf8)
      #expect(!text.contains("\n##[x]"), "\(file): \(text)")
    }
    let bash = "mapstate() { '\(Tool.url.path)' \"$@\"; }; \(command)"
    let run = try await Tool.run(
      ["-c", bash], folder: map.folder.root, program: URL(fileURLWithPath: "/bin/bash"))
    #expect(run.code == 0, "\(run)")
    #expect(run.out == #"accepted\#tclasses/a\n##[x]\n'\u00017"# + "\n", "\(run)")
  }
}
