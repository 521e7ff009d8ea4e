import Foundation
import MapFeatures
import MapFilter
import MapGeometry
import MapJSON
import MapReaders
import Testing

/// Written Arrow data, read again; what pyarrow and polars read from it was compared when the writer was made.
@Suite struct ArrowWriterTests {
  @Test("A written stream and file are read as the same table, in batches of any size")
  func roundTrip() throws {
    let folder = try #require(Bundle.module.url(forResource: "Cases/Arrow", withExtension: nil))
    var (written, withGeometry) = (0, 0)
    for item in try ArrowCase.all(in: folder) where item.error == nil {
      let table = try ArrowCase.read(item.bytes)
      for batchSize in [65_536, 2] {
        let writer = ArrowWriter(
          try FeatureRows(table, rows: Array(0..<table.rowCount)), batchSize: batchSize)
        for bytes in [writer.stream(), writer.file()] {
          let read = try ArrowCase.read(bytes)
          #expect(read.columns == table.columns, "\(item.name)")
          #expect(read.rowCount == table.rowCount || table.columns.isEmpty, "\(item.name)")
          #expect(read.schema.fields.map(\.name) == table.schema.fields.map(\.name), "\(item.name)")
          #expect(read.schema.spatialReference == table.schema.spatialReference, "\(item.name)")
          #expect(read.geometries.map(\.kind) == table.geometries.map(\.kind), "\(item.name)")
          for row in 0..<read.rowCount {
            #expect(Self.positions(read, row) == Self.positions(table, row), "\(item.name)")
          }
        }
        #expect(writer.file() == writer.file())
      }
      written += 1
      if table.geometry != nil { withGeometry += 1 }
    }
    #expect(written == 77 && withGeometry > 40, "\(written), \(withGeometry)")
  }

  /// The positions of each part of a row; well-known binary gives holes the other direction.
  private static func positions(_ table: FeatureColumns, _ row: Int) -> [[String]] {
    (ArrowCase.parts(table, row).array ?? []).map { ($0.array ?? []).map { $0.text() }.sorted() }
  }

  @Test("Rows are written in the requested order, and only the requested fields")
  func someRows() throws {
    let table = try CSVReader.read(Array("a,b,geometry\n1,x,POINT(1 2)\n2,,\n3,z,POINT(5 6)\n".utf8))
    let rows = try FeatureRows(table, rows: [2, 1], fieldNames: ["b"])
    let read = try ArrowCase.read(ArrowWriter(rows).file())
    #expect(read.schema.fields.map(\.name) == ["b"])
    #expect((0..<2).map { read.columns[0].value(at: $0) } == [.text("z"), .null])
    #expect(read.geometry?.x.first == 5 && read.geometry?.isEmpty(row: 1) == true)
  }
}
