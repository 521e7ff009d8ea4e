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

  /// Returns the table of fields of texts, written and read.
  private static func table(
    _ fields: [(name: String, texts: [String])], options: ReadingOptions = ReadingOptions()
  ) throws -> FeatureColumns {
    let columns = fields.map { field in
      let dictionary = field.texts.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
      let codes = field.texts.map { Int32(dictionary.firstIndex(of: $0) ?? -1) }
      return Column(.text(codes: codes, dictionary: dictionary))
    }
    let table = FeatureColumns(
      schema: FeatureSchema(
        fields: fields.map { Field(name: $0.name, type: .text) }, geometryKind: nil, spatialReference: nil),
      columns: columns,
      geometry: nil, rowCount: fields[0].texts.count)
    let rows = try FeatureRows(table, rows: Array(0..<table.rowCount))
    return try ParquetReaderTests.read(ParquetWriter(rows).file(), options: options)
  }

  /// Returns the error of fields of texts; nil if they are read.
  private static func fault(_ fields: [(name: String, texts: [String])]) -> String? {
    do { _ = try table(fields) } catch { return "\(error)" }
    return nil
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

  @Test("A field with a name of CSV's texts is the geometry if its first text is well-known text")
  func wellKnownText() throws {
    for name in ["wkt", "geom", "Geometry", "the_geom"] {
      let fields = [
        (name, ["", "POINT (8 47)", "POINT (9 48)"]), ("lon", ["1", "2", "3"]), ("lat", ["1", "2", "3"]),
      ]
      let table = try Self.table(fields)
      #expect(table.schema.fields.map(\.name) == ["lon", "lat"], "\(name)")
      #expect((0..<3).map { table.geometry?.isEmpty(row: $0) } == [true, false, false])
      #expect(table.geometry?.x.dropFirst() == [8, 9] && table.schema.spatialReference == .wgs84)
      #expect(table.warnings.count == 1 && table.warnings[0].hasPrefix("no spatial reference is given"))
      let other = try Self.table([(name, ["", "road", "POINT (9 48)"])])
      #expect(other.geometry == nil && other.schema.fields.map(\.name) == [name] && other.warnings.isEmpty)
    }
  }

  @Test("The SRID of well-known texts is their spatial reference, and two of them are refused")
  func srid() throws {
    let place = "SRID=25832;POINT (500000 5400000)"
    let table = try Self.table([("wkt", [place, place])])
    #expect(table.schema.spatialReference?.wkid == 25832 && table.warnings.isEmpty)
    for other in ["SRID=25833;POINT (500000 5400000)", "POINT (8 47)"] {
      #expect(
        Self.fault([("wkt", [place, other])]) == "field wkt: its geometries state different SRIDs")
    }
  }

  /// Returns the table of points in PostGIS's well-known binary; an SRID of nil is left out.
  private static func binary(
    _ srids: [Int?], geo: String? = nil, options: ReadingOptions = ReadingOptions()
  ) throws -> FeatureColumns {
    let point = [500_000.0, 5_400_000.0].flatMap {
      ParquetSample.longs([Int(bitPattern: UInt($0.bitPattern))])
    }
    let values = srids.map { srid -> [UInt8] in
      [1, 1, 0, 0, srid == nil ? 0 : 0x20] + (srid.map { ParquetSample.number($0) } ?? []) + point
    }
    return try ParquetReaderTests.read(
      ParquetSample.changed {
        ($0.elements, $0.types) = ([ParquetSample.column("geometry", type: 6)], [6])
        let page = values.flatMap { ParquetSample.number($0.count) + $0 }
        ($0.pages, $0.rowCount) = ([ParquetSample.page(page, values: values.count)], values.count)
        $0.metadata = geo.map { [("geo", $0)] } ?? []
      }, options: options)
  }

  @Test("The SRID of well-known binary is the spatial reference without another, and a warning beside one")
  func binarySRID() throws {
    let warning =
      "geometry: SRID 25832 of its geometries was not applied: another spatial reference is stated"
    let table = try Self.binary([25832, 25832])
    #expect(table.schema.spatialReference?.wkid == 25832 && table.warnings.count == 1)
    for other in [25833, nil] {
      let error = #expect(throws: ArrowError.self) { try Self.binary([25832, other]) }
      #expect(error?.description == "its geometries state different SRIDs")
    }
    let stated = try Self.binary(
      [25832, 4326], geo: #"{"primary_column":"geometry","columns":{"geometry":{"encoding":"WKB"}}}"#)
    #expect(stated.schema.spatialReference == .wgs84 && stated.warnings == [warning])
    var options = ReadingOptions()
    options.sourceReference = SpatialReference(wkid: 25833)
    let given = try Self.binary([25832], options: options)
    #expect(given.schema.spatialReference?.wkid == 25833 && given.warnings.contains(warning))
  }

  @Test("A text that is no geometry is an error with its row, or a row that is left out")
  func brokenText() throws {
    let fields = [("wkt", ["POINT (8 47)", "POINT (8"])]
    #expect(Self.fault(fields)?.hasPrefix("field wkt: row 2: ") == true)
    var options = ReadingOptions()
    options.skipsBadRows = true
    let table = try Self.table(fields, options: options)
    #expect(table.geometry?.x == [8] && table.rowCount == 1)
    #expect(table.warnings.contains { $0.hasPrefix("1 row that cannot be read was left out") })
  }

  @Test("Geometries that rows share through a dictionary are refused if they are longer than the file by far")
  func sharedText() throws {
    let line = "LINESTRING (" + (0..<20_000).map { "\($0 % 90) 1" }.joined(separator: ",") + ")"
    #expect(
      Self.fault([("wkt", Array(repeating: line, count: 1000))])
        == "field wkt: geometries share bytes, and are longer than those by far")
  }
}
