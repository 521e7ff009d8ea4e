import MapFeatures
import MapFilter
import MapReaders
import Testing

/// Parquet files with wrong pages, and with numbers beyond those of the format.
@Suite struct HostilePageTests {
  private typealias Sample = ParquetSample

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
        "negative", Sample.file(page: Sample.page(three, values: 3, compressed: -1)),
        column + "has a page of an impossible size"
      ),
      (
        "size", Sample.file(page: Sample.page(three, values: 3, compressed: 99)),
        column + "a page lies beyond its bytes"
      ),
      (
        "values", Sample.file(page: Sample.page(three, values: 4)),
        column + "its pages have more values than its column states"
      ),
      (
        "negative values", Sample.file(page: Sample.page(three, values: -1)),
        column + "has a page without a header"
      ),
      (
        "header", Sample.file(page: Sample.header(0, three, []) + three),
        column + "has a page without a header"
      ),
      (
        "end", Sample.file(page: Sample.page(three, values: 2)), column + "a part of it lies beyond its bytes"
      ),
      (
        "other pages", Sample.file(page: Sample.header(1, [], []) + Sample.header(9, [], [])),
        column + "a part of it lies beyond its bytes"
      ),
      (
        "short", Sample.file(page: Sample.page(three, values: 3).dropLast(8) + []),
        column + "a page lies beyond its bytes"
      ),
      ("few bytes", Sample.file(page: Sample.page(Array(three.dropLast()), values: 3)), short),
      (
        "encoding", Sample.file(page: Sample.page(three, values: 3, encoding: 4)),
        column + "has values in an encoding that is not read (4)"
      ),
      (
        "indices", Sample.file(page: Sample.page(indices, values: 3, encoding: 8)),
        column + "has indices without a dictionary"
      ),
      ("no indices", Sample.file(page: dictionary + Sample.page([], values: 3, encoding: 8)), short),
      (
        "index", Sample.file(page: dictionary + Sample.page([2, 6, 3], values: 3, encoding: 8)),
        column + "value 3 of a dictionary of 3"
      ),
      (
        "wide", Sample.file(page: dictionary + Sample.page([33, 6, 1], values: 3, encoding: 8)),
        column + "has numbers of 33 bits in runs"
      ),
      ("run", Sample.file(page: dictionary + Sample.page([2, 0, 1], values: 3, encoding: 8)), short),
      ("packed", Sample.file(page: dictionary + Sample.page([32, 3, 1], values: 3, encoding: 8)), short),
      (
        "late dictionary", Sample.file(page: Sample.page(Array(three.prefix(8)), values: 1) + dictionary),
        column + "has a dictionary after its first page"
      ),
      (
        "dictionary",
        Sample.file(page: Sample.dictionary(three, values: 4) + Sample.page(indices, values: 3, encoding: 8)),
        short
      ),
      (
        "dictionary values",
        Sample.file(
          page:
            Sample.dictionary(three, values: Int(Int32.max)) + Sample.page(indices, values: 3, encoding: 8)),
        "row group 1: has more values than its size allows"
      ),
      (
        "booleans",
        Sample.file(
          page:
            Sample.dictionary([1], values: 1) + Sample.page([1, 6, 0], values: 3, encoding: 8), type: 0),
        column + "has a dictionary of booleans"
      ),
      (
        "levels", Sample.file(page: Sample.page([0xFF, 0xFF, 0, 0] + three, values: 3), required: false),
        short
      ),
      (
        "old levels", Sample.file(page: Sample.page([0xE0] + three, values: 3, levels: 4), required: false),
        column + "has levels in an encoding that is not read (4)"
      ),
      (
        "levels 2", Sample.file(page: Sample.page2(three, values: 3, definition: 99)),
        column + "has a page of an impossible size"
      ),
      ("text", Sample.file(page: Sample.page([9, 0, 0, 0, 65], values: 3), type: 6), short),
      (
        "negative text", Sample.file(page: Sample.page([0xFF, 0xFF, 0xFF, 0xFF, 65], values: 3), type: 6),
        short
      ),
      (
        "deltas", Sample.file(page: Sample.page([0, 4, 3, 0], values: 3, encoding: 5)),
        column + "has blocks of differences of an impossible size"
      ),
      (
        "delta count", Sample.file(page: Sample.page(equal(9, 0), values: 3, encoding: 5)),
        column + "a page has more values than it states"
      ),
      ("few deltas", Sample.file(page: Sample.page(equal(2, 0), values: 3, encoding: 5)), short),
      ("lengths", Sample.file(page: Sample.page(equal(3, 1), values: 3, encoding: 6), type: 6), short),
      (
        "prefixes",
        Sample.file(
          page: Sample.page(equal(3, 2) + equal(3, 2) + [1, 2, 3], values: 3, encoding: 7), type: 6), short
      ),
      (
        "split", Sample.file(page: Sample.page(Array(three.dropLast()), values: 3, encoding: 9), type: 5),
        short
      ),
      (
        "Snappy",
        Sample.file(page: Sample.page([24, 0, 65, 2, 0, 0], values: 3, uncompressed: 24), codec: 1), damaged
      ),
      (
        "LZ4", Sample.file(page: Sample.page([0x10, 65, 9, 0], values: 3, uncompressed: 24), codec: 7),
        damaged
      ),
    ]
    for (name, bytes, error) in cases { #expect(Sample.outcome(bytes) == error, "\(name)") }
    #expect(cases.count == 33)
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
    ] { #expect(Sample.outcome(Sample.file(page: page)) == "row group 1: column a: \(error)") }
    // A field with a number of 64 bits, and one after it.
    let footer: [UInt8] = [0x05] + [0xFE] + Array(repeating: 0xFF, count: 8) + [1, 2, 0x15, 2, 0]
    #expect(
      Sample.outcome(Sample.file(Array("PAR1".utf8), footer: footer))
        == "its footer: has metadata that are not in Thrift's compact protocol")
    let late = [UInt8](repeating: 0xFF, count: 11) + [0x7F]
    let early = [UInt8](repeating: 0, count: 11) + [0x80]
    let times = Sample.file(page: Sample.page(late + early, values: 2), type: 3, rows: 2)
    let table = try ParquetReaderTests.read(times)
    #expect(table.columns[0].value(at: 0) == .null && table.columns[0].value(at: 1) == .null)
  }
}
