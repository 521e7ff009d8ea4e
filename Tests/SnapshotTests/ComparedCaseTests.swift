import Foundation
import MapImages
import MapSnapshots
import MapState
import Testing

/// Failures of a case besides its pixels, and descriptions of changes.
@Suite struct ComparedCaseTests {
  private func verify(_ made: TemporaryCase) async throws -> SnapshotResult {
    await (try made.read()).verify()
  }

  @Test("A blank image fails unless the case declares it")
  func blankPicturesMustBeDeclared() async throws {
    let hidden = #""only": {"layer": "0", "class": 0}, "filters": "none", "time": "1970-01-01/1970-01-02","#
    let far = try TemporaryCase(hidden)
    #expect(try await verify(far).outcome.word == "no-reference")
    try far.write("", size: "[1, 1]")
    let blank = try await verify(far).outcome
    #expect(blank.word == "blank")
    #expect(blank.isFailure)
    #expect(await #expect(throws: MapStateError.self) { try await far.read().record() }?.kind == .expectation)
    try far.write(#""blank": true,"#, size: "[1, 1]")
    try await far.read().record()
    #expect(try await verify(far).outcome == .same)
    try far.write(#""blank": true,"#)
    #expect(try await verify(far).outcome.word == "blank")
  }

  @Test("The fonts of a case are opened from its folder, and a missing one is an error that names it")
  func fonts() async throws {
    let font =
      "\(#filePath)".split(separator: "/").dropLast(2).reduce("") { "\($0)/\($1)" }
      + "/MapTextTests/Cases/Fonts/NotoSansHebrew.ttf"
    let made = try TemporaryCase()
    try FileManager.default.copyItem(atPath: font, toPath: "\(made.folder)/own.ttf")
    try made.write(#""fonts": ["own.ttf"],"#)
    let view = try await made.read().view()
    #expect(view.map.fonts.map(\.family) == ["Noto Sans Hebrew"])
    try made.write(#""fonts": ["none.ttf"],"#)
    let error = await #expect(throws: MapStateError.self) { _ = try await made.read().view() }
    #expect(error?.description.contains("none.ttf") == true)
  }

  @Test("A reference with a missing file counts as missing")
  func halfAReferenceIsNone() async throws {
    for file in ["reference.png", "reference.json", "reference-owners.png"] {
      let made = try TemporaryCase()
      try await made.read().record()
      try FileManager.default.removeItem(atPath: "\(made.folder)/\(file)")
      let outcome = try await verify(made).outcome
      #expect(outcome.word == "no-reference", "\(outcome)")
      #expect(outcome.detail?.contains(file) == true, "\(outcome)")
    }
  }

  @Test("A reference image that does not match its record is stale")
  func exchangedPictureIsStale() async throws {
    let made = try TemporaryCase()
    try await made.read().record()
    var reference = try #require(try made.read().reference())
    reference[0, 0].red = 254
    try Data(reference.pngData()).write(to: URL(filePath: made.reference))
    #expect(try await verify(made).outcome.word == "stale-reference")
  }

  @Test(
    "An invalid reference record is an error that names the file",
    arguments: ["", "{}", "[]", #"{"version": 2}"#, "SHORT-EXTENT", "SHORT-PLACE", "NO-LOOK"])
  func brokenRecordsAreErrors(_ text: String) async throws {
    let made = try TemporaryCase()
    try await made.read().record()
    let path = "\(made.folder)/reference.json"
    let good = try String(contentsOfFile: path, encoding: .utf8)
    let broken =
      switch text {
      case "SHORT-EXTENT": good.replacing("\"extent\": [", with: "\"extent\": [], \"sides\": [")
      case "SHORT-PLACE": good.replacing("[1,0,4,3]", with: "[1,0,4]")
      case "NO-LOOK": good.replacing("[1,0,4,3]", with: "[1,9,4,3]")
      default: text
      }
    #expect(broken != good, "\(good)")
    try Data(broken.utf8).write(to: URL(filePath: path))
    let outcome = try await verify(made).outcome
    #expect(outcome.word == "error", "\(outcome)")
    #expect(outcome.detail?.contains("reference.json") == true, "\(outcome)")
  }

  @Test(
    "A tolerance that would accept an empty image fails",
    arguments: [
      #""tolerance": {"pixels": 40}, "reason": "r","#, #""tolerance": {"channel": 255}, "reason": "r","#,
      #""tolerance": {"perceptual": 1}, "reason": "r","#,
      #""masks": [{"rectangle": [0, 0, 8, 6], "reason": "r"}],"#,
    ])
  func tolerancesThatLetAnEmptyPicturePassFail(_ members: String) async throws {
    let made = try TemporaryCase(members)
    try await made.read().record()
    #expect(try await verify(made).outcome.word == "vacuous")
  }

  @Test("A mask allows exactly its channel difference")
  func masksAllowWhatTheySay() async throws {
    let mask = #""masks": [{"rectangle": [7, 0, 1, 6], "channel": 9, "reason": "r"}],"#
    let made = try TemporaryCase(mask)
    try await made.read().record()
    var reference = try #require(try made.read().reference())
    reference[7, 2].red -= 9
    try made.replaceReference(by: reference)
    #expect(try await verify(made).outcome == .same)
    reference[7, 2].red -= 1
    try made.replaceReference(by: reference)
    #expect(try await verify(made).outcome == .differs(pixels: 1, largest: 10))

    var picture = try Bitmap(width: 8, height: 6)
    picture[7, 2].red = 10
    try Data(picture.pngData()).write(to: URL(filePath: "\(made.folder)/mask.png"))
    try made.write(#""masks": [{"picture": "mask.png", "reason": "r"}],"#)
    #expect(try await verify(made).outcome == .same)
    try made.write(#""masks": [{"picture": "mask.png", "reason": "r"}],"#, size: "[8, 7]")
    #expect(try await verify(made).outcome.word == "error")
  }

  @Test("A window limits how many changed pixels may be close together")
  func windowsLimitWhatLiesTogether() async throws {
    let made = try TemporaryCase(
      #""tolerance": {"pixels": 6, "windowPixels": 1, "windowSide": 3}, "reason": "r","#)
    try await made.read().record()
    let reference = try #require(try made.read().reference())
    for (second, word) in [(x: 6, "same"), (x: 2, "differs")] {
      var changed = reference
      changed[0, 0].red = 90
      changed[second, 0].red = 90
      try made.replaceReference(by: changed)
      #expect(try await verify(made).outcome.word == word)
    }
  }

  @Test("Expected counts and statistics must match the map")
  func expectedNumbersMustBeRight() async throws {
    for (expect, isRight) in [
      (#"{"counts": [{"layer": "0", "extent": 1, "drawn": "1..3", "edge": 0}]}"#, true),
      (#"{"counts": [{"layer": "0", "drawn": 2}]}"#, false),
      (#"{"statistics": [{"layer": "0", "statistic": "maximum:n", "value": 4}]}"#, true),
      (#"{"statistics": [{"layer": "0", "statistic": "maximum:n", "where": "n > 4", "value": 4}]}"#, false),
      (#"{"statistics": [{"layer": "0", "statistic": "average:n", "value": 4.5, "within": 0.5}]}"#, true),
    ] {
      let made = try TemporaryCase(#""expect": \#(expect),"#)
      try await made.read().record()
      let outcome = try await verify(made).outcome
      #expect(outcome.word == (isRight ? "same" : "numbers-differ"), "\(expect): \(outcome)")
    }
    let unknown = try TemporaryCase(#""expect": {"counts": [{"layer": "roads", "drawn": 1}]},"#)
    try await unknown.read().record()
    #expect(try await verify(unknown).outcome.word == "error")
  }

  @Test("Counts are compared with those of the reference record")
  func countsAreComparedWithThoseRecorded() async throws {
    let made = try TemporaryCase()
    try await made.read().record()
    let path = "\(made.folder)/reference.json"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let changed = text.replacing("\"total\": 1", with: "\"total\": 2")
    try Data(changed.utf8).write(to: URL(filePath: path))
    #expect(try await verify(made).outcome.word == "stale-reference", "an edit by hand must be detected")
    try Data(ReferenceRecord.sealed(changed).utf8).write(to: URL(filePath: path))
    let outcome = try await verify(made).outcome
    #expect(outcome == .numbersDiffer(["layer \"0\": total 2 → 1"]))
  }

  @Test("A difference names the layer, class, features and pixels that changed")
  func changesAreNamed() async throws {
    let made = try TemporaryCase()
    try await made.read().record()
    try made.write("", color: "[255, 3, 0]")
    let result = try await verify(made)
    #expect(result.outcome == .differs(pixels: 16, largest: 3))
    let change = try #require(result.changes.first)
    #expect(result.changes.count == 1)
    #expect(change.layer == "0")
    #expect(change.className == nil)
    #expect(change.summary == "fill color: #ff0000ff → #ff0300ff")
    #expect(change.property == "fill color")
    #expect(change.before == "#ff0000ff")
    #expect(change.after == "#ff0300ff")
    #expect(change.featureCount == 1)
    #expect(change.features.map(\.id) == [1])
    #expect(change.features.map(\.text) == ["n 4"])
    #expect(change.pixels.changed == 16)
    #expect(change.pixels.total == 16)
  }

  @Test("A colour that changes by one step fails, unless the case compares images only")
  func recordsAreComparedExactly() async throws {
    let made = try TemporaryCase()
    try await made.read().record()
    try made.write("", color: "[255, 1, 0]")
    let result = try await verify(made)
    #expect(result.outcome.word == "style-differs")
    #expect(result.changes.first?.summary == "fill color: #ff0000ff → #ff0100ff")
    try made.write(#""compare": "image","#, color: "[255, 1, 0]")
    #expect(try await verify(made).outcome == .same)
  }

  @Test("A difference of drawing alone is that of another version, and one of style or data is not")
  func engineVersions() async throws {
    let made = try TemporaryCase()
    try await made.read().record()
    try made.editRecord { $0.replacing("\"drawnBy\": \"0.1.0\"", with: "\"drawnBy\": \"0.0.9\"") }
    #expect(try await verify(made).outcome == .same, "another version that draws the same")
    var reference = try #require(try made.read().reference())
    reference[3, 3].red -= 9
    try made.replaceReference(by: reference)
    let drawn = try await verify(made)
    #expect(drawn.outcome == .engineDiffers(from: "0.0.9", to: "0.1.0", pixels: 1, largest: 9))
    #expect(drawn.outcome.isFailure)
    try made.write("", color: "[255, 3, 0]")
    let styled = try await verify(made).outcome
    #expect(styled.word == "differs", "\(styled)")
    try made.write("")
    try made.editRecord { $0.replacing("\"total\": 1", with: "\"total\": 2") }
    let counted = try await verify(made).outcome
    #expect(counted.word == "differs", "\(counted)")
  }

  @Test("A warning that the reference does not have fails")
  func newWarningsFail() async throws {
    let made = try TemporaryCase()
    try await made.read().record()
    let path = "\(made.folder)/case.json"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try Data(text.replacing("{\"featureCollection\"", with: "{\"opasity\": 0.5, \"featureCollection\"").utf8)
      .write(to: URL(filePath: path))
    let result = try await verify(made)
    #expect(result.outcome.word == "new-warning")
    #expect(result.changes.first?.summary.contains("opasity") == true)
    try await made.read().record()
    #expect(try await verify(made).outcome == .same)
  }

  @Test("The snapshot self-check passes")
  func selfCheckPasses() async throws { try await SnapshotSelfCheck.run() }

  @Test("A run fails for orphaned references and for patterns that match no case")
  func runsFailOnOrphansAndNothing() async throws {
    let made = try TemporaryCase()
    try await made.read().record()
    try FileManager.default.createDirectory(
      atPath: "\(made.root)/made/gone", withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: made.reference, toPath: "\(made.root)/made/gone/reference.png")
    var outcomes: [String] = []
    try await SnapshotRun(root: made.root).verify { outcomes.append("\($0.outcome.word) \($0.name)") }
    #expect(outcomes == ["orphan made/gone", "same made/case"])
    #expect(try SnapshotRun(root: made.root, patterns: ["*/c?se"]).names == ["made/case"])
    #expect(throws: MapStateError.self) { try SnapshotRun(root: made.root, patterns: ["case"]) }
    #expect(throws: MapStateError.self) { try SnapshotRun(root: made.folder) }
  }

  @Test("Results are delivered in order with several jobs")
  func resultsComeInOrderWithAnyJobs() async throws {
    let root = NSTemporaryDirectory() + "mapstate-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: root) }
    let made = try TemporaryCase()
    let names = (10..<30).map { "a/\($0)" }
    for name in names {
      try FileManager.default.createDirectory(atPath: "\(root)/\(name)", withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        atPath: "\(made.folder)/case.json", toPath: "\(root)/\(name)/case.json")
    }
    var run = try SnapshotRun(root: root)
    run.jobs = 4
    var received: [String] = []
    try await run.verify { received.append($0.name) }
    #expect(received == names)
  }
}
