import Foundation
import MapTestSupport
import Testing

/// Counts and images compared with `independent_counts.py`, which reads the same files and shares no code
/// with the tool.
@Suite("independent counts")
struct IndependentCountTests {
  private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("independent_counts.py").path

  private func python(_ arguments: [String], input: String = "") async throws -> [String] {
    let run = try await Tool.run(
      ["python3", Self.script] + arguments, input: input, program: URL(fileURLWithPath: "/usr/bin/env"))
    #expect(run.code == 0, "\(run.err)")
    return run.out.split(separator: "\n").map(String.init)
  }

  private func compare(
    _ data: String, source: String, layer: String?, modes: [(mode: String, filter: String)]
  )
    async throws
  {
    let extents = try await python(["extents", data])
    #expect(extents.count == 200)
    let lines = extents.joined(separator: "\n")
    for (mode, filter) in modes {
      let expected = try await python(["count", data, filter], input: lines)
      #expect(expected.count == 201)
      let common = [source, "--filters", mode] + (layer.map { ["--layer", $0] } ?? [])
      let everywhere = try await Tool.run(["count"] + common + ["--everywhere"])
      let inside = try await Tool.run(["count"] + common + ["--extents", "-"], input: lines)
      let found =
        [everywhere.out.trimmingCharacters(in: .newlines)]
        + inside.out.split(separator: "\n").map(String.init)
      #expect(found.count == 201, "\(inside.err)")
      for (number, (a, b)) in zip(expected, found).enumerated() where a != b {
        Issue.record(
          "\(mode): \(number == 0 ? "everywhere" : extents[number - 1]): expected \(a), found \(b)")
      }
      // The envelopes must differ: most match some features, and not all match every feature.
      if filter == "none" {
        #expect(Set(expected).count > 40)
        #expect(expected.filter { $0 == "0" }.count < 120)
      } else {
        #expect(Set(expected).count > 10)
      }
    }
  }

  @Test("Counts of points equal those of an independent Python scan")
  func points() async throws {
    // The display filter does not affect counts.
    try await compare(
      Tool.incidentData, source: Tool.incidents, layer: "Incidents",
      modes: [("none", "none"), ("definition", "trees"), ("display", "none")])
  }

  @Test("Counts of polygons equal those of an independent Python scan")
  func polygons() async throws {
    try await compare(
      Tool.countyData, source: Tool.counties, layer: "Counties",
      modes: [("none", "none"), ("definition", "lakes"), ("display", "none")])
  }

