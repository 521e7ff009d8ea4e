import MapFeatures
import MapFilter
import MapGeometry
import MapReaders
import Synchronization
import Testing

/// Questions about Parquet files.
enum ParquetQuestion {
  /// Returns the query for an extent in degrees and a where clause.
  static func query(_ extent: Envelope?, _ clause: String?) throws -> FeatureQuery {
    var conditions = QueryConditions()
    if let extent {
      conditions.question = FeatureQuestion(
        area: .envelope(
          Envelope(
            xMin: extent.xMin, yMin: extent.yMin, xMax: extent.xMax, yMax: extent.yMax,
            spatialReference: .wgs84)))
    } else {
      conditions.question = FeatureQuestion(area: .everywhere)
    }
    if let clause { conditions.question.whereClause = clause }
    return try conditions.query(for: .query)
  }
}

/// The readings of a table, as it reports them.
final class ReadingLog: Sendable {
  private let lines = Mutex([String]())

  func add(_ line: String) { lines.withLock { $0.append(line) } }

  /// The numbers of row groups and pages that the latest reading read.
  var latest: (groups: Int, pages: Int, allPages: Int)? {
    let numbers = lines.withLock { $0.last ?? "" }.split { !$0.isNumber }.compactMap { Int($0) }
    return numbers.count > 3 ? (numbers[0], numbers[2], numbers[3]) : nil
  }
}

/// A file with indexes of pages, bloom filters and nested values, from which only some pages are read.
///
/// - Source: `pages.parquet` of `Cases/make_parquet.py`, written by pyarrow: 2 row groups of 8 pages with 24 rows, in the
///   order of `n`, which is even, and of the least x.
@Suite struct PagedParquetTests {
  private static func open(
    _ log: ReadingLog = ReadingLog()
  ) throws -> (source: PartlyReadSource, whole: InMemorySource) {
    let bytes = try ParquetReaderTests.bytes("pages.parquet")
    let whole = InMemorySource(try ParquetReaderTests.read(bytes))
    let file = ParquetTable.File(size: bytes.count, bytes: { Array(bytes[$0]) })
    var table = try ParquetTable([file], fields: .all, options: ReadingOptions())
    table.report = { log.add($0) }
    let opened = IndexedParquet(table, name: "pages", all: { whole })
    let source = try #require(opened.flatMap { PartlyReadSource($0, operations: .builtIn) })
    return (source, whole)
  }

  private static let clauses: [String?] = [
    nil, "n = 100", "n = 101", "n IN (20, 22, 24, 700)", "n BETWEEN 90 AND 95", "n < 10",
    "n >= 760 AND s IS NOT NULL",
    "s = 'text 37'", "s = 'text 9999'", "s IN ('text 1', 'text 2')", "10 > n", "n = -2",
    "s > 'text 5' AND n < 40",
    "n = 50 OR n = 51", "n < 30.5", "s LIKE 'text 1%' AND n <= 60",
  ]

  @Test("Questions about few rows have the answers of the whole table")
  func answers() async throws {
    let extents: [Envelope?] = [
      nil, Envelope(xMin: -60, yMin: -20, xMax: -50, yMax: 30), Envelope(xMin: 0, yMin: 0, xMax: 5, yMax: 5),
      Envelope(xMin: 100, yMin: 0, xMax: 101, yMax: 5),
    ]
    var (found, partly) = (0, 0)
    for extent in extents {
      for clause in Self.clauses where extent != nil || clause != nil {
        let (source, whole) = try Self.open()
        let query = try ParquetQuestion.query(extent, clause)
        #expect(try await source.count(query) == whole.count(query), "\(clause ?? "") \(query)")
        let rows = try await source.features(query, page: FeaturePage(), fieldNames: ["*"], hasGeometry: true)
        let all = try await whole.features(query, page: FeaturePage(), fieldNames: ["*"], hasGeometry: true)
        #expect(rows.objectIDs == all.objectIDs, "\(clause ?? "")")
        #expect(try GeoJSONWriter(rows).document() == GeoJSONWriter(all).document(), "\(clause ?? "")")
        found += all.rows.count
        if source.inMemory == nil { partly += 1 }
      }
    }
    #expect(found > 50 && partly > 50, "\(found) \(partly)")
  }

