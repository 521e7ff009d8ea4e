import Foundation
import MapFeatures
import MapFilter
import MapGeometry
import MapGeospatial
import MapReaders
import MapTestSupport
import Testing

/// The texts of `.dbf` files in the encodings that their files state, or that the caller gives.
@Suite struct ShapefileTextTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func write(_ file: ShapefileBytes, page: String? = nil, hasIndex: Bool = true) throws {
    try Data(file.shapes).write(to: folder.url("t.shp"))
    try Data(file.attributes).write(to: folder.url("t.dbf"))
    if hasIndex { try Data(file.index).write(to: folder.url("t.shx")) }
    if let page { try Data(page.utf8).write(to: folder.url("t.cpg")) }
  }

  private func read(_ encoding: String? = nil, _ ending: String = "shp") throws -> FeatureColumns {
    var options = ReadingOptions()
    options.sourceReference = .wgs84
    options.encoding = encoding.flatMap { TextEncoding($0) }
    return try VectorFile.read(folder.path("t.\(ending)"), layer: nil, options: options).table
  }

  private func texts(_ table: FeatureColumns, _ name: String = "NAME") -> [String] {
    (0..<table.rowCount).map { row in
      guard case .text(let text) = table.value(row, name) else { return "null" }
      return text
    }
  }

  // The bytes are those of the Unicode Consortium's tables (https://www.unicode.org/Public/MAPPINGS/) and, for EBCDIC
  // and Vietnamese, of IBM's and Microsoft's code pages.
  private static let pages: [(page: String, bytes: [UInt8], text: String)] = [
    ("ANSI 1252", [0x80, 0xE9], "€é"), ("1252", [0xE9], "é"), ("cp1252", [0xE9], "é"),
    ("Windows-1252", [0xE9], "é"), ("windows 1252", [0xE9], "é"), ("WINDOWS1252", [0xE9], "é"),
    ("ANSI 1251", [0xDF], "Я"), ("1251\r\n", [0xDF], "Я"), ("CP1250", [0xB9], "ą"),
    ("ANSI 1253", [0xE1], "α"),
    ("1254", [0xF0], "ğ"), ("ANSI 1255", [0xE0], "א"), ("1256", [0xC7], "ا"), ("1257", [0xE0], "ą"),
    ("OEM 850", [0x82], "é"), ("OEM 437", [0x82], "é"), ("CP852", [0xA5], "ą"), ("OEM 866", [0x9F], "Я"),
    ("866", [0x9F], "Я"), ("ibm866", [0x9F], "Я"), ("OEM737", [0x98], "α"), ("CP 857", [0xA7], "ğ"),
    ("UTF8", [0xC3, 0xA9], "é"), ("UTF-8", [0xC3, 0xA9], "é"), ("utf-8\n", [0xC3, 0xA9], "é"),
    ("65001", [0xC3, 0xA9], "é"), ("\u{FEFF}UTF-8", [0xC3, 0xA9], "é"), ("\"UTF-8\"", [0xC3, 0xA9], "é"),
    ("88591", [0xE9], "é"), ("ISO 8859-1", [0xE9], "é"), ("ISO-8859-1", [0xE9], "é"), ("8859_1", [0xE9], "é"),
    ("ISO88595", [0xCF], "Я"), ("28605", [0xA4], "€"), ("ISO-8859-15", [0xA4], "€"), ("latin1", [0xE9], "é"),
    ("Big5", [0xA4, 0xA4], "中"), ("950", [0xA4, 0xA4], "中"), ("GBK", [0xD6, 0xD0], "中"),
    ("936", [0xD6, 0xD0], "中"), ("ANSI 936", [0xD6, 0xD0], "中"), ("GB2312", [0xD6, 0xD0], "中"),
    ("GB18030", [0xD6, 0xD0], "中"), ("932", [0x93, 0xFA], "日"), ("SJIS", [0x93, 0xFA], "日"),
    ("Shift_JIS", [0x93, 0xFA], "日"), ("EUC-JP", [0xC6, 0xFC], "日"), ("949", [0xB0, 0xA1], "가"),
    ("EUC-KR", [0xB0, 0xA1], "가"), ("874", [0xA1], "ก"), ("TIS-620", [0xA1], "ก"), ("KOI8-R", [0xF1], "Я"),
    ("20866", [0xF1], "Я"), ("MacRoman", [0x8E], "é"), ("10000", [0x8E], "é"), ("10007", [0x9F], "Я"),
    ("CP1125", [0x9F], "Я"), ("IBM037", [0xC1, 0x51], "Aé"), ("ARMSCII-8", [0xB2], "Ա"),
    ("1258", [0xC0, 0xE2], "Àâ"),
  ]

  @Test("A .cpg file states the encoding in any of the usual ways", arguments: pages.indices)
  func pageNames(_ index: Int) throws {
    let (page, bytes, text) = Self.pages[index]
    try write(ShapefileBytes(texts: [bytes]), page: page)
    let table = try read()
    #expect(table.columns[0].value(at: 0) == .text(text), "\(page)")
    #expect(table.warnings == [])
    try Data(ShapefileBytes(texts: [bytes]).attributes).write(to: folder.url("t.dbf"))
    #expect(try read(nil, "dbf").columns[0].value(at: 0) == .text(text), "\(page), without shapes")
  }

  @Test("The number of pages in the test stays")
  func pageCount() { #expect(Self.pages.count == 60) }

  @Test(
    "Without a .cpg file, the language in the header states the encoding",
    arguments: [
      (UInt8(1), UInt8(0x82), "é"), (2, 0x82, "é"), (3, 0xE9, "é"), (4, 0x8E, "é"), (38, 0x9F, "Я"),
      (87, 0x80, "€"), (88, 0xE9, "é"), (100, 0xA5, "ą"), (101, 0x9F, "Я"), (106, 0x99, "β"),
      (107, 0xA7, "ğ"),
      (124, 0xA1, "ก"), (125, 0xE0, "א"), (126, 0xC7, "ا"), (150, 0x9F, "Я"), (200, 0xB9, "ą"),
      (201, 0xDF, "Я"),
      (202, 0xF0, "ğ"), (203, 0xE1, "α"), (204, 0xE0, "ą"),
    ])
  func languages(_ language: UInt8, _ byte: UInt8, _ text: String) throws {
    try write(ShapefileBytes(name: [0x4E, byte], texts: [[0x61, byte]], language: language))
    let table = try read()
    #expect(texts(table, "N" + text) == ["a" + text])
    // A .cpg file overrides the language, and the caller both.
    try Data("1251".utf8).write(to: folder.url("t.cpg"))
    if let other = String(bytes: [byte], encoding: .windowsCP1251) {
      #expect(texts(try read(), "N" + other) == ["a" + other])
    }
    #expect(
      texts(try read("latin1"), "N" + String(UnicodeScalar(byte))) == ["a" + String(UnicodeScalar(byte))])
  }

  @Test("A .cst file of GeoServer states the encoding when there is no .cpg file")
  func serverPage() throws {
    try write(ShapefileBytes(texts: [[0xDF]]))
    try Data("windows-1251".utf8).write(to: folder.url("t.cst"))
    #expect(texts(try read()) == ["Я"])
    try Data("1252".utf8).write(to: folder.url("t.cpg"))
    #expect(texts(try read()) == ["ß"])
  }

  @Test("Last letters of field names and texts stay where a mark may follow a letter")
  func lastLetters() throws {
    let names = ["ARENC", "BELSUNCE", "A", "", "ê"].map { $0 == "ê" ? [0xEA] : Array($0.utf8) }
    try write(ShapefileBytes(texts: names), page: "1258")
    #expect(texts(try read()) == ["ARENC", "BELSUNCE", "A", "null", "ê"])
    try FileManager.default.removeItem(at: folder.url("t.cpg"))
    #expect(texts(try read("windows-1258")) == ["ARENC", "BELSUNCE", "A", "null", "ê"])
  }

  @Test("An error repeats what the file states, and names the option")
  func errors() throws {
    try write(ShapefileBytes(texts: [[0xE9]]))
    func message(_ encoding: String? = nil) -> String {
      (#expect(throws: VectorFileError.self) { try read(encoding) })?.description ?? ""
    }
    #expect(
      message()
        == "field NAME: texts that are not UTF-8, and no .cpg file states another encoding; name it, as in --encoding latin1"
    )
    try write(ShapefileBytes(texts: [[0xE9]]), page: "Klingon 7")
    #expect(
      message()
        == "field NAME: texts that are not ASCII, and t.cpg states \"Klingon 7\", which is not a known encoding; name it, as in --encoding latin1"
    )
    try write(ShapefileBytes(texts: [[0xE9]]), page: "UTF-8")
    #expect(
      message()
        == "field NAME: texts that are not UTF-8, which t.cpg states as \"UTF-8\"; name it, as in --encoding latin1"
    )
    try write(ShapefileBytes(name: [0x81], texts: [[0x41]]), page: "ANSI 1252")
    #expect(message().hasPrefix("the name of field 1 has bytes that are not CP1252, which t.cpg states"))
    #expect(message("utf-8").hasSuffix("not UTF-8, as --encoding states; name another one"))
    try FileManager.default.removeItem(at: folder.url("t.cpg"))
    try write(ShapefileBytes(texts: [[0xE9]], language: 99))
    #expect(message().contains("not ASCII, and t.dbf states language 99, which is not a known one"))
    // Texts of ASCII are the same in any of these.
    try write(ShapefileBytes(texts: [[0x41]], language: 99), page: "Klingon 7")
    #expect(texts(try read()) == ["A"])
  }

  @Test("A text that the width of its field cuts within a letter loses only that letter, with a warning")
  func cutLetters() throws {
    try write(ShapefileBytes(width: 5, texts: [Array("abcdé".utf8), Array("xé".utf8)]), page: "UTF-8")
    let table = try read()
    #expect(texts(table) == ["abcd", "xé"])
    #expect(
      table.warnings == [
        "field NAME: 1 text ends within a letter, which was left out: the field is too short"
      ])
    try write(ShapefileBytes(width: 3, texts: [[0xA4, 0xA4, 0xA4]]), page: "Big5")
    #expect(texts(try read()) == ["中"])
    // A byte in the middle, or at the end of a shorter text, is not a cut letter.
    for text in [[0x61, 0xC3, 0x61], [0x61, 0xC3]] as [[UInt8]] {
      try write(ShapefileBytes(width: 5, texts: [text]), page: "UTF-8")
      #expect(throws: VectorFileError.self) { try read() }
    }
  }

  @Test("Texts that look like UTF-8, while the header states a code page, are a warning")
  func doubt() throws {
    try write(ShapefileBytes(texts: [Array("Zoë".utf8)], language: 87))
    let table = try read()
    #expect(texts(table) == ["ZoÃ«"])
    #expect(
      table.warnings.contains { $0.hasSuffix("but they look like UTF-8; for that, use --encoding utf-8") })
    #expect(texts(try read("utf-8")) == ["Zoë"])
  }

  @Test("A logical value of ? or blank is null")
  func logicals() throws {
    var file = ShapefileBytes(texts: [])
    file.fields = [
      .init(name: Array("OK".utf8), type: UInt8(ascii: "L"), width: 1), .init(name: Array("T".utf8)),
    ]
    file.rows = ["T", "F", "?", " ", "y"].map { [Array($0.utf8), Array("?".utf8)] }
    try write(file)
    let table = try read()
    let nulls = (0..<5).filter { table.value($0, "OK") == .null }
    #expect(nulls == [2, 3])
    #expect(texts(table, "T") == Array(repeating: "?", count: 5))
  }

  @Test("Fields of one name, and those without a name, are renamed as in CSV files, and each has its values")
  func equalNames() throws {
    var file = ShapefileBytes(texts: [])
    file.fields = ["A", "A", "", "A_2"].map { .init(name: Array($0.utf8)) }
    file.rows = [["1", "2", "3", "4"].map { Array($0.utf8) }]
    try write(file)
    let table = try read()
    #expect(table.schema.fields.map(\.name) == ["A", "A_2", "field3", "A_2_2"])
    #expect(
      ["A", "A_2", "field3", "A_2_2"].map { table.value(0, $0) } == ["1", "2", "3", "4"].map { .text($0) })
    #expect(
      table.warnings == [
        "fields: names that were empty or occurred before became A_2, field3, A_2_2"
      ])
    var options = ReadingOptions()
    options.sourceReference = .wgs84
    for name in ["A", "A_2", "field3", "A_2_2"] {
      let one = try VectorFile.read(
        folder.path("t.shp"), layer: nil, fields: FieldSelection([name]), options: options
      ).table
      #expect(one.schema.fields.map(\.name) == [name] && one.value(0, name) == table.value(0, name))
    }
  }

  @Test("Whole numbers that a decimal cannot hold are counted in a warning")
  func roundedIntegers() throws {
    var file = ShapefileBytes(texts: [])
    file.fields = [.init(name: Array("N".utf8), type: UInt8(ascii: "N"), width: 20)]
    file.rows = ["9007199254740993", "9007199254740992", "-99999999999999999999", "1e20", "7", ""].map {
      [Array($0.utf8)]
    }
    try write(file)
    let table = try read()
    #expect(table.value(0, "N") == .real(0x1p53) && table.value(5, "N") == .null)
    #expect(table.warnings == ["field N: 2 whole numbers beyond 2^53 were rounded to decimals"])
  }

  @Test("A truncated .shp file is an error with its lengths, with and without a .shx file")
  func truncatedShapes() throws {
    let file = ShapefileBytes(texts: (0..<3).map { Array("\($0)".utf8) })
    try write(file)
    try Data(file.shapes.dropLast(5)).write(to: folder.url("t.shp"))
    func message() -> String { (#expect(throws: VectorFileError.self) { try read() })?.description ?? "" }
    #expect(message() == "t.shp: is truncated: it has 179 of at least 184 bytes")
    try FileManager.default.removeItem(at: folder.url("t.shx"))
    #expect(message() == "t.shp: is truncated at record 3: it has 179 of 184 bytes")
  }

  @Test("A shapefile without a .shx file is read from its .shp file, and nothing is written beside it")
  func withoutIndex() throws {
    let file = ShapefileBytes(texts: (0..<50).map { Array("row \($0)".utf8) })
    try write(file)
    let whole = try read()
    try FileManager.default.removeItem(at: folder.url("t.shx"))
    let alone = try read()
    #expect(
      texts(alone) == texts(whole) && alone.geometry == whole.geometry && alone.warnings == whole.warnings)
    #expect(try folder.names() == ["t.dbf", "t.shp"])
    for count in [0, 99, 101, 110, 140, 1400] {
      try Data(file.shapes.prefix(count)).write(to: folder.url("t.shp"))
      let error = #expect(throws: VectorFileError.self) { try read() }
      #expect(error?.description.hasPrefix("t.shp: ") == true, "\(error?.description ?? "")")
    }
    try Data(file.shapes).write(to: folder.url("t.shp"))
    try FileManager.default.removeItem(at: folder.url("t.dbf"))
    let bare = try read()
    #expect(bare.rowCount == 50 && bare.warnings == ["t.dbf: is missing: all attribute fields are missing"])
  }

  @Test(
    "Shapes of all kinds are read without a .shx file as with it", arguments: ["points", "lines", "polygons"])
  func kindsWithoutIndex(_ name: String) throws {
    for ending in ["shp", "dbf", "prj", "cpg"] {
      try Data(try Fixture.bytes("\(name).\(ending)")).write(to: folder.url("\(name).\(ending)"))
    }
    let alone = try VectorFile.read(folder.path("\(name).shp"), layer: nil).table
    let whole = try VectorFile.read(Fixture.path("\(name).shp"), layer: nil).table
    let (one, other) = (try #require(alone.geometry), try #require(whole.geometry))
    // An empty point is not a number, which equals nothing.
    #expect(one.x.map(\.bitPattern) == other.x.map(\.bitPattern) && one.x.count > 0)
    #expect(one.y.map(\.bitPattern) == other.y.map(\.bitPattern))
    #expect(one.kind == other.kind && one.partEnds == other.partEnds && one.rowEnds == other.rowEnds)
    #expect(alone.schema == whole.schema && alone.columns == whole.columns)
  }

  @Test("Hostile bytes of an attribute file are refused or read, and end")
  func hostileAttributes() throws {
    let whole = ShapefileBytes(
      texts: [Array("Zürich".utf8), [0xFF, 0xFE], Array(repeating: 0xC3, count: 12)], language: 87)
    var files: [[UInt8]] = []
    for (offset, bytes) in [
      (4, [0xFF, 0xFF, 0xFF, 0xFF]), (8, [0, 0]), (8, [0xFF, 0xFF]), (8, [65, 0]), (10, [0, 0]),
      (10, [1, 0]),
      (10, [0xFF, 0xFF]), (29, [0xFF]), (32, [0]), (32, [0xFF, 0xFF, 0xFF, 0xFF]), (43, [0]), (43, [0xFF]),
      (48, [0]), (48, [0xFF]), (64, [0]), (65, [0x2A]), (65, [0x1A]), (0, [0xF5]),
    ] as [(Int, [UInt8])] {
      var file = whole.attributes
      file.replaceSubrange(offset..<offset + bytes.count, with: bytes)
      files.append(file)
    }
    files += [0, 1, 31, 32, 64, 66, 80].map { Array(whole.attributes.prefix($0)) }
    #expect(files.count == 25)
    for file in files {
      for page in [nil, "UTF-8", "ISO-2022-JP", "UTF-16", "UTF-7", String(repeating: "x", count: 10_000)] {
        try write(whole, page: page)
        try Data(file).write(to: folder.url("t.dbf"))
        do { #expect(try read().rowCount <= 3) } catch { #expect(!"\(error)".isEmpty) }
      }
    }
  }

  @Test("Hostile bytes of a .shp file without a .shx file are refused or read, and end")
  func hostileShapes() throws {
    let whole = ShapefileBytes(texts: (0..<3).map { Array("\($0)".utf8) })
    var files: [[UInt8]] = []
    for (offset, bytes) in [
      (0, [1, 2, 3, 4]), (24, [0, 0, 0, 0]), (24, [0xFF, 0xFF, 0xFF, 0xFF]), (24, [0x7F, 0xFF, 0xFF, 0xFF]),
      (24, [0, 0, 0, 51]), (28, [0xFF]), (32, [0xFF]), (32, [5]), (100, [0xFF, 0xFF, 0xFF, 0xFF]),
      (104, [0, 0, 0, 0]), (104, [0, 0, 0, 1]), (104, [0, 0, 0, 2]), (104, [0xFF, 0xFF, 0xFF, 0xFF]),
      (104, [0x7F, 0xFF, 0xFF, 0xFF]), (108, [5, 0, 0, 0]), (108, [0xFF, 0xFF, 0xFF, 0xFF]),
      (108, [31, 0, 0, 0]),
      (132, [0, 0, 0, 11]), (160, [0, 0, 1, 0]), (116, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
    ] as [(Int, [UInt8])] {
      var file = whole.shapes
      file.replaceSubrange(offset..<offset + bytes.count, with: bytes)
      files.append(file)
    }
    #expect(files.count == 20)
    for file in files {
      try write(whole, hasIndex: false)
      try Data(file).write(to: folder.url("t.shp"))
      do { #expect(try read().rowCount <= 3) } catch { #expect(!"\(error)".isEmpty) }
    }
  }
}
