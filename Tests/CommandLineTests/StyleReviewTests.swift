import Foundation
import MapJSON
import Testing

/// A review of snapshots of styles, whose cases record the layers of the style.
@Suite struct StyleReviewTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// Records a case of all layers of a style in `style.json`.
  private func record(_ style: String, _ view: String) async throws {
    try folder.write(
      #"{"document": "../../style.json", \#(view), "idsOf": "style#*"}"#, to: "cases/one/case.json")
    try folder.write(style, to: "style.json")
    let run = try await Tool.run("snapshot", "record", "cases", "--all", folder: folder.root)
    try #require(run.code == 0, "\(run)")
  }

  /// Verifies the case with another style, and returns the report.
  private func report(_ style: String) async throws -> JSONNode {
    try folder.write(style, to: "style.json")
    let run = try await Tool.run(
      "snapshot", "verify", "cases", "--report-dir", "report", "--summary", "markdown", folder: folder.root)
    #expect(run.code == 1, "\(run)")
    return JSONNode(
      try JSONValue(parsing: String(contentsOfFile: folder.path("report/report.json"), encoding: .utf8)))
  }

  @Test("Changes of two layers of a style are two causes with the number of features")
  func causes() async throws {
    try FileManager.default.copyItem(
      atPath: Tool.style("tiles/helsinki.pmtiles"), toPath: folder.path("helsinki.pmtiles"))
    let style = try String(contentsOfFile: Tool.style("tiles/city.json"), encoding: .utf8)
    // Among the layers is one with areas without vertices.
    try await record(style, #""size": [600, 400], "zoom": 15.6"#)
    let minor = ##""line-color": "#ffffff""##
    let place = ##""text-color": "#4b4640""##
    try #require(style.contains(minor) && style.contains(place))
    let report = try await report(
      style.replacing(minor, with: ##""line-color": "#fff0f0""##)
        .replacing(place, with: ##""text-color": "#404040""##))
    let causes = try report.elements("causes")
    let texts = try causes.map { try $0.string("cause") ?? "" }
    #expect(texts == ["minor › line-color: #ffffff → #fff0f0", "places › text-color: #4b4640 → #404040"])
    #expect(try causes.allSatisfy { try $0.integer("featureCount") ?? 0 > 0 })
    let summary = try String(contentsOfFile: folder.path("report/summary.md"), encoding: .utf8)
    #expect(summary.contains("**places** › text-color: `#4b4640` → `#404040` | "), "\(summary)")
    // The intended cause is not accepted with the other one.
    let accepted = try await Tool.run(
      "snapshot", "accept", "--cause", "minor", "--report-dir", "report", folder: folder.root)
    #expect(accepted.code == 1 && accepted.out.hasPrefix("left\tone\talso "), "\(accepted)")
  }

  @Test("A changed icon is named in words, without the hashes of its pixels")
  func icons() async throws {
    for name in ["sprite.json", "sprite.png"] {
      try FileManager.default.copyItem(
        at: Tool.project.appendingPathComponent("Snapshots/styles/names/\(name)"), to: folder.url(name))
    }
    let style = try String(
      contentsOf: Tool.project.appendingPathComponent("Snapshots/styles/names/style.json"), encoding: .utf8)
    try await record(style, #""size": [500, 300]"#)
    let report = try await report(style.replacing("#a33b2c", with: "#2c3ba3"))
    let causes = try report.elements("causes").map { try $0.string("cause") }
    #expect(causes == ["points › icon-color: #a33b2c → #2c3ba3"])
  }
}
