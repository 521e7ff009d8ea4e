import MapFilter
import MapSystem

/// A workbook of Excel: its list of sheets, shared texts and formats of dates.
///
/// - Source: ECMA-376, part 1, clause 18.
struct Workbook {
  private let archive: ZipArchive
  /// The names of the sheets and of their entries.
  private var entries: [(name: String, entry: String)] = []
  private var texts: [[UInt8]] = []
  /// The kind of date of each cell format; nil for a number.
  private var dates: [DateKind?] = []
  /// Whether day 0 is 1904-01-01.
  private var startsIn1904 = false

  private enum DateKind { case date, time, duration }

  /// Reads the list of sheets.
  init(_ archive: ZipArchive) throws {
    self.archive = archive
    var targets: [String: String] = [:]
    if let bytes = try archive.bytes(named: "xl/_rels/workbook.xml.rels") {
      try Self.scan(bytes) { (scanner) throws(ReadFault) in
        guard scanner.name == "Relationship", let id = try scanner.attribute("Id"),
          let target = try scanner.attribute("Target")
        else { return }
        targets[id] = target.hasPrefix("/") ? String(target.dropFirst()) : "xl/" + target
      }
    }
    var found: [(name: String, entry: String)] = []
    var (isOld, targetsOfSheets) = (false, Set<String>())
    try Self.scan(archive.bytes(named: "xl/workbook.xml") ?? []) { (scanner) throws(ReadFault) in
      if scanner.name == "workbookPr" {
        isOld = ["1", "true"].contains(try scanner.attribute("date1904") ?? "")
      }
      guard scanner.name == "sheet", let name = try scanner.attribute("name"),
        let target = targets[try scanner.attribute("id") ?? ""], target.contains("worksheets/")
      else { return }
      // Many names for one large sheet would take its time and memory again and again.
      guard targetsOfSheets.insert(target).inserted else {
        throw ReadFault("two sheets are in \(target)", at: scanner.place)
      }
      found.append((name, target))
    }
    (entries, startsIn1904) = (found, isOld)
  }

  /// Calls `start` at each start tag.
  private static func scan(
    _ bytes: [UInt8], _ start: (inout XMLScanner) throws(ReadFault) -> Void
  ) throws {
    let text = try XMLEncoding.utf8(bytes, given: nil).bytes
    var scanner = XMLScanner(text)
    do {
      while let part = try scanner.next() { if part == .start { try start(&scanner) } }
    } catch {
      throw FeatureReadError(error, in: text)
    }
  }

  /// Reads all sheets, or only the one of a name if there is one.
  func sheets(named name: String?) throws -> [Sheet] {
    var book = self
    try book.readFormats()
    try book.readTexts()
    let chosen = entries.filter { $0.name == name }
    var sheets: [Sheet] = []
    for (name, entry) in chosen.isEmpty ? entries : chosen {
      sheets.append(try book.sheet(name, entry, after: sheets.last))
    }
    return sheets
  }

  private mutating func readFormats() throws {
    guard let bytes = try archive.bytes(named: "xl/styles.xml") else { return }
    var codes: [Int: String] = [:]
    var (kinds, isInCells): ([DateKind?], Bool) = ([], false)
    try Self.scan(bytes) { (scanner) throws(ReadFault) in
      switch scanner.name {
      case "numFmt":
        if let id = Int(try scanner.attribute("numFmtId") ?? "") {
          codes[id] = try scanner.attribute("formatCode")
        }
      case "cellXfs": isInCells = true
      case "cellStyles", "dxfs", "cellStyleXfs": isInCells = false
      case "xf" where isInCells && kinds.count < 65_536:
        let id = Int(try scanner.attribute("numFmtId") ?? "") ?? 0
        kinds.append(codes[id].map { Self.kind(ofCode: $0) } ?? Self.kind(ofFormat: id))
      default: break
      }
    }
    dates = kinds
  }

  /// - Source: ECMA-376, part 1, 18.8.30: the built-in formats.
  private static func kind(ofFormat id: Int) -> DateKind? {
    switch id {
    case 14...17, 22, 27...31, 34...36, 50...58: .date
    case 46: .duration
    case 18...21, 32, 33, 45, 47: .time
    default: nil
    }
  }

  /// Returns the kind of a format code by its letters outside quotes, brackets and escapes.
  private static func kind(ofCode code: String) -> DateKind? {
    var (letters, isQuoted, isBracketed, isEscaped): (Set<Character>, Bool, Bool, Bool) = (
      [], false, false, false
    )
    var bracketed: [String] = []
    for letter in code.lowercased() {
      if isEscaped {
        isEscaped = false
      } else if letter == "\"" {
        isQuoted.toggle()
      } else if isQuoted {
        continue
      } else if letter == "\\" || letter == "_" || letter == "*" {
        isEscaped = true
      } else if letter == "[" || letter == "]" {
        isBracketed = letter == "["
        if isBracketed { bracketed.append("") }
      } else if isBracketed {
        bracketed[bracketed.count - 1].append(letter)
      } else {
        letters.insert(letter)
      }
    }
    // Hours, minutes or seconds in brackets may be more than a day has.
    if bracketed.contains(where: { Set($0).count == 1 && "hms".contains($0[$0.startIndex]) }) {
      return .duration
    }
    if code.lowercased() == "general" || letters.contains("#")
      || letters.contains("0") && !letters.contains("s")
    {
      return nil
    }
    if letters.contains("y") || letters.contains("d") { return .date }
    if letters.contains("h") || letters.contains("s") { return .time }
    return letters.contains("m") ? .date : nil
  }

