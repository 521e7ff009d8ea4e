import Foundation
import MapFeatures
import MapFilter
import MapReaders
import Testing

/// Parquet files with wrong lengths, offsets, types and sizes, and files made to take more memory than their size.
@Suite struct HostileParquetTests {
  private typealias Sample = ParquetSample

  /// Returns the error of a file; its number of rows if it is read.
  private static func outcome(_ bytes: [UInt8]) -> String {
    do { return "\(try ParquetReaderTests.read(bytes).rowCount) rows" } catch { return "\(error)" }
  }

  private static func sample(_ change: (inout Sample) -> Void) -> [UInt8] {
    var sample = Sample()
    change(&sample)
    return sample.bytes
  }

  /// A file of one column with a page.
  private static func page(
    _ page: [UInt8], type: Int = 2, rows: Int = 3, codec: Int = 0, required: Bool = true, length: Int? = nil
  ) -> [UInt8] {
    sample {
      $0.elements = [
        Sample.column(
          "a", type: type, repetition: required ? 0 : 1, length: length, converted: type == 6 ? 0 : nil)
      ]
      ($0.types, $0.pages, $0.rowCount, $0.codec) = ([type], [page], rows, codec)
    }
  }

  @Test("The file that the others change is read")
  func soundFile() throws {
    let table = try ParquetReaderTests.read(Sample().bytes)
    #expect((0..<3).map { table.columns[0].value(at: $0) } == [.integer(1), .integer(2), .integer(3)])
  }

