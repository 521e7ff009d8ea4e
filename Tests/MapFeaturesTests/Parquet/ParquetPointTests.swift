import MapFeatures
import MapGeometry
import MapReaders
import Testing

/// Points from fields of Parquet files, which have the names of CSV's columns.
@Suite struct ParquetPointTests {
  /// Returns the table of a row with two fields.
  private static func table(
    _ names: [String], texts: [String]? = nil, fields: FieldSelection = .all,
    options: ReadingOptions = ReadingOptions()
  ) throws -> FeatureColumns {
    let bytes =
      texts?.map { ParquetSample.number($0.utf8.count) + Array($0.utf8) }
      ?? [500_000.0, 5_400_000.0].map { ParquetSample.longs([Int(bitPattern: UInt($0.bitPattern))]) }
    return try ParquetReaderTests.read(
      ParquetSample.changed {
        $0.elements = names.map {
          ParquetSample.column($0, type: texts == nil ? 5 : 6, converted: texts == nil ? nil : 0)
        }
        $0.types = names.map { _ in texts == nil ? 5 : 6 }
        $0.pages = bytes.map { ParquetSample.page($0, values: 1) }
        $0.rowCount = 1
      }, fields: fields, options: options)
  }

  private static func hint(_ names: [String]) -> String {
    "fields \(names.joined(separator: ", ")): not read as coordinates; name them with --x and --y, and their "
      + "spatial reference with --source-reference"
  }

  @Test("Eastings and northings are points with a stated spatial reference, and a hint without one")
  func eastings() throws {
    let names = ["Easting", "Northing"]
    let plain = try Self.table(names)
    #expect(plain.geometry == nil && plain.warnings == [Self.hint(names)])
    var options = ReadingOptions()
    options.sourceReference = SpatialReference(wkid: 25832)
    let placed = try Self.table(names, options: options)
    #expect(placed.geometry?.x == [500_000] && placed.geometry?.y == [5_400_000])
    #expect(placed.schema.spatialReference?.wkid == 25832 && placed.warnings.isEmpty)
  }

  @Test("Texts with numbers under the names of coordinates have a hint, and other texts have none")
  func texts() throws {
    for names in [["lon", "lat"], ["x", "y"], ["Rechtswert", "Hochwert"]] {
      let table = try Self.table(names, texts: ["3,5", "1.5"])
      #expect(table.geometry == nil && table.warnings == [Self.hint(names)], "\(names)")
      #expect(try Self.table(names, texts: ["3,5", "north"]).warnings.isEmpty)
    }
    #expect(try Self.table(["a", "b"], texts: ["3,5", "1.5"]).warnings.isEmpty)
  }

  @Test("A selection of other fields has the same hint, and no fields of coordinates")
  func selection() throws {
    let names = ["lon", "lat", "a"]
    let table = try Self.table(names, texts: ["3.5", "1.5", "b"], fields: FieldSelection(["a"]))
    #expect(table.schema.fields.map(\.name) == ["a"] && table.warnings == [Self.hint(["lon", "lat"])])
  }
}
