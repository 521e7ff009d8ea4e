import Foundation
import MapJSON
import MapTestSupport
import Testing

/// Cases in which an option, a member or a printed name had no effect without a word.
@Suite("Reports: options")
struct OptionReportTests {
  /// The folder of the cases.
  static let cases = Tool.project.appendingPathComponent("Tests/CommandLineTests/Reports/Cases")

  private static func path(_ name: String) -> String { cases.appendingPathComponent(name).path }

  // MARK: Labels without showLabels (06-labels-off-silently, people/l1.json)

  @Test(
    "Label classes without showLabels are a warning with their path, a finding of lint, and dropped in inspect"
  )
  func labels() async throws {
    let folder = try ScratchFolder()
    let map = Self.path("06-labels-off-silently/lab.json")
    let place = "$.operationalLayers[0].layerDefinition.drawingInfo.labelingInfo"
    let drawn = try await Tool.run(
      "render", map, "-o", folder.path("x.png"), "--viewpoint", "0,0,1000000")
    #expect(drawn.code == 0, "\(drawn)")
    #expect(drawn.err.contains("warning: \(place): not drawn: the layer has no \"showLabels\""), "\(drawn)")
    let linted = try await Tool.run("lint", map)
    #expect(linted.code == 1, "\(linted)")
    #expect(linted.out.contains("label-never-placed\t\(place)\tlayer \"L0\": "), "\(linted)")
    let inspected = try await Tool.run("inspect", map, "--format", "json")
    let json = try JSONValue(parsing: inspected.out)
    let member = json["members"]?.array?.first { $0["path"]?.string == place }
    #expect(member?["outcome"]?.string == "dropped", "\(String(describing: member))")
  }

  @Test("Label classes that showLabels switches off are no warning")
  func switchedOffLabels() async throws {
    let folder = try ScratchFolder()
    let text = try String(contentsOfFile: Self.path("06-labels-off-silently/lab.json"), encoding: .utf8)
      .replacing("Arial", with: "Noto Sans")
    try FileManager.default.copyItem(
      atPath: Self.path("06-labels-off-silently/n.geojson"), toPath: folder.path("n.geojson"))
    for (shows, labels) in [("false", 0), ("true", 1)] {
      let map = try folder.write(
        text.replacing("\"layerType\"", with: "\"showLabels\": \(shows), \"layerType\"", maxReplacements: 1),
        to: "lab.json")
      let drawn = try await Tool.run(
        "render", map, "-o", folder.path("x.png"), "--viewpoint", "0,0,1000000", "--strict", "--report",
        folder.path("r.json"))
      #expect(drawn.code == 0, "\(drawn)")
      let report = try JSONValue(parsing: String(contentsOfFile: folder.path("r.json"), encoding: .utf8))
      let placed = (report["labels"]?["classes"]?.array ?? []).compactMap { $0["placed"]?.integer }
      #expect(placed.reduce(0, +) == labels, "\(report)")
    }
  }

  // MARK: --data (people/quoten.csv)

  @Test("--data for a source that has features of its own is an error, also for a web map")
  func data() async throws {
    let folder = try ScratchFolder()
    let map = try SmallMap.write(to: folder)
    let other = folder.path("data/places.geojson")
    for source in [Self.path("people/quoten.csv"), map, other] {
      let runs = [
        ["render", source, "--data", other, "-o", folder.path("a.png")], ["count", source, "--data", other],
        ["inspect", source, "--data", other],
      ]
      for words in runs {
        let run = try await Tool.run(words)
        #expect(run.code == 64, "\(run)")
        #expect(run.err.contains("--data"), "\(run)")
      }
    }
    let drawing = try folder.write(
      #"{"renderer": {"type": "simple", "symbol": {"type": "esriSMS", "style": "esriSMSCircle", "size": 4}}}"#,
      to: "drawing.json")
    let used = try await Tool.run(
      "render", drawing, "--data", other, "-o", folder.path("a.png"), "--viewpoint", "0,3,20000000")
    #expect(used.code == 0, "\(used)")
  }

  // MARK: Members of extents and centres

