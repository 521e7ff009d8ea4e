import Foundation
import MapTestSupport
import Testing

/// A file of cases that show what the tables of formats in the guide state.
///
/// `# TABLE` names a table by its heading, and `| LINE` a line by its first cell. The rest of a line of the file follows
/// one of these words; lines that are indented by four spaces are the content of the file that is named before them.
///
/// - `file NAME`: a text, in which `\xNN` is a byte, `\t` a tab and `\n` a line end.
/// - `shapefile NAME`: the fields, such as `NAME:C:12`, and a row per line, whose values are separated by `|`.
/// - `xlsx NAME`, `ods NAME`: the rows of the sheet of a workbook, or the sheets of a document.
/// - `part ENTRY`: another entry of the workbook.
/// - `copy PATH`: a file or folder of the project.
/// - `$ COMMAND`: runs a command of the shell. It must end with 0, or as the line `exit CODE` after it states.
/// - `out TEXT`, `err TEXT`, `no TEXT`, `silent`: texts that an output must have, or neither may have; no messages.
struct FormatTable {
  /// A line of a table in the guide, with what to do and expect.
  struct Line: CustomTestStringConvertible, Sendable {
    let table: String
    let name: String
    var actions: [Action] = []

    var testDescription: String { "\(table): \(name)" }
  }

  enum Action: Sendable {
    case write([UInt8], name: String)
    case copy(String)
    case run(String)
    case exit(Int32)
    case out(String)
    case err(String)
    case neither(String)
    case silent
  }

  /// A line that is in no known form.
  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  private(set) var lines: [Line] = []
  private var table = ""
  private var file: (word: String, name: String)?
  private var content: [String] = []
  private var workbook: (name: String, entries: [(name: String, content: [UInt8])]) = ("", [])

  /// Reads a file of cases.
  init(_ text: String) throws {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("    ") {
        content.append(String(line.dropFirst(4)))
      } else {
        endFile()
        if !line.isEmpty { try read(String(line)) }
      }
    }
    endFile()
  }

  private mutating func read(_ line: String) throws {
    let word = line.prefix { $0 != " " }
    let rest = String(line.dropFirst(word.count + 1))
    switch word {
    case "#": table = rest
    case "|": lines.append(Line(table: table, name: rest))
    case "file", "shapefile", "xlsx", "ods", "part": file = (String(word), rest)
    case "copy": add(.copy(rest))
    case "$": add(.run(rest))
    case "exit": add(.exit(Int32(rest) ?? 0))
    case "out": add(.out(rest))
    case "err": add(.err(rest))
    case "no": add(.neither(rest))
    case "silent": add(.silent)
    default: throw Fault(description: "the line \"\(line)\" has an unknown form")
    }
  }

  private mutating func add(_ action: Action) {
    guard !lines.isEmpty else { return }
    lines[lines.count - 1].actions.append(action)
  }

  // MARK: Files

  private mutating func endFile() {
    defer { content = [] }
    guard let (word, name) = file else { return }
    file = nil
    let bytes = Self.bytes(content.map { $0 + "\n" }.joined())
    switch word {
    case "file": add(.write(bytes, name: name))
    case "shapefile":
      let shapefile = Self.shapefile(content)
      add(.write(shapefile.attributes, name: "\(name).dbf"))
      add(.write(shapefile.shapes, name: "\(name).shp"))
      add(.write(shapefile.index, name: "\(name).shx"))
      add(.write(Array(Self.degrees.utf8), name: "\(name).prj"))
    case "xlsx":
      let sheet = Array("<worksheet><sheetData>".utf8) + bytes + Array("</sheetData></worksheet>".utf8)
      workbook = (name, Self.parts.map { ($0.name, Array($0.text.utf8)) })
      setEntry("xl/worksheets/sheet1.xml", sheet)
    case "ods":
      let document = Array(Self.documentStart.utf8) + bytes + Array(Self.documentEnd.utf8)
      workbook = (name, [("mimetype", Array("application/vnd.oasis.opendocument.spreadsheet".utf8))])
      setEntry("content.xml", document)
    default: setEntry(name, bytes)
    }
  }

  private mutating func setEntry(_ name: String, _ content: [UInt8]) {
    workbook.entries.removeAll { $0.name == name }
    workbook.entries.append((name, content))
    add(.write(StoredArchive.bytes(of: workbook.entries), name: workbook.name))
  }

  private static let degrees = """
    GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137,298.257223563]],PRIMEM["Greenwich",0],\
    UNIT["Degree",0.017453292519943295]]
    """
  private static let parts = [
    (
      name: "xl/workbook.xml",
      text:
        "<workbook xmlns:r='r'><sheets><sheet name='S' sheetId='1' r:id='rId1'/></sheets></workbook>"
    ),
    (
      name: "xl/_rels/workbook.xml.rels",
      text: "<Relationships><Relationship Id='rId1' Target='worksheets/sheet1.xml'/></Relationships>"
    ),
  ]
  private static let documentStart =
    "<office:document-content xmlns:office='o' xmlns:table='t' xmlns:text='x'><office:body><office:spreadsheet>"
  private static let documentEnd = "</office:spreadsheet></office:body></office:document-content>"

  /// Returns the bytes of a text with escapes.
  private static func bytes(_ text: String) -> [UInt8] {
    var (bytes, rest) = ([UInt8](), Array(text.utf8)[...])
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let kind = rest.first else {
        bytes.append(byte)
        continue
      }
      let digits = String(decoding: rest.dropFirst().prefix(2), as: UTF8.self)
      switch kind {
      case UInt8(ascii: "t"): bytes.append(0x09)
      case UInt8(ascii: "n"): bytes.append(0x0A)
      case UInt8(ascii: "x"): bytes.append(UInt8(digits, radix: 16) ?? 0)
      default:
        bytes.append(byte)
        continue
      }
      rest = rest.dropFirst(kind == UInt8(ascii: "x") ? 3 : 1)
    }
    return bytes
  }

  private static func shapefile(_ lines: [String]) -> ShapefileBytes {
    var shapefile = ShapefileBytes(texts: [])
    shapefile.fields = []
    for word in (lines.first ?? "").split(separator: " ") {
      if word.hasPrefix("language=") {
        shapefile.language = UInt8(word.dropFirst(9)) ?? 0
        continue
      }
      let parts = word.split(separator: ":")
      guard parts.count == 3, let type = parts[1].utf8.first, let width = Int(parts[2]) else { continue }
      shapefile.fields.append(
        ShapefileBytes.Field(name: bytes(String(parts[0])), type: type, width: width))
    }
    shapefile.rows = lines.dropFirst().map { line in
      line.split(separator: "|", omittingEmptySubsequences: false).map { bytes(String($0)) }
    }
    return shapefile
  }
}
