import MapSystem

/// Reads the sheets of an OpenDocument spreadsheet.
///
/// - Source: OpenDocument 1.3, part 3, clauses 9.1 and 19.
enum OpenDocumentSheets {
  /// Reads all sheets.
  static func read(_ archive: ZipArchive) throws -> [Sheet] {
    let text = try XMLEncoding.utf8(archive.bytes(named: "content.xml") ?? [], given: nil).bytes
    var scanner = XMLScanner(text)
    var sheets: [Sheet] = []
    do throws(ReadFault) {
      while let part = try scanner.next() {
        guard part == .start, scanner.name == "table" else { continue }
        sheets.append(try sheet(&scanner, after: sheets.last))
      }
    } catch {
      throw FeatureReadError(error, in: text)
    }
    return sheets
  }

  private static func sheet(
    _ scanner: inout XMLScanner, after last: Sheet?
  ) throws(ReadFault) -> Sheet {
    var sheet = Sheet(name: try scanner.attribute("name") ?? "", after: last)
    let depth = scanner.depth
    while let part = try scanner.next(), part != .end || scanner.depth >= depth {
      guard part == .start else { continue }
      switch scanner.name {
      case "table-row": try row(&scanner, &sheet)
      // Rows may be in groups.
      case "table-header-rows", "table-rows", "table-row-group": break
      default: try scanner.skipElement()
      }
    }
    return sheet
  }

  private static func row(_ scanner: inout XMLScanner, _ sheet: inout Sheet) throws(ReadFault) {
    let place = scanner.place
    let repeats = Int(try scanner.attribute("number-rows-repeated") ?? "") ?? 1
    let depth = scanner.depth
    var column = 0
    while let part = try scanner.next(), part != .end || scanner.depth >= depth {
      guard part == .start else { continue }
      guard scanner.name == "table-cell" || scanner.name == "covered-table-cell" else {
        try scanner.skipElement()
        continue
      }
      let columns = max(1, Int(try scanner.attribute("number-columns-repeated") ?? "") ?? 1)
      let cell = try cell(&scanner, &sheet)
      if !cell.text.isEmpty {
        for index in 0..<min(columns, Sheet.columnLimit + 1) {
          try sheet.append(cell.text, column: column + index, cell.kind, at: place)
        }
      }
      column = min(Sheet.columnLimit, column + min(columns, Sheet.columnLimit))
    }
    sheet.endRow()
    if repeats > 1 { try sheet.repeatRow(repeats - 1, at: place) }
  }

  private static func cell(
    _ scanner: inout XMLScanner, _ sheet: inout Sheet
  ) throws(ReadFault) -> (text: [UInt8], kind: Sheet.Cell.Kind) {
    let type = try scanner.attribute("value-type") ?? ""
    let value: String? =
      switch type {
      case "float", "percentage", "currency": try scanner.attribute("value")
      case "date": try scanner.attribute("date-value")
      case "boolean": try scanner.attribute("boolean-value")
      case "time": try scanner.attribute("time-value").map { clock($0) ?? $0 }
      default: try scanner.attribute("string-value")
      }
    var (text, paragraphs): ([UInt8], Int) = ([], 0)
    let depth = scanner.depth
    while let part = try scanner.next(), part != .end || scanner.depth >= depth {
      guard part == .start else { continue }
      guard scanner.name == "p" else {
        try scanner.skipElement()
        continue
      }
      if paragraphs > 0 { text.append(0x0A) }
      paragraphs += 1
      text += try paragraph(&scanner)
    }
    guard !type.isEmpty else { return ([], .text) }
    // A formula with an error is a text such as "#DIV/0!" of type string, or a number without a text of its own.
    if text.starts(with: "#".utf8), text.last == UInt8(ascii: "!") || text == Array("#N/A".utf8) {
      sheet.errors += 1
      return ([], .text)
    }
    if type == "string" { return (value.map { Array($0.utf8) } ?? text, .text) }
    let isOther = type == "date" || type == "boolean" || type == "time"
    let isNumber = value.flatMap { Double($0) }?.isFinite ?? false
    return (Array((value ?? "").utf8), isOther ? .other : isNumber ? .number : .text)
  }

  private static func paragraph(_ scanner: inout XMLScanner) throws(ReadFault) -> [UInt8] {
    var text: [UInt8] = []
    let depth = scanner.depth
    while let part = try scanner.next(), part != .end || scanner.depth >= depth {
      if part == .text { text += try scanner.pieceText() }
      guard part == .start else { continue }
      switch scanner.name {
      case "s":
        let count = Int(try scanner.attribute("c") ?? "") ?? 1
        text += [UInt8](repeating: 0x20, count: max(0, min(count, 1000)))
      case "tab": text.append(0x09)
      case "line-break": text.append(0x0A)
      case "annotation": try scanner.skipElement()
      default: break
      }
    }
    return text
  }

  /// Returns a duration such as `PT36H30M00S` in hours, minutes and seconds; nil for another text.
  ///
  /// - Source: ISO 8601; the days of months and years are not known. Fractions are rounded to milliseconds.
  private static func clock(_ text: String) -> String? {
    let form = #/(-?)P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:[.,]\d+)?)S)?)?/#
    guard let parts = text.wholeMatch(of: form) else { return nil }
    func number(_ part: Substring?) -> Double? {
      part.map { Double($0.replacing(",", with: ".")) ?? .infinity }
    }
    let units = [(parts.2, 86_400.0), (parts.3, 3600), (parts.4, 60), (parts.5, 1)]
    let known = units.compactMap { part, seconds in number(part).map { $0 * seconds } }
    let seconds = known.reduce(0, +)
    // Doubles hold the milliseconds up to this exactly.
    guard !known.isEmpty, seconds < 0x1p43 else { return nil }
    let milliseconds = Int64(clamping: (seconds * 1000).rounded()) * (parts.1.isEmpty ? 1 : -1)
    return String(decoding: Sheet.clock(milliseconds: milliseconds), as: UTF8.self)
  }
}
