import MapReaders
import Testing

/// Parquet files that would take far more memory than their size.
@Suite struct ParquetBombTests {
  private typealias Sample = ParquetSample

  @Test("A few bytes cannot take much memory: each of 8 bombs is refused")
  func bombs() {
    let many = 1 << 30
    /// A file of rows in one run.
    func runs(_ rows: Int, type: Int = 2) -> [UInt8] {
      Sample.file(
        page:
          Sample.page(Sample.levels(0, count: rows), values: rows), type: type, rows: rows, required: false)
    }
    let rows = "row group 1: has more rows than its size allows"
    let cases: [(String, [UInt8], String)] = [
      ("nulls", runs(many), rows), ("empty texts", runs(many, type: 6), rows),
      (
        "no fields",
        Sample.changed { sample in
          sample.elements = [Sample.group("g", 0)]
          sample.rowCount = many
          sample.pages = []
        }, "its footer: has a row group without columns"
      ),
      (
        "Zstandard", Sample.file(page: Sample.page([1], values: 3, uncompressed: Int(Int32.max)), codec: 6),
        "row group 1: is compressed more than 1000:1, the limit"
      ),
      (
        "no compression", Sample.file(page: Sample.page([1], values: 3, uncompressed: Int(Int32.max))),
        "row group 1: is compressed more than 1000:1, the limit"
      ),
      (
        "Snappy",
        Sample.file(
          page: Sample.page([0x80, 0x80, 0x80, 0x80, 4, 0, 65], values: 3, uncompressed: 24), codec: 1),
        "row group 1: column a: its compressed bytes have another size than they state"
      ),
      (
        "dictionary",
        Sample.file(
          page:
            Sample.dictionary(Sample.longs([1]), values: 1)
            + Sample.page([0, 0xFE, 0xFF, 0xFF, 0xFF, 7], values: many, encoding: 8),
          rows: many), rows
      ),
      (
        "lists",
        Sample.changed {
          $0.elements = [Sample.column("geometry", type: 5, repetition: 2)]
          $0.types = [5]
          $0.pages = [
            Sample.page(Sample.levels(0, count: many) + Sample.levels(0, count: many), values: many)
          ]
          ($0.rowCount, $0.valueCount) = (1, many)
          $0.metadata = [
            ("geo", #"{"primary_column":"geometry","columns":{"geometry":{"encoding":"linestring"}}}"#)
          ]
        },
        "field geometry: geometries of type linestring cannot be stored as list"
      ),
    ]
    for (name, bytes, error) in cases { #expect(Sample.outcome(bytes) == error, "\(name)") }
    #expect(cases.count == 8)
  }

  @Test("Columns without metadata, which take one byte each, are refused at the first one")
  func columnsWithoutMetadata() {
    let none = ThriftValue.structure([(1, .list(Array(repeating: .structure([]), count: 100_000)))])
    let root = ThriftValue.structure([(4, .text("schema")), (5, .int32(1))])
    let footer = ThriftValue.structure([
      (2, .list([root, Sample.column("a", type: 2)])), (3, .int64(0)), (4, .list([none])),
    ])
    #expect(
      Sample.outcome(Sample.file(Array("PAR1".utf8), footer)) == "its footer: has columns without metadata")
  }

  @Test("Row groups without rows that name the same pages are refused before they are read")
  func emptyRowGroups() {
    let shared = Sample.changed {
      ($0.elements, $0.rowCount, $0.valueCount) = ([Sample.column("a", type: 2, repetition: 2)], 0, 1000)
      ($0.pages, $0.groupCount) = ([Sample.plainPage(Array(0..<1000))], 200)
    }
    #expect(Sample.outcome(shared) == "its columns are longer than its bytes")
  }

  @Test("Texts that share a prefix are refused when they are longer than their page by far")
  func prefixes() {
    // 1000 texts that each repeat the first one, which has 2^20 bytes.
    let long = 1 << 20
    func numbers(first: [UInt8], least: [UInt8], then packed: [UInt8]) -> [UInt8] {
      [0x80, 0x01, 0x04, 0xE8, 0x07] + first + least + [21, 21, 21, 21] + packed
        + Array(repeating: [0, 0, 0, 0, 0], count: 7).joined()
    }
    /// 128 numbers of 21 bits, the missing ones 0.
    func packed(_ values: [Int]) -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: 336)
      for (index, value) in values.enumerated() {
        for bit in 0..<21 where value >> bit & 1 == 1 {
          bytes[(21 * index + bit) / 8] |= 1 << UInt8((21 * index + bit) % 8)
        }
      }
      return bytes
    }
    let prefixes = numbers(first: [0], least: [0], then: packed([long]))
    let suffixes = numbers(
      first: [0x80, 0x80, 0x80, 1], least: [0xFF, 0xFF, 0x7F],
      then: packed([0] + Array(repeating: long, count: 127)))
    let body = prefixes + suffixes + [UInt8](repeating: 65, count: long)
    #expect(
      Sample.outcome(Sample.file(page: Sample.page(body, values: 1000, encoding: 7), type: 6, rows: 1000))
        == "row group 1: column a: its values share prefixes, and are longer than its bytes by far")
  }
}
