import Foundation
import MapFeatures
import MapFilter
import MapGeospatial
import MapReaders
import MapTestSupport
import Testing

/// The texts of MapInfo files in the character sets that they state, or in the encoding that the caller gives.
@Suite struct MapInfoTextTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// Reads a table with a field of texts.
  private func read(
    _ texts: [[UInt8]], charset: String?, head: String = "", encoding: String? = nil
  ) throws -> VectorFile.Layer {
    let clause = charset.map { "Charset \"\($0)\"\n" } ?? ""
    let points = texts.indices.map { "Point \($0) 1\n" }.joined()
    let text =
      "Version 300\n\(head)\(clause)Delimiter \",\"\nCoordSys Earth Projection 1, 104\nColumns 1\n  name Char(12)\nData\n"
      + points
    try Data(text.utf8).write(to: folder.url("t.mif"))
    let lines = texts.map { [UInt8(ascii: "\"")] + $0 + Array("\"\n".utf8) }
    try Data(lines.joined()).write(to: folder.url("t.mid"))
    var options = ReadingOptions()
    options.encoding = encoding.flatMap { TextEncoding($0) }
    return try VectorFile.read(folder.path("t.mif"), layer: nil, options: options)
  }

  private func names(_ layer: VectorFile.Layer) -> [AttributeValue] {
    (0..<layer.table.rowCount).map { layer.table.columns[0].value(at: $0) }
  }

  @Test(
    "Texts in a character set that GDAL does not know are read without a warning",
    arguments: [
      ("WindowsVietnamese", [0x48, 0x61, 0xD2, 0x69], "Hải"), ("windowsvietnamese", [0xC0], "À"),
      ("WindowsThai", [0xA1], "ก"), ("WindowsBaltic", [0xE0], "ą"), ("CodePage862", [0x80], "א"),
      ("UTF-8", [0xC3, 0xA9], "é"), ("PackedEUCJapanese", [0xB0, 0xA1], "亜"),
    ] as [(String, [UInt8], String)])
  func unknownToGDAL(charset: String, bytes: [UInt8], text: String) throws {
    let layer = try read([bytes, Array("abc".utf8)], charset: charset)
    #expect(names(layer) == [.text(text), .text("abc")])
    #expect(layer.table.warnings.isEmpty, "\(layer.table.warnings)")
    #expect(layer.usesEncoding)
  }

  @Test("GDAL converts the texts of the sets that it knows, and a given encoding does not apply to them")
  func knownToGDAL() throws {
    for encoding in [nil, "1251"] {
      let layer = try read([[0xE9]], charset: "WindowsLatin1", encoding: encoding)
      #expect(names(layer) == [.text("é")] && !layer.usesEncoding)
    }
  }

  @Test(
    "Without a known set, texts are UTF-8 or in the given encoding", arguments: [nil, "Neutral", "Klingon"])
  func withoutEncoding(charset: String?) throws {
    #expect(names(try read([[0xE9]], charset: charset, encoding: "latin1")) == [.text("é")])
    #expect(names(try read([Array("abc".utf8)], charset: charset)) == [.text("abc")])
    let error = #expect(throws: VectorFileError.self) { try read([[0xE9]], charset: charset) }
    #expect(error?.description.contains("--encoding latin1") ?? false, "\(error?.description ?? "")")
    if charset != "Klingon" { #expect(names(try read([[0xC3, 0xA9]], charset: charset)) == [.text("é")]) }
  }

  @Test("Hostile character sets are refused or read, and end")
  func hostile() throws {
    let sets = [
      "", " ", "\"", "%s%n", "Neutral\nCharset \"WindowsLatin1", "Neutral\0", "../../etc/passwd", "UTF-16",
      "UTF-7",
      "UTF-32", "ISO-2022-JP", "//TRANSLIT", "INTERNAL", "WCHAR_T", "\u{FEFF}", "é", "9999999999",
      "CodePage0",
      String(repeating: "x", count: 100_000), String(repeating: "\n", count: 10_000),
    ]
    #expect(sets.count == 20)
    for (index, set) in sets.enumerated() {
      for head in ["", String(repeating: "x", count: 5000)] {
        do {
          #expect(try read([[0xE9], Array("abc".utf8)], charset: set, head: head).table.rowCount <= 2)
        } catch {
          #expect(!"\(error)".isEmpty && "\(error)".utf8.count < 1000, "\(index)")
        }
      }
    }
  }
}
