import MapFeatures

/// The filled cells of a sheet, row by row.
struct Sheet: Sendable {
  /// The value of a cell, as text; texts are quoted in delimited text.
  struct Cell: Sendable {
    /// The type of a value; a date or a boolean is no number.
    enum Kind: Sendable { case text, number, other }

    let column: Int
    let range: Range<Int>
    let kind: Kind
  }

  let name: String
  private var bytes: [UInt8] = []
  private(set) var cells: [Cell] = []
  /// For each row with a cell, the index after its last cell, and its number from 1.
  private var ends: [Int] = [], numbers: [Int] = []
  /// The rows so far, also those without a cell.
  private var rowCount = 0
  /// The number of filled cells in the sheets before it.
  private let cellsBefore: Int
  /// The size of the texts of all cells, with the sheets before it, in bytes.
  private var textSize: Int
  /// The cells whose formula has an error, and those whose formula has no stored result.
  var errors = 0, missingResults = 0

  /// The largest number of columns; that of rows follows from the number of cells.
  ///
  /// - Source: design decision; a table has at most as many fields.
  static let columnLimit = FeatureSchema.fieldLimit
  /// The largest number of filled cells in all sheets of a file.
  ///
  /// - Source: design decision: memory of about a gigabyte.
  static let cellLimit = 20_000_000
  /// The largest size of the texts of these cells, in bytes.
  ///
  /// A small file may repeat a long text.
  /// - Source: design decision: memory of some gigabytes.
  static let textLimit = 1 << 30
  /// The largest number of cells in all tables of a file, filled or not.
  ///
  /// - Source: design decision: an empty cell takes up to nine bytes, as a delimiter and in a column of numbers.
  static let tableLimit = 200_000_000

  /// Creates a sheet without cells.
  ///
  /// - Parameter last: the sheet before it in the file.
  init(name: String, after last: Sheet?) {
    self.name = name
    cellsBefore = last.map { $0.cellsBefore + $0.cells.count } ?? 0
    textSize = last?.textSize ?? 0
  }

  /// Adds a cell to the current row.
  ///
  /// - Throws: `ReadFault` beyond a limit.
  mutating func append(
    _ text: [UInt8], column: Int, _ kind: Cell.Kind, at place: Int
  ) throws(ReadFault) {
    guard !text.isEmpty else { return }
    guard column < Self.columnLimit else {
      throw ReadFault("sheet \(name): more than \(Self.columnLimit) columns", at: place)
    }
    try count(cells: 1, size: text.count, at: place)
    bytes += text
    cells.append(Cell(column: column, range: bytes.count - text.count..<bytes.count, kind: kind))
  }

  /// Counts the cells of a row that is added some times, and the size of their texts.
  private mutating func count(
    cells more: Int, size: Int, times: Int = 1, at place: Int
  ) throws(ReadFault) {
    guard more <= (Self.cellLimit - cellsBefore - cells.count) / times else {
      throw ReadFault("sheet \(name): more than \(Self.cellLimit) filled cells", at: place)
    }
    guard size <= (Self.textLimit - textSize) / times else {
      throw ReadFault("sheet \(name): more than \(Self.textLimit >> 30) GiB of text", at: place)
    }
    textSize += size * times
  }

  /// Ends a row with the number that the file states; one without a filled cell is left out.
  mutating func endRow(number: Int? = nil) {
    // A file may state any number.
    rowCount = number.map { min(max($0, 1), Int(Int32.max)) } ?? rowCount + 1
    guard cells.count > ends.last ?? 0 else { return }
    ends.append(cells.count)
    numbers.append(rowCount)
  }

  /// Adds the last row again; one without a filled cell is only counted.
  mutating func repeatRow(_ count: Int, at place: Int) throws(ReadFault) {
    guard count > 0 else { return }
    guard let end = ends.last, numbers.last == rowCount else {
      rowCount = min(Int.max / 2, rowCount + min(count, Int.max / 4))
      return
    }
    let row = cells[(ends.count > 1 ? ends[ends.count - 2] : 0)..<end]
    try self.count(
      cells: row.count, size: row.reduce(0) { $0 + $1.range.count }, times: count, at: place)
    for _ in 0..<count {
      cells += row
      endRow()
    }
  }

  /// Returns the cells of a row.
  private func cells(ofRow row: Int) -> ArraySlice<Cell> { cells[(row == 0 ? 0 : ends[row - 1])..<ends[row]] }

  /// The number of rows above the header, such as a title: the header is the first row of at least two cells among ten.
  private var rowsAboveHeader: Int {
    (0..<min(10, ends.count)).first { cells(ofRow: $0).count > 1 } ?? 0
  }

  /// The number of columns from the header on.
  private var width: Int {
    (rowsAboveHeader..<ends.count).reduce(0) { max($0, (cells(ofRow: $1).last?.column ?? -1) + 1) }
  }

  /// The number of cells from the header on, filled or not.
  var tableSize: Int { (ends.count - rowsAboveHeader) * width }

  /// Returns the sheet as delimited text with a header, and warnings about what was left out.
  ///
  /// - Parameter decimalSign: the decimal sign of all numbers, as the caller states it.
  func delimitedText(_ decimalSign: DecimalSign?) -> (text: SheetText, warnings: [String]) {
    let above = rowsAboveHeader
    var warnings: [String] = []
    if above > 0 {
      warnings.append(
        above == 1 ? "1 row above the header was left out" : "\(above) rows above the header were left out")
    }
    if errors > 0 {
      let what =
        errors == 1
        ? "1 cell with an error, such as #DIV/0!, was" : "\(errors) cells with errors, such as #DIV/0!, were"
      warnings.append("\(what) read as null")
    }
    if missingResults > 0 {
      let what =
        missingResults == 1
        ? "1 formula without a stored result was" : "\(missingResults) formulas without stored results were"
      warnings.append("\(what) read as null; open and save the file in its program")
    }
    let width = width
    var text: [UInt8] = []
    var rows: [SheetText.Row] = []
    text.reserveCapacity(bytes.count + cells.count * 3)
    for row in above..<ends.count {
      rows.append(SheetText.Row(number: numbers[row], start: text.count))
      var next = 0
      for cell in cells(ofRow: row) {
        let hasComma = cell.kind == .number && decimalSign == .comma
        // A name is quoted, so that its signs are no delimiters.
        let isQuoted = cell.kind == .text || hasComma || row == above
        while next < cell.column {
          text.append(UInt8(ascii: ","))
          next += 1
        }
        guard isQuoted else {
          text += bytes[cell.range]
          continue
        }
        text.append(UInt8(ascii: "\""))
        for byte in bytes[cell.range] {
          if byte == UInt8(ascii: "\"") { text.append(byte) }
          text.append(hasComma && row > above && byte == UInt8(ascii: ".") ? UInt8(ascii: ",") : byte)
        }
        text.append(UInt8(ascii: "\""))
      }
      while next < width - 1 {
        text.append(UInt8(ascii: ","))
        next += 1
      }
      text.append(0x0A)
    }
    return (SheetText(bytes: text, rows: rows), warnings)
  }

  /// Returns a duration or a time of day, such as `08:30:00`, with as many hours as it has.
  static func clock(milliseconds: Int64) -> [UInt8] {
    let rest = milliseconds.magnitude
    func two(_ number: UInt64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let fraction = rest % 1000
    let text =
      "\(two(rest / 3_600_000)):\(two(rest / 60_000 % 60)):\(two(rest / 1000 % 60))"
      + (fraction == 0 ? "" : "." + String(1000 + fraction).dropFirst())
    return Array(((milliseconds < 0 ? "-" : "") + text).utf8)
  }
}
