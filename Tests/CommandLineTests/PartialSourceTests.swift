import Foundation
import MapTestSupport
import Testing

/// Sources with missing parts give a warning and an inexact count, or an error; rows are never lost silently.
@Suite("partial sources")
struct PartialSourceTests {
  private static let cases = Tool.project.appendingPathComponent("Tests/MapGeospatialTests/Cases").path
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func count(_ arguments: [String]) async throws -> Tool.Run {
    try await Tool.run(["count", "--everywhere"] + arguments, folder: folder.root)
  }

  private func copy(_ names: String...) throws {
    for name in names {
      try FileManager.default.copyItem(atPath: "\(Self.cases)/\(name)", toPath: folder.path(name))
    }
  }

  private func write(_ text: String, to name: String) throws -> String { try folder.write(text, to: name) }

  @Test(
    "A saved page of a service gives an inexact count with a warning and fails with --strict",
    arguments: [
      #""properties":{"exceededTransferLimit":true},"#, #""numberMatched":5,"numberReturned":1,"#,
      #""links":[{"rel":"next","href":"x"}],"#,
    ])
  func savedPages(_ members: String) async throws {
    let feature = #"{"type":"Feature","properties":{"n":1},"geometry":{"type":"Point","coordinates":[1,2]}}"#
    let page = try write(
      #"{"type":"FeatureCollection",\#(members)"features":[\#(feature)]}"#, to: "page.geojson")
    let run = try await count([page, "--format", "json"])
    #expect(run.code == 0, "\(run)")
    #expect(run.out.contains(#""count":1,"exact":false"#), "\(run)")
    #expect(run.out.contains(#""warnings":["layer \"page\": "#), "\(run)")
    #expect(try await count([page, "--strict"]).code == 1)
    for answer in [
      ["statistics", "--statistic", "sum:n"], ["query", "--ids"], ["query", "--count-only"],
      ["query", "--extent-only"], ["query"],
    ] {
      let run = try await Tool.run(answer + [page, "--format", "json"])
      #expect(run.code == 0, "\(run)")
      #expect(run.out.contains(#""exact":false"#), "\(run)")
    }
  }

  @Test(
    "An inline collection that declares missing features is not exact",
    arguments: [
      (0, "true"), (1, "true"), (2, "true"), (3, "true"), (0, "1"), (1, #""true""#), (2, #""yes""#),
    ])
  func inlineCollections(_ level: Int, _ value: String) async throws {
    let mark = #""exceededTransferLimit":\#(value),"#
    func at(_ place: Int) -> String { place == level ? mark : "" }
    let map = try write(
      """
      {"version":"2.31","operationalLayers":[{"id":"a","title":"A","featureCollection":{\(at(0))"layers":[{\(at(1))
      "layerDefinition":{"geometryType":"esriGeometryPoint","fields":[{"name":"n","type":"esriFieldTypeInteger"}]},
      "featureSet":{\(at(2))"geometryType":"esriGeometryPoint","features":[
      {"attributes":{"n":1},"geometry":{"x":1,"y":2,"spatialReference":{"wkid":4326}}}]}}]}}]}
      """, to: "map.json")
    let run = try await count([map, "--format", "json"])
    #expect(run.code == 0, "\(run)")
    #expect(run.out.contains(#""count":1,"exact":\#(level == 3)"#), "\(run)")
    #expect(run.err.contains("exceededTransferLimit: some features are missing") == (level < 3), "\(run)")
    #expect(try await count([map, "--strict"]).code == (level < 3 ? 1 : 0))
  }

  @Test("A damaged file is a one-line error that names the reason")
  func damagedFiles() async throws {
    try copy("tables.gdb", "views.gpkg", "logged.gpkg", "logged.gpkg-wal", "points.shp", "points.shx")
    let offsets = folder.url("tables.gdb/a00000009.gdbtablx")
    try Data(contentsOf: offsets).prefix(2576).write(to: offsets)
    // SQLite cannot create the index of the log, as in a read-only folder.
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("logged.gpkg-shm"), withDestinationPath: "nowhere/at-all")
    // A log without changes whose index no process may write, not even one of the system's administrator.
    for name in ["empty.gpkg", "empty.gpkg-wal"] {
      try Data(contentsOf: folder.url(name.replacing("empty", with: "logged"))).prefix(
        name.hasSuffix("-wal") ? 32 : .max
      ).write(to: folder.url(name))
    }
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("empty.gpkg-shm"), withDestinationPath: "/proc/sys/kernel/random/boot_id")
    for (source, reason) in [
      ("empty.gpkg", "its -wal file contains no changes, but the -shm file beside it cannot be written"),
      ("tables.gdb#my_points", "a00000009.gdbtablx: is truncated"),
      ("views.gpkg#endless", "view \"endless\": stopped at the limit"),
      ("logged.gpkg", "its changes in logged.gpkg-wal cannot be read"),
    ] {
      let run = try await count([folder.path(source)])
      #expect(run.code == 2, "\(run)")
      #expect(run.out == "", "\(run)")
      #expect(!run.isSignal, "\(run)")
      #expect(run.err.split(separator: "\n").count == 1, "\(run)")
      #expect(run.errors.first?.contains(reason) == true, "\(run)")
    }
    let run = try await count([folder.path("points.shp")])
    #expect(run.code == 0, "\(run)")
    #expect(run.out == "300\n", "\(run)")
    #expect(run.err.contains("points.dbf: is missing: all attribute fields are missing"), "\(run)")
  }
}
