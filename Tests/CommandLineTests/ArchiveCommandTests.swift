import Foundation
import MapTestSupport
import Testing

/// Zip archives and gzip files in place of data files.
@Suite("Archives")
struct ArchiveCommandTests {
  private let folder: ScratchFolder

  init() async throws {
    folder = try ScratchFolder()
    for ending in ["shp", "shx", "dbf", "prj"] {
      let file = Tool.project.appendingPathComponent("Tests/MapGeospatialTests/Cases/points.\(ending)")
      try FileManager.default.copyItem(at: file, to: folder.url("points.\(ending)"))
    }
    try FileManager.default.copyItem(at: URL(fileURLWithPath: Tool.cityData), to: folder.url("cities.csv"))
    try folder.write(SmallMap.places, to: "places.geojson")
    let script = Tool.project.appendingPathComponent("Tests/CommandLineTests/make_archives.py").path
    let run = try await Tool.run(
      ["python3", script], folder: folder.root, program: URL(fileURLWithPath: "/usr/bin/env"))
    try #require(run.code == 0, "\(run)")
  }

  @Test("The file of features in an archive is read, in whatever form and under whatever name")
  func readArchives() async throws {
    let cities = 10_020
    for (source, count) in [
      ("shapefile.zip", 300), ("any-name", 300),
      ("shapefile.zip#points", 300),
      ("two.zip#cities.csv", cities),
      ("two.zip#places", 8), ("large-form.zip", cities), ("cities.csv.gz", cities),
    ] {
      let run = try await Tool.run(["count", source, "--everywhere"], folder: folder.root)
      #expect(run.out == "\(count)\n", "\(source) \(run)")
      #expect(run.err == "", "\(source)")
      #expect(run.code == 0, "\(source)")
    }
    try folder.write(
      #"{"operationalLayers":[{"id":"a","url":"two.zip#cities"},{"id":"b","url":"cities.csv.gz"}]}"#,
      to: "map.json")
    let layers = try await Tool.run(["count", "map.json", "--everywhere"], folder: folder.root)
    #expect(layers.out == "a\t\(cities)\nb\t\(cities)\n", "\(layers)")
  }

  @Test("A damaged or nested archive, or one beyond the limits, is an error that says so")
  func refusedArchives() async throws {
    for (source, reason) in [
      ("two.zip", #"the archive contains 2 files of features: "cities.csv", "more/places.geojson""#),
      ("two.zip#roads", #"no file "roads" in the archive; available"#),
      ("nested.zip", "the entry inner.zip is an archive within the archive"),
      ("hidden.zip", "contains an archive within the archive"),
      ("twice.csv.gz", "contains an archive within the archive"),
      ("nothing.zip", "the archive contains no file of features"),
      ("empty.zip", "the archive contains no file of features"), ("damaged.zip", "the entry data/points."),
      ("cut.zip", "is not a complete zip archive"), ("cut.csv.gz", "its compressed bytes end too early"),
      ("wrong.csv.gz", "its check sum is wrong"),
      ("bomb.csv.gz", "is compressed more than 1000:1, the limit"),
      ("encrypted.zip", "the entry cities.csv is encrypted"),
      ("million.zip", "has more than 10000 entries, the limit of an archive"),
    ] {
      let run = try await Tool.run(
        ["count", source, "--everywhere", "--max-memory", "400M"], folder: folder.root,
        environment: ["TMPDIR": folder.root.path])
      #expect(run.code == 2, "\(source) \(run)")
      #expect(run.out == "", "\(source)")
      #expect(run.errors.count == 1, "\(source) \(run)")
      let file = source.prefix { $0 != "#" }
      #expect(run.err.hasPrefix("error: \(file): \(reason)"), "\(source) \(run)")
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.root.path)
    #expect(!left.contains { $0.hasPrefix("mapstate-") }, "\(left)")
  }
}
