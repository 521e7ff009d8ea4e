import Foundation
import MapFeatures
import MapGeometry
import MapJSON
import MapReaders
import Testing

/// Parquet files that are written, read again.
@Suite struct ParquetWriterTests {
  @Test("Tables of other programs are the same after they are written and read")
  func roundTrips() throws {
    let folder = try #require(ParquetReaderTests.folder)
    var (files, rows) = (0, 0)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    where name.hasSuffix(".parquet") {
      let table = try ParquetReaderTests.read(ParquetReaderTests.bytes(name))
      let all = try FeatureRows(table, rows: Array(0..<table.rowCount))
      let written = try ParquetWriter(all, keepsOrder: true, groupSize: 50).file()
      let again = try ParquetReaderTests.read(written)
      #expect(again.schema.fields.map(\.name) == table.schema.fields.map(\.name), "\(name)")
      #expect(again.rowCount == table.rowCount)
      for (index, column) in again.columns.enumerated() {
        let differences = (0..<again.rowCount).filter {
          column.value(at: $0) != table.columns[index].value(at: $0)
        }
        #expect(differences.isEmpty, "\(name): field \(table.schema.fields[index].name): \(differences)")
      }
      for row in 0..<table.rowCount {
        #expect(Self.vertices(again, row) == Self.vertices(table, row), "\(name)")
      }
      files += 1
      rows += table.rowCount
    }
    #expect(files == 79 && rows > 1000)
  }

  @Test(
    "A table without fields and rows is a file with a geometry column; rows without any column are refused")
  func columns() throws {
    func table(rows: Int) -> FeatureColumns {
      FeatureColumns(
        schema: FeatureSchema(fields: [], geometryKind: nil, spatialReference: nil), columns: [],
        geometry: nil, rowCount: rows)
    }
    let empty = try ParquetReaderTests.read(ParquetWriter(FeatureRows(table(rows: 0), rows: [])).file())
    #expect(empty.rowCount == 0 && empty.schema.fields.isEmpty && empty.geometry != nil)
    #expect(throws: ArrowError.self) { try ParquetWriter(FeatureRows(table(rows: 1), rows: [0])).file() }
  }

  /// The vertices of a row; a writer may turn rings around.
  private static func vertices(_ table: FeatureColumns, _ row: Int) -> [[String]] {
    (ArrowCase.parts(table, row).array ?? []).map { part in (part.array ?? []).map { $0.text() }.sorted() }
  }

  @Test("Rows are in the order of a curve, and only the row groups near an extent are read")
  func order() throws {
    let rows = 2000
    var builder = CoordinateBuilder()
    for row in 0..<rows {
      if row % 100 == 7 {
        builder.appendEmptyRow()
        continue
      }
      try builder.beginRow(.point)
      try builder.addVertex(x: Double(row * 7919 % 360) - 180, y: Double(row * 104_729 % 160) - 80)
      builder.endRow()
    }
    let table = FeatureColumns(
      schema: FeatureSchema(
        fields: [Field(name: "n", type: .int64)], geometryKind: .point, spatialReference: .wgs84),
      columns: [Column(.integers((0..<rows).map { Int64($0) }))], geometry: builder.result, rowCount: rows)
    let features = try FeatureRows(table, rows: Array(0..<rows))
    let bytes = try ParquetWriter(features, groupSize: 100).file()
    #expect(try ParquetWriter(features, groupSize: 100).file() == bytes)
    let read = try ParquetReaderTests.read(bytes)
    #expect(read.warnings.isEmpty && read.schema.spatialReference == .wgs84)
    #expect(Set(read.columns[0].integers ?? []).count == rows)
    let whole = InMemorySource(read)
    let opened = try IndexedParquet(
      size: bytes.count, name: "a", fields: .all, all: { whole }, bytes: { Array(bytes[$0]) })
    let indexed = try #require(opened)
    let extent = Envelope(xMin: 0, yMin: 0, xMax: 20, yMax: 20)
    #expect(indexed.rowGroupCount == 20)
    #expect(indexed.rowGroups(meeting: extent).count <= 4)
    let near = (0..<rows).count { row in
      read.geometry.map { !$0.isEmpty(row: row) && $0.envelope(ofRow: row).meets(extent) } ?? false
    }
    #expect(near > 0)
    #expect(try indexed.count(meeting: extent) == near)
  }
}
