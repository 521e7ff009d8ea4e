import MapFeatures
import MapFilter
import MapGeometry
import MapReaders
import MapTestSupport
import Testing

@Suite struct CSVReaderTests {
  @Test("Only whole numbers that lose a digit as decimals are reported as rounded")
  func roundedNumbers() throws {
    func warnings(_ text: String) throws -> [String] { try CSVReader.read(Array(text.utf8)).warnings }
    let rounded = ["field a: 1 whole number beyond 2^53 was rounded to a decimal"]
    #expect(try warnings("a\n1e16\n2.5\n") == [])
    #expect(try warnings("a\n1e16\n10000000000000000\n") == [])
    #expect(try warnings("a\n9007199254740993\n0.5\n") == rounded)
    #expect(try warnings("a\n0.5\n9007199254740993\n") == rounded)
    #expect(try warnings("a\n0.5\n9007199254740994\n") == [])
    func json(_ values: [String]) throws -> [String] {
      try GeoJSONReader.read(
        Array(
          values.map { #"{"type":"Feature","properties":{"a":\#($0)},"geometry":null}"# }
            .joined(separator: "\n").utf8)
      ).warnings
    }
    #expect(try json(["0.5", "10000000000000000"]) == [])
    #expect(try json(["10000000000000000", "0.5"]) == [])
    #expect(try json(["0.5", "9007199254740993"]) == rounded)
    #expect(try json(["9007199254740993", "0.5"]) == rounded)
    #expect(try json(["0.5", "92233720368547758070"]) == rounded)
  }

  @Test("Times without a time zone are counted in a warning for CSV and GeoJSON")
  func naiveTimes() throws {
    let two = ["field t: 2 timestamps without a time zone were read as UTC"]
    let csv =
      "t\n2024-01-01T10:00:00\n2024-01-01 10:00:00.5\n2024-01-01T10:00:00Z\n2024-01-01T10:00:00-05:00\n2024-01-01\n\n"
    #expect(try CSVReader.read(Array(csv.utf8)).warnings == two)
    #expect(try CSVReader.read(Array("t\n2024-01-01\n".utf8)).warnings == [])
    #expect(try CSVReader.read(Array("t\n2024-01-01T10:00:00\nx\n".utf8)).warnings == [])
    let json = ["2024-01-01T10:00:00", "2024-01-01T10:00:00", "2024-01-01T10:00:00z"].map {
      #"{"type":"Feature","properties":{"t":"\#($0)"},"geometry":null}"#
    }
    #expect(try GeoJSONReader.read(Array(json.joined(separator: "\n").utf8)).warnings == two)
  }

  static func read(_ text: String) throws -> FeatureColumns { try CSVReader.read(Array(text.utf8)) }

  static func values(_ table: FeatureColumns, _ field: String) throws -> [AttributeValue] {
    try GeoJSONReaderTests.values(table, field)
  }

  @Test("Numbers of any length have the nearest double, and those of coordinates are points")
  func numbersAreNearest() throws {
    var random = SeededGenerator(seed: 97)
    func digits(_ count: ClosedRange<Int>) -> String {
      String(
        (0..<Int.random(in: count, using: &random)).map { _ in
          "0123456789".randomElement(using: &random) ?? "0"
        })
    }
    var (lines, wanted): ([String], [(whole: Int64?, real: Double)]) = (["n,lon,lat,r"], [])
    for _ in 0..<20_000 {
      let sign = Bool.random(using: &random) ? "-" : ""
      var whole = digits(1...9)
      if whole.count > 1, whole.first == "0" { whole = "7" + whole.dropFirst() }
      let (x, y) = (
        "\(sign)\(Int.random(in: 0...179, using: &random)).\(digits(1...12))", "\(sign)4.\(digits(1...9))"
      )
      let real = "\(sign)\(whole).\(digits(1...12))"
      lines.append("\(sign)\(whole),\(x),\(y),\(real)")
      wanted.append((Int64(sign + whole), Double(real) ?? .nan))
      // `-0` is no integer.
      if sign + whole == "-0" { lines.removeLast(); wanted.removeLast() }
    }
    for end in ["", "\n"] {
      let table = try Self.read(lines.joined(separator: "\n") + end)
      #expect(table.rowCount == wanted.count && wanted.count > 19_000)
      let geometry = try #require(table.geometry)
      for (row, line) in lines.dropFirst().enumerated() {
        let fields = line.split(separator: ",").map { String($0) }
        #expect(table.columns[0].value(at: row) == wanted[row].whole.map { .integer($0) } ?? .null)
        #expect(table.columns[3].value(at: row) == .real(wanted[row].real))
        #expect(geometry.x[row] == Double(fields[1]) && geometry.y[row] == Double(fields[2]))
      }
    }
  }

  @Test("Quoted values, a byte order mark and mixed line endings are read")
  func quotesAndLineEnds() throws {
    let table = try Self.read("\u{FEFF}a,\"b\"\r\n\"x,\"\"y\"\"\r\nz\",plain \"q\"\r\n\r\n,\"\"\n1,2")
    #expect(table.schema.fields.map(\.name) == ["a", "b"])
    #expect(try Self.values(table, "a") == [.text("x,\"y\"\r\nz"), .null, .text("1")])
    #expect(try Self.values(table, "b") == [.text("plain \"q\""), .text(""), .text("2")])
    #expect(table.geometry == nil)
    #expect(table.schema.geometryKind == nil)
  }

  @Test("Empty and repeated header names are replaced and reported")
  func namesOfTheHeader() throws {
    let table = try Self.read("a,a_2,a,,a,field4\n1,2,3,4,5,6")
    #expect(table.schema.fields.map(\.name) == ["a", "a_2", "a_3", "field4", "a_4", "field4_2"])
    #expect(
      table.warnings == [
        "header: names that were empty or occurred before became a_3, field4, a_4, field4_2"
      ])
    // With quadratic cost, this would take minutes.
    let many = try Self.read(Array(repeating: "a", count: 4096).joined(separator: ","))
    #expect(Set(many.schema.fields.map(\.name)).count == 4096)
    #expect(many.warnings.count == 1)
    #expect(many.warnings.first?.hasSuffix("a_2, a_3, a_4, a_5, a_6 and 4090 more") == true)
  }

