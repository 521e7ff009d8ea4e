import MapDrawing

/// The letters of a document as one font, which is embedded with the glyphs in use.
///
/// A glyph shows a letter, letters that belong together, or a whole text that is not on a straight line. Readers find the
/// characters of each glyph in the font.
struct PDFFont {
  private struct Key: Hashable {
    let charstring: [UInt8]
    let text: String
  }

  private var numbers: [Key: Int] = [:]
  private var glyphs: [CompactFont.Glyph] = []
  private var texts: [String] = [""]
  /// The number of the font dictionary in the file.
  private(set) var object: Int?

  /// The number of UTF-16 units of a text after which it is cut.
  ///
  /// - Source: ISO 32000-1, 9.10.3, which allows 512 bytes.
  private static let textLimit = 250

  init() { if let missing = CompactFont.glyph([], width: 500) { glyphs.append(missing) } }

  /// Returns the number of a glyph and its width in thousandths of an em; nil for one that is too large.
  ///
  /// - Parameters:
  ///   - steps: the outline in ems, y up.
  ///   - text: the characters that it shows.
  mutating func glyph(
    _ steps: [GlyphOutline.Step], text: String, width: Int? = nil, file: inout PDFFile
  ) -> (number: Int, width: Int)? {
    guard let glyph = CompactFont.glyph(steps, width: width) else { return nil }
    let key = Key(charstring: glyph.charstring, text: text)
    if let number = numbers[key] { return (number, glyph.width) }
    guard glyphs.count < 1 << 16 - 1, !glyphs.isEmpty else { return nil }
    if object == nil { object = file.reserve() }
    numbers[key] = glyphs.count
    glyphs.append(glyph)
    texts.append(text)
    return (glyphs.count - 1, glyph.width)
  }

  /// Writes the font, if it is in use.
  func write(to file: inout PDFFile) {
    guard let object else { return }
    var box = [0, 0, 0, 0]
    for glyph in glyphs {
      box = [
        min(box[0], glyph.box.left), min(box[1], glyph.box.bottom), max(box[2], glyph.box.right),
        max(box[3], glyph.box.top),
      ]
    }
    let name = "\(tag)+MapState"
    let program = file.addStream(
      "/Subtype /CIDFontType0C ", CompactFont.program(glyphs, name: name, box: box))
    let corners = box.map { "\($0)" }.joined(separator: " ")
    let descriptor = file.add(
      "<< /Type /FontDescriptor /FontName /\(name) /Flags 4 /FontBBox [\(corners)] /ItalicAngle 0 /Ascent 1069 "
        + "/Descent -293 /CapHeight 714 /StemV 80 /FontFile3 \(program) 0 R >>")
    let widths = glyphs.dropFirst().map { "\($0.width)" }.joined(separator: " ")
    let descendant = file.add(
      "<< /Type /Font /Subtype /CIDFontType0 /BaseFont /\(name) /CIDSystemInfo << /Registry (Adobe) "
        + "/Ordering (Identity) /Supplement 0 >> /FontDescriptor \(descriptor) 0 R /W [1 [\(widths)]] >>")
    let map = file.addStream("", Array(characterMap.utf8))
    file.write(
      object,
      "<< /Type /Font /Subtype /Type0 /BaseFont /\(name)-Identity-H /Encoding /Identity-H "
        + "/DescendantFonts [\(descendant) 0 R] /ToUnicode \(map) 0 R >>")
  }

  /// Six letters that tell fonts with other glyphs apart.
  ///
  /// - Source: ISO 32000-1, 9.6.4; the letters are a design decision, from the hash FNV-1a.
  private var tag: String {
    var hash: UInt32 = 2_166_136_261
    for glyph in glyphs { for byte in glyph.charstring { hash = (hash ^ UInt32(byte)) &* 16_777_619 } }
    return String(
      decoding: (0..<6).map { _ in
        defer { hash /= 26 }
        return UInt8(ascii: "A") + UInt8(truncatingIfNeeded: hash % 26)
      }, as: UTF8.self)
  }

  /// The characters of each glyph.
  private var characterMap: String {
    var map = """
      /CIDInit /ProcSet findresource begin
      12 dict begin
      begincmap
      /CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
      /CMapName /Adobe-Identity-UCS def
      /CMapType 2 def
      1 begincodespacerange
      <0000> <FFFF>
      endcodespacerange

      """
    let known = texts.indices.filter { !texts[$0].isEmpty }
    for start in stride(from: 0, to: known.count, by: 100) {
      let part = known[start..<min(start + 100, known.count)]
      map += "\(part.count) beginbfchar\n"
      for number in part {
        var units = Array(texts[number].utf16.prefix(Self.textLimit))
        // A character of two units is not cut.
        if let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
        let digits = units.map { PDFFile.hexadecimal($0) }.joined()
        map += "<\(PDFFile.hexadecimal(UInt16(clamping: number)))> <\(digits)>\n"
      }
      map += "endbfchar\n"
    }
    return map + "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n"
  }
}