  private mutating func readTexts() throws {
    guard let bytes = try archive.bytes(named: "xl/sharedStrings.xml") else { return }
    var found: [[UInt8]] = []
    try Self.scan(bytes) { (scanner) throws(ReadFault) in
      guard scanner.name == "si" else { return }
      found.append(try Self.richText(&scanner))
    }
    texts = found
  }

  /// Returns the text of an element whose runs may have formats, without the pronunciation of its letters.
  private static func richText(_ scanner: inout XMLScanner) throws(ReadFault) -> [UInt8] {
    var text: [UInt8] = []
    let depth = scanner.depth
    while let part = try scanner.next(), part != .end || scanner.depth >= depth {
      guard part == .start else { continue }
      switch scanner.name {
      case "t": text += try scanner.elementText()
      case "rPh": try scanner.skipElement()
      default: break
      }
    }
    return text
  }

  // MARK: Cells

  private func sheet(_ name: String, _ entry: String, after last: Sheet?) throws -> Sheet {
    guard let bytes = try archive.bytes(named: entry) else {
      throw ArchiveError("sheet \(name): \(entry) is missing in the file")
    }
    let text = try XMLEncoding.utf8(bytes, given: nil).bytes
    var scanner = XMLScanner(text)
    var sheet = Sheet(name: name, after: last)
    do throws(ReadFault) {
      while let part = try scanner.next() {
        guard part == .start, scanner.name == "row" else { continue }
        try row(&scanner, &sheet)
      }
    } catch {
      throw ArchiveError("sheet \(name): \(FeatureReadError(error, in: text))")
    }
    return sheet
  }

  private func row(_ scanner: inout XMLScanner, _ sheet: inout Sheet) throws(ReadFault) {
    let depth = scanner.depth
    let number = try scanner.attribute("r").flatMap { Int($0) }
    var column = -1
    while let part = try scanner.next(), part != .end || scanner.depth >= depth {
      guard part == .start else { continue }
      guard scanner.name == "c" else {
        try scanner.skipElement()
        continue
      }
      let place = scanner.place
      let stated = try scanner.attribute("r").map { Self.column($0) } ?? column + 1
      guard stated > column else { throw ReadFault("sheet \(sheet.name): cells out of order", at: place) }
      column = stated
      try cell(&scanner, &sheet, column, at: place)
    }
    sheet.endRow(number: number)
  }

  /// Returns the index of a column by an address such as `AB12`.
  private static func column(_ address: String) -> Int {
    var number = 0
    for letter in address.utf8.prefix(8) {
      guard letter & 0xDF >= 0x41, letter & 0xDF <= 0x5A, letter >= 0x41 else { break }
      number = number * 26 + Int(letter & 0xDF) - 0x40
    }
    return number - 1
  }

  private func cell(
    _ scanner: inout XMLScanner, _ sheet: inout Sheet, _ column: Int, at place: Int
  ) throws(ReadFault) {
    let type = try scanner.attribute("t") ?? "n"
    let format = Int(try scanner.attribute("s") ?? "") ?? 0
    var (value, isFormula): ([UInt8]?, Bool) = (nil, false)
    let depth = scanner.depth
    while let part = try scanner.next(), part != .end || scanner.depth >= depth {
      guard part == .start else { continue }
      switch scanner.name {
      case "v": value = try scanner.elementText()
      case "is": value = try Self.richText(&scanner)
      case "f":
        isFormula = true
        try scanner.skipElement()
      default: try scanner.skipElement()
      }
    }
    guard let value, !value.isEmpty else {
      // A formula may have an empty text.
      if isFormula, type != "str" { sheet.missingResults += 1 }
      return
    }
    let text = String(decoding: value, as: UTF8.self)
    switch type {
    case "s":
      guard let index = Int(text), texts.indices.contains(index) else {
        throw ReadFault("sheet \(sheet.name): no shared text \(text.prefix(20))", at: place)
      }
      try sheet.append(texts[index], column: column, .text, at: place)
    case "b":
      try sheet.append(Array((text == "1" ? "true" : "false").utf8), column: column, .other, at: place)
    case "e": sheet.errors += 1
    case "n":
      let kind = dates.indices.contains(format) ? dates[format] : nil
      let date = kind.flatMap { kind in Double(text).flatMap { self.date($0, kind) } }
      let isNumber = Double(text)?.isFinite ?? false
      try sheet.append(
        date ?? value, column: column, date != nil ? .other : isNumber ? .number : .text, at: place)
    default: try sheet.append(value, column: column, .text, at: place)
    }
  }

  /// Returns a number of days as ISO 8601 text, or as hours, minutes and seconds; nil for one that is no date.
  ///
  /// - Source: ECMA-376, part 1, 18.17.4: days since 1899-12-30, in which 1900 is taken as a leap year, or since
  ///   1904-01-01. Times are rounded to milliseconds.
  private func date(_ days: Double, _ kind: DateKind) -> [UInt8]? {
    guard days >= (kind == .duration ? -2_958_466 : 0), days < 2_958_466 else { return nil }
    let millisecond = 86_400_000.0
    let whole = Int64(clamping: (days * millisecond).rounded())
    let (day, rest) = whole.quotientAndRemainder(dividingBy: 86_400_000)
    if kind == .duration || kind == .time && day == 0 { return Sheet.clock(milliseconds: whole) }
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let first: Int64 = startsIn1904 ? -24_107 : -25_569
    // Excel counts 1900-02-29, which did not exist.
    let shift: Int64 = !startsIn1904 && day < 60 ? 1 : 0
    let (year, month, date) = CalendarDate(days: Int32(truncatingIfNeeded: first + day + shift)).components
    let text = Array("\(String(10_000 + year).dropFirst())-\(two(Int(month)))-\(two(Int(date)))".utf8)
    return rest == 0 ? text : text + [UInt8(ascii: "T")] + Sheet.clock(milliseconds: rest)
  }
}