  @Test("A header with more than 4096 fields is refused")
  func tooManyFields() throws {
    let error = #expect(throws: FeatureReadError.self) {
      try Self.read(Array(repeating: "a", count: 4097).joined(separator: ",") + "\n\"")
    }
    #expect(
      error?.description == "line 1, column 1: a header of 4097 names: a table has at most 4096 fields")
  }

  @Test("The delimiter is detected from the header", arguments: [",", ";", "\t"])
  func delimiters(delimiter: String) throws {
    let table = try Self.read("a\(delimiter)\"b,;\t,;\t\"\n1\(delimiter)2\n")
    #expect(table.schema.fields.count == 2)
    #expect(try Self.values(table, "a") == [.integer(1)])
  }

  @Test("Each column gets the narrowest type of its values")
  func types() throws {
    let table = try Self.read(
      """
      i,r,zip,plus,long,mix,t,d,m,dot,e,big
      1,1,02139,+1,12345678901234567890,1,true,2024-01-01,2024-01-01,.5,,9007199254740993
      ,2.5,10001,2,1,x,False,,2024-01-01T00:00:01Z,5.,,0.5
      -7,1e3,1,3,2,2.0,TRUE,1969-12-31,,-0,,1
      """)
    let types: [FieldType] = [
      .int64, .float64, .text, .text, .text, .text, .int16, .dateOnly, .date, .float64, .text, .float64,
    ]
    #expect(table.schema.fields.map(\.type) == types)
    #expect(try Self.values(table, "i") == [.integer(1), .null, .integer(-7)])
    #expect(try Self.values(table, "r") == [.real(1), .real(2.5), .real(1000)])
    #expect(try Self.values(table, "zip")[0] == .text("02139"))
    #expect(try Self.values(table, "mix") == [.text("1"), .text("x"), .text("2.0")])
    #expect(try Self.values(table, "t") == [.boolean(true), .boolean(false), .boolean(true)])
    #expect(
      try Self.values(table, "d") == [.date(CalendarDate(days: 19723)), .null, .date(CalendarDate(days: -1))])
    #expect(try Self.values(table, "m")[2] == .null)
    #expect(try Self.values(table, "dot").prefix(2) == [.real(0.5), .real(5)])
    #expect(try Self.values(table, "e") == [.null, .null, .null])
    #expect(table.warnings == ["field big: 1 whole number beyond 2^53 was rounded to a decimal"])
  }

  /// The type change may occur at any row.
  @Test("A column of mixed types keeps every value as written, for any piece size")
  func mixedColumnsAreAsWritten() throws {
    var random = SeededGenerator(seed: 31)
    let numbers = ["1", "-7", "2.5", "true", "2024-01-01", "2024-01-01T00:00:01Z", "007", "1e3", ""]
    var mixed = 0
    for _ in 0..<40 {
      // First one kind of value, then others, with doubled quotation marks among them.
      let first = numbers.randomElement(using: &random) ?? "1"
      let turn = Int.random(in: 1..<120, using: &random)
      let cells = (0..<120).map { row in
        row < turn ? first : numbers.randomElement(using: &random) ?? ""
      }
      let word = Int.random(in: 0..<120, using: &random)
      let written = cells.indices.map { $0 == word ? "\"a \"\"b\"\"\"" : cells[$0] }
      let bytes = Array(("n,v,lon,lat\n" + written.map { "1,\($0),5,6" }.joined(separator: "\n")).utf8)
      for size in [Int.max, 60, 300, 1000] {
        let table = try CSVReader.read(bytes, pieceSize: size)
        #expect(table.schema.fields[1].type == .text)
        for (row, cell) in cells.enumerated() {
          let expected: AttributeValue = row == word ? .text("a \"b\"") : cell.isEmpty ? .null : .text(cell)
          #expect(table.columns[1].value(at: row) == expected, "row \(row) of pieces of \(size)")
        }
        mixed += 1
      }
    }
    #expect(mixed == 160)
  }

  @Test(
    "Coordinate columns are found by their names and become points",
    arguments: [
      ("longitude", "latitude"), ("LON", "Lat"), ("lng", "lat"), ("Long", "LAT"), ("X", "Y"),
    ])
  func coordinateColumns(x: String, y: String) throws {
    let table = try Self.read("n,\(y),\(x)\n1,47.5,8.25\n2,,\n3,NaN,1\n4,1,\n5, 2 , 3\n")
    let buffer = try #require(table.geometry)
    #expect(buffer.kind == .point)
    #expect(table.schema.spatialReference == .wgs84)
    #expect(buffer.x[0] == 8.25)
    #expect(buffer.y[0] == 47.5)
    #expect(buffer.x[4] == 3)
    #expect((0..<5).map { buffer.isEmpty(row: $0) } == [false, true, true, true, false])
    #expect(table.schema.fields.count == 3)
    #expect(
      table.warnings == [
        "line 4: coordinates that are not numbers (NaN) were read as no geometry",
        "line 5: a single coordinate without the other was read as no geometry",
      ])
  }

  @Test("Columns x and y are degrees when every value is in range, and metres otherwise")
  func unitOfXAndY() throws {
    #expect(try Self.read("x,y\n180,-90\n").schema.spatialReference == .wgs84)
    #expect(try Self.read("x,y\n1,1\n180.5,0\n").schema.spatialReference == .webMercator)
    #expect(try Self.read("x,y\n1,-90.5\n").schema.spatialReference == .webMercator)
    let degrees = try Self.read("lon,lat\n600,1\n")
    #expect(degrees.schema.spatialReference == .wgs84)
    #expect(degrees.warnings.count == 1)
  }

  @Test("A column of well-known text becomes the geometry")
  func wellKnownText() throws {
    let table = try Self.read(
      """
      id;The_Geom;lon;lat
      1;;5;5
      2;"SRID=3857;POLYGON((0 0, 10 0, 10 10, 0 0),(1 1,2 1,2 2))";5;5
      3;MULTIPOLYGON Z (((0 0 1, 10 0 1, 10 10 1, 0 0 1)));5;5
      4;POLYGON EMPTY;5;5
      """)
    let buffer = try #require(table.geometry)
    #expect(buffer.kind == .polygon)
    #expect(table.schema.spatialReference == .webMercator)
    #expect(buffer.rowEnds == [0, 2, 3, 3])
    #expect(buffer.partEnds == [4, 8, 12])
    #expect(table.schema.fields.map(\.name) == ["id", "lon", "lat"])
    #expect(table.warnings.count == 2)
  }

  @Test("A column named geometry without well-known text stays a field")
  func geometryColumnOfOtherTextIsAField() throws {
    let table = try Self.read("geometry,lon,lat\n,1,2\nround,3,4\n")
    #expect(table.schema.fields.count == 3)
    #expect(table.geometry?.x == [1, 3])
  }

  @Test("Header names are trimmed and made unique")
  func headers() throws {
    let table = try Self.read(" a ,a,,a\n1,2,3,4\n")
    #expect(table.schema.fields.map(\.name) == ["a", "a_2", "field3", "a_3"])
    #expect(table.warnings.count == 1)
    #expect(try Self.read("a,b\n").rowCount == 0)
  }

  /// Text, line, column and a word of the reason.
  @Test(
    "An invalid CSV file is refused with its line, column and reason",
    arguments: [
      ("", 1, 1, "no content"), ("\n\n", 1, 1, "no content"),
      ("a,b\n1,2\n3\n", 3, 1, "1 field where the header has 2"),
      ("a,b\n1,2,3\n", 2, 1, "3 fields"), ("a\n\"x", 2, 1, "not closed"), ("a,b\n\"x\"y,1", 2, 4, "closing"),
      ("é,b\n1,\"", 2, 3, "not closed"), ("lon,lat\n1,x\n", 2, 3, "\"x\" is not a number"),
      ("lon,lat\n\"1,5\",\"6,9\"\n\"1,5\",6.9\n", 3, 7, "\"6.9\" is not a number with a decimal comma"),
      ("lon,lat\n1,2\n-inf,2\n", 3, 1, "finite"), ("lon,lat\n1,1e999\n", 2, 3, "finite"),
      ("wkt\nPOINT (1 2\n", 2, 11, "expected \")\""),
      ("wkt\n\"POLYGON((0 0,1 1,0 0))\"\n", 2, 10, "a polygon of two vertices"),
      ("wkt\nGEOMETRYCOLLECTION (CIRCLE (1 2))\n", 2, 21, "CIRCLE"),
      ("wkt\nSRID=0;POINT (1 2)\n", 2, 1, "0"),
      ("wkt\n\"SRID=4326;POINT (1 2)\"\n\"SRID=3857;POINT (1 2)\"", 3, 2, "SRID"),
    ])
  func refuses(text: String, line: Int, column: Int, reason: String) {
    let error = #expect(throws: FeatureReadError.self) { try Self.read(text) }
    #expect(error?.line == line, "\(error?.description ?? "")")
    #expect(error?.column == column, "\(error?.description ?? "")")
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
  }

  @Test("A CSV file that is not UTF-8 is refused with its line and column")
  func refusesOtherEncodings() {
    let error = #expect(throws: FeatureReadError.self) {
      try CSVReader.read(Array("a\nx".utf8) + [0xE9, 0x0A])
    }
    #expect(error?.line == 2)
    #expect(error?.column == 2)
  }
}
