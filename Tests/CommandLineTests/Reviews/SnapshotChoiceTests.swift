import Foundation
import MapTestSupport
import Testing

/// The choice of the images that are accepted or rejected after a review.
@Suite struct SnapshotChoiceTests {
  let map: ReviewedMap

  init() async throws { map = try await ReviewedMap() }

  @Test(
    "Decisions are not written through a link, and no image is accepted before",
    arguments: ["accept", "reject"])
  func decisionLink(verb: String) async throws {
    _ = try await map.review()
    try map.folder.write("kept", to: "outside")
    try FileManager.default.createSymbolicLink(
      at: map.folder.url("report/review.json"), withDestinationURL: map.folder.url("outside"))
    let before = try Data(contentsOf: map.folder.url("cases/all/reference.png"))
    let run = try await map.snapshot(verb, "--all", "--report-dir", "report")
    #expect(run.code == 2, "\(run)")
    #expect(run.err.contains("report/review.json: a link leads out of report"), "\(run)")
    #expect(try String(contentsOfFile: map.folder.path("outside"), encoding: .utf8) == "kept")
    #expect(try Data(contentsOf: map.folder.url("cases/all/reference.png")) == before)
  }

  @Test("Only the cases of an intended cause are accepted, and a case with another one is left")
  func acceptsCause() async throws {
    _ = try await map.review()
    let before = try Data(contentsOf: map.folder.url("cases/all/reference.png"))
    let run = try await map.snapshot("accept", "--cause", "Points › a › fill color", "--report-dir", "report")
    #expect(run.code == 0, "\(run)")
    #expect(
      run.out == "left\tall\talso Points › b › fill color: #0000c8ff → #0009c8ff\naccepted\tclasses/a\n",
      "\(run)")
    #expect(try Data(contentsOf: map.folder.url("cases/all/reference.png")) == before)
    try map.write(a: "[240, 0, 0, 255]")
    let later = try await map.snapshot("verify", "cases")
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
    _ = try await map.review()
    let run = try await Tool.run(
      ["snapshot", "accept"] + words + ["--report-dir", "report"], folder: map.folder.root)
    #expect(run.code == 0, "\(run)")
    let accepted = run.out.split(separator: "\n").filter { $0.hasPrefix("accepted\t") }.map {
      $0.dropFirst(9)
    }
    #expect(accepted.joined(separator: " ") == names, "\(run)")
  }

  @Test("A text that means several causes, or none, is an error that lists them")
  func ambiguousCause() async throws {
    _ = try await map.review()
    let several = try await map.snapshot("accept", "--cause", "Points > fill color", "--report-dir", "report")
    #expect(several.code == 2)
    #expect(
      several.err.contains(
        "\"Points > fill color\" means 2 causes; give a number, or * for all: 1: Points › a"), "\(several)")
    let none = try await map.snapshot("accept", "--cause", "Roads", "--report-dir", "report")
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
    _ = try await map.review()
    let run = try await Tool.run(
      ["snapshot", "accept"] + words + ["--report-dir", "report"], folder: map.folder.root)
    #expect(run.code == 0, "\(run)")
    let accepted = run.out.split(separator: "\n").map { $0.dropFirst(9) }
    #expect(accepted.joined(separator: " ") == names, "\(run)")
  }

  @Test("Messages name what was given")
  func messages() async throws {
    _ = try await map.review()
    try map.folder.write("{}", to: "other/file")
    for (words, text) in [
      (["nowhere"], "no image of \"nowhere\" to accept in report; available: all, classes/a, classes/b"),
      (["cases"], "cases is the folder of cases; name the cases too, or give --cause or --all"),
      (["other", "all"], "report/report.json reports the cases in cases, not in other"),
      (["all", "--all"], "\"all\" cannot be combined with --all; give one of them"),
    ] {
      let run = try await Tool.run(
        ["snapshot", "accept"] + words + ["--report-dir", "report"], folder: map.folder.root)
      #expect(run.code != 0)
      #expect(run.err.contains(text), "\(words): \(run)")
    }
    #expect(
      try await map.snapshot("accept").err.contains("name the cases to accept, or give --cause or --all"))
    #expect(
      try await map.snapshot("reject").err.contains("name the cases to reject, or give --cause or --all"))
  }

  @Test("Rejected cases are left out of --all, and a new report has no decisions")
  func rejects() async throws {
    _ = try await map.review()
    let rejected = try await map.snapshot("reject", "--cause", "2", "--report-dir", "report")
    #expect(rejected.code == 0, "\(rejected)")
    // Case all shows the rejected cause and another one.
    #expect(rejected.out == "rejected\tall\nrejected\tclasses/b\n", "\(rejected)")
    let accepted = try await map.snapshot("accept", "--all", "--report-dir", "report")
    #expect(accepted.out == "accepted\tclasses/a\n", "\(accepted)")
    let again = try await map.snapshot("accept", "--all", "--report-dir", "report")
    #expect(again.code == 0 && again.out.isEmpty, "\(again)")
    #expect(again.err.contains("report has no image that can be accepted"), "\(again)")
    _ = try await map.review()
    #expect(
      try await map.snapshot("accept", "--all", "--report-dir", "report").out
        == "accepted\tall\naccepted\tclasses/b\n")
  }

  @Test("A report whose cases lead out of its folder is refused")
  func foreignReport() async throws {
    _ = try await map.review()
    let path = map.folder.path("report/report.json")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try text.replacing(#""name": "classes/a""#, with: #""name": "../elsewhere""#).write(
      toFile: path, atomically: true, encoding: .utf8)
    let run = try await map.snapshot("accept", "--all", "--report-dir", "report")
    #expect(run.code == 2, "\(run)")
    #expect(run.err.contains("\"../elsewhere\" is not the name of a case"), "\(run)")
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    try FileManager.default.removeItem(atPath: map.folder.path("cases/classes/a/reference.png"))
    try map.folder.write("outside", to: "outside.png")
    try FileManager.default.createSymbolicLink(
      atPath: map.folder.path("cases/classes/a/reference.png"),
      withDestinationPath: map.folder.path("outside.png"))
    let linked = try await map.snapshot("accept", "classes/a", "--report-dir", "report")
    #expect(linked.code == 2, "\(linked)")
    #expect(linked.err.contains("leads out of cases"), "\(linked)")
    #expect(try String(contentsOfFile: map.folder.path("outside.png"), encoding: .utf8) == "outside")
  }

  @Test("A word that is the number of a case and the name of another one is refused")
  func ambiguousNumber() async throws {
    try FileManager.default.moveItem(
      at: map.folder.url("cases/classes/b"), to: map.folder.url("cases/2"))
    _ = try await map.review()
    let run = try await map.snapshot("accept", "2", "--report-dir", "report")
    #expect(run.code == 64, "\(run)")
    #expect(run.err.contains("\"2\" is the number of all and the name of another case"), "\(run)")
    let path = try await map.snapshot("accept", "cases/2", "--report-dir", "report")
    #expect(path.out == "accepted\t2\n", "\(path)")
  }
}
