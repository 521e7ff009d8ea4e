import MapFeatures
import MapFilter
import MapJSON
import MapReaders
import Testing

/// Parquet files that are one table.
@Suite struct ParquetTableTests {
  private typealias Sample = ParquetSample

  private static func file(
    _ name: String, _ bytes: [UInt8], _ values: [(name: String, value: String?)] = []
  ) -> ParquetTable.File {
    ParquetTable.File(name: name, size: bytes.count, values: values, bytes: { Array(bytes[$0]) })
  }

  private static func table(
    _ files: [ParquetTable.File], fields: FieldSelection = .all
  ) throws -> ParquetTable {
    try ParquetTable(files, fields: fields, options: ReadingOptions())
  }

  /// A file with a column of integers.
  private static func numbers(_ values: [Int], name: String = "a") -> [UInt8] {
    Sample.changed {
      ($0.elements, $0.rowCount) = ([Sample.column(name, type: 2)], values.count)
      $0.pages = [Sample.page(Sample.longs(values), values: values.count)]
    }
  }

  private static func values(_ table: FeatureColumns, _ field: String) -> [AttributeValue]? {
    table.schema.fields.firstIndex { $0.name == field }.map { index in
      (0..<table.rowCount).map { table.columns[index].value(at: $0) }
    }
  }

  @Test(
    "Files are one table in their order, with the values of their folders, and null where a file has no such field"
  )
  func joined() throws {
    let small = Sample.changed {
      $0.elements = [Sample.column("a", type: 1), Sample.column("b", type: 5)]
      ($0.types, $0.rowCount) = ([1, 5], 1)
      $0.pages = [
        Sample.page(Sample.number(7), values: 1),
        Sample.page(Sample.longs([Int(bitPattern: UInt(Double(0.5).bitPattern))]), values: 1),
      ]
    }
    let files = [
      Self.file(
        "year=2023/x.parquet", Self.numbers([1, 2]), [("year", "2023"), ("kind", "a b"), ("code", "07")]),
      Self.file("year=2024/y.parquet", small, [("year", "2024"), ("kind", nil), ("code", "8")]),
    ]
    let table = try Self.table(files).read()
    #expect(table.schema.fields.map(\.name) == ["a", "b", "year", "kind", "code"])
    #expect(table.schema.fields.map(\.type) == [.int64, .float64, .int64, .text, .text])
    #expect(Self.values(table, "a") == [.integer(1), .integer(2), .integer(7)])
    #expect(Self.values(table, "b") == [.null, .null, .real(0.5)])
    #expect(Self.values(table, "year") == [.integer(2023), .integer(2023), .integer(2024)])
    #expect(Self.values(table, "kind") == [.text("a b"), .text("a b"), .null])
    // A leading zero is not one of a number.
    #expect(Self.values(table, "code") == [.text("07"), .text("07"), .text("8")])
    let some = try Self.table(files, fields: FieldSelection(["KIND"])).read()
    #expect(some.schema.fields.map(\.name) == ["kind"] && some.rowCount == 3)
  }

