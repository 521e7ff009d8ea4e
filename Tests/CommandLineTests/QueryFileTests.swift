import Foundation
import MapTestSupport
import Testing

/// `query -o FILE`: the file extension decides the format.
@Suite("query -o")
struct QueryFileTests {
  private let folder = try? ScratchFolder()

  private func run(_ arguments: String...) async throws -> Tool.Run {
    try await Tool.run(arguments, folder: try #require(folder).root)
  }

  @Test(
    "The file extension decides the output format, and a note reports a limited result",
    arguments: [
      ("geojson", #"{"type":"FeatureCollection""#), ("JSON", #"{"type":"FeatureCollection""#),
      ("ndjson", #"{"type":"Feature","id":1"#), ("geojsonl", #"{"type":"Feature","id":1"#),
      ("csv", "OBJECTID,CITY_NAME,"), ("gpkg", "SQLite format 3\0"), ("fgb", "fgb"),
    ])
  func endings(ending: String, start: String) async throws {
    let wrote = try await run("query", Tool.cityData, "--max-features", "3", "-o", "x.\(ending)")
    #expect(wrote.code == 0)
    #expect(wrote.out.isEmpty)
    #expect(wrote.err == "note: 3 of 10,020 features written; --max-features 3\n")
    let bytes = try Data(contentsOf: try #require(folder).url("x.\(ending)"))
    #expect(bytes.starts(with: Data(start.utf8)))
    #expect(try folder?.names() == ["x.\(ending)"])
    #expect(try await run("count", "x.\(ending)", "--everywhere").out == "3\n")
    let names = try await run("query", "x.\(ending)", "--no-geometry", "--format", "csv")
    #expect(names.out.contains("Shanghai,China,,24874500,1,121.458,31.222"))
  }

  @Test("An unknown extension or one that contradicts the format is a usage error and writes no file")
  func wrongEndings() async throws {
    let cases: [([String], String)] = [
      (
        ["-o", "x.xyz"], ".xyz cannot be written; available: .geojson .json .ndjson .geojsonl .csv .gpkg .fgb"
      ),
      (["-o", "x"], "a file without extension cannot be written; available: .geojson"),
      (["-o", "x.csv", "--format", "geojson"], "--format geojson contradicts the ending of x.csv"),
      (["-o", "x.gpkg", "--format", "csv"], "--format csv contradicts the ending of x.gpkg"),
      (["-o", "x.json", "--format", "text"], "--format text contradicts the ending of x.json"),
      (["-o", "x.gpkg", "--ids"], "--count-only write text or JSON; available: .txt .json"),
      (["--ids", "--format", "csv"], "not csv"),
      (["-o", "x.txt", "--ids", "--format", "json"], "--format json contradicts the ending of x.txt"),
    ]
    for (arguments, message) in cases {
      let root = try #require(folder).root
      let run = try await Tool.run(["query", Tool.cityData] + arguments, folder: root)
      #expect(run.code == 64, "\(arguments) \(run.err)")
      #expect(run.err.contains(message), "\(arguments) \(run.err)")
    }
    #expect(try folder?.names() == [])
  }

  @Test("A format that agrees with the extension is accepted, and a dash means standard output")
  func agreeing() async throws {
    for (ending, format) in [("json", "geojson"), ("geojsonl", "ndjson"), ("csv", "csv")] {
      let wrote = try await run(
        "query", Tool.cityData, "--where", "POP > 20000000", "-o", "x.\(ending)", "--format", format)
      #expect(wrote.code == 0)
      #expect(wrote.err.isEmpty)
    }
    let out = try await run("query", Tool.cityData, "--where", "POP > 20000000", "-o", "-", "--format", "csv")
    #expect(try String(contentsOf: try #require(folder).url("x.csv"), encoding: .utf8) == out.out)
    #expect(try await run("query", Tool.cityData, "--count-only", "-o", "n.json").code == 0)
    let count = try String(contentsOf: try #require(folder).url("n.json"), encoding: .utf8)
    #expect(count == "{\"count\":10020,\"extent\":null,\"wkid\":3857,\"exact\":true,\"warnings\":[]}\n")
    #expect(try await run("query", Tool.cityData, "--ids", "--max-features", "2", "-o", "n.txt").code == 0)
    #expect(try String(contentsOf: try #require(folder).url("n.txt"), encoding: .utf8) == "1\n2\n")
  }

  @Test("A complete result has no note, even when its size equals the limit")
  func uncut() async throws {
    let exact = try await run("query", Tool.cityData, "--max-features", "10020", "--ids")
    #expect(exact.code == 0)
    #expect(exact.err.isEmpty)
    let last = try await run("query", Tool.cityData, "--max-features", "20", "--offset", "10000", "--ids")
    #expect(last.err.isEmpty)
    #expect(last.out.split(separator: "\n").count == 20)
    let cut = try await run("query", Tool.cityData, "--max-features", "19", "--offset", "10000", "--ids")
    #expect(cut.err == "note: 19 of 10,020 features written; --max-features 19\n")
  }

  @Test("Coordinate fields of a CSV file are written once, and a second round trip changes nothing")
  func coordinatesOnce() async throws {
    let first = try await run("query", Tool.cityData, "-o", "a.csv")
    let second = try await run("query", "a.csv", "-o", "b.csv")
    #expect(first.code == 0)
    #expect(second.code == 0)
    let folder = try #require(folder)
    let text = try String(contentsOf: folder.url("a.csv"), encoding: .utf8)
    #expect(text.hasPrefix("OBJECTID,CITY_NAME,CNTRY_NAME,STATUS,POP,POP_RANK,LONGITUDE,LATITUDE\n"))
    #expect(try String(contentsOf: folder.url("b.csv"), encoding: .utf8) == text)
  }

  @Test("Points that differ from their coordinate fields are written as well-known text")
  func otherCoordinates() async throws {
    let folder = try #require(folder)
    try folder.write(
      """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","id":1,"properties":{"longitude":9,"Latitude":8},"geometry":{"type":"Point","coordinates":[1,2]}},
      {"type":"Feature","id":2,"properties":{"longitude":null,"Latitude":null},"geometry":null}]}
      """, to: "a.geojson")
    let csv = try await run("query", "a.geojson", "-o", "a.csv")
    #expect(csv.code == 0)
    #expect(
      try String(contentsOf: folder.url("a.csv"), encoding: .utf8)
        == "id,longitude,Latitude,WKT\n1,9,8,POINT (1.0 2.0)\n2,,,\n")
    #expect(try await run("count", "a.csv", "--extent", "0,0,3,3,4326").out == "1\n")
  }

  @Test("A GeoPackage keeps the data's spatial reference unless another one is requested")
  func references() async throws {
    let folder = try #require(folder)
    let case25832 = Tool.project.appendingPathComponent(
      "Tests/MapGeospatialTests/Cases/polygons-25832.gpkg"
    ).path
    for (options, wkid) in [([], 25832), (["--max-offset", "10"], 25832), (["--out-wkid", "4326"], 4326)] {
      let wrote = try await Tool.run(
        ["query", case25832, "--out-fields", "number", "-o", "x.gpkg"] + options, folder: folder.root)
      #expect(wrote.code == 0)
      let read = try await run("inspect", "x.gpkg")
      #expect(read.out.contains("EPSG:\(wkid)"), "\(read.out)")
      #expect(read.out.contains("300 features"), "\(read.out)")
    }
    // Output formats that need WGS 84 are written in WGS 84.
    let json = try await run("query", case25832, "--extent-only", "--everywhere", "--out-wkid", "4326")
    #expect(json.out.hasSuffix(",4326\n"))
  }

  @Test("An input file is not overwritten, and a missing folder is an error")
  func targets() async throws {
    let folder = try #require(folder)
    try FileManager.default.copyItem(atPath: Tool.cityData, toPath: folder.path("c.csv"))
    let before = try Data(contentsOf: folder.url("c.csv"))
    #expect(try await run("query", "c.csv", "-o", "c.csv").code == 2)
    #expect(try await run("query", "c.csv", "-o", "no/x.gpkg").code == 2)
    #expect(try Data(contentsOf: folder.url("c.csv")) == before)
    #expect(try folder.names() == ["c.csv"])
    // An old file is replaced completely.
    try folder.write("old", to: "x.gpkg")
    #expect(try await run("query", "c.csv", "--where", "1 = 0", "-o", "x.gpkg").code == 0)
    #expect(try await run("count", "x.gpkg", "--everywhere").out == "0\n")
  }
}
