import Foundation
import MapTestSupport
import Testing

/// Accidents besides an intended change: each is a cause of its own, and is not accepted with the intended one.
@Suite struct UnaskedChangeTests {
  let map: ReviewedMap

  init() async throws { map = try await ReviewedMap() }

  /// Accepts an intended colour of class a besides an accident, and returns the summary and what was accepted.
  private func accept(_ text: String, _ other: String) async throws -> (summary: String, run: Tool.Run) {
    try map.write(a: "[240, 0, 0, 255]")
    let document = try String(contentsOfFile: map.folder.path("map.json"), encoding: .utf8)
    try #require(document.contains(text))
    try map.folder.write(document.replacing(text, with: other, maxReplacements: 1), to: "map.json")
    let verified = try await map.snapshot(
      "verify", "cases", "--report-dir", "report", "--summary", "markdown")
    #expect(verified.code == 1, "\(verified)")
    return (
      try String(contentsOfFile: map.folder.path("report/summary.md"), encoding: .utf8),
      try await map.snapshot("accept", "--cause", "Points > a > fill color", "--report-dir", "report")
    )
  }

  @Test("A feature that moved is a cause besides an intended colour")
  func movedFeature() async throws {
    let (summary, run) = try await accept(#""x": 60,"#, #""x": 61.5,"#)
    #expect(summary.contains("**Points** › a › geometry: moved or changed its shape | 1 | 2 |"), "\(summary)")
    #expect(run.code == 1, "\(run)")
    #expect(run.out.contains("left\tall\talso Points › a › geometry: moved or changed its shape\n"), "\(run)")
    #expect(!run.out.contains("accepted"), "\(run)")
  }

  @Test("A feature that is missing is a cause besides an intended colour")
  func missingFeature() async throws {
    let (summary, run) = try await accept(
      #""kind": "b"}, "geometry": {"x": 80"#, #""kind": "c"}, "geometry": {"x": 80"#)
    #expect(summary.contains("**Points** › b › no longer drawn"), "\(summary)")
    #expect(run.out.contains("left\tall\talso Points › b › no longer drawn\n"), "\(run)")
    #expect(run.out.contains("accepted\tclasses/a\n"), "\(run)")
  }

  @Test("A count outside of the image is a cause besides an intended colour")
  func otherCount() async throws {
    let (counts, other) = try await accept(
      #"{"attributes": {"n": 0,"#,
      #"{"attributes": {"n": 0, "kind": "a"}, "geometry": {"x": 900, "y": 30}}, {"attributes": {"n": 0,"#)
    #expect(counts.contains("layer \"Points\": total 6 → 7, definition 5 → 6"), "\(counts)")
    #expect(other.code == 1 && !other.out.contains("accepted"), "\(other)")
  }

  @Test("Another text of a label is a cause besides an intended colour of the label")
  func otherText() async throws {
    let labels =
      #""labelingInfo": [{"labelExpression": "[n]", "name": "numbers", "symbol": {"type": "esriTS", "color": [9, 9, 9, 255], "font": {"size": 8}}}], "renderer""#
    func write(_ color: String, _ number: String) throws {
      try map.write()
      let text = try String(contentsOfFile: map.folder.path("map.json"), encoding: .utf8)
      try map.folder.write(
        text.replacing("\"renderer\"", with: labels.replacing("[9, 9, 9, 255]", with: color))
          .replacing("\"title\": \"Points\"", with: "\"title\": \"Points\", \"showLabels\": true")
          .replacing("{\"n\": 4,", with: "{\"n\": \(number),"), to: "map.json")
    }
    try write("[9, 9, 9, 255]", "4")
    try #require(try await map.snapshot("record", "cases", "--all").code == 0)
    try write("[0, 90, 9, 255]", "3")
    let run = try await map.snapshot("verify", "cases", "all", "--report-dir", "report")
    #expect(run.out.contains("\tPoints labels › numbers › text color: #090909ff → #005a09ff; "), "\(run)")
    let accepted = try await map.snapshot("accept", "--cause", "text color", "--report-dir", "report")
    #expect(accepted.out == "left\tall\talso Points labels › numbers › text: \"4\" → \"3\"\n", "\(accepted)")
  }
}
