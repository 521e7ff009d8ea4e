import Foundation
import MapFeatures
import MapGeometry
import MapGeospatial
import MapTestSupport
import Testing

/// Rows read from a GeoPackage's pages compared with GDAL's, feature by feature.
@Suite struct GeoPackagePagesTests {
  /// The way a layer of paged.gpkg is read: schema and rows without GDAL, rows only, or neither.
  enum Way { case alone, rows, features }

  @Test(
    "Rows read from GeoPackage pages equal those of GDAL",
    arguments: [
      ("polygons", Way.alone), ("lengths", .alone), ("widths", .alone), ("added", .alone), ("full", .alone),
      ("holes", .alone), ("few", .alone), ("nobody", .alone), ("any", .alone), ("defaulted", .features),
      ("descending", .features), ("unnumbered", .features), ("generated", .features), ("last", .features),
      ("otherwise", .rows), ("nowhere0", .rows), ("typed", .rows), ("renumbered", .rows),
    ])
  func rowsAreThoseOfGDAL(_ layer: String, _ way: Way) throws {
    let path = Fixture.path("paged.gpkg")
    let slow = try VectorFile.read(path, layer: layer, allowsStream: false)
    for pieceSize in way == .alone ? [1, 2, 3, 7, 256] : [256] {
      let fast = try VectorFile.read(path, layer: layer, allowsStream: true, pieceSize: pieceSize)
      #expect(fast.isWithoutGDAL == (way == .alone))
      #expect(fast.isStreamed == (way != .features))
      expectSame(fast, slow)
    }
    let wanted = ["lengths": 238, "widths": 373, "added": 90, "holes": 230, "few": 2, "nobody": 0]
    if let count = wanted[layer] { #expect(slow.table.rowCount == count) }
    if layer == "lengths" {
      #expect(slow.table.schema.fields.filter { $0.name == "b" }.map(\.length) == [4000])
      #expect(slow.table.schema.fields.filter { $0.name == "a" }.map(\.length) == [0])
    }
  }

  @Test(
    "Plain GeoPackage layers are read without GDAL, and others with it",
    arguments: [
      ("bulk-points.gpkg", nil, true), ("bulk-lines.gpkg", nil, true), ("bulk-polygons.gpkg", nil, true),
      ("places.gpkg", "points", true), ("stored.gpkg", "sparse", true), ("points-25832.gpkg", nil, false),
      ("odd.gpkg", "zm", false), ("odd.gpkg", "plain", false), ("odd.gpkg", "custom", false),
    ])
  func plainSchemasNeedNoGDAL(_ file: String, _ layer: String?, _ isWithoutGDAL: Bool) throws {
    let fast = try VectorFile.read(Fixture.path(file), layer: layer)
    #expect(fast.isWithoutGDAL == isWithoutGDAL)
    expectSame(fast, try VectorFile.read(Fixture.path(file), layer: layer, allowsStream: false))
  }

  /// Another program's pending changes are not in the file itself.
  @Test("A GeoPackage with a journal or log is read by GDAL", arguments: ["-journal", "-wal"])
  func aFileBeingWrittenIsLeftToGDAL(_ ending: String) throws {
    let path = try copy(Fixture.bytes("bulk-points.gpkg"))
    defer { remove(path) }
    #expect(try VectorFile.read(path, layer: nil).isWithoutGDAL)
    try Data().write(to: URL(fileURLWithPath: path + ending))
    let read = try VectorFile.read(path, layer: nil)
    #expect(!read.isStreamed)
    #expect(read.table.rowCount == 150)
  }

  /// Files with a few wrong bytes: rows read without GDAL equal GDAL's, or GDAL refuses the file.
  @Test("A damaged GeoPackage read without GDAL equals GDAL's result")
  func wrongBytesAreReadAsGDALReadsThem() throws {
    var generator = SeededGenerator(seed: 23)
    var (same, left, refused) = (0, 0, 0)
    for (file, layer, count) in [("bulk-polygons.gpkg", nil, 150), ("paged.gpkg", "holes", 250)]
      as [(String, String?, Int)]
    {
      let whole = try Fixture.bytes(file)
      for _ in 0..<count {
        var bytes = whole
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
          bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
            in: 0...255, using: &generator)
        }
        let path = try copy(bytes)
        defer { remove(path) }
        let fast = try? VectorFile.read(path, layer: layer)
        guard let fast, fast.isWithoutGDAL else {
          left += 1
          continue
        }
        if let slow = try? VectorFile.read(path, layer: layer, allowsStream: false) {
          expectSame(fast, slow)
          same += 1
        } else {
          refused += 1
        }
      }
    }
    print(
      "GeoPackages with wrong bytes: \(same) same, \(left) left to GDAL, \(refused) refused by GDAL alone")
    #expect(same > 100)
  }

  // MARK: Tools

  private func copy(_ bytes: [UInt8]) throws -> String {
    let path = NSTemporaryDirectory() + "pages-\(UUID().uuidString).gpkg"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func remove(_ path: String) {
    for ending in ["", "-journal", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: path + ending)
    }
  }

  private func expectSame(_ fast: VectorFile.Layer, _ slow: VectorFile.Layer) {
    #expect(fast.name == slow.name)
    #expect(fast.table.rowCount == slow.table.rowCount)
    #expect(fast.table.schema == slow.table.schema)
    #expect(fast.table.columns == slow.table.columns)
    #expect(fast.table.warnings == slow.table.warnings)
    // Compared row by row, since an empty point is NaN.
    for row in 0..<min(fast.table.rowCount, slow.table.rowCount) {
      let (a, b) = (fast.table.geometry, slow.table.geometry)
      #expect(
        a?.geometry(ofRow: row, spatialReference: nil)?.form
          == b?.geometry(ofRow: row, spatialReference: nil)?.form,
        "row \(row)")
    }
  }
}