  @Test("Counts of cities equal those of an independent Python scan")
  func cities() async throws {
    try await compare(
      Tool.cityData, source: Tool.cities, layer: "Cities", modes: [("display", "none")])
    let first = try await Tool.run("count", Tool.cities, "--where", "POP_RANK = 1", "--everywhere")
    #expect(
      try await python(["count", Tool.cityData, "first"]) == [first.out.trimmingCharacters(in: .newlines)])
  }

  @Test("Counts of rivers equal those of an independent Python scan")
  func rivers() async throws {
    try await compare(
      Tool.riverData, source: Tool.rivers, layer: "Rivers",
      modes: [("none", "none"), ("definition", "rivers"), ("display", "none")])
  }

  @Test("Counts of touching lines and polygons equal those of an independent Python scan")
  func touchingLinesAndPolygons() async throws {
    let folder = try ScratchFolder()
    _ = try await python(["make", folder.root.path])
    for name in ["lines.geojson", "polygons.geojson"] {
      let data = folder.path(name)
      try await compare(data, source: data, layer: nil, modes: [("none", "none")])
    }
  }

  /// Uses views of several positions and scales and all three filter modes.
  @Test(
    "Counted and drawn numbers of a view equal those of an independent Python scan",
    arguments: [
      ("Counties", "none", "none", "none"), ("Counties", "definition", "lakes", "lakes"),
      ("Counties", "display", "none", "high"), ("Incidents", "none", "none", "none"),
      ("Incidents", "definition", "trees", "trees"), ("Incidents", "display", "none", "trees"),
    ])
  func views(layer: String, mode: String, counted: String, drawn: String) async throws {
    let isCounties = layer == "Counties"
    var extents: [String] = []
    var found: [(count: String, drawn: String)] = []
    for (latitude, longitude, scale) in [
      (39.0, -98.0, 2e7), (42.0, -84.5, 3e6), (34.1, -117.3, 1e6), (37.77, -122.44, 4e4),
    ] {
      let viewpoint =
        isCounties
        ? "\(latitude),\(longitude),\(scale)"
        : "\(37.7 + longitude / 1e4),\(-122.4 - latitude / 1e3),\(scale / 100)"
      let run = try await Tool.run(
        "count", isCounties ? Tool.counties : Tool.incidents, "--layer", layer, "--filters", mode,
        "--viewpoint",
        viewpoint, "--funnel", "--format", "json")
      let answer = try #require(
        JSONSerialization.jsonObject(with: Data(run.out.utf8)) as? [String: Any], "\(run.err)")
      let extent = try #require(answer["extent"] as? [Double])
      let item = try #require((answer["layers"] as? [[String: Any]])?.first)
      let funnel = try #require(item["funnel"] as? [String: Int])
      extents.append(extent.map { "\($0)" }.joined(separator: ",") + ",3857")
      found.append(("\(item["count"] as? Int ?? -1)", "\(funnel["drawn"] ?? -1)"))
    }
    let data = isCounties ? Tool.countyData : Tool.incidentData
    let input = extents.joined(separator: "\n")
    let counts = try await python(["count", data, counted], input: input).dropFirst()
    let draws = try await python(["count", data, drawn], input: input).dropFirst()
    #expect(found.map(\.count) == Array(counts))
    #expect(found.map(\.drawn) == Array(draws))
    #expect(Set(counts).count > 1)
  }

  @Test(
    "All cities in view are counted, and the scale's display filter decides which are drawn",
    arguments: [
      ("0,0,60000001", "world"), ("20,80,60000000", "continent"), ("50,12,20000000", "region"),
      ("48,8,8000000", "none"),
    ])
  func citiesByScale(viewpoint: String, drawn: String) async throws {
    let run = try await Tool.run(
      "count", Tool.cities, "--size", "1200x700", "--viewpoint", viewpoint, "--funnel", "--format", "json")
    let answer = try #require(
      JSONSerialization.jsonObject(with: Data(run.out.utf8)) as? [String: Any], "\(run.err)")
    let extent = try #require(answer["extent"] as? [Double])
    let item = try #require((answer["layers"] as? [[String: Any]])?.first)
    let funnel = try #require(item["funnel"] as? [String: Int])
    let input = extent.map { "\($0)" }.joined(separator: ",") + ",3857"
    #expect(
      try await python(["count", Tool.cityData, "none"], input: input).last
        == "\(item["count"] as? Int ?? -1)")
    #expect(
      try await python(["count", Tool.cityData, drawn], input: input).last == "\(funnel["drawn"] ?? -1)")
    #expect((funnel["drawn"] ?? 0) > 10)
  }

  /// Edge features are those that only reach into the view.
  @Test("An image has one painted blob per drawn or edge feature")
  func paintedBlobs() async throws {
    let folder = try ScratchFolder()
    let views = try await python(["views", Tool.incidentData, "trees"])
    #expect(views.count == 4)
    for view in views {
      let parts = view.split(separator: " ").map(String.init)
      try #require(parts.count == 3)
      let run = try await Tool.run(
        "render", Tool.incidents, "--only", "Incidents", "--no-basemap", "--filters", "definition",
        "--viewpoint", parts[0],
        "--background", "none", "-o", folder.path("blobs.png"), "--report", folder.path("report.json"))
      #expect(run.code == 0, "\(run.err)")
      #expect(try await python(["blobs", folder.path("blobs.png")]) == [parts[2]])
      let funnel = try WrittenReport(folder.path("report.json")).funnel("Incidents")
      #expect(funnel["drawn"] == Int(parts[1]))
      #expect((funnel["drawn"] ?? 0) + (funnel["edge"] ?? 0) == Int(parts[2]))
    }
  }
}
