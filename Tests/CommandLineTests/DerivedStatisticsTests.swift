import Foundation
import MapJSON
import MapTestSupport
import Testing

/// Statistics of measures, by cells of the map and by steps of time.
@Suite("statistics: measures, bins and time")
struct DerivedStatisticsTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func records(_ words: [String]) async throws -> [JSONValue] {
    let run = try await Tool.run(["statistics"] + words + ["--format", "json"])
    #expect(run.code == 0, "\(run)")
    return try JSONValue(parsing: Array(run.out.utf8))["records"]?.array ?? []
  }

  /// Source: GeographicLib 2.0 for Python (PyPI `geographiclib`), `Geodesic.WGS84.Polygon`, on the rings of the file.
  @Test(
    "Areas and lengths are those of GeographicLib",
    arguments: [
      ("DE", 5_200_241_173.28417, 557_626.8736453375), ("RI", 2_834_693_013.4406567, 626_816.5364435689),
      ("HI", 16_758_939_911.91843, 1_422_144.0352031656), ("AK", 1_522_398_467_690.3345, 55_808_905.11529625),
      ("ME", 84_751_707_755.61275, 6_890_725.497578182),
    ])
  func measures(state: String, area: Double, length: Double) async throws {
    let found = try await records([
      Tool.style("data/us-counties.geojson"), "--statistic", "sum:$area:area", "--statistic",
      "sum:$length:length",
      "--where", "STATE = '\(state)'",
    ])
    let statistics = try #require(found.first?["statistics"])
    #expect(abs(try #require(statistics["area"]?.double) / area - 1) < 1e-9)
    #expect(abs(try #require(statistics["length"]?.double) / length - 1) < 1e-9)
  }

  @Test("Measures are as large in Web Mercator as in degrees, and join other statistics and groups")
  func references() async throws {
    let area = """
      {"geometryType": "esriGeometryPolygon", "spatialReference": {"wkid": 102100},
       "fields": [{"name": "k", "type": "esriFieldTypeString"}],
       "features": [{"attributes": {"k": "a"}, "geometry": {"rings": [[[0, 8399737.889818357], [0, 8500000], [100000, 8500000], [100000, 8399737.889818357], [0, 8399737.889818357]]]}},
         {"attributes": {"k": "b"}}]}
      """
    let path = try folder.write(area, to: "area.json")
    let found = try await records([
      path, "--statistic", "sum:$area:area", "--statistic", "count", "--group-by", "k",
    ])
    try #require(found.count == 2, "\(found)")
    // At 60 degrees, a metre of the map is half a metre.
    let size = try #require(found[0]["statistics"]?["area"]?.double)
    #expect((2.3e9...2.6e9).contains(size), "\(size)")
    #expect(found[1]["statistics"]?["area"] == nil && found[1]["statistics"]?["COUNT"]?.integer == 1)
    let points = try await Tool.run("statistics", Tool.cityData, "--statistic", "sum:$area")
    #expect(points.code == 2 && points.err.contains("$area needs areas, which the layer lacks"), "\(points)")
  }

  /// Source: en.wikipedia.org/wiki/Geohash, the two examples.
  @Test("Geohashes have their names and cells")
  func geohashes() async throws {
    let data = try folder.write(
      "id,longitude,latitude\n1,10.40744,57.64911\n2,-5.603,42.605\n3,,\n", to: "p.csv")
    for (length, names) in [("5", ["ezs42", "u4pru"]), ("11", ["ezs42s000es", "u4pruydqqvj"])] {
      let found = try await records([data, "--statistic", "count", "--bins", "geohash:\(length)"])
      try #require(found.count == 3, "\(found)")
      let groups = found.map { $0["group"]?["$bin"]?.string }
      #expect(groups == names + [nil], "\(groups)")
      #expect(found[2].object?.members.last { $0.name == "geometry" }?.value == .null)
    }
    let found = try await records([data, "--statistic", "count", "--bins", "geohash:5"])
    let ring = try #require(found[0]["geometry"]?["coordinates"]?[0]?.array)
    #expect(ring.count == 5 && ring.first == ring.last)
    let x = ring.compactMap { $0[0]?.double }
    let y = ring.compactMap { $0[1]?.double }
    #expect(
      x.min() == -5.625 && x.max() == -5.5810546875 && y.min() == 42.5830078125 && y.max() == 42.626953125)
  }

  @Test(
    "Every point is in one cell, and a table with cells is a data file", arguments: ["hexagon", "square"])
  func cells(_ shape: String) async throws {
    let words = [
      Tool.cityData, "--statistic", "count:*:n", "--statistic", "sum:POP:p", "--bins", "\(shape):500000",
    ]
    let found = try await records(words)
    #expect(found.count > 100)
    let all = try await records([Tool.cityData, "--statistic", "count:*:n", "--statistic", "sum:POP:p"])
    #expect(
      found.compactMap { $0["statistics"]?["n"]?.integer }.reduce(0, +)
        == all[0]["statistics"]?["n"]?.integer)
    #expect(
      found.compactMap { $0["statistics"]?["p"]?.double }.reduce(0, +) == all[0]["statistics"]?["p"]?.double)
    let corners = shape == "hexagon" ? 7 : 5
    #expect(found.allSatisfy { $0["geometry"]?["coordinates"]?[0]?.array?.count == corners })
    let table = try await Tool.run(["statistics"] + words + ["--format", "csv"])
    #expect(table.out.hasPrefix("$bin,n,p,wkt\n"), "\(table.out.prefix(200))")
    let path = try folder.write(table.out, to: "bins.csv")
    let again = try await Tool.run("statistics", path, "--statistic", "sum:n:n", "--format", "csv")
    #expect(again.out == "n\n\(all[0]["statistics"]?["n"]?.integer ?? 0)\n", "\(again)")
    let drawn = try await Tool.run("render", path, "-o", folder.path("a.png"), "--color-by", "n", "--strict")
    #expect(drawn.code == 0, "\(drawn)")
    let lines = try await Tool.run(["statistics"] + words + ["--format", "ndjson", "--top", "1"])
    #expect(lines.out.contains(#""geometry":{"type":"Polygon""#), "\(lines)")
  }

  @Test(
    "Groups by steps of time have the name of the step",
    arguments: [
      ("year", "2020,8\n"), ("month", "2020-01,8\n"), ("week", "2019-12-30,5\n2020-01-06,3\n"),
    ])
  func time(step: String, rows: String) async throws {
    let map = try SmallMap.write(to: folder)
    let words = [
      "statistics", map, "--layer", "Places", "--everywhere", "--filters", "none", "--statistic", "count",
    ]
    let run = try await Tool.run(words + ["--by-time", step, "--format", "csv"])
    #expect(run.out == "$time,COUNT\n" + rows, "\(run)")
    let groups = try await Tool.run(
      words + ["--by-time", step, "--group-by", "kind", "--format", "csv", "--order-by", "$time:desc"])
    #expect(groups.out.hasPrefix("kind,$time,COUNT\n"), "\(groups)")
    let refused = try await Tool.run(words + ["--by-time", "2months"])
    #expect(refused.code == 64 && refused.err.contains("one month"), "\(refused)")
  }

  @Test(
    "A wrong cell is an error with the right form",
    arguments: [
      ("hexagon", "hexagon:50000"), ("hexagon:0", "hexagon:50000"), ("geohash:13", "geohash:5"),
      ("hexagn:5", "did you mean \"hexagon\"?"),
    ])
  func wrongCells(text: String, message: String) async throws {
    let run = try await Tool.run("statistics", Tool.cityData, "--statistic", "count", "--bins", text)
    #expect(run.code == 64 && run.err.contains(message), "\(run)")
  }

  @Test("The step statistics has the same fields, and partial answers refuse them")
  func steps() async throws {
    _ = try SmallMap.write(to: folder)
    let steps = """
      {"step": "open", "source": "map.json"}
      {"step": "statistics", "layer": "Places", "everywhere": true, "statistic": "count", "bins": "geohash:1", "byTime": "year"}
      """
    let run = try await Tool.run(["run", "-"], input: steps, folder: folder.root)
    let line = run.out.split(separator: "\n").last.map(String.init) ?? ""
    #expect(
      line.contains(
        #""group":{"$bin":"s","$time":"2020"},"statistics":{"COUNT":6},"geometry":{"type":"Polygon""#),
      "\(run)")
    let question = try folder.write(
      #"{"statistics": {"everywhere": true, "statistic": "count", "bins": "geohash:1"}}"#, to: "q.json")
    let refused = try await Tool.run(
      "partial", folder.path("data/places.geojson"), "--question", question, "--ordinal", "0", "-o",
      folder.path("0.state"))
    #expect(refused.code == 2 && refused.err.contains("bins"), "\(refused)")
  }
}
