import MapFeatures
import MapFilter
import MapGeometry
import MapReaders
import MapTestSupport
import Testing

/// Coordinates of CSV files that people wrote: numbers, angles, and the names of their columns.
@Suite struct CSVCoordinateTests {
  @Test(
    "Coordinates have decimal commas with semicolons, tabs and quoted commas", arguments: [";", "\t", ","])
  func decimalCommas(delimiter: String) throws {
    let row = { (x: String, y: String) in
      delimiter == "," ? "a,\"\(x)\",\"\(y)\"\n" : ["a", x, y].joined(separator: delimiter) + "\n"
    }
    let header = ["n", "lon", "lat"].joined(separator: delimiter) + "\n"
    let table = try CSVDialectTests.read(
      header + row("11,5", "48,125") + row("12", "-47,5") + ["", "", ""].joined(separator: delimiter) + "\n")
    let geometry = try #require(table.geometry)
    #expect(geometry.x.prefix(2) == [11.5, 12] && geometry.y.prefix(2) == [48.125, -47.5])
    #expect(geometry.isEmpty(row: 2))
    #expect(try CSVDialectTests.values(table, "lon") == [.real(11.5), .real(12), .null])
    #expect(
      table.warnings == ["fields lon, lat: numbers with a decimal comma were read; --decimal , confirms it"])
  }

  @Test("The coordinates show the decimal sign of the other fields, whichever fields are read")
  func coordinatesShowTheSign() throws {
    let text = Array("n;lon;lat;v\n1;11,5;48,5;1,234\n2;12,5;47,25;5,678\n".utf8)
    for fields in [FieldSelection.all, FieldSelection(["v"])] {
      let table = try CSVReader.read(text, fields: fields)
      #expect(try CSVDialectTests.values(table, "v") == [.real(1.234), .real(5.678)])
    }
  }

  @Test("Coordinates of maps have groups of digits, and one axis decides about the other")
  func groups() throws {
    let table = try CSVDialectTests.read("n;x;y\n1;691.608;5.334.765\n2;640.000;5.359.000\n")
    #expect(table.geometry?.x == [691608, 640000] && table.geometry?.y == [5_334_765, 5_359_000])
    #expect(table.warnings.contains { $0.hasPrefix("no spatial reference is given") })
    let error = #expect(throws: FeatureReadError.self) {
      try CSVDialectTests.read("n;x;y\n1;691,608;533,476\n")
    }
    #expect(error?.description.contains("state the decimal sign with --decimal . or --decimal ,") == true)
    #expect(error?.line == 2)
    let stated = try CSVDialectTests.read("n;x;y\n1;691,608;533,476\n", decimal: .comma)
    #expect(stated.geometry?.x == [691.608])
  }

  /// A latitude as written, and its degrees; nil if it is refused.
  private static let angles: [(text: String, degrees: Double?)] = [
    ("52°31'12.5\"N", 52.52013888888889), ("52 31 12.5 N", 52.52013888888889), ("N52°31.2'", 52.52),
    ("52d31m12s", 52.52), ("-52d31m12s", -52.52), ("52°31'12\"S", -52.52), ("52°31′12″ N", 52.52),
    ("N 52° 31' 12''", 52.52), ("52:31:12", 52.52), ("52:31:12S", -52.52), ("52°31'", 52.516666666666666),
    ("52.52°", 52.52), ("52,52° N", 52.52), ("52.52N", 52.52), ("S52.52", -52.52), ("52 31 12", 52.52),
    ("+52 31 12", 52.52), ("\u{2212}52 31 12", -52.52), ("52º31’12”n", 52.52), ("52deg 31min 12sec", 52.52),
    ("52°31'12,5\"", 52.52013888888889), ("52 31.2 N", 52.52), ("0°00'36\"S", -0.01), ("90°0'0\"N", 90),
    ("52", 52), ("52.52", 52.52), ("52d31m12sS", -52.52), ("52\u{A0}31\u{A0}12\u{A0}N", 52.52),
    ("52°60'00\"N", nil), ("52°31'60\"N", nil), ("91°00'00\"N", nil), ("-52°31'12\"S", nil),
    ("52°31'12\"E", nil), ("52°31'12\"O", nil), ("N52°31'12\"N", nil), ("52'31°12\"", nil),
    ("52°31.5'12\"", nil),
    ("52°31'12\"NN", nil), ("°31'12\"", nil), ("52 31 12 5", nil), ("52°-31'", nil), ("52°31'12\"x", nil),
    ("N", nil), ("52:31:", nil), ("52::31", nil),
  ]

  @Test("Angles are read in degrees, minutes and seconds, and impossible ones are refused with their line")
  func degreesMinutesSeconds() throws {
    for (text, degrees) in Self.angles {
      let quoted = "\"" + text.replacing("\"", with: "\"\"") + "\""
      let csv = "n,lat,lon\n1,\"48°00'00\"\"N\",11\n2,\(quoted),\"11°30'00\"\"E\"\n"
      guard let degrees else {
        let error = #expect(throws: FeatureReadError.self, "\(text)") { try CSVDialectTests.read(csv) }
        #expect(error?.line == 3, "\(text) \(error as Any)")
        continue
      }
      let table = try CSVDialectTests.read(csv)
      #expect(table.geometry?.y[1] == degrees, "\(text) \(table.geometry?.y[1] as Any)")
      #expect(table.geometry?.x == [11, 11.5])
      #expect(table.warnings == [], "\(text)")
      #expect(table.schema.spatialReference == .wgs84)
    }
    #expect(Self.angles.count == 45)
  }

  @Test("Angles in columns x and y are degrees")
  func anglesInPlaneColumns() throws {
    let table = try CSVDialectTests.read("n;X;Y\n1;11°30'E;48°30'N\n")
    #expect(table.geometry?.x == [11.5] && table.geometry?.y == [48.5])
    #expect(table.schema.spatialReference == .wgs84)
  }

  /// Headers of two columns, and whether they are read: as degrees, with a stated spatial reference, or not at all.
  private static let names: [(header: String, isRead: Bool, isReadInReference: Bool)] = [
    ("lon;lat", true, true), ("Longitude (deg);Latitude (deg)", true, true),
    ("Längengrad;Breitengrad", true, true),
    ("longitud;latitud", true, true), ("longitudine;latitudine", true, true), ("Länge;Breite", true, true),
    ("laenge;breite", true, true), ("X;Y", true, true), ("x [m];y [m]", true, true),
    ("Rechtswert;Hochwert", false, true), ("Easting;Northing", false, true), ("E;N", false, true),
    ("O;N", false, true), ("Ost;Nord", false, true), ("este;norte", false, true),
    ("Ostwert;Nordwert", false, true),
    ("POINT_X;POINT_Y", false, true), ("X-Koordinate;Y-Koordinate", false, true),
    ("UTM_E;UTM_N", false, true),
    ("Easting (m);Northing (m)", false, true), ("RW;HW", false, true), ("est;nord", false, true),
    ("a;b", false, false), ("east;b", false, false), ("e;N", false, false),
  ]

  @Test("O is east in columns with German names, and refused in others")
  func germanEast() throws {
    for names in ["Länge;Breite", "Längengrad;Breitengrad", "LAENGE;BREITE"] {
      let table = try CSVDialectTests.read("n;\(names)\n1;11°30'O;48°30'N\n2;O 12° 15';48,5\n")
      #expect(table.geometry?.x == [11.5, 12.25] && table.geometry?.y == [48.5, 48.5], "\(names)")
    }
    for names in ["lon;lat", "longitud;latitud", "x;y"] {
      let error = #expect(throws: FeatureReadError.self) {
        try CSVDialectTests.read("n;\(names)\n1;11°30'O;48°30'N\n")
      }
      #expect(error?.description.contains("write E or W") == true, "\(names)")
    }
    #expect(throws: FeatureReadError.self) {
      try CSVDialectTests.read("n;Längengrad;Breitengrad\n1;11°30'N;48°30'O\n")
    }
  }

  @Test("One column named for x and for y is refused", arguments: [("lon", "lon"), ("lon", "LON")])
  func oneColumn(x: String, y: String) throws {
    var options = ReadingOptions()
    (options.xField, options.yField) = (x, y)
    let text = Array("lon,lat\n8,47\n".utf8)
    let error = #expect(throws: FeatureReadError.self) { try CSVReader.read(text, options: options) }
    #expect(error?.description.contains("column \"lon\" is named for x and for y") == true)
    let table = try CSVReader.read(Array("a,b\n8,47\n".utf8))
    (options.xField, options.yField) = ("a", x == y ? "a" : "A")
    #expect(throws: PlacementFault.self) { try table.withPoints(options) }
  }

  @Test("Columns are found by their names in several languages, and likely ones are named in a warning")
  func names() throws {
    for (header, isRead, isReadInReference) in Self.names {
      let text = "id;\(header)\n1;8.5;47.5\n"
      let table = try CSVDialectTests.read(text)
      #expect((table.geometry != nil) == isRead, "\(header)")
      let isWarned = table.warnings.contains {
        $0.contains("--x and --y") && $0.contains("--source-reference")
      }
      #expect(isWarned == (!isRead && isReadInReference), "\(header) \(table.warnings)")
      var options = ReadingOptions()
      options.sourceReference = SpatialReference(wkid: 4258)
      let stated = try CSVReader.read(Array(text.utf8), options: options)
      #expect((stated.geometry != nil) == isReadInReference, "\(header)")
    }
    #expect(Self.names.count == 25)
  }

  @Test("Lengths and widths of things are no coordinates, and columns with texts are none either")
  func otherMeanings() throws {
    let things = try CSVDialectTests.read("n;Länge;Breite\n1;4500;1800\n2;4,2;1,8\n")
    #expect(things.geometry == nil)
    let words = try CSVDialectTests.read("n;e;n2;nord;ost\n1;a;b;c;d\n")
    #expect(words.geometry == nil && words.warnings == [])
    let degrees = try CSVDialectTests.read("n;Länge;Breite\n1;11,5;48\n")
    #expect(degrees.geometry?.x == [11.5])
    #expect(
      degrees.warnings.contains { $0.hasPrefix("fields Länge, Breite were read as longitude and latitude") })
  }

  @Test("Values beyond degrees in columns x and y are never placed without a warning")
  func metres() throws {
    let guess =
      "no spatial reference is given: coordinates were read as Web Mercator (3857); name another with --source-reference"
    #expect(try CSVDialectTests.read("x,y\n600000,6400000\n").warnings == [guess])
    #expect(try CSVDialectTests.read("x,y\n6,64\n").warnings == [])
  }
}
