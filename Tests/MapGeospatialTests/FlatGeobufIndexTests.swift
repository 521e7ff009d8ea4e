import Foundation
import MapFeatures
import MapFilter
import MapGeometry
import MapGeospatial
import MapReaders
import MapSystem
import MapTestSupport
import Synchronization
import Testing

/// Answers by the index of a FlatGeobuf file are those of the whole file.
@Suite struct FlatGeobufIndexTests {
  /// A file in memory, with the number of bytes that were read.
  private final class File: Sendable {
    let bytes: [UInt8]
    private let read = Mutex(0)

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func bytes(_ range: Range<Int>) -> [UInt8] {
      read.withLock { $0 += range.count }
      return Array(bytes[range])
    }

    var bytesRead: Int { read.withLock { $0 } }
  }

  /// Returns a file with an index, which orders the features by their positions.
  private static func file(_ table: FeatureColumns, keepsOrder: Bool = false) throws -> [UInt8] {
    let rows = try FeatureRows(table, rows: Array(0..<table.rowCount))
    return try VectorFile.bytes(of: rows, format: .flatGeobuf, layer: "made by test", keepsOrder: keepsOrder)
      .bytes
  }

  private static func whole(_ bytes: [UInt8]) throws -> InMemorySource {
    let layer = try FlatGeobufReader.read(size: bytes.count) { Array(bytes[$0]) }
    return InMemorySource(try #require(layer).table)
  }

  private static func source(_ file: File, _ whole: InMemorySource) throws -> PartlyReadSource {
    let table = try #require(
      try IndexedFlatGeobuf(
        size: file.bytes.count, fields: .all, all: { whole }, bytes: { file.bytes($0) }))
    return try #require(PartlyReadSource(table, operations: .builtIn))
  }

  @Test(
    "Counts and features by the index are those of the whole file",
    arguments: [GeometryKind.point, .polyline, .polygon])
  func answersAreThoseOfTheWholeFile(kind: GeometryKind) async throws {
    var random = SeededGenerator(seed: 81)
    var found = 0
    for reference in [SpatialReference.wgs84, .webMercator] {
      let file = File(try Self.file(IndexedTables.table(kind, reference, rows: 6000, &random)))
      let whole = try Self.whole(file.bytes)
      #expect(
        try FlatGeobufReader.indexFaults(
          try #require(whole.columns().geometry), size: file.bytes.count, bytes: { file.bytes($0) }) == 0)
      let source = try Self.source(file, whole)
      found += try await IndexedTables.compare(source, with: whole, questions: 60, &random)
      var everywhere = QueryConditions()
      everywhere.question.whereClause = "number = 7"
      let query = try everywhere.query(for: .query)
      #expect(try await IndexedTables.answer(source, query) == IndexedTables.answer(whole, query))
      #expect(source.inMemory != nil)
    }
    #expect(found > 500, "\(found)")
  }

  @Test("A file in the order of the rows has no index")
  func orderedFilesHaveNoIndex() throws {
    var random = SeededGenerator(seed: 84)
    let table = IndexedTables.table(.point, .wgs84, rows: 100, &random)
    for keepsOrder in [true, false] {
      let file = File(try Self.file(table, keepsOrder: keepsOrder))
      let whole = try Self.whole(file.bytes)
      let indexed = try IndexedFlatGeobuf(
        size: file.bytes.count, fields: .all, all: { whole }, bytes: { file.bytes($0) })
      #expect((indexed == nil) == keepsOrder)
    }
  }

  @Test("A question about a small extent reads a small part of the file")
  func smallExtentsReadLittle() async throws {
    var random = SeededGenerator(seed: 82)
    let file = File(try Self.file(IndexedTables.table(.point, .webMercator, rows: 20_000, &random)))
    let source = try Self.source(file, try Self.whole(file.bytes))
    var queries: [FeatureQuery] = []
    for _ in 0..<10 { queries.append(try IndexedTables.query(.webMercator, size: 0.05, &random)) }
    for query in queries {
      let before = file.bytesRead
      _ = try await source.fetch(query)
      #expect(file.bytesRead - before < file.bytes.count / 20)
    }
    // A count of points needs no feature, even in a large extent.
    var conditions = QueryConditions()
    conditions.question = FeatureQuestion(
      area: .envelope(
        Envelope(xMin: -1.5e7, yMin: 1e3, xMax: 1.5e7, yMax: 5e6, spatialReference: .webMercator)))
    let before = file.bytesRead
    #expect(try await source.count(conditions.query(for: .query)) > 5000)
    #expect(file.bytesRead - before < file.bytes.count / 10)
    #expect(source.inMemory == nil)
  }

  /// An index with wrong bytes gives the right answer, or is found by a comparison with the features.
  @Test("A damaged index is found, or does no harm")
  func damagedIndexesAreFound() async throws {
    var random = SeededGenerator(seed: 83)
    let bytes = try Self.file(IndexedTables.table(.polyline, .webMercator, rows: 500, &random))
    let whole = try Self.whole(bytes)
    let geometry = try #require(whole.columns().geometry)
    // The leaves, and three levels above them, are before the features.
    let nodes = (500 + 32 + 2 + 1) * 40
    let first = try #require(bytes.count > nodes ? Int(bytes[8]) | Int(bytes[9]) << 8 : nil) + 12
    let queries = try (0..<6).map { _ in try IndexedTables.query(.webMercator, size: 0.2, &random) }
    var answers: [[UInt8]] = []
    for query in queries { answers.append(try await IndexedTables.answer(whole, query)) }
    var (wrong, faulty) = (0, 0)
    for _ in 0..<300 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        damaged[first + Int.random(in: 0..<nodes, using: &random)] = .random(in: 0...255, using: &random)
      }
      let file = File(damaged)
      let faults = try FlatGeobufReader.indexFaults(
        geometry, size: damaged.count, bytes: { file.bytes($0) })
      faulty += faults > 0 ? 1 : 0
      // An index without an extent is not used.
      guard
        let table = try IndexedFlatGeobuf(
          size: damaged.count, fields: .all, all: { whole }, bytes: { file.bytes($0) }),
        let source = PartlyReadSource(table, operations: .builtIn)
      else { continue }
      for (query, answer) in zip(queries, answers)
      where try await IndexedTables.answer(source, query) != answer {
        wrong += 1
        #expect(faults > 0)
      }
    }
    #expect(faulty > 100 && wrong > 0, "\(faulty) \(wrong)")
  }
}
