import Foundation
import MapTestSupport
import Testing

/// Vector tiles and styles in the commands.
@Suite("Vector tiles and styles")
struct VectorTileCommandTests {
  private static let archive = Tool.style("tiles/helsinki.pmtiles")
  private static let style = Tool.style("tiles/helsinki.style.json")

  @Test("A layer of tiles is counted and queried at a zoom, the largest by default")
  func counts() async throws {
    let largest = try await Tool.run("count", Self.archive + "#place")
    #expect(largest.code == 0 && largest.out == "7\n", "\(largest)")
    #expect(largest.err.contains("note: features are those of zoom 14"), "\(largest.err)")
    let chosen = try await Tool.run("count", Self.archive + "#place", "--tile-zoom", "12")
    #expect(chosen.out == "6\n" && chosen.err == "", "\(chosen)")
    let filtered = try await Tool.run(
      "count", Self.archive + "#poi", "--tile-zoom", "13", "--where", "class = 'restaurant'", "--strict")
    #expect(filtered.code == 0, "\(filtered)")
    let rows = try await Tool.run(
      "query", Self.archive + "#place", "--tile-zoom", "12", "--format", "csv", "--order-by", "class")
    #expect(rows.code == 0 && rows.out.contains("class"), "\(rows)")
    #expect(rows.out.split(separator: "\n").count == 7, "\(rows)")
    let statistics = try await Tool.run(
      "statistics", Self.archive + "#building", "--tile-zoom", "13", "--statistic", "max:render_height",
      "--format", "csv")
    #expect(statistics.code == 0, "\(statistics)")
  }

  @Test("Pieces without ids that meet at the side of two tiles are one feature, with a note, also in JSON")
  func notes() async throws {
    let text = try await Tool.run("count", Self.archive + "#building", "--tile-zoom", "14")
    #expect(text.out == "485\n" && text.err.contains("514 pieces in tiles are 485 features"), "\(text)")
    let json = try await Tool.run(
      "query", Self.archive + "#building", "--tile-zoom", "14", "--max-features", "1", "--format", "json")
    #expect(json.out.contains("\"notes\""), "\(json.out.suffix(500))")
  }

  @Test("Unknown layers and zooms are errors that name the known ones")
  func errors() async throws {
    let layer = try await Tool.run("count", Self.archive + "#buildings")
    #expect(layer.code != 0 && layer.err.contains("no layer named \"buildings\""), "\(layer)")
    #expect(layer.err.contains("\"building\""), "\(layer)")
    let zoom = try await Tool.run("count", Self.archive + "#building", "--tile-zoom", "15")
    #expect(zoom.code != 0 && zoom.err.contains("it has those of zoom 0 to 14"), "\(zoom)")
    let impossible = try await Tool.run("count", Self.archive, "--tile-zoom", "31")
    #expect(impossible.code != 0 && impossible.err.contains("must be 0 to 30"), "\(impossible)")
    let other = try await Tool.run("count", Tool.cityData, "--tile-zoom", "3")
    #expect(other.code == 0 && other.err.contains("--tile-zoom is not applied"), "\(other)")
  }

  @Test("A layer of tiles is drawn as plain features")
  func drawing() async throws {
    let folder = try ScratchFolder()
    let drawn = try await Tool.run(
      "render", Self.archive + "#landuse", "--tile-zoom", "13", "--size", "200x200", "-o",
      folder.path("a.png"))
    #expect(drawn.code == 0, "\(drawn)")
  }

  @Test(
    "The attribution of tiles is drawn and reported",
    arguments: [
      ("Styles/tiles/helsinki.pmtiles#landuse", "© OpenStreetMap contributors, ODbL 1.0"),
      ("Tests/MapTilesTests/Cases/vector.pmtiles#tile", "© Test"),
      ("Tests/MapTilesTests/Cases/vector.mbtiles#tile", "© Test"),
      ("Tests/MapTilesTests/Cases/vector#tile", "© Test"),
    ])
  func attribution(source: String, text: String) async throws {
    let folder = try ScratchFolder()
    let drawn = try await Tool.run(
      "render", Tool.project.path + "/" + source, "--size", "200x200", "-o", folder.path("a.png"), "--report",
      folder.path("a.json"))
    #expect(drawn.code == 0, "\(drawn)")
    #expect(try WrittenReport(folder.path("a.json")).json["attribution"] as? String == text)
  }

