import Foundation
import MapFeatures
import MapFilter
import MapGeometry
import MapGeospatial
import MapReaders
import MapTestSupport
import Testing

/// Answers by the spatial index of a GeoPackage are those of the whole table.
@Suite struct GeoPackageIndexTests {
  /// Returns the bytes of a file with an index, which ogr2ogr makes.
  private static func file(_ table: FeatureColumns, _ options: [String] = []) throws -> [UInt8] {
    let rows = try FeatureRows(table, rows: Array(0..<table.rowCount))
    let folder = FileManager.default.temporaryDirectory.appending(path: "index-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (plain, indexed) = (folder.appending(path: "plain.fgb"), folder.appending(path: "indexed.gpkg"))
    try Data(VectorFile.bytes(of: rows, format: .flatGeobuf, layer: "made").bytes).write(to: plain)
    try IndexedTables.convert(
      plain.path, to: indexed.path, ["-f", "GPKG", "-nln", "made by test"] + options)
    return Array(try Data(contentsOf: indexed))
  }

  /// A file for one test.
  private final class Copy {
    let path = NSTemporaryDirectory() + "index-\(UUID().uuidString).gpkg"

    init(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(filePath: path)) }

    deinit {
      for ending in ["", "-journal", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: path + ending)
      }
    }

    func whole() throws -> InMemorySource? {
      let layer = try VectorFile.read(path, layer: nil)
      return layer.isWithoutGDAL ? InMemorySource(layer.table) : nil
    }

    func indexed(_ whole: InMemorySource, layer: String? = nil) -> IndexedGeoPackage? {
      IndexedGeoPackage(path, layer: layer, fields: .all, all: { whole })
    }

