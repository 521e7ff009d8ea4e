import Foundation
import MapImages
import MapSnapshots
import MapState
import Testing

/// Outcomes of cases made for the tests.
@Suite struct RunnerTests {
  /// Records a case, then changes channels of single pixels of its reference.
  private func changed(
    _ pixels: [(x: Int, y: Int, red: UInt8)], with members: String = ""
  ) async throws -> SnapshotOutcome {
    let made = try TemporaryCase(members)
    try await made.read().record()
    var reference = try #require(try made.read().reference())
    for (x, y, red) in pixels { reference[x, y].red = red }
    try made.replaceReference(by: reference)
    return await (try made.read()).verify().outcome
  }

  @Test("A recorded reference has the drawn pixels and passes")
  func recordsWhatItDraws() async throws {
    let made = try TemporaryCase()
    try await made.read().record()
    let reference = try #require(try made.read().reference())
    #expect(reference.width == 8)
    #expect(reference.height == 6)
    for y in 0..<6 {
      for x in 0..<8 {
        let isRed = (2..<6).contains(x) && (1..<5).contains(y)
        let expected =
          isRed ? PixelColor(red: 255, green: 0, blue: 0) : PixelColor(red: 255, green: 255, blue: 255)
        #expect(reference[x, y] == expected, "at \(x), \(y)")
      }
    }
    #expect(await (try made.read()).verify().outcome.word == "same")
  }

  @Test("One changed pixel fails a case")
  func oneChangedPixelFails() async throws {
    let outcome = try await changed([(x: 7, y: 5, red: 250)])
    guard case .differs(let pixels, let largest) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(pixels == 1)
    #expect(largest == 5)
    #expect(!outcome.isPass)
  }

  @Test("The default tolerance is one step per channel")
  func defaultToleranceIsOneStep() async throws {
    #expect(try await changed([(x: 0, y: 0, red: 254)]).word == "same")
    #expect(try await changed([(x: 0, y: 0, red: 253)]).word == "differs")
  }

  @Test("A channel tolerance allows differences up to its limit")
  func channelToleranceIsALimit() async throws {
    let members = #""tolerance": {"channel": 9}, "reason": "a test","#
    #expect(try await changed([(x: 0, y: 0, red: 246)], with: members).word == "same")
    #expect(try await changed([(x: 0, y: 0, red: 245)], with: members).word == "differs")
  }

  @Test("A pixel tolerance allows that many changed pixels")
  func pixelToleranceIsALimit() async throws {
    let members = #""tolerance": {"pixels": 2}, "reason": "a test","#
    #expect(try await changed([(x: 0, y: 0, red: 0), (x: 1, y: 0, red: 0)], with: members).word == "same")
    let outcome = try await changed(
      [(x: 0, y: 0, red: 0), (x: 1, y: 0, red: 0), (x: 2, y: 0, red: 0)], with: members)
    #expect(outcome.word == "differs")
  }

  @Test("A narrower tolerance needs no reason")
  func narrowerToleranceNeedsNoReason() async throws {
    let members = #""tolerance": {"channel": 0},"#
    #expect(try await changed([], with: members).word == "same")
    #expect(try await changed([(x: 0, y: 0, red: 254)], with: members).word == "differs")
  }

  @Test("A case without a reference fails")
  func missingReferenceFails() async throws {
    let outcome = await (try TemporaryCase().read()).verify().outcome
    #expect(outcome.word == "no-reference")
    #expect(!outcome.isPass)
  }

  @Test("A broken reference image is an error that names it")
  func brokenReferenceIsAnError() async throws {
    let made = try TemporaryCase()
    try await made.read().record()
    try Data("no picture".utf8).write(to: URL(filePath: made.reference))
    let outcome = await (try made.read()).verify().outcome
    #expect(outcome.word == "error")
    #expect(!outcome.isPass)
    #expect(outcome.detail?.contains("reference.png") == true)
  }

  @Test("An image of another size is an outcome of its own")
  func anotherSizeIsAnOutcomeOfItsOwn() async throws {
    let made = try TemporaryCase()
    try await made.read().record()
    try made.write("", size: "[9, 6]")
    let outcome = await (try made.read()).verify().outcome
    guard case .sizeDiffers(let expected, let actual) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(expected == "8x6")
    #expect(actual == "9x6")
    #expect(!outcome.isPass)
  }

  @Test("A skipped case is reported with its reason")
  func skippedCaseIsNotDrawn() async throws {
    let outcome = await (try TemporaryCase(#""skip": true, "reason": "not now","#).read()).verify().outcome
    #expect(outcome.word == "skipped")
    #expect(outcome.detail == "not now")
    #expect(outcome.isSkip)
    #expect(!outcome.isPass)
  }

  @Test(
    "An invalid case is refused with the name of its file",
    arguments: [
      #""tolerance": {"channel": 2},"#, #""tolerance": {"pixels": 1},"#, #""skip": true,"#,
      #""skip": true, "reason": "","#, #""tolerance": {"channel": 256}, "reason": "r","#,
      #""tolerance": {"pixels": -1}, "reason": "r","#, #""tolerance": {"chanel": 1},"#, #""tolerence": {},"#,
      #""document": "other.json","#,
    ])
  func refuses(_ members: String) throws {
    let made = try TemporaryCase(members)
    let error = #expect(throws: MapStateError.self) { try made.read() }
    #expect(error?.kind == .input)
    #expect(error?.description.contains("case.json") == true)
  }

  @Test(
    "A case with invalid options is an error that names them",
    arguments: [
      (#""filters": "both","#, "filters"), (#""time": "yesterday","#, "time"), (#""pixelRatio": 0,"#, "0"),
    ])
  func cannotDraw(_ members: String, word: String) async throws {
    let outcome = await (try TemporaryCase(members).read()).verify().outcome
    #expect(outcome.word == "error")
    #expect(!outcome.isPass)
    #expect(outcome.detail?.contains(word) == true)
  }

  @Test("An unknown key of a case's viewpoint is an error")
  func refusesUnknownKeysOfTheViewpoint() async throws {
    let made = try TemporaryCase()
    try made.write("", center: "centre")
    let outcome = await (try made.read()).verify().outcome
    #expect(outcome.word == "error")
    #expect(outcome.detail?.contains("centre") == true)
  }

  @Test("Verifying a case writes no files")
  func verifyNeverWrites() async throws {
    let missing = try TemporaryCase()
    let before = try missing.files()
    _ = await (try missing.read()).verify()
    #expect(try missing.files() == before)

    let differs = try TemporaryCase()
    try await differs.read().record()
    try differs.write("", size: "[4, 6]")
    let recorded = try differs.files()
    #expect(recorded.count == 4)
    _ = await (try differs.read()).verify()
    #expect(try differs.files() == recorded)
  }

  @Test("Cases are found by their names")
  func findsCasesByName() throws {
    let made = try TemporaryCase()
    #expect(try SnapshotCase.names(in: made.root) == ["made/case"])
    #expect(try SnapshotCase.names(in: made.root + "/", named: ["made/case"]) == ["made/case"])
    #expect(throws: MapStateError.self) { try SnapshotCase.names(in: made.root, named: ["made/other"]) }
    #expect(throws: MapStateError.self) { try SnapshotCase.names(in: made.root + "/nowhere") }
    #expect(try SnapshotCase.names(in: made.folder).isEmpty)
  }
}
