import Foundation
import MapTestSupport
import Testing

/// `mapstate snapshot verify` and `record`, run as programs.
@Suite struct SnapshotOptionTests {
  let folder: ScratchFolder

  /// A repository with two cases: `cases/map` of a document with data, and `cases/table` of a CSV file.
  init() async throws {
    folder = try ScratchFolder()
    _ = try SmallMap.write(to: folder)
    try folder.write(
      #"{"document": "../../map.json", "size": [120, 60], "filters": "none"}"#, to: "cases/map/case.json")
    try folder.write(#"{"document": "../../data/table.csv", "size": [120, 60]}"#, to: "cases/table/case.json")
    let run = try await Tool.run("snapshot", "record", folder.path("cases"), "--all")
    try #require(run.code == 0, "\(run.err)")
  }

  private static let git = URL(fileURLWithPath: "/usr/bin/git")

  private func git(_ words: String...) async throws {
    let names = ["-c", "user.name=T", "-c", "user.email=t@example.org"]
    let run = try await Tool.run(["-C", folder.root.path] + names + words, program: Self.git)
    try #require(run.code == 0, "\(run.err)")
  }

  private func verify(_ options: String...) async throws -> (code: Int32, lines: [String], err: String) {
    let run = try await Tool.run(["snapshot", "verify", folder.path("cases"), "--jobs", "1"] + options)
    return (run.code, run.out.split(separator: "\n").map { String($0) }, run.err)
  }

  @Test("A case whose name is not in UTF-8 is an error, and not left out")
  func foreignNames() async throws {
    let made = try await Tool.run(
      ["-c", "mkdir -p \"$0/caf$(printf '\\351')\"", folder.path("cases")],
      program: URL(fileURLWithPath: "/bin/sh"))
    try #require(made.code == 0, "\(made)")
    let run = try await verify()
    #expect(run.code == 2 && run.err.contains("the name is not in UTF-8; rename it"), "\(run)")
  }

  @Test("--format github adds an annotation at the line of the property, once for each cause")
  func annotations() async throws {
    #expect(try await verify("--format", "github").lines == ["same\tmap", "same\ttable"])
    let text = SmallMap.document().replacingOccurrences(of: "[200, 30, 30, 255]", with: "[20, 30, 30, 255]")
    try folder.write(text, to: "map.json")
    let run = try await verify("--format", "github")
    #expect(run.code == 1)
    let notes = run.lines.filter { $0.hasPrefix("::error ") }
    let line = 1 + text.components(separatedBy: "\n").firstIndex { $0.contains("[20, 30, 30, 255]") }!
    let place = "::error file=\(folder.path("map.json")),line=\(line),title=snapshot map::differs%3A "
      .replacingOccurrences(of: "%3A ", with: ": ")
    #expect(notes.count == 1, "\(run.lines)")
    #expect(notes.first?.hasPrefix(place) == true, "\(notes) \(place)")
    #expect(notes.first?.contains("%0APlaces › ") == true, "\(notes)")
    // A change of the view is at the line of the case.
    try folder.write(SmallMap.document(), to: "map.json")
    try folder.write(
      #"{"document": "../../map.json",\#n "size": [120, 60], "filters": "none",\#n "rotation": 9}"#,
      to: "cases/map/case.json")
    let turned = try await verify("--format", "github").lines.filter { $0.hasPrefix("::error ") }
    #expect(
      turned.first?.hasPrefix("::error file=\(folder.path("cases/map/case.json")),line=3,") == true,
      "\(turned)")
    let lint = try await Tool.run("lint", folder.path("map.json"), "--format", "github")
    #expect(lint.code == 0)
    #expect(lint.out == "no findings\n")
  }

  @Test("--image-base is the start of the images' addresses in report.md")
  func imageBase() async throws {
    try folder.write(
      SmallMap.document().replacingOccurrences(of: "\"size\": 6", with: "\"size\": 9"), to: "map.json")
    let report = folder.path("report")
    let run = try await verify("--report-dir", report, "--image-base", "https://images.example/run 7(b)%20")
    #expect(run.code == 1)
    let text = try String(contentsOfFile: report + "/report.md", encoding: .utf8)
    #expect(text.contains("](https://images.example/run%207%28b%29%20/cases/map/expected.png)"), "\(text)")
    #expect(try await verify("--image-base", "x").code == 64)
  }

  @Test(
    "--since draws only cases with changed files",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/git")))
  func since() async throws {
    try await git("init", "-q")
    try await git("add", ".")
    try await git("commit", "-qm", "first")
    let none = try await verify("--since", "HEAD")
    #expect(none.code == 0, "\(none)")
    #expect(none.lines.map { $0.prefix { $0 != "\t" } } == ["unchanged", "unchanged"])
    #expect(none.err.contains("2 not drawn because their files have not changed"))
    try folder.write(SmallMap.csv.replacingOccurrences(of: "one,1", with: "one,5"), to: "data/table.csv")
    let table = try await verify("--since", "HEAD")
    #expect(
      table.lines.map { $0.prefix { $0 != "\t" } }.prefix(2) == ["unchanged", "same"], "\(table)")
    try await git("checkout", "-q", ".")
    try folder.write(
      SmallMap.places.replacingOccurrences(of: "[7,0]", with: "[7,1]"), to: "data/places.geojson")
    #expect(try await verify("--since", "HEAD").lines.last?.hasPrefix("unchanged\ttable") == true)
    try FileManager.default.removeItem(atPath: folder.path("data/places.geojson"))
    #expect(try await verify("--since", "HEAD").lines.first?.hasPrefix("error\tmap") == true)
    #expect(try await verify("--since", "nowhere").code == 2)
    #expect(try await verify("--since", "--output=x").code == 64)
  }

  @Test(
    "--since draws cases whose document names a folder or a template of changed files",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/git")),
    arguments: ["pictures/{level}/{col}/{row}.png", "pictures/roads.gdb"])
  func sinceFolders(name: String) async throws {
    let hidden =
      #"{"id": "h", "title": "Hidden", "layerType": "WebTiledLayer", "visibility": false, "templateUrl": "\#(name)"}"#
    try folder.write(
      SmallMap.document().replacing("\"operationalLayers\": [", with: "\"operationalLayers\": [\(hidden),"),
      to: "map.json")
    try folder.write("first", to: "pictures/roads.gdb/0/a")
    let recorded = try await Tool.run("snapshot", "record", folder.path("cases"), "--all")
    try #require(recorded.code == 0, "\(recorded)")
    try await git("init", "-q")
    try await git("add", ".")
    try await git("commit", "-qm", "first")
    #expect(try await verify("--since", "HEAD").lines.first?.hasPrefix("unchanged\tmap") == true)
    try folder.write("second", to: "pictures/roads.gdb/0/a")
    #expect(
      try await verify("--since", "HEAD").lines == [
        "same\tmap", "unchanged\ttable\tno file differs from HEAD",
      ])
  }

  @Test("--engine-change records only what another version draws differently")
  func engineChange() async throws {
    let record = folder.path("cases/map/reference.json")
    let before = try Data(contentsOf: URL(fileURLWithPath: record))
    let none = try await Tool.run("snapshot", "record", folder.path("cases"), "--engine-change")
    #expect(none.code == 0)
    #expect(none.out == "")
    #expect(none.err == "nothing to record\n")
    #expect(try Data(contentsOf: URL(fileURLWithPath: record)) == before)
    let both = try await Tool.run("snapshot", "record", folder.path("cases"), "--engine-change", "--all")
    #expect(both.code == 64)
  }
}