  @Test("Tiles that the archive does not have whole are named")
  func truncated() async throws {
    let folder = try ScratchFolder()
    let path = folder.path("half.pmtiles")
    let whole = try Data(contentsOf: URL(fileURLWithPath: Self.archive))
    try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: path))
    let reason = "tile 14/9326/4741 lies outside the archive, or is larger than 32 MiB"
    let counted = try await Tool.run("count", path + "#building")
    #expect(counted.code != 0 && counted.err == "error: \(path): \(reason)\n", "\(counted)")
    let inspected = try await Tool.run("inspect", path)
    let warning = "warning: 4 tiles that cannot be read were left out; the first: \(reason)\n"
    #expect(inspected.code == 0 && inspected.out.hasSuffix(warning), "\(inspected.out.suffix(300))")
  }

  @Test("inspect names the types of fields as for other tables, and texts about fields beside them")
  func fieldTypes() async throws {
    let text = try await Tool.run("inspect", Self.archive)
    #expect(text.out.contains("  field       housenumber  text\n"), "\(text)")
    #expect(!text.out.contains("String") && !text.out.contains("Number"), "\(text)")
    let integers = Tool.project.path + "/Tests/MapTilesTests/Cases/vector.pmtiles"
    for (source, type) in [(Self.archive, "real"), (integers, "integer")] {
      let json = try await Tool.run("inspect", source, "--format", "json")
      #expect(json.out.contains("\"type\": \"\(type)\""), "\(json)")
    }
  }

  @Test("inspect lists the levels and layers of tiles, and describes one layer")
  func inspectTiles() async throws {
    let text = try await Tool.run("inspect", Self.archive)
    #expect(
      text.code == 0 && text.out.hasPrefix("helsinki.pmtiles  (vector tiles, zoom 0 to 14, 19 tiles)\n"),
      "\(text)")
    #expect(
      text.out.contains("\nbuilding  (zoom 13 to 14)\n  pieces      by zoom: 13: 122, 14: 514\n"),
      "\(text.out)")
    let json = try await Tool.run("inspect", Self.archive, "--format", "json")
    #expect(json.out.contains("\"count\": 19"), "\(json.out.prefix(600))")
    let layer = try await Tool.run(
      "inspect", Self.archive + "#water", "--tile-zoom", "13", "--format", "json")
    #expect(layer.out.contains("\"features\": 2"), "\(layer)")
    let images = try await Tool.run(
      "inspect",
      Tool.project.appendingPathComponent("Tests/MapTilesTests/Cases/sine.pmtiles").path)
    #expect(images.code == 0 && images.out.contains("tiles of images have no features"), "\(images)")
    let features = try await Tool.run(
      "count", Tool.project.appendingPathComponent("Tests/MapTilesTests/Cases/sine.pmtiles").path)
    #expect(features.code != 0 && features.err.contains("its tiles are images, not features"), "\(features)")
  }

  @Test("inspect lists the layers of a style and names unknown members with the nearest one")
  func inspectStyle() async throws {
    let text = try await Tool.run("inspect", Self.style)
    #expect(text.code == 0 && text.out.hasPrefix("style Helsinki  (6 layers)\n"), "\(text)")
    #expect(
      text.out.contains("$.layers[3].paint['fill-outline-colour']")
        && text.out.contains("'fill-outline-color'"),
      "\(text.out)")
    #expect(text.out.contains("buildings  (fill, openmaptiles#building, zoom 13 and larger)"), "\(text.out)")
    let json = try await Tool.run("inspect", Self.style, "--format", "json", "--layer", "roads")
    #expect(json.out.contains("\"filterFields\""), "\(json.out)")
    let unknown = try await Tool.run("inspect", Self.style, "--layer", "road")
    #expect(unknown.code != 0 && unknown.err.contains("did you mean \"roads\"?"), "\(unknown)")
  }

  @Test("explain shows the values of a style's layer, their origins and the filter")
  func explainStyle() async throws {
    let drawn = try await Tool.run(
      "explain", Self.style, "--layer", "roads", "--zoom", "14", "--properties", "{\"class\": \"primary\"}")
    #expect(drawn.code == 0 && drawn.out.contains("  feature     drawn\n"), "\(drawn)")
    #expect(drawn.out.contains("\"rgba(232,164,90,1)\"  style, by feature\n"), "\(drawn)")
    #expect(drawn.err == "", "the layer buildings has a misspelt member")
    let buildings = try await Tool.run("explain", Self.style, "--layer", "buildings", "--zoom", "14")
    #expect(buildings.err.contains("'fill-outline-colour'"), "\(buildings)")
    let rejected = try await Tool.run(
      "explain", Self.style, "--layer", "roads", "--zoom", "14", "--properties", "{\"class\": \"rail\"}",
      "--format", "json")
    #expect(rejected.out.contains("\"filter\": false"), "\(rejected)")
    let far = try await Tool.run("explain", Self.style, "--layer", "roads", "--zoom", "5.5")
    #expect(far.out.contains("not drawn: zoom 5.5 is not in zoom 8 and larger"), "\(far)")
    let missing = try await Tool.run("explain", Self.style, "--zoom", "3")
    #expect(missing.code != 0 && missing.err.contains("--at is needed, or --layer and --zoom"), "\(missing)")
    let map = try await Tool.run("explain", Tool.counties, "--layer", "Counties", "--zoom", "3")
    #expect(map.code != 0 && map.err.contains("--zoom is for styles"), "\(map)")
    let noID = try await Tool.run("explain", Tool.counties, "--layer", "Counties")
    #expect(noID.code != 0 && noID.err.contains("--id is missing"), "\(noID)")
  }

  @Test(
    "A style with a fault is refused with the fault by inspect and explain",
    arguments: [
      (#"{"version": 8, "sources": {}, "layers": [], "sources": {}}"#, "member \"sources\" occurs twice"),
      (
        "{\"version\": 8, \"sources\": {}, \"layers\": [" + String(repeating: "[", count: 600),
        "arrays and objects nested more than 512 deep"
      ),
      (#"{"version": 7, "sources": {}, "layers": []}"#, "$.version: the version must be 8"),
    ])
  func faults(text: String, fault: String) async throws {
    let folder = try ScratchFolder()
    let style = try folder.write(text, to: "style.json")
    for arguments in [
      ["inspect", style], ["explain", style], ["explain", style, "--layer", "a", "--zoom", "3"],
    ] {
      let run = try await Tool.run(arguments)
      #expect(run.code == 2 && run.err.contains(fault), "\(arguments): \(run)")
    }
  }

  @Test("Sources and layers of another kind are reported, and such a document is still a style")
  func wrongMembers() async throws {
    let folder = try ScratchFolder()
    let style = try folder.write(#"{"version": 8, "sources": [], "layers": {}}"#, to: "style.json")
    let run = try await Tool.run("inspect", style)
    #expect(run.code == 0 && run.out.contains("warning: $.sources: must be an object\n"), "\(run)")
    #expect(run.out.contains("warning: $.layers: must be an array\n"), "\(run)")
  }

  @Test(
    "Impossible properties and zooms are refused with the reason",
    arguments: [
      (["--zoom=14", "--properties", #"{"a": 1, "a": 2}"#], "member \"a\" occurs twice"),
      (
        ["--zoom=14", "--properties", "{\"a\":" + String(repeating: "[", count: 3000)],
        "arrays and objects nested more than"
      ),
      (["--zoom=14", "--properties", "{"], "--properties: line 1, column"),
      (["--zoom=14", "--properties", "[]"], "--properties must be a JSON object"),
      (["--zoom=-1"], "--zoom is -1.0; it must be 0 to 30"),
      (["--zoom=30.5"], "it must be 0 to 30"),
      (["--zoom=nan"], "the value 'nan' is invalid for '--zoom <z>'"),
    ])
  func impossible(arguments: [String], reason: String) async throws {
    let run = try await Tool.run(["explain", Self.style, "--layer", "roads"] + arguments)
    #expect(run.code == 64 && run.err.contains(reason), "\(run)")
  }

  @Test("Impossible zooms have the same message in explain and render", arguments: ["nan", "1e308", "-1"])
  func impossibleZoom(_ zoom: String) async throws {
    let rendered = try await Tool.run("render", Self.style, "-o", "drawn.png", "--zoom", zoom)
    for options in [["--at", "1,1"], ["--layer", "roads"]] {
      let explained = try await Tool.run(["explain", Self.style, "--zoom", zoom] + options)
      #expect(explained.code == rendered.code && explained.errors == rendered.errors, "\(explained)")
      #expect(explained.errors.count == 1, "\(explained)")
    }
  }

  @Test("The state is read by feature-state and global-state")
  func state() async throws {
    let folder = try ScratchFolder()
    let style = try folder.write(
      """
      {"version": 8, "state": {"dark": {"default": false}}, "sources": {"s": {"type": "vector", "url": "a"}},
       "layers": [{"id": "a", "type": "fill", "source": "s", "source-layer": "x", "paint": {
        "fill-opacity": ["case", ["boolean", ["feature-state", "hover"], false], 1, 0.5],
        "fill-color": ["case", ["global-state", "dark"], "#000000", "#ffffff"]}}]}
      """, to: "style.json")
    let plain = try await Tool.run("explain", style, "--layer", "a", "--zoom", "3")
    #expect(plain.out.contains("0.5"), "\(plain)")
    let set = try await Tool.run(
      "explain", style, "--layer", "a", "--zoom", "3", "--state", "hover=true", "--state", "dark=true")
    #expect(!set.out.contains("0.5") && set.out.contains("rgba(0,0,0,1)"), "\(set)")
    let bad = try await Tool.run("explain", style, "--layer", "a", "--zoom", "3", "--state", "hover")
    #expect(bad.code != 0 && bad.err.contains("expected KEY=VALUE"), "\(bad)")
  }
}
