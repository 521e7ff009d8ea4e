import Foundation
import MapTestSupport
import Testing

/// The tool where a library cannot be loaded: everything that needs it names the library and its package.
///
/// Empty files with the names of a library come first in the search, so that the loader finds no usable one.
struct MissingLibraryTests {
  /// Returns the environment of a run without the libraries of some file names.
  private static func without(_ libraries: [String], in folder: ScratchFolder) throws -> [String: String] {
    for library in libraries {
      for number in 0...60 { try Data().write(to: folder.url("\(library).so.\(number)")) }
    }
    return searching(folder)
  }

  /// Returns the environment of a run that searches libraries first in a folder.
  private static func searching(_ folder: ScratchFolder) -> [String: String] {
    let others = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"].map { [$0] } ?? []
    return ["LD_LIBRARY_PATH": ([folder.root.path] + others).joined(separator: ":")]
  }

  private static let albers = """
    {"version": "2.31", "spatialReference": {"wkid": 5070}, "baseMap": {"baseMapLayers": []},
    "operationalLayers": [{"title": "Cities", "layerType": "CSV", "url": "cities.csv"}]}
    """
  private static let polygon =
    #"{"type": "Polygon", "coordinates": [[[5, 45], [15, 45], [15, 55], [5, 55], [5, 45]]]}"#

  private static let triangle =
    #"{"type": "Polygon", "coordinates": [[[-100, 40], [-97, 40], [-100, 43], [-100, 40]]]}"#

  @Test(
    "Commands that need PROJ fail and name it",
    arguments: [
      ["count", "cities.csv", "--extent", "0,0,100000,100000,5070"],
      ["render", "cities.csv", "-o", "cities.png", "--bounds", "0,0,100000,100000,5070"],
      ["render", "cities.csv", "-o", "cities.png", "--reference", "5070"],
      ["query", "cities.csv", "--out-wkid", "5070"],
      ["render", "albers.json", "-o", "albers.png"],
      ["count", "albers.json"],
      ["snapshot", "verify", "--only", "reference/albers-states", Self.snapshots],
    ])
  func projections(_ command: [String]) async throws {
    let folder = try ScratchFolder()
    try Data(Self.albers.utf8).write(to: folder.url("albers.json"))
    try FileManager.default.copyItem(
      at: URL(fileURLWithPath: Tool.cityData), to: folder.url("cities.csv"))
    let libraries = try ScratchFolder()
    let run = try await Tool.run(
      command, folder: folder.root, environment: try Self.without(["libproj"], in: libraries))
    #expect(run.code == 2)
    let said = run.out + run.err
    #expect(said.contains("PROJ is required") && said.contains("; install libproj25"), "\(said)")
    #expect(!FileManager.default.fileExists(atPath: folder.url("albers.png").path))
  }

  private static let snapshots = Tool.project.appendingPathComponent("Snapshots").path

  @Test("Files and services that need a library are errors that name it")
  func filesAndServices() async throws {
    let folder = try ScratchFolder()
    let environment = try Self.without(
      ["libgdal", "libsqlite3", "libcurl", "libcurl-gnutls"], in: folder)
    let file = Tool.project.appendingPathComponent("Tests/MapGeospatialTests/Cases/places.gpkg").path
    let geoPackage = try await Tool.run(["count", "\(file)#points"], environment: environment)
    #expect(geoPackage.code == 2 && geoPackage.err.contains("SQLite is required"))
    #expect(geoPackage.err.contains("; install libsqlite3-0"))
    let written = try await Tool.run(
      ["query", Tool.cityData, "-o", "cities.fgb"], folder: folder.root, environment: environment)
    #expect(written.code == 2 && written.err.contains("GDAL is required"))
    #expect(written.err.contains("; install libgdal32 (Debian 12) or libgdal36 (Debian 13)"))
    let service = try await Tool.run(
      ["count", "http://127.0.0.1:9/FeatureServer/0"], environment: environment)
    #expect(service.code == 2 && service.err.contains("libcurl is required"))
    #expect(service.err.contains("; install libcurl4"))
  }

  @Test("Points in a polygon are counted without GEOS, and other relations name it")
  func points() async throws {
    let folder = try ScratchFolder()
    let environment = try Self.without(["libgeos_c"], in: folder)
    try Data(Self.polygon.utf8).write(to: folder.url("area.geojson"))
    for relation in ["intersects", "contains", "touches"] {
      let question = [
        "count", Tool.cityData, "--geometry", folder.url("area.geojson").path, "--relation", relation,
      ]
      let (with, without) = (
        try await Tool.run(question), try await Tool.run(question, environment: environment)
      )
      #expect(with.code == 0 && without.code == 0)
      #expect(with.out == without.out)
      #expect((with.out == "0\n") == (relation == "touches"))
    }
    try Data(Self.triangle.utf8).write(to: folder.url("triangle.geojson"))
    let counties = try await Tool.run(
      ["count", Tool.countyData, "--geometry", folder.url("triangle.geojson").path], environment: environment)
    #expect(counties.code == 2 && counties.err.contains("GEOS is required"))
    #expect(counties.err.contains("; install libgeos-c1v5 (Debian 12) or libgeos-c1t64 (Debian 13)"))
  }

  @Test("A library without a function in use is too old, and the error names the function")
  func oldLibrary() async throws {
    let folder = try ScratchFolder()
    // Any library without GEOS's functions stands for an old one.
    let folders = ["/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu", "/lib64"]
    let other = try #require(
      folders.map { "\($0)/libz.so.1" }.first { FileManager.default.fileExists(atPath: $0) })
    try FileManager.default.createSymbolicLink(
      atPath: folder.url("libgeos_c.so.1").path, withDestinationPath: other)
    try Data(Self.triangle.utf8).write(to: folder.url("triangle.geojson"))
    let run = try await Tool.run(
      ["count", Tool.countyData, "--geometry", folder.url("triangle.geojson").path],
      environment: Self.searching(folder))
    #expect(run.code == 2)
    #expect(run.err.contains("libgeos_c.so.1 is too old (it has no function GEOS_init_r)"), "\(run.err)")
  }
}
