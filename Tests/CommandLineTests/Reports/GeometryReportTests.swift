import Foundation
import MapJSON
import MapTestSupport
import Testing

/// Runs the tool on cases of public reports about rotated views, overlapping parts and the antimeridian.
@Suite("Reports about geometry and extents")
struct GeometryReportTests {
  private static func file(_ name: String) -> String {
    Tool.project.appendingPathComponent("Tests/CommandLineTests/Reports/Cases/\(name)").path
  }

  private static func count(_ arguments: String...) async throws -> Int? {
    let run = try await Tool.run(["count"] + arguments)
    #expect(run.code == 0, "\(run.err)")
    return run.out.split(separator: " ").last.flatMap {
      Int($0.trimmingCharacters(in: .whitespacesAndNewlines))
    }
  }

  @Test("The count of a rotated view is the number of points that its image shows")
  func rotatedView() async throws {
    let points = Self.file("09-count-rotated-view/p.csv")
    let view = ["--viewpoint", "50,10,2000000,45", "--size", "800x400"]
    let count = try await Tool.run(["count", points, "--in-view", "--format", "json", "--funnel"] + view)
    let layer = try #require(try JSONValue(parsing: count.out)["layers"]?.array?.first)
    #expect(layer["count"]?.integer == 234)
    #expect(layer["funnel"]?["extent"]?.integer == 234 && layer["funnel"]?["drawn"]?.integer == 234)
    let query = try await Tool.run(["query", points, "--in-view", "--ids"] + view)
    #expect(query.out.split { !$0.isNumber }.count == 234, "\(query.err)")
    let statistics = try await Tool.run(
      ["statistics", points, "--in-view", "--statistic", "count:id", "--format", "csv"] + view)
    #expect(statistics.out.contains("234"), "\(statistics.out) \(statistics.err)")
  }

  @Test("An area that two polygons of a feature cover is counted, painted and reported")
  func overlappingParts() async throws {
    let areas = Self.file("08-multipolygon-overlap-hole/buffers.geojson")
    let run = try await Tool.run("count", areas, "--bounds", "4.9,1.9,5.1,2.1", "--format", "json")
    #expect(try JSONValue(parsing: run.out)["layers"]?.array?.first?["count"]?.integer == 1)
    #expect(run.err.contains("polygons of one feature overlap"))
    let scratch = try ScratchFolder()
    let image = scratch.url("b.png").path
    let render = try await Tool.run(
      "render", areas, "-o", image, "--size", "100x60", "--bounds", "4.5,1.5,5.5,2.1", "--report",
      scratch.url("r.json").path)
    #expect(render.code == 0)
    // An image of one colour: the whole view is filled.
    #expect(try Data(contentsOf: URL(fileURLWithPath: image)).count < 400)
  }

  @Test("Two points exactly at -180 and 180 degrees are on both sides of the antimeridian")
  func antimeridian() async throws {
    for (name, more) in [("antimeridian", 0), ("antimeridian-plus", 0)] {
      let points = Self.file("antimeridian/\(name).geojson")
      for (bounds, expected) in [
        ("179,-0.5,180,0.5", 2), ("-180,-0.5,-179,0.5", 1), ("179,-0.5,-179,0.5", 2), ("-180,-1,180,1", 2),
      ] {
        let run = try await Tool.run("count", points, "--bounds=\(bounds)", "--format", "json")
        let count = try JSONValue(parsing: run.out)["layers"]?.array?.first?["count"]?.integer
        let beyond = name == "antimeridian-plus" && bounds == "-180,-1,180,1" ? 1 : 0
        #expect(count == expected + more + beyond, "\(name) in \(bounds)")
      }
      let scratch = try ScratchFolder()
      let report = scratch.url("r.json")
      let render = try await Tool.run(
        "render", points, "-o", scratch.url("x.png").path, "--bounds", "179,-0.5,180,0.5", "--size",
        "200x200",
        "--report", report.path)
      #expect(render.code == 0)
      let text = try String(contentsOf: report, encoding: .utf8)
      let funnel = try JSONValue(parsing: text)["layers"]?.array?.first?["funnel"]
      #expect(funnel?["drawn"]?.integer == 2)
    }
  }

  @Test("A ring with an edge across the world has a note in inspect and render")
  func longEdge() async throws {
    let areas = Self.file("22-ring-jumps-antimeridian/polys.geojson")
    let inspected = try await Tool.run("inspect", areas)
    #expect(inspected.out.contains("of more than 180 degrees of longitude"))
    let scratch = try ScratchFolder()
    let render = try await Tool.run(
      "render", areas, "-o", scratch.url("x.png").path, "--bounds", "150,-30,-150,30")
    #expect(render.err.contains("of more than 180 degrees of longitude"), "\(render.err)")
  }
}
