import Foundation
import MapJSON
import MapTestSupport
import Testing

/// Names that the tool prints are accepted where the tool asks for names.
@Suite("Reports: printed names")
struct PrintedNameTests {
  /// Files whose layers and fields have names with `#`, blanks, brackets, colons and commas.
  private static func write(to folder: ScratchFolder) async throws -> [String] {
    let properties = #"{"addr:street": "Elm", "a, b": 3, "two words": 1.5, "x#1": true}"#
    func feature(_ geometry: String) -> String {
      #"{"type": "Feature", "properties": \#(properties), "geometry": \#(geometry)}"#
    }
    let point = feature(#"{"type": "Point", "coordinates": [1, 2]}"#)
    let line = feature(#"{"type": "LineString", "coordinates": [[1, 2], [3, 4]]}"#)
    let area = feature(#"{"type": "Polygon", "coordinates": [[[0, 0], [2, 0], [2, 2], [0, 0]]]}"#)
    func collection(_ features: String...) -> String {
      #"{"type": "FeatureCollection", "features": [\#(features.joined(separator: ","))]}"#
    }
    var files = [
      OptionReportTests.cases.appendingPathComponent("people/ge.kml").path, Tool.cityData,
      try folder.write(collection(point, line, area), to: "mixed#1 (new).geojson"),
      try folder.write(collection(point, point), to: "plain.geojson"),
    ]
    for (file, source) in [("plain.gpkg", 3), ("plain.fgb", 3), ("plain.arrow", 3)] {
      let made = try await Tool.run("query", files[source], "-o", folder.path(file))
      #expect(made.code == 0, "\(made)")
      files.append(folder.path(file))
    }
    return files
  }

  @Test(
    "Each layer, id and field that inspect prints is accepted by #, --layer, --out-fields, --statistic and --where"
  )
  func inspected() async throws {
    let folder = try ScratchFolder()
    var (layers, fields) = (0, 0)
    for file in try await Self.write(to: folder) {
      let inspected = try await Tool.run("inspect", file, "--format", "json")
      #expect(inspected.code == 0, "\(inspected)")
      let found = try JSONValue(parsing: inspected.out)["layers"]?.array ?? []
      #expect(!found.isEmpty)
      for layer in found {
        let (name, id) = (layer["layer"]?.string ?? "", layer["id"]?.string ?? "")
        let count = layer["features"]?.integer ?? -1
        for words in [
          ["\(file)#\(name)"], [file, "--layer", name], [file, "--layer", id], [file, "--only", name],
        ] {
          let run = try await Tool.run(["count"] + words)
          #expect(run.code == 0 && run.out.hasSuffix("\(count)\n"), "\(words) \(run)")
        }
        layers += 1
        for field in layer["fields"]?.array ?? [] {
          let field = field["name"]?.string ?? ""
          let quoted = "\"\(field)\""
          let runs = [
            ["query", file, "--layer", name, "--out-fields", quoted, "--order-by", "\(quoted):desc"],
            ["statistics", file, "--layer", name, "--statistic", "count:\(quoted):n", "--group-by", quoted],
            ["count", file, "--layer", name, "--where", "\(quoted) IS NULL OR \(quoted) IS NOT NULL"],
          ]
          for words in runs {
            let run = try await Tool.run(words)
            #expect(run.code == 0, "\(words) \(run)")
          }
          fields += 1
        }
      }
    }
    #expect(layers == 13)
    #expect(fields > 30)
  }

  @Test(
    "Each id that query prints selects its feature by --object-ids and explain, and the error for OBJECTID says so"
  )
  func ids() async throws {
    let folder = try ScratchFolder()
    var asked = 0
    for file in try await Self.write(to: folder) where !file.hasSuffix(".kml") && !file.contains("mixed") {
      let listed = try await Tool.run("query", file, "--ids", "--max-features", "3")
      let ids = listed.out.split(separator: "\n").map(String.init)
      #expect(!ids.isEmpty, "\(listed)")
      for id in ids {
        let run = try await Tool.run("query", file, "--object-ids", id, "--ids")
        #expect(run.out == "\(id)\n", "\(file) \(run)")
        asked += 1
      }
      let all = try await Tool.run("count", file, "--object-ids", ids.joined(separator: ","))
      #expect(all.out == "\(ids.count)\n", "\(all)")
    }
    #expect(asked >= 11)
    let failed = try await Tool.run("count", Tool.cityData, "--where", "OBJECTID = 3")
    #expect(failed.code == 2, "\(failed)")
    #expect(failed.err.contains("--object-ids"), "\(failed)")
  }

  @Test("A case is accepted and verified by each of its names in reports and by its path")
  func cases() async throws {
    let folder = try ScratchFolder()
    _ = try SmallMap.write(to: folder)
    let cases = folder.path("Cases")
    let text = #"{"document":"../../../map.json","size":[80,60]}"#
    try folder.write(text, to: "Cases/filters/one/case.json")
    #expect(try await Tool.run("snapshot", "record", cases, "--all").code == 0)
    let names = [
      "filters/one", "filters/one/", "filters.one", "\(cases)/filters/one", "\(cases)/filters/one/case.json",
      "Cases/filters/one", "./Cases/filters/one/",
    ]
    for name in names {
      let verified = try await Tool.run(["snapshot", "verify", cases, name], folder: folder.root)
      #expect(verified.out == "same\tfilters/one\n", "\(name) \(verified)")
    }
    for (number, name) in names.enumerated() {
      try folder.write(
        text.replacing("60]", with: "60],\"definition\":\"Places: n > \(number + 2)\""),
        to: "Cases/filters/one/case.json")
      let failed = try await Tool.run(
        "snapshot", "verify", cases, "--exact-filters", "--report-dir", folder.path("report"))
      #expect(failed.code == 1, "\(failed)")
      let accepted = try await Tool.run(
        ["snapshot", "accept", cases, name, "--report-dir", folder.path("report")], folder: folder.root)
      #expect(accepted.out == "accepted\tfilters/one\n", "\(name) \(accepted)")
    }
    let wrong = try await Tool.run("snapshot", "verify", cases, "filters/two")
    #expect(wrong.code == 2, "\(wrong)")
  }
}