  @Test("Each of 28 wrong footers and schemas is refused with its reason")
  func footers() {
    let body = Array("PAR1".utf8)
    let schema = { (elements: [ThriftValue], count: Int) in
      Self.sample { ($0.elements, $0.childCount) = (elements, count) }
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
        "its footer: has a field of an unknown repetition"
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
    for (name, bytes, error) in cases { #expect(Self.outcome(bytes) == error, "\(name)") }
    #expect(cases.count == 28)
  }

  @Test("Each of 18 wrong row groups is refused with its reason")
  func rowGroups() {
    let group = "row group 1: "
    let cases: [(String, [UInt8], String)] = [
      ("no columns", Self.sample { $0.pages = [] }, "its footer: has a row group without columns"),
      (
        "columns", Self.sample { ($0.pages, $0.types) = ([$0.pages[0], $0.pages[0]], [2, 2]) },
        group + "has 2 columns, not 1"
      ),
      ("type", Self.sample { $0.types = [1] }, group + "column a is of another type than its field"),
      ("unknown type", Self.sample { $0.types = [12] }, "its footer: has a column of an unknown type"),
      ("codec", Self.sample { $0.codec = 8 }, "its footer: has a column of an unknown compression (8)"),
      ("negative rows", Self.sample { $0.rowCount = -1 }, group + "has an impossible number of rows"),
      ("rows", Self.sample { $0.rowCount = 1 << 40 }, group + "has an impossible number of rows"),
      (
        "sum", Self.sample { $0.statedRows = 4 },
        "its row groups have 3 rows, but its footer states 4"
      ),
      ("offset", Self.sample { $0.members[9] = .int64(1 << 40) }, "a part of it lies beyond its bytes"),
      ("negative offset", Self.sample { $0.members[9] = .int64(-9) }, "a part of it lies beyond its bytes"),
      ("size", Self.sample { $0.members[7] = .int64(1 << 40) }, "a part of it lies beyond its bytes"),
      ("negative size", Self.sample { $0.members[7] = .int64(-9) }, "a part of it lies beyond its bytes"),
      (
        "shared",
        Self.sample {
          ($0.pages, $0.rowCount, $0.groupCount) = ([Sample.plainPage(Array(0..<1000))], 1000, 200)
        }, "its columns are longer than its bytes"
      ),
      (
        "other file", Self.sample { $0.chunkMembers = [(8, .structure([]))] },
        group + "column a: is encrypted"
      ),
      (
        "values", Self.sample { $0.valueCount = 4 }, group + "column a: has 4 values in 3 rows"
      ),
      ("negative values", Self.sample { $0.valueCount = -3 }, group + "column a: has -3 values in 3 rows"),
      (
        "LZO", Self.sample { $0.codec = 3 },
        group + "column a: is compressed with LZO, which is not read"
      ),
      (
        "Brotli", Self.sample { $0.codec = 4 },
        group + "column a: is compressed with Brotli, which is not read"
      ),
    ]
    for (name, bytes, error) in cases { #expect(Self.outcome(bytes) == error, "\(name)") }
    #expect(cases.count == 18)
  }

  @Test("Each of 33 wrong pages is refused with its reason")
  func pages() {
    let column = "row group 1: column a: "
    let short = column + "a page ends before its last value"
    let three = Sample.longs([1, 2, 3])
    let indices: [UInt8] = [2, 6, 1]
    let dictionary = Sample.dictionary(three, values: 3)
    let damaged = column + "its compressed bytes are damaged"
    /// Differences in blocks of 128 in 4 parts; the first has no bits.
    let equal: (Int, UInt8) -> [UInt8] = { count, zigzag in
      var head: [UInt8] = [0x80, 0x01, 0x04]
      var left = count
      while left >= 128 {
        head.append(UInt8(left & 127) | 128)
        left >>= 7
      }
      head += [UInt8(left), zigzag]
      let blocks = (count + 126) / 128
      return head + Array(repeating: [0, 0, 0, 0, 0], count: blocks).joined()
    }
    let cases: [(String, [UInt8], String)] = [
      (
        "negative", Self.page(Sample.page(three, values: 3, compressed: -1)),
        column + "has a page of an impossible size"
      ),
      (
        "size", Self.page(Sample.page(three, values: 3, compressed: 99)),
        column + "a page lies beyond its bytes"
      ),
      (
        "values", Self.page(Sample.page(three, values: 4)),
        column + "its pages have more values than its column states"
      ),
      ("negative values", Self.page(Sample.page(three, values: -1)), column + "has a page without a header"),
      ("header", Self.page(Sample.header(0, three, []) + three), column + "has a page without a header"),
      ("end", Self.page(Sample.page(three, values: 2)), column + "a part of it lies beyond its bytes"),
      (
        "other pages", Self.page(Sample.header(1, [], []) + Sample.header(9, [], [])),
        column + "a part of it lies beyond its bytes"
      ),
      (
        "short", Self.page(Sample.page(three, values: 3).dropLast(8) + []),
        column + "a page lies beyond its bytes"
      ),
      ("few bytes", Self.page(Sample.page(Array(three.dropLast()), values: 3)), short),
      (
        "encoding", Self.page(Sample.page(three, values: 3, encoding: 4)),
        column + "has values in an encoding that is not read (4)"
      ),
      (
        "indices", Self.page(Sample.page(indices, values: 3, encoding: 8)),
        column + "has indices without a dictionary"
      ),
      ("no indices", Self.page(dictionary + Sample.page([], values: 3, encoding: 8)), short),
      (
        "index", Self.page(dictionary + Sample.page([2, 6, 3], values: 3, encoding: 8)),
        column + "value 3 of a dictionary of 3"
      ),
      (
        "wide", Self.page(dictionary + Sample.page([33, 6, 1], values: 3, encoding: 8)),
        column + "has numbers of 33 bits in runs"
      ),
      ("run", Self.page(dictionary + Sample.page([2, 0, 1], values: 3, encoding: 8)), short),
      ("packed", Self.page(dictionary + Sample.page([32, 3, 1], values: 3, encoding: 8)), short),
      (
        "late dictionary", Self.page(Sample.page(Array(three.prefix(8)), values: 1) + dictionary),
        column + "has a dictionary after its first page"
      ),
      (
        "dictionary",
        Self.page(Sample.dictionary(three, values: 4) + Sample.page(indices, values: 3, encoding: 8)), short
      ),
      (
        "dictionary values",
        Self.page(
          Sample.dictionary(three, values: Int(Int32.max)) + Sample.page(indices, values: 3, encoding: 8)),
        "row group 1: has more values than its size allows"
      ),
      (
        "booleans",
        Self.page(
          Sample.dictionary([1], values: 1) + Sample.page([1, 6, 0], values: 3, encoding: 8), type: 0),
        column + "has a dictionary of booleans"
      ),
      (
        "levels", Self.page(Sample.page([0xFF, 0xFF, 0, 0] + three, values: 3), required: false), short
      ),
      (
        "old levels", Self.page(Sample.page([0xE0] + three, values: 3, levels: 4), required: false),
        column + "has levels in an encoding that is not read (4)"
      ),
      (
        "levels 2", Self.page(Sample.page2(three, values: 3, definition: 99)),
        column + "has a page of an impossible size"
      ),
      ("text", Self.page(Sample.page([9, 0, 0, 0, 65], values: 3), type: 6), short),
      ("negative text", Self.page(Sample.page([0xFF, 0xFF, 0xFF, 0xFF, 65], values: 3), type: 6), short),
      (
        "deltas", Self.page(Sample.page([0, 4, 3, 0], values: 3, encoding: 5)),
        column + "has blocks of differences of an impossible size"
      ),
      (
        "delta count", Self.page(Sample.page(equal(9, 0), values: 3, encoding: 5)),
        column + "a page has more values than it states"
      ),
      ("few deltas", Self.page(Sample.page(equal(2, 0), values: 3, encoding: 5)), short),
      ("lengths", Self.page(Sample.page(equal(3, 1), values: 3, encoding: 6), type: 6), short),
      (
        "prefixes",
        Self.page(Sample.page(equal(3, 2) + equal(3, 2) + [1, 2, 3], values: 3, encoding: 7), type: 6), short
      ),
      ("split", Self.page(Sample.page(Array(three.dropLast()), values: 3, encoding: 9), type: 5), short),
      (
        "Snappy", Self.page(Sample.page([24, 0, 65, 2, 0, 0], values: 3, uncompressed: 24), codec: 1), damaged
      ),
      (
        "LZ4", Self.page(Sample.page([0x10, 65, 9, 0], values: 3, uncompressed: 24), codec: 7), damaged
      ),
    ]
    for (name, bytes, error) in cases { #expect(Self.outcome(bytes) == error, "\(name)") }
    #expect(cases.count == 33)
  }

  @Test("A few bytes cannot take much memory: each of 8 bombs is refused")
  func bombs() {
    let many = 1 << 30
    /// A file of rows in one run.
    func runs(_ rows: Int, type: Int = 2) -> [UInt8] {
      Self.page(
        Sample.page(Sample.levels(0, count: rows), values: rows), type: type, rows: rows, required: false)
    }
    let rows = "row group 1: has more rows than its size allows"
    let cases: [(String, [UInt8], String)] = [
      ("nulls", runs(many), rows), ("empty texts", runs(many, type: 6), rows),
      (
        "no fields",
        Self.sample { sample in
          sample.elements = [Sample.group("g", 0)]
          sample.rowCount = many
          sample.pages = []
        }, "its footer: has a row group without columns"
      ),
      (
        "Zstandard", Self.page(Sample.page([1], values: 3, uncompressed: Int(Int32.max)), codec: 6),
        "row group 1: is compressed more than 1000:1, the limit"
      ),
      (
        "no compression", Self.page(Sample.page([1], values: 3, uncompressed: Int(Int32.max))),
        "row group 1: is compressed more than 1000:1, the limit"
      ),
      (
        "Snappy",
        Self.page(Sample.page([0x80, 0x80, 0x80, 0x80, 4, 0, 65], values: 3, uncompressed: 24), codec: 1),
        "row group 1: column a: its compressed bytes have another size than they state"
      ),
      (
        "dictionary",
        Self.page(
          Sample.dictionary(Sample.longs([1]), values: 1)
            + Sample.page([0, 0xFE, 0xFF, 0xFF, 0xFF, 7], values: many, encoding: 8),
          rows: many), rows
      ),
      (
        "lists",
        Self.sample {
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
        "field geometry: geometries of type coordinates(MapGeometry.GeometryKind.polyline, nesting: 1) cannot be stored as list"
      ),
    ]
    for (name, bytes, error) in cases { #expect(Self.outcome(bytes) == error, "\(name)") }
    #expect(cases.count == 8)
  }

  @Test("Numbers beyond those of the format are refused, and times beyond the calendar are null")
  func greatNumbers() throws {
    let great = ThriftValue.int64(Int.max)
    let body = Sample.longs([1, 2, 3])
    func header(_ members: [(Int, ThriftValue)], values: ThriftValue) -> [UInt8] {
      ThriftWriter.bytes(
        of: .structure(
          [(1, .int32(2))] + members + [(7, .structure([(1, values), (2, .int32(0))]))]))
        + body
    }
    let size = ThriftValue.int32(24)
    for (page, error) in [
      (header([(2, great), (3, size)], values: .int32(3)), "has a page of an impossible size"),
      (header([(2, size), (3, great)], values: .int32(3)), "has a page of an impossible size"),
      (header([(2, size), (3, size)], values: great), "has a page without a header"),
    ] { #expect(Self.outcome(Self.page(page)) == "row group 1: column a: \(error)") }
    // A field with a number of 64 bits, and one after it.
    let footer: [UInt8] = [0x05] + [0xFE] + Array(repeating: 0xFF, count: 8) + [1, 2, 0x15, 2, 0]
    #expect(
      Self.outcome(Sample.file(Array("PAR1".utf8), footer: footer))
        == "its footer: has metadata that are not in Thrift's compact protocol")
    let late = [UInt8](repeating: 0xFF, count: 11) + [0x7F]
    let early = [UInt8](repeating: 0, count: 11) + [0x80]
    let times = Self.page(Sample.page(late + early, values: 2), type: 3, rows: 2)
    let table = try ParquetReaderTests.read(times)
    #expect(table.columns[0].value(at: 0) == .null && table.columns[0].value(at: 1) == .null)
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
      Self.outcome(Self.page(Sample.page(body, values: 1000, encoding: 7), type: 6, rows: 1000))
        == "row group 1: column a: its values share prefixes, and are longer than its bytes by far")
  }

  @Test("Files that are cut, or of which a byte is changed, are read or refused")
  func damagedFiles() throws {
    var (read, refused) = (0, 0)
    func attempt(_ bytes: [UInt8]) {
      if Self.outcome(bytes).hasSuffix("rows") { read += 1 } else { refused += 1 }
    }
    var changes = 0
    for name in try Self.smallFiles() {
      let bytes = try ParquetReaderTests.bytes(name)
      for end in stride(from: 0, to: bytes.count, by: 7) { attempt(Array(bytes[..<end])) }
      for place in stride(from: 0, to: bytes.count, by: 2) {
        var changed = bytes
        changed[place] = [0xFF, bytes[place] ^ 0x08, bytes[place] &+ 1][place % 3]
        attempt(changed)
      }
      changes += (bytes.count + 1) / 2 + (bytes.count + 6) / 7
    }
    #expect(read + refused == changes)
    #expect(read > 1000 && refused > 1000, "\(read) read, \(refused) refused")
  }

  /// The smallest file of each writer.
  private static func smallFiles() throws -> [String] {
    let folder = try #require(ParquetReaderTests.folder)
    var smallest: [Substring: (String, Int)] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where name.hasSuffix(".parquet") && name.first?.isNumber == true {
      let size = try ParquetReaderTests.bytes(name).count
      let writer = name.dropFirst(4)
      if smallest[writer].map({ size < $0.1 }) ?? true { smallest[writer] = (name, size) }
    }
    return smallest.values.map(\.0).sorted()
  }
}
