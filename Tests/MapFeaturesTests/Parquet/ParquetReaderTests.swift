import Foundation
import MapFeatures
import MapFilter
import MapGeometry
import MapJSON
import MapReaders
import Testing

/// Parquet files of other programs, compared with pyarrow's reading of them.
///
/// - Source: `Cases/make_parquet.py`, which writes the files with pyarrow, geopandas, DuckDB and polars.
@Suite struct ParquetReaderTests {
  static let folder = Bundle.module.url(forResource: "Cases/Parquet", withExtension: nil)

  static func read(
    _ bytes: [UInt8], fields: FieldSelection = .all, options: ReadingOptions = ReadingOptions()
  ) throws -> FeatureColumns {
    try ParquetReader.read(size: bytes.count, fields: fields, options: options) { Array(bytes[$0]) }
  }

  static func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: try #require(folder).appending(path: name)))
  }

  /// Compares all files of a folder, and returns their number.
  private func compare(_ folder: URL) throws -> Int {
    let json = try JSONValue(parsing: [UInt8](Data(contentsOf: folder.appending(path: "expected.json"))))
    let cases = json["cases"]?.object?.members ?? []
    for item in cases {
      let bytes = [UInt8](try Data(contentsOf: folder.appending(path: item.name)))
      #expect(ParquetReader.looksLikeParquet(bytes))
      do {
        let table = try Self.read(bytes)
        let differences = ArrowCase.differences(table, item.value)
        #expect(differences.isEmpty, "\(item.name): \(differences.prefix(3)) of \(differences.count)")
        #expect(table.rowCount == item.value["rows"]?.integer, "\(item.name)")
      } catch { Issue.record("\(item.name): \(error)") }
    }
    return cases.count
  }

  @Test("Files of pyarrow, geopandas, DuckDB and polars are read as pyarrow reads them")
  func filesOfOtherPrograms() throws {
    #expect(try compare(try #require(Self.folder)) == 72)
  }

  @Test("LZ4 is read as a single block, and as blocks with their sizes as Hadoop writes them")
  func formsOfLZ4() throws {
    let plain = ParquetSample.longs([1, 2, 3])
    let block = [0xF0, 9] + plain
    let hadoop: [UInt8] = [0, 0, 0, 24, 0, 0, 0, 26] + block
    for (codec, body) in [(7, block), (5, block), (5, hadoop)] {
      var sample = ParquetSample()
      sample.elements = [ParquetSample.column("a", type: 2)]
      sample.pages = [ParquetSample.page(body, values: 3, uncompressed: 24)]
      sample.codec = codec
      #expect(try Self.read(sample.bytes).columns[0].integers == [1, 2, 3], "codec \(codec)")
    }
  }

  @Test(
    "Decimals of several lengths and repeated fields outside of lists are read as older writers mean them")
  func olderForms() throws {
    var sample = ParquetSample()
    sample.elements = [ParquetSample.column("a", type: 6, converted: 5, scale: 2)]
    sample.types = [6]
    let values: [[UInt8]] = [[0x04, 0xD2], [0xFF], []]
    sample.pages = [
      ParquetSample.page(values.flatMap { ParquetSample.number($0.count) + $0 }, values: 3)
    ]
    let decimals = try Self.read(sample.bytes)
    #expect((0..<3).map { decimals.columns[0].value(at: $0) } == [.real(12.34), .real(-0.01), .real(0)])
    sample = ParquetSample()
    sample.elements = [
      ParquetSample.column("n", type: 2), ParquetSample.column("r", type: 2, repetition: 2),
    ]
    sample.types = [2, 2]
    let numbers = ParquetSample.page(ParquetSample.longs([4, 5, 6]), values: 3)
    // Each row has a list of one number.
    let lists = ParquetSample.levels(0, count: 3) + ParquetSample.levels(1, count: 3)
    sample.pages = [numbers, ParquetSample.page(lists + ParquetSample.longs([4, 5, 6]), values: 3)]
    let repeated = try Self.read(sample.bytes)
    #expect(repeated.columns[0].integers == [4, 5, 6])
    #expect(repeated.columns[1].value(at: 2) == .text("[6]"))
  }

  @Test("Timestamps of 96 bits and of nanoseconds are rounded down to microseconds, with one warning each")
  func roundedTimestamps() throws {
    let body = [(1999, 0), (2000, 1)].flatMap { nanoseconds, day in
      ParquetSample.longs([nanoseconds]) + ParquetSample.number(2_440_588 + day)
    }
    let nanoseconds = ThriftValue.structure([
      (8, .structure([(1, .boolean(true)), (2, .structure([(3, .structure([]))]))]))
    ])
    let table = try Self.read(
      ParquetSample.changed {
        $0.elements = [
          ParquetSample.column("a", type: 3), ParquetSample.column("b", type: 2, logical: nanoseconds),
        ]
        let longs = ParquetSample.longs([Int.min, -1])
        ($0.types, $0.rowCount) = ([3, 2], 2)
        $0.pages = [ParquetSample.page(body, values: 2), ParquetSample.page(longs, values: 2)]
      })
    #expect(
      (0..<2).map { table.columns[0].value(at: $0) } == [
        .instant(Instant(microseconds: 1)), .instant(Instant(microseconds: 86_400_000_002)),
      ])
    #expect(
      table.warnings == [
        "field a: 2 timestamps without a time zone were read as UTC",
        "field a: 1 timestamp was rounded down to microseconds",
        "field b: 2 timestamps were rounded down to microseconds",
      ])
  }

  @Test(
    "The 300 files of a folder are read as pyarrow reads them",
    .enabled(if: ProcessInfo.processInfo.environment["MAPSTATE_PARQUET_FILES"] != nil))
  func generatedFiles() throws {
    let path = try #require(ProcessInfo.processInfo.environment["MAPSTATE_PARQUET_FILES"])
    #expect(try compare(URL(fileURLWithPath: path)) == 300)
  }
}
