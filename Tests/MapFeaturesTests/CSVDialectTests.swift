import MapFeatures
import MapFilter
import MapGeometry
import MapReaders
import MapTestSupport
import Testing

/// Delimiters, decimal signs and groups of digits of CSV files that people wrote.
@Suite struct CSVDialectTests {
  static func read(
    _ text: String, delimiter: String? = nil, decimal: DecimalSign? = nil, pieceSize: Int? = nil
  ) throws -> FeatureColumns {
    var options = ReadingOptions()
    options.delimiter = try delimiter.map { try #require(CSVDelimiter($0)) }
    options.decimalSign = decimal
    guard let pieceSize else { return try CSVReader.read(Array(text.utf8), options: options) }
    return try CSVReader.read(Array(text.utf8), options: options, pieceSize: pieceSize)
  }

  static func values(_ table: FeatureColumns, _ field: String) throws -> [AttributeValue] {
    try GeoJSONReaderTests.values(table, field)
  }

  // MARK: Numbers

  /// The rows of a column `v` in a file with semicolons, and the numbers that they are; nil for text.
  private static let columns: [(rows: [String], decimal: DecimalSign?, numbers: [AttributeValue]?)] = [
    (["12,5", "7,25", "3"], nil, [.real(12.5), .real(7.25), .real(3)]),
    (["12,5", "1.234,5"], nil, [.real(12.5), .real(1234.5)]),
    (["1,234.56", "7.5"], nil, [.real(1234.56), .real(7.5)]),
    (["1 234,5", "-12,25"], nil, [.real(1234.5), .real(-12.25)]),
    (["1\u{A0}234,5", "1\u{202F}234\u{2009}567,5"], nil, [.real(1234.5), .real(1_234_567.5)]),
    (["1'234.5", "12’345.25"], nil, [.real(1234.5), .real(12345.25)]),
    (["1.234.567", "12"], nil, [.integer(1_234_567), .integer(12)]),
    (["1,234,567", "999"], nil, [.integer(1_234_567), .integer(999)]),
    (["12 345", "1 234 567"], nil, [.integer(12345), .integer(1_234_567)]),
    (["1'234", "987"], nil, [.integer(1234), .integer(987)]),
    (["0,123", "0,5"], nil, [.real(0.123), .real(0.5)]),
    (["\u{2212}1,5", "1,5E+3"], nil, [.real(-1.5), .real(1500)]),
    ([",5", "1,5"], nil, [.real(0.5), .real(1.5)]),
    (["1,234", "2,345"], .comma, [.real(1.234), .real(2.345)]),
    (["1,234", "2,345"], .point, [.integer(1234), .integer(2345)]),
    (["1.234", "2.345"], .comma, [.integer(1234), .integer(2345)]),
    (["1.234", "2.345"], .point, [.real(1.234), .real(2.345)]),
    (["1.234", "2.345"], nil, [.real(1.234), .real(2.345)]),
    (["552 100 554", "552 100 555"], .point, [.integer(552_100_554), .integer(552_100_555)]),
    // One value of another form, codes, and what may be two numbers are text.
    (["1,5", "2.5"], nil, nil), (["1,5", "n/a"], nil, nil), (["1,234", "2,345"], nil, nil),
    (["01,5", "2,5"], nil, nil), (["+1,5", "2,5"], nil, nil), (["1.5", "2.25"], .comma, nil),
    (["1,5", "2,25"], .point, nil), (["12,34,567"], nil, nil), (["1.234,567.8"], nil, nil),
    (["552 100 554", "552 100 555"], nil, nil), (["01.03.2026", "02.03.2026"], nil, nil),
    (["1,", "2,"], nil, nil), (["1,5,", "2,5,"], nil, nil), (["1 2345", "1 234"], nil, nil),
    (["0.123.456", "1.234.567"], nil, nil), (["1,5e", "2"], nil, nil),
    (["99999999999999999999,5 x", "1"], nil, nil), (["192.168.1.1", "10.0.0.1"], nil, nil),
  ]

  @Test("A column is numbers where all values agree on one form, and text otherwise")
  func forms() throws {
    for (rows, decimal, numbers) in Self.columns {
      let text = "n;v\n" + rows.enumerated().map { "\($0);\($1)\n" }.joined()
      let table = try Self.read(text, decimal: decimal)
      #expect(try Self.values(table, "v") == numbers ?? rows.map { .text($0) }, "\(rows) \(decimal as Any)")
      // With a stated sign, only values with the other sign are reported.
      if let decimal {
        let hasOther = rows.contains { $0.contains(decimal == .comma ? "." : ",") }
        #expect(table.warnings.count == (hasOther ? 1 : 0), "\(rows) \(table.warnings)")
      }
    }
    #expect(Self.columns.count == 37)
  }

  @Test("A header with two signs as often gives a warning, unless the delimiter is given")
  func tiedDelimiters() throws {
    let text = "name, first, last;lon;lat\nx, y, z;3;4\n"
    let table = try Self.read(text)
    #expect(table.schema.fields.count == 3)
    #expect(
      table.warnings.first
        == "header: \",\" and \";\" are equally frequent; read with \",\", not with --delimiter \";\"",
      "\(table.warnings)")
    #expect(!(try Self.read(text, delimiter: ";").warnings.contains { $0.contains("equally frequent") }))
    #expect(!(try Self.read("a;b,c;d\n1;2,5;3\n").warnings.contains { $0.contains("equally frequent") }))
  }

