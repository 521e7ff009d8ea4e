import MapFeatures
import MapGeospatial
import Testing

/// Views, virtual tables and triggers of a GeoPackage (views.gpkg, made by make_fault_cases.py).
@Suite struct GeoPackageViewTests {
  @Test(
    "Registered views and generated columns are read within limits",
    arguments: [
      ("points", 10), ("few", 5), ("nested", 3), ("sums", 4),
    ])
  func readLayers(_ layer: String, _ count: Int) throws {
    #expect(try VectorFile.read(Fixture.path("views.gpkg"), layer: layer).table.rowCount == count)
  }

  @Test(
    "What is not run is an error that names the view and the reason",
    arguments: [
      ("endless", "view \"endless\": stopped at the limit of 100 million steps or 4 seconds"),
      ("crossed", "view \"crossed\": stopped at the limit of 100 million steps or 4 seconds"),
      ("unlisted", "\"unlisted\": is a view that gpkg_contents does not list, and is not run"),
      ("boxes", "\"boxes\": is a virtual table, which is not read"),
      ("indexed", "view \"indexed\": "), ("files", "view \"files\": "), ("pragmas", "view \"pragmas\": "),
      ("calling", "view \"calling\": stopped at the function randomblob, which a view may not call"),
      ("blobs", "table \"blobs\": "),
    ])
  func refusedLayers(_ layer: String, _ reason: String) throws {
    let error = #expect(throws: VectorFileError.self) {
      try VectorFile.read(Fixture.path("views.gpkg"), layer: layer)
    }
    #expect(error?.description.hasPrefix(reason) == true, "\(error?.description ?? "")")
  }

  @Test("A view where the format has a table is refused before anything is listed")
  func viewOfContents() throws {
    let path = Fixture.path("contents-view.gpkg")
    let reason = "gpkg_contents: is a view, and GeoPackage has a table there"
    #expect(throws: VectorFileError.self) { try VectorFile.read(path, layer: "points") }
    let error = #expect(throws: VectorFileError.self) { try VectorFile.layerNames(in: path) }
    #expect(error?.description == reason)
  }

  @Test("A view is run by no name that is spelled differently")
  func spelling() throws {
    for layer in ["ENDLESS", "Unlisted", "BOXES"] {
      #expect(throws: VectorFileError.self) { try VectorFile.read(Fixture.path("views.gpkg"), layer: layer) }
    }
  }
}
