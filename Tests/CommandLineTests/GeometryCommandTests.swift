import Foundation
import MapTestSupport
import Testing

@Suite("--geometry and reference systems")
struct GeometryCommandTests {
  private static let triangle = #"{"type":"Polygon","coordinates":[[[0.5,-2],[6,-2],[6,2],[0.5,-2]]]}"#
  private static let esri =
    #"{"rings":[[[0.5,-2],[6,-2],[6,2],[0.5,-2]]],"spatialReference":{"wkid":4326}}"#

  /// Checked by eye: the triangle's upper side crosses the equator at 3.25° east.
  ///
  /// It contains the points at 4° and 5° and has the point at 6° on its edge.
  @Test("Count, query and statistics accept a query geometry with a relation")
  func relationsInEveryCommand() async throws {
    let folder = try ScratchFolder()
    let data = try folder.write(SmallMap.places, to: "places.geojson")
    for text in [Self.triangle, Self.esri] {
      let query = try folder.write(text, to: "query.json")
      for (relation, count) in [
        ("intersects", 3), ("contains", 2), ("touches", 1), ("disjoint", 5), ("within", 0),
      ] {
        let run = try await Tool.run("count", data, "--geometry", query, "--relation", relation)
        #expect(run.code == 0, "\(relation) \(run.out)\(run.err)")
        #expect(run.out == "\(count)\n", "\(relation) \(run.out)\(run.err)")
      }
      #expect(try await Tool.run("count", data, "--geometry", query).out == "3\n")
      let ids = try await Tool.run("query", data, "--geometry", query, "--relation", "contains", "--ids")
      #expect(ids.out.filter(\.isNumber) == "56", "\(ids.out)\(ids.err)")
      let sum = try await Tool.run(
        "statistics", data, "--geometry", query, "--statistic", "sum:n", "--format", "csv")
      #expect(sum.out.contains("\n15"), "\(sum.out)\(sum.err)")
    }
  }

  @Test("Steps accept a query geometry and refuse an invalid relation")
  func stepsTakeGeometry() async throws {
    let folder = try ScratchFolder()
    let data = try folder.write(SmallMap.places, to: "places.geojson")
    let steps = [
      #"{"step":"open","source":"\#(data)"}"#,
      #"{"step":"count","geometry":\#(Self.esri),"relation":"contains"}"#,
      #"{"step":"count","geometry":\#(Self.triangle)}"#,
      #"{"step":"count","geometry":\#(Self.triangle),"relation":"near"}"#,
      #"{"step":"count","relation":"contains"}"#,
    ]
    let script = try folder.write(steps.joined(separator: "\n") + "\n", to: "steps.run")
    let answers = try await Tool.run("run", script).out.split(separator: "\n")
    #expect(answers.count == 5)
    #expect(answers[1].contains(#""count":2"#), "\(answers)")
    #expect(answers[2].contains(#""count":3"#), "\(answers)")
    #expect(answers[3].contains("expected one of"), "\(answers)")
    #expect(answers[4].contains("goes with"), "\(answers)")
  }

  @Test("Extents and bounds are accepted in any spatial reference")
  func envelopesInAnyReference() async throws {
    let folder = try ScratchFolder()
    let data = try folder.write(SmallMap.places, to: "places.geojson")
    // UTM zone 31 north: the central meridian is 3° east, at 500 km; a degree is 111 km there.
    let run = try await Tool.run("count", data, "--extent", "350000,-1000,650000,1000,32631")
    #expect(run.out == "3\n", "\(run.err)")
    let view = try await Tool.run(
      "count", data, "--bounds", "350000,-1000,650000,1000,32631", "--format", "json")
    #expect(view.code == 0, "\(view.err)")
    #expect(view.out.contains(#""wkid":32631"#), "\(view.err)")
  }

  @Test("An invalid geometry request is an error that names the reason")
  func wrongRequests() async throws {
    let folder = try ScratchFolder()
    let data = try folder.write(SmallMap.places, to: "places.geojson")
    let query = try folder.write(Self.triangle, to: "query.json")
    let bow = try folder.write(
      #"{"type":"Polygon","coordinates":[[[0,0],[1,1],[1,0],[0,1],[0,0]]]}"#, to: "bow.json")
    let two = try folder.write(SmallMap.places, to: "two.json")
    let text = try folder.write("POINT (1 2)", to: "text.json")
    let local = try folder.write(
      #"{"type":"FeatureCollection","crs":{"properties":{"name":"EPSG:999999"}},"features":[{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[1,2]}}]}"#,
      to: "local.geojson")
    let cases: [([String], Int32, String)] = [
      ([data, "--relation", "contains"], 64, "needs --geometry"),
      ([data, "--geometry", query, "--relation", "near"], 64, "--relation"),
      ([data, "--geometry", query, "--relation", "relate:T*"], 64, "--relation"),
      ([data, "--bounds", "0,0,1,1", "--everywhere"], 64, "give one of them"),
      ([data, "--in-view", "--everywhere"], 64, "give one of them"),
      ([data, "--geometry", "missing.json"], 2, "missing.json"),
      ([data, "--geometry", bow], 2, "its outline crosses itself at 0.5, 0.5"),
      ([data, "--geometry", two], 2, "holds 8 geometries; give exactly one"),
      ([data, "--geometry", text], 2, "text.json"),
      ([data, "--geometry", text], 2, "GeoJSON or Esri JSON"),
      ([data, "--extent", "0,0,1,1,999999"], 64, "--extent"),
      ([local], 2, "999999"),
    ]
    for (arguments, code, message) in cases {
      let run = try await Tool.run(["count"] + arguments)
      #expect(run.code == code, "\(arguments) \(run.err)")
      #expect(run.errors.count == 1, "\(arguments) \(run.err)")
      #expect(run.out == "", "\(arguments) \(run.err)")
      #expect(run.err.contains(message), "\(arguments) \(run.err)")
    }
  }
}
