import Foundation
import MapJSON
import MapScript
import MapTestSupport
import Testing

/// `mapstate lint` of MapLibre styles, run as a program.
@Suite struct StyleLintTests {
  /// A style without faults: vector tiles, GeoJSON and a sprite.
  private static let style = #"""
    {"version": 8, "sprite": "sprite", "sources": {
      "tiles": {"type": "vector", "url": "pmtiles://helsinki.pmtiles"},
      "points": {"type": "geojson", "data": {"type": "Feature", "properties": {"name": "A", "kind": "x"},
        "geometry": {"type": "Point", "coordinates": [24.945, 60.168]}}}},
    "layers": [
      {"id": "ground", "type": "background", "paint": {"background-color": "#ffffff"}},
      {"id": "roads", "type": "line", "source": "tiles", "source-layer": "transportation", "minzoom": 5, "maxzoom": 22,
        "filter": ["in", "class", "minor", "service"], "paint": {"line-color": "#888888", "line-opacity": 0.9,
        "line-width": ["interpolate", ["linear"], ["zoom"], 10, 1, 15, 4]}},
      {"id": "names", "type": "symbol", "source": "tiles", "source-layer": "poi", "layout": {"text-field": "{name:latin}",
        "text-font": ["Noto Sans Regular"], "icon-image": "dot", "text-anchor": "top"}, "paint": {"text-color": "#222222"}},
      {"id": "points", "type": "circle", "source": "points", "paint": {"circle-radius": 4,
        "circle-color": ["match", ["get", "kind"], "x", "#ff0000", "#0000ff"]}}
    ]}
    """#

  /// A fault: what replaces a text of the style, and the rule and the path of its finding, with a part of the message.
  struct Fault: CustomTestStringConvertible, Sendable {
    let old: String
    let new: String
    let rule: LintRule
    let path: String
    let message: String
    var testDescription: String { "\(rule.rawValue): \(new)" }

    init(_ old: String, _ new: String, _ rule: LintRule, _ path: String, _ message: String) {
      (self.old, self.new, self.rule, self.path, self.message) = (old, new, rule, path, message)
    }
  }

  private static let range = #""minzoom": 5, "maxzoom": 22"#
  private static let filter = #"["in", "class", "minor", "service"]"#
  private static let width = #"["interpolate", ["linear"], ["zoom"], 10, 1, 15, 4]"#
  private static let layout = #""layout": {"text-field": "{name:latin}","#

  static let faults: [Fault] = [
    Fault(
      range, #""minzoom": 5, "maxzoom": 4"#, .layerNeverDrawn, "$.layers[1].minzoom",
      "minzoom 5 is not below maxzoom 4"),
    Fault(range, #""minzoom": 24"#, .layerNeverDrawn, "$.layers[1].minzoom", "outside 0 to 24"),
    Fault(
      filter, #"["all", ["==", "class", "a"], ["in", "class", "b", "c"]]"#, .layerNeverDrawn,
      "$.layers[1].filter", "two different values"),
    Fault(
      filter, #"["all", ["<", ["get", "ramp"], 1], [">=", ["get", "ramp"], 1]]"#, .layerNeverDrawn,
      "$.layers[1].filter", "no number is in the range of ramp"),
    Fault(filter, #"["any"]"#, .layerNeverDrawn, "$.layers[1].filter", "false for all features"),
    Fault(
      filter, #"["==", "$type", "Point"]"#, .layerNeverDrawn, "$.layers[1].filter", "lets only Point pass"),
    Fault(
      filter, #"["==", ["geometry-type"], "Point"]"#, .layerNeverDrawn, "$.layers[1].filter",
      "lets only Point pass"),
    Fault(width, "0", .layerNeverDrawn, "$.layers[1].paint['line-width']", "line-width is 0 at all zooms"),
    Fault(
      #""line-opacity": 0.9"#, #""line-opacity": {"stops": [[4, 0], [9, 0]]}"#, .layerNeverDrawn,
      "$.layers[1].paint['line-opacity']", "is 0 at all zooms"),
    Fault(
      "#888888", "rgba(0, 0, 0, 0)", .layerNeverDrawn, "$.layers[1].paint['line-color']",
      "is transparent at all zooms"),
    Fault(
      #""icon-image": "dot", "text-anchor": "top"}"#,
      #""icon-image": "dot", "icon-size": 0, "text-size": 0}"#, .layerNeverDrawn,
      "$.layers[2].layout['text-size']", "text-size is 0"),
    Fault(
      "10, 1, 15", "10, -1, 15", .invalidValue, "$.layers[1].paint['line-width']",
      "line-width is -1 at zoom 10; it must be at least 0"),
    Fault(
      #""line-opacity": 0.9"#, #""line-opacity": 1.9"#, .invalidValue, "$.layers[1].paint['line-opacity']",
      "1.9 is greater than 1"),
    Fault("#888888", "#88888", .invalidValue, "$.layers[1].paint['line-color']", "Expected color"),
    Fault(
      width, #"["step", ["zoom"], 1, 12, 8]"#, .valueJump, "$.layers[1].paint['line-width']",
      "jumps from 1 to 8 at zoom 12"),
    Fault(
      width, #"{"stops": [[10, 1], [10.4, 5], [15, 6]]}"#, .valueJump, "$.layers[1].paint['line-width']",
      "from 1 to 5 between zoom 10 and 10.4"),
    Fault(
      #""source": "points""#, #""source": "pionts""#, .missingSource, "$.layers[3].source",
      #"unknown source 'pionts'; did you mean "points"?"#),
    Fault(
      #""source-layer": "poi""#, #""source-layer": "pois""#, .missingSourceLayer,
      "$.layers[2]['source-layer']", #"has no layer "pois"; did you mean "poi"?"#),
    Fault(
      "{name:latin}", "{nme:latin}", .missingField, "$.layers[2].layout['text-field']",
      #"no field "nme:latin"; did you mean "name:latin"?"#),
    Fault(
      #"["get", "kind"]"#, #"["get", "knd"]"#, .missingField, "$.layers[3].paint['circle-color']",
      #"no field "knd"; did you mean "kind"?"#),
    Fault(
      filter, #"["in", "clas", "minor", "service"]"#, .missingField, "$.layers[1].filter",
      #"did you mean "class"?"#),
    Fault(
      #""icon-image": "dot""#, #""icon-image": "dott""#, .missingImage, "$.layers[2].layout['icon-image']",
      #"no image "dott"; did you mean "dot"?"#),
    Fault(
      #""icon-image": "dot""#, #""icon-image": "poi_{class}""#, .missingImage,
      "$.layers[2].layout['icon-image']", #"no image "poi_*""#),
    Fault(
      #""icon-image": "dot""#, #""icon-image": ["match", ["get", "class"], "bar", "plat", "dot"]"#,
      .missingImage, "$.layers[2].layout['icon-image']", #"did you mean "plate"?"#),
    Fault(
      "Noto Sans Regular", "Metropolis Light", .missingFont, "$.layers[2].layout['text-font']",
      "no font 'Metropolis Light'; Noto Sans Regular is used"),
    Fault(
      #""id": "points""#, #""id": "names""#, .duplicateLayer, "$.layers[3].id",
      "the id 'names' is that of an earlier layer"),
    Fault(
      "circle-radius", "circle-raduis", .unknownProperty, "$.layers[3].paint['circle-raduis']",
      #"did you mean "circle-radius"?"#),
    Fault(
      #""source": "points", "paint""#, #""source": "tiles", "source-layer": "poi", "paint""#, .unusedSource,
      "$.sources.points", "no layer uses the source \"points\""),
    Fault(
      "#222222", "#dddddd", .textContrast, "$.layers[2].paint['text-color']",
      "has a contrast of 1.35 to 1 with the background, #ffffffff"),
    Fault(
      "#222222\"", "#dddddd\", \"text-halo-width\": 1, \"text-halo-color\": \"#cccccc\"", .textContrast,
      "$.layers[2].paint['text-color']", "with its halo, #ccccccff"),
  ]

  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    try FileManager.default.copyItem(
      atPath: Tool.style("tiles/helsinki.pmtiles"), toPath: folder.path("helsinki.pmtiles"))
    for name in ["sprite.json", "sprite.png"] {
      try FileManager.default.copyItem(
        at: Tool.project.appendingPathComponent("Snapshots/styles/names/\(name)"), to: folder.url(name))
    }
  }

  @Test("A style without faults has no findings, warnings or notes")
  func right() async throws {
    let run = try await Tool.run("lint", folder.write(Self.style, to: "style.json"))
    #expect(run.code == 0 && run.out == "no findings\n" && run.err.isEmpty, "\(run)")
    #expect(Self.faults.count == 30)
  }

  @Test("Each fault of a style is a finding at its path", arguments: faults)
  func fault(_ fault: Fault) async throws {
    try #require(Self.style.contains(fault.old))
    let style = try folder.write(
      Self.style.replacing(fault.old, with: fault.new, maxReplacements: 1), to: "style.json")
    let run = try await Tool.run("lint", style, "--json")
    #expect(run.code == 1, "\(run)")
    let json = try JSONValue(parsing: run.out)
    let findings = json["findings"]?.array ?? []
    let found = findings.filter {
      $0["rule"]?.string == fault.rule.rawValue && $0["path"]?.string == fault.path
    }
    #expect(found.count == 1, "\(run.out)")
    let text = (found.first?["message"]?.string ?? "") + "; " + (found.first?["suggestion"]?.string ?? "")
    #expect(text.contains(fault.message), "\(text)")
    // What is a finding is no warning as well.
    #expect(json["warnings"] == [], "\(run.out)")
    let disabled = try await Tool.run("lint", style, "--json", "--disable", fault.rule.rawValue)
    #expect(
      try JSONValue(parsing: disabled.out)["count"]?.integer
        == findings.count { $0["rule"]?.string != fault.rule.rawValue })
  }

  @Test("Hidden layers are a note, and no finding")
  func hidden() async throws {
    let style = Self.style.replacing(
      Self.layout, with: #""layout": {"visibility": "none", "text-field": "{name:latin}","#)
    let run = try await Tool.run("lint", folder.write(style, to: "style.json"))
    #expect(run.code == 0 && run.out == "no findings\n")
    #expect(run.err.contains(#"visibility "none" hides 1 layer: "names""#), "\(run)")
  }

  @Test("Findings of a style are annotations at its lines")
  func annotations() async throws {
    let style = try folder.write(
      Self.style.replacing("circle-radius", with: "circle-raduis"), to: "style.json")
    let run = try await Tool.run("lint", style, "--format", "github")
    let lines = run.out.split(separator: "\n").filter { $0.hasPrefix("::") }
    #expect(
      lines.count == 1 && lines[0].contains("line=12,") && lines[0].contains("unknown-property::"),
      "\(run.out)")
  }

  @Test(
    "A text whose fields are all unknown is a warning of drawing, with the nearest field",
    arguments: [
      ("{name:latin}", "{nme:latin}"), (#""{name:latin}""#, #"["get", "nme:latin"]"#),
    ])
  func drawing(old: String, new: String) async throws {
    let style = try folder.write(Self.style.replacing(old, with: new), to: "style.json")
    let run = try await Tool.run("render", style, "--zoom", "15", "-o", folder.path("map.png"))
    #expect(
      run.err.contains(
        #"style layer "names": text-field draws no text: the features have no field "nme:latin", did you mean "name:latin"?"#
      ), "\(run)")
    let plain = try await Tool.run(
      "render", folder.write(Self.style, to: "style.json"), "--zoom", "15", "-o", folder.path("map.png"))
    #expect(!plain.err.contains("draws no text"), "\(plain)")
  }
}
