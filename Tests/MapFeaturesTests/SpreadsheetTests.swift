import Foundation
import MapFeatures
import MapFilter
import MapGeometry
import MapReaders
import MapTestSupport
import Testing

/// Sheets of workbooks made of bytes; files of other programs are in the tests of the tool.
@Suite struct SpreadsheetTests {
  private static func workbook(
    _ rows: String, texts: String = "", styles: String = "", properties: String = ""
  ) -> [(name: String, text: String)] {
    [
      (
        "xl/workbook.xml",
        "<workbook xmlns:r='r'>\(properties)<sheets><sheet name='S' sheetId='1' r:id='rId1'/></sheets></workbook>"
      ),
      (
        "xl/_rels/workbook.xml.rels",
        "<Relationships><Relationship Id='rId1' Target='worksheets/sheet1.xml'/></Relationships>"
      ),
      ("xl/worksheets/sheet1.xml", "<worksheet><sheetData>\(rows)</sheetData></worksheet>"),
      ("xl/sharedStrings.xml", "<sst>\(texts)</sst>"),
      ("xl/styles.xml", "<styleSheet>\(styles)</styleSheet>"),
    ]
  }

  private static func openDocument(_ rows: String) -> [(name: String, text: String)] {
    [
      ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
      (
        "content.xml",
        "<office:document-content xmlns:office='o' xmlns:table='t' xmlns:text='x'><office:body><office:spreadsheet>"
          + "<table:table table:name='S'>\(rows)</table:table></office:spreadsheet></office:body></office:document-content>"
      ),
    ]
  }

