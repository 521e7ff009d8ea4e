import Foundation
import MapFeatures
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
    #expect(try compare(try #require(Self.folder)) == 60)
  }

  @Test(
    "The 300 files of a folder are read as pyarrow reads them",
    .enabled(if: ProcessInfo.processInfo.environment["MAPSTATE_PARQUET_FILES"] != nil))
  func generatedFiles() throws {
    let path = try #require(ProcessInfo.processInfo.environment["MAPSTATE_PARQUET_FILES"])
    #expect(try compare(URL(fileURLWithPath: path)) == 300)
  }
}