    func faults(_ whole: InMemorySource) -> Int {
      IndexedGeoPackage.indexFaults(path, layer: "made by test", whole.columns())
    }
  }

  @Test(
    "Counts and features by the index are those of the whole table",
    arguments: [GeometryKind.point, .polyline, .polygon])
  func answersAreThoseOfTheWholeTable(kind: GeometryKind) async throws {
    var random = SeededGenerator(seed: 91)
    var found = 0
    for reference in [SpatialReference.wgs84, .webMercator] {
      let file = try Copy(Self.file(IndexedTables.table(kind, reference, rows: 6000, &random)))
      let whole = try #require(try file.whole())
      #expect(file.faults(whole) == 0)
      let table = try #require(file.indexed(whole, layer: "made by test"))
      #expect(table.name == "made by test")
      let source = try #require(PartlyReadSource(table, operations: .builtIn))
      found += try await IndexedTables.compare(source, with: whole, questions: 60, &random)
      #expect(source.warnings.isEmpty)
    }
    #expect(found > 500, "\(found)")
  }

  @Test("Few rows are read beyond those whose boxes meet an extent")
  func fewRowsAreRead() throws {
    var random = SeededGenerator(seed: 92)
    let file = try Copy(Self.file(IndexedTables.table(.polygon, .wgs84, rows: 6000, &random)))
    let whole = try #require(try file.whole())
    let (table, geometry) = (try #require(file.indexed(whole)), try #require(whole.columns().geometry))
    var near = 0
    for _ in 0..<40 {
      let (x, y) = (
        Double.random(in: -170...160, using: &random), Double.random(in: -50...50, using: &random)
      )
      let box = Envelope(xMin: x, yMin: y, xMax: x + 10, yMax: y + 10)
      let rows = try #require(try table.rows(meeting: [box]))
      let wanted = (0..<6000).filter { geometry.envelope(ofRow: $0).meets(box) }
      // Sides of boxes are rounded to 32 bits.
      #expect((wanted.count...wanted.count + 1).contains(rows.rowCount))
      near += wanted.count
    }
    #expect(near > 500)
    // More than a part of the rows, and a box without rows.
    #expect(try table.rows(meeting: [whole.extent]) == nil)
    #expect(try table.rows(meeting: [Envelope(xMin: 0, yMin: 80, xMax: 1, yMax: 81)])?.rowCount == 0)
  }

  /// A file with wrong bytes anywhere gives the answers of its whole table, or its index does not fit the rows.
  @Test("A damaged index is found, or does no harm", arguments: [GeometryKind.point, .polygon])
  func damagedIndexesAreFound(kind: GeometryKind) async throws {
    var random = SeededGenerator(seed: 93)
    let bytes = try Self.file(IndexedTables.table(kind, .webMercator, rows: 3000, &random))
    let queries = try (0..<4).map { _ in try IndexedTables.query(.webMercator, size: 0.2, &random) }
    // The nodes are in the second half of the file.
    var (same, faulty, wrong, unread, warned) = (0, 0, 0, 0, 0)
    for _ in 0..<300 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        damaged[.random(in: bytes.count / 3..<bytes.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      let file = try Copy(damaged)
      guard let whole = try? file.whole(), let table = file.indexed(whole),
        let source = PartlyReadSource(table, operations: .builtIn)
      else {
        unread += 1
        continue
      }
      let faults = file.faults(whole)
      faulty += faults > 0 ? 1 : 0
      for query in queries {
        if try await IndexedTables.answer(source, query) == IndexedTables.answer(whole, query) {
          same += 1
        } else {
          wrong += 1
          #expect(faults > 0)
        }
      }
      if source.warnings.contains(where: { $0.hasPrefix("its spatial index cannot be read") }) {
        warned += 1
        #expect(faults > 0 && source.inMemory != nil)
      }
    }
    print(
      "damaged GeoPackages: \(same) same answers, \(wrong) wrong, \(faulty) faulty, \(warned) warned, \(unread) unread"
    )
    #expect(same > 300 && faulty > 30 && warned > 0 && wrong < faulty)
  }

  /// Nodes with a wrong number of levels, of cells, or a reference to themselves.
  @Test("A root with wrong numbers is an index that does not fit")
  func rootsAreChecked() async throws {
    var random = SeededGenerator(seed: 94)
    let bytes = try Self.file(IndexedTables.table(.point, .webMercator, rows: 6000, &random))
    let whole = try #require(try Copy(bytes).whole())
    let geometry = try #require(whole.columns().geometry)
    // A box around many points.
    let extent = geometry.envelope(ofRow: 5)
    let box = Envelope(
      xMin: extent.xMin - 1e6, yMin: extent.yMin - 1e6, xMax: extent.xMax + 1e6, yMax: extent.yMax + 1e6,
      spatialReference: .webMercator)
    let roots = bytes.indices.dropLast(1300).filter { place in
      // The header of a row with the number 1 and a blob of 1228 bytes, then the depth 2.
      bytes[place..<place + 5].elementsEqual([1, 4, 0, 0x93, 0x24]) && bytes[place + 5] == 0
        && bytes[place + 6] == 2
    }
    // Unused parts of pages may have older copies.
    #expect(!roots.isEmpty)
    var faults = 0
    for (offset, value) in [
      (1, 1), (1, 0), (1, 3), (0, 1), (3, 0), (3, 1), (2, 1), (11, 1), (11, 77), (9, 9), (4, 128), (12, 127),
    ] as [(Int, UInt8)] {
      var damaged = bytes
      for root in roots { damaged[root + 5 + offset] = value }
      let file = try Copy(damaged)
      #expect(file.faults(whole) > 0)
      guard let table = file.indexed(whole), let source = PartlyReadSource(table, operations: .builtIn) else {
        faults += 1
        continue
      }
      var conditions = QueryConditions()
      conditions.question = FeatureQuestion(area: .envelope(box))
      let query = try conditions.query(for: .query)
      let count = try await source.count(query)
      // A root with fewer cells is a smaller tree, which only a comparison with the rows can tell.
      if offset != 3 { #expect(try count == whole.count(query), "\(offset) \(value)") }
    }
    #expect(faults > 5)
  }

  @Test("An index that may be out of date is not used")
  func trustIsChecked() throws {
    var random = SeededGenerator(seed: 95)
    let columns = IndexedTables.table(.polyline, .webMercator, rows: 2000, &random)
    let bytes = try Self.file(columns)
    let whole = try #require(try Copy(bytes).whole())
    #expect(try Copy(bytes).indexed(whole) != nil)
    #expect(try Copy(bytes).indexed(whole, layer: "another") == nil)
    let unindexed = try Copy(Self.file(columns, ["-lco", "SPATIAL_INDEX=NO"]))
    #expect(unindexed.indexed(whole) == nil && unindexed.faults(whole) == 0)
    // Each trigger of another name, and the registration of another extension.
    for (name, other) in [
      ("rtree_made by test_geom_insert", "rtree_made by test_geom_inserd"),
      ("rtree_made by test_geom_delete", "rtree_made by test_geom_deleda"),
      ("rtree_made by test_geom_update3", "rtree_made by test_geom_updade3"),
      ("trigger_insert_feature_count_made", "trigger_insert_feature_count_mode"),
      ("trigger_delete_feature_count_made", "trigger_delete_feature_count_mode"),
      ("gpkg_rtree_index", "gpkg_rtree_indey"), ("USING rtree(id, minx", "USING rtree(id, mint"),
    ] {
      let damaged = try #require(Self.replacing(name, other, in: bytes), "\(name)")
      #expect(try Copy(damaged).indexed(whole) == nil, "\(name)")
    }
  }

  /// Rows that were moved without the triggers, by writing their bytes.
  @Test("A moved row is found where it was, and by inspect where it is")
  func movedRowsAreFound() async throws {
    var random = SeededGenerator(seed: 96)
    let bytes = try Self.file(IndexedTables.table(.point, .webMercator, rows: 3000, &random))
    let geometry = try #require(try Copy(bytes).whole()?.columns().geometry)
    let (x, y) = (geometry.x[100], geometry.y[100])
    let place = [UInt8](Self.littleEndian(x) + Self.littleEndian(y))
    let moved = try #require(
      Self.replacing(place, [UInt8](Self.littleEndian(x + 1e6) + Self.littleEndian(y)), in: bytes))
    let file = try Copy(moved)
    let whole = try #require(try file.whole())
    #expect(file.faults(whole) == 1)
    func source() throws -> PartlyReadSource {
      let table = try #require(file.indexed(whole))
      return try #require(PartlyReadSource(table, operations: .builtIn))
    }
    func query(_ x: Double) throws -> FeatureQuery {
      var conditions = QueryConditions()
      conditions.question = FeatureQuestion(
        area: .envelope(
          Envelope(xMin: x - 1, yMin: y - 1, xMax: x + 1, yMax: y + 1, spatialReference: .webMercator)))
      return try conditions.query(for: .query)
    }
    let old = try source()
    #expect(try await old.count(query(x)) == 0)
    #expect(old.inMemory != nil)
    #expect(
      old.warnings == [
        "its spatial index cannot be read or does not fit its features, so all of them were read; write the file again"
      ])
    // The guide says that this cannot be recognised.
    let new = try source()
    #expect(try await new.count(query(x + 1e6)) == 0)
    #expect(new.inMemory == nil)
  }

  private static func littleEndian(_ number: Double) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> (8 * UInt64($0))) }
  }

  private static func replacing(_ text: String, _ other: String, in bytes: [UInt8]) -> [UInt8]? {
    replacing(Array(text.utf8), Array(other.utf8), in: bytes)
  }

  /// Returns the bytes with every occurrence of some bytes replaced by as many others; nil without any.
  private static func replacing(_ old: [UInt8], _ new: [UInt8], in bytes: [UInt8]) -> [UInt8]? {
    precondition(old.count == new.count)
    var (changed, found) = (bytes, false)
    var place = 0
    while place + old.count <= bytes.count {
      if bytes[place] == old[0], bytes[place..<place + old.count].elementsEqual(old) {
        changed.replaceSubrange(place..<place + old.count, with: new)
        found = true
      }
      place += 1
    }
    return found ? changed : nil
  }
}