  @Test("One warning for each form names its fields, and --decimal makes it silent")
  func warnings() throws {
    let text = "n;v;w;z\n1;1,5;2,25;1.234,5\n2;3,5;4;2,5\n"
    #expect(
      try Self.read(text).warnings == [
        "fields v, w: numbers with a decimal comma were read; --decimal , confirms it",
        "field z: numbers with a decimal comma and points between groups of digits were read; --decimal , confirms it",
      ])
    #expect(try Self.read(text, decimal: .comma).warnings == [])
    let doubtful = try Self.read("n;v\n1;1,234\n2;5,678\n")
    #expect(
      doubtful.warnings == [
        "field v: values such as \"1,234\" may be numbers, but were read as text: state the decimal sign with "
          + "--decimal . or --decimal ,"
      ])
    // Points that may group digits, beside decimal commas.
    let mixed = try Self.read("n;v;w\n1;1,5;1.234\n2;2,5;5.678\n")
    #expect(mixed.warnings.count == 2)
    #expect(mixed.warnings.last?.hasPrefix("field w: read with a decimal point, although") == true)
    #expect(try Self.values(mixed, "w") == [.real(1.234), .real(5.678)])
  }

  /// The rows of a column `v`, a stated decimal sign, and the warning about values with the other sign.
  private static let others: [(rows: [String], decimal: DecimalSign, warning: String?)] = [
    (
      ["1.5", "2,5", "3.5"], .comma,
      "field v: read as text, for 2 values with a decimal point such as \"1.5\"; --decimal , states a comma"
    ),
    (
      ["1.5", "1.5"], .comma,
      "field v: read as text, for 2 values with a decimal point such as \"1.5\"; --decimal , states a comma"
    ),
    (
      ["1.5", "0,25"], .point,
      "field v: read as text, for 1 value with a decimal comma such as \"0,25\"; --decimal . states a point"
    ),
    (
      ["1.125", "2,5"], .comma,
      "field v: points were read as signs between groups of digits in 1 value such as \"1.125\"; --decimal , states a comma"
    ),
    (
      ["1,125", "2,250"], .point,
      "field v: commas were read as signs between groups of digits in 2 values such as \"1,125\"; --decimal . states a point"
    ),
    // Another value shows the groups, and words are no numbers.
    (["1.125", "1.234,5"], .comma, nil), (["1.125", "1.234.567"], .comma, nil),
    (
      ["1.5", "n/a"], .comma,
      "field v: read as text, because a value is \"n/a\"; CAST reads the others as numbers"
    ),
    (["01.5", "2,5"], .comma, nil), (["1.5", "2"], .point, nil), (["1,125", "2,5"], .comma, nil),
  ]

  @Test(
    "With --decimal, values with the other sign are counted in a warning unless they certainly have groups")
  func otherSigns() throws {
    for (rows, decimal, warning) in Self.others {
      let text = "n;v\n" + rows.enumerated().map { "\($0);\($1)\n" }.joined()
      #expect(try Self.read(text, decimal: decimal).warnings == (warning.map { [$0] } ?? []), "\(rows)")
    }
    #expect(Self.others.count == 11)
  }

  @Test(
    "With --decimal, degrees with the other sign are refused, and metres with it have groups and a warning")
  func otherSignsOfCoordinates() throws {
    let error = #expect(throws: FeatureReadError.self) {
      try Self.read("n;lon;lat\n1;11.575;48.125\n", decimal: .comma)
    }
    #expect(error?.description.contains("\"11.575\" is not a number with a decimal comma") == true)
    var options = ReadingOptions()
    (options.decimalSign, options.sourceReference) = (.comma, SpatialReference(wkid: 25832))
    for (names, fields) in [("x;y", FieldSelection.all), ("x;y", FieldSelection(["n"])), ("lon;lat", .all)] {
      let text = Array("n;\(names)\n1;691.608;334.765\n2;691.609,5;334.766\n".utf8)
      let table = try CSVReader.read(text, fields: fields, options: options)
      #expect(table.geometry?.x == [691_608, 691_609.5] && table.geometry?.y == [334_765, 334_766])
      let y = names.suffix(names.count / 2)
      #expect(
        table.warnings == [
          "field \(y): points were read as signs between groups of digits in 2 values such as \"334.765\"; --decimal , states a comma"
        ])
    }
  }

  @Test("A quoted decimal comma between commas may be a list, and is a number only if the caller says so")
  func commasBetweenCommas() throws {
    let text = "n,v\n1,\"1,5\"\n2,\"2,5\"\n"
    let table = try Self.read(text)
    #expect(try Self.values(table, "v") == [.text("1,5"), .text("2,5")])
    #expect(table.warnings.count == 1)
    #expect(try Self.values(Self.read(text, decimal: .comma), "v") == [.real(1.5), .real(2.5)])
    #expect(
      try Self.values(Self.read("n,v\n1,\"1,234.5\"\n2,\"2,345,678.5\"\n"), "v")
        == [.real(1234.5), .real(2_345_678.5)])
  }

  // MARK: Delimiters

  @Test("A line sep= states the delimiter, in the forms that Excel reads", arguments: [";", "|", "\t", ","])
  func delimiterLine(delimiter: String) throws {
    let rows = ["a\(delimiter)b", "1\(delimiter)2"].joined(separator: "\r\n")
    for line in ["sep=\(delimiter)", "SEP=\(delimiter)", "\"sep=\(delimiter)\"", "\u{FEFF}sep=\(delimiter)"] {
      for end in ["\n", "\r\n", "\r"] {
        let table = try Self.read(line + end + rows)
        #expect(table.schema.fields.map(\.name) == ["a", "b"], "\(line)")
        #expect(table.rowCount == 1)
      }
    }
    // A name, and no line with a delimiter.
    #expect(try Self.read("sep=a\nb\n").schema.fields.map(\.name) == ["sep=a"])
  }

  @Test("A given delimiter is used, also against the line sep=")
  func givenDelimiter() throws {
    #expect(try Self.read("a,b|c\n1,5|2\n", delimiter: "|").schema.fields.map(\.name) == ["a,b", "c"])
    #expect(try Self.read("sep=,\na|c\n1|2\n", delimiter: "|").schema.fields.map(\.name) == ["a", "c"])
    #expect(CSVDelimiter("tab")?.byte == 0x09 && CSVDelimiter("\t")?.byte == 0x09)
    for text in ["", "a", "1", "\"", "\n", ".", "-", "+", ";;", "é", "\u{0}"] {
      #expect(CSVDelimiter(text) == nil, "\(text)")
    }
  }

  /// Texts that are read as one field, a given delimiter, and the way out that messages name.
  private static let undivided: [(text: String, delimiter: String?, hint: String?)] = [
    ("id|lon|lat\n1|8.5|47.5\n", nil, "--delimiter \"|\" divides it into 3"),
    ("id|lon|lat\n1|8,5|47,5\n", nil, "--delimiter \"|\" divides it into 3"),
    ("id:a b\nx y z:2\n3:4", nil, "--delimiter \":\" divides it into 2"),
    ("id^\"a^b\"^c\n1^2^3\n", nil, "--delimiter \"^\" divides it into 3"),
    ("id lon lat\n1 8.5 47.5\n2 8 47\n", nil, "--delimiter \" \" divides it into 3"),
    ("id,lon,lat\n1,8.5,47.5\n", ";", "--delimiter \",\" divides it into 3"),
    ("id\tlon\n1\t8.5\n", "|", "--delimiter tab divides it into 2"),
    ("sep=;\nid,lon\n1,8.5\n", nil, "--delimiter \",\" divides it into 2"),
    ("name\nAda\n", ";", "the given delimiter \";\" does not occur in it"),
    ("sep=||\na||b\n", nil, "it states no delimiter of one character; name the delimiter with --delimiter"),
    // One column only, and fields that are divided already.
    ("name\nAda|Lovelace\n", nil, nil), ("full name\nAda Lovelace\n", nil, nil), ("a|b\n1|2|3\n", nil, nil),
    ("\"a|b\"\n1|2\n", nil, nil), ("a|b\n", nil, nil), ("a|b,c\n1|2,3\n", nil, nil), ("a\n\n1\n", nil, nil),
  ]

  @Test("A header of one field names the delimiter that divides it, in a warning and in errors")
  func undividedHeaders() throws {
    for (text, delimiter, hint) in Self.undivided {
      let found: String
      do { found = try Self.read(text, delimiter: delimiter).warnings.joined(separator: "\n") } catch {
        found = "\(error)"
      }
      #expect(hint.map(found.contains) ?? found.isEmpty, "\(text): \(found)")
    }
    #expect(Self.undivided.count == 17)
  }

  // MARK: Hostile files

  /// Twenty kinds of files that are built to mislead the rules of this suite; none may crash or be slow.
  private static func hostile() -> [[UInt8]] {
    func rows(_ count: Int, _ row: (Int) -> String) -> String { (0..<count).map(row).joined(separator: "\n") }
    let long = String(repeating: "1", count: 100_000)
    let texts: [String] = [
      "sep=", "sep=;", "sep=;\n", "sep=\"\na\"b\n", "\"sep=;\n1;2\n", "\u{FEFF}sep=;\n\u{FEFF}sep=;\n",
      "lon;lat\n" + long + "," + long + ";" + long + "\n",
      "lon;lat\n" + String(repeating: "1.", count: 50_000) + ";1\n",
      "lon;lat\n" + String(repeating: "'", count: 100_000) + ";°\n",
      "lon;lat\n" + rows(2000) { "\($0 % 180),5;\($0 % 90)" } + "\nx;y\n",
      "x;y\n" + rows(2000) { $0 == 1999 ? "1,5;2,5" : "1.5;2.5" } + "\n",
      "x;y\n" + rows(2000) { $0 % 2 == 0 ? "1,234;2,345" : "1.234;2.345" } + "\n",
      "a;v\n" + rows(2000) { "\($0);\($0 % 3 == 0 ? "1,5" : $0 % 3 == 1 ? "1.234,5" : "1 234")" } + "\n",
      "a;v\n" + rows(100) { "\($0);9,99E+\($0 * 40)" } + "\n",
      "Länge;Breite\n" + rows(1000) { "\($0),\($0);°\($0)'" } + "\n",
      "lat,lon\n\"52°31'12.5\"\"N\",\"13°24'0\"\"E\"\n\"52°31'12.5\"\"N\n",
      "lat;lon\n52°\u{300}31';13°\n", "lat;lon\n52\u{2212}31;\u{2212}\u{2212}13\n",
      "wkt;lon;lat\n\"POINT(1,5 2,5)\";1,5;2,5\n",
      "e;n;E;N\n1,5;2,5;1.234.567;1 234\n;;;\n",
    ]
    return texts.map { Array($0.utf8) }
  }

  @Test("Hostile files are read or refused, the same in pieces of any size")
  func hostileFiles() throws {
    let files = Self.hostile()
    #expect(files.count == 20)
    var random = SeededGenerator(seed: 20)
    var read = 0
    for file in files {
      // Each as it is, and with bytes exchanged.
      for change in 0..<8 {
        var bytes = file
        for _ in 0..<change where !bytes.isEmpty {
          let signs = Array(" ,.;'\"°NSE-0159\n\u{A0}".utf8)
          bytes[Int.random(in: bytes.indices, using: &random)] = signs.randomElement(using: &random) ?? 0x2C
        }
        for decimal in [nil, DecimalSign.comma, .point] {
          var options = ReadingOptions()
          (options.decimalSign, options.sourceReference) = (decimal, change % 2 == 0 ? nil : .webMercator)
          options.skipsBadRows = change % 3 == 0
          let whole = Result { try CSVReader.read(bytes, options: options) }
          let parts = Result { try CSVReader.read(bytes, options: options, pieceSize: 100) }
          switch (whole, parts) {
          case (.success(let whole), .success(let parts)):
            read += 1
            #expect(whole.columns == parts.columns && whole.warnings == parts.warnings)
            #expect(
              whole.geometry?.x.map(\.bitPattern) == parts.geometry?.x.map(\.bitPattern)
                && whole.schema == parts.schema)
          case (.failure(let whole), .failure(let parts)): #expect("\(whole)" == "\(parts)")
          default: Issue.record("\(String(decoding: bytes.prefix(60), as: UTF8.self)): differs in pieces")
          }
        }
      }
    }
    #expect(read > 100)
  }
}