  @Test(
    "A wkid beside the numbers of an extent or a centre is an error that names spatialReference",
    arguments: [
      #""bounds": {"xmin": 0, "ymin": 0, "xmax": 5, "ymax": 5, "wkid": 3857}"#,
      #""viewpoint": {"bounds": {"xmin": 0, "ymin": 0, "xmax": 5, "ymax": 5, "wkid": 3857}}"#,
      #""viewpoint": {"center": {"x": 0, "y": 0, "wkid": 3857}, "scale": 1000000}"#,
    ])
  func wkids(member: String) async throws {
    let folder = try ScratchFolder()
    _ = try SmallMap.write(to: folder)
    let step = #"{"step": "open", "source": "map.json", \#(member)}"#
    let run = try await Tool.run(["run", "-"], input: step, folder: folder.root)
    #expect(run.code == 2, "\(run)")
    #expect(run.err.contains("\"wkid\"; did you mean \"spatialReference\"?"), "\(run)")
    try folder.write(#"{"document": "../../map.json", \#(member)}"#, to: "cases/one/case.json")
    let verified = try await Tool.run("snapshot", "record", folder.path("cases"), "--all")
    #expect(verified.code == 2, "\(verified)")
    #expect(verified.err.contains("did you mean \"spatialReference\"?"), "\(verified)")
  }

  // MARK: Tiles (people/wm.json)

  @Test("A layer of tiles of a service is said to be drawn with --online, and one of another kind is not")
  func tiles() async throws {
    let run = try await Tool.run("inspect", Self.path("people/wm.json"))
    let lines = run.out.split(separator: "\n").map(String.init)
    #expect(run.code == 0, "\(run)")
    #expect(lines.contains { $0.contains("operationalLayers[0]") && $0.contains("--online") }, "\(run)")
    #expect(
      lines.contains {
        $0.contains("operationalLayers[1]") && $0.contains("kind \"GeoRSS\" is not supported")
      },
      "\(run)")
  }

  // MARK: Display filters (people/display-filter.py)

  @Test("A filter of the caller that leaves nothing together with the document's display filter is a warning")
  func displayFilters() async throws {
    let folder = try ScratchFolder()
    let map = try SmallMap.write(to: folder)
    let run = try await Tool.run(
      "render", map, "-o", folder.path("a.png"), "--definition", "Places: kind = 'b'")
    let sentence = "layer \"Places\": draws nothing: the display filter leaves none"
    #expect(run.err.contains("warning: \(sentence)"), "\(run)")
    let steps = try await Tool.run(
      ["run", "-"],
      input: """
        {"step": "open", "source": "map.json"}
        {"step": "filter", "layer": "Places"}
        {"step": "filter", "layer": "Places", "definition": "kind = 'b'"}
        {"step": "render", "output": "a.png"}
        """, folder: folder.root)
    let lines = steps.out.split(separator: "\n").map(String.init)
    try #require(lines.count == 4, "\(steps)")
    #expect(lines[1].contains(#""definition":"n > 1","displayFilter":"kind = 'a'""#), "\(lines[1])")
    #expect(lines[2].contains(#""definition":"kind = 'b'","displayFilter":"kind = 'a'""#), "\(lines[2])")
    let report = try JSONValue(parsing: lines[3])["report"]
    #expect(report?["warnings"]?.array?.contains { $0.string?.contains(sentence) ?? false } ?? false)
  }

  // MARK: Legends (18-legend-label-cut-silently)

  @Test("The whole label of a class is in the legend, or a warning names the one that is cut")
  func legendLabels() async throws {
    let folder = try ScratchFolder()
    let run = try await Tool.run(
      "render", Self.path("18-legend-label-cut-silently/leg.json"), "-o", folder.path("leg.svg"), "--size",
      "700x350", "--legend", "--svg-text")
    #expect(run.code == 0, "\(run)")
    let text = try String(contentsOfFile: folder.path("leg.svg"), encoding: .utf8)
    let isCut = text.contains("…") || text.contains("...")
    #expect(!isCut || run.err.contains("Pin with an offset"), "\(run)")
  }

  // MARK: Latitudes beyond Web Mercator

  @Test("A viewpoint beyond 85.06 degrees of latitude is a warning in images, counts and steps")
  func poles() async throws {
    let folder = try ScratchFolder()
    let map = try SmallMap.write(to: folder)
    let place = ["--viewpoint", "88,0,100000000"]
    for words in [["render", map, "-o", folder.path("a.png")], ["count", map, "--layer", "Places"]] {
      let run = try await Tool.run(words + place)
      #expect(run.code == 0, "\(run)")
      #expect(run.err.contains("warning: --viewpoint: latitude 88.0 is beyond 85.06"), "\(run)")
      let polar = try await Tool.run(words + place + ["--reference", "4326"])
      #expect(!polar.err.contains("85.06"), "\(polar)")
    }
    let steps = try await Tool.run(
      ["run", "-"],
      input: """
        {"step": "open", "source": "map.json"}
        {"step": "viewpoint", "viewpoint": "-89,0,100000000"}
        """, folder: folder.root)
    #expect(steps.out.contains("latitude -89.0 is beyond -85.06"), "\(steps)")
  }
}