  @Test(
    "Fields of other types, geometries of other references and damaged files are errors that name the file")
  func differences() throws {
    let text = Sample.changed {
      $0.elements = [Sample.column("a", type: 6, converted: 0)]
      ($0.types, $0.rowCount) = ([6], 1)
      $0.pages = [Sample.page(Sample.number(1) + [65], values: 1)]
    }
    func fault(_ bytes: [UInt8]) -> String {
      do {
        return
          "\(try Self.table([Self.file("x", Self.numbers([1])), Self.file("y", bytes)]).read().rowCount) rows"
      } catch {
        return "\(error)"
      }
    }
    #expect(fault(text) == "y: field a: is of type utf8, but of type int64 in other files")
    #expect(fault(Array(text.dropLast())) == "y: ends before its footer: it is cut off, or no Parquet file")
    #expect(fault(Self.numbers([2])) == "2 rows")
    let bad = Sample.changed {
      $0.elements = [Sample.column("a", type: 2)]
      $0.pages = [Sample.page(Sample.longs([1]), values: 3)]
    }
    #expect(fault(bad) == "y: row group 1: column a: a page ends before its last value")
    let native = try ParquetReaderTests.bytes("015-native.parquet")
    #expect(
      fault(native)
        == "y: its geometries are in another field, encoding or spatial reference than those of the first file"
    )
  }

  @Test("Geometries of one stated kind are left out on request, and none of their bytes are read")
  func withoutGeometry() throws {
    let bytes = try ParquetReaderTests.bytes("boxes-polygon-double.parquet")
    let whole = try ParquetReaderTests.read(bytes)
    let log = ReadingLog()
    var table = try ParquetTable(
      [Self.file("a", bytes)], fields: .all, options: ReadingOptions(), readsGeometry: false)
    table.report = { log.add($0) }
    let rows = try table.read()
    #expect(rows.geometry == nil && rows.schema.geometryKind == nil && rows.rowCount == whole.rowCount)
    #expect(Self.values(rows, "n") == Self.values(whole, "n"))
    // A dictionary and a page of numbers in each row group.
    #expect(log.latest?.pages == 16)
    // Files that state no kind are read with their geometries.
    let plain = try ParquetReaderTests.bytes("018-column.parquet")
    let other = try ParquetTable(
      [Self.file("a", plain)], fields: .all, options: ReadingOptions(), readsGeometry: false)
    #expect(try other.read().geometry != nil)
  }

  @Test("Shares of row groups are all rows, once and in order, with the ids of the whole table")
  func shares() throws {
    let bytes = try ParquetReaderTests.bytes("boxes-point-double.parquet")
    let files = [Self.file("a", bytes), Self.file("b", bytes)]
    let table = try Self.table(files)
    let whole = try table.read()
    #expect(table.groups(ofShare: 0, of: 1) == 0..<16 && whole.rowCount == 384)
    for count in [1, 3, 16, 20] {
      let parts = try (0..<count).map { try table.read(table.groups(ofShare: $0, of: count)) }
      #expect(parts.reduce(0) { $0 + $1.rowCount } == 384)
      #expect(parts.flatMap { Self.values($0, "n") ?? [] } == Self.values(whole, "n"))
      var next: Int64 = 1
      for part in parts {
        let ids = part.objectIDs ?? (0..<part.rowCount).map { Int64($0) + 1 }
        #expect(ids == (0..<part.rowCount).map { next + Int64($0) })
        next += Int64(part.rowCount)
      }
      #expect(parts.allSatisfy { $0.schema == whole.schema })
    }
  }

  @Test("Durations and extension types that are stored as whole numbers are reported in warnings")
  func storedAsNumbers() throws {
    let table = try ParquetReaderTests.read(ParquetReaderTests.bytes("stored-as-numbers.parquet"))
    #expect(
      table.warnings == [
        "field lasted: its values of the type duration are read as the whole numbers that store them",
        "field month: its values of the type pandas.period are read as the whole numbers that store them",
      ])
    #expect(table.columns[1].value(at: 0) == .integer(3_600_000_000))
  }

  @Test(
    "The description lists the row groups with boxes, and the encodings, compressions and indexes of the columns"
  )
  func storage() throws {
    let bytes = try ParquetReaderTests.bytes("pages.parquet")
    let storage = try Self.table([Self.file("pages.parquet", bytes)]).storage
    #expect(storage.json["rowGroups"]?.array?.count == 2 && storage.json["columns"]?.array?.count == 8)
    #expect(storage.json["rowGroups"]?[0]?["rows"]?.integer == 192)
    #expect(storage.json["rowGroups"]?[0]?["box"]?.array?.count == 4)
    let column = storage.json["columns"]?[6]
    #expect(column?["name"]?.string == "s" && column?["bloomFilter"]?.boolean == true)
    #expect(column?["encodings"]?.array?.compactMap(\.string) == ["plain", "RLE", "dictionary"])
    #expect(column?["compressions"]?.array?.compactMap(\.string) == ["Zstandard"])
    #expect(
      storage.lines.map(\.label) == ["storage", "row group", "row group"]
        + Array(repeating: "column", count: 8))
  }
}
