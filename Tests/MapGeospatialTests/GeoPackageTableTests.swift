import Foundation
import MapState
import Testing

/// GeoPackages and geodatabases as objects with tables.
@Suite struct GeoPackageTableTests {
  private static func url(_ name: String) -> URL { URL(filePath: Fixture.path(name)) }

  /// The message of the error that loading throws.
  private static func refusal(_ file: any Loadable) async throws -> String {
    let error = await #expect(throws: MapStateError.self) { try await file.load() }
    let line = error?.description ?? ""
    #expect(file.loadStatus == .failed)
    #expect(!line.contains("\n"))
    #expect(line.hasPrefix("/"))
    return line
  }

  @Test("A GeoPackage lists its tables in order and reads each one when it is needed")
  func geoPackage() async throws {
    let file = GeoPackage(fileURL: Self.url("places.gpkg"))
    #expect(file.loadStatus == .notLoaded)
    #expect(file.featureTables.isEmpty)
    try await file.load()
    let tables = file.featureTables
    #expect(tables.map(\.tableName) == ["points", "lines", "polygons"])
    #expect(tables.map(\.loadStatus) == [.notLoaded, .notLoaded, .notLoaded])
    let layer = FeatureLayer(featureTable: try #require(tables.last))
    try await layer.load()
    #expect(tables[2].geometryType == .polygon)
    #expect(tables[0].loadStatus == .notLoaded)
    let single = LocalFeatureTable(fileURL: file.fileURL, layerName: "lines")
    #expect(try await tables[1].queryFeatureCount() == single.queryFeatureCount())
    #expect(try await single.queryFeatureCount() > 50)
    // The table objects stay the same.
    try await file.load()
    #expect(file.featureTables[2] === tables[2])
    #expect(tables[2].featureLayer === layer)
  }

  @Test("A File Geodatabase lists its tables by name")
  func geodatabase() async throws {
    let folder = Self.url("tables.gdb")
    for url in [folder, URL(filePath: folder.path + "/")] {
      let file = Geodatabase(fileURL: url)
      #expect(file.featureTable(named: "my_lines") == nil)
      try await file.load()
      #expect(file.featureTables.map(\.tableName) == ["my_points", "my_lines"])
      let lines = try #require(file.featureTable(named: "my_lines"))
      #expect(file.featureTable(named: "none") == nil)
      #expect(lines === file.featureTables[1])
      let source = LocalFeatureTable(fileURL: Self.url("lines.geojson"))
      #expect(try await lines.queryFeatureCount() == source.queryFeatureCount())
      #expect(lines.geometryType == .polyline)
      #expect(lines.numberOfFeatures > 50)
    }
  }

  @Test("A file of another kind is refused on loading with a one-line error")
  func refused() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "refused-\(UUID())")
    try FileManager.default.createDirectory(
      at: folder.appending(path: "empty.gdb"), withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // A mobile geodatabase is an SQLite database like a GeoPackage, whatever its name.
    let mobile = folder.appending(path: "mobile.geodatabase")
    try FileManager.default.copyItem(at: Self.url("places.gpkg"), to: mobile)
    var bytes = try Data(contentsOf: mobile)
    bytes.replaceSubrange(68..<72, with: [0, 0, 0, 0])
    try bytes.write(to: mobile)

    for url in [mobile, Self.url("points.geojson"), Self.url("points.fgb"), Self.url("places.gpkg")] {
      #expect(try await Self.refusal(Geodatabase(fileURL: url)).contains("mobile geodatabases"))
    }
    for url in [Self.url("points.geojson"), Self.url("points.shp"), folder] {
      #expect(try await Self.refusal(GeoPackage(fileURL: url)).hasSuffix("is not a GeoPackage"))
    }
    for url in [folder.appending(path: "empty.gdb"), Self.url("garbage.gpkg")] {
      #expect(try await !Self.refusal(Geodatabase(fileURL: url)).isEmpty)
    }
    let missing = folder.appending(path: "none.gpkg")
    #expect(try await Self.refusal(GeoPackage(fileURL: missing)).hasSuffix("no such file or directory"))
    let remote = try #require(URL(string: "https://example.com/a.gpkg"))
    let error = await #expect(throws: MapStateError.self) { try await GeoPackage(fileURL: remote).load() }
    #expect(error?.description == "https://example.com/a.gpkg: is not a GeoPackage")
  }
}
