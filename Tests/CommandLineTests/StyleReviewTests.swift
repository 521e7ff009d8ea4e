import Foundation
import MapJSON
import MapTestSupport
import Testing

/// A review of snapshots of styles, whose cases record the layers of the style.
@Suite struct StyleReviewTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// Records a case of all layers of a style in `style.json`.
  private func record(_ style: String, _ view: String, hasIDs: Bool = true) async throws {
    let ids = hasIDs ? #", "idsOf": "style#*""# : ""
    try folder.write(
      #"{"document": "../../style.json", \#(view)\#(ids)}"#, to: "cases/one/case.json")
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

  /// Returns the style of a city, with its tiles beside it.
  private func city() throws -> String {
    try FileManager.default.copyItem(
      atPath: Tool.style("tiles/helsinki.pmtiles"), toPath: folder.path("helsinki.pmtiles"))
    return try String(contentsOfFile: Tool.style("tiles/city.json"), encoding: .utf8)
  }

  /// The members of a layer up to its source layer.
  private static func start(_ id: String, _ type: String, _ sourceLayer: String) -> String {
    """
    "id": "\(id)",
          "type": "\(type)",
          "source": "openmaptiles",
          "source-layer": "\(sourceLayer)",
    """
  }

  private static let stops = start("stops", "circle", "poi")

  /// Changes of the style, each with the start of the cause that must be named first.
  static let changes: [(old: String, new: String, cause: String)] = [
    ("15, 3.8, 18, 15", "15, 4.4, 18, 15", "minor › line-width at zoom 15.6: 5."),
    (#"["bus", "railway"], true, false"#, #"["bus"], true, false"#, "stops › filter: "),
    (stops, stops + #""layout": {"visibility": "none"},"#, "stops › visibility: visible → none"),
    (stops, start("stops", "circle", "place"), "stops › source-layer: poi → place"),
    (stops + "\n      \"minzoom\": 15,", stops + "\n      \"minzoom\": 16,", "stops › minzoom: 15 → 16"),
    ("Noto Sans Bold", "Noto Sans Italic", "places › text-font: [Noto Sans Bold] → [Noto Sans Italic]"),
    (
      #"["get", "class"], "railway", "#, #"["get", "class"], "rail", "#,
      #"stops › circle-stroke-color: ["match""#
    ),
    (
      #""line-dasharray": [3, 1.6]"#, #""line-dasharray": [5, 1]"#,
      "paths › line-dasharray: [3, 1.6] → [5, 1]"
    ),
    (
      ##""background-color": "#f3f0e9""##, ##""background-color": "#f3f0ea""##,
      "background › background-color: #f3f0e9 → #f3f0ea"
    ),
  ]

  @Test("Without ids, a failure names layer, property, zoom and number of features", arguments: changes)
  func properties(old: String, new: String, cause: String) async throws {
    let style = try city()
    try #require(style.contains(old))
    try await record(style, #""size": [600, 400], "zoom": 15.6"#, hasIDs: false)
    let report = try await report(style.replacing(old, with: new, maxReplacements: 1))
    let first = try #require(try report.elements("causes").first)
    #expect(try first.string("cause")?.hasPrefix(cause) == true, "\(first.value.text())")
    #expect(try cause.hasPrefix("background") || first.integer("featureCount") ?? 0 > 0)
    #expect(try report.elements("causes").count == 1, "\(report.value.text())")
  }

  @Test("A layer in another place is named with the layer below it before and now")
  func order() async throws {
    let style = try city()
    try await record(style, #""size": [600, 400], "zoom": 15.6"#, hasIDs: false)
    var json = try #require(try JSONValue(parsing: style).object)
    var layers = try #require(json["layers"]?.array)
    layers.insert(layers.remove(at: 7), at: 1)
    json["layers"] = .array(layers)
    let report = try await report(JSONValue.object(json).text())
    let causes = try report.elements("causes").map { try $0.string("cause") }
    #expect(causes == [#"buildings › order of layers: above "waterways" → above "background""#])
  }

  @Test("Metadata, transitions and values of other zooms are no change")
  func equal() async throws {
    let style = try city()
    try await record(style, #""size": [300, 200], "zoom": 15.6"#, hasIDs: false)
    let other = style.replacing("13, 0.7, 17, 1.8", with: "13, 0.7, 17, 1.8, 20, 9")
      .replacing(
        #""line-opacity": 0.75"#, with: #""line-opacity": 0.75, "line-opacity-transition": {"duration": 9}"#
      )
      .replacing(Self.stops, with: #""metadata": {"note": 1},"# + Self.stops)
    try #require(other.count > style.count + 60)
    try folder.write(other, to: "style.json")
    let run = try await Tool.run("snapshot", "verify", "cases", folder: folder.root)
    #expect(run.code == 0, "\(run)")
  }

  @Test("generate makes a case for each zoom at which a layer changes, and each of them passes")
  func generation() async throws {
    try folder.write(try city(), to: "city.json")
    let run = try await Tool.run("snapshot", "generate", "city.json", "cases", folder: folder.root)
    #expect(run.code == 0, "\(run)")
    let made = run.out.split(separator: "\n").filter { $0.hasPrefix("generated\t") }
    #expect(
      made.contains("generated\tcity/zoom-15-6") && made.contains("generated\tcity/zoom-13"), "\(run.out)")
    #expect((5...16).contains(made.count), "\(run.out)")
    let recorded = try await Tool.run("snapshot", "record", "cases", "--missing", folder: folder.root)
    #expect(recorded.code == 0, "\(recorded)")
    let verified = try await Tool.run("snapshot", "verify", "cases", folder: folder.root)
    #expect(verified.code == 0 && verified.err.contains("\(made.count) passed, 0 failed"), "\(verified)")
  }
}
