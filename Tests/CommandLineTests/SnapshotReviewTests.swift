import Foundation
import MapJSON
import Testing

/// A review of snapshots: the summary, and the choice of what is accepted or rejected.
@Suite struct SnapshotReviewTests {
  let folder: ScratchFolder
  private static let features: String = (0..<6).map { n in
    #"{"attributes": {"n": \#(n), "kind": "\#(n % 2 == 0 ? "a" : "b")"}, "geometry": {"x": \#(20 + n * 20), "y": 30}}"#
  }.joined(separator: ", ")

  /// A map with two classes, each in a case of its own, and both in a third one.
  init() async throws {
    folder = try ScratchFolder()
    try write()
    let view =
      #""size": [140, 60], "bounds": {"xmin": 0, "ymin": 0, "xmax": 140, "ymax": 60, "spatialReference": {"wkid": 3857}}"#
    for (name, only) in [
      ("all", ""), ("classes/a", #", "only": {"layer": "Points", "class": 0}"#),
      ("classes/b", #", "only": {"layer": "Points", "class": 1}"#),
    ] {
      try folder.write(
        #"{"document": "\#(folder.path("map.json"))", \#(view)\#(only)}"#, to: "cases/\(name)/case.json")
    }
    let run = try await snapshot("record", "cases", "--all")
    try #require(run.code == 0, "\(run)")
  }

  private func write(a: String = "[200, 0, 0, 255]", b: String = "[0, 0, 200, 255]", filter: String = "n < 5")
    throws
  {
    func info(_ value: String, _ color: String) -> String {
      #"{"value": "\#(value)", "label": "\#(value)", "symbol": {"type": "esriSMS", "style": "esriSMSSquare", "color": \#(color), "size": 9}}"#
    }
    try folder.write(
      """
      {"operationalLayers": [{"id": "points", "title": "Points", "featureCollection": {"layers": [{
        "layerDefinition": {"geometryType": "esriGeometryPoint", "spatialReference": {"wkid": 3857},
          "definitionExpression": "\(filter)",
          "fields": [{"name": "n", "type": "esriFieldTypeInteger"}, {"name": "kind", "type": "esriFieldTypeString"}],
          "drawingInfo": {"renderer": {"type": "uniqueValue", "field1": "kind", "uniqueValueInfos": [
            \(info("a", a)),
            \(info("b", b))]}}},
        "featureSet": {"features": [\(Self.features)]}}]}}]}
      """, to: "map.json")
  }

  private func snapshot(_ words: String..., environment: [String: String] = [:]) async throws -> Tool.Run {
    try await Tool.run(["snapshot"] + words, folder: folder.root, environment: environment)
  }

  /// Verifies with a change on purpose in class a and one by accident in class b.
  private func review(_ more: String...) async throws -> String {
    try write(a: "[240, 0, 0, 255]", b: "[0, 9, 200, 255]")
    let words = ["verify", "cases", "--report-dir", "report", "--summary", "markdown"] + more
    let run = try await Tool.run(["snapshot"] + words, folder: folder.root)
    #expect(run.code == 1, "\(run)")
    return try String(contentsOfFile: folder.path("report/summary.md"), encoding: .utf8)
  }

  @Test("A summary has a line for each cause with its layer, class, property and values")
  func summary() async throws {
    let text = try await review()
    #expect(text.hasPrefix("## Snapshots: 3 failed, 0 passed\n"), "\(text)")
    #expect(text.contains("| 1 | **Points** › a › fill color: `#c80000` → `#f00000` | 3 | 2 |\n"), "\(text)")
    #expect(text.contains("| 2 | **Points** › b › fill color: `#0000c8` → `#0009c8` | 2 | 2 |\n"), "\(text)")
    #expect(text.contains("- all: differs, causes 1, 2\n- classes/a: differs, cause 1\n"), "\(text)")
    #expect(text.contains("the report, `report/report.html`"))
    #expect(!text.contains("!["))
    let shown = try await review("--image-base", "https://maps.example/7")
    #expect(
      shown.contains(
        "![before](https://maps.example/7/causes/1-before.png) | ![after](https://maps.example/7/causes/1-after.png)"
      ),
      "\(shown)")
    for name in ["1-before", "1-after", "2-before", "2-after"] {
      let bytes = try Data(contentsOf: folder.url("report/causes/\(name).png"))
      #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
      #expect(bytes.count < 20_000)
    }
  }

  @Test("A summary for GitHub is added to the summary of the job")
  func jobSummary() async throws {
    try write(a: "[240, 0, 0, 255]")
    try folder.write("before\n", to: "step")
    let run = try await snapshot(
      "verify", "cases", "--report-dir", "report", "--summary", "github",
      environment: ["GITHUB_STEP_SUMMARY": folder.path("step")])
    #expect(run.code == 1, "\(run)")
    let text = try String(contentsOfFile: folder.path("step"), encoding: .utf8)
    #expect(text.hasPrefix("before\n## Snapshots: 2 failed, 1 passed\n"), "\(text)")
    #expect(
      text == "before\n" + (try String(contentsOfFile: folder.path("report/summary.md"), encoding: .utf8)))
  }

  @Test(
    "Names of users and references in a map have no effect in a summary",
    arguments: ["github", "gitlab", "markdown"])
  func mentions(form: String) async throws {
    let text = try String(contentsOfFile: folder.path("map.json"), encoding: .utf8)
    try folder.write(
      text.replacing(#""title": "Points""#, with: #""title": "@all #7 !8 ~z $1 \u001b |x| `y` <b>""#),
      to: "map.json")
    let run = try await snapshot("verify", "cases", "all", "--report-dir", "report", "--summary", form)
    #expect(run.code == 1, "\(run)")
    let summary = try String(contentsOfFile: folder.path("report/summary.md"), encoding: .utf8)
    let escaped = "&#64;all &#35;7 &#33;8 &#126;z &#36;1 \u{FFFD} \\|x\\| \\`y\\` \\<b\\>"
    #expect(summary.contains(escaped), "\(summary)")
    let report = try String(contentsOfFile: folder.path("report/report.md"), encoding: .utf8)
    #expect(report.contains(escaped), "\(report)")
  }

  @Test("The name of a layer is no command in a log of GitHub Actions, and controls no terminal")
  func commandsInNames() async throws {
    let text = try String(contentsOfFile: folder.path("map.json"), encoding: .utf8)
    let title = #""title": "::add-mask::e ##[set-output name=code;]0 \u001b[1m\u202e""#
    try folder.write(text.replacing(#""title": "Points""#, with: title), to: "map.json")
    let run = try await snapshot("verify", "cases", "all", "--format", "github")
    #expect(run.code == 1, "\(run)")
    let lines = run.out.split(separator: "\n").map { $0.drop { $0.isWhitespace } }
    #expect(lines.contains { $0.hasPrefix("- ::add-mask::e ## [set-output name=code;]0 ") }, "\(run)")
    #expect(lines.filter { $0.hasPrefix("::") }.allSatisfy { $0.hasPrefix("::error file=") }, "\(run)")
    #expect(!run.out.contains("##["), "\(run)")
    let tap = try await snapshot("verify", "cases", "all", "--format", "tap")
    for out in [run.out, tap.out] {
      #expect(out.contains("add-mask"))
      #expect(!out.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" }, "\(out)")
    }
  }

  @Test(
    "A link that leads out of the folder of a report is refused before anything is written",
    arguments: ["summary.md", "report.json", "causes", "cases", "cases/classes", "cases/all/reference.png"])
  func reportLinks(name: String) async throws {
    try write(a: "[240, 0, 0, 255]")
    try folder.write("kept", to: "outside/file")
    let link = folder.url("report/\(name)")
    try FileManager.default.createDirectory(
      at: link.deletingLastPathComponent(), withIntermediateDirectories: true)
    let target = folder.url(name.contains(".") ? "outside/file" : "outside")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
    let run = try await snapshot(
      "verify", "cases", "--report-dir", "report", "--summary", "markdown", "--image-base", "x")
    #expect(run.code == 2, "\(run)")
    #expect(run.err.contains("a link leads out of report"), "\(run)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("outside")) == ["file"])
    #expect(try String(contentsOfFile: folder.path("outside/file"), encoding: .utf8) == "kept")
  }

  @Test(
    "Decisions are not written through a link, and no image is accepted before",
    arguments: ["accept", "reject"])
  func decisionLink(verb: String) async throws {
    _ = try await review()
    try folder.write("kept", to: "outside")
    try FileManager.default.createSymbolicLink(
      at: folder.url("report/review.json"), withDestinationURL: folder.url("outside"))
    let before = try Data(contentsOf: folder.url("cases/all/reference.png"))
    let run = try await snapshot(verb, "--all", "--report-dir", "report")
    #expect(run.code == 2, "\(run)")
    #expect(run.err.contains("report/review.json: a link leads out of report"), "\(run)")
    #expect(try String(contentsOfFile: folder.path("outside"), encoding: .utf8) == "kept")
    #expect(try Data(contentsOf: folder.url("cases/all/reference.png")) == before)
  }

  @Test("Only the cases of an intended cause are accepted, and a case with another one is left")
  func acceptsCause() async throws {
    _ = try await review()
    let before = try Data(contentsOf: folder.url("cases/all/reference.png"))
    let run = try await snapshot("accept", "--cause", "Points › a › fill color", "--report-dir", "report")
    #expect(run.code == 0, "\(run)")
    #expect(
      run.out == "left\tall\talso Points › b › fill color: #0000c8ff → #0009c8ff\naccepted\tclasses/a\n",
      "\(run)")
    #expect(try Data(contentsOf: folder.url("cases/all/reference.png")) == before)
    try write(a: "[240, 0, 0, 255]")
    let later = try await snapshot("verify", "cases")
    #expect(later.out.contains("same\tclasses/a\n"))
    #expect(later.out.contains("same\tclasses/b\n"))
  }

  @Test(
    "A cause is given by number, by parts, with > or by a pattern, and several causes together",
    arguments: [
      (["--cause", "1"], "classes/a"), (["--cause", "points > B"], "classes/b"),
      (["--cause", "b"], "classes/b"),
      (["--cause", "Points > b > fill *"], "classes/b"),
      (["--cause", "fill color: #c80000ff → *"], "classes/a"),
      (["--cause", "1", "--cause", "2"], "all classes/a classes/b"),
      (["--cause", "Points > *"], "all classes/a classes/b"),
    ])
  func causes(words: [String], names: String) async throws {
    _ = try await review()
    let run = try await Tool.run(
      ["snapshot", "accept"] + words + ["--report-dir", "report"], folder: folder.root)
    #expect(run.code == 0, "\(run)")
    let accepted = run.out.split(separator: "\n").filter { $0.hasPrefix("accepted\t") }.map {
      $0.dropFirst(9)
    }
    #expect(accepted.joined(separator: " ") == names, "\(run)")
  }

  @Test("A text that means several causes, or none, is an error that lists them")
  func ambiguousCause() async throws {
    _ = try await review()
    let several = try await snapshot("accept", "--cause", "Points > fill color", "--report-dir", "report")
    #expect(several.code == 2)
    #expect(
      several.err.contains(
        "\"Points > fill color\" means 2 causes; give a number, or * for all: 1: Points › a"), "\(several)")
    let none = try await snapshot("accept", "--cause", "Roads", "--report-dir", "report")
    #expect(none.code == 2)
    #expect(
      none.err.contains("no cause \"Roads\" in report; available: 1: Points › a › fill color"), "\(none)")
  }

  @Test(
    "A case is accepted by name, number or pattern, with and without the folder of cases",
    arguments: [
      (["classes/a"], "classes/a"), (["cases", "classes/a"], "classes/a"), (["2"], "classes/a"),
      (["classes/*"], "classes/a classes/b"), (["cases", "1", "classes.b"], "all classes/b"),
      (["cases/classes/a/case.json"], "classes/a"),
    ])
  func cases(words: [String], names: String) async throws {
    _ = try await review()
    let run = try await Tool.run(
      ["snapshot", "accept"] + words + ["--report-dir", "report"], folder: folder.root)
    #expect(run.code == 0, "\(run)")
    let accepted = run.out.split(separator: "\n").map { $0.dropFirst(9) }
    #expect(accepted.joined(separator: " ") == names, "\(run)")
  }

  @Test("Messages name what was given")
  func messages() async throws {
    _ = try await review()
    try folder.write("{}", to: "other/file")
    for (words, text) in [
      (["nowhere"], "no image of \"nowhere\" to accept in report; available: all, classes/a, classes/b"),
      (["cases"], "cases is the folder of cases; name the cases too, or give --cause or --all"),
      (["other", "all"], "report/report.json reports the cases in cases, not in other"),
      (["all", "--all"], "\"all\" cannot be combined with --all; give one of them"),
    ] {
      let run = try await Tool.run(
        ["snapshot", "accept"] + words + ["--report-dir", "report"], folder: folder.root)
      #expect(run.code != 0)
      #expect(run.err.contains(text), "\(words): \(run)")
    }
    #expect(try await snapshot("accept").err.contains("name the cases to accept, or give --cause or --all"))
    #expect(try await snapshot("reject").err.contains("name the cases to reject, or give --cause or --all"))
  }

  @Test("Rejected cases are left out of --all, and a new report has no decisions")
  func rejects() async throws {
    _ = try await review()
    let rejected = try await snapshot("reject", "--cause", "2", "--report-dir", "report")
    #expect(rejected.code == 0, "\(rejected)")
    // Case all shows the rejected cause and another one.
    #expect(rejected.out == "rejected\tall\nrejected\tclasses/b\n", "\(rejected)")
    let accepted = try await snapshot("accept", "--all", "--report-dir", "report")
    #expect(accepted.out == "accepted\tclasses/a\n", "\(accepted)")
    let again = try await snapshot("accept", "--all", "--report-dir", "report")
    #expect(again.code == 0 && again.out.isEmpty, "\(again)")
    #expect(again.err.contains("report has no image that can be accepted"), "\(again)")
    _ = try await review()
    #expect(
      try await snapshot("accept", "--all", "--report-dir", "report").out
        == "accepted\tall\naccepted\tclasses/b\n")
  }

