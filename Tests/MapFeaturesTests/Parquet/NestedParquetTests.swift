import MapFeatures
import MapFilter
import MapReaders
import Testing

/// Lists, structures and maps as JSON text.
@Suite struct NestedParquetTests {
  private typealias Sample = ParquetSample

  /// A file with one nested field whose values are integers.
  private static func file(
    _ elements: [ThriftValue], _ levels: [UInt8], _ values: [Int], entries: Int, rows: Int
  ) -> [UInt8] {
    Sample.changed {
      ($0.elements, $0.childCount, $0.rowCount, $0.valueCount) = (elements, 1, rows, entries)
      $0.pages = [Sample.page(levels + Sample.longs(values), values: entries)]
    }
  }

  @Test("Names of structures, keys and texts are escaped, and only requested fields are decoded")
  func names() throws {
    let bytes = Self.file(
      [Sample.group("a \"b\"", 1), Sample.column("c\n", type: 2)], [], [1, 2], entries: 2, rows: 2)
    let table = try ParquetReaderTests.read(bytes)
    #expect(table.columns[0].value(at: 1) == .text(#"{"c\n":2}"#))
    #expect(table.schema.fields[0].type == .text)
    // A page that cannot be decoded is no error for other fields.
    var sample = ParquetSample()
    sample.elements = [Sample.column("n", type: 2), Sample.group("g", 1), Sample.column("x", type: 2)]
    (sample.childCount, sample.types) = (2, [2, 2])
    sample.pages = [Sample.page(Sample.longs([1, 2, 3]), values: 3), Sample.page([1], values: 3)]
    #expect(try ParquetReaderTests.read(sample.bytes, fields: FieldSelection(["n"])).rowCount == 3)
    #expect(throws: ArrowError.self) {
      try ParquetReaderTests.read(sample.bytes, fields: FieldSelection(["g"]))
    }
  }

  @Test("A map without values is a list of its keys, also in the form of older writers")
  func keys() throws {
    let levels = Sample.levels(0, count: 2) + Sample.levels(1, count: 2)
    for outer in [1, 2] {
      let bytes = Self.file(
        [
          Sample.group("m", 1, converted: outer), Sample.group("map", 1, repetition: 2, converted: 2),
          Sample.column("key", type: 2),
        ], levels, [4, 5], entries: 2, rows: 2)
      #expect(try ParquetReaderTests.read(bytes).columns[0].value(at: 1) == .text("[5]"))
    }
  }

  @Test("Lists of bytes are not read, with a warning")
  func unread() throws {
    let bytes = Sample.changed {
      $0.elements = [Sample.column("r", type: 6, repetition: 2), Sample.column("n", type: 2)]
      ($0.types, $0.rowCount) = ([6, 2], 1)
      $0.pages = [
        Sample.page(Sample.levels(0, count: 1) + Sample.levels(0, count: 1), values: 1),
        Sample.page(Sample.longs([1]), values: 1),
      ]
    }
    let table = try ParquetReaderTests.read(bytes)
    #expect(table.schema.fields.map(\.name) == ["n"])
    #expect(table.warnings == ["field r: values of type list are not read"])
  }

  @Test("A long name of a structure cannot take much memory in the texts of its rows")
  func bomb() throws {
    let rows = 200_000
    let bytes = Sample.changed {
      $0.elements = [
        Sample.group("g", 1), Sample.column(String(repeating: "x", count: 1 << 16), type: 2, repetition: 1),
      ]
      ($0.childCount, $0.rowCount) = (1, rows)
      $0.pages = [Sample.page(Sample.levels(0, count: rows), values: rows)]
    }
    #expect(Sample.outcome(bytes) == "field g: its JSON texts are longer than its values by far")
  }
}