  @Test("Statistics, bloom filters and indexes exclude row groups and pages")
  func counters() async throws {
    let log = ReadingLog()
    /// Asks, and returns the row groups and pages of the last reading.
    func asked(_ extent: Envelope?, _ clause: String) async throws -> [Int] {
      let (source, _) = try Self.open(log)
      _ = try await source.count(ParquetQuestion.query(extent, clause))
      #expect(source.inMemory == nil, "\(clause)")
      let latest = try #require(log.latest)
      return [latest.groups, latest.pages]
    }
    // Of 4 columns, the texts also have a dictionary, and pages of lists hold fewer rows.
    let one = try await asked(nil, "n = 100")
    #expect(one == [1, 6])
    let two = try await asked(nil, "n BETWEEN 40 AND 50")
    #expect(two == [1, 11])
    // An odd number lies between the bounds; the bloom filter has none.
    #expect(try await asked(nil, "n = 101") == [0, 0])
    #expect(try await asked(nil, "s = 'text 9999'") == [0, 0])
    #expect(try await asked(nil, "n > 1000") == [0, 0])
    let west = Envelope(xMin: -80, yMin: -90, xMax: -60, yMax: 90)
    let near = try await asked(west, "n < 1000")
    #expect(near[0] == 1 && near[1] < 40, "\(near)")
    let (source, whole) = try Self.open(log)
    let query = try ParquetQuestion.query(west, nil)
    #expect(try await source.count(query) == whole.count(query))
    let latest = try #require(log.latest)
    #expect(latest.pages < latest.allPages)
  }

  @Test("Boxes that cannot be read are no error: all rows are read, with a warning")
  func damagedBoxes() async throws {
    var bytes = try ParquetReaderTests.bytes("pages.parquet")
    let whole = InMemorySource(try ParquetReaderTests.read(bytes))
    // The pages of the column bbox.xmin in the first row group.
    for place in 10_385..<10_981 { bytes[place] = 0xFF }
    let damaged = bytes
    let file = ParquetTable.File(size: bytes.count, bytes: { Array(damaged[$0]) })
    let table = try ParquetTable([file], fields: .all, options: ReadingOptions())
    let opened = IndexedParquet(table, name: "pages", all: { whole })
    let indexed = try #require(opened)
    let west = Envelope(xMin: -80, yMin: -90, xMax: -60, yMax: 90, spatialReference: .wgs84)
    #expect(throws: IndexFault.self) { try indexed.rows(meeting: [west]) }
    #expect(throws: IndexFault.self) { try indexed.count(meeting: [west]) }
    let source = try #require(PartlyReadSource(indexed, operations: .builtIn))
    let query = try ParquetQuestion.query(west, nil)
    #expect(try await source.count(query) == whole.count(query))
    #expect(source.metadata.warnings.contains { $0.hasPrefix("its spatial index cannot be read") })
  }

  @Test("An index of pages with other rows than the pages is an error; an impossible one is not used")
  func wrongIndex() throws {
    let numbers = Array(0..<64)
    let pages = [0..<32, 32..<64].map {
      ParquetSample.page(ParquetSample.longs(Array(numbers[$0])), values: 32)
    }
    /// A file whose index states a first row for its second page, and the bounds of its pages.
    func file(row: Int, offset: Int = 0) -> [UInt8] {
      func place(_ start: Int, _ size: Int, _ row: Int) -> ThriftValue {
        .structure([(1, .int64(start)), (2, .int32(size)), (3, .int64(row))])
      }
      let index = ThriftWriter.bytes(
        of: .structure([
          (1, .list([place(4, pages[0].count, 0), place(4 + pages[0].count + offset, pages[1].count, row)]))
        ]))
      var sample = ParquetSample()
      sample.elements = [ParquetSample.column("a", type: 2)]
      (sample.rowCount, sample.pages) = (64, [pages[0] + pages[1] + index])
      sample.members[7] = .int64(pages[0].count + pages[1].count)
      sample.chunkMembers = [
        (4, .int64(4 + pages[0].count + pages[1].count)), (5, .int32(index.count)),
      ]
      return sample.bytes
    }
    func rows(_ bytes: [UInt8]) throws -> [Int64]? {
      let file = ParquetTable.File(size: bytes.count, bytes: { Array(bytes[$0]) })
      let table = try ParquetTable([file], fields: .all, options: ReadingOptions())
      return try table.read(rows: [40..<42]).columns[0].integers
    }
    #expect(try rows(file(row: 32)) == [40, 41])
    // An index that cannot be right is not used.
    for bytes in [file(row: 64), file(row: 0), file(row: 32, offset: 1 << 20), file(row: 32, offset: -8)] {
      #expect(try rows(bytes) == [40, 41])
    }
    #expect(throws: ArrowError.self) { try rows(file(row: 40)) }
    #expect(throws: ArrowError.self) { try rows(file(row: 16)) }
  }
}
