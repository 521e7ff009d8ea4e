import MapFeatures
import MapGeometry
import MapReaders
import Testing

/// GeoParquet files whose `geo` metadata are odd in one part.
@Suite struct GeoMetadataTests {
  /// A file with a point in each of some columns of bytes.
  private static func file(_ geo: String, columns: [String] = ["geometry"]) -> [UInt8] {
    let coordinates = [500_000.0, 5_400_000.0].flatMap { value in
      (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt64($0))) }
    }
    let point = [1, 1, 0, 0, 0] + coordinates
    let page = ParquetSample.page(ParquetSample.number(point.count) + point, values: 1)
    return ParquetSample.changed {
      $0.elements = columns.map { ParquetSample.column($0, type: 6) }
      ($0.types, $0.pages) = (columns.map { _ in 6 }, columns.map { _ in page })
      ($0.rowCount, $0.metadata) = (1, [("geo", geo)])
    }
  }

  private static let column = #"{"encoding": "WKB", "crs": {"id": {"authority": "EPSG", "code": 25832}}}"#

  @Test("The reference of a described column is used, whatever is odd in the other 5 parts")
  func certainColumn() throws {
    let cases = [
      (#"{"columns": {"geometry": \#(Self.column)}}"#, "name no primary column"),
      (#"{"primary_column": 5, "columns": {"geometry": \#(Self.column)}}"#, "name no primary column"),
      (
        #"{"primary_column": "geom", "columns": {"geometry": \#(Self.column)}}"#,
        "do not describe their primary column \"geom\""
      ),
      (
        #"{"primary_column": "other", "columns": {"geometry": \#(Self.column), "other": 5}}"#,
        "do not describe their primary column \"other\""
      ),
      (
        #"{"primary_column": "gone", "columns": {"geometry": \#(Self.column), "gone": \#(Self.column)}}"#,
        "do not describe their primary column \"gone\""
      ),
    ]
    for (geo, defect) in cases {
      let table = try ParquetReaderTests.read(Self.file(geo))
      #expect(table.schema.spatialReference?.wkid == 25832, "\(geo)")
      #expect(table.geometry?.x == [500_000], "\(geo)")
      #expect(table.warnings == ["its \"geo\" metadata \(defect): the geometry is field geometry"], "\(geo)")
    }
    #expect(cases.count == 5)
  }

  @Test("A geometry without an encoding is read as well-known binary, with a warning")
  func missingEncoding() throws {
    let table = try ParquetReaderTests.read(
      Self.file(#"{"primary_column": "geometry", "columns": {"geometry": {"crs": "EPSG:25832"}}}"#))
    #expect(table.schema.spatialReference?.wkid == 25832 && table.geometry?.x == [500_000])
    #expect(
      table.warnings == [
        "field geometry: its \"geo\" metadata name no encoding: it was read as well-known binary"
      ])
  }

  @Test("An encoding that is not read is named, and the bytes are not read as another one")
  func unknownEncoding() throws {
    let table = try ParquetReaderTests.read(
      Self.file(#"{"primary_column": "geometry", "columns": {"geometry": {"encoding": "TWKB"}}}"#))
    #expect(table.geometry == nil && table.rowCount == 1)
    #expect(table.warnings == ["field geometry: geometries of type TWKB are not read"])
  }

  @Test("Metadata that describe nothing are named in a warning before the guess of the reference")
  func uselessMetadata() throws {
    for (geo, defect) in [
      ("{", "are not a JSON object, and were ignored"), ("[]", "are not a JSON object, and were ignored"),
      ("{}", "describe none of its fields, and were ignored"),
      (
        #"{"primary_column": "nope", "columns": {"nope": \#(Self.column)}}"#,
        "describe none of its fields, and were ignored"
      ),
    ] {
      let table = try ParquetReaderTests.read(Self.file(geo))
      #expect(table.geometry?.x == [500_000] && table.warnings.count == 3, "\(geo)")
      #expect(table.warnings.first == "its \"geo\" metadata \(defect)")
    }
  }

  @Test("Other geometries of the metadata are named, and the primary column is read")
  func severalColumns() throws {
    let columns = #"{"first": {"encoding": "WKB"}, "main": \#(Self.column)}"#
    let table = try ParquetReaderTests.read(
      Self.file(#"{"primary_column": "main", "columns": \#(columns)}"#, columns: ["first", "main"]))
    #expect(table.schema.spatialReference?.wkid == 25832)
    #expect(table.warnings == ["field first: only one geometry, main, is read"])
  }

  @Test("A field that cannot store its encoding is an error in the words of the metadata")
  func wrongType() {
    let geo = #"{"primary_column": "geometry", "columns": {"geometry": {"encoding": "point"}}}"#
    #expect(
      ParquetSample.outcome(Self.file(geo))
        == "field geometry: geometries of type point cannot be stored as binary")
  }
}
