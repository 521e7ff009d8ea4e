import MapFeatures

/// The filled cells of a sheet, row by row.
struct Sheet: Sendable {
  /// The value of a cell, as text; texts are quoted in delimited text.
  struct Cell: Sendable {
    let column: Int
    let range: Range<Int>
    let isText: Bool
  }

  let name: String
  private var bytes: [UInt8] = []
  private(set) var cells: [Cell] = []
  /// For each row with a cell, the index after its last cell.
  private var ends: [Int] = []
  /// The cells whose formula has an error, and those whose formula has no stored result.
  var errors = 0, missingResults = 0

  /// The largest number of columns; that of rows follows from the number of cells.
  ///
  /// - Source: design decision; a table has at most as many fields.
  static let columnLimit = FeatureSchema.fieldLimit
  /// The largest number of filled cells.
  ///
  /// - Source: design decision: memory of about a gigabyte.
  static let cellLimit = 20_000_000

  init(name: String) { self.name = name }

  /// Adds a cell to the current row.
  ///
  /// - Throws: `ReadFault` beyond a limit.
  mutating func append(_ text: [UInt8], column: Int, isText: Bool, at place: Int) throws(ReadFault) {
    guard !text.isEmpty else { return }
    guard column < Self.columnLimit else {
      throw ReadFault("sheet \(name): more than \(Self.columnLimit) columns", at: place)
    }
    guard cells.count < Self.cellLimit else {
      throw ReadFault("sheet \(name): more than \(Self.cellLimit) filled cells", at: place)
    }
    bytes += text
    cells.append(Cell(column: column, range: bytes.count - text.count..<bytes.count, isText: isText))
  }

  /// Ends a row; one without a filled cell is left out.
  mutating func endRow() {
    guard cells.count > ends.last ?? 0 else { return }
    ends.append(cells.count)
  }

  /// Adds the last row again.
  mutating func repeatRow(_ count: Int, at place: Int) throws(ReadFault) {
    guard let end = ends.last else { return }
    let row = cells[(ends.count > 1 ? ends[ends.count - 2] : 0)..<end]
    guard row.count <= (Self.cellLimit - cells.count) / max(1, count) else {
      throw ReadFault("sheet \(name): more than \(Self.cellLimit) filled cells", at: place)
    }
    for _ in 0..<count {
      cells += row
      ends.append(cells.count)
    }
  }

  /// Returns the cells of a row.
  private func cells(ofRow row: Int) -> ArraySlice<Cell> { cells[(row == 0 ? 0 : ends[row - 1])..<ends[row]] }

  /// The number of rows above the header, such as a title: the header is the first row of at least two cells among ten.
  private var rowsAboveHeader: Int {
    (0..<min(10, ends.count)).first { cells(ofRow: $0).count > 1 } ?? 0
  }

  /// Returns the sheet as delimited text with a header, and warnings about what was left out.
  func delimitedText() -> (bytes: [UInt8], warnings: [String]) {
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
    let width = (above..<ends.count).reduce(0) { max($0, (cells(ofRow: $1).last?.column ?? -1) + 1) }
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + cells.count * 3)
    for row in above..<ends.count {
      var next = 0
      for cell in cells(ofRow: row) {
        // A name is quoted, so that its signs are no delimiters.
        let isQuoted = cell.isText || row == above
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
          text.append(byte)
        }
        text.append(UInt8(ascii: "\""))
      }
      while next < width - 1 {
        text.append(UInt8(ascii: ","))
        next += 1
      }
      text.append(0x0A)
    }
    return (text, warnings)
  }
}
