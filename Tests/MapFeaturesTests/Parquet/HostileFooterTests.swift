import MapReaders
import Testing

/// Parquet files with wrong footers, schemas and row groups.
@Suite struct HostileFooterTests {
  private typealias Sample = ParquetSample

  @Test("Each of 28 wrong footers and schemas is refused with its reason")
  func footers() {
    let body = Array("PAR1".utf8)
    let schema = { (elements: [ThriftValue], count: Int) in
      Sample.changed { ($0.elements, $0.childCount) = (elements, count) }
    }
    let column = Sample.column("a", type: 2)
    let outside = "its footer: a part of it lies beyond its bytes"
    let deep = (0..<40).map { Sample.group("g\($0)", 1) } + [column]
    let cases: [(String, [UInt8], String)] = [
      ("empty", [], "ends before its footer"),
      ("short", body + body, "ends before its footer"),
      ("cut", Array(Sample().bytes.dropLast()), "ends before its footer: it is cut off, or no Parquet file"),
      ("encrypted", body + body + Array("PARE".utf8), "is encrypted"),
      ("no length", Sample.file(body, footer: [], stated: 0), "its footer lies beyond its bytes"),
      ("long", Sample.file(body, footer: [0], stated: 1 << 30), "its footer lies beyond its bytes"),
      ("negative", Sample.file(body, footer: [0], stated: -1), "its footer lies beyond its bytes"),
      ("half", Sample.file(body, footer: [0x15, 0x04, 0x19]), outside),
      ("no end", Sample.file(body, footer: [0x15, 0x04]), outside),
      (
        "number", Sample.file(body, footer: [0x16] + Array(repeating: 0xFF, count: 12)),
        "its footer: has metadata with a number beyond 64 bits"
      ),
      ("list", Sample.file(body, footer: [0x29, 0xFC, 0xFF, 0xFF, 0xFF, 0x0F, 0]), outside),
      ("text", Sample.file(body, footer: [0x68, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0]), outside),
      (
        "types", Sample.file(body, footer: [0x1F, 0]),
        "its footer: has metadata that are not in Thrift's compact protocol"
      ),
      (
        "nested", Sample.file(body, footer: Array(repeating: 0x9C, count: 1000)),
        "its footer: has metadata that are nested deeper than 32"
      ),
      (
        "other type", Sample.file(body, footer: [0x25, 0x04, 0]),
        "its footer: has metadata of another type than its format has"
      ),
      ("no schema", Sample.file(body, footer: [0, 0, 0, 0]), "contains no schema"),
      ("few", schema([column], 2), "its schema ends before its last field"),
      ("many", schema([column, column], 1), "its schema has fields that belong to no group"),
      ("huge", schema([column], 1 << 30), "1073741824 fields: a table has at most 4096"),
      (
        "huge group", schema([Sample.group("g", 1 << 30), column], 1), "its schema ends before its last field"
      ),
      ("deep", schema(deep, 1), "field g32: is nested deeper than 32"),
      (
        "lists",
        schema((0..<40).map { Sample.group("g\($0)", 1, repetition: 2) } + [column], 1),
        "field g32: is nested deeper than 32"
      ),
      (
        "elements", schema(Array(repeating: column, count: 65_536), 1),
        "its footer: has more than 65536 fields"
      ),
      ("type", schema([Sample.column("a", type: 9)], 1), "its footer: has a field of an unknown type (9)"),
      (
        "repetition", schema([Sample.column("a", type: 2, repetition: 3)], 1),
        "its footer: has a field of an unknown repetition (3)"
      ),
      (
        "both", schema([Sample.column("a", type: 2, children: 1)], 1),
        "its footer: field a: is both a group and a column"
      ),
      (
        "length", schema([Sample.column("a", type: 7, length: -1)], 1),
        "its footer: field a: has values of an impossible length (-1)"
      ),
      (
        "scale", schema([Sample.column("a", type: 2, converted: 5, scale: Int(Int32.min))], 1),
        "its footer: field a: has an impossible scale (-2147483648)"
      ),
    ]
    for (name, bytes, error) in cases { #expect(Sample.outcome(bytes) == error, "\(name)") }
    #expect(cases.count == 28)
  }

  @Test("Each of 18 wrong row groups is refused with its reason")
  func rowGroups() {
    let group = "row group 1: "
    let cases: [(String, [UInt8], String)] = [
      ("no columns", Sample.changed { $0.pages = [] }, "its footer: has a row group without columns"),
      (
        "columns", Sample.changed { ($0.pages, $0.types) = ([$0.pages[0], $0.pages[0]], [2, 2]) },
        group + "has 2 columns, not 1"
      ),
      ("type", Sample.changed { $0.types = [1] }, group + "column a is of another type than its field"),
      (
        "unknown type", Sample.changed { $0.types = [12] }, "its footer: has a column of an unknown type (12)"
      ),
      ("codec", Sample.changed { $0.codec = 8 }, "its footer: has a column of an unknown compression (8)"),
      ("negative rows", Sample.changed { $0.rowCount = -1 }, group + "has an impossible number of rows"),
      ("rows", Sample.changed { $0.rowCount = 1 << 40 }, group + "has an impossible number of rows"),
      (
        "sum", Sample.changed { $0.statedRows = 4 },
        "its row groups have 3 rows, but its footer states 4"
      ),
      ("offset", Sample.changed { $0.members[9] = .int64(1 << 40) }, "a part of it lies beyond its bytes"),
      (
        "negative offset", Sample.changed { $0.members[9] = .int64(-9) }, "a part of it lies beyond its bytes"
      ),
      ("size", Sample.changed { $0.members[7] = .int64(1 << 40) }, "a part of it lies beyond its bytes"),
      ("negative size", Sample.changed { $0.members[7] = .int64(-9) }, "a part of it lies beyond its bytes"),
      (
        "shared",
        Sample.changed {
          ($0.pages, $0.rowCount, $0.groupCount) = ([Sample.plainPage(Array(0..<1000))], 1000, 200)
        }, "its columns are longer than its bytes"
      ),
      (
        "other file", Sample.changed { $0.chunkMembers = [(8, .structure([]))] },
        group + "column a: is encrypted"
      ),
      (
        "values", Sample.changed { $0.valueCount = 4 }, group + "column a: has 4 values in 3 rows"
      ),
      ("negative values", Sample.changed { $0.valueCount = -3 }, group + "column a: has -3 values in 3 rows"),
      (
        "LZO", Sample.changed { $0.codec = 3 },
        group + "column a: is compressed with LZO, which is not read"
      ),
      (
        "Brotli", Sample.changed { $0.codec = 4 },
        group + "column a: is compressed with Brotli, which is not read"
      ),
    ]
    for (name, bytes, error) in cases { #expect(Sample.outcome(bytes) == error, "\(name)") }
    #expect(cases.count == 18)
  }
}
