import Foundation
import MapFeatures
import MapGeospatial
import MapTestSupport
import Testing

/// Truncated, missing or unreadable files give an error or a warning; rows are never lost silently.
@Suite struct DamagedFileTests {
  // MARK: File Geodatabase

  @Test("A geodatabase with a truncated file is an error that names the file")
  func cutGeodatabases() throws {
    let folder = try Copies(of: "tables.gdb")
    defer { folder.remove() }
    // A table of 300 rows, and the tables that describe the geodatabase.
    let layer = "my_points"
    #expect(try folder.read("tables.gdb", layer: layer).table.rowCount == 300)
    var cuts = 0
    for file in ["a00000001", "a00000004", "a00000009"].flatMap({ ["\($0).gdbtable", "\($0).gdbtablx"] }) {
      let whole = try folder.bytes("tables.gdb/\(file)")
      for count in Array(stride(from: 0, to: whole.count, by: 487)) + [whole.count - 1] {
        try folder.write(Array(whole[..<count]), to: "tables.gdb/\(file)")
        let error = #expect(throws: VectorFileError.self, "\(file) cut to \(count)") {
          try folder.read("tables.gdb", layer: layer)
        }
        #expect(error?.description.contains(file) == true, "\(error?.description ?? "")")
        cuts += 1
      }
      try folder.write(whole, to: "tables.gdb/\(file)")
    }
    #expect(cuts > 60)
    #expect(try folder.read("tables.gdb", layer: layer).table.rowCount == 300)
  }

  @Test("A geodatabase with a missing file is an error, and damage to another table is not")
  func missingGeodatabaseFiles() throws {
    let folder = try Copies(of: "tables.gdb")
    defer { folder.remove() }
    for file in ["a00000009.gdbtable", "a00000009.gdbtablx", "a00000001.gdbtable", "a00000004.gdbtablx"] {
      let whole = try folder.bytes("tables.gdb/\(file)")
      try folder.remove("tables.gdb/\(file)")
      #expect(throws: VectorFileError.self, "\(file)") { try folder.read("tables.gdb", layer: "my_points") }
      try folder.pipe("tables.gdb/\(file)")
      let error = #expect(throws: VectorFileError.self) { try folder.read("tables.gdb", layer: "my_points") }
      #expect(error?.description == "\(file): is not a regular file")
      try folder.remove("tables.gdb/\(file)")
      try folder.write(whole, to: "tables.gdb/\(file)")
    }
    try folder.remove("tables.gdb/a0000000a.gdbtablx")
    #expect(try folder.read("tables.gdb", layer: "my_points").table.rowCount == 300)
    #expect(throws: VectorFileError.self) { try VectorFile.layerNames(in: folder.path + "/none.gdb") }
  }

  @Test("Lost offsets within a geodatabase table are an error")
  func lostOffsets() throws {
    let folder = try Copies(of: "tables.gdb")
    defer { folder.remove() }
    var bytes = try folder.bytes("tables.gdb/a00000009.gdbtablx")
    for index in 16 + 5 * 100..<16 + 5 * 200 { bytes[index] = 0 }
    try folder.write(bytes, to: "tables.gdb/a00000009.gdbtablx")
    let error = #expect(throws: VectorFileError.self) { try folder.read("tables.gdb", layer: "my_points") }
    #expect(error?.description == "200 of 300 rows could be read: the file is truncated or damaged")
  }

  // MARK: Text formats

  @Test("A MapInfo file with fewer rows than its attribute file is an error")
  func cutMapInfo() throws {
    let folder = try Copies()
    defer { folder.remove() }
    let head =
      "Version 300\nCharset \"Neutral\"\nDelimiter \",\"\nCoordSys Earth Projection 1, 104\nColumns 1\n  n Integer\nData\n\n"
    func rows(_ range: Range<Int>) -> String {
      range.map { "Point \($0) 1\n    Symbol (35,0,12)\n" }.joined()
    }
    let lines = (0..<20).map { "\($0)\n" }.joined()
    try folder.write(Array((head + rows(0..<20)).utf8), to: "a.mif")
    for end in ["", "\n", "\r\n\n"] {
      try folder.write(Array((lines + end).utf8), to: "a.mid")
      #expect(try folder.read("a.mif").table.rowCount == 20)
    }
    try folder.write(Array((head + rows(0..<13)).utf8), to: "a.mif")
    let error = #expect(throws: VectorFileError.self) { try folder.read("a.mif") }
    #expect(error?.description == "13 of 20 rows could be read: the file is truncated or damaged")
  }

  @Test("Elements of GPX that are not read make the table incomplete")
  func skippedElements() throws {
    let folder = try Copies()
    defer { folder.remove() }
    let point = "<wpt lat=\"1\" lon=\"2\"/>"
    let gpx = { (more: String) in
      "<?xml version=\"1.0\"?><gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\">\(point)\(point)\(more)</gpx>"
    }
    let cases = [
      ("a.gpx", gpx(""), false), ("b.gpx", gpx("<!--\(point)-->"), false),
      ("c.gpx", gpx("<wpt lon=\"1\"/>"), true),
      // An element at the border of the pieces that are read.
      (
        "d.gpx", gpx(String(repeating: " ", count: (1 << 20) - gpx("").utf8.count + 25) + "<wpt lon=\"1\"/>"),
        true
      ),
    ]
    for (name, text, isCut) in cases {
      try folder.write(Array(text.utf8), to: name)
      let table = try folder.read(name, layer: "waypoints").table
      #expect(table.rowCount == 2, "\(name)")
      #expect(table.isComplete != isCut, "\(name)")
      let warning = "1 of 3 <wpt> elements of the file cannot be read: they are missing"
      #expect(table.warnings.contains(warning) == isCut, "\(name): \(table.warnings)")
    }
  }

  // MARK: Shapefile

  @Test("A shapefile with a truncated part is an error or gives a warning")
  func cutShapefiles() throws {
    let folder = try Copies(of: "points.shp", "points.shx", "points.dbf", "points.prj", "points.cpg")
    defer { folder.remove() }
    let known = ["field long: 98 whole numbers beyond 2^53 were rounded to decimals"]
    #expect(try folder.read("points.shp").table.warnings == known)
    var (errors, warned) = (0, 0)
    for part in ["points.shp", "points.shx", "points.dbf"] {
      let whole = try folder.bytes(part)
      for count in [0, 1, 31, 32, 33, 99, 100, 101] + Array(stride(from: 300, to: whole.count - 1, by: 1999))
      {
        try folder.write(Array(whole[..<count]), to: part)
        do {
          let table = try folder.read("points.shp").table
          #expect(table.rowCount == 300, "\(part) cut to \(count)")
          #expect(table.warnings.contains { !known.contains($0) }, "\(part) cut to \(count)")
          warned += 1
        } catch { errors += 1 }
      }
      try folder.write(whole, to: part)
    }
    #expect(errors > 30)
    #expect(warned > 0)
  }

  @Test("A shapefile without attributes gives a warning that names the missing file")
  func shapefileWithoutAttributes() throws {
    let folder = try Copies(of: "points.shp", "points.shx", "points.prj")
    defer { folder.remove() }
    let table = try folder.read("points.shp").table
    #expect(table.rowCount == 300)
    #expect(table.warnings == ["points.dbf: is missing: all attribute fields are missing"])
    for part in ["points.dbf", "points.cpg"] {
      try folder.pipe(part)
      let error = #expect(throws: VectorFileError.self) { try folder.read("points.shp") }
      #expect(error?.description == "\(part): is not a regular file")
      try folder.remove(part)
    }
  }

  @Test("A shapefile with unequal numbers of shapes and records is an error")
  func unequalShapefiles() throws {
    let folder = try Copies(of: "points.shp", "points.shx", "points.dbf", "points.prj")
    defer { folder.remove() }
    let whole = try folder.bytes("points.dbf")
    for count in [299, 301] {
      var bytes = whole
      (bytes[4], bytes[5]) = (UInt8(count & 255), UInt8(count >> 8))
      try folder.write(bytes, to: "points.dbf")
      let error = #expect(throws: VectorFileError.self) { try folder.read("points.shp") }
      #expect(error?.description.hasPrefix("points.dbf: has \(count) records for the 300 shapes") == true)
    }
    // A record marked as deleted is not a row.
    var bytes = whole
    bytes[Int(bytes[8]) | Int(bytes[9]) << 8] = UInt8(ascii: "*")
    try folder.write(bytes, to: "points.dbf")
    #expect(try folder.read("points.shp").table.rowCount == 299)
  }

  // MARK: GeoPackage

  @Test("A GeoPackage's write-ahead log is read or gives an error or a warning")
  func writeAheadLog() throws {
    let folder = try Copies(of: "logged.gpkg", "logged.gpkg-wal")
    defer { folder.remove() }
    let (file, log) = (try folder.bytes("logged.gpkg"), try folder.bytes("logged.gpkg-wal"))
    #expect(try folder.read("logged.gpkg").table.rowCount == 50)
    // GDAL would merge the log into the file.
    #expect(try folder.bytes("logged.gpkg") == file)
    #expect(try folder.bytes("logged.gpkg-wal") == log)
    folder.clearLocks()
    // SQLite cannot create the index of the log, as in a read-only folder.
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/logged.gpkg-shm", withDestinationPath: "nowhere/at-all")
    let error = #expect(throws: VectorFileError.self) { try folder.read("logged.gpkg") }
    #expect(error?.description.hasPrefix("its changes in logged.gpkg-wal cannot be read") == true)
    try folder.remove("logged.gpkg-wal")
    #expect(try folder.read("logged.gpkg").table.rowCount == 40)
    #expect(try folder.read("logged.gpkg").table.warnings == [])
    try folder.remove("logged.gpkg-shm")

    var warned = 0
    for count in [1, 31] + Array(stride(from: 32 + 536 * 3 + 100, to: log.count, by: 536)) {
      try folder.write(Array(log[..<count]), to: "logged.gpkg-wal")
      if let table = try? folder.read("logged.gpkg").table {
        #expect(!table.isComplete)
        #expect(table.warnings.contains { $0.hasPrefix("logged.gpkg-wal: ends within a transaction") })
        warned += 1
      } else {
        #expect(count < 32)
      }
      folder.clearLocks()
    }
    #expect(warned > 10)
    try folder.write(Array("no log of any kind, but long enough".utf8), to: "logged.gpkg-wal")
    #expect(throws: VectorFileError.self) { try folder.read("logged.gpkg") }
  }
}

/// Copies of the cases in a temporary folder.
struct Copies {
  let path = NSTemporaryDirectory() + "copies-\(UUID().uuidString)"

  init(of names: String...) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for name in names {
      try FileManager.default.copyItem(atPath: Fixture.path(name), toPath: "\(path)/\(name)")
    }
  }

  func read(_ name: String, layer: String? = nil) throws -> VectorFile.Layer {
    try VectorFile.read("\(path)/\(name)", layer: layer)
  }

  func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")))
  }

  func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
  }

  func pipe(_ name: String) throws { try #require(unsafe mkfifo("\(path)/\(name)", 0o600) == 0) }
  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: "\(path)/\(name)") }
  /// Removes the index of a log, which SQLite creates again.
  func clearLocks() { try? remove("logged.gpkg-shm") }
  func remove() { try? FileManager.default.removeItem(atPath: path) }
}