  @Test("A report whose cases lead out of its folder is refused")
  func foreignReport() async throws {
    _ = try await review()
    let path = folder.path("report/report.json")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try text.replacing(#""name": "classes/a""#, with: #""name": "../elsewhere""#).write(
      toFile: path, atomically: true, encoding: .utf8)
    let run = try await snapshot("accept", "--all", "--report-dir", "report")
    #expect(run.code == 2, "\(run)")
    #expect(run.err.contains("\"../elsewhere\" is not the name of a case"), "\(run)")
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    try FileManager.default.removeItem(atPath: folder.path("cases/classes/a/reference.png"))
    try folder.write("outside", to: "outside.png")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("cases/classes/a/reference.png"), withDestinationPath: folder.path("outside.png"))
    let linked = try await snapshot("accept", "classes/a", "--report-dir", "report")
    #expect(linked.code == 2, "\(linked)")
    #expect(linked.err.contains("leads out of cases"), "\(linked)")
    #expect(try String(contentsOfFile: folder.path("outside.png"), encoding: .utf8) == "outside")
  }

  @Test(
    "A filter that is spelt otherwise is no change",
    arguments: ["5 > n", "N < 5", "(n < 5)", "n<5", "NOT (NOT (n < 5))"])
  func spellings(filter: String) async throws {
    try write(filter: filter)
    let run = try await snapshot("verify", "cases", "--exact-filters")
    #expect(run.code == 0, "\(run)")
    #expect(run.out == "same\tall\nsame\tclasses/a\nsame\tclasses/b\n", "\(run)")
  }

  @Test("A filter that selects the same rows by other means is equivalent, and fails with --exact-filters")
  func equivalent() async throws {
    try write(filter: "n <= 4")
    let run = try await snapshot("verify", "cases")
    #expect(run.code == 0, "\(run)")
    #expect(
      run.out.hasPrefix("equivalent\tall\tPoints › definition expression (filter): n < 5 → n <= 4\n"),
      "\(run)")
    let exact = try await snapshot("verify", "cases", "--exact-filters")
    #expect(exact.code == 1, "\(exact)")
    #expect(exact.out.hasPrefix("style-differs\tall\t"), "\(exact)")
    // One that happens to draw the same features but selects other rows is none of these.
    try write(filter: "n < 4.5 OR n > 90")
    #expect(try await snapshot("verify", "cases").code == 0)
  }

  @Test("A case that cannot be drawn names the layer, the property and its values")
  func brokenDocuments() async throws {
    for (filter, property) in [
      ("missing < 5", "definition expression (filter): n < 5 → missing < 5"),
      ("n <", "definition expression (filter): n < 5 → n <"),
    ] {
      try write(filter: filter)
      let run = try await snapshot("verify", "cases", "all")
      #expect(run.code == 2, "\(run)")
      #expect(run.out.contains("\n\tPoints › \(property)\n"), "\(run)")
    }
    try write()
    let text = try String(contentsOfFile: folder.path("map.json"), encoding: .utf8)
    try folder.write(
      text.replacing(
        #""definitionExpression""#,
        with: #""displayFilterInfo": {"filterMode": "manul", "filters": []}, "definitionExpression""#),
      to: "map.json")
    let run = try await snapshot("verify", "cases", "all")
    #expect(run.out.contains("\n\tPoints › display filter mode: none → manul\n"), "\(run)")
    // The data lose a field, and the document stays.
    try folder.write(
      text.replacing(#""kind": "#, with: #""sort": "#).replacing(
        #""name": "kind""#, with: #""name": "sort""#),
      to: "map.json")
    let field = try await snapshot("verify", "cases", "all")
    #expect(field.out.contains("\n\tPoints › field \"kind\": present → missing\n"), "\(field)")
  }

  @Test("Results are written in the Test Anything Protocol")
  func tap() async throws {
    try write(a: "[240, 0, 0, 255]")
    let run = try await snapshot("verify", "cases", "--format", "tap", "--jobs", "1")
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

  @Test("JUnit reports attach the images of failed cases")
  func attachments() async throws {
    _ = try await review()
    let text = try String(contentsOfFile: folder.path("report/junit.xml"), encoding: .utf8)
    for name in ["expected", "reference", "difference"] {
      #expect(text.contains("[[ATTACHMENT|report/cases/classes/a/\(name).png]]"), "\(text)")
      #expect(FileManager.default.fileExists(atPath: folder.path("report/cases/classes/a/\(name).png")))
    }
  }

  @Test(
    "Parts of a page are named as properties with their values",
    arguments: [
      (#""title": "Other", "legend": "right""#, "page title: Towns → Other"),
      (#""title": "Towns", "legend": "left""#, "page legend: right → left"),
      (#""title": "Towns""#, "page legend: right → none"),
      (#""title": "Towns", "legend": "right", "scaleBar": true"#, "page scale bar: none → metric"),
      (#""title": "Towns", "legend": "right", "subtitle": "2020""#, "page subtitle: none → 2020"),
    ])
  func pages(layout: String, change: String) async throws {
    func write(_ layout: String) throws {
      try folder.write(
        #"{"document": "\#(folder.path("map.json"))", "size": [300, 200], "layout": {\#(layout)}}"#,
        to: "pages/one/case.json")
    }
    try write(#""title": "Towns", "legend": "right""#)
    try #require(try await snapshot("record", "pages", "--all").code == 0)
    try write(layout)
    let run = try await snapshot("verify", "pages")
    #expect(run.code == 1, "\(run)")
    let lines = run.out.split(separator: "\n")
    #expect(lines.dropFirst().first?.hasPrefix("\t\(change)") == true, "\(run)")
  }

  @Test("A tolerance and a mask state the largest changes that they hide")
  func tolerances() async throws {
    let view =
      #""size": [140, 60], "bounds": {"xmin": 0, "ymin": 0, "xmax": 140, "ymax": 60, "spatialReference": {"wkid": 3857}}"#
    func write(_ more: String) throws {
      try folder.write(
        #"{"document": "\#(folder.path("map.json"))", \#(view), "reason": "A test.", \#(more)}"#,
        to: "tolerant/one/case.json")
    }
    try write(#""tolerance": {"channel": 9}"#)
    try #require(try await snapshot("record", "tolerant", "--all").code == 0)
    let channel = try await snapshot("verify", "tolerant")
    #expect(channel.code == 0, "\(channel)")
    #expect(
      channel.out.contains(
        "\tthe tolerance hides a colour of Points › a that changes by up to 9 of 255, a colour of Points › b that changes "
          + "by up to 9 of 255, in drawing; the record still shows changes of styles and data\n"),
      "\(channel)")
    // One square of 12 by 12 pixels may be missing.
    try write(#""tolerance": {"channel": 1, "pixels": 150}, "compare": "image""#)
    let pixels = try await snapshot("verify", "tolerant")
    #expect(pixels.out.contains("a missing feature of 144 pixels, such as "), "\(pixels)")
    #expect(pixels.out.contains(", whatever its cause\n"), "\(pixels)")
    try write(#""masks": [{"rectangle": [0, 0, 30, 60], "reason": "A test."}]"#)
    let mask = try await snapshot("verify", "tolerant")
    #expect(mask.out.contains("the tolerance and the masks hide "), "\(mask)")
    #expect(mask.out.contains("a missing feature of 144 pixels, such as 1 in Points"), "\(mask)")
  }

  @Test("A case accepts the further references that it names with platform and reason")
  func furtherReferences() async throws {
    _ = try await review()
    let report = folder.url("report/cases/classes/a")
    try FileManager.default.createDirectory(
      at: folder.url("cases/classes/a/other"), withIntermediateDirectories: true)
    for name in ["reference.png", "reference.json", "reference-owners.png"] {
      try FileManager.default.copyItem(
        at: report.appendingPathComponent(name), to: folder.url("cases/classes/a/other/\(name)"))
    }
    #expect(try await snapshot("verify", "cases").out.contains("orphan\tclasses/a/other\t"))
    let path = folder.path("cases/classes/a/case.json")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try (text.dropLast() + #", "references": [{"folder": "other", "platform": "P 2", "reason": "A test."}]}"#)
      .write(
        toFile: path, atomically: true, encoding: .utf8)
    let run = try await snapshot("verify", "cases", "--jobs", "1")
    #expect(run.out.contains("same\tclasses/a\n\tas the reference other (P 2): A test.\n"), "\(run)")
    #expect(!run.out.contains("orphan"), "\(run)")
    // Neither of both.
    try write(a: "[1, 2, 3, 255]")
    #expect(try await snapshot("verify", "cases", "classes/a").code == 1)
  }
}