  private func read(
    _ entries: [(name: String, text: String)], _ change: (inout ReadingOptions) -> Void = { _ in }
  ) throws -> FeatureColumns? {
    var options = ReadingOptions()
    change(&options)
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).xlsx")
    defer { try? FileManager.default.removeItem(at: url) }
    let archive = StoredArchive.bytes(of: entries.map { ($0.name, Array($0.text.utf8)) })
    try Data(archive).write(to: url)
    return try Spreadsheet.tables(url.path, sheet: nil, fields: .all, options: options)?.first?
      .columns
  }

  private func values(_ table: FeatureColumns, _ column: Int) -> [AttributeValue] {
    (0..<table.rowCount).map { table.columns[column].value(at: $0) }
  }

  @Test("Cells of a workbook have the types of their values, and formats of dates make dates")
  func workbookCells() throws {
    let styles = """
      <numFmts><numFmt numFmtId='164' formatCode='yyyy\\-mm\\-dd;@'/><numFmt numFmtId='165' formatCode='0.00&quot;d&quot;'/></numFmts>
      <cellStyleXfs><xf numFmtId='14'/></cellStyleXfs>
      <cellXfs><xf numFmtId='0'/><xf numFmtId='14'/><xf numFmtId='164'/><xf numFmtId='165'/><xf numFmtId='22'/><xf numFmtId='20'/></cellXfs>
      """
    let rows = """
      <row r='1'><c r='A1' t='s'><v>0</v></c><c r='B1' t='inlineStr'><is><t>b</t></is></c><c r='C1' t='str'><v>c</v></c>
      <c r='D1' t='s'><v>1</v></c><c r='F1' t='str'><v>f</v></c><c r='G1' t='str'><v>g</v></c></row>
      <row r='3'><c r='A3'><v>1.5</v></c><c r='B3' s='1'><v>25569</v></c><c r='C3' s='2'><v>1</v></c>
      <c r='D3' s='3'><v>25569</v></c><c r='F3' s='4'><v>25568.999988425926</v></c><c r='G3' s='5'><v>0.35416666666666669</v></c></row>
      <row r='4'><c r='A4' t='b'><v>1</v></c><c r='B4' s='1'><v>61</v></c><c r='C4' t='e'><v>#DIV/0!</v></c><c r='D4'><f>1+1</f></c></row>
      """
    let texts = "<si><r><t>a</t></r><r><t> \"x\"</t></r><rPh><t>no</t></rPh></si><si><t>d</t></si>"
    let table = try #require(try read(Self.workbook(rows, texts: texts, styles: styles)))
    #expect(table.schema.fields.map(\.name) == ["a \"x\"", "b", "c", "d", "field5", "f", "g"])
    #expect(table.rowCount == 2)
    #expect(values(table, 0) == [.text("1.5"), .text("true")])
    func day(_ text: String) throws -> AttributeValue { .date(try #require(CalendarDate(iso8601: text))) }
    #expect(try values(table, 1) == [day("1970-01-01"), day("1900-03-01")])
    #expect(try values(table, 2) == [day("1900-01-01"), .null])
    #expect(values(table, 3) == [.integer(25569), .null])
    #expect("\(values(table, 5)[0])".contains("1969-12-31T23:59:59"), "\(values(table, 5)[0])")
    #expect(values(table, 6)[0] == .text("08:30:00"))
    #expect(table.warnings.contains("1 cell with an error, such as #DIV/0!, was read as null"))
    #expect(table.warnings.contains { $0.hasPrefix("1 formula without a stored result was read as null") })
    let old = try read(
      Self.workbook(
        "<row><c t='str'><v>a</v></c><c t='str'><v>b</v></c></row><row><c s='1'><v>0</v></c><c><v>1</v></c></row>",
        styles: styles, properties: "<workbookPr date1904='1'/>"))
    #expect(try old.map { values($0, 0) } == [day("1904-01-01")])
  }

  @Test("Durations in formats such as [h]:mm are hours, minutes and seconds, also beyond a day")
  func durations() throws {
    let codes = ["[h]:mm:ss", "[hh]:mm", "[m]", "[Red][s]", "h:mm", "[$-F400]h:mm:ss AM/PM"]
    let formats = codes.enumerated().map {
      "<numFmt numFmtId='\(200 + $0.offset)' formatCode='\($0.element)'/>"
    }
    let cells = (codes.indices.map { 200 + $0 } + [46]).map { "<xf numFmtId='\($0)'/>" }
    let styles = "<numFmts>\(formats.joined())</numFmts><cellXfs>\(cells.joined())</cellXfs>"
    let head = "<row>" + (0..<7).map { "<c t='str'><v>f\($0)</v></c>" }.joined() + "</row>"
    func row(_ value: String) -> String {
      "<row>" + (0..<7).map { "<c s='\($0)'><v>\(value)</v></c>" }.joined() + "</row>"
    }
    let table = try #require(
      try read(Self.workbook(head + row("1.5") + row("-0.25") + row("0.000001"), styles: styles)))
    for column in [0, 1, 2, 3, 6] {
      #expect(values(table, column) == ["36:00:00", "-06:00:00", "00:00:00.086"].map { .text($0) })
    }
    // Formats of times of day have dates.
    let short = try #require(try read(Self.workbook(head + row("0.75"), styles: styles)))
    #expect((0..<7).map { values(short, $0)[0] } == (0..<7).map { _ in .text("18:00:00") })
  }

  @Test(
    "Durations of OpenDocument are hours, minutes and seconds, or as written",
    arguments: [
      ("PT08H30M00S", "08:30:00"), ("PT36H00M00S", "36:00:00"), ("PT100H5M1.25S", "100:05:01.250"),
      ("-PT90M", "-01:30:00"), ("P1DT2H", "26:00:00"), ("PT01H02M03,5S", "01:02:03.500"), ("P1M", "P1M"),
      ("P", "P"), ("PT99999999999999999999H1M1S", "PT99999999999999999999H1M1S"),
    ])
  func openDocumentDurations(_ written: String, _ text: String) throws {
    func cell(_ type: String) -> String { "<table:table-cell office:value-type='\(type)'" }
    let rows = """
      <table:table-row>\(cell("string"))><text:p>a</text:p></table:table-cell>
      \(cell("string"))><text:p>b</text:p></table:table-cell></table:table-row>
      <table:table-row>\(cell("time")) office:time-value='\(written)'/>\(cell("float")) office:value='1'/></table:table-row>
      """
    let table = try #require(try read(Self.openDocument(rows)))
    #expect(values(table, 0) == [.text(text)] && values(table, 1) == [.integer(1)])
  }

  @Test(
    "A stated decimal sign holds for texts, and numbers stay what they are", arguments: DecimalSign.allCases)
  func decimalSigns(_ sign: DecimalSign) throws {
    let rows = """
      <row><c t='str'><v>n.1</v></c><c t='str'><v>x</v></c><c t='str'><v>y</v></c></row>
      <row><c><v>1.234</v></c><c><v>11.5</v></c><c><v>48.25</v></c></row>
      <row><c t='str'><v>2\(sign.rawValue)345</v></c><c t='str'><v>12\(sign.rawValue)5</v></c><c><v>-1.5E-3</v></c></row>
      """
    let table = try #require(try read(Self.workbook(rows)) { $0.decimalSign = sign })
    #expect(table.schema.fields.map(\.name) == ["n.1", "x", "y"])
    #expect(
      values(table, 0) == [.real(1.234), .real(2.345)] && values(table, 2) == [.real(48.25), .real(-0.0015)])
    #expect(table.geometry?.x == [11.5, 12.5] && table.geometry?.y == [48.25, -0.0015])
  }

  @Test("Errors and warnings name cells and rows of the sheet")
  func places() throws {
    let rows = """
      <row r='2'><c r='A2' t='str'><v>Title</v></c></row>
      <row r='4'><c r='B4' t='str'><v>a, "b"\n</v></c><c r='C4' t='str'><v>lon</v></c><c r='D4' t='str'><v>lat</v></c></row>
      <row r='7'><c r='B7' t='str'><v>two\nlines, "é"</v></c><c r='C7'><v>1</v></c><c r='D7'><v>2</v></c></row>
      <row r='9'><c r='B9' t='str'><v>Ü\n,</v></c><c r='C9'><v>3</v></c><c r='D9' t='str'><v>x</v></c></row>
      <row r='10'><c r='C10'><v>4</v></c></row>
      """
    let error = #expect(throws: ArchiveError.self) { try read(Self.workbook(rows)) }
    #expect(error?.description.hasPrefix("sheet S: cell D9: ") == true, "\(error?.description ?? "")")
    let table = try #require(try read(Self.workbook(rows)) { $0.skipsBadRows = true })
    #expect(table.rowCount == 2)
    let left = "1 row that cannot be read was left out; the first: cell D9: "
    #expect(table.warnings.contains { $0.hasPrefix(left) }, "\(table.warnings)")
    #expect(
      table.warnings.contains("row 10: a single coordinate without the other was read as no geometry"),
      "\(table.warnings)")
    func row(_ text: String, _ repeats: Int = 1) -> String {
      let cells = text.split(separator: " ").map {
        "<table:table-cell office:value-type='string'><text:p>\($0)</text:p></table:table-cell>"
      }
      return "<table:table-row table:number-rows-repeated='\(repeats)'>\(cells.joined())</table:table-row>"
    }
    let sheet = row("", 3) + row("lon lat") + row("", 2) + row("1 2", 5) + row("x 2")
    let other = #expect(throws: ArchiveError.self) { try read(Self.openDocument(sheet)) }
    #expect(other?.description.hasPrefix("sheet S: cell A12: ") == true, "\(other?.description ?? "")")
  }

  @Test("Rows above the header and repeated empty cells are left out")
  func openDocumentCells() throws {
    let rows = """
      <table:table-row><table:table-cell office:value-type='string'><text:p>Title</text:p></table:table-cell></table:table-row>
      <table:table-header-rows><table:table-row><table:table-cell office:value-type='string'><text:p>lon</text:p></table:table-cell>
      <table:table-cell office:value-type='string'><text:p>lat</text:p></table:table-cell></table:table-row></table:table-header-rows>
      <table:table-row table:number-rows-repeated='3'><table:table-cell table:number-columns-repeated='2' office:value-type='float' office:value='1.25'>
      <text:p>1,25</text:p></table:table-cell><table:table-cell table:number-columns-repeated='16382'/></table:table-row>
      <table:table-row table:number-rows-repeated='1048570'><table:table-cell table:number-columns-repeated='16384'/></table:table-row>
      """
    let table = try #require(try read(Self.openDocument(rows)))
    #expect(table.rowCount == 3 && table.geometry?.x == [1.25, 1.25, 1.25] && table.geometry?.kind == .point)
    #expect(table.warnings == ["1 row above the header was left out"])
  }

  @Test(
    "Repeated texts and cells beyond the limits of all sheets are refused",
    arguments: [
      // A header, the size of a text, its column, the number of its rows, and the sheets.
      (size: 1 << 20, column: 0, rows: 1025, sheets: 1, message: "more than 1 GiB of text"),
      (size: 1 << 20, column: 0, rows: 600, sheets: 2, message: "more than 1 GiB of text"),
      (size: 1, column: 0, rows: 19_999_999, sheets: 1, message: "more than 20000000 filled cells"),
      (size: 1, column: 4000, rows: 50_000, sheets: 1, message: "at most 200000000 are read"),
      (size: 1, column: 4000, rows: 30_000, sheets: 2, message: "at most 200000000 are read"),
    ])
  func repeatedCells(size: Int, column: Int, rows: Int, sheets: Int, message: String) throws {
    func cell(_ text: String) -> String {
      "<table:table-cell office:value-type='string'><text:p>\(text)</text:p></table:table-cell>"
    }
    let head = "<table:table-row>\(cell("a"))\(cell("b"))</table:table-row>"
    let text = cell(String(repeating: "x", count: size))
    let row =
      "<table:table-row table:number-rows-repeated='\(rows)'>"
      + "<table:table-cell table:number-columns-repeated='\(column + 1)'/>\(text)</table:table-row>"
    let sheet = Array(repeating: head + row, count: sheets).joined(
      separator: "</table:table><table:table table:name='T'>")
    let error = #expect(throws: (any Error).self) { try read(Self.openDocument(sheet)) }
    #expect(error.map { "\($0)".contains(message) } == true, "\(error.map { "\($0)" } ?? "")")
  }

  @Test("Two sheets in one part of a workbook are refused")
  func sheetsOfOnePart() throws {
    var files = Self.workbook("<row><c t='str'><v>a</v></c><c t='str'><v>b</v></c></row>")
    files[0].text = files[0].text.replacing(
      "</sheets>", with: "<sheet name='T' sheetId='2' r:id='rId1'/></sheets>")
    let error = #expect(throws: (any Error).self) { try read(files) }
    #expect(error.map { "\($0)".contains("two sheets are in xl/worksheets/sheet1.xml") } == true)
  }

  @Test("Hostile workbooks are refused or read, and end")
  func hostile() throws {
    func row(_ cells: String) -> String { "<row>\(cells)</row>" }
    let head = row("<c t='str'><v>a</v></c><c t='str'><v>b</v></c>")
    let texts = "office:value-type='string'><text:p>x</text:p></table:table-cell>"
    let files: [[(name: String, text: String)]] = [
      Self.workbook(""), Self.workbook(head), Self.workbook("<row>"),
      Self.workbook(head + row("<c t='s'><v>9</v></c>")),
      Self.workbook(head + row("<c t='s'><v>-1</v></c>")),
      Self.workbook(head + row("<c r='ZZZZZZZZ1'><v>1</v></c>")),
      Self.workbook(head + "<row r='9223372036854775807'/>" + row("<c><v>1</v></c>")),
      Self.workbook(head + row("<c r='B2'><v>1</v></c><c r='A2'><v>1</v></c>")),
      Self.workbook(head + row("<c r=''><v>1</v></c>")),
      Self.workbook(head + row("<c s='99999999999999999999'><v>1</v></c>")),
      Self.workbook(
        head + row("<c s='1'><v>1e308</v></c>"), styles: "<cellXfs><xf/><xf numFmtId='14'/></cellXfs>"),
      Self.workbook(
        head + row("<c s='1'><v>-5</v></c>"), styles: "<cellXfs><xf/><xf numFmtId='14'/></cellXfs>"),
      Self.workbook(
        head + row("<c s='1'><v>nan</v></c>"), styles: "<cellXfs><xf/><xf numFmtId='14'/></cellXfs>"),
      Self.workbook(head, texts: "<!DOCTYPE a [<!ENTITY b 'c'>]><si/>"),
      Self.workbook(head, styles: "<numFmts><numFmt numFmtId='x' formatCode='[[[\"\\'/></numFmts>"),
      [("xl/workbook.xml", "<workbook><sheets><sheet name='S' id='r'/></sheets></workbook>")],
      [("xl/workbook.xml", "no xml")],
      [
        ("xl/workbook.xml", "<workbook><sheets><sheet name='S' id='r'/></sheets></workbook>"),
        (
          "xl/_rels/workbook.xml.rels",
          "<R><Relationship Id='r' Target='worksheets/../../../etc/passwd'/></R>"
        ),
      ],
      [("mimetype", "application/vnd.oasis.opendocument.spreadsheet")]
        + [("content.xml", String(repeating: "<a>", count: 5000))],
      Self.openDocument(
        "<table:table-row table:number-rows-repeated='9000000000000000000'><table:table-cell " + texts
          + "</table:table-row>"),
      Self.openDocument(
        "<table:table-row><table:table-cell table:number-columns-repeated='9000000000000000000' " + texts
          + "</table:table-row>"),
      Self.openDocument(
        "<table:table-row table:number-rows-repeated='-5'><table:table-cell table:number-columns-repeated='-7' "
          + texts + "</table:table-row>"),
      Self.openDocument(
        "<table:table-row><table:table-cell office:value-type='time' office:time-value='PT99999999999999999999H1M1S'/></table:table-row>"
      ),
      Self.openDocument(
        "<table:table-row><table:table-cell office:value-type='float' office:value='1e999'/></table:table-row>"
      ),
    ]
    #expect(files.count == 24)
    for file in files {
      do { #expect((try read(file)?.rowCount ?? 0) <= 3) } catch { #expect(!"\(error)".isEmpty) }
    }
  }
}
