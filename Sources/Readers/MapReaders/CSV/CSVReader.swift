package import MapFeatures
import MapGeometry
import MapJSON
import MapSystem

/// Reads delimited text into columns: a header, then one record per line.
///
/// The delimiter is that of the options or of a first line `sep=;`; otherwise it is the most frequent of comma, semicolon
/// and tab in the header.
///
/// Geometry comes from the first of these that exists; ``CSVCoordinateNames`` lists the names:
/// - a column of well-known text (`wkt`, `geom`, `geometry`, `the_geom`)
/// - a longitude and a latitude column (such as `longitude`, `lon`, `lng`, `long`; `latitude`, `lat`)
/// - `x` and `y`, in degrees; if any value lies beyond 180 or 90, all are Web Mercator, with a warning
/// - with a stated spatial reference, columns such as `easting` and `northing`
///
/// Otherwise the table has no geometry. Coordinate columns remain fields; well-known text does not.
///
/// A field gets the narrowest type that suits all its values: integer, decimal, boolean, date, date-time, text.
/// Integers that start with 0 or `+` are codes and remain text, as do those of more than 64 bits. An empty field is
/// null, `""` is empty text. A time without a time zone is read as UTC, with a warning.
///
/// Numbers with decimal commas or groups of digits are numbers where a whole column agrees on one ``NumberForm``, with one
/// warning unless the caller states the decimal sign. Columns that may be numbers in two forms are text, with a warning.
/// Coordinates may be in degrees, minutes and seconds.
///
/// - Source: RFC 4180.
package enum CSVReader {
  /// Reads all records of a document, with the selected fields.
  ///
  /// - Throws: ``FeatureReadError`` with line and column.
  package static func read(
    _ bytes: [UInt8], fields: FieldSelection = .all, options: ReadingOptions = ReadingOptions()
  ) throws(FeatureReadError) -> FeatureColumns {
    try read(bytes, fields: fields, options: options, pieceSize: FilePieces.size)
  }

  /// Reads a document with another piece size per core, in bytes; the result is the same.
  package static func read(
    _ bytes: [UInt8], fields: FieldSelection = .all, options: ReadingOptions = ReadingOptions(),
    pieceSize: Int
  ) throws(FeatureReadError) -> FeatureColumns {
    try read(bytes, fields, options, pieceSize, of: nil)
  }

  /// Reads the text of a sheet, whose rows and cells the warnings name.
  static func read(
    _ sheet: SheetText, fields: FieldSelection, options: ReadingOptions
  ) throws(FeatureReadError) -> FeatureColumns {
    try read(sheet.bytes, fields, options, FilePieces.size, of: sheet)
  }

  private static func read(
    _ bytes: [UInt8], _ fields: FieldSelection, _ options: ReadingOptions, _ pieceSize: Int,
    of sheet: SheetText?
  ) throws(FeatureReadError) -> FeatureColumns {
    let (bytes, warnings) = try TextEncoding.utf8(bytes, given: options.encoding)
    do {
      var options = options
      options.encoding = nil
      if !options.skipsBadRows { try checkUTF8(bytes) }
      var parser = try CSVParser(bytes, fields: fields, options: options, pieceSize: pieceSize)
      return try parser.table(warnings, of: sheet)
    } catch {
      throw FeatureReadError(error, in: bytes)
    }
  }

  /// Whether the first bytes of a file are those of delimited text: lines with as many fields, at least two.
  package static func looksLikeCSV(_ head: ArraySlice<UInt8>) -> Bool {
    let head = TextEncoding.decodedStart(Array(head))
    let isText = head.allSatisfy { $0 >= 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    // XML and JSON have delimiters, too.
    guard isText, let first = head.first(where: { $0 > 0x20 }), !"<{[".utf8.contains(first) else {
      return false
    }
    var records = CSVRecords(head)
    guard (try? records.next()) == true, records.fields.count > 1 || records.isDeclared else { return false }
    let count = records.fields.count
    // The first bytes may end within a record.
    guard (try? records.next()) == true, records.offset < head.count else { return true }
    return records.fields.count == count
  }

  /// Checks that the bytes are UTF-8.
  ///
  /// - Throws: The first position that is not UTF-8.
  private static func checkUTF8(_ bytes: [UInt8]) throws(ReadFault) {
    // A piece starts at a byte that starts a sequence, so no sequence is split.
    let ranges = FilePieces.ranges(bytes.indices, size: 1 << 20) { place in
      bytes[place...].prefix(4).firstIndex { $0 & 0xC0 != 0x80 }
    }
    let faults = concurrentMap(ranges.count) { fault(in: bytes, ranges[$0]) }
    guard !faults.allSatisfy({ $0 == nil }), let place = fault(in: bytes, bytes.indices) else { return }
    throw Self.notUTF8(at: place)
  }

  static func notUTF8(at place: Int) -> ReadFault {
    ReadFault(
      "bytes that are not UTF-8; name the encoding of the file, as in --encoding latin1 or --encoding windows-1252",
      at: place)
  }

  static func fault(in bytes: [UInt8], _ range: Range<Int>) -> Int? {
    var offset = range.lowerBound
    let span = bytes.span
    while offset < range.upperBound {
      // Most files have few bytes of more than 7 bits.
      var block: UInt8 = 0
      for index in offset..<min(offset + 64, range.upperBound) { block |= span[index] }
      if block < 0x80 {
        offset += 64
        continue
      }
      if bytes[offset] < 0x80 {
        offset += 1
        continue
      }
      guard let length = UTF8Check.length(of: bytes, at: offset) else { return offset }
      offset += length
    }
    return nil
  }
}

/// The state while one document of delimited text is read.
struct CSVParser: Sendable {
  private(set) var records: CSVRecords
  /// The start of the first record after the header, or of the piece.
  private(set) var start: Int
  private(set) var names: [String] = []
  private var columns: [ColumnBuilder] = []
  /// The indices of the fields to read: the selected ones, without well-known text.
  private var wanted: [Int] = []
  private(set) var places: CSVPlaces
  private var rowCount = 0
  /// Whether the points of all rows are the numbers of two fields, and not in ``places``.
  private var sharesCoordinates = false
  private var nameWarnings: [String] = []
  /// The number of bytes that one core reads at a time.
  private let pieceSize: Int
  private let options: ReadingOptions
  /// The decimal sign of the fields, as far as it is known.
  private(set) var numbers = NumberReading()
  /// The records that cannot be read, as the offset of the end of each by the offset of its start.
  private var badRecords: [Int: Int] = [:]
  private var skipped = SkippedRows()

  init(_ bytes: [UInt8], fields: FieldSelection, options: ReadingOptions, pieceSize: Int) throws {
    (self.pieceSize, self.options) = (pieceSize, options)
    records = CSVRecords(bytes, delimiter: options.delimiter)
    guard try records.next() else { throw ReadFault("no content", at: 0) }
    guard records.fields.count <= FeatureSchema.fieldLimit else {
      throw ReadFault(
        "a header of \(records.fields.count) names: a table has at most \(FeatureSchema.fieldLimit) fields",
        at: 0)
    }
    start = records.offset
    let written = records.fields.map { [records] field in
      let text = String(decoding: records.text(of: field), as: UTF8.self)
      let blank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
      return String(text.drop(while: blank).reversed().drop(while: blank).reversed())
    }
    names = FieldNames.distinct(written)
    nameWarnings = FieldNames.warnings(names, written: written, in: "header")
    numbers = NumberReading(stated: options.decimalSign, isDelimitedByCommas: records.delimiter == 0x2C)
    columns = names.map { [numbers] _ in ColumnBuilder(untyped: true, readsPoints: numbers.readsPoints) }
    places = try CSVPlaces(names: names, records: records, options: options)
    let all = names.indices.filter { $0 != places.textColumn }
    let selection = fields.among(
      all.lazy.map { [names] in names[$0] },
      geometryName: places.hasGeometry ? FeatureSchema.defaultGeometryName : nil)
    wanted = all.filter { selection.contains(names[$0]) }
  }

  mutating func table(
    _ warnings: [String], of sheet: SheetText?
  ) throws -> FeatureColumns {
    // A stated decimal sign may change numbers that programs would read.
    if options.decimalSign != nil { _ = try findForms() }
    var untouched = self
    do { try readAll() } catch {
      self = untouched
      let isFound = try findForms()
      untouched = self
      do {
        guard isFound else { throw error }
        try readAll()
      } catch {
        guard options.skipsBadRows else { throw error }
        self = untouched
        findBadRecords()
        try readRows()
      }
    }
    return try result(warnings, of: sheet)
  }

  /// Finds the forms of coordinates that people wrote; they show the decimal sign of the other fields, too.
  ///
  /// Returns false for coordinates that programs wrote.
  private mutating func findForms() throws -> Bool {
    guard try places.findForms(records), let forms = places.forms else { return false }
    numbers.shown = forms.decimal
    columns = names.map { [numbers] _ in ColumnBuilder(untyped: true, readsPoints: numbers.readsPoints) }
    return true
  }

  private mutating func readAll() throws {
    if options.skipsBadRows, let place = CSVReader.fault(in: records.bytes, records.bytes.indices) {
      throw CSVReader.notUTF8(at: place)
    }
    if let whole = readPieces() { self = whole } else { try readRows() }
  }

  /// Tries every record alone, and notes those that cannot be read.
  private mutating func findBadRecords() {
    var (trial, srid) = (records, places.srid)
    while true {
      let start = trial.skipLineEnds()
      do {
        guard try trial.next() else { return }
        var place = places.emptied(srid: srid)
        try check(trial)
        try place.addRow(trial)
        srid = place.srid
      } catch {
        skipped.note(FeatureReadError(error, in: trial.bytes))
        // In a record with a wrong quotation mark, nothing says where it ends; the next line is then tried.
        if (error as? ReadFault)?.reason.isOfQuotation == true { trial.skipLine(from: start) }
        badRecords[start] = trial.offset
      }
    }
  }

  /// Checks the number of fields of a record, and that their texts are UTF-8.
  private func check(_ records: CSVRecords) throws(ReadFault) {
    let count = records.fields.count
    guard count == names.count else {
      throw ReadFault(
        "\(count) field\(count == 1 ? "" : "s") where the header has \(names.count)", at: records.start)
    }
    guard options.skipsBadRows, let last = records.fields.last else { return }
    if let place = CSVReader.fault(in: records.bytes, records.start..<last.range.upperBound) {
      throw CSVReader.notUTF8(at: place)
    }
  }

  /// Moves to the next record that can be read; false at the end.
  private mutating func nextRecord() throws(ReadFault) -> Bool {
    while !badRecords.isEmpty, let end = badRecords[records.skipLineEnds()] { records.move(to: end) }
    return try records.next()
  }

  /// Reads all records.
  private mutating func readRows() throws {
    // Coordinates that are read as fields anyway need not be read again.
    let coordinates = places.coordinateColumns.flatMap {
      wanted.contains($0.x) && wanted.contains($0.y) ? $0 : nil
    }
    // As long as both are numbers, the points need not be stored.
    sharesCoordinates = coordinates != nil
    // One reference for the loop, which avoids reference counting per field.
    let bytes = records.bytes
    while try nextRecord() {
      if records.fields.count != names.count { try check(records) }
      for index in wanted { appendField(index, bytes) }
      if let coordinates, let x = columns[coordinates.x].lastNumber,
        let y = columns[coordinates.y].lastNumber
      {
        if !sharesCoordinates { try places.addPoint(x: x, y: y) }
      } else {
        try addSharedPoints()
        try places.addRow(records)
      }
      rowCount += 1
    }
    if let coordinates, columns[coordinates.x].decimals == nil || columns[coordinates.y].decimals == nil {
      try addSharedPoints()
    }
    try readTexts(wanted.filter { columns[$0].isGivenUp })
  }

  /// Adds the points of the rows so far to ``places``, if they are only in two fields.
  private mutating func addSharedPoints() throws {
    guard sharesCoordinates, let (x, y) = places.coordinateColumns else { return }
    sharesCoordinates = false
    for row in 0..<rowCount {
      guard let east = columns[x].number(inRow: row), let north = columns[y].number(inRow: row) else {
        return try readPlaces()
      }
      try places.addPoint(x: east, y: north)
    }
  }

  /// Reads the places of the rows so far again, after a field turned out to have other values than numbers.
  private mutating func readPlaces() throws {
    let current = records
    records.move(to: start)
    for _ in 0..<rowCount {
      guard try nextRecord() else { break }
      try places.addRow(records)
    }
    records = current
  }

  private mutating func appendField(_ index: Int, _ bytes: [UInt8]) {
    let field = records.fields[index]
    if field.range.isEmpty, !field.isQuoted {
      columns[index].appendNull()
    } else if field.hasDoubledQuotes {
      columns[index].append(text: records.text(of: field), in: bytes)
    } else {
      columns[index].append(text: field.range, in: bytes)
    }
  }

  /// Reads some columns of the records again, as text.
  private mutating func readTexts(_ indices: [Int]) throws {
    guard !indices.isEmpty else { return }
    for index in indices { columns[index] = .ofText(untyped: true, readsPoints: numbers.readsPoints) }
    records.move(to: start)
    let bytes = records.bytes
    while try nextRecord() { for index in indices { appendField(index, bytes) } }
  }

  /// Reads the records in pieces on all cores.
  ///
  /// Nil for a short file, if a piece has an error, or if a piece starts inside a record. The records must then be read
  /// sequentially.
  private func readPieces() -> CSVParser? {
    let ranges = FilePieces.ranges(records.offset..<records.bytes.count, size: pieceSize) {
      records.recordStart(after: $0)
    }
    guard ranges.count > 1 else { return nil }
    let rowsPerPiece = pieceSize / max(1, firstRecordSize) / 16 * 17
    let pieces = concurrentMap(ranges.count) { index -> CSVParser? in
      var piece = self
      // Each piece copies its bytes: cores that count references to the same array slow each other down.
      piece.records = CSVRecords(ranges[index], of: records)
      piece.start = 0
      piece.reserve(rows: rowsPerPiece)
      guard (try? piece.readRows()) != nil else { return nil }
      // Release the copy now, so that the next piece reuses its memory: new memory costs more than the copying.
      piece.records = records
      return piece
    }.compactMap { $0 }
    guard pieces.count == ranges.count else { return nil }
    var whole = self
    whole.sharesCoordinates = pieces.allSatisfy(\.sharesCoordinates)
    for (var piece, range) in zip(pieces, ranges) {
      whole.rowCount += piece.rowCount
      if whole.sharesCoordinates { continue }
      guard (try? piece.addSharedPoints()) != nil,
        whole.places.append(piece.places, from: range.lowerBound)
      else { return nil }
    }
    var mixed: [Int] = []
    for (index, column) in zip(wanted, Self.joined(pieces, wanted)) {
      if let column { whole.columns[index] = column } else { mixed.append(index) }
    }
    // A column with numbers in one piece and words in another is text in both.
    if !mixed.isEmpty {
      let texts = concurrentMap(pieces.count) { [mixed] index -> CSVParser? in
        var piece = pieces[index]
        piece.records = CSVRecords(ranges[index], of: records)
        return (try? piece.readTexts(mixed)).map { piece }
      }.compactMap { $0 }
      guard texts.count == pieces.count else { return nil }
      for (index, column) in zip(mixed, Self.joined(texts, mixed)) {
        guard let column else { return nil }
        whole.columns[index] = column
      }
    }
    if whole.sharesCoordinates, let (x, y) = whole.places.coordinateColumns,
      whole.columns[x].decimals == nil || whole.columns[y].decimals == nil
    {
      return nil
    }
    return whole
  }

  /// The size of the first record in bytes, with its line end.
  private var firstRecordSize: Int {
    var records = records
    guard (try? records.next()) == true else { return 0 }
    return records.offset + 1 - records.start
  }

  private mutating func reserve(rows: Int) {
    for index in wanted { columns[index].reserve(rows: rows) }
    places.reserve(rows: rows)
  }

  /// Joins some columns of the pieces; nil for a column of several types.
  private static func joined(_ pieces: [CSVParser], _ columns: [Int]) -> [ColumnBuilder?] {
    concurrentMap(columns.count) { index in
      ColumnBuilder.joined(
        pieces.map { ($0.columns[columns[index]], $0.rowCount, 0) }, untyped: true, in: [])
    }
  }

  private func result(
    _ readingWarnings: [String], of sheet: SheetText?
  ) throws -> FeatureColumns {
    let finished = concurrentMap(wanted.count) {
      columns[wanted[$0]].finished(name: names[wanted[$0]], reading: numbers)
    }
    var warnings = readingWarnings + skipped.warnings { sheet?.message($0) ?? $0.description } + nameWarnings
    warnings += finished.flatMap(\.warnings)
    warnings += try numberWarnings(finished)
    var places = places
    if sharesCoordinates, let (x, y) = places.coordinateColumns, let east = columns[x].decimals,
      let north = columns[y].decimals
    {
      places.share(x: east, y: north)
    }
    let geometry = places.result()
    warnings += places.warnings(in: records.bytes) { sheet?.row(ofLine: $0) ?? "line \($0)" }
    return FeatureColumns(
      schema: FeatureSchema(
        fields: finished.map(\.field), geometryKind: geometry?.buffers.first?.kind,
        spatialReference: geometry?.reference),
      columns: finished.map(\.column), geometry: geometry?.buffers.first,
      otherGeometries: Array(geometry?.buffers.dropFirst() ?? []), rowCount: rowCount, warnings: warnings)
  }
}
